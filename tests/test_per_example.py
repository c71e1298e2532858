"""Per-example clipping against values worked out by hand."""

import math
import re

import numpy as np
import pytest

from optim_ref import clip_per_example, clipped_mean


@pytest.mark.equation("per-example-norm")
@pytest.mark.parametrize("size", [1.0, 1e200, 1e-200, 0.0])
def test_clipped_mean_takes_the_norm_over_all_arrays_of_an_example(size):
    grads = {
        "w": size * np.array([[[3.0], [0.0]], [[0.0], [8.0]], [[0.0], [0.0]]]),
        "b": size * np.array([4.0, -6.0, 0.0]),
    }
    norms = clipped_mean(grads, 1.0)["norms"]
    np.testing.assert_allclose(norms, size * np.array([5.0, 10.0, 0.0]), rtol=4e-16)


@pytest.mark.equation("clipped-mean")
@pytest.mark.parametrize(
    ("max_norm", "w", "b"),
    [
        (5.0, [1.5 + 0.0, 0.0 + 2.0], 2.0 - 1.5),  # factors 1 and 1/2
        (10.0, [1.5, 4.0], 2.0 - 3.0),
        (2.5, [0.75, 1.0], 1.0 - 0.75),
        (0.0, [0.0, 0.0], 0.0),
        (math.inf, [1.5, 4.0], -1.0),
    ],
)
def test_clipped_mean_clips_each_example_before_the_mean(max_norm, w, b):
    result = clipped_mean({"w": np.array([[3.0, 0.0], [0.0, 8.0]]), "b": np.array([4.0, -6.0])}, max_norm)
    assert result["grads"]["w"].tolist() == w
    assert result["grads"]["b"] == b


@pytest.mark.equation("clipped-mean")
@pytest.mark.parametrize("number", [1, 2, 7])
def test_clipped_mean_divides_by_the_number_of_examples(number):
    one_at_the_limit = np.zeros((number, 1))
    one_at_the_limit[-1] = 100.0
    assert clipped_mean([one_at_the_limit], 1.0)["grads"][0].tolist() == [1.0 / number]


def test_clipped_mean_keeps_dtypes_and_sums_wider():
    result = clipped_mean([np.full((1000, 2), 100, np.float16)], 1000.0)
    assert result["grads"][0].dtype == np.float16
    assert result["grads"][0].tolist() == [100.0, 100.0]  # the sum, 100000, is infinite in float16
    assert result["norms"].dtype == np.float32


PARAMS = {"w": np.array([2.0, -1.0]), "b": np.array(0.5)}
X = np.array([[1.0, 1.0], [3.0, -2.0], [0.0, 0.0], [1.0, 2.0]])
Y = np.array([1.5, 0.5, 0.5, 2.5])  # predictions 1.5, 8.5, 0.5 and 0.5: residuals 0, 8, 0 and -2


@pytest.mark.equation("linear-residual")
@pytest.mark.equation("linear-bias-gradient")
@pytest.mark.parametrize(("row", "residual"), list(enumerate([0.0, 8.0, 0.0, -2.0])))
def test_clip_per_example_takes_prediction_minus_target_for_the_bias(row, residual):
    grads = clip_per_example(PARAMS, X[row : row + 1], Y[row : row + 1], math.inf)["grads"]
    assert grads["b"] == residual


@pytest.mark.equation("linear-weight-gradient")
@pytest.mark.parametrize(
    ("row", "expected"), list(enumerate([[0.0, 0.0], [24.0, -16.0], [0.0, 0.0], [-2.0, -4.0]]))
)
def test_clip_per_example_multiplies_the_residual_by_the_input(row, expected):
    grads = clip_per_example(PARAMS, X[row : row + 1], Y[row : row + 1], math.inf)["grads"]
    assert grads["w"].tolist() == expected


def test_clip_per_example_clips_before_the_mean():
    result = clip_per_example(PARAMS, X, Y, 1.0)
    norms = np.array([0.0, 8 * 14**0.5, 0.0, 2 * 6**0.5])
    np.testing.assert_allclose(result["norms"], norms, rtol=1e-15)
    w = (np.array([24.0, -16.0]) / norms[1] + np.array([-2.0, -4.0]) / norms[3]) / 4
    np.testing.assert_allclose(result["grads"]["w"], w, rtol=1e-14)
    np.testing.assert_allclose(result["grads"]["b"], (8 / norms[1] - 2 / norms[3]) / 4, rtol=1e-14)


