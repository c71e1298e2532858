"""The pages' Content-Security-Policy lets the site work, and nothing else, in the page and in the worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from examples_of_site import pages
from live_page import LivePage
from playwright.sync_api import expect
from site_server import SiteServer
from visits import Visits

from optim_ref_docs.policy import script_hashes

FETCH = "url => fetch(url, { mode: 'no-cors' }).then(() => 'fetched', () => 'refused')"
# Text that becomes code later, when no debugger's permission holds any more; the timer behind it tells when.
TIMER = "() => new Promise((resolve) => { setTimeout('self.evaluated = true'); setTimeout(resolve); })"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[SiteServer]:
    """Another host, which would answer if it were asked."""
    with SiteServer(tmp_path, "/") as server:
        yield server


@pytest.fixture
def guarded(visit: Visits) -> Callable[..., LivePage]:
    """Opens a page with its policy in force."""

    def opened(path: str = "adamw/", **options: Any) -> LivePage:
        return visit(path, bypass_csp=False, **options)

    return opened


def start(live: LivePage) -> None:
    live.edit(grad="0.25")
    expect(live.example).to_have_attribute("data-state", "ready", timeout=60_000)
    expect(live.example.locator("output[name=m]")).to_have_text("0.025")


@pytest.mark.parametrize("path", pages())
def test_policy_lets_every_page_work_without_a_complaint(guarded: Callable[..., LivePage], path: str) -> None:
    live = guarded(path)
    policy = live.page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
    assert policy is not None
    assert policy.startswith("default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'sha256-")


def test_policy_allows_no_script_but_those_that_each_page_has(site: SiteServer) -> None:
    found = {frozenset(script_hashes(page.read_bytes())) for page in site.folder.rglob("*.html")}
    assert len(found) == 1


def test_policy_lets_python_start_and_plots_be_drawn(guarded: Callable[..., LivePage]) -> None:
    start(guarded())
    curve = guarded("schedule/").other("lr-curve")
    curve.edit(warmup_steps="20")
    expect(curve.example.locator(".js-plotly-plot .js-line")).to_be_attached(timeout=60_000)


def test_policy_holds_on_pages_reached_by_instant_navigation(guarded: Callable[..., LivePage]) -> None:
    live = guarded("")
    live.page.locator(".md-sidebar a[href$='adamw/']").first.click()
    expect(live.example).to_be_visible()
    start(live)


def test_policy_refuses_other_hosts_and_written_in_scripts_in_the_page(
    guarded: Callable[..., LivePage], elsewhere: SiteServer
) -> None:
    live = guarded()
    live.watch.expect("Content Security Policy")
    assert live.page.evaluate(FETCH, elsewhere.url) == "refused"
    assert elsewhere.requests == []
    live.page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.injected = true";
          document.body.append(script);
        }"""
    )
    assert live.page.evaluate("window.injected") is None
    live.page.evaluate(TIMER)
    assert live.page.evaluate("self.evaluated") is None


def test_policy_refuses_other_hosts_and_evaluated_text_in_the_worker(
    guarded: Callable[..., LivePage], elsewhere: SiteServer
) -> None:
    live = guarded()
    start(live)
    live.watch.expect("Content Security Policy")
    (worker,) = live.workers()
    # The worker answers requests from the files in hand; the policy is what stops a request that gets out.
    escape = """url => new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.onload = () => resolve("fetched");
      request.onerror = () => resolve("refused");
      request.open("GET", url);
      request.send();
    })"""
    assert worker.evaluate(escape, elsewhere.url) == "refused"
    assert elsewhere.requests == []
    # Playwright reports what the worker tried, also where it was stopped.
    live.watch.strangers.clear()
    worker.evaluate(TIMER)
    assert worker.evaluate("self.evaluated") is None
