"""Refusals: each helper raises before its caller has changed anything, and says what is allowed."""

from __future__ import annotations

import math
import operator
import reprlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:  # importing it takes a tenth of what all of optim_ref takes
    from numpy.typing import NDArray

type Arrays = dict[str, NDArray[Any]]

_SHORT = reprlib.Repr()
_SHORT.maxother = 80


def shown(value: object) -> str:
    """`value` as it stands in a message: on one line, and not a million entries."""
    return " ".join(_SHORT.repr(value).split())


def real(name: str, value: object, interval: str) -> float:
    """`value` as a Python float inside `interval`, written as in mathematics: "[0, 1)".

    A Python float, because a NumPy float64 scalar would turn float32 arithmetic into float64.
    """
    array = np.asarray(value)
    if array.shape != () or array.dtype.kind not in "iuf":
        raise TypeError(f"{name} = {shown(value)} must be a real number in {interval}")
    number = float(array)
    low, high = (float(end) for end in interval[1:-1].split(","))
    above = number >= low if interval[0] == "[" else number > low
    below = number <= high if interval[-1] == "]" else number < high
    if not (above and below):  # nan fails both
        raise ValueError(f"{name} = {number!r} must be in {interval}")
    return number


def integer(name: str, value: object, low: int = 0) -> int:
    """`value` as a Python int, at least `low`; neither a bool nor a float that happens to be whole."""
    if isinstance(value, bool | np.bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} = {shown(value)} must be an integer in [{low}, inf)")
    number = operator.index(value)
    if number < low:
        raise ValueError(f"{name} = {number} must be in [{low}, inf)")
    return number


def steps(name: str, value: object) -> NDArray[Any]:
    """`value`, one integer from 0 or an array of them, as an array."""
    array = np.asarray(value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} = {shown(value)} must be an integer or an array of integers in [0, inf)")
    if array.size and array.min() < 0:
        raise ValueError(f"{name} = {shown(value)} must be in [0, inf)")
    return array


def floating_dtype(name: str, array: Any) -> Any:
    """`array`, if its numbers are real floating point; bfloat16 counts, though NumPy does not know it."""
    dtype = array.dtype
    if isinstance(dtype, np.dtype):
        floating = dtype.kind == "f"
    else:
        floating = array.__array_namespace__().isdtype(dtype, "real floating")
    if not floating and str(dtype) != "bfloat16":
        raise TypeError(f"{name} has dtype {dtype}, must be real floating point")
    return array


def arrays(**named: object) -> None:
    """Refuse a tree where one array is wanted."""
    for name, array in named.items():
        if not hasattr(array, "__array_namespace__"):
            raise TypeError(f"{name} = {shown(array)} must be an array")


def numpy_array(name: str, array: object) -> NDArray[Any]:
    """`array`, if it is a NumPy array of real floating point numbers."""
    if not isinstance(array, np.ndarray | np.generic):
        raise TypeError(f"{name} = {shown(array)} must be a NumPy array")
    return floating_dtype(name, array)  # type: ignore[no-any-return]


def writable_array(name: str, array: object) -> NDArray[Any]:
    """`array`, if it is a floating NumPy array that can be changed in place."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name} = {shown(array)} must be a NumPy array, which can be changed in place")
    if not floating_dtype(name, array).flags.writeable:
        raise ValueError(f"{name} is read-only, must be writable")
    return array


def distinct(named: list[tuple[str, NDArray[Any]]]) -> None:
    """Refuse one array under two names: an in-place change would reach it twice."""
    first: dict[int, str] = {}
    for name, array in named:
        if id(array) in first:
            raise ValueError(f"{name} is the same array as {first[id(array)]}, must be given once")
        first[id(array)] = name


def same_keys(name: str, given: object, wanted: Arrays) -> None:
    """Refuse anything but a dict with exactly the keys `wanted`."""
    if not isinstance(given, dict):
        raise TypeError(f"{name} = {shown(given)} must be a dict of NumPy arrays")
    if given.keys() != wanted.keys():
        wrong = sorted(map(repr, given.keys() ^ wanted.keys()))
        raise ValueError(f"{name} has keys {list(given)}, must be {list(wanted)}: see {', '.join(wrong)}")


def same_shape(name: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    """Refuse an array that would only fit by broadcasting."""
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}, must be {shape}")


def parameters(params: object) -> Arrays:
    """`params`, if it is a dict of distinct, writable, floating NumPy arrays, at least one."""
    if not isinstance(params, dict):
        raise TypeError(f"params = {shown(params)} must be a dict of NumPy arrays")
    if not params:
        raise ValueError("params = {} must hold at least one array")
    named = [(f"params[{k!r}]", param) for k, param in params.items()]
    distinct([(name, writable_array(name, param)) for name, param in named])
    return params


def counter(name: str, value: object) -> None:
    """Refuse a step counter that is no Python int: a NumPy one would turn float32 moments into float64."""
    if type(value) is not int:
        raise TypeError(f"{name} = {shown(value)} must be a Python int in [0, inf)")
    integer(name, value)


def step_input(params: Any, grads: Any, m: Arrays, v: Any) -> None:
    """Refuse parameters, gradients or moments that do not fit one another."""
    shapes = {k: np.shape(moment) for k, moment in m.items()}
    for name, given in (("params", params), ("grads", grads), ("m", m), ("v", v)):
        same_keys(name, given, m)
        for k, shape in shapes.items():
            place = f"{name}[{k!r}]"
            same_shape(place, numpy_array(place, given[k]), shape)
    parameters(params)


def finite(name: str, value: float) -> None:
    """Refuse a norm that is nan or infinite."""
    if not math.isfinite(value):
        raise ValueError(f"{name} = {value} must be finite")
