"""What AdamW refuses: always before anything has changed, always naming argument, value and range."""

import copy
import re

import numpy as np
import pytest

from optim_ref import AdamW


def arrays(**changes):
    return {"w": np.ones((2, 3)), "b": np.ones(3)} | changes


@pytest.mark.parametrize(
    ("name", "value", "interval"),
    [
        ("beta1", 1.0, "[0, 1)"),
        ("beta1", -0.1, "[0, 1)"),
        ("beta1", np.nan, "[0, 1)"),
        ("beta2", 1.0, "[0, 1)"),
        ("beta2", -0.1, "[0, 1)"),
        ("beta2", np.inf, "[0, 1)"),
        ("eps", -1e-8, "[0, inf)"),
        ("eps", np.nan, "[0, inf)"),
        ("eps", np.inf, "[0, inf)"),
        ("weight_decay", -0.01, "[0, inf)"),
        ("weight_decay", np.inf, "[0, inf)"),
    ],
)
def test_adamw_refuses_settings_out_of_range(name, value, interval):
    with pytest.raises(ValueError, match=re.escape(f"{name} = {value} must be in {interval}")):
        AdamW(arrays(), **{name: value})


@pytest.mark.parametrize("name", ["beta1", "beta2", "eps", "weight_decay"])
@pytest.mark.parametrize("value", [None, "0.9", True, 1j, [0.9], np.array([0.9])])
def test_adamw_refuses_settings_that_are_no_numbers(name, value):
    with pytest.raises(TypeError, match=f"{name} = .* must be a real number in"):
        AdamW(arrays(), **{name: value})


READ_ONLY = np.ones(3)
READ_ONLY.flags.writeable = False
SHARED = np.ones(3)
NOT_PARAMETERS = [
    ({}, ValueError, r"params = \{\} must hold at least one array"),
    (None, TypeError, "params = None must be a dict"),
    ([np.ones(3)], TypeError, "must be a dict"),
    ((p for p in ()), TypeError, "generator.* must be a dict"),
    (arrays(b=[1.0, 1.0]), TypeError, r"params\['b'\] = \[1.0, 1.0\] must be a NumPy array"),
    (arrays(b=1.0), TypeError, r"params\['b'\] = 1.0 must be a NumPy array"),
    (arrays(b={"c": np.ones(3)}), TypeError, r"params\['b'\].* must be a NumPy array"),
    (arrays(b=np.ones(3, int)), TypeError, r"params\['b'\] has dtype int64, must be real floating point"),
    (arrays(b=np.ones(3, bool)), TypeError, "dtype bool"),
    (arrays(b=np.ones(3, complex)), TypeError, "dtype complex128"),
    (arrays(b=np.array([[1.0], [1.0, 2.0]], object)), TypeError, "dtype object"),
    (arrays(b=READ_ONLY), ValueError, r"params\['b'\] is read-only"),
    ({"b": SHARED, "c": SHARED}, ValueError, r"params\['c'\] is the same array as params\['b'\]"),
]


@pytest.mark.parametrize(("params", "error", "message"), NOT_PARAMETERS)
def test_adamw_refuses_parameters(params, error, message):
    with pytest.raises(error, match=message):
        AdamW(params)


def refused(error, message, params=None, grads=None, lr=0.1, **state):
    """A step that is refused changes neither parameters nor state."""
    given = arrays()
    optimizer = AdamW(given)
    vars(optimizer).update(state)
    params = given if params is None else params
    before = copy.deepcopy((given, vars(optimizer)))
    with pytest.raises(error, match=message):
        optimizer.step(params, arrays() if grads is None else grads, lr)
    np.testing.assert_equal((given, vars(optimizer)), before)


@pytest.mark.parametrize("lr", [-0.1, np.nan, np.inf, -np.inf])
def test_step_refuses_a_learning_rate_out_of_range(lr):
    refused(ValueError, re.escape(f"lr = {lr} must be in [0, inf)"), lr=lr)


@pytest.mark.parametrize("lr", [None, "0.1", True, [0.1]])
def test_step_refuses_a_learning_rate_that_is_no_number(lr):
    refused(TypeError, "lr = .* must be a real number", lr=lr)


@pytest.mark.parametrize(
    ("grads", "error", "message"),
    [
        ({"w": np.ones((2, 3))}, ValueError, r"grads has keys \['w'\], must be \['w', 'b'\]: see 'b'"),
        (arrays(extra=np.ones(1)), ValueError, "see 'extra'"),
        (arrays(b=np.ones(4)), ValueError, r"grads\['b'\] has shape \(4,\), must be \(3,\)"),
        (arrays(b=np.ones((1, 3))), ValueError, r"grads\['b'\] has shape \(1, 3\), must be \(3,\)"),
        (arrays(b=np.ones(())), ValueError, r"grads\['b'\] has shape \(\), must be \(3,\)"),
        (arrays(b=np.ones(3, int)), TypeError, r"grads\['b'\] has dtype int64"),
        (arrays(b=None), TypeError, r"grads\['b'\] = None must be a NumPy array"),
        (arrays(b=[1.0, 1.0, 1.0]), TypeError, r"grads\['b'\].* must be a NumPy array"),
        ([np.ones((2, 3)), np.ones(3)], TypeError, "grads = .* must be a dict"),
        ((g for g in ()), TypeError, "grads = <generator"),
        ({}, ValueError, r"grads has keys \[\]"),
    ],
)
def test_step_refuses_gradients(grads, error, message):
    refused(error, message, grads=grads)


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"w": np.ones((2, 3))}, ValueError, r"params has keys \['w'\], must be \['w', 'b'\]"),
        (arrays(extra=np.ones(1)), ValueError, "see 'extra'"),
        (arrays(b=np.ones(4)), ValueError, r"params\['b'\] has shape \(4,\), must be \(3,\)"),
        (arrays(b=READ_ONLY), ValueError, r"params\['b'\] is read-only"),
        (arrays(b=np.ones(3, int)), TypeError, r"params\['b'\] has dtype int64"),
        (None, TypeError, "params = "),
    ],
)
def test_step_refuses_parameters(params, error, message):
    refused(error, message, params=params if params is not None else [])


@pytest.mark.parametrize("t", [1.0, np.int64(1), True, None])
def test_step_refuses_a_counter_that_is_no_python_integer(t):
    refused(TypeError, r"t = .* must be a Python int in \[0, inf\)", t=t)


def test_step_refuses_a_negative_counter():
    refused(ValueError, r"t = -1 must be in \[0, inf\)", t=-1)


@pytest.mark.parametrize("name", ["m", "v"])
def test_step_refuses_moments_that_do_not_fit(name):
    refused(ValueError, "has shape", **{name: arrays(b=np.zeros(4))})
    refused(ValueError, "keys", **{name: {"w": np.zeros((2, 3))}})
    refused(TypeError, r"\['b'\] has dtype int64", **{name: arrays(b=np.zeros(3, int))})
