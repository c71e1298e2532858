"""The project's own wheel, and the Pyodide lock file that holds it beside NumPy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# The build back end writes this time on every member, so that the same source gives the same bytes.
REPRODUCIBLE = {"SOURCE_DATE_EPOCH": "315532800"}


def inputs(root: Path) -> list[Path]:
    """The files that go into the wheel, or decide how it is made."""
    package = sorted(
        path for path in (root / "src" / "optim_ref").rglob("*") if "__pycache__" not in path.parts
    )
    named = [root / name for name in ("pyproject.toml", "README.md", "LICENSE")]
    return [path for path in (*named, *package) if path.is_file()]


def build_wheel(root: Path) -> tuple[str, bytes]:
    """Build the wheel of the project at `root`; returns its file name and bytes."""
    with tempfile.TemporaryDirectory() as folder:
        _python("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, str(root))
        (wheel,) = Path(folder).glob("*.whl")
        return wheel.name, wheel.read_bytes()


def lock_file(official: bytes, numpy_sha256: str, wheel_name: str, wheel: bytes) -> bytes:
    """The official lock file, pruned to NumPy, with the project's wheel entered by pyodide's command line."""
    lock = json.loads(official)
    numpy = lock["packages"]["numpy"] | {"sha256": numpy_sha256}
    pruned = {"info": lock["info"], "packages": {"numpy": numpy}}
    with tempfile.TemporaryDirectory() as folder:
        given, entered, wheel_file = (
            Path(folder) / name for name in ("given.json", "entered.json", wheel_name)
        )
        given.write_text(json.dumps(pruned), encoding="utf-8")
        wheel_file.write_bytes(wheel)
        command = ["-m", "pyodide_cli", "lockfile", "add-wheels", "--base-path", folder]
        _python(*command, "--input", str(given), "--output", str(entered), str(wheel_file))
        return json.dumps(json.loads(entered.read_bytes()), sort_keys=True).encode()


def _python(*arguments: str) -> None:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=os.environ | REPRODUCIBLE, check=False, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"{' '.join(arguments[:4])}: {(done.stderr or done.stdout).strip()[-3000:]}")
