import numpy as np
import pytest
from numerical import central_difference, random_arrays

from optim_ref.attention import multi_head_attention
from optim_ref.block import block, block_backward, feed_forward, feed_forward_backward
from optim_ref.layers import layer_norm
from optim_ref.parameters import block_params, param_shapes


def random_block(d=4, ff_dim=6):
    shapes = block_params(param_shapes(3, emb_dim=d, ff_dim=ff_dim, num_layers=1), 0)
    return dict(zip(shapes, random_arrays(*shapes.values(), seed=1), strict=True))


@pytest.mark.equation("feed-forward")
def test_feed_forward_of_known_values():
    params = {
        "ff1_w": np.array([[1.0, -1.0]]),
        "ff1_b": np.array([1.0, 0.0]),
        "ff2_w": np.array([[10.0], [100.0]]),
        "ff2_b": np.array([0.5]),
    }
    y, _ = feed_forward(np.array([[2.0], [-3.0]]), params)  # hidden units [3, 0] and [0, 3]
    np.testing.assert_array_equal(y, [[30.5], [300.5]])


@pytest.mark.equation("relu-gradient")
def test_feed_forward_backward_agrees_with_central_differences():
    params, (x, dy) = random_block(), random_arrays((2, 3, 4), (2, 3, 4))
    params = {key: params[key] for key in ("ff1_w", "ff1_b", "ff2_w", "ff2_b")}
    _, cache = feed_forward(x, params)
    dx, grads = feed_forward_backward(dy, params, cache)
    for array, grad in [(x, dx), *((params[key], grads[key]) for key in params)]:
        expected = central_difference(lambda: float(np.sum(dy * feed_forward(x, params)[0])), array)
        np.testing.assert_allclose(grad, expected, atol=1e-8)


def test_feed_forward_backward_stops_at_exactly_zero():
    params = {"ff1_w": np.eye(1), "ff1_b": np.zeros(1), "ff2_w": np.eye(1), "ff2_b": np.zeros(1)}
    _, cache = feed_forward(np.zeros((1, 1)), params)
    assert feed_forward_backward(np.ones((1, 1)), params, cache)[0].item() == 0.0


@pytest.mark.equation("pre-norm-attention")
@pytest.mark.equation("pre-norm-feed-forward")
def test_block_adds_each_branch_to_its_input():
    params, (x,) = random_block(), random_arrays((1, 3, 4))
    y, _ = block(x, params, num_heads=2)
    attended, _ = multi_head_attention(layer_norm(x, params["ln1_g"], params["ln1_b"])[0], params, 2)
    fed, _ = feed_forward(layer_norm(x + attended, params["ln2_g"], params["ln2_b"])[0], params)
    np.testing.assert_allclose(y - x, attended + fed, atol=1e-13)


def test_block_backward_agrees_with_central_differences():
    params, (x, dy) = random_block(), random_arrays((2, 3, 4), (2, 3, 4))
    _, cache = block(x, params, num_heads=2)
    dx, grads = block_backward(dy, params, cache)
    assert grads.keys() == params.keys()
    for array, grad in [(x, dx), *((params[key], grads[key]) for key in params)]:
        expected = central_difference(lambda: float(np.sum(dy * block(x, params, 2)[0])), array)
        np.testing.assert_allclose(grad, expected, atol=1e-6)
