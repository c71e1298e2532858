"""A table of which not every row is drawn follows its example through every edit."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

import numpy as np
import pytest
from live_page import LivePage
from visits import Visits

from live.results import ROWS_AT_ONCE
from optim_ref import warmup_cosine

CELLS = (
    "rows => rows.map(row => Array.from(row.cells, cell => [cell.textContent, Number(cell.dataset.value)]))"
)
DRAWN = "example => example.querySelector('.live-example__table').tBodies[0].rows.length"
# The question for more rows leaves before the answer to the edit is there.
EDIT_AND_SCROLL = """(example, steps) => {
  const region = example.querySelector(".live-example__scroll--long");
  const field = example.querySelector("[name=total_steps]");
  field.value = steps;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  region.scrollTop = region.scrollHeight;
  region.dispatchEvent(new Event("scroll"));
  return region.querySelector("table").dataset.asking;
}"""


@pytest.fixture
def curve(chromium, site) -> Iterator[LivePage]:
    visits = Visits(chromium, site)
    yield visits("schedule/").other("lr-curve")
    visits.end()


def must_hold(live: LivePage, total: int, lr_max: float = 0.001) -> int:
    """Hold every row that is drawn against CPython; returns how many there are."""
    rows = live.example.locator(".live-example__table tbody tr").evaluate_all(CELLS)
    rates = warmup_cosine(np.arange(len(rows)), 50, total, lr_max, 0.0001)
    assert [step for step, _ in rows] == [[str(place), place] for place in range(len(rows))]
    assert [rate for _, (_, rate) in rows] == pytest.approx(rates.tolist(), rel=1e-12)
    assert [float(text) for _, (text, _) in rows] == pytest.approx(rates.tolist(), rel=1e-6)
    return len(rows)


def scroll(live: LivePage, to: str) -> None:
    region = live.example.locator(".live-example__scroll--long")
    region.evaluate(f"region => region.scrollTo(0, {to})")


def csv_of(live: LivePage) -> str:
    with live.page.expect_download() as download:
        live.press("download-table")
    return download.value.path().read_text("utf-8")


def await_rows(live: LivePage, count: int, comparison: str = "===") -> None:
    element = live.example.element_handle()
    holds = f"([example, count]) => ({DRAWN})(example) {comparison} count"
    live.page.wait_for_function(holds, arg=[element, count])


def test_a_table_follows_its_curve_while_that_gets_longer_and_shorter(curve: LivePage) -> None:
    for total in (60, 240, 5000):
        curve.recompute(total_steps=str(total))
        assert must_hold(curve, total) == min(total + 1, ROWS_AT_ONCE)
    scroll(curve, "region.scrollHeight")
    await_rows(curve, 2 * ROWS_AT_ONCE)
    must_hold(curve, 5000)
    scroll(curve, "0")
    curve.recompute(lr_max="0.002")
    assert must_hold(curve, 5000, lr_max=0.002) == ROWS_AT_ONCE
    curve.recompute(total_steps="100")
    assert must_hold(curve, 100, lr_max=0.002) == 101


def test_who_is_at_the_end_of_a_table_is_there_in_the_next_and_gets_more(curve: LivePage) -> None:
    curve.recompute(total_steps="5000")
    scroll(curve, "region.scrollHeight")
    await_rows(curve, 2 * ROWS_AT_ONCE)
    scroll(curve, "region.scrollHeight")
    await_rows(curve, 3 * ROWS_AT_ONCE)
    curve.recompute(lr_max="0.002")
    # How many more depends on whether the browser keeps the place.
    await_rows(curve, ROWS_AT_ONCE, ">")
    must_hold(curve, 5000, lr_max=0.002)


def test_a_table_is_the_same_text_however_much_of_it_is_drawn(curve: LivePage) -> None:
    curve.page.goto("clipping/")
    variants = curve.other("clip-variants")
    variants.recompute(gradients=json.dumps({'a "b", c': [0.5] * 300}), weights="{}", variant="global")
    await_rows(variants, ROWS_AT_ONCE)
    written = csv_of(variants)
    scroll(variants, "region.scrollHeight")
    await_rows(variants, 300)
    assert csv_of(variants) == written
    heading, first, *_ = csv.reader(io.StringIO(written))
    assert (heading, first[:2]) == (["Entry", "Gradient", "Clipped"], ['a "b", c[0]', "0.5"])


def test_rows_of_what_was_shown_before_do_not_continue_a_table(curve: LivePage) -> None:
    curve.recompute(total_steps="5000")
    assert curve.example.evaluate(EDIT_AND_SCROLL, "300") == "true"
    await_rows(curve, 301)
    must_hold(curve, 300)
