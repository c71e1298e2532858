"""What draws a figure comes when the figure is first used; without it, what the build drew stays."""

from __future__ import annotations

import pytest
from live_page import LivePage
from playwright.sync_api import expect
from site_server import SiteServer, missing
from visits import Visits

SCRIPTS = ("plot.js", "plotly.js")


@pytest.fixture
def curve(visit: Visits) -> LivePage:
    return visit("schedule/").other("lr-curve")


def fetched(site: SiteServer) -> list[str]:
    names = [path.rpartition("/")[2] for path in site.requests]
    return sorted(name for name in names if name in SCRIPTS)


def expect_drawn(curve: LivePage) -> None:
    expect(curve.example.locator(".js-plotly-plot .js-line")).to_be_attached()
    expect(curve.example.locator(".live-example__image")).to_be_hidden()


def test_what_draws_comes_once_when_a_figure_is_first_used(curve: LivePage, site: SiteServer) -> None:
    curve.page.evaluate("new Promise(requestIdleCallback)")
    assert fetched(site) == []
    curve.example.locator(".live-example__figure").hover()
    expect_drawn(curve)
    curve.recompute(warmup_steps="20")
    assert fetched(site) == sorted(SCRIPTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_without_what_draws_the_figure_stays_until_it_can_be_had(
    curve: LivePage, site: SiteServer, name: str
) -> None:
    for complaint in ("404", "MIME type"):
        curve.watch.expect(complaint)
    with site.fault(site.runtime(name), missing):
        curve.edit(warmup_steps="20")
        expect(curve.status_line).to_contain_text("the figure stays as it was built")
        expect(curve.example.locator(".live-example__image")).to_be_visible()
    curve.recompute(warmup_steps="30")
    expect_drawn(curve)


def test_a_figure_that_is_left_before_it_is_drawn_breaks_nothing(curve: LivePage, site: SiteServer) -> None:
    curve.example.locator(".live-example__figure").dispatch_event("pointerenter")
    curve.page.locator(".md-sidebar a[href$='adamw/']").first.click()
    expect(curve.page.locator("live-example[name=adamw-one-step]")).to_be_visible()
    site.await_request("plotly.js")
    curve.page.evaluate("new Promise(requestIdleCallback)")
