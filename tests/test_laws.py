"""Laws that hold for any input, tried on many."""

import copy
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

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
from optim_ref.variants import VARIANTS

EPS = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-14}
limits = st.floats(0.0, 1e3)
shapes = hnp.array_shapes(min_dims=0, max_dims=3, max_side=3) | st.just((0, 2))


def arrays(dtype, shape=shapes):
    return hnp.arrays(dtype, shape, elements=st.floats(-1024, 1024, width=16))


leaves = st.sampled_from(sorted(EPS)).flatmap(arrays)
trees = st.recursive(
    leaves,
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(st.text("abc", max_size=2), children, max_size=3)
    ),
    max_leaves=5,
)


def rounding(nested):
    return max([EPS[str(leaf.dtype)] for leaf in tree.leaves(nested)], default=0.0)


def joint_norm(nested, p=2.0):
    """The norm, added up exactly by `math.fsum`, of entries whose squares may be too small for a float."""
    entries = [abs(float(x)) for leaf in tree.leaves(nested) for x in leaf.ravel()]
    largest = max(entries, default=0.0)
    if p == math.inf or largest == 0:
        return largest
    return largest * math.fsum((x / largest) ** p for x in entries) ** (1 / p)


def assert_close(got, want, rtol):
    for g, w in zip(tree.leaves(got), tree.leaves(want), strict=True):
        np.testing.assert_allclose(
            np.float64(g), np.float64(w), rtol=rtol, atol=1e-7 if rtol > 1e-10 else 1e-300
        )


@given(trees, st.sampled_from([1.0, 2.0, 3.0, math.inf]))
def test_global_norm_equals_the_exact_sum(grads, p):
    assert float(global_norm(grads, p)) == pytest.approx(
        joint_norm(grads, p), rel=max(1e-6 * (rounding(grads) > 1e-10), 1e-14)
    )


@given(trees, limits)
def test_clipped_norm_is_at_most_the_limit(grads, limit):
    clipped = clip_by_global_norm(grads, limit)["clipped"]
    # Below the absolute term, numbers lose their digits one by one.
    allowed = 1e-7 if rounding(grads) > 1e-10 else 1e-300
    assert joint_norm(clipped) <= limit * (1 + rounding(grads)) + allowed


@given(trees, limits)
def test_clipping_keeps_the_direction_and_what_is_inside(grads, limit):
    norm = joint_norm(grads)
    result = clip_by_global_norm(grads, limit)
    if norm <= limit * (1 - 1e-6):
        np.testing.assert_equal(result["clipped"], tree.map(np.asarray, grads))
    else:
        share = limit / norm if norm > limit else 1.0
        assert_close(result["clipped"], tree.map(lambda g: np.float64(g) * share, grads), rounding(grads))


@given(trees, limits, st.sampled_from(VARIANTS))
def test_clipping_twice_is_clipping_once_within_rounding(grads, limit, variant):
    once = clip_gradients(grads, variant, limit, grads)
    assert_close(clip_gradients(once, variant, limit, grads), once, 4 * rounding(grads))


@given(st.lists(leaves, max_size=5), limits, st.randoms())
def test_clipping_does_not_depend_on_the_order_of_leaves(grads, limit, random):
    order = random.sample(range(len(grads)), len(grads))
    straight = clip_by_global_norm(grads, limit)["clipped"]
    shuffled = clip_by_global_norm([grads[i] for i in order], limit)["clipped"]
    assert_close(shuffled, [straight[i] for i in order], rounding(grads))


@given(trees, limits, st.sampled_from(VARIANTS))
def test_functional_forms_keep_structure_and_dtype_and_leave_the_input_alone(grads, limit, variant):
    before = copy.deepcopy(grads)
    for clipped in (
        clip_by_global_norm(grads, limit)["clipped"],
        clip_gradients(grads, variant, limit, grads),
    ):
        kinds = tree.map(lambda g, c: (c.shape == g.shape) and (c.dtype == g.dtype), grads, clipped)
        assert all(tree.leaves(kinds))
        for clipped_leaf, leaf in zip(tree.leaves(clipped), tree.leaves(grads), strict=True):
            assert clipped_leaf.size == 0 or not np.shares_memory(clipped_leaf, leaf)
    np.testing.assert_equal(grads, before)


