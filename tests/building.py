"""Building the site as a reader of the README would, in a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parent.parent
SITE_PARTS = (
    "mkdocs.yml",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "docs",
    "overrides",
    "src",
    "tests",
    "widgets",
)
MADE = shutil.ignore_patterns("__pycache__", "node_modules", "*.egg-info")


def copy_project(folder: Path) -> Path:
    """Copy what the site is built from, for a test that changes some of it."""
    folder.mkdir(parents=True)
    for part in SITE_PARTS:
        source = PROJECT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=MADE)
        else:
            shutil.copyfile(source, folder / part)
    return folder


def mkdocs(root: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Start `mkdocs` in `root`, with the packages of that folder; standard error joins standard output."""
    return subprocess.Popen(
        [sys.executable, "-m", "mkdocs", *arguments],
        cwd=root,
        env=os.environ | packages_of(root) | {"NO_MKDOCS_2_WARNING": "1"} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def packages_of(root: Path) -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join([str(root / "src"), str(root / "widgets")])}


def build(root: Path, site: Path, **environment: str) -> tuple[bool, str]:
    """Run `mkdocs build --strict` into `site`; returns whether it succeeded, and all that it printed."""
    process = mkdocs(root, "build", "--strict", "--site-dir", str(site), **environment)
    printed, _ = process.communicate()
    return process.returncode == 0, printed
