"""Causal multi-head attention, forward and backward passes. Letters of shapes: see `layers`."""

from __future__ import annotations

import math

import numpy as np

from optim_ref.layers import Array, Grads, Params, linear, linear_backward

type AttentionCache = tuple[Array, Array, Array, Array]
type MultiHeadCache = tuple[Array, Array, AttentionCache]

__all__ = [
    "causal_attention",
    "causal_attention_backward",
    "multi_head_attention",
    "multi_head_attention_backward",
    "softmax",
]


def softmax(x: Array) -> Array:
    r"""Softmax over the last dimension.

    The largest entry is subtracted first, which changes nothing in exact arithmetic and keeps `exp` from
    overflowing. An entry of minus infinity gets the weight zero.

    Equation: softmax | Softmax
        p = \frac{e}{\operatorname{sum}(e)}, \quad e = \exp(x - \max x)
    Symbols:
        p | p | (..., n) | Weights: positive, their sum is 1
        e | e | (..., n) | Exponentials, the largest of them 1
        x | x | (..., n) | Scores

    Args:
        x: Scores, shape (..., n), at least one of each n finite.

    Returns:
        The weights, shape (..., n).

    Examples:
        >>> import numpy as np
        >>> softmax(np.array([1000.0, 1000.0, -np.inf]))
        array([0.5, 0.5, 0. ])

    References:
        softmax | Goodfellow, Bengio & Courville (2016), section 6.2.2.3 | https://www.deeplearningbook.org/contents/mlp.html
    """
    e = np.exp(x - x.max(axis=-1, keepdims=True))  # eq: softmax
    p = e / e.sum(axis=-1, keepdims=True)  # eq: softmax
    return p


def causal_attention(q: Array, k: Array, v: Array) -> tuple[Array, AttentionCache]:
    r"""Scaled dot-product attention in which no position sees a later one.

    Each position averages the values of itself and the positions before it, weighted by how well its query
    matches their keys.

    Equation: attention-scores | Scaled dot products
        S = \frac{Q K^\top}{\sqrt{h}}
    Equation: causal-mask | Causal mask
        S_{ij} = -\infty \quad \text{where } j > i
    Equation: attention | Attention
        Y = P V, \quad P = \operatorname{softmax}(S)
    Symbols:
        Q | q | (..., T, h) | Queries
        K | k | (..., T, h) | Keys
        V | v | (..., T, h) | Values
        h | h | () | Features of one head
        S | scores | (..., T, T) | Scores: row i holds those of position i for every position j
        j > i | future | (T, T) | True where position j comes after position i
        P | weights | (..., T, T) | Attention weights, each row with the sum 1
        Y | y | (..., T, h) | Output

    Args:
        q: Shape (..., T, h).
        k: Shape (..., T, h).
        v: Shape (..., T, h).

    Returns:
        The output, shape (..., T, h), and the cache for `causal_attention_backward`.

    Examples:
        >>> import numpy as np
        >>> y, _ = causal_attention(np.zeros((3, 1)), np.zeros((3, 1)), np.array([[3.0], [5.0], [10.0]]))
        >>> y.ravel()  # equal scores: means of what has been seen so far
        array([3., 4., 6.])

    References:
        attention-scores | Vaswani et al. (2017), equation 1 | https://arxiv.org/abs/1706.03762
        causal-mask | Vaswani et al. (2017), section 3.2.3 | https://arxiv.org/abs/1706.03762
        attention | Vaswani et al. (2017), equation 1 | https://arxiv.org/abs/1706.03762
    """
    length, h = q.shape[-2:]
    future = np.triu(np.ones((length, length), dtype=bool), k=1)  # (T, T)
    scores = q @ k.mT / math.sqrt(h)  # (..., T, T)  # eq: attention-scores
    scores = np.where(future, -np.inf, scores)  # eq: causal-mask
    weights = softmax(scores)  # (..., T, T)  # eq: attention
    y = weights @ v  # (..., T, h)  # eq: attention
    return y, (q, k, v, weights)


