"""The scripts of the page, each made into one file by esbuild."""

from __future__ import annotations

import tempfile
from pathlib import Path

from optim_ref_docs.node import node, npm


def install_tools(widgets: Path) -> None:
    """Install the npm packages that the lock file names, where they are missing or older than that."""
    lock = (widgets / "package-lock.json").read_bytes()
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


def minified(widgets: Path, styles: list[Path]) -> bytes:
    """Several style sheets in one, without what only people read."""
    install_tools(widgets)
    with tempfile.TemporaryDirectory() as folder:
        joined, out = Path(folder) / "all.css", Path(folder) / "out.css"
        joined.write_bytes(b"".join(path.read_bytes() for path in styles))
        node("build/minify-css.mjs", str(joined), str(out), folder=widgets)
        return out.read_bytes()


def bundle(widgets: Path, entry: str, kind: str, pyodide: Path | None = None) -> bytes:
    """Bundle `entry` with all it imports; `kind` is `iife` for the page or `esm` for a module worker."""
    install_tools(widgets)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.js"
        node("build/bundle.mjs", entry, str(out), kind, *([str(pyodide)] if pyodide else []), folder=widgets)
        return out.read_bytes()
