"""Five ways to clip gradients, from each entry alone to all arrays together."""

from __future__ import annotations

from optim_ref import _checks
from optim_ref._arrays import Array, Tree, float_arrays, like, limit, namespace, safe_scale, widen
from optim_ref.norms import clip_factor, global_norm
from optim_ref.tree import map as tree_map

__all__ = ["VARIANTS", "clip_gradients"]

VARIANTS = ("per-weight", "per-layer", "global", "per-weight-relative", "adaptive")
"""The variants of `clip_gradients`."""


def clip_gradients(
    gradients: Tree, variant: str, threshold: float = 1.0, weights: Tree = None, epsilon: float = 1e-3
) -> Tree:
    r"""Clip gradients entry by entry, array by array, all together, or relative to their parameters.

    `per-weight` limits each entry, `per-layer` the norm of each array, `global` the joint norm.
    `per-weight-relative` and `adaptive` compare with the parameters: with the norm of the whole array,
    or unit by unit (Brock et al., 2021). A unit is what feeds one output, one index of the last axis,
    since weights here are (in, out); PyTorch stores (out, in), and timm takes the first axis. An array
    of fewer than two dimensions is one unit. Runs on NumPy and, also inside `jax.jit`, on JAX arrays.

    Why:
        A single limit for all gradients lets the largest array decide. Limits for each entry, array or unit,
        also relative to the parameters they change, keep one part of a model from holding back the others.

    Equation: per-weight-clipping | per-weight: limit each entry
        \hat{g}_i = \max(-\tau, \min(g_i, \tau))

    Equation: per-layer-clipping | per-layer: limit each array's norm
        \hat{g} = \min\left(1, \frac{\tau}{\lVert g \rVert_2}\right)\, g

    Equation: global-clipping | global: limit the joint norm
        \hat{g} = c\, g

    Equation: relative-limit | Limit relative to the norm of the parameter array
        C = \tau \max(\lVert w \rVert_2, \epsilon)

    Equation: per-weight-relative-clipping | per-weight-relative: limit each entry by that
        \hat{g}_i = \max(-C, \min(g_i, C))

    Equation: unit-norm | Norm of what feeds output j
        \lVert g_j \rVert_2 = \sqrt{\sum_i g_{ij}^2}

    Equation: unit-limit | Limit relative to the parameters of the unit
        C_j = \tau \max(\lVert w_j \rVert_2, \epsilon)

    Equation: adaptive-clipping | adaptive: limit each unit's norm by that
        \hat{g}_j = \min\left(1, \frac{C_j}{\lVert g_j \rVert_2}\right)\, g_j

    Symbols:
        \hat{g} | clip | as the array | One gradient array after clipping
        \hat{g}_i | clip | scalar | One entry after clipping
        \hat{g}_j | clip | (in,) | The unit of output j after clipping
        g | g | any | One gradient array
        g_i | g | scalar | One entry
        g_{ij} | g | scalar | Entry of input i and output j
        g_j | g | (in,) | The unit of output j
        i | g | integer | Runs over entries, in a unit over its inputs
        j | unit_norm | integer | Runs over outputs, the last axis
        w | w | as g | The parameter array the gradient belongs to
        w_j | w | (in,) | The parameters of output j
        \tau | threshold | scalar | Limit, absolute or relative
        \epsilon | epsilon | scalar | Least norm a parameter counts with, so that zeros can grow
        c | factor | scalar | Share that is kept of all arrays
        C | max_norm | scalar | Limit of one array
        C_j | max_norm | (1, out) | Limit of the unit of output j
        \lVert g \rVert_2 | global_norm | scalar | Norm of one array
        \lVert w \rVert_2 | global_norm | scalar | Norm of its parameters
        \lVert g_j \rVert_2 | unit_norm | (1, out) | Norm of each unit
        \lVert w_j \rVert_2 | unit_norm | (1, out) | Norm of each unit's parameters

    Args:
        gradients: Tree of arrays and numbers, in real floating point.
        variant: `per-weight`, `per-layer`, `global`, `per-weight-relative` or `adaptive`.
        threshold: The limit, in [0, inf].
        weights: The parameters, a tree like `gradients`; only the last two variants need it.
        epsilon: Least parameter norm, in [0, inf).

    Returns:
        The clipped gradients, of the same structure, shapes and dtypes.

    Raises:
        TypeError: If a leaf is not real floating point, or arrays of two libraries are mixed.
        ValueError: If `variant` is unknown, a number is out of range, or `weights` is missing or unlike.

    Examples:
        >>> import numpy as np
        >>> gradients = {"w": np.array([[3.0, 6.0], [4.0, 8.0]])}
        >>> weights = {"w": np.array([[3.0, 0.0], [4.0, 0.0]])}
        >>> clip_gradients(gradients, "per-layer", threshold=1.0)["w"].round(4)
        array([[0.2683, 0.5367],
               [0.3578, 0.7155]])
        >>> clip_gradients(gradients, "adaptive", 0.1, weights)["w"].round(8)
        array([[3.e-01, 6.e-05],
               [4.e-01, 8.e-05]])

    References:
        per-weight-clipping | Pascanu, Mikolov & Bengio (2013), section 3.2 | https://arxiv.org/abs/1211.5063
        per-layer-clipping | McMahan et al. (2018), Algorithm 1, PerLayerClip | https://arxiv.org/abs/1710.06963
        global-clipping | Pascanu, Mikolov & Bengio (2013), Algorithm 1 | https://arxiv.org/abs/1211.5063
        relative-limit | Brock et al. (2021), section 4, with whole arrays for units | https://arxiv.org/abs/2102.06171
        per-weight-relative-clipping | Brock et al. (2021), section 4, entry by entry | https://arxiv.org/abs/2102.06171
        unit-norm | Brock et al. (2021), section 4 | https://arxiv.org/abs/2102.06171
        unit-limit | Brock et al. (2021), section 4, equation 3 | https://arxiv.org/abs/2102.06171
        adaptive-clipping | Brock et al. (2021), section 4, equation 3 | https://arxiv.org/abs/2102.06171
    """
    gradients, weights = _checked(gradients, variant, weights)
    threshold = limit("threshold", threshold)
    epsilon = limit("epsilon", epsilon, "[0, inf)")
    factor = clip_factor(global_norm(gradients), threshold) if variant == "global" else 1.0

    def clip(g: Array, w: Array) -> Array:
        xp = namespace(g, w)
        if not g.size:
            return g
        if variant == "per-weight":
            return xp.clip(g, -threshold, threshold)  # eq: per-weight-clipping
        if variant == "per-layer":
            return clip_factor(global_norm(g), threshold) * g  # eq: per-layer-clipping
        if variant == "global":
            return factor * g  # eq: global-clipping
        if variant == "per-weight-relative":
            max_norm = threshold * xp.maximum(global_norm(w), epsilon)  # eq: relative-limit
            return xp.clip(g, -max_norm, max_norm)  # eq: per-weight-relative-clipping
        max_norm = threshold * xp.maximum(unit_norm(w), epsilon)  # eq: unit-limit
        return clip_factor(unit_norm(g), max_norm) * g  # eq: adaptive-clipping

    return tree_map(lambda g, w: like(g, clip(widen(g), widen(w))), gradients, weights)


