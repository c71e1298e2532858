"""The text to train on: its characters as tokens, and random windows of them."""

from __future__ import annotations

from importlib import resources

import numpy as np
from numpy.typing import ArrayLike

from optim_ref import _checks
from optim_ref.layers import Tokens

__all__ = ["encode", "load_text", "random_windows"]


def load_text() -> str:
    r"""The text that the package ships: about four thousand characters on walking downhill in the mist.

    Written for this package, under its licence. It repeats itself enough for a small transformer to learn it.

    Returns:
        The text: lower-case letters, four punctuation marks, spaces and line ends.

    Examples:
        >>> load_text().splitlines()[0]
        'this is the hill that stands in the mist.'
    """
    return resources.files("optim_ref").joinpath("data", "downhill.txt").read_text(encoding="utf-8")


def encode(text: str) -> tuple[Tokens, str]:
    r"""Characters as tokens.

    Args:
        text: At least one character.

    Returns:
        The tokens, shape (len(text),), and the vocabulary: the distinct characters in sorted order. Token
        `i` stands for `vocabulary[i]`.

    Raises:
        ValueError: If `text` is empty.

    Examples:
        >>> tokens, vocabulary = encode("hello")
        >>> tokens, vocabulary
        (array([1, 0, 2, 2, 3]), 'ehlo')
    """
    if not text:
        raise ValueError("text = '' must hold at least one character")
    vocabulary = "".join(sorted(set(text)))
    index = {character: token for token, character in enumerate(vocabulary)}
    return np.array([index[character] for character in text]), vocabulary


def random_windows(
    tokens: ArrayLike, block_size: int, batch_size: int, rng: np.random.Generator
) -> tuple[Tokens, Tokens]:
    r"""A batch of windows at random places of a text, and the same windows one character on.

    Every place where a window fits is equally likely, and one may come twice in a batch.

    Args:
        tokens: The text, integers, shape (n,) with n above `block_size`.
        block_size: Length T of a window, at least 1.
        batch_size: Number B of windows, at least 1.
        rng: Where the places are drawn from; a generator of the same seed gives the same windows on every
            platform.

    Returns:
        Inputs and targets, each of shape (B, T): the target at a position is the token after the input there.

    Raises:
        TypeError: If `tokens` are not integers, or a size is not an integer.
        ValueError: If `tokens` are not a sequence of more than `block_size`, or a size is below 1.

    Examples:
        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> random_windows(np.arange(5), block_size=4, batch_size=1, rng=rng)  # one place fits
        (array([[0, 1, 2, 3]]), array([[1, 2, 3, 4]]))
    """
    text = np.asarray(tokens)
    length = _checks.integer("block_size", block_size, 1)
    count = _checks.integer("batch_size", batch_size, 1)
    if not np.issubdtype(text.dtype, np.integer):
        raise TypeError(f"tokens has dtype {text.dtype}, must be integers")
    if text.ndim != 1 or text.size <= length:
        raise ValueError(f"tokens has shape {text.shape}, must be (n,) with n above {length}, the block size")
    starts = rng.integers(text.size - length, size=count)  # (B,)
    windows = text[starts[:, np.newaxis] + np.arange(length + 1)]  # (B, T + 1)
    return windows[:, :-1], windows[:, 1:]
