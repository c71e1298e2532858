"""Bring Python to the state that its memory image shall have. Runs inside Pyodide, at build."""

import gc
import json
import linecache
import os
import pkgutil
import re
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES, all_suffixes
from pathlib import Path
from zipfile import ZipFile

import examples
import live
from live import exercise
from live.example import answer, load
from live.image import forget_files, leave_out


def prepare(archives: list[str]) -> str:
    """Import and run everything, note what the image leaves out, and tidy up; returns `answers()`."""
    for module in pkgutil.iter_modules(live.__path__):
        import_module(f"live.{module.name}")
    given = answers()
    left_out = {name for archive in archives for name in modules_of(archive)}
    forget_files()
    linecache.clearcache()
    re.purge()
    sys._clear_internal_caches()  # type: ignore[attr-defined]
    os.environ.pop("PYTHONHASHSEED")
    sys.path.remove(str(Path(__file__).parent))
    del sys.modules[__name__], sys.modules["sitecustomize"]
    leave_out(left_out)
    for _ in range(3):
        gc.collect()
    return given


def answers() -> str:
    """What each example gives for its start, and each exercise for its starter, as JSON."""
    given = {name: start_answer(name) for name in example_names()}
    checked = {
        name: exercise.run(name, exercise.load(name).starter, lambda _: None) for name in exercise.NAMES
    }
    return json.dumps([given, checked])


def example_names() -> list[str]:
    return [module.name.replace("_", "-") for module in pkgutil.iter_modules(examples.__path__)]


def start_answer(name: str) -> object:
    """The answer to the start of an example; nothing for one that needs what the image leaves out."""
    example = load(name)
    try:
        return answer(example, example.start())
    except ModuleNotFoundError:
        return None


def modules_of(archive: str) -> set[str]:
    """The names of the modules in an archive: compiled ones and native ones."""
    with ZipFile(archive) as opened:
        return {name for member in opened.namelist() if (name := module_name(member))}


def module_name(member: str) -> str:
    for suffix in sorted(all_suffixes() + EXTENSION_SUFFIXES, key=len, reverse=True):
        if member.endswith(suffix):
            return member.removesuffix(suffix).removesuffix("/__init__").replace("/", ".")
    return ""
