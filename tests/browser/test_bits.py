"""Operation by operation, the browser's Python gives the bits of CPython wherever the site says so."""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Any

import bits
import numpy as np
import operations
import pytest
import recording
from building import PROJECT
from exercise_page import ExercisePage
from playwright.sync_api import Browser
from visits import Visits

# The worker hands the results over in a variable of its own; then the text ends in words to wait for.
HANDED_OVER = "\nimport js\njs.results = results_json()\nraise RuntimeError('all results are there')\n"
SECONDS_ALLOWED = 240
# The page ends a worker once it has run a reader's text.
LET_WORKERS_LIVE = "Worker.prototype.terminate = () => {}"
OTHERS = ["tests/browser/operations.py", "widgets/runtime.json"]


@pytest.fixture(scope="module")
def here() -> dict[str, Any]:
    results: dict[str, Any] = json.loads(operations.results_json())
    return results


def in_browser(visit: Visits) -> dict[str, Any]:
    """What `operations.py` gives in the site's worker, where a reader's own text runs, too."""
    page = ExercisePage(visit, before=LET_WORKERS_LIVE)
    page.page.set_default_timeout(SECONDS_ALLOWED * 1000)
    page.exercise.evaluate("(exercise, seconds) => { exercise.dataset.seconds = seconds }", SECONDS_ALLOWED)
    assert "all results are there" in page.run(Path(operations.__file__).read_text("utf-8") + HANDED_OVER)
    handed_over = [worker.evaluate("() => globalThis.results") for worker in page.workers()]
    results: dict[str, Any] = json.loads(next(filter(None, handed_over)))
    return results


def test_every_promise_about_bits_holds(visit: Visits, chromium: Browser, here: dict[str, Any]) -> None:
    there = in_browser(visit)
    rows = bits.compare(here, there, operations.inputs()["lr"])
    print(*rows, sep="\n")
    assert not list(bits.broken(rows))
    runtime = json.loads((PROJECT / "widgets" / "runtime.json").read_bytes())
    content = {
        "inputs": operations.COUNT,
        "here": versions(here) | {"machine": platform.machine(), "system": platform.system(), "simd": simd()},
        "browser": versions(there) | {"chromium": chromium.version, "pyodide": runtime["pyodide"]},
        "rows": rows,
    }
    record = recording.current("bits", content, OTHERS)
    assert [named(row) for row in record["rows"]] == [named(row) for row in rows], "run make bits"


def versions(results: dict[str, Any]) -> dict[str, str]:
    return {"python": results["python"], "numpy": results["numpy"]}


def simd() -> str:
    """The widest instructions that NumPy uses on this machine: powers of arrays depend on it."""
    config: Any = np.show_config(mode="dicts")
    found = config["SIMD Extensions"].get("found") or config["SIMD Extensions"]["baseline"]
    return str(found[-1])


def named(row: bits.Row) -> tuple[str, str, int | None]:
    return row["operation"], row["title"], row["promise"]


@pytest.mark.parametrize(
    ("name", "places", "says"),
    [
        ("adamw_step", 1, "adamw_step: 1 of 10000 differ, by up to 1, promised 0"),
        ("clip_grad_norm", 2, "clip_grad_norm: 1 of 10000 differ, by up to 2, promised 0"),
        ("warmup_cosine", 4, "warmup_cosine_of_peak: 1 of 10000 differ, by up to 4, promised 3"),
    ],
)
def test_a_result_that_is_off_by_a_bit_breaks_the_promise(
    here: dict[str, Any], name: str, places: int, says: str
) -> None:
    array = bits.decoded(here["results"][name]).copy()
    peaks = operations.inputs()["lr"]
    # A rate near its peak, where a last place of the rate is one of the peak.
    first = int(np.argmax(array / peaks)) if name == "warmup_cosine" else 0
    array.flat[first] += places * np.spacing(array.flat[first])
    there = here | {"results": here["results"] | {name: bits.encoded(array)}}
    assert list(bits.broken(bits.compare(here, here, peaks))) == []
    assert list(bits.broken(bits.compare(here, there, peaks))) == [says]


def test_zeros_of_another_sign_have_other_bits() -> None:
    zeros = np.zeros((2, 1))
    assert bits.differing(zeros, np.array([[0.0], [-0.0]])) == 1
    assert bits.distance(zeros, np.array([[5e-324], [-5e-324]])) == 1


def test_other_inputs_are_noticed(here: dict[str, Any]) -> None:
    there = here | {"inputs": here["inputs"] | {"lr": 0}}
    with pytest.raises(AssertionError, match="not given the same inputs"):
        bits.compare(here, there, operations.inputs()["lr"])