@pytest.mark.parametrize(("x", "norms"), [("f4", "f4"), ("f8", "f8")])
def test_clip_per_example_keeps_the_dtypes_of_the_parameters(x, norms):
    params = {"w": np.ones(2, np.float16), "b": np.ones((), np.float32)}
    result = clip_per_example(params, X.astype(x), Y.astype(x), 1.0)
    assert result["grads"]["w"].dtype == np.float16
    assert result["grads"]["b"].dtype == np.float32
    assert result["norms"].dtype == norms


def test_clip_per_example_takes_a_plain_number_for_the_bias():
    assert clip_per_example(PARAMS | {"b": 0.5}, X, Y, math.inf)["grads"]["b"] == 1.5


@pytest.mark.parametrize("max_norm", [-1.0, math.nan])
def test_clip_per_example_refuses_limits_out_of_range(max_norm):
    message = re.escape(f"max_norm = {max_norm} must be in [0, inf]")
    with pytest.raises(ValueError, match=message):
        clip_per_example(PARAMS, X, Y, max_norm)
    with pytest.raises(ValueError, match=message):
        clipped_mean([X], max_norm)


@pytest.mark.parametrize("max_norm", [None, "1", [1.0]])
def test_clip_per_example_refuses_limits_that_are_no_numbers(max_norm):
    with pytest.raises(TypeError, match="max_norm"):
        clip_per_example(PARAMS, X, Y, max_norm)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"params": {"w": np.ones(2)}}, "must be a dict with keys 'w' and 'b'"),
        ({"params": PARAMS | {"c": np.ones(2)}}, "must be a dict with keys 'w' and 'b'"),
        ({"params": [np.ones(2), 0.0]}, "must be a dict with keys 'w' and 'b'"),
        ({"params": PARAMS | {"w": np.ones(3)}}, r"params\['w'\] has shape \(3,\), must be \(2,\)"),
        ({"params": PARAMS | {"w": np.ones((2, 1))}}, r"params\['w'\] has shape \(2, 1\), must be \(2,\)"),
        ({"params": PARAMS | {"b": np.ones(1)}}, r"params\['b'\] has shape \(1,\), must be \(\)"),
        ({"x": np.ones(2)}, r"x has shape \(2,\), must be \(N, D\)"),
        (
            {"x": np.ones((0, 2)), "y": np.ones(0)},
            r"x has shape \(0, 2\), must be \(N, D\) with N at least 1",
        ),
        ({"y": np.ones(3)}, r"y has shape \(3,\), must be \(4,\)"),
        ({"y": np.ones((4, 1))}, r"y has shape \(4, 1\), must be \(4,\)"),
    ],
)
def test_clip_per_example_refuses_shapes(changes, message):
    with pytest.raises(ValueError, match=message):
        clip_per_example(**{"params": PARAMS, "x": X, "y": Y, "max_norm": 1.0} | changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"params": PARAMS | {"w": np.ones(2, int)}}, r"params\['w'\] has dtype int64"),
        ({"x": X.astype(int)}, "x has dtype int64"),
        ({"y": Y.astype(int)}, "y has dtype int64"),
        ({"y": None}, "y = None must be an array"),
        ({"x": [[1.0, 2.0]]}, "x = .* must be an array"),
        ({"x": (row for row in X)}, "x = <generator"),
    ],
)
def test_clip_per_example_refuses_types(changes, message):
    with pytest.raises(TypeError, match=message):
        clip_per_example(**{"params": PARAMS, "x": X, "y": Y, "max_norm": 1.0} | changes)


@pytest.mark.parametrize(
    "grads",
    [[], None, {}, [np.ones(3), np.ones(2)], [np.ones(())], [1.0], [np.ones((0, 2))], [np.ones((2, 2)), 1.0]],
)
def test_clipped_mean_refuses_arrays_without_a_common_first_axis(grads):
    with pytest.raises(ValueError, match="must have one first axis in common, not empty"):
        clipped_mean(grads, 1.0)


@pytest.mark.parametrize("grads", [[np.ones((2, 2), int)], (g for g in ()), ["1"]])
def test_clipped_mean_refuses_types(grads):
    with pytest.raises(TypeError, match="grads"):
        clipped_mean(grads, 1.0)
