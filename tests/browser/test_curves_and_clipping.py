"""The learning rate curve and the clipping examples show the values that their pages speak of."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator

import pytest
from live_page import LivePage
from playwright.sync_api import expect
from visits import Visits


@pytest.fixture(scope="module")
def pages(chromium, site) -> Iterator[Visits]:
    visits = Visits(chromium, site)
    yield visits
    visits.end()


@pytest.fixture(scope="module")
def curve(pages: Visits) -> LivePage:
    return pages("schedule/").other("lr-curve")


@pytest.fixture(scope="module")
def variants(pages: Visits) -> LivePage:
    return pages("clipping/").other("clip-variants")


def table(live: LivePage) -> list[list[str]]:
    rows = "rows => rows.map(row => Array.from(row.cells, cell => cell.textContent))"
    found: list[list[str]] = live.example.locator(".live-example__table tbody tr").evaluate_all(rows)
    return found


def test_lr_curve_lists_every_step(curve: LivePage) -> None:
    rows = dict(table(curve))
    assert len(rows) == 201
    assert [rows[step] for step in ("0", "1", "50", "125", "200")] == [
        "0",
        "0.00002",
        "0.001",
        "0.00055",
        "0.0001",
    ]
    assert rows["51"].startswith("0.000999901")


def drawn_rates(live: LivePage, count: int) -> list[float]:
    """What the curve of so many points is drawn from, once it is."""
    element = live.example.element_handle()
    rates = "example => example.querySelector('.js-plotly-plot')?.data?.[0].y"
    drawn = f"([example, count]) => ({rates})(example)?.length === count"
    live.page.wait_for_function(drawn, arg=[element, count])
    found: list[float] = live.example.evaluate(rates)
    return found


def test_lr_curve_draws_the_numbers_of_its_table_and_leaves_gaps_at_the_largest(curve: LivePage) -> None:
    curve.recompute(total_steps="70")
    exact = "cells => cells.map(cell => Number(cell.dataset.value))"
    cells = curve.example.locator(".live-example__table td:nth-child(2)")
    assert drawn_rates(curve, 71) == cells.evaluate_all(exact)
    curve.recompute(total_steps="60", lr_max="1e305")
    rates = drawn_rates(curve, 61)
    assert rates[0] == 0
    assert math.isnan(rates[50])
    curve.press("reset")


def test_a_curve_too_small_to_be_drawn_does_not_spoil_the_next(curve: LivePage) -> None:
    curve.recompute(total_steps="60", lr_max="0.001", lr_min="0")
    drawn_rates(curve, 61)
    for total, rate in ((61, "1e-308"), (62, "5e-324"), (63, "0.002")):
        curve.recompute(total_steps=str(total), lr_max=rate)
        drawn_rates(curve, total + 1)
        assert curve.status.startswith("Recomputed")
    top = "example => example.querySelector('.js-plotly-plot').layout.yaxis.range[1]"
    assert 0.002 < curve.example.evaluate(top) < 0.004
    curve.press("reset")


def test_lr_curve_thins_the_points_of_100_000_steps_and_draws_rows_as_they_are_seen(curve: LivePage) -> None:
    curve.recompute(total_steps="100000")
    assert curve.values()["last"] == "0.0001"
    points = "example => example.querySelector('.js-plotly-plot').data[0].x.length"
    many = points.replace("').data", "')?.data") + " > 1000"
    curve.page.wait_for_function(many, arg=curve.example.element_handle())
    assert curve.example.evaluate(points) <= 2000
    assert len(table(curve)) < 1000
    region = curve.example.locator(".live-example__scroll--long")
    for _ in range(5):
        drawn = len(table(curve))
        region.evaluate("region => region.scrollTo(0, region.scrollHeight)")
        curve.page.wait_for_function(
            "([example, drawn]) => example.querySelectorAll('.live-example__table tbody tr').length > drawn",
            arg=[curve.example.element_handle(), drawn],
        )
    rows = table(curve)
    assert [int(step) for step, _ in rows] == list(range(len(rows)))
    with curve.page.expect_download() as download:
        curve.press("download-table")
    lines = download.value.path().read_text("utf-8").splitlines()
    assert (len(lines), lines[-1]) == (100_002, "100000,0.0001")


@pytest.mark.parametrize(
    ("variant", "threshold", "w", "b"),
    [
        ("per-weight", "1", [[1, 1], [1, 1]], [0, 1]),
        ("per-layer", "1", [[0.268, 0.537], [0.358, 0.716]], [0, 1]),
        ("global", "1", [[0.267, 0.535], [0.356, 0.713]], [0, 0.089]),
        ("per-weight-relative", "0.1", [[0.5, 0.5], [0.5, 0.5]], [0, 1e-4]),
        ("adaptive", "0.01", [[0.03, 6e-6], [0.04, 8e-6]], [0, 1e-5]),
    ],
)
def test_clip_variants_shows_each_variant(
    variants: LivePage, variant: str, threshold: str, w: list[list[float]], b: list[float]
) -> None:
    clipped = json.loads(variants.recompute(variant=variant, threshold=threshold)["clipped"])
    assert clipped["b"] == pytest.approx(b, rel=5e-3, abs=1e-9)
    for row, expected in zip(clipped["w"], w, strict=True):
        assert row == pytest.approx(expected, rel=5e-3)


def test_steps_show_one_column_for_each_pass_through_a_loop(variants: LivePage) -> None:
    variants.recompute(variant="global", threshold="1")
    cells = variants.example.locator("tr[data-row='clipped (global)'] output")
    assert cells.all_inner_texts() == [
        "0, 0.089087081",
        "[[0.26726124, 0.53452248], [0.35634832, 0.71269665]]",
    ]


def test_huge_numbers_and_their_overflow_are_shown(pages: Visits) -> None:
    live = pages("adamw/")
    values = live.recompute(grad="1e308", ndim="1")
    assert values["v"] == "inf"
    assert live.example.locator("output[name=v]").inner_text() == "inf"


def test_values_stand_beside_the_lines_of_the_listing(pages: Visits) -> None:
    live = pages("adamw/")
    live.press("trace")
    marks = live.page.locator("[data-values]")
    assert marks.count() == 8
    assert marks.nth(1).get_attribute("data-values") == "0.05"
    live.recompute(grad="0.25")
    assert marks.nth(1).get_attribute("data-values") == "0.025"
    live.press("trace")
    assert marks.count() == 0


def test_a_long_table_goes_on_with_what_is_shown_while_a_field_cannot_be_read(visit: Visits) -> None:
    curve = visit("schedule/", permissions=["clipboard-read", "clipboard-write"]).other("lr-curve")
    curve.recompute(total_steps="5000")
    curve.edit(total_steps="x")
    expect(curve.field("total_steps")).to_have_attribute("aria-invalid", "true")
    worker = curve.workers()
    curve.press("copy-table")
    expect(curve.status_line).to_have_text("The table was copied.")
    lines = curve.page.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(lines) == 5002
    assert lines[-1] == "5000,0.0001"
    rows = curve.example.locator("table.live-example__table tbody tr")
    drawn = rows.count()
    curve.example.locator(".live-example__scroll--long").evaluate("region => { region.scrollTop = 1e9; }")
    expect(rows.nth(drawn)).to_have_text(re.compile(f"^{drawn}"))
    assert curve.workers() == worker


def test_a_table_that_cannot_be_had_is_said_to_be_missing(visit: Visits) -> None:
    curve = visit("schedule/").other("lr-curve")
    curve.recompute(total_steps="5000")
    # Else what the page asks for its proof breaks first, and takes the worker with it.
    curve.await_proof()
    curve.page.evaluate(
        "() => { Worker.prototype.postMessage = () => { throw new Error('no line to Python'); }; }"
    )
    curve.press("download-table")
    expect(curve.status_line).to_have_text("There is no table to take: no line to Python.")
