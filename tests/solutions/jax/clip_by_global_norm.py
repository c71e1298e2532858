import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    flat = jnp.concatenate([jnp.zeros(1), *(jnp.ravel(leaf) for leaf in jax.tree.leaves(tree))])
    largest = jnp.max(jnp.abs(flat))
    scale = jnp.where((largest > 0) & (largest < jnp.inf), largest, 1)
    norm = scale * jnp.sqrt(jnp.sum(jnp.square(flat / scale)))
    factor = jnp.where(norm <= max_norm, 1, max_norm / jnp.where(norm <= max_norm, 1, norm))
    return {"clipped": jax.tree.map(lambda leaf: factor * leaf, tree), "global_norm": norm}
