"""The recorded cases: what PyTorch, optax, Keras, timm and Opacus return, held against `optim_ref`.

`outcomes()` says of every case whether it holds, is skipped (and by which rule) or fails. The rules are in
`peer_rules_*.py`; a rule looks at a case's inputs, never at its name. Nothing is written anywhere.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import ml_dtypes  # comes with JAX; gives NumPy bfloat16
import numpy as np

DATA = Path(__file__).parent / "data"
REFUSED_HERE = "takes a setting out of range, which is refused here"
RTOL = {"float64": 1e-12, "float32": 2e-6, "float16": 4e-3, "bfloat16": 3e-2}


class Skip(Exception):
    """The case follows another convention; the message says which."""


@dataclass(frozen=True)
class Outcome:
    case: str
    library: str  # "torch==2.13.0+cpu"
    status: str  # "held", "skipped" or "failed"
    reason: str = ""


@cache
def cases() -> dict[str, dict[str, Any]]:
    """Every case by its id, with the family it belongs to."""
    found = {}
    for path in sorted(DATA.glob("*.json")):
        family = json.loads(path.read_text())
        found.update({case["id"]: case | {"family": family["family"]} for case in family["cases"]})
    return found


def check(case: dict[str, Any]) -> None:
    """Raise `Skip` where a rule says so, `AssertionError` where the case does not hold."""
    import peer_rules  # noqa: PLC0415  (it needs this module)

    with np.errstate(all="ignore"):
        peer_rules.FAMILIES[case["family"]](case["inputs"], case["expected"], case.get("exact"))


def outcomes() -> list[Outcome]:
    """How every recorded case fares, in the order of the files."""
    return [_outcome(name, case) for name, case in cases().items()]


def _outcome(name: str, case: dict[str, Any]) -> Outcome:
    library = next(word for word in case["source"].split() if "==" in word)
    try:
        check(case)
    except Skip as skip:
        return Outcome(name, library, "skipped", str(skip))
    except AssertionError as error:
        return Outcome(name, library, "failed", str(error))
    return Outcome(name, library, "held")


def summary(found: list[Outcome]) -> list[str]:
    """Lines that say how many cases held, and how many were skipped for which reason."""
    statuses = Counter(o.status for o in found)
    libraries = Counter(o.library for o in found if o.status == "held")
    reasons = Counter(o.reason for o in found if o.status == "skipped")
    lines = [f"{len(found)} recorded cases: " + ", ".join(f"{n} {status}" for status, n in statuses.items())]
    lines += [f"  held      {n:4} {library}" for library, n in libraries.most_common()]
    lines += [f"  skipped   {n:4} {reason}" for reason, n in reasons.most_common()]
    return lines


def decode(value: Any) -> Any:
    """A recorded tree as NumPy arrays and plain numbers."""
    if isinstance(value, dict) and value.keys() == {"dtype", "shape", "data"}:
        dtype = ml_dtypes.bfloat16 if value["dtype"] == "bfloat16" else value["dtype"]
        data = np.array([float(entry) for entry in value["data"]], np.float64)
        return data.astype(dtype).reshape(value["shape"])
    if isinstance(value, dict) and value.keys() == {"__tuple__"}:
        return tuple(decode(child) for child in value["__tuple__"])
    if isinstance(value, dict):
        return {k: decode(child) for k, child in value.items()}
    if isinstance(value, list):
        return [decode(child) for child in value]
    return float(value) if value in ("nan", "inf", "-inf") else value


def assert_close(got: Any, want: Any, atol: float = 0.0, rtol: float | None = None) -> None:
    """Same structure and shapes, and values equal at the tolerance of the dtype that was returned."""
    if isinstance(want, dict):
        assert got.keys() == want.keys(), (list(got), list(want))
        for k in want:
            assert_close(got[k], want[k], atol, rtol)
    elif isinstance(want, list | tuple):
        assert type(got) is type(want), (got, want)
        assert len(got) == len(want), (got, want)
        for g, w in zip(got, want, strict=True):
            assert_close(g, w, atol, rtol)
    elif want is None:
        assert got is None, got
    else:
        assert np.shape(got) == np.shape(want), (np.shape(got), np.shape(want))
        rtol = RTOL[str(np.asarray(got).dtype)] if rtol is None else rtol
        np.testing.assert_allclose(np.float64(got), np.float64(want), rtol=rtol, atol=atol, equal_nan=True)
