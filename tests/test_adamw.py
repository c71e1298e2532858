"""AdamW against values worked out by hand; every number here is exact in binary unless it says approx."""

import numpy as np
import pytest

from optim_ref import AdamW


def step(param, grad, lr=1.0, *, m=0.0, v=0.0, t=0, ndim=1, dtype=np.float64, **settings):
    """One step on one number, held in an array of `ndim` dimensions; the optimizer and the new number."""
    shape = (1,) * ndim
    params = {"p": np.full(shape, param, dtype)}
    optimizer = AdamW(params, **({"eps": 0.0, "weight_decay": 0.0} | settings))
    optimizer.m["p"], optimizer.v["p"], optimizer.t = np.full(shape, m), np.full(shape, v), t
    optimizer.step(params, {"p": np.full(shape, grad, dtype)}, lr)
    return optimizer, params["p"].item()


@pytest.mark.equation("initial-state")
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 2)])
def test_adamw_starts_at_zero(shape):
    optimizer = AdamW({"p": np.ones(shape)})
    for moment in (optimizer.m["p"], optimizer.v["p"]):
        assert moment.shape == shape
        assert moment.dtype == np.float64
        assert not moment.any()
    assert optimizer.t == 0
    assert type(optimizer.t) is int
    assert optimizer.m["p"] is not optimizer.v["p"]


@pytest.mark.equation("step-count")
@pytest.mark.parametrize("t", [0, 1, 2, 2**24, 2**53])
def test_step_counts_in_integers(t):
    optimizer, _ = step(1.0, 0.5, t=t)
    assert optimizer.t == t + 1


@pytest.mark.equation("first-moment")
@pytest.mark.parametrize(
    ("beta1", "m", "grad", "expected"),
    [
        (0.75, 2.0, 4.0, 2.5),
        (0.75, 2.0, -4.0, 0.5),
        (0.5, 8.0, 0.0, 4.0),
        (0.0, 7.0, 3.0, 3.0),
        (0.875, 0.0, 8.0, 1.0),
    ],
)
def test_step_averages_the_gradient(beta1, m, grad, expected):
    assert step(1.0, grad, m=m, v=1.0, beta1=beta1)[0].m["p"].item() == expected


@pytest.mark.equation("second-moment")
@pytest.mark.parametrize(
    ("beta2", "v", "grad", "expected"),
    [
        (0.5, 8.0, 3.0, 8.5),
        (0.75, 4.0, -2.0, 4.0),
        (0.5, 8.0, 0.0, 4.0),
        (0.0, 7.0, 3.0, 9.0),
        (0.875, 16.0, 4.0, 16.0),
    ],
)
def test_step_averages_the_squared_gradient(beta2, v, grad, expected):
    assert step(1.0, grad, v=v, beta2=beta2)[0].v["p"].item() == expected


@pytest.mark.equation("first-moment-corrected")
@pytest.mark.parametrize(
    ("beta1", "t", "m", "grad", "m_hat"),
    [
        (0.5, 0, 0.0, 2.0, 2.0),  # (0 + 1) / (1 - 0.5)
        (0.5, 1, 4.0, 2.0, 4.0),  # (2 + 1) / (1 - 0.25)
        (0.25, 2, 2.0, 4.0, 224 / 63),  # (0.5 + 3) / (1 - 1/64)
        (0.0, 5, 9.0, 2.0, 2.0),
        (0.9, 0, 0.0, -0.5, -0.5),
    ],
)
def test_step_corrects_the_first_moment(beta1, t, m, grad, m_hat):
    # beta2 = 0 leaves |grad| for the root, so the number moves by m_hat / |grad|
    _, moved = step(0.0, grad, t=t, m=m, beta1=beta1, beta2=0.0)
    assert moved == pytest.approx(-m_hat / abs(grad), rel=1e-15)


@pytest.mark.equation("second-moment-corrected")
@pytest.mark.parametrize(
    ("beta2", "t", "v", "grad", "v_hat"),
    [
        (0.75, 0, 0.0, 4.0, 16.0),  # (0 + 4) / (1 - 0.75)
        (0.5, 1, 2.0, 2.0, 4.0),  # (1 + 2) / (1 - 0.25)
        (0.5, 2, 10.0, 3.0, 76 / 7),  # (5 + 4.5) / (1 - 0.125)
        (0.0, 5, 9.0, 2.0, 4.0),
        (0.999, 0, 0.0, 0.5, 0.25),
    ],
)
def test_step_corrects_the_second_moment(beta2, t, v, grad, v_hat):
    # beta1 = 0 leaves the gradient for the first moment, so the number moves by grad / sqrt(v_hat)
    _, moved = step(0.0, grad, t=t, v=v, beta1=0.0, beta2=beta2)
    assert moved == pytest.approx(-grad / v_hat**0.5, rel=1e-14)


@pytest.mark.equation("adam-direction")
@pytest.mark.parametrize(
    ("grad", "eps", "direction"),
    [
        (6.0, 2.0, 0.75),
        (-6.0, 2.0, -0.75),
        (4.0, 0.0, 1.0),
        (0.0, 0.5, 0.0),
        (0.25, 0.75, 0.25),
        (3.0, 1.0, 0.75),
    ],
)
def test_step_adds_eps_outside_the_root(grad, eps, direction):
    _, moved = step(0.0, grad, beta1=0.0, beta2=0.0, eps=eps)
    assert moved == -direction