def causal_attention_backward(dy: Array, cache: AttentionCache) -> tuple[Array, Array, Array]:
    r"""Gradient of causal attention.

    No mask is needed here: a hidden position has the weight zero, which makes its score's gradient zero.

    Equation: softmax-gradient | Gradient of the softmax
        \delta_S = P \odot \bigl(\delta_P - \operatorname{sum}(\delta_P \odot P)\bigr)
    Equation: attention-gradient | Gradient of attention
        \delta_V = P^\top \delta_Y, \quad \delta_P = \delta_Y V^\top, \quad
        \delta_Q = \frac{\delta_S K}{\sqrt{h}}, \quad \delta_K = \frac{\delta_S^\top Q}{\sqrt{h}}
    Symbols:
        \delta_Y | dy | (..., T, h) | Gradient of the loss with respect to the output
        \delta_P | dweights | (..., T, T) | Gradient of the loss with respect to the weights
        \delta_S | dscores | (..., T, T) | Gradient of the loss with respect to the scores
        \delta_Q | dq | (..., T, h) | Gradient of the loss with respect to the queries
        \delta_K | dk | (..., T, h) | Gradient of the loss with respect to the keys
        \delta_V | dv | (..., T, h) | Gradient of the loss with respect to the values
        P | weights | (..., T, T) | Attention weights
        Q | q | (..., T, h) | Queries
        K | k | (..., T, h) | Keys
        V | v | (..., T, h) | Values
        \sqrt{h} | scale | () | Root of the number of features of one head

    Args:
        dy: Gradient with respect to the output, shape (..., T, h).
        cache: From `causal_attention`.

    Returns:
        Gradients with respect to queries, keys and values, each of shape (..., T, h).

    Examples:
        >>> import numpy as np
        >>> _, cache = causal_attention(np.zeros((2, 1)), np.zeros((2, 1)), np.array([[3.0], [5.0]]))
        >>> causal_attention_backward(np.ones((2, 1)), cache)[2].ravel()  # one and a half saw the first
        array([1.5, 0.5])

    References:
        softmax-gradient | Dao et al. (2022), FlashAttention, appendix B.2 | https://arxiv.org/abs/2205.14135
        attention-gradient | Dao et al. (2022), FlashAttention, appendix B.2 | https://arxiv.org/abs/2205.14135
    """
    q, k, v, weights = cache
    scale = math.sqrt(q.shape[-1])
    dv = weights.mT @ dy  # eq: attention-gradient
    dweights = dy @ v.mT  # (..., T, T)  # eq: attention-gradient
    dscores = weights * (dweights - (dweights * weights).sum(axis=-1, keepdims=True))  # eq: softmax-gradient
    dq = dscores @ k / scale  # eq: attention-gradient
    dk = dscores.mT @ q / scale  # eq: attention-gradient
    return dq, dk, dv


