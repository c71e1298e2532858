"""Where other libraries or papers do otherwise: each point with a number that shows the difference.

The number here comes from running optim_ref. The other one is what the library returned when it was run, kept
with the tests, or is worked out on the spot from the other formula.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

import optim_ref
from live.numbers import shown
from optim_ref_docs import project
from optim_ref_docs.tables import Table

RECORDED = project.root() / "tests" / "data"

type Point = tuple[str, str, str, str, str]
"""What holds here, what is given, what comes out here, what elsewhere, and where that is."""


def conventions() -> Table:
    """All points."""
    return _table("Contested points", [*_adamw(), *_schedule(), *_clipping(), *_per_example()])


def adamw() -> Table:
    """The points of AdamW."""
    return _table("AdamW here and elsewhere", _adamw())


def schedule() -> Table:
    """The points of the schedule."""
    return _table("The schedule here and elsewhere", _schedule())


def clipping() -> Table:
    """The points of clipping."""
    return _table("Clipping here and elsewhere", _clipping())


def per_example() -> Table:
    """The points of per-example clipping."""
    return _table("Per-example clipping here and elsewhere", _per_example())


def _table(caption: str, points: Iterable[Point]) -> Table:
    return Table(caption, ["Here", "Given", "Result here", "Result elsewhere", "Elsewhere"], points)


def _adamw() -> Iterator[Point]:
    yield (
        "Decay is multiplied by the learning rate",
        "p = 1, g = 0, rate 0.001, decay 0.01",
        shown(_one_step(1, 0, lr=0.001, weight_decay=0.01)),
        shown(1 - 0.01),
        "Loshchilov & Hutter (2019), Algorithm 2; PyTorch, optax and Keras do as here",
    )
    yield (
        "Decay stays out of the moments",
        "p = 1, g = 0, rate 0.1, decay 0.1",
        shown(_one_step(1, 0, lr=0.1, weight_decay=0.1)),
        shown(_one_step(1, 0.1 * 1, lr=0.1, weight_decay=0)),
        "Adam with L2: decay added to the gradient",
    )
    yield (
        "Decay is taken from the parameter before the step",
        "p = 1, g = 1, rate 0.1, decay 0.1",
        shown(_one_step(1, 1, lr=0.1, weight_decay=0.1)),
        shown(_one_step(1, 1, lr=0.1, weight_decay=0) * (1 - 0.1 * 0.1)),
        "decay after the step, as transformers' own AdamW had it",
    )
    yield (
        "Only arrays of two or more dimensions decay",
        "p = [1], g = [0.5], rate 0.1, decay 0.01",
        shown(_one_step(1, 0.5, lr=0.1, weight_decay=0.01, ndim=1)),
        shown(_one_step(1, 0.5, lr=0.1, weight_decay=0.01)),
        "PyTorch, optax and Keras decay every parameter unless told otherwise",
    )
    keras = _case("adamw_keras/eps-placement")["expected"]["params_after_each_step"][0]["w"]["data"][0]
    yield (
        "ε stands outside the root, after bias correction",
        "p = 1, g = ε = 1e-8, rate 0.1: size of the step",
        shown(1 - _one_step(1, 1e-8, lr=0.1, weight_decay=0)),
        shown(1 - keras),
        "Keras 3.15: ε meets the uncorrected moment (the paper's ε-hat)",
    )
    yield (
        "Both moments are corrected for their start at zero",
        "g = 1, rate 0.1: size of the first step",
        shown(1 - _one_step(1, 1, lr=0.1, weight_decay=0)),
        shown(0.1 * (1 - 0.9) / math.sqrt(1 - 0.999)),
        "without correction, as BERT's optimizer",
    )


def _schedule() -> Iterator[Point]:
    torch = _case("schedule_torch/w5-t20-past-end")["expected"]["lr_used_at_step"]
    yield (
        "Step 0 has rate 0",
        "warmup 5, rate 1 at the peak: step 0",
        shown(optim_ref.warmup_cosine(0, 5, 20, 1.0, 0.1)),
        f"{shown(torch[0])}; {shown(1 / (5 + 1))}",
        "PyTorch 2.13 starts at its `start_factor` (0.1 in this run); nanoGPT counts from 1 of warmup + 1",
    )
    yield (
        "After the end the rate stays",
        "warmup 5, total 20, from 1 to 0.1: step 35",
        shown(optim_ref.warmup_cosine(35, 5, 20, 1.0, 0.1)),
        shown(torch[35]),
        "PyTorch 2.13: its cosine rises again",
    )
    yield (
        "Warmup may take all steps",
        "warmup 10, total 10, rate 0.5: step 10",
        shown(optim_ref.warmup_cosine(10, 10, 10, 0.5, 0.0)),
        _case("schedule_torch/w10-t10")["expected"]["raises"],
        "PyTorch 2.13",
    )
    keras = _case("schedule_keras/w5-d15")
    value = dict(zip(keras["inputs"]["steps"], keras["expected"]["values"], strict=True))[15]
    yield (
        "The total includes the warmup",
        "warmup 5, total 15, from 1 to 0: step 15",
        shown(optim_ref.warmup_cosine(15, 5, 15, 1.0, 0.0)),
        shown(round(value, 6)),
        "Keras 3.15: `decay_steps` begins after the warmup; optax counts as here",
    )


def _clipping() -> Iterator[Point]:
    torch = _case("clip_grad_norm_torch/3-4-p2-foreach")["expected"]["grads"]["w"]["data"]
    yield (
        "A clipped norm is exactly the limit",
        "g = [3, 4], limit 1",
        _list(_clip([3.0, 4.0], 1.0)),
        _list(torch),
        "PyTorch 2.13 adds 1e-6 to the norm it divides by",
    )
    yield (
        "A negative limit is refused",
        "g = [3, 4], limit −1",
        _refusal(lambda: _clip([3.0, 4.0], -1.0)),
        _list(_case("clip_grad_norm_torch/3-4-maxneg1")["expected"]["grads"]["w"]["data"]),
        "PyTorch 2.13 turns the gradient round",
    )
    yield (
        "Zeros stay zeros at a limit of 0",
        "g = [0], limit 0",
        _list(optim_ref.clip_by_global_norm([np.zeros(1)], 0.0)["clipped"][0]),
        str(_case("clip_global_norm_optax/zeros-max0")["expected"]["clipped"]["b"]["data"][0]),
        "optax 0.2.8 divides 0 by 0",
    )
    large = np.full(100, 1e20, np.float32)
    with np.errstate(over="ignore"):
        overflowing = float(np.sqrt(np.sum(np.square(large))))
    yield (
        "A norm does not overflow inside",
        "100 entries of 1e20 in float32: their norm",
        f"{float(optim_ref.global_norm([large])):.4g}",
        shown(overflowing),
        "squares summed in float32, then the root",
    )
    two = {"a": np.array([3.0]), "b": np.array([4.0])}
    yield (
        "One limit for all gradients together",
        "g = {[3], [4]}, limit 1",
        _list(np.concatenate(list(optim_ref.clip_gradients(two, "global", 1.0).values()))),
        _list(np.concatenate(list(optim_ref.clip_gradients(two, "per-layer", 1.0).values()))),
        "one limit for each array, as Keras' `clipnorm`",
    )
    yield (
        "Unscale first, then clip",
        "gradient 0.5 scaled by 65536, limit 1",
        _list(_clip([0.5 * 65536 / 65536], 1.0)),
        _list(_clip([0.5 * 65536], 1.0) / 65536),
        "clipping what is still scaled",
    )
    yield (
        "Clip the accumulated gradient, once",
        "[2, 0] then [0, 2], limit 1",
        _list(_clip([2.0, 2.0], 1.0)),
        _list(_clip([2.0, 0.0], 1.0) + _clip([0.0, 2.0], 1.0)),
        "clipping each part, then adding",
    )
    timm = _case("agc_timm/2d")
    weights, gradients = (_array(timm["inputs"][name]["w"]) for name in ("params", "grads"))
    yield (
        "Adaptive clipping: weights are (in, out), a unit is a column",
        "first entry of a (3, 2) gradient, threshold 0.01",
        shown(optim_ref.clip_gradients(gradients, "adaptive", 0.01, weights)[0, 0]),
        shown(timm["expected"]["clipped"]["w"]["data"][0]),
        "timm 1.0.31: weights are (out, in), a unit is a row; optax does as here",
    )


def _per_example() -> Iterator[Point]:
    opacus = _case("per_example_clip_opacus/equal")
    examples = _array(opacus["inputs"]["per_example_grads"][0])
    yield (
        "A norm at the limit changes nothing",
        "gradients [3, 4] and [0, 5], limit 5: their mean",
        _list(optim_ref.clipped_mean(examples, 5.0)["grads"]),
        _list(opacus["expected"]["grad"][0]["data"]),
        "Opacus 1.6 adds 1e-6 to each norm",
    )
    drawn = np.full((14, 1), 32 / 14)
    yield (
        "The mean is over the examples given",
        "14 gradients that sum to 32, where 16 were expected",
        _list(optim_ref.clipped_mean(drawn, math.inf)["grads"]),
        shown(drawn.sum() / 16),
        "DP-SGD divides by the expected number, so that the result does not tell how many were drawn",
    )


def _one_step(param: float, grad: float, lr: float, weight_decay: float, ndim: int = 2) -> float:
    params = {"p": np.full((1,) * ndim, float(param))}
    optim_ref.AdamW(params, weight_decay=weight_decay).step(
        params, {"p": np.full((1,) * ndim, float(grad))}, lr
    )
    return params["p"].item()


def _clip(gradient: list[float], limit: float) -> np.ndarray:
    optim_ref.clip_grad_norm([array := np.array(gradient)], limit)
    return array


def _refusal(call: Callable[[], object]) -> str:
    try:
        call()
    except ValueError as error:
        return f"ValueError: {error}"
    raise AssertionError("not refused")


def _case(identifier: str) -> dict[str, Any]:
    family = json.loads((RECORDED / f"{identifier.partition('/')[0]}.json").read_text("utf-8"))
    return next(case for case in family["cases"] if case["id"] == identifier)


def _array(recorded: dict[str, Any]) -> np.ndarray:
    return np.array(recorded["data"], recorded["dtype"]).reshape(recorded["shape"])


def _list(values: Any) -> str:
    return f"[{', '.join(shown(float(value)) for value in np.ravel(values))}]"
