"""The exercises in a terminal: what each is made of, and that faults are told apart."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from readers import FAULTS, FIFTH, REFERENCES, SOLUTIONS, WRONG, read

from live import exercise as page
from optim_ref import exercises
from optim_ref.exercises import checks, compare, solution
from optim_ref.exercises.__main__ import main
from optim_ref.exercises.checks import Check


def run(name: str, text: str) -> list[Check]:
    exercise = exercises.load(name)
    reader, outcome = solution.load(text, "solution.py", exercise.entry_point)
    assert reader is not None, outcome.error
    return list(checks.run(exercise, reader, exercise.all_cases()))


@pytest.mark.parametrize("name", exercises.NAMES)
def test_every_exercise_has_its_parts(name: str) -> None:
    exercise = exercises.load(name)
    names = [case.name for case in exercise.all_cases()]
    assert exercise.name == name
    assert len(exercise.examples) == len(exercise.hints) == 3
    assert len(exercise.cases()) >= 20
    assert len(set(names)) == len(names)
    assert set(exercise.receives) == set(exercise.examples[0].arguments)


@pytest.mark.parametrize("name", exercises.NAMES)
def test_cases_are_the_same_each_time(name: str) -> None:
    exercise = exercises.load(name)
    for once, again in zip(exercise.all_cases(), exercise.all_cases(), strict=True):
        assert compare.change("arguments", dict(once.arguments), dict(again.arguments)) is None


@pytest.mark.parametrize(("name", "text"), REFERENCES.items())
def test_the_reference_passes_every_check(name: str, text: str) -> None:
    assert [check.message for check in run(name, text) if not check.passed] == []


@pytest.mark.parametrize("name", ["adamw-step", "warmup-cosine"])
def test_a_solution_that_shares_no_line_with_the_reference_passes(name: str) -> None:
    assert [check.message for check in run(name, read(name, "right")) if not check.passed] == []


@pytest.mark.parametrize(("name", "fault"), WRONG)
def test_a_wrong_solution_fails_on_a_check_that_names_the_fault(name: str, fault: str) -> None:
    messages = [check.message for check in run(name, read(name, fault)) if not check.passed]
    assert any(FAULTS[name][fault] in message for message in messages), messages


@pytest.mark.parametrize(("name", "fault"), WRONG)
def test_a_wrong_solution_is_not_taken_for_another(name: str, fault: str) -> None:
    guesses = {check.guess for check in run(name, read(name, fault)) if check.guess}
    assert len(guesses) <= 1


@pytest.mark.parametrize("name", exercises.NAMES)
def test_every_usual_mistake_is_found_and_named(name: str) -> None:
    exercise = exercises.load(name)
    for mistake in exercise.mistakes:
        reader = solution.Solution(mistake.function, "mistake.py")
        results = checks.run(exercise, reader, exercise.all_cases())
        assert mistake.text in {check.guess for check in results}


@pytest.mark.parametrize("name", exercises.NAMES)
def test_the_starter_fails_cleanly(name: str) -> None:
    exercise = exercises.load(name)
    for check in run(name, exercise.starter):
        assert check.message == (
            "Exception: NotImplementedError: this is yours to write (solution.py, line 6)"
        )
        assert check.traceback.splitlines()[1] == f'  File "solution.py", line 6, in {exercise.entry_point}'


A = np.array
RIGHT = {"clipped": {"w": A([0.6, 0.8])}, "global_norm": np.float64(5)}


@pytest.mark.parametrize(
    ("got", "message"),
    [
        (None, "Wrong structure: result is None, must be a dict with the keys ['clipped', 'global_norm']"),
        (
            RIGHT["clipped"],
            "Wrong structure: result has the keys ['w'], must have ['clipped', 'global_norm']",
        ),
        (
            RIGHT | {"clipped": [A([0.6, 0.8])]},
            "Wrong structure: result['clipped'] is a list, must be a dict",
        ),
        (
            RIGHT | {"clipped": {"w": "0.6"}},
            "Wrong structure: result['clipped']['w'] is a str, must be an array",
        ),
        (RIGHT | {"clipped": {"w": A([[0.6, 0.8]])}}, "Wrong shape: result['clipped']['w'] has shape (1, 2)"),
        (
            RIGHT | {"global_norm": A([5.0])},
            "Wrong shape: result['global_norm'] has shape (1,), must have ().",
        ),
        (RIGHT | {"global_norm": 5}, "Wrong dtype: result['global_norm'] is int64, must be float64."),
        (RIGHT | {"global_norm": np.float32(5)}, "Wrong dtype: result['global_norm'] is float32"),
        (RIGHT | {"clipped": {"w": A([0.6, np.nan])}}, "NaN: result['clipped']['w'][1] is nan, must be 0.8."),
        (RIGHT | {"global_norm": np.inf}, "Wrong value: result['global_norm'] is inf, must be 5.0."),
        (
            RIGHT | {"clipped": {"w": A([0.6, 0.8 + 1e-9])}},
            "Wrong value: result['clipped']['w'][1] is 0.800000001, must be 0.8; 1 of 2 entries are wrong.",
        ),
    ],
)
def test_difference_tells_the_kinds_apart(got: Any, message: str) -> None:
    fault = compare.difference("result", got, RIGHT)
    assert str(fault).startswith(message)


def test_difference_allows_rounding_and_a_plain_float() -> None:
    got = {"clipped": {"w": A([0.6000000000000001, 0.8])}, "global_norm": 5.0}
    assert compare.difference("result", got, RIGHT) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda given: given["w"].__setitem__(1, 9.0), "grads['w'][1] was 4.0 and is 9.0 after the call."),
        (lambda given: given["w"].__setitem__(0, -0.0), "grads['w'][0] was 0.0 and is -0.0 after the call."),
        (lambda given: given.pop("w"), "grads has the keys ['n'], must have ['w', 'n']"),
        (
            lambda given: given.update(w=given["w"].astype(np.float32)),
            "grads['w'] was float64 of shape (2,) and is float32 of shape (2,) after the call.",
        ),
    ],
)
def test_change_finds_any_bit(change: Callable[[Any], Any], message: str) -> None:
    before, after = ({"w": A([0.0, 4.0]), "n": A([np.nan])} for _ in range(2))
    assert compare.change("grads", after, before) is None
    change(after)
    assert message in str(compare.change("grads", after, before))


def test_printed_output_is_kept_up_to_a_limit() -> None:
    text = "import sys\ndef f():\n    print('<b>x</b>')\n    print('y' * 20_000, file=sys.stderr)"
    reader, _ = solution.load(text, "solution.py", "f")
    assert reader is not None
    printed = reader.call({}).printed
    assert printed.startswith("<b>x</b>\nyyy")
    assert printed.endswith("… and more, which is not kept")
    assert len(printed) < 10_100


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("def f(:", "SyntaxError: invalid syntax (solution.py, line 1)"),
        ("import nothing_of_that_name", "ModuleNotFoundError: No module named 'nothing_of_that_name'"),
        ("x = 1", "solution.py defines no function f"),
        ("f = 3", "solution.py defines no function f"),
        ("raise SystemExit(3)", "SystemExit: 3 (solution.py, line 1)"),
        ("f = lambda: 1 / 0\nf()", "ZeroDivisionError: division by zero (solution.py, line 1)"),
    ],
)
def test_a_text_that_cannot_be_run_says_why(text: str, error: str) -> None:
    reader, outcome = solution.load(text, "solution.py", "f")
    assert reader is None
    assert outcome.error.startswith(error)


def test_a_traceback_shows_the_readers_lines_alone() -> None:
    text = (
        "import numpy as np\n\ndef f():\n    return g()\n\ndef g():\n    return np.linalg.inv(np.eye(0)[0])\n"
    )
    reader, _ = solution.load(text, "solution.py", "f")
    assert reader is not None
    assert [line for line in reader.call({}).traceback.splitlines() if "File" in line] == [
        '  File "solution.py", line 4, in f',
        '  File "solution.py", line 7, in g',
    ]


def test_endless_recursion_is_an_exception_like_any_other() -> None:
    reader, _ = solution.load("def f():\n    return f()", "solution.py", "f")
    assert reader is not None
    outcome = reader.call({})
    assert outcome.error.startswith("RecursionError")
    assert len(outcome.traceback) < 2_000


def test_the_page_gets_each_check_as_it_comes() -> None:
    told: list[dict[str, Any]] = []
    answer = page.run("warmup-cosine", REFERENCES["warmup-cosine"], told.append)
    assert told[0] == {"reading": "solution.py"}
    assert [each["check"]["case"] for each in told[2:]] == [each["case"] for each in told[1]["cases"]]
    sentence = "31 of 31 checks passed."
    assert answer == {"passed": 31, "total": 31, "sentence": sentence, "exhausted": False}


def test_the_page_ends_a_run_that_has_taken_all_memory() -> None:
    told: list[dict[str, Any]] = []
    text = "def warmup_cosine(**_):\n    raise MemoryError"
    answer = page.run("warmup-cosine", text, told.append)
    assert answer["exhausted"]
    assert [each["check"]["case"] for each in told[2:]] == ["rising"]


def test_the_page_is_told_why_nothing_was_run() -> None:
    told: list[dict[str, Any]] = []
    answer = page.run("warmup-cosine", "def warmup_cosine(:", told.append)
    assert told == [{"reading": "solution.py"}]
    assert answer["sentence"] == "No check was run: SyntaxError: invalid syntax (solution.py, line 1)"
    assert '  File "solution.py", line 1' in answer["accident"]


def test_a_fifth_exercise_is_one_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(exercises, "__path__", [*exercises.__path__, str(FIFTH)])
    monkeypatch.delitem(sys.modules, "optim_ref.exercises.clip_by_value", raising=False)
    importlib.invalidate_caches()
    fifth = FIFTH / "clip_by_value.py"
    assert main(["clip-by-value", str(fifth)]) == 0
    assert "23 of 23 checks passed." in capsys.readouterr().out
    text = "import numpy as np\nfrom optim_ref import tree\n\ndef clip_by_value(grads, limit):\n"
    text += "    return tree.map(lambda g: np.minimum(g, limit), grads)\n"
    messages = [check.message for check in run("clip-by-value", text)]
    assert any("only the upper limit held" in message for message in messages)


def test_an_exercise_that_does_not_exist_is_named() -> None:
    for name in ("clip-everything", "cases"):
        with pytest.raises(LookupError, match=f"no exercise is called '{name}'"):
            exercises.load(name)


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
        assert main(["clip-everything"]) == 2
        assert main(["warmup-cosine", "/no/such/file.py"]) == 2
        assert "clip-everything" in capsys.readouterr().err

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


def test_worked_values_stand_in_the_statement() -> None:
    exercise = exercises.load("clip-by-global-norm")
    expected = "{'clipped': {'b': np.array(0.8), 'w': np.array([0.6, 0.0])}, 'global_norm': 5.0}"
    assert checks.expected(exercise, exercise.examples[0]) == expected
