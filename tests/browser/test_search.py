"""Search costs nothing before somebody searches, and then finds what is there."""

from __future__ import annotations

from playwright.sync_api import expect
from site_server import SiteServer
from visits import Visits

ENGINE = ("documents.json", "workers/search.")
RESULT = ".md-search-result__link"


def engine_requests(site: SiteServer) -> list[str]:
    return [path for path in site.requests if any(part in path for part in ENGINE)]


def test_search_is_fetched_at_the_first_query_and_finds_what_is_typed_last(
    visit: Visits, site: SiteServer
) -> None:
    page = visit("").page
    page.wait_for_load_state("networkidle")
    assert engine_requests(site) == []
    page.keyboard.press("s")
    page.keyboard.type("moving average", delay=20)
    expect(page.locator(f"{RESULT}:has-text('Moving average')").first).to_be_attached()
    assert len(engine_requests(site)) == len(ENGINE)
    page.keyboard.press("Control+a")
    page.keyboard.type("warmup", delay=20)
    expect(page.locator(f"{RESULT}[href*='schedule/']").first).to_be_attached()
    assert len(engine_requests(site)) == len(ENGINE)


def test_a_link_to_a_query_shows_its_results(visit: Visits) -> None:
    page = visit("?q=global+norm").page
    expect(page.locator(f"{RESULT}[href*='clipping/']").first).to_be_attached()
