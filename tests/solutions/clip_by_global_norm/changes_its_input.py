import numpy as np

from optim_ref import global_norm
from optim_ref import tree as trees


def clip_by_global_norm(tree, max_norm):
    norm = global_norm(tree)
    if norm > max_norm:
        for g in trees.leaves(tree):
            np.multiply(g, max_norm / norm, out=g, casting="same_kind")
    return {"clipped": tree, "global_norm": norm}
