"""After an answer the worker asks itself the same some more times, and then no more; no reader notices."""

from __future__ import annotations

from playwright.sync_api import Worker
from visits import Visits

# The worker waits for nothing else by a timer.
COUNT = """() => {
  globalThis.rounds = 0;
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (run, ...more) => setTimeout(() => { rounds++; run(); }, ...more);
}"""
MILLISECONDS_TO_END = 3000
MOST = 40


def rounds(worker: Worker) -> int:
    number: int = worker.evaluate("rounds")
    return number


def test_a_question_is_rehearsed_for_a_while_and_then_no_more(visit: Visits) -> None:
    live = visit()
    live.recompute(grad="0.25")
    (worker,) = live.workers()
    worker.evaluate(COUNT)
    assert live.recompute(grad="0.5")["m"] == repr((1 - 0.9) * 0.5)
    live.page.wait_for_timeout(MILLISECONDS_TO_END)
    after = rounds(worker)
    assert 0 < after <= MOST
    assert live.recompute(grad="0.125")["m"] == repr((1 - 0.9) * 0.125)
    live.page.wait_for_timeout(MILLISECONDS_TO_END)
    assert rounds(worker) == after


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
