"""Exercise: one step of AdamW, state in and state out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from optim_ref import AdamW
from optim_ref.exercises.cases import Draw
from optim_ref.exercises.exercise import Case, Exercise, Mistake

__all__ = ["EXERCISE"]

STARTER = '''\
import numpy as np


def adamw_step(params, grads, m, v, t, lr, beta1, beta2, eps, weight_decay):
    """One AdamW step: the parameters and the state after it."""
    raise NotImplementedError("this is yours to write")
'''
SETTINGS = {"lr": 0.1, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "weight_decay": 0.01}


def adamw_step(
    params: dict[str, Any],
    grads: dict[str, Any],
    m: dict[str, Any],
    v: dict[str, Any],
    t: int,
    lr: float,
    beta1: float,
    beta2: float,
    eps: float,
    weight_decay: float,
) -> dict[str, Any]:
    r"""`AdamW.step` as a function, on copies: the given arrays stay as they are.

    Args:
        params: Parameters by name.
        grads: Gradient of each.
        m: First moment of each.
        v: Second moment of each.
        t: Number of steps taken before.
        lr: Learning rate.
        beta1: Memory of the first moment.
        beta2: Memory of the second moment.
        eps: Added to the root of the second moment.
        weight_decay: Decay per unit of learning rate.

    Returns:
        `params`, `m`, `v` and `t` after the step.

    Examples:
        >>> import numpy as np
        >>> one, zero = {"w": np.ones((1, 1))}, {"w": np.zeros((1, 1))}
        >>> adamw_step(one, {"w": np.full((1, 1), 0.5)}, zero, zero, 0, **SETTINGS)["params"]["w"].round(8)
        array([[0.899]])
    """
    stepped = {name: param.copy() for name, param in params.items()}
    optimizer = AdamW(stepped, beta1, beta2, eps, weight_decay)
    optimizer.m, optimizer.v, optimizer.t = dict(m), dict(v), t
    optimizer.step(stepped, grads, lr)
    return {"params": stepped, "m": optimizer.m, "v": optimizer.v, "t": optimizer.t}


def _case(
    name: str,
    about: str,
    params: dict[str, Any],
    grads: dict[str, Any],
    *,
    m: float = 0.0,
    v: float = 0.0,
    t: int = 0,
    dtype: DTypeLike = np.float64,
    **settings: Any,
) -> Case:
    """A case in which all entries of the moments are alike; moments of float16 are float32."""
    arrays = {k: np.array(param, dtype) for k, param in params.items()}
    wide = np.result_type(np.dtype(dtype), np.float32)
    arguments = {
        "params": arrays,
        "grads": {k: np.array(grad, dtype) for k, grad in grads.items()},
        "m": {k: np.full(array.shape, m, wide) for k, array in arrays.items()},
        "v": {k: np.full(array.shape, v, wide) for k, array in arrays.items()},
        "t": t,
    }
    return Case(name, about, arguments | SETTINGS | settings)


def _random(draw: Draw, name: str, dtype: DTypeLike = np.float64) -> Case:
    shapes = {"w": (2, draw.integer(1, 3)), "b": (draw.integer(1, 3),), "gain": (), "kernel": (1, 2, 2)}
    arrays = {k: draw.array(*shape) for k, shape in shapes.items()}
    grads = {k: draw.array(*shape) for k, shape in shapes.items()}
    ranges = {"m": (-0.1, 0.1), "v": (0.001, 0.1), "lr": (0.001, 0.1), "beta1": (0.5, 0.99)}
    ranges |= {"beta2": (0.9, 0.999), "eps": (1e-8, 1e-3), "weight_decay": (0.0, 0.5)}
    numbers: dict[str, Any] = {k: draw.number(*each) for k, each in ranges.items()}
    about = "Parameters of zero to three dimensions"
    return _case(name, about, arrays, grads, t=draw.integer(1, 100), dtype=dtype, **numbers)


def _cases() -> list[Case]:
    draw = Draw(seed=3)
    one, f16, f32 = {"w": [[1.0]]}, np.float16, np.float32
    both = {"w": [[1.0, -2.0]], "b": [1.0, -2.0]}
    zeros = {"w": [[0.0, 0.0]], "b": [0.0, 0.0]}
    return [
        _case("zero-gradient", "Only the decay is left: 0.99", one, {"w": [[0.0]]}, weight_decay=0.1),
        _case("zero-gradient-later", "The first moment pushes on", both, zeros, m=0.1, v=0.01, t=5),
        _case("decay", "The decay does not go through the moments", one, {"w": [[1.0]]}, weight_decay=0.1),
        _case("no-decay", "Without decay this is Adam", both, both, weight_decay=0.0),
        _case("scalar", "A parameter of shape () has no decay", {"s": 2.0}, {"s": 0.5}, weight_decay=0.5),
        _case("three-dimensions", "Two or more dimensions decay", {"w": [[[1.0]]]}, {"w": [[[0.0]]]}),
        _case("eps-matters", "A gradient as small as eps makes half a step", {"b": [1.0]}, {"b": [1e-8]}),
        _case("large-eps", "eps stands outside the root", both, both, eps=0.5),
        _case("no-eps", "eps may be 0", one, {"w": [[0.5]]}, eps=0.0),
        _case(
            "beta1-zero", "Without memory m is the gradient", both, {"w": [[3, 4]], "b": [5, 6]}, beta1=0, m=9
        ),
        _case(
            "beta2-zero", "Without memory v is its square", both, {"w": [[3, 4]], "b": [5, 6]}, beta2=0, v=9
        ),
        _case("lr-zero", "The state moves on, the parameters stay", both, both, lr=0.0),
        _case("late", "After millions of steps nothing is left to correct", one, one, m=0.5, v=0.25, t=2**24),
        _case("large-gradient", "The size of the gradient hardly matters", one, {"w": [[-1e6]]}),
        _case("huge-gradient", "The square of 1e200 is infinite, so the step is 0", one, {"w": [[1e200]]}),
        _case("nan", "A nan stays where it is", {"b": [1.0, 1.0]}, {"b": [math.nan, 1.0]}),
        _case("empty-array", "An array may have no entry", {"w": np.zeros((0, 2))}, {"w": np.zeros((0, 2))}),
        _case("float32", "All float32 gives float32", both, both, dtype=f32),
        _case("float16", "Moments of float16 are float32", {"b": [1.0]}, {"b": [1e-4]}, dtype=f16),
        _case(
            "float16-zero", "In float16 eps is 0, and 0 divided by 0", {"b": [1.0]}, {"b": [0.0]}, dtype=f16
        ),
        _random(draw, "random-float32", f32),
        *(_random(draw, f"random-{n}") for n in range(1, 6)),
    ]


def _variant(
    *,
    root: Any = lambda v_hat, eps: np.sqrt(v_hat) + eps,
    corrects: bool = True,
    counts: int = 1,
    decays: Any = lambda param: param.ndim >= 2,
    l2: bool = False,
    decay_rate: Any = lambda lr: lr,
    dtype: DTypeLike | None = None,
) -> Any:
    """A step with one thing changed."""

    def step(params: Any, grads: Any, m: Any, v: Any, t: int, lr: float, **rest: float) -> dict[str, Any]:
        beta1, beta2, eps, decay = (rest[name] for name in ("beta1", "beta2", "eps", "weight_decay"))
        result: dict[str, Any] = {"params": {}, "m": {}, "v": {}, "t": t + counts}
        for k, param in params.items():
            pull = decay * param * decays(param)
            g = np.asarray(grads[k] + pull * l2, dtype or m[k].dtype)
            result["m"][k] = first = np.asarray(beta1 * m[k] + (1 - beta1) * g, dtype)
            result["v"][k] = second = np.asarray(beta2 * v[k] + (1 - beta2) * np.square(g), dtype)
            m_hat = first / (1 - beta1 ** (t + counts)) if corrects else first
            v_hat = second / (1 - beta2 ** (t + counts)) if corrects else second
            stepped = param - lr * m_hat / root(v_hat, eps) - decay_rate(lr) * pull * (not l2)
            result["params"][k] = np.asarray(stepped, param.dtype)
        return result

    return step


EXERCISE = Exercise(
    name="adamw-step",
    title="One AdamW step",
    task=(
        "Write `adamw_step(params, grads, m, v, t, lr, beta1, beta2, eps, weight_decay)`: one step of AdamW "
        "for every parameter. It returns the new parameters and the new state."
    ),
    entry_point="adamw_step",
    receives={
        "params": "A dict of NumPy arrays, the parameters by name.",
        "grads": "The gradient of each parameter, of its shape and dtype.",
        "m": "The first moment of each parameter, of its shape, in at least float32.",
        "v": "The second moment, likewise.",
        "t": "The number of steps taken before, an integer: 0 in the first step.",
        "lr": "The learning rate.",
        "beta1": "The share of the first moment that is kept.",
        "beta2": "The share of the second moment that is kept.",
        "eps": "Added to the root of the second moment.",
        "weight_decay": "The decay per unit of learning rate.",
    },
    returns=(
        "A dict: `params`, `m` and `v`, each a dict with the same keys, shapes and dtypes as the one given; "
        "and `t`, the number of steps taken by now."
    ),
    constraints=(
        "The given arrays are not changed.",
        "Weight decay is decoupled and multiplied by the learning rate.",
        "Only arrays of two or more dimensions decay.",
        "`eps` stands outside the root, after the bias correction.",
        "The step is computed in the dtype of the moments; only the parameter is rounded to its own.",
    ),
    equations=(
        "step-count",
        "first-moment",
        "second-moment",
        "first-moment-corrected",
        "second-moment-corrected",
        "adam-direction",
        "decoupled-weight-decay",
        "parameter-update",
    ),
    examples=(
        _case("first-step", "A step of about lr, and the decay", {"w": [[1.0]]}, {"w": [[0.5]]}),
        _case(
            "second-step", "The moments remember", {"w": [[0.899]]}, {"w": [[0.25]]}, m=0.05, v=0.00025, t=1
        ),
        _case("bias", "An array of one dimension has no decay", {"b": [1.0, -1.0]}, {"b": [0.5, 0.5]}),
    ),
    cases=_cases,
    hints=(
        "Count first: `t` is 1 in the first step, and the bias corrections divide by `1 - beta**t`.",
        "`m = beta1 * m + (1 - beta1) * g` makes a new array, `m *= beta1` changes the given one. The "
        "direction is `m_hat / (np.sqrt(v_hat) + eps)`.",
        "Where `param.ndim >= 2`, add `weight_decay * param` to the direction, not to the gradient. In the "
        "end, `astype(param.dtype)`; take `g` to the dtype of `m` before you square it.",
    ),
    starter=STARTER,
    reference=adamw_step,
    solution=(adamw_step, AdamW.step),
    mistakes=(
        Mistake("the square root were missing", _variant(root=lambda v_hat, eps: v_hat + eps)),
        Mistake("eps were added inside the root", _variant(root=lambda v_hat, eps: np.sqrt(v_hat + eps))),
        Mistake("the moments were not corrected for their start at zero", _variant(corrects=False)),
        Mistake("arrays of fewer than two dimensions decayed, too", _variant(decays=lambda param: True)),
        Mistake("the decay were added to the gradient, as in Adam with L2", _variant(l2=True)),
        Mistake("the decay were not multiplied by the learning rate", _variant(decay_rate=lambda lr: 1.0)),
        Mistake("no parameter decayed", _variant(decays=lambda param: False)),
        Mistake("the step were computed in float32", _variant(dtype=np.float32)),
    ),
)
