"""Pages of a real Chromium that look at the built site."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from exercise_page import ExercisePage, Opens
from install import find
from live_page import LivePage
from playwright.sync_api import Browser, expect, sync_playwright
from site_server import SiteServer
from visits import FLAGS, Visits

# Two processes and Python itself share a slow machine, and what must happen still happens there.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = find()
    assert path, "no Chromium: run python -m tests.browser.install"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, site: SiteServer) -> Iterator[Visits]:
    site.requests.clear()
    visits = Visits(chromium, site)
    yield visits
    visits.end()


@pytest.fixture(scope="session")
def warm_page(chromium: Browser, site: SiteServer) -> Iterator[LivePage]:
    """A page on which Python runs already, shared by tests that leave nothing behind.

    Its reader is German: there is nothing in the site that may depend on that.
    """
    visits = Visits(chromium, site)
    live = visits(locale="de-DE", permissions=["clipboard-read", "clipboard-write"])
    live.recompute(grad="0.25")
    yield live
    visits.end()


@pytest.fixture
def live(warm_page: LivePage) -> Iterator[LivePage]:
    """The warm page with every field at its start."""
    warm_page.press("reset")
    warm_page.settle()
    yield warm_page
    warm_page.watch.check()


@pytest.fixture
def visit_exercise(visit: Visits) -> Opens:
    return lambda name="warmup-cosine", **options: ExercisePage(visit, name, **options)
