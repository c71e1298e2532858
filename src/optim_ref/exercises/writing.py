"""Values as a reader sees them: Python code for arrays and trees, cut where it is long."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

__all__: list[str] = []  # for the command and the page, not for readers

MOST_ENTRIES = 12
MOST_ITEMS = 100
MOST_DEEP = 20
MOST_CHARACTERS = 600


def call(function: str, arguments: Mapping[str, Any]) -> str:
    """The call of a function, argument by argument.

    Examples:
        >>> call("clip", {"tree": {"w": np.array([3.0, 4.0])}, "max_norm": 1.0})
        "clip(tree={'w': np.array([3.0, 4.0])}, max_norm=1.0)"
    """
    return f"{function}({', '.join(f'{name}={value(each)}' for name, each in arguments.items())})"


def value(tree: Any) -> str:
    """A value with eight significant digits, which suffices to read it.

    Examples:
        >>> value({"w": np.array([0.2 * 3], np.float32), "b": 0.1 + 0.2})
        "{'w': np.array([0.6], np.float32), 'b': 0.3}"
        >>> value([np.zeros((2, 0)), np.float32(5), None])
        '[np.zeros((2, 0)), np.float32(5.0), None]'
        >>> value(np.zeros(50))
        'np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, …])'
    """
    return cut(_value(tree))


def cut(text: str, most: int = MOST_CHARACTERS) -> str:
    """The beginning of a text, with a mark where something is missing."""
    return text if len(text) <= most else f"{text[:most]}…"


def _value(tree: Any, depth: int = 0) -> str:
    if depth > MOST_DEEP:
        return "…"
    for kind, write in _CONTAINERS.items():
        if type(tree) is kind:
            return write(tree, depth + 1)
    for kind, write_one in _WRITERS.items():
        if type(tree) is kind:
            return write_one(tree)
    if isinstance(tree, np.floating):
        return f"np.{tree.dtype}({_digits(np.asarray(tree))})"
    return _safe_repr(tree)


def _array(array: np.ndarray[Any, Any]) -> str:
    dtype = "" if array.dtype in (np.float64, np.int64) else f", np.{array.dtype}"
    if array.size == 0:
        return f"np.zeros({array.shape}{dtype})"
    if array.size > MOST_ENTRIES:
        first = _value(_digits(array.ravel()[:MOST_ENTRIES]))[1:-1]
        shape = f".reshape{array.shape}" if array.ndim > 1 else ""
        return f"np.array([{first}, …]{dtype}){shape}"
    return f"np.array({_value(_digits(array))}{dtype})"


def _digits(array: np.ndarray[Any, Any]) -> Any:
    """The entries as Python numbers, those of narrow dtypes with the digits that they have."""
    narrow = array.dtype.kind == "f" and array.dtype.itemsize < 8
    return (array.astype(str).astype(np.float64) if narrow else array).tolist()


def _safe_repr(thing: Any) -> str:
    """What a reader's own object says of itself, which may fail."""
    try:
        return repr(thing)
    except (Exception, SystemExit) as error:
        return f"<{type(thing).__name__}, whose repr raises {type(error).__name__}>"


_WRITERS: dict[type, Callable[[Any], str]] = {
    np.ndarray: _array,
    float: lambda x: repr(float(f"{x:.8g}")),
    np.float64: lambda x: _value(float(x)),
}


def _dict(tree: dict[Any, Any], depth: int) -> str:
    return "{" + _joined(f"{_safe_repr(key)}: {_value(item, depth)}" for key, item in tree.items()) + "}"


def _list(tree: list[Any], depth: int) -> str:
    return f"[{_joined(_value(item, depth) for item in tree)}]"


def _tuple(tree: tuple[Any, ...], depth: int) -> str:
    return f"({_joined(_value(item, depth) for item in tree)}{',' if len(tree) == 1 else ''})"


def _joined(items: Iterator[str]) -> str:
    """The first of them: a result may have any number, of which few could be shown."""
    first = list(islice(items, MOST_ITEMS + 1))
    return ", ".join([*first[:MOST_ITEMS], "…"] if len(first) > MOST_ITEMS else first)


_CONTAINERS: dict[type, Callable[[Any, int], str]] = {dict: _dict, list: _list, tuple: _tuple}
