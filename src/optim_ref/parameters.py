"""The parameter arrays of the transformer: keys, shapes, and refusals. Letters of shapes: see `layers`."""

from __future__ import annotations

from optim_ref import _checks, config
from optim_ref.layers import Params

type Shapes = dict[str, tuple[int, ...]]

__all__ = ["block_params", "param_shapes"]


def param_shapes(
    vocab_size: int,
    *,
    emb_dim: int = config.emb_dim,
    ff_dim: int = config.ff_dim,
    num_layers: int = config.num_layers,
    block_size: int = config.block_size,
) -> Shapes:
    r"""Key and shape of every parameter array, in the order in which the forward pass meets them.

    Weights are stored as (in, out). The arrays of two or more dimensions are those that AdamW decays: with
    two layers 15 of 38, the two embeddings, six weights per block and the head.

    Args:
        vocab_size: Number of tokens V, at least 1.
        emb_dim: Features d of a position, at least 1.
        ff_dim: Hidden features F of a feed-forward network, at least 1.
        num_layers: Number of blocks, at least 1.
        block_size: Longest sequence T, at least 1.

    Returns:
        Shapes by key: `tok_emb`, `pos_emb`, sixteen `b{l}.…` per block, `lnf_g`, `lnf_b`, `head_w`, `head_b`.

    Raises:
        TypeError: If a size is not an integer.
        ValueError: If a size is below 1.

    Examples:
        >>> shapes = param_shapes(vocab_size=31)
        >>> shapes["b0.ff1_w"], shapes["head_w"]
        ((32, 128), (32, 31))
        >>> len(shapes), sum(len(shape) >= 2 for shape in shapes.values())
        (38, 15)
    """
    V = _checks.integer("vocab_size", vocab_size, 1)
    d = _checks.integer("emb_dim", emb_dim, 1)
    F = _checks.integer("ff_dim", ff_dim, 1)
    T = _checks.integer("block_size", block_size, 1)
    shapes: Shapes = {"tok_emb": (V, d), "pos_emb": (T, d)}
    for layer in range(_checks.integer("num_layers", num_layers, 1)):
        shapes |= {f"b{layer}.{key}": shape for key, shape in _block_shapes(d, F).items()}
    return shapes | {"lnf_g": (d,), "lnf_b": (d,), "head_w": (d, V), "head_b": (V,)}


def _block_shapes(d: int, F: int) -> Shapes:
    projections = {f"w{name}": (d, d) for name in "qkvo"} | {f"b{name}": (d,) for name in "qkvo"}
    feed_forward = {"ff1_w": (d, F), "ff1_b": (F,), "ff2_w": (F, d), "ff2_b": (d,)}
    return {"ln1_g": (d,), "ln1_b": (d,)} | projections | {"ln2_g": (d,), "ln2_b": (d,)} | feed_forward


def block_params(params: Params, layer: int) -> Params:
    r"""The arrays of one block, without the prefix `b{l}.` of their keys; the arrays are not copied.

    Args:
        params: All parameters.
        layer: Number of the block, from 0.

    Returns:
        The sixteen arrays of the block.

    Examples:
        >>> from optim_ref.transformer import init_params
        >>> sorted(block_params(init_params(vocab_size=31), 0))[:3]
        ['bk', 'bo', 'bq']
    """
    prefix = f"b{layer}."
    return {key.removeprefix(prefix): array for key, array in params.items() if key.startswith(prefix)}


def count_layers(params: Params) -> int:
    """Number of distinct prefixes `b{l}.`."""
    return len({key.partition(".")[0] for key in params if "." in key})


def check_params(params: Params, num_heads: int) -> None:
    """Refuse parameters whose keys, types or shapes do not fit together, or the number of heads."""
    vocab_size, emb_dim = _matrix_shape(params, "tok_emb")
    shapes = param_shapes(
        vocab_size,
        emb_dim=emb_dim,
        ff_dim=_matrix_shape(params, "b0.ff1_w")[1],
        num_layers=count_layers(params),
        block_size=_matrix_shape(params, "pos_emb")[0],
    )
    if params.keys() != shapes.keys():
        missing, unknown = sorted(shapes.keys() - params.keys()), sorted(params.keys() - shapes.keys())
        raise ValueError(f"params lacks the keys {missing}, and must not have {unknown}")
    for key, shape in shapes.items():
        name = f"params[{key!r}]"
        _checks.same_shape(name, _checks.numpy_array(name, params[key]), shape)
    if emb_dim % _checks.integer("num_heads", num_heads, 1) != 0:
        raise ValueError(f"num_heads = {num_heads} must be a divisor of {emb_dim}, the number of features")


def _matrix_shape(params: Params, key: str) -> tuple[int, int]:
    if key not in params:
        raise ValueError(f"params lacks the key {key!r}")
    shape = _checks.numpy_array(f"params[{key!r}]", params[key]).shape
    if len(shape) != 2:
        raise ValueError(f"params[{key!r}] has shape {shape}, must have two dimensions")
    return shape
