"""What a Python that goes on from a memory image needs: randomness of its own, and what the image leaves out.

The image is taken at build, when the examples have run once, and laid into the worker of every reader. It
holds what was imported by then. Other modules are in archives that the page fetches when one of them is
first asked for.
"""

from __future__ import annotations

import random
import sys
import zipimport
from collections.abc import Iterable
from importlib import import_module

from live.later import Later

# What an image is taken without. The second changes functions of the first.
EVENT_LOOP = ("asyncio", "pyodide.webloop")


class LeftOut:
    """First on `sys.meta_path`: finds nothing, but notes when a module of the archives is asked for."""

    def __init__(self, modules: Iterable[str]) -> None:
        self.modules = frozenset(modules)
        self.wanted = False

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        self.wanted = self.wanted or name in self.modules


_left_out: LeftOut | None = None


def leave_out(modules: Iterable[str]) -> None:
    """From now on, note imports of these modules."""
    global _left_out  # noqa: PLW0603
    _left_out = LeftOut(modules)
    sys.meta_path.insert(0, _left_out)


def awake() -> None:
    """Called once the image is laid in: else the random numbers of all readers would be the same."""
    random.seed()


def is_wanting() -> bool:
    """Whether a module was asked for that is in the archives only."""
    return _left_out is not None and _left_out.wanted


def complete() -> None:
    """Called once the archives are in place: from now on everything can be imported."""
    global _left_out  # noqa: PLW0603
    if _left_out:
        sys.meta_path.remove(_left_out)
        _left_out = None
        forget_files()
        for name in EVENT_LOOP:
            if isinstance(module := sys.modules.get(name), Later):
                module.become()
        import_module(EVENT_LOOP[-1])._initialize_event_loop()


def forget_files() -> None:
    """Drop what importing remembers of archives and folders."""
    sys.path_importer_cache.clear()
    zipimport._zip_directory_cache.clear()  # type: ignore[attr-defined]
