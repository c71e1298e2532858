"""The example that works for long: it starts at a button, shows what it has so far, and can be stopped."""

from __future__ import annotations

from playwright.sync_api import expect
from visits import Visits

from live.results import ROWS_AT_ONCE

# How many workers were ended.
COUNT_ENDS = """const end = Worker.prototype.terminate;
self.ended = 0;
Worker.prototype.terminate = function () { self.ended += 1; end.call(this); };"""


def test_reset_takes_an_edit_out_of_the_address_too(visit: Visits) -> None:
    train = visit("training/").other("train")
    train.edit(steps="7")
    train.page.wait_for_function("location.search === '?train.steps=7'")
    train.press("reset")
    train.page.wait_for_function("location.search === ''")
    assert train.state == "static"


def test_leaving_the_page_ends_the_run_that_other_examples_would_wait_for(visit: Visits) -> None:
    train = visit("training/", before=COUNT_ENDS).other("train")
    page = train.page
    train.edit(steps="2000")
    train.press("run")
    expect(train.example.locator("output[name=step]")).not_to_have_text("100")
    ended = page.evaluate("self.ended")
    page.get_by_role("navigation", name="Navigation").get_by_role("link", name="Schedule", exact=True).click()
    curve = train.other("lr-curve")
    assert curve.recompute(lr_max="0.002")["warmup-end"] == "0.002"
    assert page.evaluate("self.ended") == ended + 1


def test_a_stopped_run_says_which_rows_of_its_table_are_left(visit: Visits) -> None:
    train = visit("training/").other("train")
    train.edit(steps="2000")
    train.press("run")
    rows = "example => Number(example.querySelector('table.live-example__table').dataset.length)"
    train.page.wait_for_function(
        f"example => ({rows})(example) > {ROWS_AT_ONCE}", arg=train.example.element_handle()
    )
    train.press("stop")
    train.settle()
    expect(train.status_line).to_contain_text(f"Of the table, the first {ROWS_AT_ONCE} rows are left.")
    assert train.example.evaluate(rows) == ROWS_AT_ONCE


def test_a_run_that_was_stopped_leaves_results_that_agree(visit: Visits) -> None:
    train = visit("training/", permissions=["clipboard-read", "clipboard-write"]).other("train")
    train.edit(steps="2000")
    train.press("run")
    axis = train.example.locator(".xtick text").last
    expect(axis).to_have_text("2000", timeout=90_000)
    train.press("stop")
    train.settle()
    step = train.values()["step"]
    expect(train.example.locator("figcaption")).to_contain_text(f" over {step} steps")
    rows = train.example.locator("table.live-example__table tbody tr").count()
    train.press("copy-table")
    expect(train.status_line).to_have_text("The table was copied.")
    lines = train.page.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(lines) == 1 + rows
    assert lines[-1].split(",")[0] == str(min(int(step), rows))
    assert train.page.evaluate("performance.getEntriesByName('python-started').length") == 1
