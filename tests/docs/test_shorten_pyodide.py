"""Pyodide's script is shortened where all is found that shall be changed, and nowhere else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from building import PROJECT, replace

from optim_ref_docs.assets import runtime_files
from optim_ref_docs.bundle import PYODIDE
from optim_ref_docs.node import node

WIDGETS = PROJECT / "widgets"
SCRIPT = "pyodide.asm.mjs"
SHORTEN = """
import {{ shortScript }} from {module!r};
process.stdout.write(shortScript({folder!r}));
"""


@pytest.fixture
def pyodide(tmp_path: Path) -> Path:
    files = runtime_files(WIDGETS)
    for name in PYODIDE:
        shutil.copy(files[name], tmp_path / name)
    return tmp_path


def test_variables_that_are_read_stay_and_a_third_is_gone(pyodide: Path) -> None:
    before, after = (pyodide / SCRIPT).read_text(encoding="utf-8"), shorten(pyodide)
    assert len(after) < 0.65 * len(before)
    for name in ("_malloc", "__PyRuntime", "_emscripten_get_sbrk_ptr", "_JsProxy_create"):
        assert f'{name}=Module["{name}"]=wasmExports' in after
    assert "_PyTuple_Pack" in before
    assert "_PyTuple_Pack" not in after


def test_a_variable_that_another_script_reads_stays(pyodide: Path) -> None:
    script = pyodide / "pyodide.mjs"
    script.write_text(script.read_text(encoding="utf-8") + "\nModule._PyTuple_Pack;", encoding="utf-8")
    assert '_PyTuple_Pack=Module["_PyTuple_Pack"]=wasmExports' in shorten(pyodide)


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("updateGOT(origExports);", "updateGOT(origExports,false);"),
        ("function assignWasmExports(wasmExports){", "function assignExports(wasmExports){"),
        ("API.finalizeBootstrap=function(t,e){", "API.finalizeBootstrap=function(e,t){"),
    ],
)
def test_a_script_that_has_changed_stops_the_build(pyodide: Path, known: str, new: str) -> None:
    replace(pyodide / SCRIPT, known, new)
    with pytest.raises(OSError, match="Pyodide's script has 0 times, not once: "):
        shorten(pyodide)


def shorten(folder: Path) -> str:
    module = (WIDGETS / "build" / "shorten-pyodide.mjs").as_uri()
    return node(
        "--input-type=module", "--eval", SHORTEN.format(module=module, folder=str(folder)), folder=WIDGETS
    )
