"""Gradients by central differences, to check those written by hand."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def central_difference(
    function: Callable[[], float], array: NDArray[np.float64], step: float = 1e-6
) -> NDArray[np.float64]:
    """Slope of `function`, which reads `array`, along every entry of it."""
    slopes = np.empty_like(array)
    for index in np.ndindex(array.shape):
        kept = array[index]
        array[index] = kept + step
        above = function()
        array[index] = kept - step
        below = function()
        array[index] = kept
        slopes[index] = (above - below) / (2 * step)
    return slopes


def random_arrays(*shapes: tuple[int, ...], seed: int = 0) -> list[NDArray[Any]]:
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shape) for shape in shapes]
