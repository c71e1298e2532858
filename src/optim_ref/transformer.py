"""A character-level transformer in NumPy: its parameters, its loss, and gradients written by hand.

Decoder only, pre-LayerNorm, learned positions, causal multi-head attention, ReLU feed-forward networks, and
a head that does not share the embedding's weights. Letters of shapes: see `layers`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from optim_ref import config
from optim_ref.block import BlockCache, block, block_backward
from optim_ref.layers import (
    Array,
    Grads,
    LayerNormCache,
    Params,
    Tokens,
    layer_norm,
    layer_norm_backward,
    linear,
    linear_backward,
)
from optim_ref.losses import cross_entropy, cross_entropy_backward
from optim_ref.parameters import block_params, check_params, count_layers, param_shapes

type _Cache = tuple[list[BlockCache], LayerNormCache, Array]

__all__ = ["NUM_HEADS", "forward", "init_params", "loss", "loss_and_grads"]

NUM_HEADS = 4
"""Attention heads per block, a divisor of `emb_dim`. No array's shape depends on it."""

INIT_STD = 0.02


def init_params(
    vocab_size: int,
    seed: int | np.random.Generator = 0,
    *,
    emb_dim: int = config.emb_dim,
    ff_dim: int = config.ff_dim,
    num_layers: int = config.num_layers,
    block_size: int = config.block_size,
    dtype: DTypeLike = np.float64,
) -> Grads:
    r"""Random parameters to start training from.

    Weights and embeddings are drawn from a normal distribution with standard deviation 0.02, as in GPT;
    gains of layer norms are ones, biases zeros. The first predictions are then close to uniform, and the
    first loss is close to log V.

    Args:
        vocab_size: Number of tokens V, at least 1.
        seed: Seed of the random stream, or a generator to draw from.
        emb_dim: See `param_shapes`.
        ff_dim: See `param_shapes`.
        num_layers: See `param_shapes`.
        block_size: See `param_shapes`.
        dtype: Floating point type of the arrays, and so of everything computed from them.

    Returns:
        A new array for each key of `param_shapes`.

    Raises:
        TypeError: If a size is not an integer or `dtype` not floating point.
        ValueError: If a size is below 1.

    Examples:
        >>> import numpy as np
        >>> params = init_params(vocab_size=31, seed=0)
        >>> params["head_w"].shape, params["lnf_g"].sum()
        ((32, 31), np.float64(32.0))

    References:
        Radford et al. (2018), section 4.1 | https://cdn.openai.com/research-covers/language-unsupervised/language_understanding_paper.pdf
    """
    if not np.issubdtype(dtype, np.floating):
        raise TypeError(f"dtype = {np.dtype(dtype)} must be real floating point")
    shapes = param_shapes(
        vocab_size, emb_dim=emb_dim, ff_dim=ff_dim, num_layers=num_layers, block_size=block_size
    )
    rng = np.random.default_rng(seed)
    params: Grads = {}
    for key, shape in shapes.items():
        if len(shape) >= 2:
            params[key] = (INIT_STD * rng.standard_normal(shape)).astype(dtype)
        else:
            params[key] = np.ones(shape, dtype) if key.endswith("_g") else np.zeros(shape, dtype)
    return params


def forward(params: Params, tokens: ArrayLike, *, num_heads: int = NUM_HEADS) -> Array:
    r"""Logits of the next token at every position.

    The logits at a position depend on the tokens up to it and on none after it.

    Args:
        params: From `init_params`.
        tokens: Integers in [0, V), shape (B, T), with T at most the length of `pos_emb`.
        num_heads: A divisor of the number of features.

    Returns:
        Logits, shape (B, T, V), in the dtype of the parameters.

    Raises:
        TypeError: If `tokens` are not integers, or a parameter is not a floating point array.
        ValueError: If a shape is wrong, a token is outside the vocabulary, a parameter is missing or
            unknown, or `num_heads` is no divisor.

    Examples:
        >>> forward(init_params(vocab_size=31), [[3, 1, 4]]).shape
        (1, 3, 31)

    References:
        Vaswani et al. (2017), section 3 | https://arxiv.org/abs/1706.03762
    """
    check_params(params, num_heads)
    x = _check_tokens("tokens", tokens, params)
    logits, _ = _forward(params, x, num_heads)
    return logits


