"""What Pyodide's script is shortened by: its own files, and all native modules it may be linked with."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from optim_ref_docs import project

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
ARCHIVES = (".whl", ".zip")
# Where `widgets/build/linked-symbols.mjs` looks for the native modules.
NATIVES = "natives"
BUILD_SCRIPTS = ("shorten-pyodide.mjs", "only-reachable.mjs", "linked-symbols.mjs")


def sources(runtime: Collection[str]) -> list[str]:
    """The names of the runtime's files that decide what is left of the script."""
    return [name for name in runtime if name in CORE or name.endswith(ARCHIVES)]


@contextmanager
def folder(runtime: Mapping[str, Path]) -> Iterator[Path]:
    """A temporary folder that `shortScript` takes: Pyodide's files and, in a folder, all native modules."""
    with project.scratch({name: runtime[name] for name in CORE}) as made:
        natives = made / NATIVES
        natives.mkdir()
        for archive in (runtime[name] for name in sources(runtime) if name not in CORE):
            with zipfile.ZipFile(archive) as opened:
                for member in opened.namelist():
                    if member.endswith(".so"):
                        (natives / member.replace("/", ".")).write_bytes(opened.read(member))
        yield made
