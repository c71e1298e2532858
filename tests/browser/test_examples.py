"""Every live example: its start values, its code, its links, and what it says of what it shows."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from typing import Any

import pytest
from examples_of_site import examples
from live_page import LivePage
from playwright.sync_api import expect
from visits import Visits

from live.example import answer, load

EXAMPLES = examples()
NAMES = [name for _, name in EXAMPLES]
# Cosines, and the matrix products of the training, differ between CPython and the browser by this much.
ULPS = {"lr-curve": 3, "train": 10_000}
CELLS = """example => Array.from(
  example.querySelectorAll("output, td[data-value]"),
  each => [each.getAttribute("name"), each.dataset.value])"""


def recompute(live: LivePage) -> None:
    """Have Python compute the example as it stands, edited or not."""
    run = live.button("run")
    if run.count():
        run.click()
    else:
        live.example.locator("input").first.dispatch_event("input")
    live.settle()
    assert live.state == "ready", live.status


def ulps_apart(one: str, other: str) -> float:
    if one == other:
        return 0
    a, b = float(one), float(other)
    return abs(a - b) / math.ulp(max(abs(a), abs(b)))


def test_every_module_in_the_folder_stands_on_a_page() -> None:
    assert sorted(NAMES) == [
        "adamw-one-step",
        "clip-global-norm",
        "clip-tree",
        "clip-variants",
        "lr-curve",
        "per-example-clipping",
        "train",
    ]


@pytest.mark.parametrize(("path", "name"), EXAMPLES, ids=NAMES)
def test_start_values_in_the_page_are_what_the_worker_computes(visit: Visits, path: str, name: str) -> None:
    live = visit(path).other(name)
    built = live.example.evaluate(CELLS)
    recompute(live)
    computed = live.example.evaluate(CELLS)
    assert [each for each, _ in built] == [each for each, _ in computed]
    allowed = ULPS.get(name, 0)
    for (output, before), (_, after) in zip(built, computed, strict=True):
        assert before == after or ulps_apart(before, after) <= allowed, output


@pytest.mark.parametrize(("path", "name"), EXAMPLES, ids=NAMES)
def test_code_runs_under_cpython_and_prints_what_the_page_shows(visit: Visits, path: str, name: str) -> None:
    live = visit(path, permissions=["clipboard-read", "clipboard-write"]).other(name)
    recompute(live)
    live.press("copy-code")
    live.page.wait_for_function(
        "example => example.querySelector('[role=status]').textContent.includes('was copied')",
        arg=live.example.element_handle(),
    )
    code = live.page.evaluate("navigator.clipboard.readText()")
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    printed = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    shown = live.values()
    assert printed.keys() <= shown.keys()
    for output, text in printed.items():
        if name in ULPS:
            assert ulps_apart(text, shown[output]) <= ULPS[name]
        else:
            assert json.loads(text) == unwrapped(shown[output])


def unwrapped(value: str) -> Any:
    return json.loads(value) if value[0] in "[{" else float(value)


CHANGES = {
    "lr-curve": {"warmup_steps": "20"},
    "clip-global-norm": {"a": "1 2 -7e3"},
    "clip-tree": {"grads": '[{"x": [[1, 2], [3, 4]]}, 5]'},
    "clip-variants": {"variant": "adaptive", "threshold": "0.01"},
    "per-example-clipping": {"max_norm": "2.5"},
}


@pytest.mark.parametrize(
    ("path", "name"), [pair for pair in EXAMPLES if pair[1] in CHANGES], ids=lambda value: value
)
def test_shared_link_shows_the_senders_numbers_in_a_fresh_browser(
    visit: Visits, path: str, name: str
) -> None:
    sender = visit(path, permissions=["clipboard-read", "clipboard-write"]).other(name)
    sent = sender.recompute(**CHANGES[name])
    example = load(name)
    expected = answer(example, example.start() | CHANGES[name])
    for output, (_, value) in expected["outputs"].items():
        assert sent[output] == value or ulps_apart(sent[output], value) <= ULPS.get(name, 0)
    sender.press("share")
    expect(sender.status_line).to_have_text("A link to these values was copied.")
    link = sender.page.evaluate("navigator.clipboard.readText()")
    receiver = visit(link).other(name)
    receiver.settle()
    assert receiver.values() == sent


@pytest.mark.parametrize(("path", "name"), EXAMPLES, ids=NAMES)
def test_one_announcement_follows_each_recomputation(visit: Visits, path: str, name: str) -> None:
    live = visit(path).other(name)
    recompute(live)
    live.page.evaluate(
        """example => {
          window.said = [];
          new MutationObserver(() => window.said.push(example.querySelector("[role=status]").textContent))
            .observe(example.querySelector("[role=status]"), { childList: true });
        }""",
        live.example.element_handle(),
    )
    recompute(live)
    assert live.page.evaluate("window.said.length") == 1
    assert "Recomputed in this browser." in live.status
