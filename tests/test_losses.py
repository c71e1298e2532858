import math

import numpy as np
import pytest
from numerical import central_difference, random_arrays

from optim_ref.losses import cross_entropy, cross_entropy_backward


@pytest.mark.equation("log-softmax")
@pytest.mark.equation("cross-entropy")
def test_cross_entropy_of_known_values():
    logits = np.log([[[1.0, 3.0], [4.0, 1.0]]])  # probabilities 1/4, 3/4 and 4/5, 1/5
    loss, log_p = cross_entropy(logits, np.array([[1, 1]]))
    assert loss == pytest.approx((math.log(4 / 3) + math.log(5)) / 2, rel=1e-14)
    np.testing.assert_allclose(np.exp(log_p), [[[0.25, 0.75], [0.8, 0.2]]], rtol=1e-14)


def test_cross_entropy_of_a_ruled_out_class_is_its_distance_in_logits():
    loss, _ = cross_entropy(np.array([[1e4, 0.0]]), np.array([1]))
    assert loss == 1e4  # exp(-1e4) is zero, and its logarithm minus infinity


@pytest.mark.equation("cross-entropy-gradient")
def test_cross_entropy_backward_agrees_with_central_differences():
    (logits,), targets = random_arrays((2, 3, 5)), np.array([[0, 4, 4], [2, 1, 0]])
    _, log_p = cross_entropy(logits, targets)
    expected = central_difference(lambda: cross_entropy(logits, targets)[0], logits)
    np.testing.assert_allclose(cross_entropy_backward(log_p, targets), expected, atol=1e-9)
