"""What users of comparable projects reported about clipping (O-lines of the faults), set right."""

import numpy as np
import pytest

from optim_ref import (
    clip_by_global_norm,
    clip_grad_norm,
    clip_grad_value,
    clip_gradients,
    clipped_mean,
    global_norm,
    tree,
)
from optim_ref.variants import unit_norm


def test_o1_a_hundred_large_gradients_in_float32():
    grads = [np.full(100, 1e20, np.float32)]
    assert clip_grad_norm(grads, 1.0) == pytest.approx(1e21, rel=1e-6)
    np.testing.assert_allclose(grads[0], 0.1, rtol=1e-6)


def test_o2_a_norm_that_is_not_finite_raises_and_touches_nothing():
    grad = np.array([np.inf, 1.0])
    with pytest.raises(ValueError, match="must be finite"):
        clip_grad_norm([grad], 1.0, error_if_nonfinite=True)
    assert grad.tolist() == [np.inf, 1.0]


@pytest.mark.parametrize("clip", [clip_grad_norm, clip_grad_value, clip_by_global_norm])
def test_o3_a_negative_limit_is_refused(clip):
    grad = np.array([3.0, 4.0])
    with pytest.raises(ValueError, match=r"= -1.0 must be in \[0, inf\]"):
        clip([grad], -1)
    assert grad.tolist() == [3.0, 4.0]


def test_o4_a_clipped_gradient_has_exactly_the_limit_for_its_norm():
    grad = np.array([0.02])
    clip_grad_norm([grad], 0.01)
    assert grad.tolist() == [0.01]
    assert clip_by_global_norm([np.array([0.02])], 0.01)["clipped"][0].tolist() == [0.01]


def test_o5_zeros_at_a_limit_of_zero_stay_zeros():
    assert clip_by_global_norm([np.zeros(3)], 0.0)["clipped"][0].tolist() == [0.0, 0.0, 0.0]


def test_o9_three_dtypes_have_one_norm_and_keep_their_own():
    grads = [np.array([3.0], np.float32), np.array([4.0]), np.array([12.0], np.float16)]
    assert clip_grad_norm(grads, 1.0) == 13.0
    assert [g.dtype for g in grads] == [np.float32, np.float64, np.float16]
    np.testing.assert_allclose([g.item() for g in grads], [3 / 13, 4 / 13, 12 / 13], rtol=4e-4)


def test_o12_a_large_gradient_in_float16():
    grad = np.array([300.0], np.float16)
    assert clip_grad_norm([grad], 1.0) == 300.0
    assert grad.tolist() == [1.0]


def test_o13_small_gradients_in_float16():
    grad = np.array([1e-4, 1e-4], np.float16)
    before = grad.astype(np.float64)
    assert clip_grad_norm([grad], 1e-5) == pytest.approx(1.414e-4, rel=1e-3)
    np.testing.assert_allclose(grad / before, 0.0707, rtol=1e-2)  # 7e-6 is subnormal in float16


def test_o16_nothing_at_all_has_infinity_norm_zero():
    assert global_norm([np.empty(0)], np.inf) == 0.0
    assert clip_grad_norm([np.empty(0)], 1.0, np.inf) == 0.0


@pytest.mark.parametrize(
    "use",
    [
        tree.leaves,
        global_norm,
        lambda grads: clip_grad_norm(grads, 1.0),
        lambda grads: clip_grad_value(grads, 1.0),
        lambda grads: clip_by_global_norm(grads, 1.0),
        lambda grads: clip_gradients(grads, "global"),
        lambda grads: clipped_mean(grads, 1.0),
    ],
)
def test_o18_a_generator_is_refused(use):
    exhausted = (grad for grad in [np.ones(2)])
    next(exhausted)
    with pytest.raises(TypeError, match="generator"):
        use(exhausted)


def test_o19_the_norm_returned_is_the_one_before_clipping():
    grad = np.array([3.0, 4.0])
    assert clip_grad_norm([grad], 1.0) == 5.0
    np.testing.assert_allclose(grad, [0.6, 0.8], rtol=2e-16)


def test_o21_a_limit_of_zero_gives_zeros():
    grad = np.array([3.0, 4.0])
    clip_grad_norm([grad], 0.0)
    assert grad.tolist() == [0.0, 0.0]


def test_o22_global_and_per_layer_differ():
    grads = [np.array([3.0]), np.array([4.0])]
    together = [g.item() for g in clip_gradients(grads, "global", 1.0)]
    np.testing.assert_allclose(together, [0.6, 0.8], rtol=2e-16)
    assert [g.item() for g in clip_gradients(grads, "per-layer", 1.0)] == [1.0, 1.0]


def test_o24_scaled_gradients_are_unscaled_before_clipping():
    scaled = np.array([0.5 * 65536])
    clip_grad_norm([unscaled := scaled / 65536], 1.0)
    assert unscaled.tolist() == [0.5]
    clip_grad_norm([scaled], 1.0)
    assert (scaled / 65536).tolist() == [2**-16]  # the fault: scaling undone after clipping


def test_o25_accumulated_gradients_are_clipped_once():
    total = np.array([2.0, 0.0]) + np.array([0.0, 2.0])
    clip_grad_norm([total], 1.0)
    np.testing.assert_allclose(total, [0.7071, 0.7071], rtol=1e-4)


def test_o60_a_unit_is_one_output_of_a_weight_stored_in_out():
    weight = np.arange(1.0, 13.0).reshape(3, 4)
    assert unit_norm(weight).shape == (1, 4)
    assert unit_norm(weight.T).shape == (1, 3)  # the same weight, had it been stored (out, in)
    clipped = clip_gradients(100 * weight, "adaptive", 0.5, weight)
    np.testing.assert_allclose(unit_norm(clipped), 0.5 * unit_norm(weight), rtol=1e-15)


def test_o63_the_mean_is_over_the_examples_given():
    drawn, expected = np.full((14, 1), 32 / 14), 16
    mean = clipped_mean([drawn], 10.0)["grads"][0].item()
    assert mean == pytest.approx(32 / 14, rel=1e-15)
    assert mean * len(drawn) / expected == pytest.approx(2.0, rel=1e-15)  # what DP-SGD divides by
