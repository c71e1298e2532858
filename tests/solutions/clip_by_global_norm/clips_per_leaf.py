import numpy as np

from optim_ref import tree as trees


def norm_of(arrays):
    dtype = np.result_type(np.float32, *arrays)
    return np.sqrt(np.sum([np.sum(np.square(array.astype(dtype))) for array in arrays], dtype=dtype))


def clip_by_global_norm(tree, max_norm):
    def clip(g):
        norm = norm_of([g])
        return g.copy() if norm <= max_norm else (g * (max_norm / norm)).astype(g.dtype)

    return {"clipped": trees.map(clip, tree), "global_norm": norm_of(trees.leaves(tree))}