@pytest.mark.equation("adam-direction")
def test_step_divides_by_the_root_of_the_second_moment():
    _, moved = step(0.0, 8.0, v=16.0, t=9, beta1=0.0, beta2=0.5, eps=1.0)
    root = (40 / (1 - 2**-10)) ** 0.5  # v = 8 + 32
    assert moved == pytest.approx(-8 / (root + 1), rel=1e-14)


@pytest.mark.equation("decoupled-weight-decay")
@pytest.mark.parametrize(
    ("param", "grad", "weight_decay", "expected"),
    [
        (4.0, 0.0, 0.5, 3.5),
        (4.0, 2.0, 0.5, 3.25),
        (-4.0, 2.0, 0.5, -3.75),
        (4.0, -2.0, 0.0, 4.25),
        (0.0, 0.0, 8.0, 0.0),
    ],
)
@pytest.mark.parametrize("ndim", [2, 3])
def test_step_decays_towards_zero(param, grad, weight_decay, expected, ndim):
    # the direction is the sign of the gradient, 0 where that is 0; the rate is 0.25
    _, got = step(
        param,
        grad,
        0.25,
        ndim=ndim,
        beta1=0.0,
        beta2=0.0,
        eps=0.0 if grad else 1.0,
        weight_decay=weight_decay,
    )
    assert got == expected


@pytest.mark.equation("parameter-update")
@pytest.mark.parametrize("ndim", [0, 1, 2, 3])
@pytest.mark.parametrize(("lr", "expected"), [(0.5, 2.625), (2.0, 1.5), (0.0, 3.0), (8.0, -3.0)])
def test_step_moves_by_the_learning_rate(ndim, lr, expected):
    # the direction is 3 / (3 + 1)
    assert step(3.0, 3.0, lr, ndim=ndim, beta1=0.0, beta2=0.0, eps=1.0)[1] == expected


@pytest.mark.equation("parameter-update")
@pytest.mark.equation("decoupled-weight-decay")
@pytest.mark.parametrize(("ndim", "expected"), [(0, 0.9), (1, 0.9), (2, 0.8), (3, 0.8)])
def test_step_decays_only_from_two_dimensions_on(ndim, expected):
    _, got = step(1.0, 0.5, 0.1, ndim=ndim, beta1=0.0, beta2=0.0, weight_decay=1.0)
    assert got == pytest.approx(expected, rel=1e-15)


@pytest.mark.equation("parameter-update")
def test_step_matches_the_two_step_example_of_the_pages():
    params = {"w": np.ones((1, 1)), "b": np.ones(1)}
    optimizer = AdamW(params)
    seen = []
    for grad in (0.5, 0.25):
        optimizer.step(params, {"w": np.full((1, 1), grad), "b": np.full(1, grad)}, lr=0.1)
        seen += [round(params["w"].item(), 8), round(params["b"].item(), 8)]
    assert seen == [0.899, 0.9, 0.80488304, 0.80678204]


def test_step_changes_arrays_in_place_and_leaves_gradients_alone():
    params, grads = {"p": np.ones((2, 2))}, {"p": np.full((2, 2), 0.5)}
    param = params["p"]
    AdamW(params).step(params, grads, 0.1)
    assert params["p"] is param
    assert (param < 1).all()
    assert (grads["p"] == 0.5).all()


@pytest.mark.parametrize(("dtype", "state"), [("f2", "f4"), ("f4", "f4"), ("f8", "f8")])
def test_step_keeps_moments_in_float32_at_least(dtype, state):
    params = {"p": np.ones((2, 2), dtype)}
    optimizer = AdamW(params)
    for _ in range(2):
        optimizer.step(params, {"p": np.full((2, 2), 1e-4, dtype)}, np.float64(0.1))
    assert params["p"].dtype == dtype
    assert optimizer.m["p"].dtype == optimizer.v["p"].dtype == state
    assert optimizer.v["p"].min() > 0


def test_step_keeps_going_from_state_that_was_set_back():
    grads = {"p": np.full((2, 2), 0.5)}
    whole = {"p": np.ones((2, 2))}
    optimizer = AdamW(whole)
    for _ in range(3):
        optimizer.step(whole, grads, 0.1)
    parts = {"p": np.ones((2, 2))}
    first = AdamW(parts)
    first.step(parts, grads, 0.1)
    second = AdamW(parts)
    second.m, second.v, second.t = first.m, first.v, first.t
    for _ in range(2):
        second.step(parts, grads, 0.1)
    assert (parts["p"] == whole["p"]).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_step_lets_a_gradient_that_is_not_finite_through(bad):
    params = {"p": np.ones(2)}
    with np.errstate(invalid="ignore"):
        AdamW(params).step(params, {"p": np.array([bad, 0.5])}, 0.1)
    assert np.isnan(params["p"][0])
    assert params["p"][1] == pytest.approx(0.9)


def test_as_step_updates_and_hands_the_gradients_on():
    params, by_hand = {"p": np.ones((1, 2))}, {"p": np.ones((1, 2))}
    grads = {"p": np.array([[0.5, -0.25]])}
    AdamW(by_hand).step(by_hand, grads, 0.1)
    assert AdamW(params).as_step()(grads, params, 0.1) is grads
    assert (params["p"] == by_hand["p"]).all()
