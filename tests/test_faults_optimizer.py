"""What users of comparable projects reported about optimizers and schedules (O-lines), set right."""

import re
from pathlib import Path

import numpy as np
import pytest

from optim_ref import AdamW, warmup_cosine


def one_step(param, grad, lr, ndim=2, dtype=np.float64, **settings):
    params = {"p": np.full((1,) * ndim, param, dtype)}
    AdamW(params, **settings).step(params, {"p": np.full((1,) * ndim, grad, dtype)}, lr)
    return params["p"].item()


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
    files = [path.read_text() for path in Path(__file__).parent.glob("test_faults_*.py")]
    here = {int(n) for n in re.findall(r"def test_o(\d+)_", "".join(files))}
    assert here == listed | {53, 54, 60, 63}
