"""Numbers for generated cases, the same in every Python and on every machine."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from optim_ref import tree as trees

__all__ = ["Draw", "plain_norm"]


class Draw:
    """Draws from one seed. Only `random()` itself, whose sequence Python promises to keep."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def number(self, low: float, high: float) -> float:
        """A float between the two."""
        return low + (high - low) * self._random.random()

    def integer(self, low: int, high: int) -> int:
        """An integer between the two, both of them possible."""
        return low + int((high - low + 1) * self._random.random())

    def array(self, *shape: int, size: float = 1.0, dtype: DTypeLike = np.float64) -> NDArray[Any]:
        """An array with entries of up to `size`, of both signs."""
        numbers = [self.number(-size, size) for _ in range(math.prod(shape))]
        return np.array(numbers, dtype).reshape(shape)

    def tree(self, depth: int = 2) -> Any:
        """A nesting of dicts, lists and tuples around arrays of zero to three dimensions."""
        if depth == 0 or self._random.random() < 0.2:
            return self.array(*(self.integer(1, 3) for _ in range(self.integer(0, 3))))
        children = [self.tree(depth - 1) for _ in range(self.integer(1, 3))]
        kind = self.integer(0, 3)
        if kind >= 2:
            return {f"layer{i}": child for i, child in enumerate(children)}
        return children if kind == 1 else tuple(children)


def plain_norm(tree: Any, dtype: DTypeLike | None = None) -> Any:
    """The norm as it is written in haste: squares in `dtype`, or else in each array's own, and no scaling."""
    squares = [np.sum(np.square(np.asarray(leaf, dtype or leaf.dtype))) for leaf in trees.leaves(tree)]
    return np.sqrt(np.sum(np.array(squares, dtype)))
