"""Python that cannot start or does not answer: the page says why, keeps its values, and recovers."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest
from live_page import LivePage
from playwright.sync_api import expect
from site_server import SEARCH, SiteServer, altered, dropped, held, missing
from visits import Visits

START = "0.899"
NEVER_STARTS = """
globalThis.neverStarts = true;
globalThis.attempts = 0;
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (message, ...rest) {
  if (message.type === "start") attempts++;
  if (message.type !== "start" || !neverStarts) postMessage.call(this, message, ...rest);
};
"""
IMAGE = "memory-image.wasm"
RUNTIME = [
    *("pyodide-worker.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"),
    *("numpy-*.whl", "optim_ref-*.whl", "examples.zip"),
]
"""What a start without the memory image needs; test_image_start.py takes the image's own files away."""


@pytest.fixture
def no_image(site: SiteServer) -> Iterator[None]:
    with site.fault(site.runtime(IMAGE), missing):
        yield


def test_the_files_taken_away_here_are_all_that_a_plain_start_needs(visit: Visits, site: SiteServer) -> None:
    runtime = json.loads(visit().example.get_attribute("data-runtime") or "")
    names = {site.runtime(name).rpartition("/")[2] for name in RUNTIME}
    assert names == set(runtime["needs"]["plain"])


@pytest.mark.usefixtures("no_image")
@pytest.mark.parametrize("pattern", RUNTIME)
def test_a_runtime_file_altered_and_then_missing_is_named_until_retry_gets_it(
    visit: Visits, site: SiteServer, pattern: str
) -> None:
    path = site.runtime(pattern)
    name = path.rpartition("/")[2]
    live = visit()
    live.watch.expect("404")
    with site.fault(path, altered):
        live.edit(grad="0.25")
        live.settle()
        assert live.status.startswith(f"{name} is not the file this page was built with")
        assert (live.state, live.shown()[-1]) == ("error", START)
    with site.fault(path, missing):
        # The browser may well have kept the altered file: Retry must not be content with that one.
        live.press("retry")
        live.settle()
        assert live.status.startswith(f"{name} is missing: this site answered 404")
        assert (live.state, live.shown()[-1]) == ("error", START)
    recover(live)


def test_a_connection_that_breaks_is_named_and_retry_fetches_only_that_file(
    visit: Visits, site: SiteServer
) -> None:
    live = visit()
    live.watch.expect("ERR_CONTENT_LENGTH_MISMATCH")
    path = site.runtime("pyodide.asm.wasm")
    with site.fault(path, dropped):
        live.edit(grad="0.25")
        live.settle()
        assert live.status.startswith("pyodide.asm.wasm stopped arriving: the connection broke")
        site.await_request(SEARCH)
        site.requests.clear()
    recover(live)
    assert site.requests == [site.prefix + path]


@pytest.mark.usefixtures("no_image")
def test_a_file_that_never_comes_is_given_up_and_named(visit: Visits, site: SiteServer) -> None:
    live = visit(clock=True)
    live.watch.expect("404")
    arrive = threading.Event()
    sizes = {name: (site.folder / site.runtime(name)).stat().st_size for name in RUNTIME}
    all_others = 1 - sizes["examples.zip"] / sum(sizes.values())
    with site.fault(site.runtime("examples.zip"), held(until=arrive)):
        live.edit(grad="0.25")
        live.page.wait_for_function(f"document.querySelector('progress').value > {all_others - 1e-9}")
    live.page.clock.fast_forward("01:00")
    live.settle()
    assert live.status.startswith("examples.zip could not be fetched: no answer from this site")
    arrive.set()
    recover(live)


def recover(live: LivePage) -> None:
    """Press Retry, and see the edit that was kept."""
    live.press("retry")
    live.settle()
    assert live.state == "ready", live.status
    assert live.values()["m"] == repr((1 - 0.9) * 0.25)
    expect(live.button("retry")).to_be_hidden()


def test_a_worker_that_never_answers_is_replaced(visit: Visits) -> None:
    live = visit()
    before = live.recompute(grad="0.5")
    hung = live.hang()
    live.example.evaluate("example => { example.dataset.seconds = 1 }")
    with hung.expect_event("close"):
        live.edit(grad="0.25")
        live.settle()
    assert live.state == "error"
    assert live.status.startswith("Python gave no answer within 1 seconds and was stopped")
    assert live.values() == before
    assert live.workers() == []
    live.example.evaluate("example => { delete example.dataset.seconds }")
    assert live.recompute(grad="0.125")["m"] == repr((1 - 0.9) * 0.125)
    live.await_workers(1)


def test_an_edit_that_waits_behind_a_hung_worker_is_answered_by_the_next(visit: Visits) -> None:
    live = visit()
    live.recompute(grad="0.5")
    live.hang()
    live.example.evaluate("example => { example.dataset.seconds = 1 }")
    live.edit(grad="0.25")
    # This holds for the next answer, too, which must not be late on any machine.
    live.example.evaluate("example => { delete example.dataset.seconds }")
    assert live.recompute(grad="0.125")["m"] == repr((1 - 0.9) * 0.125)


def test_a_worker_that_never_starts_is_given_up_and_retry_makes_another(visit: Visits) -> None:
    live = visit(clock=True, before=NEVER_STARTS)
    live.edit(grad="0.25")
    # The first would have started from the memory image, the second starts plainly.
    for attempts in (1, 2):
        live.page.wait_for_function(f"attempts === {attempts}")
        live.page.clock.fast_forward("01:01")
    live.settle()
    assert live.status.startswith("Python gave no answer within 60 seconds and was stopped")
    live.page.evaluate("neverStarts = false")
    live.await_workers(0)
    recover(live)
