"""Clipping by norm and by value against values worked out by hand."""

import copy
import math
import re

import numpy as np
import pytest

from optim_ref import clip_by_global_norm, clip_grad_norm, clip_grad_value, clipping


def gradients():
    return {"w": np.array([[3.0, 0.0], [0.0, -4.0]]), "b": np.array([12.0]), "unused": None}


@pytest.mark.equation("clip-by-norm")
@pytest.mark.parametrize(
    ("max_norm", "norm_type", "norm", "w", "b"),
    [
        (6.5, 2, 13.0, [[1.5, 0.0], [0.0, -2.0]], [6.0]),
        (13.0, 2, 13.0, [[3.0, 0.0], [0.0, -4.0]], [12.0]),
        (math.inf, 2, 13.0, [[3.0, 0.0], [0.0, -4.0]], [12.0]),
        (0.0, 2, 13.0, [[0.0, 0.0], [0.0, 0.0]], [0.0]),
        (4.75, 1, 19.0, [[0.75, 0.0], [0.0, -1.0]], [3.0]),
        (3.0, math.inf, 12.0, [[0.75, 0.0], [0.0, -1.0]], [3.0]),
    ],
)
def test_clip_grad_norm_scales_in_place_and_returns_the_norm_before(max_norm, norm_type, norm, w, b):
    grads = gradients()
    arrays = [grads["w"], grads["b"]]
    got = clip_grad_norm(grads, max_norm, norm_type)
    assert got == norm
    assert type(got) is float
    assert grads["w"] is arrays[0]
    assert grads["b"] is arrays[1]
    assert grads["w"].tolist() == w
    assert grads["b"].tolist() == b
    assert grads["unused"] is None


@pytest.mark.equation("clip-by-norm")
def test_clip_grad_norm_brings_the_norm_to_the_limit_and_not_below():
    grads = [np.array([0.02])]
    assert clip_grad_norm(grads, 0.01) == 0.02
    assert grads[0].tolist() == [0.01]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_clip_grad_norm_raises_before_any_change_or_spreads_what_is_not_finite(bad):
    grads = [np.array([bad, 1.0]), np.array([2.0])]
    before = copy.deepcopy(grads)
    with pytest.raises(ValueError, match=r"the norm of grads = (nan|inf) must be finite"):
        clip_grad_norm(grads, 1.0, error_if_nonfinite=True)
    np.testing.assert_equal(grads, before)
    with np.errstate(invalid="ignore"):
        clip_grad_norm(grads, 1.0)
    rest = math.nan if math.isnan(bad) else 0.0
    np.testing.assert_equal(grads, [np.array([np.nan, rest]), np.array([rest])])


def test_clip_grad_norm_takes_a_single_array():
    grad = np.array([3.0, 4.0])
    assert clip_grad_norm(grad, 5.0 / 2) == 5.0
    assert grad.tolist() == [1.5, 2.0]


@pytest.mark.equation("clip-by-value")
@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (2.0, [2.0, -2.0, 1.5, -0.5, 0.0]),
        (1.0, [1.0, -1.0, 1.0, -0.5, 0.0]),
        (0.0, [0.0, 0.0, 0.0, 0.0, 0.0]),
        (math.inf, [math.inf, -3.0, 1.5, -0.5, 0.0]),
        (1e300, [1e300, -3.0, 1.5, -0.5, 0.0]),
    ],
)
def test_clip_grad_value_limits_each_entry_in_place(limit, expected):
    grads = {"w": np.array([np.inf, -3.0, 1.5, -0.5, 0.0]), "b": np.array(5.0), "unused": None}
    w = grads["w"]
    assert clip_grad_value(grads, limit) is None
    assert grads["w"] is w
    assert w.tolist() == expected
    assert grads["b"] == min(5.0, limit)


def test_clip_grad_value_keeps_nan_and_dtypes():
    grads = [np.array([np.nan, 3.0], np.float32), np.array([3.0], np.float16)]
    clip_grad_value(grads, 1e5)
    np.testing.assert_equal(grads, [np.array([np.nan, 3.0], np.float32), np.array([3.0], np.float16)])
    clip_grad_value(grads, 0.1)
    assert grads[0][1] == np.float32(0.1)
    assert grads[1][0] == np.float16(0.1)