@given(trees, limits)
def test_both_forms_of_clipping_by_norm_agree_bit_for_bit(grads, limit):
    result = clip_by_global_norm(grads, limit)
    assert clip_grad_norm(grads, limit) == result["global_norm"]
    np.testing.assert_equal(tree.leaves(grads), tree.leaves(result["clipped"]))
    np.testing.assert_equal(
        tree.leaves(clip_gradients(grads, "global", limit)),
        tree.leaves(clip_by_global_norm(grads, limit)["clipped"]),
    )


@given(trees, limits)
def test_clipping_by_value_moves_no_entry_that_is_inside(grads, limit):
    before = copy.deepcopy(grads)
    clip_grad_value(grads, limit)
    for got, was in zip(tree.leaves(grads), tree.leaves(before), strict=True):
        bound = was.dtype.type(limit)
        np.testing.assert_equal(got, np.where(np.abs(was) > bound, np.sign(was) * bound, was))


@given(
    st.lists(leaves, min_size=1, max_size=3), st.sampled_from([-1.0, math.nan, "1", None]), st.integers(0, 1)
)
def test_in_place_forms_touch_nothing_when_they_raise(grads, bad_limit, which):
    before = copy.deepcopy(grads)
    clip = (clip_grad_norm, clip_grad_value)[which]
    with pytest.raises((ValueError, TypeError)):
        clip(grads, bad_limit)
    with pytest.raises((ValueError, TypeError)):
        clip([*grads, np.ones(2, int)], 1e-3)
    np.testing.assert_equal(grads, before)


@given(arrays("float64", st.tuples(st.integers(1, 5), st.integers(0, 3))), limits)
def test_one_example_moves_the_mean_by_at_most_the_limit(rows, limit):
    result = clipped_mean([rows], limit)
    want = np.sum([clip_by_global_norm(row, limit)["clipped"] for row in rows], axis=0) / len(rows)
    np.testing.assert_allclose(result["grads"][0], want, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(result["norms"], [joint_norm(row) for row in rows], rtol=1e-14)
    assert joint_norm(result["grads"]) <= limit * (1 + 1e-12) + 1e-300


@given(st.integers(0, 30), st.integers(0, 30), st.floats(0, 10), st.floats(0, 10))
def test_the_rate_rises_then_falls_and_never_leaves_its_bounds(warmup, decay, a, b):
    lr_min, lr_max = sorted((a, b))
    curve = warmup_cosine(np.arange(warmup + decay + 5), warmup, warmup + decay, lr_max, lr_min)
    assert (np.diff(curve[: warmup + 1]) >= 0).all()
    assert (np.diff(curve[warmup:]) <= 1e-15 * lr_max).all()
    assert curve[warmup] == lr_max
    assert (curve[warmup + max(decay, 1) :] == lr_min).all()
    assert (curve[warmup:] >= lr_min * (1 - 1e-15)).all()
    assert curve.tolist() == [
        warmup_cosine(s, warmup, warmup + decay, lr_max, lr_min) for s in range(len(curve))
    ]


@given(arrays("float64"), st.floats(1e-3, 1e3), st.floats(0.0, 1.0))
def test_the_first_step_is_the_sign_of_the_gradient(grad, scale, lr):
    assume(np.all(grad != 0))
    params = {"p": np.zeros_like(grad)}
    AdamW(params, eps=0.0).step(params, {"p": scale * grad}, lr)
    np.testing.assert_allclose(params["p"], -lr * np.sign(grad), rtol=1e-14)


@given(st.lists(arrays("float64", (2, 3)), min_size=1, max_size=4), st.floats(0, 1))
def test_a_step_does_not_depend_on_the_order_of_parameters(rows, lr):
    names = [f"p{i}" for i in range(len(rows))]
    forth = {k: np.ones((2, 3)) for k in names}
    back = {k: np.ones((2, 3)) for k in reversed(names)}
    for params in (forth, back):
        AdamW(params).step(params, dict(zip(names, rows, strict=True)), lr)
    np.testing.assert_equal(forth, back)
