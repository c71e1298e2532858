"""Does typing stay fluid while Python works? Long tasks of the main thread, in a real Chromium.

While the transformer trains in the worker and is drawn as it learns, a field is typed into, key by key. A
task of the main thread that takes longer than 50 ms would hold a key back. Plotly's first drawing is counted
apart: it may take longer.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from building import PROJECT, build
from install import find
from playwright.sync_api import Page, sync_playwright
from site_server import SiteServer
from visits import FLAGS

KEYS = 60
MILLISECONDS_BETWEEN_KEYS = 80
OBSERVE = """() => {
  self.tasks = [];
  new PerformanceObserver((list) => self.tasks.push(...list.getEntries().map(each => each.duration)))
    .observe({ entryTypes: ["longtask"] });
}"""


def tasks_while(page: Page, doing: str) -> list[float]:
    """Durations of the long tasks since the last call, in ms; `doing` names what was measured."""
    page.wait_for_timeout(300)
    tasks: list[float] = page.evaluate("() => self.tasks.splice(0)")
    print(f"| {doing} | {len(tasks)} | {max(tasks, default=0):.0f} |")
    return tasks


def measure(page: Page) -> list[float]:
    page.goto("training/")
    page.evaluate(OBSERVE)
    example = page.locator("live-example[name=train]")
    print("| while | tasks above 50 ms | longest, ms |\n|---|---|---|")
    example.locator("button[name=run]").click()
    example.locator(".js-plotly-plot .js-line").first.wait_for(timeout=60_000)
    tasks_while(page, "Python starts, and Plotly draws for the first time")
    field = example.locator("input[name=steps]")
    field.click()
    page.keyboard.type("1" * KEYS, delay=MILLISECONDS_BETWEEN_KEYS)
    assert field.input_value().count("1") >= KEYS
    return tasks_while(page, f"{KEYS} keys are typed, Python trains and the figure follows")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, SiteServer(Path(folder), "/") as server:
        succeeded, printed = build(PROJECT, Path(folder), SITE_URL=server.url)
        assert succeeded, printed
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find(), args=FLAGS)
            return int(bool(measure(browser.new_page(base_url=server.url, bypass_csp=True))))


if __name__ == "__main__":
    sys.exit(main())