@pytest.mark.equation("clip-by-global-norm")
@pytest.mark.parametrize(
    ("max_norm", "expected"),
    [(6.5, [6.0, 1.5, -2.0]), (13.0, [12.0, 3.0, -4.0]), (26.0, [12.0, 3.0, -4.0]), (0.0, [0.0, 0.0, 0.0])],
)
def test_clip_by_global_norm_scales_a_copy(max_norm, expected):
    tree = {"w": (np.array([3.0]), [np.array(-4.0)]), "b": 12, "unused": None}
    result = clip_by_global_norm(tree, max_norm)
    b, w3, w4 = expected
    clipped = result["clipped"]
    assert list(result) == ["clipped", "global_norm"]
    assert clipped == {"b": b, "unused": None, "w": (np.array([w3]), [np.array(w4)])}
    assert result["global_norm"] == 13.0
    assert tree["w"][0].tolist() == [3.0]


def test_clip_by_global_norm_keeps_dtypes_and_shapes():
    tree = [np.full((2, 3), 300, np.float16), np.ones((), np.float32), np.empty((0, 2))]
    clipped = clip_by_global_norm(tree, 1.0)["clipped"]
    assert [(c.shape, c.dtype) for c in clipped] == [(t.shape, t.dtype) for t in tree]
    assert clipped[0] == pytest.approx(np.full((2, 3), 6**-0.5), rel=1e-3)


IN_PLACE = [lambda grads: clip_grad_norm(grads, 1.0), lambda grads: clip_grad_value(grads, 1.0)]
READ_ONLY = np.full(3, 9.0)
READ_ONLY.flags.writeable = False
SHARED = np.full(3, 9.0)


@pytest.mark.parametrize("clip", IN_PLACE)
@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (np.full(3, 9), TypeError, r"grads\['z'\] has dtype int64"),
        (9.0, TypeError, r"grads\['z'\] = 9.0 must be a NumPy array"),
        (np.float64(9.0), TypeError, r"grads\['z'\] .* must be a NumPy array"),
        ([[9.0], [9.0, 9.0]], TypeError, r"grads\['z'\]\[0\]\[0\] = 9.0 must be a NumPy array"),
        ((g for g in [np.full(3, 9.0)]), TypeError, r"grads\['z'\] = <generator"),
        (READ_ONLY, ValueError, r"grads\['z'\] is read-only"),
        ([SHARED, SHARED], ValueError, r"grads\['z'\]\[1\] is the same array as grads\['z'\]\[0\]"),
    ],
)
def test_clipping_in_place_refuses_leaves_before_any_change(clip, bad, error, message):
    first = np.full(3, 9.0)
    with pytest.raises(error, match=message):
        clip({"a": first, "z": bad})
    assert first.tolist() == SHARED.tolist() == [9.0, 9.0, 9.0]


@pytest.mark.parametrize("value", [-1.0, math.nan])
def test_clipping_refuses_limits_out_of_range(value):
    for name, clip in (
        ("max_norm", clip_grad_norm),
        ("clip_value", clip_grad_value),
        ("max_norm", clip_by_global_norm),
    ):
        grads = gradients()
        with pytest.raises(ValueError, match=re.escape(f"{name} = {value} must be in [0, inf]")):
            clip(grads, value)
        np.testing.assert_equal(grads, gradients())


@pytest.mark.parametrize("value", [None, "1", True, [1.0], np.array([1.0])])
def test_clipping_refuses_limits_that_are_no_numbers(value):
    for name, clip in (
        ("max_norm", clip_grad_norm),
        ("clip_value", clip_grad_value),
        ("max_norm", clip_by_global_norm),
    ):
        grads = gradients()
        with pytest.raises(TypeError, match=f"{name} = .* must be a real number"):
            clip(grads, value)
        np.testing.assert_equal(grads, gradients())


def test_clip_grad_norm_refuses_an_order_below_one_before_any_change():
    grads = gradients()
    with pytest.raises(ValueError, match=r"norm_type = 0.5 must be in \[1, inf\]"):
        clip_grad_norm(grads, 1.0, 0.5)
    np.testing.assert_equal(grads, gradients())


@pytest.mark.parametrize(
    "tree", [[np.ones(2, int)], [True], (g for g in ()), {"w": "3"}, [np.ones(2, complex)]]
)
def test_clip_by_global_norm_refuses_other_leaves(tree):
    with pytest.raises(TypeError, match="tree"):
        clip_by_global_norm(tree, 1.0)


def test_clipping_gathers_every_function():
    assert all(callable(getattr(clipping, name)) for name in clipping.__all__)
