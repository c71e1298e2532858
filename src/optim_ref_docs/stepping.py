"""Stepping through a documented function on the example of its own docstring.

The function runs once, as installed, while the site is built; beside each line stands what it gave.
"""

import contextlib
import doctest
import importlib
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import unwrap
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from live.results import reading
from live.trace import statements, trace

MOST_PASSES = 4
MOST_NUMBERS = 12
LONGEST_TEXT = 120


@dataclass(frozen=True)
class SteppedLine:
    """A line that ran, with what it gave in each pass through it."""

    line: int
    target: str
    code: str
    values: list[str]

    @property
    def shown(self) -> list[str]:
        """The first passes."""
        return self.values[:MOST_PASSES]

    @property
    def more(self) -> int:
        """Passes that are not shown."""
        return max(0, len(self.values) - MOST_PASSES)


def step_through(module_name: str, qualified_name: str, examples: str) -> list[SteppedLine]:
    """Run the doctest `examples` of a function and return its lines; empty where it cannot be imported."""
    try:
        module = importlib.import_module(module_name)
    except ImportError:
        return []
    function = _function(module, qualified_name)
    if function is None:
        return []
    passes: dict[int, list[str]] = {}
    for step in trace(function, lambda: _run(examples, vars(module))):
        passes.setdefault(step.line, []).append(_brief(step.value))
    return [
        SteppedLine(each.line, each.target, " ".join(each.code.split()), passes[each.line])
        for each in statements(function)
        if each.line in passes
    ]


def _function(module: ModuleType, qualified_name: str) -> Callable[..., Any] | None:
    found: Any = module
    for name in qualified_name.split("."):
        found = getattr(found, name, None)
    function = unwrap(found) if callable(found) else None
    return function if isinstance(function, FunctionType) else None


def _run(examples: str, names: dict[str, Any]) -> None:
    """Run doctest examples for their effect; that they print what they should is the doctests' business."""
    namespace = dict(names)
    with contextlib.redirect_stdout(io.StringIO()):
        for example in doctest.DocTestParser().get_examples(examples):
            with contextlib.nullcontext() if example.exc_msg is None else contextlib.suppress(Exception):
                exec(compile(example.source, "<example>", "exec"), namespace)


def _brief(value: Any) -> str:
    """A value in a cell of a table: large arrays by their shape, what is no number by its type."""
    if isinstance(value, np.ndarray) and value.size > MOST_NUMBERS:
        return f"array of shape {value.shape}"
    if isinstance(value, dict | list | tuple) and not _is_plain(value):
        return f"{type(value).__name__} of {len(value)}"
    if not isinstance(value, str | bool | int | float | np.ndarray | np.generic | dict | list | tuple | None):
        return type(value).__name__
    text = value if isinstance(value, str) else reading(value)
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "…"


def _is_plain(value: dict[Any, Any] | Sequence[Any]) -> bool:
    items = list(value.values()) if isinstance(value, dict) else value
    plain = all(
        (isinstance(item, np.ndarray) and item.size <= MOST_NUMBERS)
        or isinstance(item, bool | int | float | np.generic | None)
        or (isinstance(item, dict | list | tuple) and _is_plain(item))
        for item in items
    )
    return plain and len(items) <= MOST_NUMBERS
