"""Where two trees differ first, and in which way: structure, shape, dtype, nan or value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from optim_ref.exercises import writing

__all__: list[str] = []  # for the command and the page, not for readers

Leaf = tuple[str, NDArray[Any], NDArray[Any]]
"""The expression that reaches a leaf, what stands there, and what should."""

RAISED, REPLACED, CHANGED = "Exception", "Changed module", "Changed input"
STRUCTURE = "Wrong structure"
SHAPE, DTYPE, NAN, VALUE = "Wrong shape", "Wrong dtype", "NaN", "Wrong value"
ABOUT_NUMBERS = (DTYPE, NAN, VALUE)


@dataclass(frozen=True)
class Fault:
    """What is wrong with one result: its kind, one of the above, and a sentence."""

    kind: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.sentence}"


class _Misfit(Exception):
    """Raised inside a walk, where two trees have no common structure."""


def difference(name: str, got: Any, wanted: Any) -> Fault | None:
    """What is wrong with `got`, called `name`, or None where it is right up to rounding."""
    try:
        leaves = list(_leaves(name, got, wanted))
    except _Misfit as misfit:
        return Fault(STRUCTURE, str(misfit))
    finders: tuple[Callable[[Leaf], Fault | None], ...] = (_shape, _dtype, _nan, _value)
    # The worst first, wherever it stands: a wrong shape explains wrong values elsewhere, not the reverse.
    faults = (find(leaf) for find in finders for leaf in leaves)
    return next((fault for fault in faults if fault), None)


def change(name: str, after: Any, before: Any) -> Fault | None:
    """How `after` differs from `before` in any bit, or None."""
    try:
        leaves = list(_leaves(name, after, before))
    except _Misfit as misfit:
        return Fault(CHANGED, f"{misfit}, as it was before the call.")
    for place, now, then in leaves:
        if (now.shape, now.dtype) != (then.shape, then.dtype):
            return Fault(CHANGED, f"{place} was {_kind(then)} and is {_kind(now)} after the call.")
        differing = (_bytes(now) != _bytes(then)).any(axis=-1)
        if differing.any():
            where = _first(differing)
            was, is_now = str(then[where]), str(now[where])
            bits = ", of other bits," if was == is_now else ""
            return Fault(CHANGED, f"{place}{_index(where)} was {was} and is {is_now}{bits} after the call.")
    return None


def same_numbers(got: Any, wanted: Any, rtol: float | None = None) -> bool:
    """Whether the numbers are those of `wanted`, in whatever dtype; without `rtol` as `difference` asks."""
    try:
        leaves = list(_leaves("", got, wanted))
    except _Misfit:
        return False
    return all(
        now.shape == then.shape and now.dtype.kind in "iuf" and not _wrong(now, then, rtol).any()
        for _, now, then in leaves
    )


def _leaves(place: str, got: Any, wanted: Any) -> Iterator[Leaf]:
    if isinstance(wanted, dict):
        if not isinstance(got, dict):
            _refuse(place, f"is {_named(got)}, must be a dict with the keys {list(wanted)}")
        if got.keys() != wanted.keys():
            _refuse(place, f"has the keys {writing.cut(str(list(got)))}, must have {list(wanted)}")
        for key in wanted:
            yield from _leaves(f"{place}[{key!r}]", got[key], wanted[key])
    elif isinstance(wanted, list | tuple):
        if type(got) is not type(wanted):
            _refuse(place, f"is {_named(got)}, must be {_named(wanted)}")
        if len(got) != len(wanted):
            _refuse(place, f"has length {len(got)}, must have {len(wanted)}")
        for i, (item, wanted_item) in enumerate(zip(got, wanted, strict=True)):
            yield from _leaves(f"{place}[{i}]", item, wanted_item)
    elif wanted is None:
        if got is not None:
            _refuse(place, f"is {_named(got)}, must be None")
    elif isinstance(got, bool) or not isinstance(got, int | float | np.ndarray | np.generic):
        _refuse(place, f"is {_named(got)}, must be {'an array' if np.shape(wanted) else 'a number'}")
    else:
        yield place, np.asarray(got), np.asarray(wanted)


def _refuse(place: str, what: str) -> NoReturn:
    raise _Misfit(f"{place} {what}")


def _named(thing: Any) -> str:
    if thing is None:
        return "None"
    kind = type(thing).__name__
    return f"{'an' if kind[:1].lower() in tuple('aeiou') else 'a'} {kind}"


def _shape(leaf: Leaf) -> Fault | None:
    place, got, wanted = leaf
    if got.shape == wanted.shape:
        return None
    return Fault(SHAPE, f"{place} has shape {got.shape}, must have {wanted.shape}.")


def _dtype(leaf: Leaf) -> Fault | None:
    place, got, wanted = leaf
    if got.dtype == wanted.dtype or (got.dtype.kind in "iu" and wanted.dtype.kind in "iu"):
        return None
    return Fault(DTYPE, f"{place} is {got.dtype}, must be {wanted.dtype}.")


def _nan(leaf: Leaf) -> Fault | None:
    place, got, wanted = leaf
    unexpected = np.isnan(got) & ~np.isnan(wanted)
    if not unexpected.any():
        return None
    where = _first(unexpected)
    return Fault(NAN, f"{place}{_index(where)} is nan, must be {wanted[where]!s}.")


def _value(leaf: Leaf) -> Fault | None:
    place, got, wanted = leaf
    wrong = _wrong(got, wanted)
    if not wrong.any():
        return None
    where = _first(wrong)
    count = f"; {np.count_nonzero(wrong)} of {wrong.size} entries are wrong" if wrong.size > 1 else ""
    return Fault(VALUE, f"{place}{_index(where)} is {got[where]!s}, must be {wanted[where]!s}{count}.")


def _wrong(got: NDArray[Any], wanted: NDArray[Any], rtol: float | None = None) -> NDArray[np.bool]:
    """Which entries differ by more than `rtol`, or than rounding in a sum with the largest entry gives."""
    if rtol is None:
        # Three quarters of the digits: room for any order of summing, none for a lower precision.
        rtol = _eps(wanted) ** 0.75
    with np.errstate(all="ignore"):
        size = np.abs(np.where(np.isfinite(wanted), wanted, 0)).astype(np.float64)
        allowed = rtol * size + 8 * _eps(wanted) * size.max(initial=0.0)
        close = np.abs(got - wanted) <= allowed
    same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    return np.asarray(~(same | (close & np.isfinite(wanted))))


def _bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """The bytes of each entry, along one more axis: even a nan may be another than it was."""
    return np.frombuffer(array.tobytes(), np.uint8).reshape(*array.shape, array.itemsize)


def _eps(array: NDArray[Any]) -> float:
    return float(np.finfo(array.dtype).eps) if array.dtype.kind == "f" else 0.0


def _first(mask: NDArray[np.bool]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.argwhere(mask)[0])


def _index(where: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, where))}]" if where else ""


def _kind(array: NDArray[Any]) -> str:
    return f"{array.dtype} of shape {array.shape}"
