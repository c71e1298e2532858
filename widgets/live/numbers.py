"""Numbers as text: what a reader sees, and what a test compares bit for bit."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np


def shown(x: float) -> str:
    """Write `x` for reading: 8 decimals from 0.1 up, else 8 significant digits, no trailing zeros.

    Numbers from 1e9 up and below 1e-6 get an exponent; integers are written whole.

    Examples:
        >>> shown(0.899000002), shown(0.00031225), shown(1e-8), shown(-2.5e9), shown(float("inf"))
        ('0.899', '0.00031225', '1e-8', '-2.5e9', 'inf')
    """
    if isinstance(x, int):
        return str(x)
    size = abs(x)
    if 1e-4 <= size < 0.1:
        return f"{x:.8g}"
    if 0.1 <= size < 1e9:
        return _trim(f"{x:.8f}")
    return _shown_rarely(x, size)


def shown_all(xs: Iterable[float]) -> list[str]:
    """The same of many floats, and quicker where they are of the size of a learning rate."""
    return [f"{x:.8g}" if 1e-4 <= x < 0.1 else shown(x) for x in xs]


def _shown_rarely(x: float, size: float) -> str:
    if not math.isfinite(x):
        return str(float(x))
    if size == 0:
        return "-0" if math.copysign(1.0, x) < 0 else "0"
    if size >= 1e9 or size < 1e-6:
        mantissa, exponent = f"{x:.7e}".split("e")
        return f"{_trim(mantissa)}e{int(exponent)}"
    # The usual notation would have an exponent from 1e-4 down.
    return _trim(f"{Decimal(f'{x:.7e}'):f}")


def _trim(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def exact(value: Any) -> str:
    """Write a number, array or tree so that it can be read back bit for bit.

    A single float gives its `repr`; anything larger is JSON of such floats, in which a number that JSON
    does not have stands as `"inf"`, `"-inf"` or `"nan"`.

    Examples:
        >>> exact(0.1 + 0.2), exact([1.0, float("nan")]), exact(float("-inf"))
        ('0.30000000000000004', '[1.0, "nan"]', '-inf')
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float | int) and not isinstance(value, bool):
        return repr(value)
    return json.dumps(_for_json(value), ensure_ascii=False)


def _for_json(value: Any) -> Any:
    """Replace arrays by lists of the same values, and numbers that JSON does not have by words."""
    if isinstance(value, np.ndarray | np.generic):
        return _for_json(value.tolist())
    if isinstance(value, dict):
        return {key: _for_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_for_json(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
