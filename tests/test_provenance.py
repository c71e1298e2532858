"""Whether the functions in memory are compiled from the source that is listed."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

import optim_ref
import optim_ref.exercises.checks
from live.provenance import runs_as_written, sources_json


def test_sources_are_the_files_of_the_imported_modules() -> None:
    sources = {each["path"]: each for each in json.loads(sources_json("optim_ref"))}
    folder = Path(optim_ref.__file__).parent.parent
    assert {"optim_ref/adamw.py", "optim_ref/exercises/checks.py"} <= set(sources)
    for path, source in sources.items():
        if (folder / path).exists():  # another test may have loaded an exercise that is not there
            assert source["text"] == (folder / path).read_bytes().decode()
        assert source["same"], path


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
