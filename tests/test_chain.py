"""Chains of steps, and the settings."""

import copy

import numpy as np
import pytest

from optim_ref import AdamW, clip_gradients, config
from optim_ref.chain import chain, clip_step
from optim_ref.variants import VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
def test_chain_of_clipping_and_adamw_equals_the_two_by_hand_bit_for_bit(variant):
    random = np.random.default_rng(0)
    params = {"w": random.normal(size=(3, 4)), "b": random.normal(size=4)}
    by_hand = copy.deepcopy(params)
    first, second = AdamW(params), AdamW(by_hand)
    step = chain(clip_step(variant, 0.3, 1e-2), first.as_step())
    for _ in range(5):
        grads = {"w": random.normal(size=(3, 4)), "b": random.normal(size=4)}
        given = copy.deepcopy(grads)
        returned = step(grads, params, 0.1)
        clipped = clip_gradients(given, variant, 0.3, by_hand, 1e-2)
        second.step(by_hand, clipped, 0.1)
        np.testing.assert_equal((params, returned, grads), (by_hand, clipped, given))
    np.testing.assert_equal((first.m, first.v, first.t), (second.m, second.v, second.t))


def test_chain_runs_steps_in_order_and_nests():
    def add(grads, params, lr):
        return grads + lr

    def double(grads, params, lr):
        return grads * 2

    assert chain(add, double)(1.0, None, 3.0) == 8.0
    assert chain(double, add)(1.0, None, 3.0) == 5.0
    assert chain(chain(add, double), add)(1.0, None, 3.0) == 11.0
    assert chain()(1.0, None, 3.0) == 1.0


@pytest.mark.parametrize("bad", [None, 1.0, "clip"])
def test_chain_refuses_what_cannot_be_called(bad):
    with pytest.raises(TypeError, match=r"steps\[1\] = .* must be a function step\(grads, params, lr\)"):
        chain(clip_step("global"), bad)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("globally",), ValueError, "variant = 'globally' must be one of"),
        (("global", -1.0), ValueError, "threshold = -1.0"),
        (("global", "1"), TypeError, "threshold = '1'"),
        (("global", 1.0, -1.0), ValueError, "epsilon = -1.0"),
        (("global", 1.0, None), TypeError, "epsilon = None"),
    ],
)
def test_clip_step_refuses_settings_when_it_is_made(arguments, error, message):
    with pytest.raises(error, match=message):
        clip_step(*arguments)


def test_config_holds_the_settings_of_the_design():
    values = {name: value for name, value in vars(config).items() if not name.startswith("__")}
    assert values == {
        "emb_dim": 32,
        "ff_dim": 128,
        "num_layers": 2,
        "block_size": 32,
        "lr_max": 1e-3,
        "lr_min": 1e-4,
        "warmup_steps": 50,
        "grad_clip": 1.0,
        "beta1": 0.9,
        "beta2": 0.999,
        "adam_eps": 1e-8,
        "weight_decay": 0.01,
    }


def parameters_of_the_transformer():
    V, T, d, F = 27, config.block_size, config.emb_dim, config.ff_dim
    shapes = {
        "tok_emb": (V, d),
        "pos_emb": (T, d),
        "lnf_g": (d,),
        "lnf_b": (d,),
        "head_w": (d, V),
        "head_b": (V,),
    }
    for block in range(config.num_layers):
        shapes |= {
            f"b{block}.{k}": (d,)
            for k in ("ln1_g", "ln1_b", "bq", "bk", "bv", "bo", "ln2_g", "ln2_b", "ff2_b")
        }
        shapes |= {f"b{block}.{k}": (d, d) for k in ("wq", "wk", "wv", "wo")}
        shapes |= {f"b{block}.ff1_w": (d, F), f"b{block}.ff1_b": (F,), f"b{block}.ff2_w": (F, d)}
    return {k: np.ones(shape) for k, shape in shapes.items()}


def test_step_decays_exactly_the_fifteen_arrays_of_two_dimensions():
    params = parameters_of_the_transformer()
    AdamW(params).step(params, {k: np.zeros_like(p) for k, p in params.items()}, 0.1)
    changed = {k for k, p in params.items() if (p != 1).any()}
    assert changed == {k for k, p in params.items() if p.ndim >= 2}
    assert (len(changed), len(params) - len(changed)) == (15, 23)
