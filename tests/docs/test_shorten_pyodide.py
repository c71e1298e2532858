"""Pyodide's script is shortened where all is found that shall be changed, and nobody misses what is gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from building import PROJECT, replace

from optim_ref_docs import shortened
from optim_ref_docs.assets import runtime_files
from optim_ref_docs.node import node

WIDGETS = PROJECT / "widgets"
SCRIPT = "pyodide.asm.mjs"
# Prints JSON, with what the script of the folder becomes as `shortScript(folder)`.
RUN = """
import {{ shortScript }} from {module!r};
import {{ readdirSync, readFileSync }} from "node:fs";
const folder = {folder!r};
{code};
"""
SHORTEN = "process.stdout.write(JSON.stringify(shortScript(folder)))"
# What native modules are linked with: the table of the script's own functions, and the core's symbols.
SYMBOLS = """
const compiled = (name) => new WebAssembly.Module(readFileSync(`${folder}/${name}`));
const natives = readdirSync(`${folder}/natives`).map((name) => `natives/${name}`);
const wanted = Object.fromEntries(["pyodide.asm.wasm", ...natives].map(
  (name) => [name, WebAssembly.Module.imports(compiled(name)).map(({ module, name }) => [module, name])]));
const core = WebAssembly.Module.exports(compiled("pyodide.asm.wasm")).map(({ name }) => name);
const own = Object.fromEntries(natives.map(
  (name) => [name, WebAssembly.Module.exports(compiled(name)).map(({ name }) => name)]));
const table = shortScript(folder).match(/var wasmImports=[{]([^}]*)[}]/)[1].split(",");
process.stdout.write(JSON.stringify({ wanted, core, own, table: table.map((entry) => entry.split(":")[0]) }));
"""
# These the loader itself gives to every native module.
BY_LOADER = {"memory", "__indirect_function_table", "__stack_pointer", "__memory_base", "__table_base"}


@pytest.fixture
def pyodide() -> Iterator[Path]:
    with shortened.folder(runtime_files(WIDGETS)) as folder:
        yield folder


def test_what_is_read_stays_and_two_thirds_are_gone(pyodide: Path) -> None:
    before, after = (pyodide / SCRIPT).read_text(encoding="utf-8"), shorten(pyodide)
    assert len(after) < 0.3 * len(before)
    for name in ("_malloc", "__PyRuntime", "_emscripten_get_sbrk_ptr", "_JsProxy_create"):
        assert f'{name}=Module["{name}"]=wasmExports' in after
    for name in (
        "_PyTuple_Pack",
        "glClear",
        "SDL_Init",
        "emscripten_websocket_get_ready_state",
        "eglInit",
        "GLctx",
    ):
        assert name in before
        assert name not in after


def test_a_variable_that_another_script_reads_stays(pyodide: Path) -> None:
    script = pyodide / "pyodide.mjs"
    script.write_text(script.read_text(encoding="utf-8") + "\nModule._PyTuple_Pack;", encoding="utf-8")
    assert '_PyTuple_Pack=Module["_PyTuple_Pack"]=wasmExports' in shorten(pyodide)


def test_a_function_that_another_script_reads_stays_with_all_that_it_reads(pyodide: Path) -> None:
    assert "writeArrayToMemory" not in shorten(pyodide)
    script = pyodide / "pyodide.mjs"
    script.write_text(script.read_text(encoding="utf-8") + "\nModule.writeArrayToMemory;", encoding="utf-8")
    after = shorten(pyodide)
    assert "var writeArrayToMemory=" in after
    assert 'Module["writeArrayToMemory"]=writeArrayToMemory' in after


def test_the_core_and_every_native_module_find_what_they_are_linked_with(pyodide: Path) -> None:
    found = json.loads(run(pyodide, SYMBOLS))
    table, core = set(found["table"]), set(found["core"])
    assert len(found["wanted"]) == 14
    for file, symbols in found["wanted"].items():
        own = set(found["own"].get(file, []))
        missing = {name for module, name in symbols if name not in table | core | own | BY_LOADER}
        if file == "pyodide.asm.wasm":
            # Of what draws, it wants no more than the address.
            missing = {name for name in missing if ["GOT.func", name] not in symbols or "_gl" not in name}
        assert missing == set(), file
    assert "emscripten_console_log" in table


@pytest.mark.parametrize(
    ("known", "new", "said"),
    [
        ("updateGOT(origExports);", "updateGOT(origExports,false);", "has 0 times, not once: "),
        ("function assignWasmExports(wasmExports){", "function assignExports(wasmExports){", "has 0 times, "),
        ("API.finalizeBootstrap=function(t,e){", "API.finalizeBootstrap=function(e,t){", "has 0 times, "),
        ("MainLoop.init();", "MainLoop.init(1);", "has 0 times, not once: MainLoop.init"),
        ("var wasmImports={", "var imports={", "has no variable wasmImports"),
        (";return moduleRtn}", ";return moduleRtn}function more(){}", "is more than one function"),
        (";return moduleRtn}", ";Module[moduleRtn];return moduleRtn}", "reads any property of its module"),
        (";return moduleRtn}", ";GLctx.clear();return moduleRtn}", "is asked to draw"),
    ],
)
def test_a_script_that_has_changed_stops_the_build(pyodide: Path, known: str, new: str, said: str) -> None:
    replace(pyodide / SCRIPT, known, new)
    with pytest.raises(OSError, match=f"Pyodide's script {said}"):
        shorten(pyodide)


def test_without_native_modules_the_build_stops(pyodide: Path) -> None:
    for native in (pyodide / shortened.NATIVES).iterdir():
        native.unlink()
    with pytest.raises(OSError, match="no native modules in"):
        shorten(pyodide)


def test_a_native_module_that_asks_for_more_keeps_more(pyodide: Path) -> None:
    assert "emscripten_websocket_get_ready_state" not in shorten(pyodide)
    # One function of the module `env`, of the type that stands first.
    name = [*b"emscripten_websocket_get_ready_state"]
    entry = [1, 3, *b"env", len(name), *name, 0, 0]
    write_native(pyodide, [2, len(entry), *entry])
    after = shorten(pyodide)
    assert "emscripten_websocket_get_ready_state:_emscripten_websocket_get_ready_state" in after
    assert "_emscripten_websocket_get_ready_state.sig=" in after
    assert "var WS={" in after


def test_a_native_module_with_javascript_of_its_own_stops_the_build(pyodide: Path) -> None:
    name = [*b"__em_js__f"]
    glob, entry = [1, 0x7F, 0, 0x41, 0, 0x0B], [1, len(name), *name, 3, 0]
    write_native(pyodide, [6, len(glob), *glob, 7, len(entry), *entry])
    with pytest.raises(OSError, match="brings JavaScript of its own"):
        shorten(pyodide)


def write_native(folder: Path, sections: list[int]) -> None:
    head = b"\0asm\1\0\0\0" + bytes([1, 4, 1, 0x60, 0, 0])
    (folder / shortened.NATIVES / "more.so").write_bytes(head + bytes(sections))


def shorten(folder: Path) -> str:
    script: str = json.loads(run(folder, SHORTEN))
    return script


def run(folder: Path, code: str) -> str:
    module = (WIDGETS / "build" / "shorten-pyodide.mjs").as_uri()
    script = RUN.format(module=module, folder=str(folder), code=code)
    return node("--input-type=module", "--eval", script, folder=WIDGETS)
