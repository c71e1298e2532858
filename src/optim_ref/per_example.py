"""Clipping the gradient of each example on its own, before they are averaged."""

from __future__ import annotations

from typing import Any

from optim_ref import _checks
from optim_ref._arrays import Array, Tree, end_to_end, float_arrays, like, limit, namespace, safe_scale, widen
from optim_ref.norms import clip_factor
from optim_ref.tree import leaves
from optim_ref.tree import map as tree_map

__all__ = ["clip_per_example", "clipped_mean"]


def clipped_mean(grads: Tree, max_norm: float) -> dict[str, Any]:
    r"""Clip the gradient of each example to the limit, then average them.

    The first axis of every array counts the examples. So one example moves the mean by at most
    C / N in norm, however large its gradient. The mean is over the examples given; private training
    (DP-SGD) divides by the expected number instead, and adds noise, which this does not. An example
    with a zero gradient contributes zero, also at a limit of 0. Opacus adds 1e-6 to each norm.

    Why:
        A mean can be moved arbitrarily far by one example, and clipping the mean comes too late: the outlier
        has turned it already.

    Equation: per-example-norm | Norm of one example's gradient, over all arrays
        \lVert g_n \rVert_2 = \sqrt{\sum_i g_{n,i}^2}

    Equation: clipped-mean | Mean of the clipped gradients
        \bar{g} = \frac{1}{N} \sum_n c_n\, g_n

    Symbols:
        \lVert g_n \rVert_2 | norms | (N,) | Norm of the gradient of example n, before clipping
        g_n | g | (N, ...) | Gradient of example n
        g_{n,i} | flat | (N, entries) | One entry of it, in any of the arrays
        i | flat | integer | Runs over the entries of all arrays
        n | flat | integer | Runs over the examples
        N | N | integer | Number of examples
        c_n | factor | (N, 1, ...) | Share of example n that is kept
        \bar{g} | mean | as the array, without the first axis | Mean of the clipped gradients

    Args:
        grads: Tree of arrays with one first axis, N, in common, in real floating point; N at least 1.
        max_norm: The limit for each example, in [0, inf].

    Returns:
        `grads`, the mean, a tree of the same structure and dtypes, and `norms`, of shape (N,), before
        clipping, as float32 unless an array is float64.

    Raises:
        TypeError: If a leaf is not real floating point, or arrays of two libraries are mixed.
        ValueError: If `max_norm` is out of range, there is no array, or first axes differ or are empty.

    Examples:
        >>> import numpy as np
        >>> result = clipped_mean({"w": np.array([[3.0, 4.0], [0.3, 0.4]])}, max_norm=1.0)
        >>> result["grads"]["w"].round(8), result["norms"].round(8)
        (array([0.45, 0.6 ]), array([5. , 0.5]))

    References:
        per-example-norm | Abadi et al. (2016), Algorithm 1, Clip gradient | https://arxiv.org/abs/1607.00133
        clipped-mean | Abadi et al. (2016), Algorithm 1, without the noise | https://arxiv.org/abs/1607.00133
    """
    grads = float_arrays("grads", grads)
    max_norm = limit("max_norm", max_norm)
    N = _number_of_examples(grads)
    flat = end_to_end(leaves(grads), kept=1)  # (N, entries)
    xp = namespace(flat)
    scale = safe_scale(xp.max(xp.abs(flat), axis=1))  # (N,)
    norms = scale * xp.sqrt(xp.sum(xp.square(flat / scale[:, None]), axis=1))  # eq: per-example-norm

    def mean(g: Array) -> Array:
        factor = xp.reshape(clip_factor(norms, max_norm), (N,) + (1,) * (g.ndim - 1))
        return like(g, xp.sum(factor * g, axis=0) / N)  # eq: clipped-mean

    return {"grads": tree_map(mean, grads), "norms": norms}


