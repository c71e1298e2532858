"""Figures of live examples, as the data that page, image and test share."""

from __future__ import annotations

import math
import struct
from base64 import b64decode

import pytest

from live import figure


def test_lines_leave_a_gap_where_a_value_cannot_be_drawn() -> None:
    y = [1.0, math.nan, math.inf, 1.7e308, -1.7e308, 2.0]
    (trace,) = figure.lines("Loss", "Step", range(6), {"Loss": y})["data"]
    assert trace["y"] == [1.0, None, None, None, None, 2.0]


def test_lines_draw_what_is_too_small_on_the_axis() -> None:
    (trace,) = figure.lines("Loss", "Step", range(4), {"Loss": [5e-324, -1e-308, 1e-299, -0.0]})["data"]
    assert trace["y"] == [0, 0, 1e-299, 0]


def test_a_figure_travels_with_the_bits_of_its_numbers() -> None:
    x, y = [0, 1, 2], [0.1 + 0.2, math.nan, 1e-300]
    (trace,) = figure.packed(figure.lines("Loss", "Step", x, {"Loss": y}))["data"]
    assert struct.unpack("<3d", b64decode(trace["x"]["floats"])) == (0, 1, 2)
    first, gap, last = struct.unpack("<3d", b64decode(trace["y"]["floats"]))
    assert (first, math.isnan(gap), last) == (0.1 + 0.2, True, 1e-300)


def test_names_and_what_is_empty_travel_as_they_are() -> None:
    (named,) = figure.packed(figure.bars("Norms", "Gradient", "Norm", ["a"], {"Before": [1.0]}))["data"]
    (empty,) = figure.packed(figure.lines("Loss", "Step", [], {"Loss": []}))["data"]
    assert (named["x"], empty["x"], empty["y"]) == (["a"], [], [])


def test_axes_of_growing_curves_keep_their_ranges() -> None:
    def ranges(loss: list[float], reach: dict[str, float]) -> list[list[float]]:
        layout = figure.lines("Loss", "Step", range(1, 1 + len(loss)), {"Loss": loss}, reach)["layout"]
        return [layout["xaxis"]["range"], layout["yaxis"]["range"]]

    assert ranges([4.1], {"Step": 100}) == [[0, 100], [0, 5]]
    assert ranges([4.1, 3.9, math.nan, 0.2], {"Step": 100}) == [[0, 100], [0, 5]]
    assert ranges([4.1, 5.0], {"Step": 100}) == [[0, 100], [0, 6]]
    assert ranges([0.0], {"Step": 1, "Loss": 1e-3}) == [[0, 1], [0, pytest.approx(1.2e-3)]]
    assert ranges([0.0], {"Step": 1}) == [[0, 1], [0, 1]]
    assert ranges([math.inf], {"Step": 1}) == [[0, 1], [0, 1]]
    assert ranges([5e-324], {"Step": 1})[1][1] > 0


def test_axes_of_finished_curves_are_left_to_the_renderer() -> None:
    layout = figure.lines("Loss", "Step", [0, 1], {"Loss": [0, 1]})["layout"]
    assert "range" not in layout["xaxis"]
    assert "range" not in layout["yaxis"]
