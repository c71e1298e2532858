"""The norm of all gradients together, and how much of it a limit lets through."""

from __future__ import annotations

import math
from typing import Any

from optim_ref import _checks, tree
from optim_ref._arrays import Array, Tree, end_to_end, float_arrays, limit, namespace, powers, safe_scale

__all__ = ["clip_factor", "global_norm"]


def global_norm(grads: Tree, norm_type: float = 2.0) -> Any:
    r"""Norm of all gradients as if they were one vector.

    Every entry of every array counts once, whatever the arrays' shapes; None, an empty array and an
    empty tree have norm 0. The result is right whenever it can be represented: entries are divided by
    the largest magnitude first where their powers would overflow or underflow, and float16 is summed
    in float32. One nan makes the norm nan. PyTorch overflows at entries of 1e154, calls the infinity
    norm of an empty tensor an error, and also takes orders below 1, which are no norms.

    Why:
        It is the length of the step that the gradients ask for, which clipping limits and a log of training
        shows first when something goes wrong.

    Equation: global-norm | Euclidean norm of all gradients
        \lVert g \rVert_2 = \sqrt{\sum_i g_i^2}

    Equation: max-norm | Infinity norm
        \lVert g \rVert_\infty = \max_i \lvert g_i \rvert

    Equation: p-norm | Norm of order p
        \lVert g \rVert_p = \left(\sum_i \lvert g_i \rvert^p\right)^{1/p}

    Symbols:
        g | g | (entries of all arrays) | All gradients, laid end to end
        g_i | g | scalar | One entry of one gradient
        i | g | integer | Runs over all entries of all arrays
        p | norm_type | scalar | Order of the norm
        \lVert g \rVert_2 | global_norm | scalar | The norm of order 2
        \lVert g \rVert_p | global_norm | scalar | The norm of order p
        \lVert g \rVert_\infty | largest | scalar | The largest magnitude

    Args:
        grads: Tree of gradients, in real floating point.
        norm_type: Order of the norm, in [1, inf]; `math.inf` gives the largest magnitude.

    Returns:
        The norm, of shape (), as float32 unless one of the arrays is float64.

    Raises:
        TypeError: If the tree holds anything but real floating arrays and numbers.
        ValueError: If `norm_type` is out of range.

    Examples:
        >>> import numpy as np
        >>> grads = {"w": np.array([3.0, 0.0]), "b": np.array([4.0])}
        >>> float(global_norm(grads)), float(global_norm(grads, 1)), float(global_norm(grads, np.inf))
        (5.0, 7.0, 4.0)
        >>> float(global_norm([np.array([1e200])])), float(global_norm([]))
        (1e+200, 0.0)

    References:
        global-norm | Pascanu, Mikolov & Bengio (2013), Algorithm 1 | https://arxiv.org/abs/1211.5063
        max-norm | Higham (2002), section 6.1, Vector norms | https://doi.org/10.1137/1.9780898718027
        p-norm | Higham (2002), section 6.1, Vector norms | https://doi.org/10.1137/1.9780898718027
    """
    norm_type = _checks.real("norm_type", norm_type, "[1, inf]")
    g = end_to_end(tree.leaves(float_arrays("grads", grads)))
    xp = namespace(g)
    largest = xp.max(xp.abs(g))  # eq: max-norm
    if norm_type == math.inf:
        return largest
    scale = safe_scale(largest, norm_type)
    if norm_type == 2:
        return scale * xp.sqrt(xp.sum(xp.square(g / scale)))  # eq: global-norm
    total = xp.sum(powers(xp.abs(g / scale), norm_type))  # eq: p-norm
    return scale * float(total) ** (1 / norm_type)  # eq: p-norm


def clip_factor(norm: Array, max_norm: Array) -> Any:
    r"""Factor that brings a norm down to a limit, and never up to it.

    A norm at or below the limit gives exactly 1, so that a gradient at the limit is not changed, and a
    limit of 0 gives 0 for any other norm than 0. There is no 1e-6 in the denominator, as PyTorch has:
    a clipped gradient has the limit for its norm, not a little less. A nan gives nan, an infinite norm
    0, unless the limit is infinite too. Arrays of norms and limits are taken entry by entry.

    Why:
        The decision whether to clip, and by how much, stands in one place, so that all variants agree at the
        limit, at zero and at infinity.

    Equation: clip-factor | Share of the gradient that is kept
        c = \min\left(1, \frac{C}{\lVert g \rVert}\right)

    Symbols:
        c | clip_factor | as the norm | Factor for the gradient
        C | max_norm | scalar, or as the norm | Largest norm allowed
        \lVert g \rVert | norm | any | Norm of the gradient

    Args:
        norm: One norm or an array of norms, at least 0.
        max_norm: The limit, in [0, inf], or an array of limits.

    Returns:
        The factor, from 0 to 1, of the shape of `norm`.

    Raises:
        TypeError: If `max_norm` is neither a number nor an array.
        ValueError: If `max_norm` is negative or nan.

    Examples:
        >>> float(clip_factor(5.0, max_norm=1.0)), float(clip_factor(5.0, max_norm=5.0))
        (0.2, 1.0)

    References:
        clip-factor | Pascanu, Mikolov & Bengio (2013), Algorithm 1 | https://arxiv.org/abs/1211.5063
    """
    xp = namespace(norm, max_norm)
    max_norm = max_norm if getattr(max_norm, "shape", ()) else limit("max_norm", max_norm)
    inside = norm <= max_norm  # false for nan, which so reaches the factor
    denominator = xp.where(inside, 1.0, norm)  # a limit of 0 and a norm of 0 are not to give 0/0
    return xp.where(inside, 1.0, max_norm / denominator)  # eq: clip-factor
