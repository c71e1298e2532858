import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numerical import central_difference, random_arrays

from optim_ref.layers import layer_norm, layer_norm_backward, linear, linear_backward


@pytest.mark.equation("linear")
def test_linear_sums_weighted_inputs():
    x, weight, bias = random_arrays((2, 3, 4), (4, 5), (5,))
    y = linear(x, weight, bias)
    for b, t, j in np.ndindex(2, 3, 5):
        assert y[b, t, j] == pytest.approx(
            bias[j] + sum(x[b, t, i] * weight[i, j] for i in range(4)), abs=1e-14
        )


@pytest.mark.equation("linear-gradient")
def test_linear_backward_agrees_with_central_differences():
    x, weight, bias, dy = random_arrays((2, 3, 4), (4, 5), (5,), (2, 3, 5))
    grads = linear_backward(dy, x, weight)
    for array, grad in zip((x, weight, bias), grads, strict=True):
        expected = central_difference(lambda: float(np.sum(dy * linear(x, weight, bias))), array)
        np.testing.assert_allclose(grad, expected, atol=1e-8)


def test_layer_norm_of_known_values():
    x = np.array([1.0, 2.0, 3.0, 6.0])  # mean 3, variance (4 + 1 + 0 + 9) / 4 = 3.5
    gain, bias = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.0, 0.5, 1.0, 0.0])
    y, (_, sigma) = layer_norm(x, gain, bias, eps=0.5)
    assert sigma.item() == 2.0  # eq: layer-norm-deviation
    np.testing.assert_array_equal(y, [-1.0, -0.5, 1.0, 6.0])  # eq: layer-norm-mean, layer-norm


@given(st.floats(-1e3, 1e3), st.floats(0.1, 1e3))
def test_layer_norm_undoes_shift_and_scale(shift, scale):
    (x,) = random_arrays((5, 8))
    ones, zeros = np.ones(8), np.zeros(8)
    expected, _ = layer_norm(x, ones, zeros, eps=1e-12)
    y, _ = layer_norm(shift + scale * x, ones, zeros, eps=1e-12)
    np.testing.assert_allclose(y, expected, atol=1e-8)


def test_layer_norm_of_constant_vector_is_the_bias():
    y, _ = layer_norm(np.full((1, 3), 7.0), np.ones(3), np.array([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(y, [[1.0, 2.0, 3.0]])


@pytest.mark.equation("layer-norm-gradient")
def test_layer_norm_backward_agrees_with_central_differences():
    x, gain, bias, dy = random_arrays((2, 3, 5), (5,), (5,), (2, 3, 5))
    _, cache = layer_norm(x, gain, bias)
    grads = layer_norm_backward(dy, gain, cache)
    for array, grad in zip((x, gain, bias), grads, strict=True):
        expected = central_difference(lambda: float(np.sum(dy * layer_norm(x, gain, bias)[0])), array)
        np.testing.assert_allclose(grad, expected, atol=1e-8)
