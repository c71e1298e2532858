"""One block of the transformer: attention and a feed-forward network, each in a residual branch."""

from __future__ import annotations

import numpy as np

from optim_ref.attention import MultiHeadCache, multi_head_attention, multi_head_attention_backward
from optim_ref.layers import (
    Array,
    Grads,
    LayerNormCache,
    Params,
    layer_norm,
    layer_norm_backward,
    linear,
    linear_backward,
)

type FeedForwardCache = tuple[Array, Array]
type BlockCache = tuple[LayerNormCache, MultiHeadCache, LayerNormCache, FeedForwardCache]

__all__ = ["block", "block_backward", "feed_forward", "feed_forward_backward"]


def feed_forward(x: Array, params: Params) -> tuple[Array, FeedForwardCache]:
    r"""Position-wise feed-forward network: two affine maps with a ReLU between.

    ReLU, as in the paper, and not GELU: its gradient is a comparison, and no `tanh` or `erf` is needed in
    the browser.

    Equation: feed-forward | Feed-forward network
        y = \max(0, x W_1 + b_1) W_2 + b_2
    Symbols:
        y | y | (..., d) | Output
        x | x | (..., d) | Input
        W_1 | params["ff1_w"] | (d, F) | First weight
        b_1 | params["ff1_b"] | (F,) | First bias
        W_2 | params["ff2_w"] | (F, d) | Second weight
        b_2 | params["ff2_b"] | (d,) | Second bias

    Args:
        x: Input, shape (..., d).
        params: Arrays `ff1_w`, `ff1_b`, `ff2_w`, `ff2_b`.

    Returns:
        The output, shape (..., d), and the cache for `feed_forward_backward`.

    Examples:
        >>> import numpy as np
        >>> one = {"ff1_w": np.eye(2), "ff1_b": np.zeros(2), "ff2_w": np.eye(2), "ff2_b": np.zeros(2)}
        >>> feed_forward(np.array([[-1.0, 2.0]]), one)[0]
        array([[0., 2.]])

    References:
        feed-forward | Vaswani et al. (2017), equation 2 | https://arxiv.org/abs/1706.03762
    """
    hidden = np.maximum(0, linear(x, params["ff1_w"], params["ff1_b"]))  # (..., F)  # eq: feed-forward
    y = linear(hidden, params["ff2_w"], params["ff2_b"])  # (..., d)  # eq: feed-forward
    return y, (x, hidden)


def feed_forward_backward(dy: Array, params: Params, cache: FeedForwardCache) -> tuple[Array, Grads]:
    r"""Gradient of the feed-forward network.

    The gradient passes a hidden unit that was above zero and stops at one that was not; at exactly zero,
    where ReLU has no derivative, it stops, as in PyTorch.

    Equation: relu-gradient | Gradient of the ReLU
        \delta_a = \delta_h \odot [h > 0]
    Symbols:
        \delta_a | da | (..., F) | Gradient of the loss with respect to the unit before the ReLU
        \delta_h | dhidden | (..., F) | Gradient of the loss with respect to the unit after the ReLU
        h | hidden | (..., F) | Hidden unit after the ReLU

    Args:
        dy: Gradient with respect to the output, shape (..., d).
        params: As given to `feed_forward`.
        cache: From `feed_forward`.

    Returns:
        The gradient with respect to the input, shape (..., d), and a dict of those with respect to the four
        arrays.

    Examples:
        >>> import numpy as np
        >>> one = {"ff1_w": np.eye(2), "ff1_b": np.zeros(2), "ff2_w": np.eye(2), "ff2_b": np.zeros(2)}
        >>> _, cache = feed_forward(np.array([[-1.0, 2.0]]), one)
        >>> feed_forward_backward(np.ones((1, 2)), one, cache)[0]
        array([[0., 1.]])

    References:
        relu-gradient | Goodfellow, Bengio & Courville (2016), algorithm 6.4 | https://www.deeplearningbook.org/contents/mlp.html
    """
    x, hidden = cache
    grads: Grads = {}
    dhidden, grads["ff2_w"], grads["ff2_b"] = linear_backward(dy, hidden, params["ff2_w"])
    da = dhidden * (hidden > 0)  # (..., F)  # eq: relu-gradient
    dx, grads["ff1_w"], grads["ff1_b"] = linear_backward(da, x, params["ff1_w"])
    return dx, grads


