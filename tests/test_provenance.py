"""Whether the functions in memory are compiled from the source that is listed."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

import optim_ref
import optim_ref.exercises.checks
from live.provenance import runs_as_written, source_json


@pytest.mark.parametrize(
    "path", ["optim_ref/__init__.py", "optim_ref/adamw.py", "optim_ref/exercises/checks.py"]
)
def test_a_source_is_the_file_of_the_imported_module(path: str) -> None:
    folder = Path(optim_ref.__file__).parent.parent
    text = (folder / path).read_bytes().decode()
    source = json.loads(source_json("optim_ref", f"src/{path}"))
    assert source == {"path": path, "text": text, "same": True}


@pytest.mark.parametrize("listed", ["src/optim_ref/no_such_file.py", "tests/test_adamw.py", "src/json.py"])
def test_a_file_that_is_no_imported_module_of_the_package_has_no_source(listed: str) -> None:
    assert json.loads(source_json("optim_ref", listed)) is None


METHOD = "class A:\n    @{}\n    def double(x):\n        return x * 2\n"


@pytest.mark.parametrize(
    "source",
    [
        "def double(x):\n    return x * 2\n",
        "import functools\n\n@functools.cache\ndef double(x):\n    return x * 2\n",
        *(METHOD.format(kind) for kind in ("property", "staticmethod", "classmethod")),
    ],
    ids=["bare", "cached", "property", "static method", "class method"],
)
def test_a_function_that_is_not_the_source_any_more_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    path = tmp_path / "replaced_module.py"
    path.write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "replaced_module", raising=False)
    module = importlib.import_module("replaced_module")
    assert runs_as_written(module, path.read_text("utf-8"))
    other: dict[str, object] = {"__name__": "replaced_module"}
    exec(compile(source.replace("2", "3"), str(path), "exec"), other)
    (name,) = {"A", "double"} & other.keys()
    monkeypatch.setattr(module, name, other[name])
    assert not runs_as_written(module, path.read_text("utf-8"))
