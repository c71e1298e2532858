"""After an answer the worker asks itself the same some more times, and then no more; no reader notices."""

from __future__ import annotations

from live_page import LivePage
from playwright.sync_api import Worker
from visits import Visits

# The worker waits for nothing else by a timer.
COUNT = """() => {
  globalThis.rounds = 0;
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (run, ...more) => setTimeout(() => { rounds++; run(); }, ...more);
}"""
MILLISECONDS_OF_QUIET = 500
MOST = 40


def rounds(live: LivePage, worker: Worker) -> int:
    """How many there have been, once there are no more."""
    before, now = -1, 0
    while now != before:
        before = now
        live.page.wait_for_timeout(MILLISECONDS_OF_QUIET)
        now = worker.evaluate("rounds")
    return now


def test_a_question_is_rehearsed_for_a_while_and_then_no_more(visit: Visits) -> None:
    page = visit("clipping/")
    page.other("clip-tree").recompute(max_norm="1")
    (worker,) = page.workers()
    worker.evaluate(COUNT)
    rounds(page, worker)
    worker.evaluate("() => { rounds = 0 }")
    # Twice: the first answer may take long.
    clip = page.other("clip-global-norm")
    clip.recompute(max_norm="1")
    clip.recompute(max_norm="2")
    assert 0 < rounds(page, worker) <= MOST
    for max_norm in ("3", "4"):
        clip.recompute(max_norm=max_norm)
    assert rounds(page, worker) <= MOST


def test_rows_that_are_asked_for_meanwhile_are_those_of_the_last_edit(visit: Visits) -> None:
    curve = visit("schedule/").other("lr-curve")
    curve.recompute(total_steps="1000", lr_max="0.5")
    curve.recompute(total_steps="1000", lr_max="0.25")
    table = curve.example.locator(".live-example__table")
    region = table.locator("xpath=..")
    drawn = table.locator("tbody tr").count()
    region.evaluate("region => { region.scrollTop = region.scrollHeight }")
    curve.page.wait_for_function(
        "([table, drawn]) => table.tBodies[0].rows.length > drawn", arg=[table.element_handle(), drawn]
    )
    last = table.locator("tbody tr").nth(drawn).locator("td")
    assert last.first.inner_text() == str(drawn)
    assert 0 < float(last.last.get_attribute("data-value") or "") < 0.25
