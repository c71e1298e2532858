"""The example that works for long: it starts at a button, shows what it has so far, and can be stopped."""

from __future__ import annotations

from playwright.sync_api import expect
from visits import Visits


def test_reset_takes_an_edit_out_of_the_address_too(visit: Visits) -> None:
    train = visit("training/").other("train")
    train.edit(steps="7")
    train.page.wait_for_function("location.search === '?train.steps=7'")
    train.press("reset")
    train.page.wait_for_function("location.search === ''")
    assert train.state == "static"


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
