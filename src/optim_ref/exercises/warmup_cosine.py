"""Exercise: the learning rate of a step, linear warmup and half a cosine."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from optim_ref import warmup_cosine
from optim_ref.exercises.cases import Draw
from optim_ref.exercises.exercise import Case, Exercise, Mistake

__all__ = ["EXERCISE"]

STARTER = '''\
import numpy as np


def warmup_cosine(step, warmup_steps, total_steps, lr_max, lr_min):
    """The learning rate of one step, or of each step in an array."""
    raise NotImplementedError("this is yours to write")
'''


def _case(
    name: str,
    about: str,
    step: Any,
    warmup: int = 50,
    total: int = 200,
    high: float = 1e-3,
    low: float = 1e-4,
) -> Case:
    if not isinstance(step, int | np.ndarray):
        step = np.array(step, np.int64)  # whatever integer this machine prefers
    arguments = {"step": step, "warmup_steps": warmup, "total_steps": total, "lr_max": high, "lr_min": low}
    return Case(name, about, arguments)


def _random(draw: Draw, name: str) -> Case:
    total = draw.integer(20, 2000)
    warmup = draw.integer(1, total // 2)
    steps = [draw.integer(0, total + 50) for _ in range(8)]
    return _case(name, "Any schedule", steps, warmup, total, draw.number(0.001, 1), draw.number(0, 0.001))


def _cases() -> list[Case]:
    draw = Draw(seed=4)
    return [
        _case("first-step", "Warmup begins at 0", 0),
        _case("second-step", "The rate rises by lr_max / warmup_steps", 1),
        _case("before-the-peak", "Still rising", 49),
        _case("warmup-end", "Exactly lr_max", 50),
        _case("after-the-peak", "Falling, slowly at first", 51),
        _case("before-the-end", "Almost lr_min", 199),
        _case("end", "Exactly lr_min", 200),
        _case("beyond-the-end", "The rate stays: it does not rise again", 250),
        _case("far-beyond", "It stays for ever", 10**9),
        _case("no-warmup", "Without warmup step 0 has lr_max", 0, warmup=0),
        _case("no-warmup-later", "Without warmup the cosine begins at once", 100, warmup=0),
        _case("only-warmup", "Where warmup takes all steps, the last has lr_max", 200, warmup=200),
        _case("only-warmup-beyond", "and any later one lr_min", 201, warmup=200),
        _case("one-step", "One step, which is the peak", 1, warmup=1, total=1),
        _case("no-steps", "No step at all: step 0 is the peak", 0, warmup=0, total=0),
        _case("to-zero", "lr_min may be 0", 125, low=0.0),
        _case("flat", "lr_min may be lr_max", range(0, 250, 25), low=1e-3),
        _case("curve", "Every step in one call", range(0, 221, 20)),
        _case("two-dimensions", "An array of any shape", [[0, 25, 50], [125, 200, 300]]),
        _case("empty-array", "An array may have no entry", []),
        _case("int32", "Integers of any size, and float64 comes back", np.array([10, 150], np.int32)),
        _case("long", "Differences of millions of steps", 10**8 + 1, warmup=10**6, total=10**9, high=0.5),
        *(_random(draw, f"random-{n}") for n in range(1, 7)),
    ]


def _variant(
    *,
    rise: Callable[[int, int], float] = lambda s, W: s / W,
    done: Callable[[int, int, int], float] = lambda s, W, T: (s - W) / (T - W),
    fall: Callable[[float], float] = lambda p: 0.5 * (1 + math.cos(math.pi * p)),
    ends: bool = True,
    dtype: Any = np.float64,
) -> Callable[..., Any]:
    """A schedule with one thing changed."""

    def function(step: Any, warmup_steps: int, total_steps: int, lr_max: float, lr_min: float) -> Any:
        def rate(s: int) -> float:
            if s < warmup_steps:
                return lr_max * rise(s, warmup_steps)
            if ends and s >= total_steps:
                return lr_max if s == warmup_steps else lr_min
            return lr_min + (lr_max - lr_min) * fall(done(s, warmup_steps, total_steps))

        rates = np.array([rate(s) for s in np.ravel(step).tolist()], dtype)
        return rates.reshape(np.shape(step))

    return function


EXERCISE = Exercise(
    name="warmup-cosine",
    title="Warmup and cosine",
    task=(
        "Write `warmup_cosine(step, warmup_steps, total_steps, lr_max, lr_min)`, the learning rate of a "
        "step: it rises linearly during warmup, then falls along half a cosine, and stays where it ends."
    ),
    entry_point="warmup_cosine",
    receives={
        "step": "One step, an integer from 0; or a NumPy array of such integers, for a curve in one call.",
        "warmup_steps": "Steps of warmup, an integer from 0.",
        "total_steps": "All steps, warmup included, an integer from `warmup_steps`.",
        "lr_max": "The rate at the peak.",
        "lr_min": "The rate at the end and after it.",
    },
    returns="The rate: a float for one step; for an array of steps, an array of float64 of the same shape.",
    constraints=(
        "A given array is not changed.",
        "Step `warmup_steps` has exactly `lr_max`; later ones, from `total_steps` on, exactly `lr_min`.",
        "There may be no warmup, and warmup may take all steps: nothing is divided by zero.",
    ),
    equations=("linear-warmup", "peak-rate", "decay-progress", "cosine-decay", "final-rate"),
    examples=(
        _case("rising", "Half of the warmup gives half of lr_max", 25),
        _case("falling", "Half of the decay gives the mean of lr_max and lr_min", 125),
        _case("key-steps", "Start, peak, end and beyond in one call", [0, 50, 200, 300]),
    ),
    cases=_cases,
    hints=(
        "Ask first where the step lies: before the peak, at it, between peak and end, or from the end on. "
        "There are four answers, one for each.",
        "Between peak and end `progress = (step - warmup_steps) / (total_steps - warmup_steps)` runs from 0 "
        "to 1, and `(1 + cos(pi * progress)) / 2` from 1 to 0.",
        "Write it for one integer, then apply it to each entry: `np.array([rate(s) for s in np.ravel(step)])"
        ".reshape(np.shape(step))`. Give such an array a dtype, since it may be empty.",
    ),
    starter=STARTER,
    reference=warmup_cosine,
    solution=(warmup_cosine,),
    mistakes=(
        Mistake(
            "warmup counted from 1: step 0 had lr_max / warmup_steps", _variant(rise=lambda s, W: (s + 1) / W)
        ),
        Mistake("total_steps did not include the warmup", _variant(done=lambda s, W, T: (s - W) / T)),
        Mistake("the rate rose again after the end", _variant(ends=False)),
        Mistake("the cosine were not halved", _variant(fall=lambda p: 1 + math.cos(math.pi * p))),
        Mistake(
            "it were a whole cosine, not half of one",
            _variant(fall=lambda p: 0.5 * (1 + math.cos(2 * math.pi * p))),
        ),
        Mistake("the decay were linear", _variant(fall=lambda p: 1 - p)),
        Mistake("the rates were float32", _variant(dtype=np.float32)),
    ),
)
