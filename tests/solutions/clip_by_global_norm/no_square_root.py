import numpy as np

from optim_ref import tree as trees


def clip_by_global_norm(tree, max_norm):
    arrays = trees.leaves(tree)
    dtype = np.result_type(np.float32, *arrays)
    norm = sum((np.sum(array.astype(dtype) ** 2) for array in arrays), start=dtype.type(0))
    factor = 1 if norm <= max_norm else max_norm / norm
    return {"clipped": trees.map(lambda g: (factor * g).astype(g.dtype), tree), "global_norm": norm}
