"""Figures as plain data in Plotly's own form: one description serves the page, the image and the test.

Colours are roles (`series-1`), which each renderer looks up in the palette that is shown.
"""

from __future__ import annotations

import math
from binascii import b2a_base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

MOST_POINTS = 2000
# Plotly leaves some room around the values, and draws nan where that room overflows.
LARGEST_DRAWN = 1e300
# Nor can it make an axis for less than this.
SMALLEST_DRAWN = 1e-300
COLOURS = ("series-1", "series-2", "series-3")
TOPS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


def lines(
    description: str,
    x_title: str,
    x: Sequence[Any],
    panels: Mapping[str, Sequence[Any]],
    reach: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """One curve in each panel, one panel above the other over a common `x`.

    A panel's name is the title of its vertical axis; `description` is read to the blind. `thinned` says
    which points of a long curve to give. `reach` is for curves that are drawn while they grow: how far an
    axis will go, by its title, as far as that is known. Each axis then begins at 0 and keeps its range for
    as long as it can, since to draw axes takes longer than to draw curves.
    """
    curves = {title: _numbers(y) for title, y in panels.items()}
    traces = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": title,
            "x": _numbers(x),
            "y": y,
            "yaxis": _axis("y", place),
            "line": {"color": colour},
        }
        for place, ((title, y), colour) in enumerate(zip(curves.items(), COLOURS, strict=False))
    ]
    height = 1 / len(panels)
    axes: dict[str, dict[str, Any]] = {
        _axis("yaxis", place): {
            "title": {"text": title},
            "domain": [1 - height * (place + 0.9 if len(panels) > 1 else 1), 1 - height * place],
        }
        for place, title in enumerate(panels)
    }
    xaxis: dict[str, Any] = {"title": {"text": x_title}, "anchor": _axis("y", len(panels) - 1)}
    if reach is not None:
        xaxis["range"] = [0, reach[x_title]]
        for place, (title, y) in enumerate(curves.items()):
            axes[_axis("yaxis", place)]["range"] = [0, _top([*y, reach.get(title, 0)])]
    return _figure(description, {"xaxis": xaxis, **axes, "showlegend": False}, traces)


def packed(figure: Mapping[str, Any]) -> dict[str, Any]:
    """The figure as it travels: its numbers as the bytes of floats, in base64.

    Written out in decimals, they would keep an edit waiting for longer than it takes to compute them.
    """
    data = [trace | {axis: _packed(trace[axis]) for axis in ("x", "y")} for trace in figure["data"]]
    return {**figure, "data": data}


def _packed(values: list[Any]) -> list[Any] | dict[str, str]:
    if not values or isinstance(values[0], str):
        return values
    floats = np.array(values, dtype="<f8")
    return {"floats": b2a_base64(floats.tobytes(), newline=False).decode()}


def thinned(length: int) -> list[int]:
    """Places of at most 2,000 points to draw of a longer curve: evenly spread, both ends among them."""
    if length <= MOST_POINTS:
        return list(range(length))
    return sorted({round(place) for place in np.linspace(0, length - 1, MOST_POINTS)})


def _top(values: Sequence[float | None]) -> float:
    """A round number a little above all values, which are at least 0; 1 where there is nothing above 0."""
    largest = 1.02 * max(value for value in values if value is not None)
    if largest == 0:
        return 1
    power = 10.0 ** math.floor(math.log10(largest))
    return next((each * power for each in TOPS if each * power >= largest), largest)


def _axis(name: str, place: int) -> str:
    return name if place == 0 else f"{name}{place + 1}"


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
    axes = {"xaxis": {"title": {"text": x_title}}, "yaxis": {"title": {"text": y_title}}}
    return _figure(description, axes | {"showlegend": len(traces) > 1}, traces)


def _figure(description: str, layout: dict[str, Any], traces: list[dict[str, Any]]) -> dict[str, Any]:
    return {"data": traces, "layout": layout | {"meta": {"description": description}}}


def _numbers(values: Sequence[Any]) -> list[float | int | None]:
    """Plain numbers; what is too large to be drawn is a gap, and what is too small lies on the axis."""
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    return [value if SMALLEST_DRAWN <= abs(value) <= LARGEST_DRAWN else _extreme(value) for value in plain]


def _extreme(value: float) -> int | None:
    return 0 if abs(value) < SMALLEST_DRAWN else None
