"""Building the site as a reader of the README would, in a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from optim_ref_docs.bundle import install_tools

PROJECT = Path(__file__).parent.parent
AXE = PROJECT / "widgets" / "node_modules" / "axe-core" / "axe.min.js"
FILES = ("mkdocs.yml", "pyproject.toml", "README.md", "LICENSE")
FOLDERS = ("docs", "overrides", "src", "tests", "widgets")
MADE = shutil.ignore_patterns("__pycache__", "node_modules", "*.egg-info")


def copy_project(folder: Path) -> Path:
    """Copy what the site is built from, for a test that changes some of it; the npm packages are shared."""
    for name in FOLDERS:
        shutil.copytree(PROJECT / name, folder / name, ignore=MADE)
    for name in FILES:
        shutil.copyfile(PROJECT / name, folder / name)
    install_tools(PROJECT / "widgets")
    (folder / "widgets" / "node_modules").symlink_to(PROJECT / "widgets" / "node_modules")
    return folder


def mkdocs(root: Path, *arguments: str, output: Any = subprocess.PIPE, **more: str) -> subprocess.Popen[str]:
    """Start `mkdocs` in `root`, with the packages of that folder and `more` in its environment."""
    return subprocess.Popen(
        [sys.executable, "-m", "mkdocs", *arguments],
        cwd=root,
        env=os.environ | packages_of(root) | {"NO_MKDOCS_2_WARNING": "1"} | more,
        stdout=output,
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


def replace(file: Path, old: str, new: str) -> None:
    """Change the one place in a file where `old` stands."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    file.write_text(text.replace(old, new), encoding="utf-8")
