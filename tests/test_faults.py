"""What users of comparable projects reported (the O-lines of the faults), each with its right value."""

import re
from pathlib import Path

import numpy as np
import pytest

from optim_ref import (
    AdamW,
    clip_by_global_norm,
    clip_grad_norm,
    clip_grad_value,
    clip_gradients,
    clipped_mean,
    global_norm,
    tree,
    warmup_cosine,
)
from optim_ref.variants import unit_norm


def one_step(param, grad, lr, ndim=2, dtype=np.float64, **settings):
    params = {"p": np.full((1,) * ndim, param, dtype)}
    AdamW(params, **settings).step(params, {"p": np.full((1,) * ndim, grad, dtype)}, lr)
    return params["p"].item()


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


def test_o28_decay_is_decoupled():
    assert one_step(1.0, 0.0, 0.1, weight_decay=0.1) == pytest.approx(0.99, rel=1e-15)
    l2 = one_step(1.0, 0.1 * 1.0, 0.1, weight_decay=0.0)  # Adam with L2 puts the decay into the gradient
    assert l2 == pytest.approx(0.9, rel=1e-7)


def test_o29_decay_is_multiplied_by_the_learning_rate():
    assert one_step(1.0, 0.0, 1e-3, weight_decay=0.01) == pytest.approx(0.99999, rel=1e-15)


def test_o31_decay_reads_the_parameter_before_the_step():
    assert one_step(1.0, 1.0, 0.1, weight_decay=0.1, eps=0.0) == pytest.approx(0.89, rel=1e-15)


def test_o32_gains_of_normalisation_do_not_decay():
    params = {"gain": np.ones(2)}
    AdamW(params, weight_decay=0.1).step(params, {"gain": np.zeros(2)}, 0.1)
    assert params["gain"].tolist() == [1.0, 1.0]


def test_o36_eps_stands_after_the_bias_correction():
    here = -one_step(0.0, 1e-8, 0.1, eps=1e-8, weight_decay=0.0)
    assert here == pytest.approx(0.05, rel=1e-7)
    keras = -one_step(0.0, 1e-8, 0.1, eps=1e-8 / (1 - 0.999) ** 0.5, weight_decay=0.0)
    assert keras == pytest.approx(0.003065, rel=1e-3)


def test_o38_eps_stands_inside_the_denominator():
    assert one_step(1.0, 1.0, 0.01, eps=1e-6, weight_decay=0.0) == pytest.approx(0.99000001, rel=1e-9)


def test_o40_a_float16_parameter_without_gradient_is_unchanged():
    assert one_step(1.0, 0.0, 0.1, dtype=np.float16, weight_decay=0.0) == 1.0
    assert one_step(1.0, 0.0, 0.1, ndim=1, dtype=np.float16) == 1.0


def test_o41_the_counter_is_an_integer():
    params = {"p": np.ones(1)}
    optimizer = AdamW(params)
    optimizer.t = 2**24
    for _ in range(2):
        optimizer.step(params, {"p": np.ones(1)}, 0.1)
    assert optimizer.t == 2**24 + 2


def test_o42_beta1_may_be_the_integer_zero():
    params = {"p": np.zeros(1)}
    optimizer = AdamW(params, beta1=0, beta2=0, eps=0.0)
    for grad in (2.0, -0.5):
        optimizer.step(params, {"p": np.array([grad])}, 0.1)
    assert optimizer.m["p"].item() == -0.5
    assert params["p"].item() == 0.0  # one step down, one up


@pytest.mark.parametrize("grad", [1e-3, 0.5, 1e3])
def test_o45_the_first_step_has_the_size_of_the_learning_rate(grad):
    assert one_step(0.0, grad, 0.1, weight_decay=0.0) == pytest.approx(-0.1, rel=1e-4)


def test_o46_the_first_step_of_a_warmup_has_rate_zero():
    assert warmup_cosine(0, 100, 1000, 1.0, 0.1) == 0.0
    assert warmup_cosine(1, 100, 1000, 1.0, 0.1) == 0.01


def test_o47_warmup_may_take_all_steps():
    assert [warmup_cosine(s, 10, 10, 1.0, 0.1) for s in (5, 10, 11)] == [0.5, 1.0, 0.1]


def test_o53_beyond_the_total_the_rate_stays_at_the_minimum():
    assert [warmup_cosine(s, 10, 100, 1.0, 0.1) for s in (100, 101, 190, 1000)] == [0.1] * 4


def test_o54_the_total_includes_the_warmup():
    assert warmup_cosine(55, 10, 100, 1.0, 0.0) == pytest.approx(0.5, rel=1e-15)


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


def test_every_line_of_the_list_is_here():
    listed = {
        1,
        2,
        3,
        4,
        5,
        9,
        12,
        13,
        16,
        18,
        19,
        21,
        22,
        24,
        25,
        28,
        29,
        31,
        32,
        36,
        38,
        40,
        41,
        42,
        45,
        46,
        47,
    }
    here = {int(n) for n in re.findall(r"def test_o(\d+)_", Path(__file__).read_text())}
    assert here == listed | {53, 54, 60, 63}
