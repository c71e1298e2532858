import jax.numpy as jnp

from optim_ref import tree as trees


def clip_by_global_norm(tree, max_norm):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in trees.leaves(tree)))
    if norm > max_norm:
        tree = trees.map(lambda leaf: leaf * max_norm / norm, tree)
    return {"clipped": tree, "global_norm": norm}
