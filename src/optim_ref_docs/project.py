"""Where the project is that is being built."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_chosen: Path | None = None


def choose(root: Path) -> None:
    """Name the project's folder once and for all, for callers that Markdown gives no such argument."""
    global _chosen  # noqa: PLW0603
    _chosen = root.resolve()


def root() -> Path:
    """The chosen folder, else the nearest one from here upwards that holds `mkdocs.yml`."""
    if _chosen:
        return _chosen
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "mkdocs.yml").exists():
            return folder
    raise FileNotFoundError(f"no mkdocs.yml in {here} or above it")


def commit(folder: Path) -> str:
    """The commit that is checked out in `folder`, or the empty string outside a Git checkout."""
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


@contextmanager
def scratch(files: dict[str, Path]) -> Iterator[Path]:
    """A temporary folder that holds these files under these names."""
    with tempfile.TemporaryDirectory() as folder:
        for name, path in files.items():
            shutil.copyfile(path, Path(folder) / name)
        yield Path(folder)
