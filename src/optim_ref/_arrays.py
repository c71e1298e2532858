"""What NumPy and JAX arrays share, by the Python array API standard: no formula of the field is here."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from optim_ref import _checks, tree

Array = Any  # of NumPy, JAX or any other library that follows the standard
Tree = Any


def namespace(*arrays: Array) -> Any:
    """The module with the functions for these arrays; NumPy's, unless one belongs elsewhere."""
    modules = {a.__array_namespace__() for a in arrays if hasattr(a, "__array_namespace__")}
    others = modules - {np}
    if len(others) > 1:
        raise TypeError(f"arrays of {sorted(m.__name__ for m in others)} cannot be mixed")
    return others.pop() if others else np


def float_arrays(name: str, arrays: Tree, xp: Any = None) -> Tree:
    """The tree with every leaf as a real floating array; plain numbers become float64 of shape ()."""
    named = list(tree.named_leaves(name, arrays))
    xp = xp or namespace(*(leaf for _, leaf in named))
    for path, leaf in named:
        if isinstance(leaf, bool | complex) or not isinstance(leaf, int | float):
            _checks.floating_dtype(path, xp.asarray(leaf))
    return tree.map(lambda leaf: xp.asarray(float(leaf) if isinstance(leaf, int) else leaf), arrays)


def in_place(name: str, arrays: Tree) -> list[Any]:
    """The leaves of the tree, if each is a NumPy array of its own that can be changed."""
    named = [(path, _checks.writable_array(path, leaf)) for path, leaf in tree.named_leaves(name, arrays)]
    _checks.distinct(named)
    return [array for _, array in named]


def is_traced(value: Any) -> bool:
    """Whether `value` is a stand-in inside `jax.jit` or `jax.vmap`, which has no numbers to check."""
    if not hasattr(value, "__array_namespace__"):
        return False
    try:
        np.asarray(value)
    except TypeError:
        return True
    return False


def limit(name: str, value: Any, interval: str = "[0, inf]") -> Any:
    """`value` checked, as a Python float; a traced one is handed on."""
    if is_traced(value) and value.shape == ():
        return value
    return _checks.real(name, value, interval)


def widen(array: Array) -> Array:
    """The array with at least float32, so that neither squares nor sums of float16 overflow or vanish."""
    xp = namespace(array)
    return xp.asarray(array, dtype=xp.result_type(array.dtype, xp.float32))


def like(array: Array, value: Array) -> Array:
    """`value` in the dtype of `array`."""
    return namespace(array, value).asarray(value, dtype=array.dtype)


def end_to_end(arrays: list[Array], kept: int = 0) -> Array:
    """All entries of all arrays in one vector, or in one row per entry of the first `kept` axes.

    A zero leads, so that nothing at all has a norm too: 0.
    """
    xp = namespace(*arrays)
    rows = arrays[0].shape[:kept] if arrays else ()
    wide = [xp.reshape(widen(a), (*rows, math.prod(a.shape[kept:]))) for a in arrays]
    return xp.concat([xp.zeros((*rows, 1), dtype=xp.float32), *wide], axis=-1)


def safe_scale(largest: Array, p: float = 2.0) -> Array:
    """1 where p-th powers of entries up to `largest` are safe, else `largest` itself, to divide by.

    Without it 1e200 squared is infinite and 1e-200 squared is zero. Dividing only where it is needed
    leaves every bit of an ordinary norm alone. The margin of eps**2 is room for summing.
    """
    xp = namespace(largest)
    info = xp.finfo(largest.dtype)
    low = (float(info.smallest_normal) / float(info.eps) ** 2) ** (1 / p)
    high = (float(info.max) * float(info.eps) ** 2) ** (1 / p)
    unsafe = ((largest > 0) & (largest < low)) | ((largest > high) & (largest < math.inf))
    return xp.where(unsafe, largest, 1.0)


def powers(x: Array, p: float) -> Array:
    """`x**p`, one Python number at a time: array powers differ in the last bit between machines."""
    xp = namespace(x)
    return x if p == 1 else xp.asarray([entry**p for entry in x.tolist()], dtype=x.dtype)
