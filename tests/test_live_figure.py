"""Figures of live examples, as the data that page, image and test share."""

from __future__ import annotations

import math

from live import figure


def test_lines_leave_a_gap_where_a_value_cannot_be_drawn() -> None:
    y = [1.0, math.nan, math.inf, 1.7e308, -1.7e308, 2.0]
    (trace,) = figure.lines("Loss", "Step", range(6), {"Loss": y})["data"]
    assert trace["y"] == [1.0, None, None, None, None, 2.0]
