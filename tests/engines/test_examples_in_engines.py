"""Firefox and WebKitGTK compute in the page what CPython computes here."""

from __future__ import annotations

import json
import math
from typing import Any

from tests.engines.live_example import LiveExample
from tests.engines.reader import Reader

from live.example import answer, load

# By so many units in the last place may cosines, and the matrix products of the training, differ.
ULPS_OF_A_COSINE = 3
ULPS_OF_A_TRAINING = 10_000
CELLS = "(example) => Array.from(example.querySelectorAll('td[data-value]'), (cell) => cell.dataset.value)"
MESSAGE = "(example) => example.querySelector('[aria-invalid=true] ~ .live-example__message').textContent"


def example(reader: Reader, path: str, name: str) -> LiveExample:
    reader.visit(path)
    return LiveExample(reader, name)


def computed_here(name: str, **texts: str) -> dict[str, str]:
    """What the example's module gives for these texts in this process: every result, by name."""
    outcome = answer_here(name, **texts)
    steps = {row["name"]: row["cells"][-1][1] for row in outcome["rows"]}
    return steps | {output: value for output, (_, value) in outcome["outputs"].items()}


def answer_here(name: str, **texts: str) -> dict[str, Any]:
    return answer(load(name), load(name).start() | texts)


def assert_close(one: str, other: str, ulps: int) -> None:
    a, b = float(one), float(other)
    assert abs(a - b) <= ulps * math.ulp(max(abs(a), abs(b)))


def test_python_starts_at_the_first_edit_and_has_the_bits_of_cpython(reader: Reader) -> None:
    reader.open("adamw/")
    live = LiveExample(reader, "adamw-one-step")
    assert live.values() == computed_here("adamw-one-step")
    worker = reader.site.prefix + reader.site.runtime("pyodide-worker.js")
    assert worker not in reader.site.requests
    assert live.recompute(grad="0.25") == computed_here("adamw-one-step", grad="0.25")
    assert worker in reader.site.requests
    assert live.status.startswith("Recomputed in this browser.")


def test_next_step_goes_on_from_the_results(reader: Reader) -> None:
    live = example(reader, "adamw/", "adamw-one-step")
    live.press("next-step")
    live.settle()
    assert live.recompute(grad="0.25")["t"] == "2"
    assert live.shown("param") == "0.80488304"


def test_a_decimal_comma_gets_a_message_and_keeps_the_last_results(reader: Reader) -> None:
    live = example(reader, "adamw/", "adamw-one-step")
    before = live.recompute(grad="0")
    live.edit(grad="0,9")
    live.settle()
    assert live.run(MESSAGE) == "grad = 0,9 has a decimal comma: write 0.9"
    assert live.values() == before


def test_every_step_of_the_curve_is_that_of_cpython(reader: Reader) -> None:
    live = example(reader, "schedule/", "lr-curve")
    live.recompute(warmup_steps="20")
    columns = answer_here("lr-curve", warmup_steps="20")["table"]["columns"]
    here = [value for row in zip(*(values for _, values in columns), strict=True) for value in row]
    for one, other in zip(live.run(CELLS), here, strict=True):
        assert_close(one, other, ULPS_OF_A_COSINE)


def test_each_variant_of_clipping_has_the_bits_of_cpython(reader: Reader) -> None:
    live = example(reader, "clipping/", "clip-variants")
    for variant in ("per-weight", "per-layer", "global", "per-weight-relative", "adaptive"):
        texts = {"variant": variant, "threshold": "0.01"}
        there, here = live.recompute(**texts), computed_here("clip-variants", **texts)
        assert json.loads(there["clipped"]) == json.loads(here["clipped"])
        assert (there["norm_before"], there["norm_after"]) == (here["norm_before"], here["norm_after"])


def test_a_training_of_a_few_steps_runs_to_its_end(reader: Reader) -> None:
    live = example(reader, "training/", "train")
    texts = {"steps": "7", "warmup_steps": "2"}
    live.edit(**texts)
    live.press("run")
    live.settle()
    here = computed_here("train", **texts)
    assert live.values()["step"] == "7"
    for output in ("loss", "lr", "grad_norm"):
        assert_close(live.values()[output], here[output], ULPS_OF_A_TRAINING)
    assert live.run("(example) => example.querySelectorAll('.live-example__table tbody tr').length") == 7
