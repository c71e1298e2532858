"""How long an edit takes to show in a running page, and how soon an endless loop is over."""

from __future__ import annotations

import time
from statistics import median, quantiles
from typing import Any

from served.browser import Page, browsing
from served.hosting import Hosts

HOST = "brotli"
EDITS = 500
EDITS_OF_A_LONG_CURVE = 40
STOPS = 5
EDIT_ALL = """async ({ name, field, texts }) => {
  const place = document.querySelector(`live-example[name=${name}]`);
  const input = place.querySelector(`[name=${field}]`);
  const taken = [];
  for (const text of texts) taken.push(await editAndDraw(place, input, text));
  return taken;
}"""
ENDLESS = "while True:\n    pass\n"
HARMLESS = "print('hello')\n"
STOP = """() => {
  globalThis.stopped = performance.now();
  document.querySelector("live-exercise button[name=stop]").click();
}"""
ANSWER = """async () => {
  const exercise = document.querySelector("live-exercise");
  exercise.querySelector("button[name=run]").click();
  await until(() => ["ready", "error"].includes(exercise.dataset.state));
  return performance.now() - stopped;
}"""


def measure(hosts: Hosts) -> dict[str, Any]:
    with browsing() as visit:
        page = visit(hosts.address(HOST, "bench/adamw/"))
        found = {"scalar": edits(page, "adamw-one-step", "grad", EDITS)}
        page = visit(hosts.address(HOST, "bench/schedule/"))
        found["200 points"] = edits(page, "lr-curve", "lr_max", EDITS)
        edit(page, "lr-curve", "total_steps", ["100000"])
        found["100,000 points"] = edits(page, "lr-curve", "lr_max", EDITS_OF_A_LONG_CURVE)
        page = visit(hosts.address(HOST, "bench/exercises/warmup-cosine/"))
        return found | {"stop": stop(page)}


def edit(page: Page, name: str, field: str, texts: list[str]) -> list[dict[str, float]]:
    """Put texts into a field one after the other; for each the milliseconds to its numbers and its figure."""
    taken: list[dict[str, float]] = page.evaluate(EDIT_ALL, {"name": name, "field": field, "texts": texts})
    return taken


def edits(page: Page, name: str, field: str, count: int) -> dict[str, float]:
    """Milliseconds from an edit to its numbers in the page, and to its figure, over so many edits."""
    texts = [repr(0.001 + number / 1_000_000) for number in range(count)]
    edit(page, name, field, texts[:1])
    taken = edit(page, name, field, texts)
    numbers, figures = ([each[what] for each in taken] for what in ("numbers", "figure"))
    return {
        "median": median(numbers),
        "p95": quantiles(numbers, n=20)[-1],
        "figure": median(figures),
    }


def stop(page: Page) -> float:
    """Median milliseconds from Stop, while a loop runs without end, to the answer to another text.

    The time to put that text into the editor counts as well.
    """
    page.evaluate("() => document.querySelector('live-exercise textarea').focus()")
    page.until("() => document.querySelector('live-exercise .cm-content')")
    taken = []
    for _ in range(STOPS):
        replace_text(page, ENDLESS)
        page.evaluate("() => document.querySelector('live-exercise button[name=run]').click()")
        # By then the loop runs and the spare Python is up, as it is for a reader who waits that long.
        time.sleep(3)
        page.evaluate(STOP)
        replace_text(page, HARMLESS)
        taken.append(page.evaluate(ANSWER))
    return median(taken)


def replace_text(page: Page, text: str) -> None:
    page.evaluate("() => document.querySelector('live-exercise .cm-content').focus()")
    page.command("Input.dispatchKeyEvent", type="rawKeyDown", key="a", commands=["selectAll"])
    page.command("Input.insertText", text=text)