def check_variant(variant: str) -> None:
    """Refuse a variant that is not known."""
    if variant not in VARIANTS:
        raise ValueError(f"variant = {variant!r} must be one of {', '.join(VARIANTS)}")


def unit_norm(x: Array) -> Array:
    """Norm over all axes but the last, which it keeps; over everything below two dimensions."""
    xp = namespace(x)
    axes = tuple(range(x.ndim - 1)) if x.ndim >= 2 else None
    largest = xp.max(xp.abs(x), axis=axes, keepdims=True)
    scale = safe_scale(largest)
    return scale * xp.sqrt(xp.sum(xp.square(x / scale), axis=axes, keepdims=True))  # eq: unit-norm


def _checked(gradients: Tree, variant: str, weights: Tree) -> tuple[Tree, Tree]:
    """Gradients and parameters as trees of arrays that fit each other."""
    check_variant(variant)
    gradients = float_arrays("gradients", gradients)
    if weights is None and variant in ("per-weight-relative", "adaptive"):
        raise ValueError(f"weights = None must be a tree like gradients for variant {variant!r}")
    if weights is None:
        return gradients, gradients  # a stand-in, never read
    weights = float_arrays("weights", weights)
    try:
        tree_map(lambda g, w: _checks.same_shape("an array", w, g.shape), gradients, weights)
    except ValueError as error:
        raise ValueError(f"weights must be a tree like gradients: {error}") from None
    return gradients, weights
