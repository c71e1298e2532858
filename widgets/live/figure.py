"""Figures as plain data in Plotly's own form: one description serves the page, the image and the test.

Colours are roles (`series-1`), which each renderer looks up in the palette that is shown.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

MOST_POINTS = 2000
COLOURS = ("series-1", "series-2", "series-3")


def lines(
    description: str, x_title: str, y_title: str, x: Sequence[Any], series: Mapping[str, Sequence[Any]]
) -> dict[str, Any]:
    """Curves over a common `x`, thinned to at most 2,000 points each; `description` is read to the blind."""
    kept = _thinned(len(x))
    traces = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": name,
            "x": _numbers([x[i] for i in kept]),
            "y": _numbers([y[i] for i in kept]),
            "line": {"color": colour, "dash": dash},
        }
        for (name, y), colour, dash in zip(series.items(), COLOURS, ("solid", "dash", "dot"), strict=False)
    ]
    return _figure(description, x_title, y_title, traces)


def bars(
    description: str, x_title: str, y_title: str, x: Sequence[str], series: Mapping[str, Sequence[Any]]
) -> dict[str, Any]:
    """Groups of bars over the names in `x`, one bar of each series in a group."""
    traces = [
        {
            "type": "bar",
            "name": name,
            "x": list(x),
            "y": _numbers(y),
            "marker": {"color": colour, "pattern": {"shape": shape}},
        }
        for (name, y), colour, shape in zip(series.items(), COLOURS, ("", "/", "."), strict=False)
    ]
    return _figure(description, x_title, y_title, traces)


def _figure(description: str, x_title: str, y_title: str, traces: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "data": traces,
        "layout": {
            "xaxis": {"title": {"text": x_title}},
            "yaxis": {"title": {"text": y_title}},
            "showlegend": len(traces) > 1,
            "meta": {"description": description},
        },
    }


def _thinned(length: int) -> list[int]:
    """Evenly spread places, both ends among them."""
    if length <= MOST_POINTS:
        return list(range(length))
    return sorted({round(place) for place in np.linspace(0, length - 1, MOST_POINTS)})


def _numbers(values: Sequence[Any]) -> list[float | int | None]:
    """Plain numbers; what cannot be drawn is a gap."""
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    return [value if math.isfinite(value) else None for value in plain]
