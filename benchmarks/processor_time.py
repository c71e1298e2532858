"""Processor time of commands: what other processes do meanwhile counts less than in time by the clock."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path


def of_mkdocs(folder: Path, *arguments: str, **environment: str) -> float:
    """Seconds that `mkdocs build` takes in a folder, all its processes together."""
    before = _seconds()
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", *arguments]
    surroundings = os.environ | {"NO_MKDOCS_2_WARNING": "1"} | environment
    subprocess.run(command, cwd=folder, check=True, env=surroundings)
    return _seconds() - before


def _seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
