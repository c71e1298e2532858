"""The joint norm and the clip factor against values worked out by hand."""

import math
import re

import ml_dtypes
import numpy as np
import pytest

from optim_ref import clip_factor, global_norm


@pytest.mark.equation("global-norm")
@pytest.mark.parametrize(
    ("grads", "expected"),
    [
        ([np.array([3.0, 4.0])], 5.0),
        ({"w": np.array([[3.0, 0.0], [0.0, 4.0]]), "b": np.array([12.0])}, 13.0),
        ([np.array([-1.0, 1.0, -1.0, 1.0])], 2.0),
        ([np.array(-7.0)], 7.0),
        ((3.0, [4.0, {"deep": (12, None)}]), 13.0),
        ([np.array([0.02])], 0.02),
        ([np.zeros((2, 2))], 0.0),
        (None, 0.0),
        ({}, 0.0),
        ([np.empty(0)], 0.0),
        ([np.array([3.0]), np.empty((0, 5)), np.array([[4.0]])], 5.0),
    ],
)
def test_global_norm_is_exact_on_ordinary_numbers(grads, expected):
    assert global_norm(grads) == expected


@pytest.mark.equation("global-norm")
@pytest.mark.parametrize("size", [1e200, 1e-200, 1.7e308, 5e-324, 1e150, 1e-150, 1e139, 1e-139])
def test_global_norm_neither_overflows_nor_underflows(size):
    entries = np.array([size, -size, size, size]) / 2
    assert float(global_norm([entries])) == pytest.approx(2 * float(entries[0]), rel=1e-15)
    assert float(global_norm([np.array([size, 0.0])])) == size


@pytest.mark.equation("global-norm")
@pytest.mark.parametrize("size", [1e38, 3e38, 1e20, 1e-20, 1e-38])
def test_global_norm_neither_overflows_nor_underflows_in_float32(size):
    entries = np.full(4, size / 2, np.float32)
    norm = global_norm([entries])
    assert norm.dtype == np.float32
    assert float(norm) == pytest.approx(size, rel=1e-6)


@pytest.mark.equation("p-norm")
@pytest.mark.parametrize(
    ("entries", "p", "expected"),
    [
        ([3.0, -4.0], 1, 7.0),
        ([3.0, -4.0, 5.0], 3, 6.0),  # 27 + 64 + 125 = 216
        ([1.0, 1.0, 1.0, -1.0], 4, 2**0.5),
        ([1.0, 4.0], 1.5, 9 ** (2 / 3)),
        ([2.0, 2.0], 1e9, 2 * 2**1e-9),
        ([1e200, 1e200], 1, 2e200),
        ([3e200, 4e200, 5e200], 3, 6e200),
        ([3e-200, 4e-200, 5e-200], 3, 6e-200),
        ([0.0, 0.0], 3, 0.0),
        ([], 1, 0.0),
    ],
)
def test_global_norm_of_order_p(entries, p, expected):
    assert float(global_norm([np.array(entries)], p)) == pytest.approx(expected, rel=4e-15)


@pytest.mark.equation("max-norm")
@pytest.mark.parametrize(
    ("grads", "expected"),
    [
        ([np.array([3.0, -4.0])], 4.0),
        ({"w": np.array([[1.0, 2.0]]), "b": np.array([-9.0])}, 9.0),
        ([np.empty(0)], 0.0),
        ([np.array([5e-324, 0.0])], 5e-324),
        ([np.array([1.0, -np.inf])], np.inf),
    ],
)
def test_global_norm_of_infinite_order(grads, expected):
    assert global_norm(grads, math.inf) == expected


@pytest.mark.parametrize("p", [1, 2, 3, math.inf])
def test_global_norm_shows_nan_and_infinity(p):
    with np.errstate(invalid="ignore"):
        assert math.isnan(global_norm([np.array([np.nan, 1.0])], p))
        assert math.isnan(global_norm([np.array([np.nan, np.inf])], p))
        assert global_norm([np.array([-np.inf, 1.0])], p) == math.inf


