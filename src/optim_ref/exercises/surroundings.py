"""What a reader's code could replace under the checks: it shares its Python with them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

__all__: list[str] = []  # for the command and the page, not for readers

WATCHED = ("builtins", "copy", "math", "numpy", "optim_ref")
"""The packages that solutions and checks have in common; what restores them rests on the first."""

Holder = ModuleType | type[Any]


class Surroundings:
    """The functions, classes and constants of those packages as they are when this is made."""

    def __init__(self) -> None:
        self._before = [
            (holder, vars(holder), {name: each for name, each in vars(holder).items() if _is_kept(each)})
            for holder in _holders()
        ]

    def restore(self) -> list[str]:
        """Put back what was replaced or removed since; returns the names of it, `numpy.sqrt` and the like."""
        # No built-in function is called before those are what they were: loops and methods need none.
        replaced = []
        for holder, namespace, before in self._before:
            for name, value in before.items():
                if namespace.get(name) is not value:
                    _put_back(holder, namespace, name, value)
                    replaced.append(f"{holder.__name__}.{name}")
        return replaced


def _holders() -> Iterator[Holder]:
    """The modules of the watched packages, and the classes of optim_ref: NumPy's own cannot be changed."""
    modules = [(name, module) for name, module in sys.modules.items() if isinstance(module, ModuleType)]
    for package in WATCHED:
        for name, module in modules:
            if name == package or name.startswith(f"{package}."):
                yield module
                if package == "optim_ref":
                    yield from (
                        each
                        for each in vars(module).values()
                        if isinstance(each, type) and each.__module__ == name
                    )


def _is_kept(value: Any) -> bool:
    return callable(value) or isinstance(value, float | property | classmethod)


def _put_back(holder: Holder, namespace: Mapping[str, Any], name: str, value: Any) -> None:
    if holder.__class__ is ModuleType:
        namespace[name] = value  # type: ignore[index]
    else:
        setattr(holder, name, value)
