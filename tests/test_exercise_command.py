"""`python -m optim_ref.exercises`, for solutions in NumPy and in JAX."""

from __future__ import annotations

import codecs
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from readers import REFERENCES, SOLUTIONS, read

from optim_ref import exercises
from optim_ref.exercises import solution
from optim_ref.exercises.__main__ import main


class TestCommand:
    def test_it_lists_and_states(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main([]) == 0
        assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(exercises.NAMES)
        assert main(["adamw-step"]) == 0
        assert "-> {'params': {'w': np.array([[0.899]])}" in capsys.readouterr().out
        assert main(["adamw-step", "--starter"]) == 0
        assert capsys.readouterr().out.strip() == exercises.load("adamw-step").starter.strip()

    def test_it_runs_as_a_program(self, tmp_path: Path) -> None:
        file = tmp_path / "solution.py"
        file.write_text(REFERENCES["warmup-cosine"])
        command = [sys.executable, "-m", "optim_ref.exercises", "warmup-cosine", str(file)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines()[-1] == "31 of 31 checks passed."

    def test_a_failure_shows_everything_and_the_readers_line(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "solution.py"
        file.write_text("def warmup_cosine(step, **rest):\n    print('at', step)\n    return 1 / 0\n")
        assert main(["warmup-cosine", str(file)]) == 1
        lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
        assert lines[1] == "FAIL  rising                    Half of the warmup gives half of lr_max"
        assert "expected  0.0005" in lines
        assert "printed   at 25" in lines
        assert f'File "{file}", line 3, in warmup_cosine' in lines
        assert lines[-1].startswith("0 of 31 checks passed. The first that failed is rising: Exception:")

    def test_misuse_has_an_exit_code_of_its_own(self, capsys: pytest.CaptureFixture[str]) -> None:
        for name in ("clip-everything", "clip.py", "./clip.py", "/tmp/clip.py", "cases.py"):
            assert main([name]) == 2
            names = ", ".join(exercises.NAMES)
            assert capsys.readouterr().err == f"no exercise is called {name!r}; there are {names}\n"
        assert main(["warmup-cosine", "/no/such/file.py"]) == 2

    @pytest.mark.parametrize(
        ("mark", "encoding"),
        [
            (codecs.BOM_UTF8, "utf-8"),
            (b"# -*- coding: latin-1 -*-\n", "latin-1"),
            (b"#!/usr/bin/env python\r\n# coding: cp1252\r\n", "cp1252"),
        ],
    )
    def test_a_file_may_name_its_encoding(
        self, mark: bytes, encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "solution.py"
        file.write_bytes(mark + f"print('Größe')\n{REFERENCES['warmup-cosine']}\n".encode(encoding))
        assert main(["warmup-cosine", str(file)]) == 0
        assert "Größe\n" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            ("x = 1\n".encode("utf-16"), "invalid or missing encoding declaration"),
            (b"x = 1\ny = 2\nz = 3\n# Gr\xf6\xdfe\n", "'utf-8' codec can't decode byte 0xf6"),
            (b"# coding: rot13\n", "'rot13' is not a text encoding"),
            (b"# coding: none\n", "unknown encoding"),
        ],
    )
    def test_a_file_that_cannot_be_read_is_named_with_the_reason(
        self, data: bytes, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "solution.py"
        file.write_bytes(data)
        assert main(["warmup-cosine", str(file)]) == 2
        assert capsys.readouterr().err.startswith(f"{file} cannot be read: {reason}")

    def test_a_file_that_cannot_be_run_fails(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "solution.py"
        file.write_text("def warmup_cosine(:\n")
        assert main(["warmup-cosine", str(file)]) == 1
        assert f'File "{file}", line 1' in capsys.readouterr().out


class TestJax:
    def check(self, name: str, file: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
        pytest.importorskip("jax")
        code = main([name, str(SOLUTIONS / "jax" / f"{file}.py")])
        return code, capsys.readouterr().out

    def test_clip_by_global_norm_runs_inside_jit(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out = self.check("clip-by-global-norm", "clip_by_global_norm", capsys)
        assert code == 0, out
        assert "The function runs inside jax.jit" in out

    def test_a_solution_that_looks_at_traced_values_fails_at_its_line(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, out = self.check("clip-by-global-norm", "not_traceable", capsys)
        assert code == 1
        assert "TracerBoolConversionError" in out
        assert 'not_traceable.py", line 8, in clip_by_global_norm' in out

    def test_per_example_clipping_calls_vmap_and_grad(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out = self.check("per-example-clipping", "per_example_clipping", capsys)
        assert code == 0, out
        assert "ok    calls                     Calls jax.vmap and jax.grad" in out

    def test_right_numbers_without_grad_do_not_do(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out = self.check("per-example-clipping", "by_hand", capsys)
        assert code == 1
        assert [line[:10] for line in out.splitlines() if line.startswith("FAIL")] == ["FAIL  call"]
        assert "Not called: jax.grad must be called." in out

    def test_params_must_stay(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out = self.check("per-example-clipping", "changes_params", capsys)
        assert code == 1
        assert "Changed input: params['w'][0] was 0.0 and is -0.075 after the call." in out

    @pytest.mark.parametrize(
        ("result", "error"),
        [
            ("leaked", "jax.errors.TracerArrayConversionError: The numpy.ndarray conversion method"),
            (
                "{1: x, 'a': x}",
                "ValueError: Comparator raised exception while sorting pytree dictionary keys.",
            ),
        ],
    )
    def test_a_result_that_jax_cannot_hand_over_fails_its_check_alone(
        self, result: str, error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        pytest.importorskip("jax")
        file = tmp_path / "solution.py"
        file.write_text(
            "import jax\n\ndef clip_per_example(params, x, y, max_norm):\n    leaked = []\n"
            f"    jax.vmap(lambda each: (leaked.append(each), each)[1])(x)\n    return {result}\n"
        )
        assert main(["per-example-clipping", str(file)]) == 1
        out = capsys.readouterr().out
        assert f"Wrong structure: looking at the result raises {error}" in out
        assert "FAIL  calls" in out, "the checks after it were lost"
        assert out.splitlines()[-1].startswith("0 of ")

    def test_the_values_of_the_statement_hold(self) -> None:
        jax = pytest.importorskip("jax")
        reader, _ = solution.load(read("jax", "per_example_clipping"), "s.py", "clip_per_example")
        assert reader is not None
        x, y = [[1.0], [-1.0], [2.0], [0.0]], [1.5, 0.5, 1.0, 0.0]
        params = {"w": jax.numpy.array([0.5]), "b": jax.numpy.array(0.5)}
        result = reader.function(params, jax.numpy.array(x), jax.numpy.array(y), 10.0)
        assert result["grads"]["w"].tolist() == [0.25]
        assert result["grads"]["b"].tolist() == 0.0
        assert np.allclose(result["norms"], [0.707107, 0.707107, 1.118034, 0.5], atol=1e-6)
        leaves = (*result["grads"].values(), result["norms"])
        assert {leaf.dtype for leaf in leaves} == {np.dtype(np.float32)}

    def test_other_exercises_say_that_they_take_numpy(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "solution.py"
        file.write_text("def warmup_cosine(*_): pass\nimport jax.numpy as jnp\n")
        assert main(["warmup-cosine", str(file)]) == 1
        assert "takes a solution in NumPy" in capsys.readouterr().out

    def test_jax_is_imported_for_no_other_solution(self, tmp_path: Path) -> None:
        file = tmp_path / "solution.py"
        file.write_text(REFERENCES["clip-by-global-norm"])
        code = (
            "import sys; from optim_ref.exercises.__main__ import main\n"
            f"assert main(['clip-by-global-norm', {str(file)!r}]) == 0\n"
            "assert not any(name.split('.')[0] == 'jax' for name in sys.modules)\n"
        )
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
