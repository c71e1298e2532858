"""The five variants against values worked out by hand."""

import math
import re

import numpy as np
import pytest

from optim_ref import clip_gradients
from optim_ref.variants import VARIANTS, unit_norm

RELATIVE = ("per-weight-relative", "adaptive")
W = np.array([[3.0, 6.0], [4.0, 8.0]])  # columns of norm 5 and 10
ONES = {"w": np.ones((2, 2))}


def clipped(variant, gradients, threshold=1.0, weights=None, epsilon=1e-3):
    return clip_gradients(gradients, variant, threshold, weights, epsilon)


@pytest.mark.equation("per-weight-clipping")
@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        (4.0, [[3.0, 4.0], [4.0, -4.0]]),
        (0.5, [[0.5, 0.5], [0.5, -0.5]]),
        (math.inf, [[3.0, 6.0], [4.0, -8.0]]),
    ],
)
def test_clip_gradients_per_weight(threshold, expected):
    assert clipped("per-weight", [W * [[1, 1], [1, -1]]], threshold)[0].tolist() == expected


@pytest.mark.equation("per-layer-clipping")
@pytest.mark.parametrize(
    ("threshold", "a", "b"),
    [
        (1.0, [0.6, 0.8], [-1.0]),
        (2.5, [1.5, 2.0], [-2.5]),
        (5.0, [3.0, 4.0], [-5.0]),
        (20.0, [3.0, 4.0], [-12.0]),
    ],
)
def test_clip_gradients_per_layer(threshold, a, b):
    got = clipped("per-layer", {"a": np.array([3.0, 4.0]), "b": np.array([-12.0])}, threshold)
    np.testing.assert_allclose(got["a"], a, rtol=2e-16)
    np.testing.assert_allclose(got["b"], b, rtol=2e-16)


@pytest.mark.equation("global-clipping")
@pytest.mark.parametrize(
    ("threshold", "factor"), [(6.5, 0.5), (13.0, 1.0), (14.0, 1.0), (0.0, 0.0), (3.25, 0.25)]
)
def test_clip_gradients_global(threshold, factor):
    got = clipped("global", {"a": np.array([3.0, 4.0]), "b": np.array([-12.0])}, threshold)
    assert got["a"].tolist() == [3.0 * factor, 4.0 * factor]
    assert got["b"].tolist() == [-12.0 * factor]


@pytest.mark.equation("relative-limit")
@pytest.mark.parametrize(
    ("weights", "threshold", "epsilon", "limit"),
    [
        ([3.0, 4.0], 0.5, 1e-3, 2.5),  # the norm of the weights, 5
        ([3.0, 4.0], 1.5, 8.0, 12.0),  # epsilon
        ([0.0, 0.0], 2.0, 0.5, 1.0),
        ([0.0, 0.0], 2.0, 0.0, 0.0),
        ([-3.0, -4.0], 1.0, 0.0, 5.0),
    ],
)
def test_clip_gradients_relative_to_the_norm_of_the_array(weights, threshold, epsilon, limit):
    got = clipped("per-weight-relative", np.array([100.0, -100.0]), threshold, np.array(weights), epsilon)
    assert got.tolist() == [limit, -limit]


@pytest.mark.equation("per-weight-relative-clipping")
@pytest.mark.parametrize(
    ("threshold", "expected"),
    [(1.0, [5.0, -5.0, 4.0, -1.0]), (0.25, [1.25, -1.25, 1.25, -1.0]), (3.0, [15.0, -9.0, 4.0, -1.0])],
)
def test_clip_gradients_per_weight_relative(threshold, expected):
    weights = np.array([3.0, 0.0, 4.0, 0.0])
    assert (
        clipped("per-weight-relative", np.array([20.0, -9.0, 4.0, -1.0]), threshold, weights).tolist()
        == expected
    )


@pytest.mark.equation("unit-norm")
@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (W, [[5.0, 10.0]]),
        (np.array([3.0, 4.0]), [5.0]),
        (np.array(-2.0), -2.0 * -1),
        (np.array([[3.0, 0.0, -4.0]]), [[3.0, 0.0, 4.0]]),
        (np.full((2, 2, 3), 1.0), [[[2.0, 2.0, 2.0]]]),
        (W * 1e200, [[5e200, 1e201]]),
        (W * 1e-200, [[5e-200, 1e-199]]),
    ],
)
def test_unit_norm_keeps_the_last_axis(x, expected):
    np.testing.assert_allclose(unit_norm(x), expected, rtol=4e-16)


