"""The learning rate: linear warmup, then half a cosine."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from optim_ref import _checks

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["warmup_cosine"]


@overload
def warmup_cosine(step: int, warmup_steps: int, total_steps: int, lr_max: float, lr_min: float) -> float: ...
@overload
def warmup_cosine(
    step: NDArray[Any], warmup_steps: int, total_steps: int, lr_max: float, lr_min: float
) -> NDArray[np.float64]: ...
def warmup_cosine(
    step: int | NDArray[Any], warmup_steps: int, total_steps: int, lr_max: float, lr_min: float
) -> float | NDArray[np.float64]:
    r"""Learning rate that rises linearly, then falls along half a cosine.

    Step 0 has rate 0, step `warmup_steps` exactly `lr_max`, and from `total_steps` on, which counts the
    warmup, it is exactly `lr_min`. Without warmup step 0 has `lr_max`. Where warmup takes all steps,
    the last has `lr_max` and any later `lr_min`. PyTorch's cosine rises again after the end and fails
    where warmup takes all; Keras counts `decay_steps` without the warmup; optax counts as here. A loop
    that numbers steps from 1 never uses the rate 0.

    Why:
        The first steps of AdamW rest on a few gradients and are as long as any: warmup keeps them short.
        Steps that stay long only jump about the minimum: decay lets them settle.

    Equation: linear-warmup | Before the peak: rise linearly
        \eta_s = \eta_{\max} \frac{s}{W} \qquad (s < W)

    Equation: peak-rate | At the peak
        \eta_s = \eta_{\max} \qquad (s = W)

    Equation: decay-progress | How much of the decay is done
        p_s = \frac{s - W}{T - W}

    Equation: cosine-decay | After the peak: fall along half a cosine
        \eta_s = \eta_{\min} + \tfrac{1}{2} (\eta_{\max} - \eta_{\min}) (1 + \cos \pi p_s) \qquad (W < s < T)

    Equation: final-rate | From the end on: stay
        \eta_s = \eta_{\min} \qquad (s \ge T,\ s > W)

    Symbols:
        s | s | integer | The step
        W | warmup_steps | integer | Steps of warmup
        T | total_steps | integer | All steps, warmup included
        p_s | progress | scalar | From 0 at the peak to 1 at the end
        \eta_s | rate | scalar | Learning rate at step s
        \eta_{\max} | lr_max | scalar | Rate at the peak
        \eta_{\min} | lr_min | scalar | Rate at the end and after it
        \pi | math.pi | scalar | Half a turn

    Args:
        step: One step, an integer from 0, or an array of them.
        warmup_steps: Steps of warmup, an integer from 0.
        total_steps: All steps, an integer from `warmup_steps`.
        lr_max: Rate at the peak, in [0, inf).
        lr_min: Rate at the end, in [0, inf).

    Returns:
        The rate: a Python float for one step, an array of float64 of the same shape for an array.

    Raises:
        TypeError: If a step or a number of steps is no integer, or a rate no number.
        ValueError: If one of them is out of range.

    Examples:
        >>> import numpy as np
        >>> warmup_cosine(25, warmup_steps=50, total_steps=200, lr_max=1e-3, lr_min=1e-4)
        0.0005
        >>> warmup_cosine(np.array([0, 50, 125, 200, 300]), 50, 200, 1e-3, 1e-4).round(6)
        array([0.     , 0.001  , 0.00055, 0.0001 , 0.0001 ])

    References:
        linear-warmup | Goyal et al. (2017), section 2.2, Gradual warmup | https://arxiv.org/abs/1706.02677
        peak-rate | Goyal et al. (2017), section 2.2, Gradual warmup | https://arxiv.org/abs/1706.02677
        decay-progress | Loshchilov & Hutter (2017), SGDR, equation 5 | https://arxiv.org/abs/1608.03983
        cosine-decay | Loshchilov & Hutter (2017), SGDR, equation 5 | https://arxiv.org/abs/1608.03983
        final-rate | Brown et al. (2020), appendix B | https://arxiv.org/abs/2005.14165
    """
    steps = _checks.steps("step", step)
    warmup_steps = _checks.integer("warmup_steps", warmup_steps)
    total_steps = _checks.integer("total_steps", total_steps, low=warmup_steps)
    lr_max = _checks.real("lr_max", lr_max, "[0, inf)")
    lr_min = _checks.real("lr_min", lr_min, "[0, inf)")

    def rate(s: int) -> float:
        if s < warmup_steps:
            return lr_max * (s / warmup_steps)  # eq: linear-warmup
        if s == warmup_steps:
            return lr_max  # eq: peak-rate
        if s >= total_steps:
            return lr_min  # eq: final-rate
        progress = (s - warmup_steps) / (total_steps - warmup_steps)  # eq: decay-progress
        return lr_min + 0.5 * (lr_max - lr_min) * (1 + math.cos(math.pi * progress))  # eq: cosine-decay

    rates = [rate(s) for s in steps.ravel().tolist()]
    return np.array(rates).reshape(steps.shape) if steps.shape else rates[0]