def block(x: Array, params: Params, num_heads: int) -> tuple[Array, BlockCache]:
    r"""Pre-LayerNorm transformer block.

    Layer normalization stands inside each residual branch, as in GPT-2, and not after the sum as in the
    original transformer: the residual path from loss to embedding stays free of it, and the gradients at
    the start are tame enough to train without warmup.

    Equation: pre-norm-attention | Attention with its residual
        a = x + \operatorname{MultiHead}(\operatorname{LayerNorm}_1(x))
    Equation: pre-norm-feed-forward | Feed-forward network with its residual
        y = a + \operatorname{FFN}(\operatorname{LayerNorm}_2(a))
    Symbols:
        x | x | (B, T, d) | Input
        a | a | (B, T, d) | Input with what attention adds
        y | y | (B, T, d) | Output
        \operatorname{MultiHead} | multi_head_attention | (B, T, d) | Causal multi-head attention
        \operatorname{FFN} | feed_forward | (B, T, d) | Feed-forward network
        \operatorname{LayerNorm} | layer_norm | (B, T, d) | Layer normalization, with gain and bias of its own

    Args:
        x: Input, shape (B, T, d).
        params: The sixteen arrays of the block, keys without the prefix `b{l}.`.
        num_heads: A divisor of d.

    Returns:
        The output, shape (B, T, d), and the cache for `block_backward`.

    Examples:
        >>> import numpy as np
        >>> from optim_ref.parameters import block_params
        >>> from optim_ref.transformer import init_params
        >>> y, _ = block(np.ones((1, 5, 32)), block_params(init_params(vocab_size=7), 0), num_heads=4)
        >>> y.shape
        (1, 5, 32)

    References:
        pre-norm-attention | Xiong et al. (2020), table 1, Pre-LN | https://arxiv.org/abs/2002.04745
        pre-norm-feed-forward | Xiong et al. (2020), table 1, Pre-LN | https://arxiv.org/abs/2002.04745
    """
    normed, ln1_cache = layer_norm(x, params["ln1_g"], params["ln1_b"])
    attended, attention_cache = multi_head_attention(normed, params, num_heads)
    a = x + attended  # (B, T, d)  # eq: pre-norm-attention
    normed, ln2_cache = layer_norm(a, params["ln2_g"], params["ln2_b"])
    fed, ff_cache = feed_forward(normed, params)
    y = a + fed  # (B, T, d)  # eq: pre-norm-feed-forward
    return y, (ln1_cache, attention_cache, ln2_cache, ff_cache)


def block_backward(dy: Array, params: Params, cache: BlockCache) -> tuple[Array, Grads]:
    r"""Gradient of the pre-LayerNorm block.

    A residual sum hands its gradient to both summands, so what comes back through a branch is added to what
    came along the path beside it.

    Args:
        dy: Gradient with respect to the output, shape (B, T, d).
        params: As given to `block`.
        cache: From `block`.

    Returns:
        The gradient with respect to the input, shape (B, T, d), and a dict of those with respect to the
        sixteen arrays.

    Examples:
        >>> import numpy as np
        >>> from optim_ref.parameters import block_params
        >>> from optim_ref.transformer import init_params
        >>> params = block_params(init_params(vocab_size=7), 0)
        >>> _, cache = block(np.ones((1, 5, 32)), params, num_heads=4)
        >>> dx, grads = block_backward(np.ones((1, 5, 32)), params, cache)
        >>> dx.shape, grads.keys() == params.keys()
        ((1, 5, 32), True)
    """
    ln1_cache, attention_cache, ln2_cache, ff_cache = cache
    grads: Grads = {}
    dnormed, ff_grads = feed_forward_backward(dy, params, ff_cache)
    dbranch, grads["ln2_g"], grads["ln2_b"] = layer_norm_backward(dnormed, params["ln2_g"], ln2_cache)
    da = dy + dbranch  # (B, T, d)
    dnormed, attention_grads = multi_head_attention_backward(da, params, attention_cache)
    dbranch, grads["ln1_g"], grads["ln1_b"] = layer_norm_backward(dnormed, params["ln1_g"], ln1_cache)
    dx = da + dbranch  # (B, T, d)
    return dx, grads | attention_grads | ff_grads
