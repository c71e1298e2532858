"""Browsers and readers that cannot, or do not want to, run Python: they are told so, and see every value."""

from __future__ import annotations

import re

import pytest
from live_page import LivePage
from playwright.sync_api import expect
from site_server import SEARCH, SiteServer
from visits import Visits

NO_WEBASSEMBLY = "delete globalThis.WebAssembly"
# An older browser never reads the option `type`.
NO_MODULE_WORKERS = """
  const Native = Worker;
  globalThis.Worker = function (url) { return new Native(url); };
"""
SAVES_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
WISHES_LESS_DATA = """
  const native = matchMedia;
  globalThis.matchMedia = (query) => native(query === "(prefers-reduced-data: reduce)" ? "all" : query);
"""


def test_a_page_opened_from_disk_says_why_it_cannot_compute(visit: Visits, site: SiteServer) -> None:
    live = visit((site.folder / "adamw" / "index.html").as_uri())
    # Material's own search and icons complain: they too would need a server.
    live.watch.expect("file://")
    assert live.status.startswith(
        "This page was opened from a file, and browsers start Python only from a web"
    )
    assert_static_and_disabled(live)


@pytest.mark.parametrize("before", [NO_WEBASSEMBLY, NO_MODULE_WORKERS])
def test_a_browser_that_cannot_run_python_is_told_so(visit: Visits, before: str) -> None:
    live = visit(before=before)
    assert live.status.startswith("This browser cannot run Python here (it needs WebAssembly, module workers")
    assert_static_and_disabled(live)


def assert_static_and_disabled(live: LivePage) -> None:
    assert live.state == "static"
    assert live.shown()[-1] == "0.899"
    expect(live.field("grad")).to_be_disabled()
    expect(live.button("next-step")).to_be_hidden()


@pytest.mark.parametrize("before", [SAVES_DATA, WISHES_LESS_DATA])
def test_a_reader_who_saves_data_is_told_the_size_and_nothing_is_fetched(
    visit: Visits, site: SiteServer, before: str
) -> None:
    live = visit(before=before)
    site.await_request(SEARCH)
    site.requests.clear()
    live.edit(grad="0.25")
    expect(live.status_line).to_contain_text(re.compile("“Start Python” fetches up to .. MB"))
    live.press("next-step")
    assert live.state == "static"
    assert not any("/assets/live/" in path for path in site.requests)


def test_a_reader_who_saves_data_starts_python_by_a_button(visit: Visits) -> None:
    live = visit(before=SAVES_DATA)
    live.edit(grad="0.25")
    live.press("start")
    live.settle()
    assert live.values()["m"] == repr((1 - 0.9) * 0.25)
    expect(live.button("start")).to_be_hidden()
