import numpy as np

from optim_ref import tree as trees


def clip_by_global_norm(tree, max_norm):
    arrays = trees.leaves(tree)
    total = np.float32(0)
    for array in arrays:
        total += np.sum(array.astype(np.float32) ** 2)
    norm = np.sqrt(total).astype(np.result_type(np.float32, *arrays))
    factor = max_norm / norm if norm > max_norm else 1.0
    return {"clipped": trees.map(lambda g: (g * factor).astype(g.dtype), tree), "global_norm": norm}
