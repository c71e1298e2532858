"""Tables of the pages on clipping."""

import numpy as np

from optim_ref import clip_gradients, clip_per_example, global_norm
from optim_ref.variants import VARIANTS
from optim_ref_docs.tables import Table, tex

GRADIENTS = {"w": np.array([[3.0, 6.0], [4.0, 8.0]]), "b": np.array([0.0, 1.0])}
WEIGHTS = {"w": np.array([[3.0, 0.0], [4.0, 0.0]]), "b": np.array([0.0, 0.0])}

PARAMS = {"w": np.array([1.0, -1.0]), "b": np.array(0.0)}
INPUTS = np.array([[1.0, 0.0], [2.0, 2.0], [0.0, 3.0]])
TARGETS = np.array([0.0, 1.0, 1.0])
LIMIT = 1.0


def variants() -> Table:
    """The same gradients through every variant."""
    rows: list[list[str | float]] = [["no clipping", *_shown(GRADIENTS)]]
    for variant in VARIANTS:
        rows.append([f"`{variant}`", *_shown(clip_gradients(GRADIENTS, variant, 1.0, WEIGHTS))])
    return Table("One gradient through all variants, threshold 1", ["Variant", "w", "b", "Global norm"], rows)


def _shown(gradients: dict[str, np.ndarray]) -> list[str | float]:
    return [_matrix(gradients["w"]), _matrix(gradients["b"]), float(global_norm(gradients))]


def _matrix(array: np.ndarray) -> str:
    return str(array.round(4).tolist())


def per_example() -> Table:
    """Three examples of the linear model: the norm of each gradient, and the share that is kept."""
    norms = clip_per_example(PARAMS, INPUTS, TARGETS, LIMIT)["norms"]
    kept = np.minimum(1.0, LIMIT / norms)
    rows = [
        [str(n), str(INPUTS[n].tolist()), str(TARGETS[n]), float(norms[n]), float(kept[n])]
        for n in range(len(norms))
    ]
    return Table("Three examples, limit 1", ["Example", "x", "y", "Norm of its gradient", "Share kept"], rows)


def order_matters() -> Table:
    """Clipping each example and then averaging, against averaging and then clipping."""
    each = clip_per_example(PARAMS, INPUTS, TARGETS, LIMIT)["grads"]
    mean = clip_per_example(PARAMS, INPUTS, TARGETS, np.inf)["grads"]
    clipped_mean = clip_gradients(mean, "global", LIMIT)
    rows = [
        ["clip each example, then average", *_gradient(each)],
        ["average, then clip", *_gradient(clipped_mean)],
        ["no clipping", *_gradient(mean)],
    ]
    return Table(
        "The order of clipping and averaging", ["Order", tex(r"\bar{g}_w"), tex(r"\bar{g}_b"), "Norm"], rows
    )


def _gradient(grads: dict[str, np.ndarray]) -> list[str | float]:
    return [_matrix(grads["w"]), float(grads["b"]), float(global_norm(grads))]
