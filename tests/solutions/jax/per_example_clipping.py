import jax
import jax.numpy as jnp


def loss(params, x, y):
    return 0.5 * (x @ params["w"] + params["b"] - y) ** 2


@jax.jit
def clip_per_example(params, x, y, max_norm):
    grads = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, x, y)
    flat = jnp.concatenate([grads["w"], grads["b"][:, None]], axis=1)
    largest = jnp.max(jnp.abs(flat), axis=1, keepdims=True)
    scale = jnp.where(largest > 0, largest, 1)
    norms = scale[:, 0] * jnp.sqrt(jnp.sum(jnp.square(flat / scale), axis=1))
    factors = jnp.where(norms <= max_norm, 1, max_norm / jnp.where(norms <= max_norm, 1, norms))
    means = jnp.mean(factors[:, None] * flat, axis=0)
    return {"grads": {"w": means[:-1], "b": means[-1]}, "norms": norms}
