"""Gradient clipping, in place as PyTorch does it and without side effects as optax does it."""

from __future__ import annotations

from typing import Any

import numpy as np

from optim_ref import _checks
from optim_ref._arrays import Tree, float_arrays, in_place, like, limit
from optim_ref.norms import clip_factor, global_norm
from optim_ref.per_example import clip_per_example, clipped_mean
from optim_ref.tree import map as tree_map
from optim_ref.variants import clip_gradients

__all__ = [
    "clip_by_global_norm",
    "clip_factor",
    "clip_grad_norm",
    "clip_grad_value",
    "clip_gradients",
    "clip_per_example",
    "clipped_mean",
    "global_norm",
]


def clip_grad_norm(
    grads: Tree, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> float:
    r"""Scale all gradients in place so that their joint norm is at most the limit.

    Named after PyTorch's function and, like it, returns the norm before clipping. Unlike it, a norm
    exactly at the limit changes nothing and a clipped gradient has exactly the limit for its norm:
    PyTorch adds 1e-6. A norm that is not finite still scales (nan spreads to every entry, an infinite
    norm leaves zeros and nan), unless it is asked to raise; then nothing is changed. In mixed
    precision, unscale first; when accumulating, clip the sum, once.

    Why:
        One bad batch can ask for a step long enough to undo hours of training, and stays in the optimizer's
        averages afterwards. One factor for all gradients shortens the step and keeps its direction.

    Equation: clip-by-norm | Scale every gradient by the same factor
        \hat{g}_k = c\, g_k

    Symbols:
        \hat{g}_k | g | as the gradient | Gradient of parameter k after clipping
        g_k | g | as the gradient | Gradient of parameter k before clipping
        k | arrays | name | Runs over the parameters
        c | factor | scalar | Share that is kept, 1 where nothing is clipped

    Args:
        grads: Tree of NumPy arrays, changed in place; None is skipped.
        max_norm: The limit, in [0, inf]. 0 makes every gradient 0; some tools use 0 for "off".
        norm_type: Order of the norm, in [1, inf].
        error_if_nonfinite: Whether a norm that is nan or infinite is an error.

    Returns:
        The norm before clipping, as a Python float.

    Raises:
        TypeError: If a leaf is no NumPy array or not real floating point.
        ValueError: If `max_norm` or `norm_type` is out of range, an array is read-only or stands in the
            tree twice, or the norm is not finite and `error_if_nonfinite` is set.

    Examples:
        >>> import numpy as np
        >>> grads = {"w": np.array([3.0, 4.0])}
        >>> clip_grad_norm(grads, max_norm=1.0), grads["w"].round(8)
        (5.0, array([0.6, 0.8]))

    References:
        clip-by-norm | Pascanu, Mikolov & Bengio (2013), Algorithm 1 | https://arxiv.org/abs/1211.5063
    """
    arrays = in_place("grads", grads)
    max_norm = _checks.real("max_norm", max_norm, "[0, inf]")
    norm = global_norm(arrays, norm_type)
    if error_if_nonfinite:
        _checks.finite("the norm of grads", float(norm))
    factor = clip_factor(norm, max_norm)
    for g in arrays:
        g *= factor  # eq: clip-by-norm
    return float(norm)


def clip_grad_value(grads: Tree, clip_value: float) -> None:
    r"""Limit every entry of every gradient in place.

    Each entry beyond the limit becomes the limit, with its sign, so the direction of the whole changes.
    An infinite entry becomes the limit too; nan stays nan. PyTorch accepts a negative limit, and then
    sets every entry to it; here it is refused. Where the limit is not a number of the gradient's
    dtype, as 0.1 in float16, it is rounded to one.

    Why:
        It needs no norm, so entries can be limited one by one as they arrive, and one entry out of bounds
        leaves all others as they are.

    Equation: clip-by-value | Limit each entry
        \hat{g}_i = \max(-C, \min(g_i, C))

    Symbols:
        \hat{g}_i | g | scalar | Entry after clipping
        g_i | g | scalar | Entry of a gradient before clipping
        i | arrays | integer | Runs over all entries of all arrays
        C | clip_value | scalar | Largest magnitude allowed

    Args:
        grads: Tree of NumPy arrays, changed in place; None is skipped.
        clip_value: The limit, in [0, inf].

    Raises:
        TypeError: If a leaf is no NumPy array or not real floating point.
        ValueError: If `clip_value` is out of range, or an array is read-only or stands in the tree twice.

    Examples:
        >>> import numpy as np
        >>> grads = {"w": np.array([3.0, -0.5])}
        >>> clip_grad_value(grads, clip_value=1.0)
        >>> grads["w"]
        array([ 1. , -0.5])

    References:
        clip-by-value | Pascanu, Mikolov & Bengio (2013), section 3.2 | https://arxiv.org/abs/1211.5063
    """
    arrays = in_place("grads", grads)
    clip_value = np.float64(_checks.real("clip_value", clip_value, "[0, inf]"))  # 1e5 overflows float16
    for g in arrays:
        np.clip(g, -clip_value, clip_value, out=g)  # eq: clip-by-value


def clip_by_global_norm(tree: Tree, max_norm: float) -> dict[str, Any]:
    r"""Scale all gradients so that their joint norm is at most the limit, leaving the given ones alone.

    The functional form of `clip_grad_norm`, named after optax's: the same arithmetic, on NumPy arrays
    or on JAX arrays, there also inside `jax.jit` with gradients and limit traced. A norm exactly at the
    limit changes nothing; zero gradients stay zero even at a limit of 0, where optax gives nan. Traced
    values cannot be checked, so a negative traced limit is not refused.

    Why:
        Code that is compiled or differentiated, as under `jax.jit`, cannot change arrays in place.

    Equation: clip-by-global-norm | Scale every array by the same factor
        \hat{g}_k = \min\left(1, \frac{C}{\lVert g \rVert_2}\right)\, g_k

    Symbols:
        \hat{g}_k | clipped | as the array | Array at place k after clipping
        g_k | g | as the array | Array at place k before clipping
        k | tree | place | Runs over the leaves of the tree
        C | max_norm | scalar | Largest norm allowed
        \lVert g \rVert_2 | norm | scalar | Norm of all leaves together
        g | tree | tree | All gradients

    Args:
        tree: Tree of arrays and numbers, in real floating point; plain numbers count as float64.
        max_norm: The limit, in [0, inf].

    Returns:
        `clipped`, a tree of the same structure, shapes and dtypes, and `global_norm`, the norm before
        clipping, of shape (), as float32 unless a leaf is float64.

    Raises:
        TypeError: If a leaf is not real floating point, or arrays of two libraries are mixed.
        ValueError: If `max_norm` is out of range.

    Examples:
        >>> import numpy as np
        >>> result = clip_by_global_norm({"w": np.array([3.0, 0.0]), "b": np.array(4.0)}, max_norm=1.0)
        >>> {k: leaf.round(8).tolist() for k, leaf in result["clipped"].items()}
        {'b': 0.8, 'w': [0.6, 0.0]}
        >>> float(result["global_norm"])
        5.0

    References:
        clip-by-global-norm | Pascanu, Mikolov & Bengio (2013), Algorithm 1 | https://arxiv.org/abs/1211.5063
    """
    tree = float_arrays("tree", tree)
    max_norm = limit("max_norm", max_norm)
    norm = global_norm(tree)
    factor = clip_factor(norm, max_norm)
    clipped = tree_map(lambda g: like(g, factor * g), tree)  # eq: clip-by-global-norm
    return {"clipped": clipped, "global_norm": norm}
