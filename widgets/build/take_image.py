"""Bring Python to the state that its memory image shall have. Runs inside Pyodide, under Node.js, at build."""

import gc
import linecache
import os
import pkgutil
import re
import sys
from importlib.machinery import EXTENSION_SUFFIXES, all_suffixes
from zipfile import ZipFile

import examples
from live.example import answer, load
from live.image import forget_files, leave_out


def prepare(archives: list[str]) -> list[str]:
    """Import and run every example once; returns the names of those that need more than the image holds."""
    postponed = [name for name in example_names() if not runs(name)]
    left_out = {name for archive in archives for name in modules_of(archive)}
    forget_files()
    linecache.clearcache()
    re.purge()
    sys._clear_internal_caches()
    os.environ.pop("PYTHONHASHSEED")
    leave_out(left_out)
    for _ in range(3):
        gc.collect()
    return postponed


def example_names() -> list[str]:
    return [module.name.replace("_", "-") for module in pkgutil.iter_modules(examples.__path__)]


def runs(name: str) -> bool:
    example = load(name)
    try:
        answer(example, example.start())
    except ModuleNotFoundError:
        return False
    return True


def modules_of(archive: str) -> set[str]:
    """The names of the modules in an archive: compiled ones and native ones."""
    with ZipFile(archive) as opened:
        return {name for member in opened.namelist() if (name := module_name(member))}


def module_name(member: str) -> str:
    for suffix in sorted(all_suffixes() + EXTENSION_SUFFIXES, key=len, reverse=True):
        if member.endswith(suffix):
            return member.removesuffix(suffix).removesuffix("/__init__").replace("/", ".")
    return ""
