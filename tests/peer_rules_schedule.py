"""How recorded schedules are held against `optim_ref`, and which are skipped by which rule."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from peers import REFUSED_HERE, Skip, assert_close, decode

import optim_ref


def schedule_torch(inputs: Any, expected: Any, exact: Any) -> None:
    warmup, total, lr = inputs["warmup_steps"], inputs["total_steps"], inputs["base_lr"]
    if inputs["kind"] == "linear":
        raise Skip("has no cosine part")
    if exact is None or inputs["eta_min"] < 0:
        refused_or_undefined(warmup, total, lr, inputs["eta_min"])
    steps = np.arange(warmup, inputs["n_steps"])  # torch's warmup does not start at 0
    got = optim_ref.warmup_cosine(steps, warmup, total, lr, inputs["eta_min"])
    assert_close(got, np.array(exact["clamped"][warmup:]), atol=1e-15 * lr)


def refused_or_undefined(warmup: int, total: int, lr: float, lr_min: float) -> None:
    """Skip what torch computes with settings out of range, or cannot compute where warmup takes all."""
    if warmup == total:
        raise Skip("divides by zero where warmup takes all steps")
    with pytest.raises(ValueError, match="must be in"):
        optim_ref.warmup_cosine(0, warmup, total, lr, lr_min)
    raise Skip(REFUSED_HERE)


def schedule_optax(inputs: Any, expected: Any, exact: Any) -> None:
    values = {k: decode(inputs[k]) for k in ("peak_value", "end_value", "warmup_steps", "decay_steps")}
    if inputs["exponent"] != 1:
        raise Skip("raises the cosine to a power")
    compare_rates(
        inputs, decode((exact or {}).get("clamped") or expected["values"]), values, inputs["init_value"]
    )


def schedule_keras(inputs: Any, expected: Any, exact: Any) -> None:
    peak = inputs["initial_learning_rate"] if inputs["warmup_target"] is None else inputs["warmup_target"]
    values = {
        "peak_value": peak,
        "end_value": inputs["alpha"] * peak,  # Keras gives a fraction of the peak
        "warmup_steps": inputs["warmup_steps"],
        "decay_steps": inputs["decay_steps"] + inputs["warmup_steps"],  # and counts without the warmup
    }
    if "raises" in expected:
        with pytest.raises(ValueError, match="total_steps"):
            optim_ref.warmup_cosine(0, values["warmup_steps"], values["decay_steps"], peak, 0.0)
        return
    # Keras' cosine is in float32
    compare_rates(
        inputs, decode(expected["values"]), values, inputs["initial_learning_rate"], atol=1e-7 * peak
    )


def compare_rates(inputs: Any, want: Any, values: Any, init: float, atol: float = 0.0) -> None:
    """Compare where the conventions meet: not at negative steps, and in the warmup only if it starts at 0."""
    warmup, total, peak, end = (values[k] for k in ("warmup_steps", "decay_steps", "peak_value", "end_value"))
    if not (warmup >= 0 and total >= warmup and 0 <= peak < math.inf and end >= 0):
        with pytest.raises(ValueError, match="must be in"):
            optim_ref.warmup_cosine(0, warmup, total, peak, end)
        raise Skip(REFUSED_HERE)
    steps = np.array(inputs["steps"])
    shared = (steps >= 0) & ((steps >= warmup) | (init == 0))
    if not shared.any():
        raise Skip("gives only negative steps")
    got = optim_ref.warmup_cosine(steps[shared], warmup, total, peak, end)
    assert_close(got, np.array(want)[shared], atol=max(atol, 1e-15 * peak))
