import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numerical import central_difference, random_arrays

from optim_ref.attention import (
    causal_attention,
    causal_attention_backward,
    multi_head_attention,
    multi_head_attention_backward,
    softmax,
)

SCORES = st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=8)


@pytest.mark.equation("softmax")
def test_softmax_of_known_values():
    p = softmax(np.log([[1.0, 2.0, 5.0], [4.0, 4.0, 2.0]]))
    np.testing.assert_allclose(p, [[0.125, 0.25, 0.625], [0.4, 0.4, 0.2]], rtol=1e-15)


@given(SCORES, st.floats(-1e3, 1e3))
def test_softmax_ignores_a_shift_and_sums_to_one(scores, shift):
    p = softmax(np.array(scores))
    assert p.sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(softmax(np.array(scores) + shift), p, atol=1e-12)


def reference_attention(q, k, v):
    """One number at a time, from the definition: only positions up to its own reach a position."""
    y = np.zeros_like(v)
    for i in range(len(q)):
        scores = [sum(q[i] * k[j]) / math.sqrt(q.shape[1]) for j in range(i + 1)]
        total = sum(math.exp(score) for score in scores)
        for j, score in enumerate(scores):
            y[i] += math.exp(score) / total * v[j]
    return y


@pytest.mark.equation("attention-scores")
@pytest.mark.equation("causal-mask")
@pytest.mark.equation("attention")
def test_causal_attention_agrees_with_its_definition():
    q, k, v = random_arrays((5, 3), (5, 3), (5, 3))
    y, _ = causal_attention(q, k, v)
    np.testing.assert_allclose(y, reference_attention(q, k, v), atol=1e-14)


@pytest.mark.equation("softmax-gradient")
@pytest.mark.equation("attention-gradient")
def test_causal_attention_backward_agrees_with_central_differences():
    q, k, v, dy = random_arrays(*[(2, 4, 3)] * 4)
    _, cache = causal_attention(q, k, v)
    grads = causal_attention_backward(dy, cache)
    for array, grad in zip((q, k, v), grads, strict=True):
        expected = central_difference(lambda: float(np.sum(dy * causal_attention(q, k, v)[0])), array)
        np.testing.assert_allclose(grad, expected, atol=1e-8)


def attention_params(d):
    arrays = random_arrays(*[(d, d)] * 4, *[(d,)] * 4, seed=1)
    return dict(zip(("wq", "wk", "wv", "wo", "bq", "bk", "bv", "bo"), arrays, strict=True))


@pytest.mark.equation("multi-head-attention")
def test_multi_head_attention_is_one_attention_per_slice():
    params, (x,) = attention_params(6), random_arrays((2, 4, 6))
    y, _ = multi_head_attention(x, params, num_heads=3)
    for b in range(2):
        q, k, v = (x[b] @ params[f"w{name}"] + params[f"b{name}"] for name in "qkv")
        slices = [slice(0, 2), slice(2, 4), slice(4, 6)]
        heads = np.hstack([reference_attention(q[:, s], k[:, s], v[:, s]) for s in slices])
        np.testing.assert_allclose(y[b], heads @ params["wo"] + params["bo"], atol=1e-13)


def test_multi_head_attention_backward_agrees_with_central_differences():
    params, (x, dy) = attention_params(4), random_arrays((2, 3, 4), (2, 3, 4))
    _, cache = multi_head_attention(x, params, num_heads=2)
    dx, grads = multi_head_attention_backward(dy, params, cache)
    for array, grad in [(x, dx), *((params[key], grads[key]) for key in params)]:
        expected = central_difference(
            lambda: float(np.sum(dy * multi_head_attention(x, params, 2)[0])), array
        )
        np.testing.assert_allclose(grad, expected, atol=1e-7)
