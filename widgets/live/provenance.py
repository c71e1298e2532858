"""Which code ran: the source of each imported module, and whether what runs is still that source."""

from __future__ import annotations

import inspect
import json
import sys
from types import CodeType, FunctionType, ModuleType
from typing import Any


def source_json(package: str, listed: str) -> str:
    """The module of a package that a file of the repository is imported as, in JSON: its path below the
    folder that holds the package, its source, and whether every function in memory is compiled from just
    that source; null where none is."""
    for name, module in list(sys.modules.items()):
        path = _path(module)
        if name.partition(".")[0] == package and path and listed.endswith(f"/{path}"):
            return json.dumps({"path": path} | _source(module))
    return "null"


def _path(module: ModuleType) -> str:
    """Where a module's source is kept below the folder that its package is in, or nothing if it has none."""
    file = getattr(module, "__file__", None) or ""
    ending = "/__init__.py" if file.endswith("__init__.py") else ".py"
    return module.__name__.replace(".", "/") + ending if file else ""


def _source(module: ModuleType) -> dict[str, Any]:
    with open(str(module.__file__), encoding="utf-8", newline="") as file:
        text = file.read()
    return {"text": text, "same": runs_as_written(module, text)}


def runs_as_written(module: ModuleType, text: str) -> bool:
    """Whether the functions of a module are what its source compiles to: a memory image could hold others."""
    written = _codes(compile(text, str(module.__file__), "exec", dont_inherit=True))
    return all(function.__code__ in written for function in _functions(module))


def _codes(code: CodeType) -> set[CodeType]:
    nested = [each for each in code.co_consts if isinstance(each, CodeType)]
    return {code}.union(*map(_codes, nested))


def _functions(module: ModuleType) -> list[FunctionType]:
    """The functions of a module and the methods of its classes, those it has imported left out."""
    classes = [each for each in vars(module).values() if getattr(each, "__module__", None) == module.__name__]
    holders = [module, *(each for each in classes if isinstance(each, type))]
    found = [_behind(each) for holder in holders for each in vars(holder).values()]
    return [each for each in found if isinstance(each, FunctionType) and _is_written(each, module)]


def _behind(member: object) -> object:
    """The function in a property, a class or static method, a cache or another wrapper; else the member."""
    return inspect.unwrap(member.fget if isinstance(member, property) else member)  # type: ignore[arg-type]


def _is_written(function: FunctionType, module: ModuleType) -> bool:
    """Not imported, and not one that `dataclass` and the like have made from text of their own."""
    return function.__module__ == module.__name__ and function.__code__.co_filename.endswith(".py")