@pytest.mark.parametrize(
    ("dtypes", "expected"),
    [
        (["f2"], "f4"),
        (["f4"], "f4"),
        (["f8"], "f8"),
        ([ml_dtypes.bfloat16], "f4"),
        (["f2", ml_dtypes.bfloat16], "f4"),
        (["f2", "f8"], "f8"),
    ],
)
@pytest.mark.parametrize("p", [1, 2, 3, math.inf])
def test_global_norm_is_float32_unless_something_is_float64(dtypes, expected, p):
    norm = global_norm([np.array([1.0], dtype) for dtype in dtypes], p)
    assert norm.dtype == expected


@pytest.mark.parametrize("p", [0, 0.5, -1, -math.inf, math.nan])
def test_global_norm_refuses_what_is_no_norm(p):
    with pytest.raises(ValueError, match=re.escape(f"norm_type = {float(p)} must be in [1, inf]")):
        global_norm([np.ones(2)], p)


@pytest.mark.parametrize("p", ["2", None, True])
def test_global_norm_refuses_an_order_that_is_no_number(p):
    with pytest.raises(TypeError, match="norm_type"):
        global_norm([np.ones(2)], p)


@pytest.mark.parametrize(
    ("grads", "message"),
    [
        ({"w": np.ones(2, int)}, r"grads\['w'\] has dtype int64, must be real floating point"),
        ([1.0, [np.ones(2, complex)]], r"grads\[1\]\[0\] has dtype complex128"),
        ([True], r"grads\[0\] has dtype bool"),
        ([1j], r"grads\[0\] has dtype complex128"),
        ([np.array([[1.0], [1.0, 2.0]], object)], "dtype object"),
        ({"w": "3"}, r"grads\['w'\] = '3' must be a dict, list, tuple, None, array or number"),
        ((g for g in [np.ones(2)]), "grads = <generator object"),
        ({1, 2}, "grads = {1, 2} must be"),
    ],
)
def test_global_norm_refuses_other_leaves(grads, message):
    with pytest.raises(TypeError, match=message):
        global_norm(grads)


@pytest.mark.equation("clip-factor")
@pytest.mark.parametrize(
    ("norm", "max_norm", "expected"),
    [
        (5.0, 1.0, 0.2),
        (4.0, 2.0, 0.5),
        (0.02, 0.01, 0.5),
        (1.0, 2.0, 1.0),
        (5.0, 5.0, 1.0),
        (0.0, 0.0, 1.0),
        (3.0, 0.0, 0.0),
        (3.0, math.inf, 1.0),
        (math.inf, 1.0, 0.0),
        (math.inf, math.inf, 1.0),
        (0.0, 1.0, 1.0),
    ],
)
def test_clip_factor_is_one_up_to_the_limit(norm, max_norm, expected):
    assert clip_factor(norm, max_norm) == expected
    assert clip_factor(np.array([norm, norm]), max_norm).tolist() == [expected] * 2
    assert clip_factor(np.array([norm, 1.0]), np.array([max_norm, 4.0])).tolist() == [expected, 1.0]


def test_clip_factor_shows_nan():
    assert math.isnan(clip_factor(math.nan, 1.0))


@pytest.mark.parametrize("max_norm", [-1.0, math.nan])
def test_clip_factor_refuses_limits_out_of_range(max_norm):
    with pytest.raises(ValueError, match=re.escape(f"max_norm = {max_norm} must be in [0, inf]")):
        clip_factor(5.0, max_norm)


@pytest.mark.parametrize("max_norm", [None, "1", True, [1.0]])
def test_clip_factor_refuses_limits_that_are_no_numbers(max_norm):
    with pytest.raises(TypeError, match="max_norm"):
        clip_factor(5.0, max_norm)