def _split_heads(x: Array, num_heads: int) -> Array:
    batch, length, d = x.shape
    return x.reshape(batch, length, num_heads, d // num_heads).swapaxes(1, 2)  # (B, H, T, h)


def _merge_heads(x: Array) -> Array:
    batch, num_heads, length, h = x.shape
    return x.swapaxes(1, 2).reshape(batch, length, num_heads * h)  # (B, T, d)


def multi_head_attention(x: Array, params: Params, num_heads: int) -> tuple[Array, MultiHeadCache]:
    r"""Causal multi-head self-attention.

    The heads attend side by side, each to its own slice of the projected features, and a last affine map
    mixes what they found. Unlike the paper, the projections have biases, as in GPT-2.

    Equation: multi-head-attention | Multi-head attention
        Y = \operatorname{Concat}(Y_1, \dots, Y_H)\, W_O + b_O, \quad
        Y_i = \operatorname{Attention}(x W_Q + b_Q,\; x W_K + b_K,\; x W_V + b_V)_i
    Symbols:
        Y | y | (B, T, d) | Output
        Y_i | heads | (B, H, T, h) | Output of head i, which sees its slice of h features
        \operatorname{Concat} | _merge_heads | (B, T, d) | The heads' outputs side by side
        \operatorname{Attention} | causal_attention | (B, H, T, h) | Attention of each head
        x | x | (B, T, d) | Input
        H | num_heads | () | Number of heads
        W_Q | params["wq"] | (d, d) | Weight of the queries
        W_K | params["wk"] | (d, d) | Weight of the keys
        W_V | params["wv"] | (d, d) | Weight of the values
        W_O | params["wo"] | (d, d) | Weight of the output
        b_Q | params["bq"] | (d,) | Bias of the queries
        b_K | params["bk"] | (d,) | Bias of the keys
        b_V | params["bv"] | (d,) | Bias of the values
        b_O | params["bo"] | (d,) | Bias of the output

    Args:
        x: Input, shape (B, T, d).
        params: Arrays `wq`, `wk`, `wv`, `wo` and `bq`, `bk`, `bv`, `bo`.
        num_heads: A divisor of d.

    Returns:
        The output, shape (B, T, d), and the cache for `multi_head_attention_backward`.

    Examples:
        >>> import numpy as np
        >>> params = {f"w{name}": np.eye(2) for name in "qkvo"} | {f"b{name}": np.zeros(2) for name in "qkvo"}
        >>> multi_head_attention(np.array([[[1.0, 2.0]]]), params, num_heads=2)[0]  # it sees only itself
        array([[[1., 2.]]])

    References:
        multi-head-attention | Vaswani et al. (2017), section 3.2.2 | https://arxiv.org/abs/1706.03762
    """
    q = _split_heads(linear(x, params["wq"], params["bq"]), num_heads)  # (B, H, T, h)
    k = _split_heads(linear(x, params["wk"], params["bk"]), num_heads)
    v = _split_heads(linear(x, params["wv"], params["bv"]), num_heads)
    heads, attention_cache = causal_attention(q, k, v)  # (B, H, T, h)  # eq: multi-head-attention
    merged = _merge_heads(heads)  # (B, T, d)
    y = linear(merged, params["wo"], params["bo"])  # eq: multi-head-attention
    return y, (x, merged, attention_cache)


def multi_head_attention_backward(dy: Array, params: Params, cache: MultiHeadCache) -> tuple[Array, Grads]:
    r"""Gradient of multi-head self-attention.

    The input feeds queries, keys and values alike, so its gradient is the sum of what comes back through
    the three.

    Args:
        dy: Gradient with respect to the output, shape (B, T, d).
        params: As given to `multi_head_attention`.
        cache: From `multi_head_attention`.

    Returns:
        The gradient with respect to the input, shape (B, T, d), and a dict of those with respect to the
        eight arrays.

    Examples:
        >>> import numpy as np
        >>> params = {f"w{name}": np.eye(2) for name in "qkvo"} | {f"b{name}": np.zeros(2) for name in "qkvo"}
        >>> _, cache = multi_head_attention(np.array([[[1.0, 2.0]]]), params, num_heads=2)
        >>> dx, grads = multi_head_attention_backward(np.ones((1, 1, 2)), params, cache)
        >>> dx, sorted(grads)
        (array([[[1., 1.]]]), ['bk', 'bo', 'bq', 'bv', 'wk', 'wo', 'wq', 'wv'])
    """
    x, merged, attention_cache = cache
    num_heads = attention_cache[0].shape[1]
    grads: Grads = {}
    dmerged, grads["wo"], grads["bo"] = linear_backward(dy, merged, params["wo"])
    dq, dk, dv = causal_attention_backward(_split_heads(dmerged, num_heads), attention_cache)
    from_q, grads["wq"], grads["bq"] = linear_backward(_merge_heads(dq), x, params["wq"])
    from_k, grads["wk"], grads["bk"] = linear_backward(_merge_heads(dk), x, params["wk"])
    from_v, grads["wv"], grads["bv"] = linear_backward(_merge_heads(dv), x, params["wv"])
    return from_q + from_k + from_v, grads
