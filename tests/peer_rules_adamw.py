"""How recorded steps of AdamW are held against `optim_ref`, and which are skipped by which rule."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from peers import REFUSED_HERE, Skip, assert_close, decode

import optim_ref
from optim_ref import tree


def adamw_torch(inputs: Any, expected: Any, exact: Any) -> None:
    hyper = inputs["hyper"]
    if hyper["amsgrad"]:
        raise Skip("AMSGrad is not AdamW")
    gradients = [g for grads in decode(inputs["grads_per_step"]) for g in tree.leaves(grads)]
    if len(inputs["grads_per_step"]) > 1 and any(np.isinf(g).any() for g in gradients):
        raise Skip("torch forms the first moment by lerp, which turns inf into nan one step later")
    if any(np.isinf(p).any() for p in tree.leaves(decode(inputs["params"]))):
        raise Skip("torch decays by a factor, so that an infinite parameter without decay stays")
    beta1, beta2 = hyper["betas"]
    run_adamw(inputs, expected, hyper["lr"], (beta1, beta2, hyper["eps"], hyper["weight_decay"]))


def adam_l2_torch(inputs: Any, expected: Any, exact: Any) -> None:
    if inputs["hyper"]["weight_decay"]:
        raise Skip("Adam with L2: the decay is part of the gradient")
    adamw_torch(inputs, expected, exact)


def adamw_optax(inputs: Any, expected: Any, exact: Any) -> None:
    hyper = inputs["hyper"]
    if hyper["nesterov"] or hyper["eps_root"]:
        raise Skip("optax's Nesterov momentum or epsilon inside the root")
    run_adamw(
        inputs,
        expected,
        hyper["learning_rate"],
        (hyper["b1"], hyper["b2"], hyper["eps"], hyper["weight_decay"]),
    )


def adamw_keras(inputs: Any, expected: Any, exact: Any) -> None:
    hyper = inputs["hyper"]
    if hyper["amsgrad"]:
        raise Skip("AMSGrad is not AdamW")
    if any(p.dtype == np.float32 for p in decode(inputs["params"]).values()):
        raise Skip("corrects the bias in float32, where 1 - 0.999 keeps few digits")
    settings = (hyper["beta_1"], hyper["beta_2"], hyper["epsilon"], hyper["weight_decay"])
    run_adamw(inputs, expected, hyper["learning_rate"], settings, epsilon_hat=True)


def run_adamw(inputs: Any, expected: Any, lr: float, settings: Any, epsilon_hat: bool = False) -> None:
    beta1, beta2, eps, weight_decay = settings
    params = decode(inputs["params"])
    refused = not (lr >= 0 and beta1 < 1 and beta2 < 1 and eps >= 0 and weight_decay is not None)
    if refused or not params:
        with pytest.raises((ValueError, TypeError)):
            optim_ref.AdamW(params, *settings).step(params, {}, lr)
        if "raises" not in expected:
            raise Skip(REFUSED_HERE if refused else "takes no parameters at all, which is refused here")
        return
    if any(p.dtype.itemsize == 2 for p in params.values()):
        raise Skip("keeps the moments in 16 bits, which loses small squares")
    if inputs["decay_rule"] == "all" and weight_decay and any(p.ndim < 2 for p in params.values()):
        raise Skip("decays arrays of fewer than two dimensions")
    optimizer = optim_ref.AdamW(params, *settings)
    restore(optimizer, inputs)
    atol = 1e-13 if all(p.dtype == np.float64 for p in params.values()) else 1e-7
    rates = inputs.get("lr_per_step", [lr] * len(inputs["grads_per_step"]))
    steps = zip(inputs["grads_per_step"], rates, expected["params_after_each_step"], strict=True)
    for grads, rate, params_after in steps:
        if epsilon_hat:  # Keras adds epsilon to the root before the bias correction
            optimizer.eps = eps / math.sqrt(1 - beta2 ** (optimizer.t + 1))
        optimizer.step(params, keras_clip(decode(grads), inputs["hyper"]), rate)
        assert_close(params, decode(params_after), atol=atol)
    compare_state(optimizer, expected)


def keras_clip(grads: Any, hyper: Any) -> Any:
    if "clipnorm" in hyper:
        return optim_ref.clip_gradients(grads, "per-layer", hyper["clipnorm"])
    if "clipvalue" in hyper:
        return optim_ref.clip_gradients(grads, "per-weight", hyper["clipvalue"])
    return grads


def restore(optimizer: optim_ref.AdamW, inputs: Any) -> None:
    state = decode(inputs.get("state"))
    if state and "count" in state:
        optimizer.t, optimizer.m, optimizer.v = state["count"], state["mu"], state["nu"]
    elif state:
        optimizer.t = int(max(entry["step"] for entry in state.values()))
        optimizer.m = {k: entry["exp_avg"] for k, entry in state.items()}
        optimizer.v = {k: entry["exp_avg_sq"] for k, entry in state.items()}
    else:
        optimizer.t = inputs.get("iterations_before", 0)


def compare_state(optimizer: optim_ref.AdamW, expected: Any) -> None:
    state = decode(expected.get("state"))
    if not state:
        return
    if "count" in state:
        t, m, v = state["count"], state["mu"], state["nu"]
    else:
        t = max(entry["step"] for entry in state.values())
        m = {k: entry["exp_avg"] for k, entry in state.items()}
        v = {k: entry["exp_avg_sq"] for k, entry in state.items()}
    if t < 2**24:  # beyond, the peers' counters saturate
        assert optimizer.t == t
    assert_close(optimizer.m, m)
    assert_close(optimizer.v, v)
