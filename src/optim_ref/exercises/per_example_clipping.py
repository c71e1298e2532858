"""Exercise: clip the gradient of each example on its own, then average."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from optim_ref import clip_factor, clip_per_example, clipped_mean
from optim_ref.exercises.cases import Draw
from optim_ref.exercises.exercise import Case, Exercise, JaxRules, Mistake

__all__ = ["EXERCISE"]

STARTER = '''\
import numpy as np


def clip_per_example(params, x, y, max_norm):
    """Mean of the examples' gradients, each clipped to max_norm on its own."""
    raise NotImplementedError("this is yours to write")
'''


def _case(
    name: str,
    about: str,
    w: Any,
    b: float,
    x: Any,
    y: Any,
    max_norm: float = 1.0,
    dtype: DTypeLike = np.float64,
) -> Case:
    params = {"w": np.array(w, dtype), "b": np.array(b, dtype)}
    arguments = {"params": params, "x": np.array(x, dtype), "y": np.array(y, dtype), "max_norm": max_norm}
    return Case(name, about, arguments)


def _random(draw: Draw, name: str, dtype: DTypeLike = np.float64) -> Case:
    n, d = draw.integer(2, 6), draw.integer(1, 4)
    w, x, y = draw.array(d), draw.array(n, d, size=3), draw.array(n, size=3)
    return _case(name, "Any model and data", w, draw.number(-1, 1), x, y, draw.number(0.3, 3), dtype)


def _cases() -> list[Case]:
    draw = Draw(seed=2)
    f16, f32 = np.float16, np.float32
    wide_data = dict(_case("", "", [1], 1, [[3.0]], [0.0], dtype=f32).arguments) | {"x": np.array([[3.0]])}
    return [
        _case("at-the-limit", "A norm exactly at the limit changes nothing", [0], 4, [[0.75]], [0], 5.0),
        _case("zero-gradient", "An example that fits exactly adds zero", [2], 1, [[1], [2]], [3, 0]),
        _case("zero-gradient-zero-limit", "0 divided by 0 must not happen", [2], 1, [[1]], [3], 0.0),
        _case("limit-zero", "Nothing is let through", [1, 1], 0, [[1, 2], [3, 4]], [0, 1], 0.0),
        _case("limit-infinite", "Nothing is clipped", [1, 1], 0, [[1, 2], [3, 4]], [0, 1], math.inf),
        _case(
            "outlier", "One example far off moves the mean little", [1], 0, [[1], [1], [1]], [0.5, 0.9, 1e6]
        ),
        _case("all-clipped", "Every example is beyond the limit", [1, 1], 1, [[3, 4], [5, 6]], [0, 0], 0.1),
        _case("opposite", "Two gradients cancel, their norms do not", [1], 0, [[1], [1]], [0, 2], 0.5),
        _case("no-inputs", "Only the bias is left", [], 2, np.zeros((3, 0)), [1, 2, 6]),
        _case("many-inputs", "One example with many inputs", [0.5] * 9, 0, [[1] * 9], [0], 2.0),
        _case(
            "huge-float32",
            "Squares of 1e20 are infinite in float32",
            [0],
            1,
            [[1e20], [2]],
            [0, 0],
            dtype=f32,
        ),
        _case("huge", "Squares of 1e200 are infinite", [0, 0], 1, [[3e200, 4e200], [1, 2]], [0, 0]),
        _case("tiny", "Squares of 1e-200 are zero", [0], 3e-200, [[0], [0]], [0, 7e-200], 2e-200),
        _case("float32", "All float32 gives float32", [0, 1], 0.5, [[3, 4], [1, 0]], [0, 0], dtype=f32),
        _case("float16", "Computed in float32, returned as float16", [1], 0, [[300], [1]], [0, 0], dtype=f16),
        Case("dtypes", "Gradients in the dtypes of params, norms in the widest", wide_data),
        _case("nan", "One nan spoils the mean, but no other norm", [1], 0, [[math.nan], [1]], [0, 0]),
        _random(draw, "random-float32", f32),
        *(_random(draw, f"random-{n}") for n in range(1, 7)),
    ]


def _gradients(params: Any, x: Any, y: Any) -> dict[str, Any]:
    x, y, w, b = (np.asarray(a, np.result_type(a, np.float32)) for a in (x, y, params["w"], params["b"]))
    residual = np.sum(x * w, axis=1) + b - y
    return {"w": residual[:, None] * x, "b": residual}


def _squares(grads: dict[str, Any], dtype: DTypeLike = np.float64) -> Any:
    w, b = (np.asarray(g, dtype) for g in (grads["w"], grads["b"]))
    return np.sum(np.square(w), axis=1) + np.square(b)


def _with_norms(norms_of: Callable[[dict[str, Any]], Any]) -> Callable[..., Any]:
    """A solution that is right but for the norms."""

    def function(params: Any, x: Any, y: Any, max_norm: float) -> dict[str, Any]:
        grads = _gradients(params, x, y)
        norms = norms_of(grads)
        factor = clip_factor(norms, max_norm)
        means = {"w": np.mean(factor[:, None] * grads["w"], axis=0), "b": np.mean(factor * grads["b"])}
        return {"grads": {k: np.asarray(g, params[k].dtype) for k, g in means.items()}, "norms": norms}

    return function


def _eps_in_the_root(eps: str) -> Mistake:
    norms = _with_norms(lambda grads: np.sqrt(_squares(grads) + float(eps)))
    return Mistake(f"{eps} were added inside the root", norms)


def _arrays_apart(params: Any, x: Any, y: Any, max_norm: float) -> dict[str, Any]:
    grads = _gradients(params, x, y)
    means = {key: clipped_mean({key: grads[key]}, max_norm)["grads"][key] for key in grads}
    return {"grads": means, "norms": clip_per_example(params, x, y, max_norm)["norms"]}


def _mean_first(params: Any, x: Any, y: Any, max_norm: float) -> dict[str, Any]:
    mean = {key: np.mean(g, axis=0, keepdims=True) for key, g in _gradients(params, x, y).items()}
    norms = clip_per_example(params, x, y, max_norm)["norms"]
    return {"grads": clipped_mean(mean, max_norm)["grads"], "norms": norms}


def _sum(params: Any, x: Any, y: Any, max_norm: float) -> dict[str, Any]:
    result = clip_per_example(params, x, y, max_norm)
    return {"grads": {key: len(x) * g for key, g in result["grads"].items()}, "norms": result["norms"]}


EXERCISE = Exercise(
    name="per-example-clipping",
    title="Per-example clipping",
    task=(
        "Write `clip_per_example(params, x, y, max_norm)` for a linear model. The loss of one example is "
        "`0.5 * (x @ w + b - y)**2`. Take the gradient of each example's loss, over `w` and `b` together, "
        "clip it to `max_norm` on its own, and return the mean of the clipped gradients."
    ),
    entry_point="clip_per_example",
    receives={
        "params": "A dict with the weights `w`, of shape (D,), and the bias `b`, of shape ().",
        "x": "The inputs, of shape (N, D), with N at least 1.",
        "y": "The targets, of shape (N,).",
        "max_norm": "The largest norm allowed to one example's gradient, from 0 to infinity.",
    },
    returns=(
        "A dict: `grads`, the mean of the clipped gradients, with the keys, shapes and dtypes of `params`; "
        "and `norms`, of shape (N,), the norms before clipping, in float32, or in float64 where one of the "
        "arrays is float64."
    ),
    constraints=(
        "The given arrays are not changed.",
        "An example's norm is over its gradients of `w` and `b` together.",
        "The mean is over all N examples, those that were not clipped among them.",
        "Norms are right for gradients of any size, 1e200 and 1e-200 among them.",
        "float16 is computed in float32.",
    ),
    equations=(
        "linear-residual",
        "linear-weight-gradient",
        "linear-bias-gradient",
        "per-example-norm",
        "clip-factor",
        "clipped-mean",
    ),
    examples=(
        _case("one-example", "The norm is 6.25: scaled by 1/5", [0], 5, [[0.75]], [0], 1.25),
        _case("nothing-clipped", "The plain mean", [0.5], 0.5, [[1], [-1], [2], [0]], [1.5, 0.5, 1, 0], 10.0),
        _case("three-examples", "All are clipped", [1, -1], 0, [[1, 0], [2, 2], [0, 3]], [0, 1, 1]),
    ),
    cases=_cases,
    hints=(
        "Let `r = x @ w + b - y`, one number per example. Then the gradients are `r[:, None] * x`, of shape "
        "(N, D), and `r`, of shape (N,): no loop is needed.",
        "The square of one example's norm is the sum of the squares of its row of `r[:, None] * x`, and of "
        "its `r`. The factors, one per example, are 1 where the norm is at most `max_norm`.",
        "To keep squares finite, divide an example's gradient by its largest magnitude first, where that is "
        "not 0, and multiply the root by it. `x.astype(np.float32)` takes float16 to float32.",
    ),
    starter=STARTER,
    reference=clip_per_example,
    solution=(clip_per_example, clipped_mean),
    mistakes=(
        Mistake("the square root were missing", _with_norms(_squares)),
        *map(_eps_in_the_root, ("1e-6", "1e-8", "1e-12")),
        Mistake("`w` and `b` were clipped each by its own norm", _arrays_apart),
        Mistake("the mean were clipped, not each example", _mean_first),
        Mistake("the clipped gradients were summed, not averaged", _sum),
        Mistake(
            "the squares were summed in float32",
            _with_norms(lambda grads: np.sqrt(_squares(grads, np.float32))),
        ),
        Mistake(
            "the squares were summed in float64, where those of 1e200 overflow and those of 1e-200 vanish",
            _with_norms(lambda grads: np.sqrt(_squares(grads))),
        ),
    ),
    jax=JaxRules(calls=("vmap", "grad")),
)