@pytest.mark.equation("unit-limit")
@pytest.mark.equation("adaptive-clipping")
@pytest.mark.parametrize(
    ("threshold", "epsilon", "expected"),
    [
        (0.5, 1e-3, [[1.5, 3e-4], [2.0, 4e-4]]),  # limits 2.5 and 5e-4, norms 5 and 10
        (0.1, 50.0, [[3.0, 3.0], [4.0, 4.0]]),  # limits 5 and 5
        (1.0, 0.0, [[3.0, 0.0], [4.0, 0.0]]),  # limits 5, just met, and 0
        (math.inf, 1e-3, [[3.0, 6.0], [4.0, 8.0]]),
    ],
)
def test_clip_gradients_adaptive(threshold, epsilon, expected):
    weights = np.array([[3.0, 0.0], [4.0, 0.0]])
    np.testing.assert_allclose(clipped("adaptive", W, threshold, weights, epsilon), expected, rtol=4e-16)


@pytest.mark.equation("adaptive-clipping")
@pytest.mark.parametrize(
    ("shape", "units"), [((), 1), ((6,), 1), ((2, 3), 3), ((1, 6), 6), ((6, 1), 1), ((2, 1, 3), 3)]
)
def test_clip_gradients_adaptive_takes_the_last_axis_for_the_output(shape, units):
    weights = np.ones(shape)
    entries_per_unit = weights.size // units
    got = clipped("adaptive", 100 * np.ones(shape), 0.25, weights)
    np.testing.assert_allclose(got, 0.25 * np.ones(shape), rtol=4e-16)
    np.testing.assert_allclose(unit_norm(got).ravel(), [0.25 * entries_per_unit**0.5] * units, rtol=4e-16)


@pytest.mark.parametrize("variant", VARIANTS)
def test_clip_gradients_keeps_structure_shapes_and_dtypes(variant):
    gradients = {
        "a": np.full((2, 3), 300, np.float16),
        "b": (np.float32(9), [np.empty((0, 3)), None], 9.0),
        "c": np.empty((3, 0), np.float32),
    }
    got = clipped(variant, gradients, 0.1, gradients)
    assert got["a"].dtype == np.float16
    assert got["a"].shape == (2, 3)
    assert np.isfinite(got["a"]).all()
    assert got["b"][0].dtype == np.float32
    assert got["b"][1][0].shape == (0, 3)
    assert got["b"][1][1] is None
    assert got["b"][2].dtype == np.float64
    assert got["c"].shape == (3, 0)
    assert (gradients["a"] == 300).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_clip_gradients_leaves_a_missing_gradient_beside_its_weight(variant):
    assert (
        clipped(variant, {"a": None, "b": np.ones(2)}, 9.0, {"a": np.ones(3), "b": np.ones(2)})["a"] is None
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_clip_gradients_leaves_zeros_at_a_limit_of_zero(variant):
    assert not clipped(variant, np.zeros((2, 2)), 0.0, np.zeros((2, 2)), 0.0).any()


@pytest.mark.parametrize("variant", ["", "per_layer", "Global", None, 2])
def test_clip_gradients_refuses_an_unknown_variant(variant):
    with pytest.raises(
        ValueError, match=re.escape(f"variant = {variant!r} must be one of per-weight, per-layer")
    ):
        clipped(variant, ONES)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("threshold", -1.0, "threshold = -1.0 must be in [0, inf]"),
        ("threshold", math.nan, "threshold = nan must be in [0, inf]"),
        ("epsilon", -1.0, "epsilon = -1.0 must be in [0, inf)"),
        ("epsilon", math.inf, "epsilon = inf must be in [0, inf)"),
        (
            "weights",
            {"w": np.ones((2, 3))},
            "weights must be a tree like gradients: an array has shape (2, 3)",
        ),
        ("weights", {"w": np.ones(2), "x": np.ones(2)}, "weights must be a tree like gradients"),
        ("weights", {"w": [np.ones(2)]}, "weights must be a tree like gradients"),
        ("weights", [np.ones((2, 2))], "weights must be a tree like gradients"),
    ],
)
def test_clip_gradients_refuses_values(variant, name, value, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        clipped(variant, ONES, **{"weights": ONES} | {name: value})


@pytest.mark.parametrize("variant", RELATIVE)
def test_clip_gradients_refuses_to_go_without_weights(variant):
    with pytest.raises(ValueError, match="weights = None must be a tree like gradients"):
        clipped(variant, ONES)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("threshold", "1"),
        ("threshold", None),
        ("epsilon", [1.0]),
        ("gradients", {"w": np.ones((2, 2), int)}),
        ("gradients", (g for g in ())),
        ("weights", {"w": np.ones((2, 2), int)}),
        ("weights", {"w": "1"}),
    ],
)
def test_clip_gradients_refuses_types(variant, name, value):
    with pytest.raises(TypeError, match=name):
        clipped(variant, **{"gradients": ONES, "weights": ONES} | {name: value})
