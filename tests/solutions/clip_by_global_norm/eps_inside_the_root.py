import numpy as np

from optim_ref import tree as trees

EPS = 1e-12


def clip_by_global_norm(tree, max_norm):
    arrays = trees.leaves(tree)
    dtype = np.result_type(np.float32, *arrays)
    squares = [np.sum(np.square(array, dtype=dtype)) for array in arrays]
    norm = np.sqrt(np.sum(squares, dtype=dtype) + dtype.type(EPS))
    factor = np.where(norm > max_norm, max_norm / norm, 1)
    return {"clipped": trees.map(lambda g: (g * factor).astype(g.dtype), tree), "global_norm": norm}
