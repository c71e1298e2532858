import math

import numpy as np
import pytest
from numerical import central_difference

from optim_ref.adamw import AdamW
from optim_ref.parameters import param_shapes
from optim_ref.transformer import forward, init_params, loss, loss_and_grads

SMALL = {"emb_dim": 8, "ff_dim": 10, "num_layers": 2, "block_size": 6}
VOCAB_SIZE = 7
KEYS = list(param_shapes(VOCAB_SIZE, **SMALL))


@pytest.fixture
def params():
    """Large and uneven, so that no softmax is flat, no gain one and no bias zero."""
    rng = np.random.default_rng(3)
    return {key: rng.normal(0.0, 0.5, shape) for key, shape in param_shapes(VOCAB_SIZE, **SMALL).items()}


@pytest.fixture
def batch():
    windows = np.random.default_rng(4).integers(VOCAB_SIZE, size=(3, 6))
    return windows[:, :-1], windows[:, 1:]


@pytest.mark.parametrize("key", KEYS)
def test_loss_and_grads_agrees_with_central_differences(params, batch, key):
    _, grads = loss_and_grads(params, *batch)
    expected = central_difference(lambda: loss(params, *batch), params[key], step=1e-5)
    np.testing.assert_allclose(grads[key], expected, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("num_heads", [1, 2, 8])
def test_loss_and_grads_takes_any_divisor_as_number_of_heads(params, batch, num_heads):
    _, grads = loss_and_grads(params, *batch, num_heads=num_heads)
    expected = central_difference(lambda: loss(params, *batch, num_heads=num_heads), params["b0.bq"])
    np.testing.assert_allclose(grads["b0.bq"], expected, rtol=1e-4, atol=1e-8)


def test_loss_and_grads_leaves_params_alone_and_returns_their_keys_in_order(params, batch):
    before = {key: array.copy() for key, array in params.items()}
    value, grads = loss_and_grads(params, *batch)
    assert value == loss(params, *batch)
    assert list(grads) == list(params)
    for key in params:
        np.testing.assert_array_equal(params[key], before[key])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dtype_of_params_is_kept(batch, dtype):
    params = init_params(VOCAB_SIZE, dtype=dtype, **SMALL)
    _, grads = loss_and_grads(params, *batch)
    assert {array.dtype for array in (*params.values(), *grads.values())} == {np.dtype(dtype)}
    assert forward(params, batch[0]).dtype == dtype


@pytest.mark.parametrize("position", range(5))
def test_forward_does_not_see_later_tokens(params, batch, position):
    tokens = batch[0].copy()
    before = forward(params, tokens)
    tokens[:, position] = (tokens[:, position] + 1) % VOCAB_SIZE
    after = forward(params, tokens)
    np.testing.assert_allclose(after[:, :position], before[:, :position], atol=1e-13)
    assert np.all(np.abs(after - before)[:, position:].max(axis=-1) > 1e-6)


def test_forward_of_a_prefix_is_the_prefix_of_forward(params, batch):
    np.testing.assert_allclose(forward(params, batch[0][:, :3]), forward(params, batch[0])[:, :3], atol=1e-13)


def test_init_params_has_the_shapes_of_the_design():
    params = init_params(31)
    assert params.keys() == param_shapes(31).keys()
    assert len(params) == 38
    assert sum(array.ndim >= 2 for array in params.values()) == 15
    assert params["tok_emb"].shape == (31, 32)
    assert params["b1.ff2_w"].shape == (128, 32)
    assert sum(array.size for array in params.values()) == 28_511


def test_init_params_starts_close_to_a_uniform_guess():
    tokens = np.random.default_rng(0).integers(31, size=(8, 32))
    assert loss(init_params(31), tokens, tokens) == pytest.approx(math.log(31), abs=0.1)


def test_init_params_is_determined_by_its_seed():
    one, same, other = init_params(31, 1), init_params(31, np.random.default_rng(1)), init_params(31, 2)
    assert all(np.array_equal(one[key], same[key]) for key in one)
    assert not np.array_equal(one["head_w"], other["head_w"])


def test_adamw_decays_15_arrays_and_leaves_23():
    params = {key: np.ones(shape) for key, shape in param_shapes(31).items()}
    AdamW(params).step(params, {key: np.zeros_like(array) for key, array in params.items()}, lr=0.1)
    changed = {key for key, array in params.items() if not np.array_equal(array, np.ones_like(array))}
    weights = {f"b{layer}.{name}" for layer in (0, 1) for name in ("wq", "wk", "wv", "wo", "ff1_w", "ff2_w")}
    assert changed == {"tok_emb", "pos_emb", "head_w"} | weights
    assert (len(changed), len(params) - len(changed)) == (15, 23)


@pytest.mark.parametrize(
    ("tokens", "error", "message"),
    [
        ([0, 1, 2], ValueError, r"tokens has shape \(3,\), must be \(B, T\) with B >= 1 and T in \[1, 6\]"),
        ([[]], TypeError, "tokens has dtype float64, must be integers"),
        (np.zeros((0, 3), int), ValueError, r"tokens has shape \(0, 3\)"),
        (np.zeros((1, 7), int), ValueError, r"tokens has shape \(1, 7\), .* T in \[1, 6\]"),
        ([[0.0]], TypeError, "tokens has dtype float64, must be integers"),
        ([[True]], TypeError, "tokens has dtype bool, must be integers"),
        ([[0, 7]], ValueError, r"tokens contains 7, must be in \[0, 7\)"),
        ([[0, -1]], ValueError, r"tokens contains -1, must be in \[0, 7\)"),
    ],
)
def test_forward_refuses_tokens(params, tokens, error, message):
    with pytest.raises(error, match=message):
        forward(params, tokens)


def test_loss_refuses_targets_of_another_shape(params):
    with pytest.raises(
        ValueError, match=r"targets has shape \(1, 1\), must be \(1, 2\), the shape of tokens"
    ):
        loss(params, [[0, 1]], [[1]])


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"b0.wq": np.ones((8, 7))}, ValueError, r"params\['b0.wq'\] has shape \(8, 7\), must be \(8, 8\)"),
        ({"b0.wq": np.ones((8, 8), int)}, TypeError, r"params\['b0.wq'\] has dtype int64"),
        ({"b0.wq": [[1.0]]}, TypeError, r"params\['b0.wq'\] = \[\[1.0\]\] must be a NumPy array"),
        (
            {"tok_emb": np.ones(8)},
            ValueError,
            r"params\['tok_emb'\] has shape \(8,\), must have two dimensions",
        ),
        ({"b0.wr": np.ones(1)}, ValueError, r"must not have \['b0.wr'\]"),
        ({"b3.wq": np.ones(1)}, ValueError, r"lacks the keys .*, and must not have \['b3.wq'\]"),
    ],
)
def test_forward_refuses_params(params, change, error, message):
    with pytest.raises(error, match=message):
        forward(params | change, [[0]])