def loss(params: Params, tokens: ArrayLike, targets: ArrayLike, *, num_heads: int = NUM_HEADS) -> float:
    r"""Mean cross-entropy of the next tokens, in nats.

    Args:
        params: From `init_params`.
        tokens: Integers in [0, V), shape (B, T).
        targets: The token after each of `tokens`, shape (B, T).
        num_heads: A divisor of the number of features.

    Returns:
        The loss: log V for a uniform guess, 0 for a sure and right one.

    Raises:
        TypeError: See `forward`.
        ValueError: See `forward`; also if the shapes of `tokens` and `targets` differ.

    Examples:
        >>> import numpy as np
        >>> uniform = init_params(vocab_size=31) | {"head_w": np.zeros((32, 31))}
        >>> round(loss(uniform, [[3, 1, 4]], [[1, 4, 1]]), 6), round(float(np.log(31)), 6)
        (3.433987, 3.433987)
    """
    x, y = _check_batch(params, tokens, targets, num_heads)
    logits, _ = _forward(params, x, num_heads)
    return cross_entropy(logits, y)[0]


def loss_and_grads(
    params: Params, tokens: ArrayLike, targets: ArrayLike, *, num_heads: int = NUM_HEADS
) -> tuple[float, Grads]:
    r"""The loss and its gradient with respect to every parameter, by backpropagation.

    The backward pass takes the steps of the forward pass in reverse. Rows of the embeddings that were not
    used get the gradient zero.

    Args:
        params: From `init_params`.
        tokens: Integers in [0, V), shape (B, T).
        targets: The token after each of `tokens`, shape (B, T).
        num_heads: A divisor of the number of features.

    Returns:
        The loss, and a dict of gradients with the keys, shapes and dtypes of `params`.

    Raises:
        TypeError: See `forward`.
        ValueError: See `loss`.

    Examples:
        >>> params = init_params(vocab_size=31)
        >>> value, grads = loss_and_grads(params, [[3, 1, 4]], [[1, 4, 1]])
        >>> value == loss(params, [[3, 1, 4]], [[1, 4, 1]]), grads.keys() == params.keys()
        (True, True)
    """
    x, y = _check_batch(params, tokens, targets, num_heads)
    logits, cache = _forward(params, x, num_heads)
    value, log_p = cross_entropy(logits, y)
    grads = _backward(cross_entropy_backward(log_p, y), params, x, cache)
    return value, {key: grads[key] for key in params}


def _check_tokens(name: str, tokens: ArrayLike, params: Params) -> Tokens:
    array = np.asarray(tokens)
    vocab_size, block_size = len(params["tok_emb"]), len(params["pos_emb"])
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"{name} has dtype {array.dtype}, must be integers")
    if array.ndim != 2 or array.size == 0 or array.shape[1] > block_size:
        raise ValueError(
            f"{name} has shape {array.shape}, must be (B, T) with B >= 1 and T in [1, {block_size}]"
        )
    outside = (array < 0) | (array >= vocab_size)
    if outside.any():
        raise ValueError(f"{name} contains {array[outside][0]}, must be in [0, {vocab_size})")
    return array


def _check_batch(
    params: Params, tokens: ArrayLike, targets: ArrayLike, num_heads: int
) -> tuple[Tokens, Tokens]:
    check_params(params, num_heads)
    x, y = _check_tokens("tokens", tokens, params), _check_tokens("targets", targets, params)
    if y.shape != x.shape:
        raise ValueError(f"targets has shape {y.shape}, must be {x.shape}, the shape of tokens")
    return x, y


def _forward(params: Params, tokens: Tokens, num_heads: int) -> tuple[Array, _Cache]:
    x: Array = params["tok_emb"][tokens] + params["pos_emb"][: tokens.shape[1]]  # (B, T, d)
    block_caches = []
    for layer in range(count_layers(params)):
        x, block_cache = block(x, block_params(params, layer), num_heads)
        block_caches.append(block_cache)
    normed, lnf_cache = layer_norm(x, params["lnf_g"], params["lnf_b"])
    logits = linear(normed, params["head_w"], params["head_b"])  # (B, T, V)
    return logits, (block_caches, lnf_cache, normed)


def _backward(dlogits: Array, params: Params, tokens: Tokens, cache: _Cache) -> Grads:
    block_caches, lnf_cache, normed = cache
    grads: Grads = {key: np.zeros_like(params[key]) for key in ("tok_emb", "pos_emb")}
    dnormed, grads["head_w"], grads["head_b"] = linear_backward(dlogits, normed, params["head_w"])
    dx, grads["lnf_g"], grads["lnf_b"] = layer_norm_backward(dnormed, params["lnf_g"], lnf_cache)
    for layer, block_cache in reversed(list(enumerate(block_caches))):
        dx, block_grads = block_backward(dx, block_params(params, layer), block_cache)
        grads |= {f"b{layer}.{key}": grad for key, grad in block_grads.items()}
    np.add.at(grads["tok_emb"], tokens, dx)  # a token that occurs twice collects twice
    grads["pos_emb"][: tokens.shape[1]] = dx.sum(axis=0)
    return grads
