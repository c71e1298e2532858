"""Python archives as bytecode, compiled by the interpreter that will run them: Pyodide, here under Node.js.

Compiling the standard library again at every start is more than half of what a start from source costs.
"""

from __future__ import annotations

from pathlib import Path

from optim_ref_docs import project
from optim_ref_docs.node import node
from optim_ref_docs.store import code_of, derive


def scripts(widgets: Path) -> list[Path]:
    """The files that decide, with the runtime's, what comes out."""
    names = ("compile-bytecode.mjs", "compile_bytecode.py", "short_lines.py")
    return [widgets / "build" / name for name in names]


def compiled(widgets: Path, runtime: dict[str, Path], name: str, prefix: str) -> bytes:
    """The archive `name` of the runtime with its modules compiled; `prefix` is where it is imported from."""
    inputs = [path.read_bytes() for path in (*scripts(widgets), *runtime.values())]

    def make() -> bytes:
        with project.scratch(runtime) as folder:
            out = folder / "out.zip"
            node(str(scripts(widgets)[0]), str(folder), str(folder / name), str(out), prefix)
            return out.read_bytes()

    return derive([name.encode(), *inputs, code_of("bytecode.py")], make)