@pytest.mark.parametrize("key", ["tok_emb", "pos_emb", "b0.ff1_w", "b1.ln2_b", "head_b"])
def test_forward_refuses_a_missing_parameter(params, key):
    del params[key]
    with pytest.raises(ValueError, match=f"params lacks the key.*'{key}'"):
        forward(params, [[0]])


@pytest.mark.parametrize(("num_heads", "error"), [(3, ValueError), (0, ValueError), (2.0, TypeError)])
def test_forward_refuses_num_heads(params, num_heads, error):
    with pytest.raises(error, match=f"num_heads = {num_heads} must be"):
        forward(params, [[0]], num_heads=num_heads)


@pytest.mark.parametrize("name", ["vocab_size", *SMALL])
def test_init_params_refuses_sizes(name):
    with pytest.raises(ValueError, match=rf"{name} = 0 must be in \[1, inf\)"):
        init_params(**({"vocab_size": 7} | {name: 0}))
    with pytest.raises(TypeError, match=rf"{name} = 1.5 must be an integer in \[1, inf\)"):
        init_params(**({"vocab_size": 7} | {name: 1.5}))


def test_init_params_refuses_an_integer_dtype():
    with pytest.raises(TypeError, match="dtype = int64 must be real floating point"):
        init_params(7, dtype=np.int64)
