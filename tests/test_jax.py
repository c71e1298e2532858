"""The same lines on JAX arrays, also inside `jax.jit`, give what they give on NumPy arrays."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from optim_ref import (
    clip_by_global_norm,
    clip_factor,
    clip_gradients,
    clip_per_example,
    clipped_mean,
    global_norm,
    tree,
)
from optim_ref.variants import VARIANTS

DTYPES = ["float16", "bfloat16", "float32"]
RTOL = {"float16": 1e-3, "bfloat16": 8e-3, "float32": 2e-6, "float64": 1e-13}


def random_tree(seed, dtype):
    random = np.random.default_rng(seed)

    def array(*shape):
        return jnp.asarray(3 * random.normal(size=shape), dtype=dtype)

    return {"w": array(3, 4), "b": ({"deep": array(4)}, [array(), None]), "empty": array(0, 2)}


def on_numpy(nested):
    return tree.map(np.asarray, nested)


def assert_same(got, want):
    """Same structure, shapes and dtypes, and values equal within the rounding of the dtype."""
    assert jax.tree.structure(got) == jax.tree.structure(want)
    for g, w in zip(tree.leaves(got), tree.leaves(want), strict=True):
        assert isinstance(g, jax.Array)
        assert g.shape == w.shape
        assert g.dtype == w.dtype
        np.testing.assert_allclose(np.float64(g), np.float64(w), rtol=RTOL[str(g.dtype)], atol=1e-30)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("max_norm", [0.0, 0.5, 1e3])
def test_clip_by_global_norm_equals_numpy_inside_jit(dtype, max_norm):
    grads = random_tree(0, dtype)
    want = clip_by_global_norm(on_numpy(grads), max_norm)
    assert_same(clip_by_global_norm(grads, max_norm), want)
    assert_same(jax.jit(clip_by_global_norm)(grads, max_norm), want)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_clip_gradients_equals_numpy_inside_jit(dtype, variant):
    grads, weights = random_tree(1, dtype), random_tree(2, dtype)
    want = clip_gradients(on_numpy(grads), variant, 0.3, on_numpy(weights), 1e-2)
    traced = jax.jit(lambda g, limit, w, epsilon: clip_gradients(g, variant, limit, w, epsilon))
    assert_same(clip_gradients(grads, variant, 0.3, weights, 1e-2), want)
    assert_same(traced(grads, 0.3, weights, 1e-2), want)


@pytest.mark.parametrize("variant", VARIANTS)
def test_clip_gradients_takes_numpy_weights_inside_jit(variant):
    grads, weights = random_tree(1, "float32"), random_tree(2, "float32")
    want = clip_gradients(on_numpy(grads), variant, 0.3, on_numpy(weights))
    assert_same(jax.jit(lambda g: clip_gradients(g, variant, 0.3, on_numpy(weights)))(grads), want)


def linear_problem(dtype, number=5):
    random = np.random.default_rng(3)
    params = {"w": jnp.asarray(random.normal(size=3), dtype), "b": jnp.asarray(0.5, dtype)}
    return (
        params,
        jnp.asarray(random.normal(size=(number, 3)), dtype),
        jnp.asarray(random.normal(size=number), dtype),
    )


@pytest.mark.parametrize("max_norm", [0.0, 0.5, 1e3])
def test_clip_per_example_equals_numpy_inside_jit(max_norm):
    params, x, y = linear_problem("float32")
    want = clip_per_example(on_numpy(params), np.asarray(x), np.asarray(y), max_norm)
    assert_same(clip_per_example(params, x, y, max_norm), want)
    assert_same(jax.jit(clip_per_example)(params, x, y, max_norm), want)


def loss(params, x, y):
    return 0.5 * (x @ params["w"] + params["b"] - y) ** 2


@pytest.mark.parametrize("max_norm", [0.5, 1e3])
def test_clip_per_example_equals_vmap_of_grad(max_norm):
    params, x, y = linear_problem("float32")
    each = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, x, y)
    norms = jnp.sqrt(each["b"] ** 2 + (each["w"] ** 2).sum(axis=1))
    factor = jnp.minimum(1.0, max_norm / norms)
    want = {"w": (factor[:, None] * each["w"]).mean(axis=0), "b": (factor * each["b"]).mean()}
    got = jax.jit(clip_per_example)(params, x, y, max_norm)
    for k, grad in want.items():
        np.testing.assert_allclose(got["grads"][k], grad, rtol=2e-5, atol=1e-7)
    np.testing.assert_allclose(got["norms"], norms, rtol=2e-6)
    np.testing.assert_allclose(clipped_mean(each, max_norm)["grads"]["w"], want["w"], rtol=2e-5, atol=1e-7)


def test_values_of_the_issue_hold():
    tree_ = {"w": jnp.array([3.0, 0.0]), "b": jnp.array(4.0)}
    result = jax.jit(clip_by_global_norm)(tree_, 1.0)
    np.testing.assert_allclose(result["clipped"]["w"], [0.6, 0.0], rtol=1e-6)
    np.testing.assert_allclose(result["clipped"]["b"], 0.8, rtol=1e-6)
    assert result["global_norm"] == 5.0
    params = {"w": jnp.array([1.0, -1.0]), "b": jnp.array(0.0)}
    x, y = jnp.array([[1.0, 0.0], [2.0, 2.0], [0.0, 3.0]]), jnp.array([0.0, 1.0, 1.0])
    result = jax.jit(clip_per_example)(params, x, y, 1.0)
    np.testing.assert_allclose(result["grads"]["w"], [0.01348, -0.53845], rtol=1e-4)
    np.testing.assert_allclose(result["grads"]["b"], 0.019182, rtol=1e-4)
    np.testing.assert_allclose(result["norms"], [1.414214, 3.0, 12.649111], rtol=1e-6)


def test_an_example_without_gradient_contributes_zero_inside_jit():
    params, x, y = (
        {"w": jnp.array([1.0]), "b": jnp.array(0.0)},
        jnp.array([[2.0], [1.0]]),
        jnp.array([2.0, 0.0]),
    )
    for max_norm in (0.0, 1.0):
        result = jax.jit(clip_per_example)(params, x, y, max_norm)
        np.testing.assert_allclose(result["grads"]["w"], max_norm * 0.5**0.5 / 2, rtol=1e-6)


@pytest.mark.parametrize("size", [1e38, 1e20, 1e-20])
def test_norms_neither_overflow_nor_underflow_inside_jit(size):
    grads = [jnp.full(4, size / 2, jnp.float32)]
    result = jax.jit(clip_by_global_norm)(grads, size / 4)
    np.testing.assert_allclose(result["global_norm"], size, rtol=1e-6)
    np.testing.assert_allclose(result["clipped"][0], np.full(4, size / 8), rtol=1e-6)


def test_float64_stays_float64_where_jax_has_it():
    with jax.enable_x64(True):
        grads = random_tree(4, "float64")
        want = clip_by_global_norm(on_numpy(grads), 0.5)
        got = jax.jit(clip_by_global_norm)(grads, 0.5)
        assert got["global_norm"].dtype == "float64"
        assert_same(got, want)


def test_concrete_values_are_checked_and_traced_ones_are_not():
    grads = [jnp.ones(2)]
    for bad in (-1.0, jnp.array(-1.0)):
        with pytest.raises(ValueError, match="max_norm"):
            clip_by_global_norm(grads, bad)
    jax.jit(clip_by_global_norm)(grads, -1.0)
    with pytest.raises(TypeError, match=r"tree\[0\] has dtype int32"):
        jax.jit(clip_by_global_norm)([jnp.ones(2, int)], 1.0)


def test_global_norm_and_clip_factor_run_under_vmap_and_grad():
    rows = jnp.array([[3.0, 4.0], [0.3, 0.4]])
    norms = jax.vmap(global_norm)(rows)
    np.testing.assert_allclose(norms, [5.0, 0.5], rtol=1e-6)
    np.testing.assert_allclose(jax.vmap(clip_factor, in_axes=(0, None))(norms, 1.0), [0.2, 1.0], rtol=1e-6)
    np.testing.assert_allclose(jax.grad(global_norm)(rows[0]), [0.6, 0.8], rtol=1e-6)
