"""The scripts of the page, each made into one file by esbuild."""

from __future__ import annotations

import tempfile
from pathlib import Path

from optim_ref_docs.node import node, npm

# It stands for the npm packages.
LOCK = "package-lock.json"
# What modules import that is no script.
DATA = ("limits.json", "native-modules.json")
MINIFY = "build/minify-css.mjs"
PLOTLY = "plotly.js-basic-dist-min/plotly-basic.min.js"


def install_tools(widgets: Path) -> None:
    """Install the npm packages that the lock file names, where they are missing or older than that."""
    lock = (widgets / LOCK).read_bytes()
    installed = widgets / "node_modules" / ".installed-lock.json"
    if not installed.exists() or installed.read_bytes() != lock:
        # esbuild needs no install script; without scripts no package can run code here.
        npm(
            "ci",
            "--prefer-offline",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--silent",
            folder=widgets,
        )
        installed.write_bytes(lock)


def inputs(widgets: Path) -> list[Path]:
    """The files that decide what any bundle holds."""
    modules, tools = sorted(widgets.glob("*.js")), sorted(widgets.glob("build/*.mjs"))
    return [*modules, *tools, *(widgets / name for name in (*DATA, LOCK))]


def style_sheets(widgets: Path) -> list[Path]:
    """The style sheets that become one, in this order."""
    return sorted(widgets.glob("*.css"))


def style_tools(widgets: Path) -> list[Path]:
    """The files that decide, with the style sheets, what these become."""
    return [widgets / MINIFY, widgets / LOCK]


def minified(widgets: Path, styles: list[Path]) -> bytes:
    """Several style sheets in one, without what only people read."""
    install_tools(widgets)
    with tempfile.TemporaryDirectory() as folder:
        joined, out = Path(folder) / "all.css", Path(folder) / "out.css"
        joined.write_bytes(b"".join(path.read_bytes() for path in styles))
        node(MINIFY, str(joined), str(out), folder=widgets)
        return out.read_bytes()


def bundle(widgets: Path, entry: str, kind: str, pyodide: Path | None = None) -> bytes:
    """Bundle `entry` with all it imports; `kind` is `iife` for the page or `esm` for a module worker."""
    install_tools(widgets)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.js"
        node("build/bundle.mjs", entry, str(out), kind, *([str(pyodide)] if pyodide else []), folder=widgets)
        return out.read_bytes()
