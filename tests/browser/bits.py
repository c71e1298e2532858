"""How far two machines are apart, bit for bit, in the results of `operations.py`; and how far they may be."""

from __future__ import annotations

import math
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterator
from typing import Any

import numpy as np
from operations import COUNT, OPERATIONS

# What the site promises, in units in the last place. Clipping, and AdamW at its usual settings, are made of
# operations that round alike everywhere; for others the page says by how much their results differed.
EXACT = (
    *("first_moment", "second_moment", "corrected_first_moment", "corrected_second_moment"),
    *("square_root", "division", "adamw_step", "adamw_step_float32", "sum_of_squares", "global_norm"),
    *("clip_by_global_norm", "clip_grad_norm", "clip_grad_value", "clip_gradients"),
    "clip_per_example",
)
# Where the cosine is near -1 a rate may be small beside what it is the difference of, and its own last place
# says little: the promise for it is in last places of `lr_max`.
SCHEDULE, OF_THE_PEAK, ALLOWED = "warmup_cosine", "warmup_cosine_of_peak", 3
PEAK_TITLE = "The same, counted in last places of `lr_max`"

type Array = np.ndarray[Any, np.dtype[Any]]
type Row = dict[str, Any]


def compare(here: dict[str, Any], there: dict[str, Any], peaks: Array) -> list[Row]:
    """For each operation: how many inputs give other bits there, how far apart, and what is promised."""
    assert here["inputs"] == there["inputs"], "the two were not given the same inputs"
    rows = []
    for operation in OPERATIONS:
        name, title = operation.__name__, (operation.__doc__ or "").partition("\n")[0]
        one, other = (decoded(each["results"][name]) for each in (here, there))
        differ, ulps = differing(one, other), distance(one, other)
        rows.append(row(name, title, differ, ulps, 0 if name in EXACT else None))
        if name == SCHEDULE:
            of_peak = math.ceil(np.max(np.abs(one - other) / np.spacing(peaks)))
            rows.append(row(OF_THE_PEAK, PEAK_TITLE, differ, of_peak, ALLOWED))
    return rows


def row(name: str, title: str, differ: int, ulps: int, promise: int | None) -> Row:
    return {"operation": name, "title": title, "differ": differ, "ulps": ulps, "promise": promise}


def broken(rows: list[Row]) -> Iterator[str]:
    """Promises that do not hold."""
    for each in rows:
        promise, differ, ulps = each["promise"], each["differ"], each["ulps"]
        if promise is not None and (ulps > promise or (promise == 0 and differ)):
            yield f"{each['operation']}: {differ} of {COUNT} differ, by up to {ulps}, promised {promise}"


def encoded(array: Array) -> dict[str, Any]:
    """As `operations.plain` writes it."""
    data = b2a_base64(array.tobytes()).decode()
    return {"dtype": str(array.dtype), "shape": array.shape, "bytes": data}


def decoded(plain: dict[str, Any]) -> Array:
    return np.frombuffer(a2b_base64(plain["bytes"]), plain["dtype"]).reshape(plain["shape"])


def differing(here: Array, there: Array) -> int:
    """How many inputs have a result with another bit."""
    return int(np.sum(_other_bits(here, there).reshape(len(here), -1).any(axis=1)))


def distance(here: Array, there: Array) -> int:
    """How many floats two results are apart, at most."""
    different = _other_bits(here, there)
    pairs = zip(here[different], there[different], strict=True)
    return max((abs(place(one) - place(other)) for one, other in pairs), default=0)


def _other_bits(here: Array, there: Array) -> Array:
    assert (here.dtype, here.shape) == (there.dtype, there.shape)
    bits = f"i{here.itemsize}"
    return np.asarray(here.view(bits) != there.view(bits))


def place(number: np.floating[Any]) -> int:
    """The place of a float among all floats of its width, in order."""
    assert not np.isnan(number), "a result is no number"
    bits = int(number.view(f"i{number.itemsize}"))
    return bits if bits >= 0 else -(bits & (2 ** (8 * number.itemsize - 1) - 1))
