"""Steps that compose: clipping, then an optimizer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optim_ref._arrays import Tree, limit
from optim_ref.variants import check_variant, clip_gradients

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Step", "chain", "clip_step"]

type Step = Callable[[Tree, Tree, float], Tree]
"""Takes gradients, parameters and learning rate; returns gradients."""


def chain(*steps: Step) -> Step:
    r"""One step made of several, each taking the gradients the one before has returned.

    A step is any function `step(grads, params, lr)` that returns gradients: `clip_step` makes one that
    clips, `AdamW.as_step` one that updates the parameters in place and hands the gradients on. The
    order is that of the arguments, so clipping belongs before the optimizer. A chain is a step itself
    and can stand in another chain; a chain of nothing returns the gradients as they are.

    Args:
        steps: The steps, in the order in which they run.

    Returns:
        The step that runs them all.

    Raises:
        TypeError: If one of them cannot be called.

    Examples:
        >>> import numpy as np
        >>> from optim_ref import AdamW
        >>> params = {"w": np.ones((1, 2))}
        >>> step = chain(clip_step("global", threshold=1.0), AdamW(params, eps=1.0).as_step())
        >>> step({"w": np.array([[3.0, 4.0]])}, params, 0.1)["w"].round(8)
        array([[0.6, 0.8]])
        >>> params["w"].round(8)
        array([[0.9615    , 0.95455556]])
    """
    for i, step in enumerate(steps):
        if not callable(step):
            raise TypeError(f"steps[{i}] = {step!r} must be a function step(grads, params, lr)")

    def chained(grads: Tree, params: Tree, lr: float) -> Tree:
        for step in steps:
            grads = step(grads, params, lr)
        return grads

    return chained


def clip_step(variant: str, threshold: float = 1.0, epsilon: float = 1e-3) -> Step:
    r"""`clip_gradients` as a step of a chain.

    The parameters the chain is called with are the `weights` of the relative variants, so that one
    chain works for all five. The gradients it is given are left alone, and the learning rate is not
    read. Settings are checked when the step is made, not when it first runs.

    Args:
        variant: `per-weight`, `per-layer`, `global`, `per-weight-relative` or `adaptive`.
        threshold: The limit, in [0, inf].
        epsilon: Least parameter norm of the relative variants, in [0, inf).

    Returns:
        A function `step(grads, params, lr)` that returns the clipped gradients.

    Raises:
        TypeError: If `threshold` or `epsilon` is no number.
        ValueError: If `variant` is unknown, or a number out of range.

    Examples:
        >>> import numpy as np
        >>> step = clip_step("per-weight", threshold=1.0)
        >>> step({"w": np.array([3.0, 0.5])}, {"w": np.zeros(2)}, 0.1)["w"]
        array([1. , 0.5])
    """
    check_variant(variant)
    limit("threshold", threshold)
    limit("epsilon", epsilon, "[0, inf)")

    def step(grads: Tree, params: Tree, lr: float) -> Tree:
        return clip_gradients(grads, variant, threshold, params, epsilon)

    return step