def clip_per_example(params: Tree, x: Array, y: Array, max_norm: float) -> dict[str, Any]:
    r"""Per-example clipped gradient of a linear model with squared error.

    The loss of one example is `0.5 * (x @ w + b - y)**2`. Its gradient is written out, which for this
    model needs neither a loop over examples nor automatic differentiation; clipping and averaging are
    those of `clipped_mean`. Runs on NumPy arrays and, also inside `jax.jit`, on JAX arrays, where it
    equals `jax.vmap(jax.grad(loss))`, clipped. An example the model fits exactly contributes zero.

    Why:
        The smallest model on which per-example clipping can be followed by hand, number by number.

    Equation: linear-residual | Error of the prediction for each example
        r_n = \sum_i x_{n,i} w_i + b - y_n

    Equation: linear-weight-gradient | Gradient of one example's loss by the weights
        \frac{\partial \ell_n}{\partial w_i} = r_n\, x_{n,i}

    Equation: linear-bias-gradient | Gradient of one example's loss by the bias
        \frac{\partial \ell_n}{\partial b} = r_n

    Symbols:
        r_n | residual | (N,) | Prediction minus target
        x_{n,i} | x | (N, D) | Inputs
        w_i | w | (D,) | Weights
        b | b | () | Bias
        y_n | y | (N,) | Targets
        \ell_n | grads | (N,) | Loss of example n, half its squared error
        n | x | integer | Runs over the N examples
        i | x | integer | Runs over the D inputs

    Args:
        params: `w`, of shape (D,), and `b`, of shape ().
        x: Inputs, of shape (N, D), N at least 1.
        y: Targets, of shape (N,).
        max_norm: The limit for each example's gradient, over `w` and `b` together, in [0, inf].

    Returns:
        `grads`, the mean of the clipped gradients with the keys, shapes and dtypes of `params`, and
        `norms`, of shape (N,), the norms before clipping, as float32 unless an array is float64.

    Raises:
        TypeError: If an array is not real floating point, or arrays of two libraries are mixed.
        ValueError: If `max_norm` is out of range, keys are not `w` and `b`, or shapes do not fit.

    Examples:
        >>> import numpy as np
        >>> params = {"w": np.array([1.0, -1.0]), "b": np.array(0.0)}
        >>> x, y = np.array([[1.0, 0.0], [2.0, 2.0], [0.0, 3.0]]), np.array([0.0, 1.0, 1.0])
        >>> result = clip_per_example(params, x, y, max_norm=1.0)
        >>> result["grads"]["w"].round(5), result["grads"]["b"].round(6), result["norms"].round(6)
        (array([ 0.01348, -0.53845]), np.float64(0.019182), array([ 1.414214,  3.      , 12.649111]))

    References:
        linear-residual | Bishop (2006), section 3.1.3, equation 3.23 | https://www.microsoft.com/en-us/research/publication/pattern-recognition-machine-learning/
        linear-weight-gradient | Bishop (2006), section 3.1.3, equation 3.23 | https://www.microsoft.com/en-us/research/publication/pattern-recognition-machine-learning/
        linear-bias-gradient | Bishop (2006), section 3.1.3, equation 3.23 | https://www.microsoft.com/en-us/research/publication/pattern-recognition-machine-learning/
    """
    params, x, y = _linear_model(params, x, y)
    w, b, x, y = (widen(a) for a in (params["w"], params["b"], x, y))
    xp = namespace(x)
    residual = xp.sum(x * w, axis=1) + b - y  # eq: linear-residual
    grads = {
        "w": residual[:, None] * x,  # eq: linear-weight-gradient
        "b": residual,  # eq: linear-bias-gradient
    }
    result = clipped_mean(grads, max_norm)
    return {"grads": tree_map(like, params, result["grads"]), "norms": result["norms"]}


def _number_of_examples(grads: Tree) -> int:
    """The length that every first axis has."""
    shapes = [g.shape for g in leaves(grads)]
    lengths = {shape[:1] for shape in shapes}
    if len(lengths) != 1 or lengths & {(), (0,)}:
        raise ValueError(
            f"grads has arrays of shapes {shapes}, must have one first axis in common, not empty"
        )
    return int(shapes[0][0])


def _linear_model(params: Tree, x: Array, y: Array) -> tuple[Tree, Array, Array]:
    """Parameters, inputs and targets as arrays that fit one another."""
    if not isinstance(params, dict) or params.keys() != {"w", "b"}:
        raise ValueError(f"params = {_checks.shown(params)} must be a dict with keys 'w' and 'b'")
    xp = namespace(*leaves(params), x, y)
    params = float_arrays("params", params, xp)
    x, y = float_arrays("x", x, xp), float_arrays("y", y, xp)
    _checks.arrays(x=x, y=y, **params)
    if x.ndim != 2 or x.shape[0] == 0:
        raise ValueError(f"x has shape {x.shape}, must be (N, D) with N at least 1")
    N, D = x.shape
    _checks.same_shape("y", y, (N,))
    _checks.same_shape("params['w']", params["w"], (D,))
    _checks.same_shape("params['b']", params["b"], ())
    return params, x, y
