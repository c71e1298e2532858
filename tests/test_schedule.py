"""The learning rate against values worked out by hand."""

import math
import re

import numpy as np
import pytest

from optim_ref import warmup_cosine


@pytest.mark.equation("linear-warmup")
@pytest.mark.parametrize(("step", "expected"), [(0, 0.0), (1, 0.25), (2, 0.5), (6, 1.5), (7, 1.75)])
def test_warmup_cosine_rises_linearly(step, expected):
    assert warmup_cosine(step, 8, 20, 2.0, 0.5) == expected


@pytest.mark.equation("peak-rate")
@pytest.mark.parametrize(("warmup", "total"), [(0, 0), (0, 10), (1, 10), (8, 20), (20, 20)])
@pytest.mark.parametrize("lr_max", [2.0, 0.1, 1e-3])
def test_warmup_cosine_reaches_the_peak_exactly(warmup, total, lr_max):
    assert warmup_cosine(warmup, warmup, total, lr_max, 0.3) == lr_max


@pytest.mark.equation("decay-progress")
@pytest.mark.equation("cosine-decay")
@pytest.mark.parametrize(
    ("step", "cosine"),
    [(10, 0.5**0.5), (8 + 4, 0.0), (8 + 2, 0.5**0.5), (8 + 6, -(0.5**0.5)), (9, math.cos(math.pi / 8))],
)
def test_warmup_cosine_falls_along_half_a_cosine(step, cosine):
    # eight steps of decay, from 3 to 1: the middle is 2, and the cosine of eighths of half a turn
    assert warmup_cosine(step, 8, 16, 3.0, 1.0) == pytest.approx(2 + cosine, rel=1e-15)


@pytest.mark.equation("cosine-decay")
@pytest.mark.parametrize(
    ("lr_max", "lr_min", "middle"), [(3.0, 1.0, 2.0), (4.0, 0.0, 2.0), (1.0, 5.0, 3.0), (2.0, 2.0, 2.0)]
)
def test_warmup_cosine_is_half_way_in_the_middle(lr_max, lr_min, middle):
    assert warmup_cosine(6, 2, 10, lr_max, lr_min) == pytest.approx(middle, rel=1e-15)


@pytest.mark.equation("decay-progress")
@pytest.mark.parametrize(("warmup", "total", "third"), [(0, 9, 3), (3, 12, 6), (10, 40, 20), (5, 8, 6)])
def test_warmup_cosine_counts_the_warmup_into_the_total(warmup, total, third):
    # a third of half a turn has cosine 1/2
    assert warmup_cosine(third, warmup, total, 4.0, 0.0) == pytest.approx(3.0, rel=1e-15)


@pytest.mark.equation("final-rate")
@pytest.mark.parametrize("step", [20, 21, 35, 10**9])
def test_warmup_cosine_stays_at_the_end(step):
    assert warmup_cosine(step, 8, 20, 2.0, 0.3) == 0.3


@pytest.mark.equation("final-rate")
@pytest.mark.parametrize("total", [0, 1, 7])
def test_warmup_cosine_is_defined_where_warmup_takes_all_steps(total):
    curve = warmup_cosine(np.arange(total + 3), total, total, 2.0, 0.5)
    assert curve[total:].tolist() == [2.0, 0.5, 0.5]


def test_warmup_cosine_returns_a_float_for_a_step_and_an_array_for_an_array():
    assert type(warmup_cosine(3, 8, 20, 2.0, 0.5)) is float
    assert type(warmup_cosine(np.int32(3), 8, 20, 2.0, 0.5)) is float
    steps = np.arange(24).reshape(2, 3, 4)
    curve = warmup_cosine(steps, 8, 20, 2.0, 0.5)
    assert curve.shape == steps.shape
    assert curve.dtype == np.float64
    assert curve.ravel().tolist() == [warmup_cosine(s, 8, 20, 2.0, 0.5) for s in range(24)]
    assert warmup_cosine(np.array([], int), 8, 20, 2.0, 0.5).shape == (0,)


def test_warmup_cosine_does_not_overflow_at_huge_rates():
    assert warmup_cosine(7, 10, 20, 1e308, 0.0) == 1e308 * 0.7


VALID = {"step": 3, "warmup_steps": 8, "total_steps": 20, "lr_max": 2.0, "lr_min": 0.5}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("step", -1, "step = -1 must be in [0, inf)"),
        ("step", np.array([3, -1]), "step = array([ 3, -1]) must be in [0, inf)"),
        ("warmup_steps", -1, "warmup_steps = -1 must be in [0, inf)"),
        ("total_steps", 7, "total_steps = 7 must be in [8, inf)"),
        ("lr_max", -1.0, "lr_max = -1.0 must be in [0, inf)"),
        ("lr_max", math.nan, "lr_max = nan must be in [0, inf)"),
        ("lr_max", math.inf, "lr_max = inf must be in [0, inf)"),
        ("lr_min", -0.1, "lr_min = -0.1 must be in [0, inf)"),
        ("lr_min", math.nan, "lr_min = nan must be in [0, inf)"),
    ],
)
def test_warmup_cosine_refuses_values_out_of_range(name, value, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        warmup_cosine(**VALID | {name: value})


@pytest.mark.parametrize("name", ["step", "warmup_steps", "total_steps"])
@pytest.mark.parametrize("value", [3.0, "3", None, True, [0.5]])
def test_warmup_cosine_refuses_steps_that_are_no_integers(name, value):
    with pytest.raises(TypeError, match=f"{name} = .* must be an integer"):
        warmup_cosine(**VALID | {name: value})


@pytest.mark.parametrize("name", ["lr_max", "lr_min"])
@pytest.mark.parametrize("value", ["3", None, True, [0.5]])
def test_warmup_cosine_refuses_rates_that_are_no_numbers(name, value):
    with pytest.raises(TypeError, match=f"{name} = .* must be a real number"):
        warmup_cosine(**VALID | {name: value})
