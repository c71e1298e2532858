"""Affine map and layer normalization, each forward pass beside its backward pass, written by hand.

Throughout the transformer a forward function returns its output, and a cache where its backward function
needs more than the arguments. A backward function takes `dy`, the gradient of the loss with respect to the
output, and returns the gradients with respect to the input and the parameters.

In shapes, `...` stands for any leading dimensions and `N` for all of them flattened into one; `B` is the
batch, `T` positions, `d` features, `F` hidden features, `H` heads, `h = d / H` features of one head, `V`
the vocabulary.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

type Array = NDArray[np.floating[Any]]
type Tokens = NDArray[np.integer[Any]]
type Params = dict[str, Array]
type Grads = dict[str, Array]
type LayerNormCache = tuple[Array, Array]

__all__ = ["layer_norm", "layer_norm_backward", "linear", "linear_backward"]


def linear(x: Array, weight: Array, bias: Array) -> Array:
    r"""Affine map of the last dimension.

    The weight is stored as (in, out), so that a batch of rows is multiplied from the left without a
    transpose; PyTorch's `nn.Linear` stores (out, in).

    Equation: linear | Affine map
        y = x W + b
    Symbols:
        y | y | (..., d_out) | Output
        x | x | (..., d_in) | Input
        W | weight | (d_in, d_out) | Weight
        b | bias | (d_out,) | Bias, the same for every row

    Args:
        x: Input, shape (..., d_in).
        weight: Shape (d_in, d_out).
        bias: Shape (d_out,).

    Returns:
        The output, shape (..., d_out), in the dtype of the input.

    Examples:
        >>> import numpy as np
        >>> linear(np.array([1.0, 2.0]), np.array([[1.0, 0.0], [0.0, 10.0]]), np.array([0.5, 0.5]))
        array([ 1.5, 20.5])

    References:
        linear | Goodfellow, Bengio & Courville (2016), section 6.1 | https://www.deeplearningbook.org/contents/mlp.html
    """
    y = x @ weight + bias  # (..., d_out)  # eq: linear
    return y


def linear_backward(dy: Array, x: Array, weight: Array) -> tuple[Array, Array, Array]:
    r"""Gradient of the affine map.

    Every row of the batch used the same weight and bias, so their gradients are sums over the rows.

    Equation: linear-gradient | Gradient of the affine map
        \delta_x = \delta_y W^\top, \quad \delta_W = x^\top \delta_y, \quad \delta_b = 1^\top \delta_y
    Symbols:
        \delta_x | dx | (..., d_in) | Gradient of the loss with respect to the input
        \delta_y | dy | (..., d_out) | Gradient of the loss with respect to the output
        \delta_W | dweight | (d_in, d_out) | Gradient of the loss with respect to the weight
        \delta_b | dbias | (d_out,) | Gradient of the loss with respect to the bias
        W | weight | (d_in, d_out) | Weight
        x | rows | (N, d_in) | Input, one row per position
        1 | sum | (N,) | Vector of ones: the sum over the rows

    Args:
        dy: Gradient with respect to the output, shape (..., d_out).
        x: The input of the forward pass, shape (..., d_in).
        weight: Shape (d_in, d_out).

    Returns:
        Gradients with respect to input, weight and bias, each of the shape of its array.

    Examples:
        >>> import numpy as np
        >>> dx, dweight, dbias = linear_backward(np.ones((3, 1)), np.eye(3, 2), np.array([[4.0], [5.0]]))
        >>> dweight.ravel(), dbias
        (array([1., 1.]), array([3.]))

    References:
        linear-gradient | Goodfellow, Bengio & Courville (2016), algorithm 6.4 | https://www.deeplearningbook.org/contents/mlp.html
    """
    rows = x.reshape(-1, x.shape[-1])  # (N, d_in)
    dy_rows = dy.reshape(-1, dy.shape[-1])  # (N, d_out)
    dx = dy @ weight.T  # eq: linear-gradient
    dweight = rows.T @ dy_rows  # eq: linear-gradient
    dbias = dy_rows.sum(axis=0)  # eq: linear-gradient
    return dx, dweight, dbias


def _mean(x: Array) -> Array:
    return np.mean(x, axis=-1, keepdims=True)  # (..., 1)


def layer_norm(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> tuple[Array, LayerNormCache]:
    r"""Layer normalization over the last dimension.

    Each vector of features is shifted to mean zero and divided by its own standard deviation, then scaled
    and shifted by learned numbers. The paper has no epsilon; like PyTorch, this adds it to the variance,
    inside the square root, so that a constant vector gives the bias and not a division by zero.

    Equation: layer-norm-mean | Mean of the features
        \mu = \operatorname{mean}(x)
    Equation: layer-norm-deviation | Standard deviation of the features
        \sigma = \sqrt{\operatorname{mean}\bigl((x - \mu)^2\bigr) + \epsilon}
    Equation: layer-norm | Layer normalization
        y = \gamma \odot \frac{x - \mu}{\sigma} + \beta
    Symbols:
        x | x | (..., d) | Input
        \mu | mu | (..., 1) | Mean of the features of each vector
        \sigma | sigma | (..., 1) | Standard deviation of the features of each vector
        \epsilon | eps | () | Keeps the deviation above zero
        \gamma | gain | (d,) | Learned scale, 1 at the start
        \beta | bias | (d,) | Learned shift, 0 at the start
        y | y | (..., d) | Output

    Args:
        x: Input, shape (..., d).
        gain: Shape (d,).
        bias: Shape (d,).
        eps: Added to the variance, above zero.

    Returns:
        The output, shape (..., d), and the cache for `layer_norm_backward`.

    Examples:
        >>> import numpy as np
        >>> y, _ = layer_norm(np.array([1.0, 3.0]), np.ones(2), np.zeros(2), eps=1e-12)
        >>> y.round(6)
        array([-1.,  1.])

    References:
        layer-norm-mean | Ba, Kiros & Hinton (2016), equation 3 | https://arxiv.org/abs/1607.06450
        layer-norm-deviation | Ba, Kiros & Hinton (2016), equation 3 | https://arxiv.org/abs/1607.06450
        layer-norm | Ba, Kiros & Hinton (2016), equation 4 | https://arxiv.org/abs/1607.06450
    """
    mu = _mean(x)  # (..., 1)  # eq: layer-norm-mean
    sigma = np.sqrt(_mean(np.square(x - mu)) + eps)  # (..., 1)  # eq: layer-norm-deviation
    x_hat = (x - mu) / sigma  # (..., d)  # eq: layer-norm
    y = gain * x_hat + bias  # eq: layer-norm
    return y, (x_hat, sigma)


def layer_norm_backward(dy: Array, gain: Array, cache: LayerNormCache) -> tuple[Array, Array, Array]:
    r"""Gradient of layer normalization.

    The mean and the deviation depend on every feature, so each feature's gradient loses the part that
    shifting or scaling the whole vector would undo: what is left is orthogonal to both.

    Equation: layer-norm-gradient | Gradient of layer normalization
        \delta_x = \frac{1}{\sigma} \bigl(\hat\delta - \operatorname{mean}(\hat\delta)
        - \hat{x} \odot \operatorname{mean}(\hat\delta \odot \hat{x})\bigr),
        \quad \hat\delta = \gamma \odot \delta_y
    Symbols:
        \delta_x | dx | (..., d) | Gradient of the loss with respect to the input
        \delta_y | dy | (..., d) | Gradient of the loss with respect to the output
        \hat\delta | dx_hat | (..., d) | Gradient of the loss with respect to the normalized input
        \hat{x} | x_hat | (..., d) | Normalized input
        \sigma | sigma | (..., 1) | Standard deviation of the features of each vector
        \gamma | gain | (d,) | Learned scale

    Args:
        dy: Gradient with respect to the output, shape (..., d).
        gain: Shape (d,).
        cache: From `layer_norm`.

    Returns:
        Gradients with respect to input, gain and bias, each of the shape of its array.

    Examples:
        >>> import numpy as np
        >>> _, cache = layer_norm(np.array([1.0, 3.0]), np.ones(2), np.zeros(2))
        >>> dx, dgain, dbias = layer_norm_backward(np.ones(2), np.ones(2), cache)  # a shift of all
        >>> bool(np.allclose(dx, 0)), dbias
        (True, array([1., 1.]))

    References:
        layer-norm-gradient | Karpathy (2024), llm.c, layernorm | https://github.com/karpathy/llm.c/blob/master/doc/layernorm/layernorm.md
    """
    x_hat, sigma = cache
    dx_hat = gain * dy  # eq: layer-norm-gradient
    dx = (dx_hat - _mean(dx_hat) - x_hat * _mean(dx_hat * x_hat)) / sigma  # eq: layer-norm-gradient
    rows = tuple(range(dy.ndim - 1))
    return dx, (dy * x_hat).sum(axis=rows), dy.sum(axis=rows)
