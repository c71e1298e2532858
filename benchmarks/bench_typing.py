"""Does typing stay fluid while Python works? Long tasks of the main thread, in a real Chromium.

While the transformer trains in the worker and is drawn as it learns, a field is typed into, key by key. A
task of the main thread that takes longer than 50 ms would hold a key back. Plotly's first drawing is counted
apart: it may take longer.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from building import PROJECT, build
from served.browser import Page, browsing
from site_server import SiteServer

KEYS = 60
SECONDS_BETWEEN_KEYS = 0.08
FIELD = "document.querySelector('live-example input[name=steps]')"
OBSERVE = """() => {
  self.tasks = [];
  new PerformanceObserver((list) => self.tasks.push(...list.getEntries().map(each => each.duration)))
    .observe({ entryTypes: ["longtask"] });
}"""


def tasks_while(page: Page, doing: str) -> list[float]:
    """Durations of the long tasks since the last call, in ms; `doing` names what was measured."""
    time.sleep(0.3)
    tasks: list[float] = page.evaluate("() => self.tasks.splice(0)")
    print(f"| {doing} | {len(tasks)} | {max(tasks, default=0):.0f} |")
    return tasks


def measure(page: Page) -> list[float]:
    page.evaluate(OBSERVE)
    print("| while | tasks above 50 ms | longest, ms |\n|---|---|---|")
    # Enough to train until the last key is typed.
    page.evaluate(f"() => {{ {FIELD}.value = 1000 }}")
    page.evaluate("() => document.querySelector('live-example button[name=run]').click()")
    page.until("() => document.querySelector('live-example .js-plotly-plot .js-line')")
    tasks_while(page, "Python starts, and Plotly draws for the first time")
    page.evaluate(f"() => {FIELD}.focus()")
    for _ in range(KEYS):
        page.press("1")
        time.sleep(SECONDS_BETWEEN_KEYS)
    assert page.evaluate(f"() => {FIELD}.value").count("1") >= KEYS
    assert page.evaluate("() => document.querySelector('live-example').dataset.state") == "running"
    return tasks_while(page, f"{KEYS} keys are typed, Python trains and the figure follows")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, SiteServer(Path(folder), "/") as server:
        succeeded, printed = build(PROJECT, Path(folder), SITE_URL=server.url)
        assert succeeded, printed
        with browsing() as visit:
            return int(bool(measure(visit(server.url + "training/"))))


if __name__ == "__main__":
    sys.exit(main())
