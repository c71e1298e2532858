"""How each family of recorded cases is held against `optim_ref`, and by which rules cases are skipped."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from peers import Skip, assert_close, decode

import optim_ref
from optim_ref import tree

REFUSED_HERE = "takes a setting out of range, which is refused here"


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


def clip_grad_norm_torch(inputs: Any, expected: Any, exact: Any) -> None:
    grads = decode(inputs["grads"])
    max_norm, norm_type = decode(inputs["max_norm"]), decode(inputs["norm_type"])
    arguments = (max_norm, norm_type, inputs["error_if_nonfinite"])
    if not max_norm >= 0 or norm_type < 1:
        with pytest.raises(ValueError, match=r"must be in \["):
            optim_ref.clip_grad_norm(grads, *arguments)
        raise Skip("takes an order below 1, which is no norm" if norm_type < 1 else REFUSED_HERE)
    if exact is None and "raises" in expected:
        with pytest.raises(ValueError, match="must be finite"):
            optim_ref.clip_grad_norm(grads, *arguments)
        assert_close(grads, decode(expected["grads"]), rtol=0.0)
        return
    norm = optim_ref.clip_grad_norm(grads, *arguments)
    narrow = [str(g.dtype) for g in tree.leaves(grads) if g.dtype != np.float64]
    want = decode(exact or expected)
    assert_close(norm, want["total_norm"], rtol=2e-6 if narrow else None)
    assert_close(grads, want["grads"], atol=5e-8 if narrow else 0.0)  # float16 ends at 6e-8


def clip_grad_value_torch(inputs: Any, expected: Any, exact: Any) -> None:
    grads, clip_value = decode(inputs["grads"]), decode(inputs["clip_value"])
    if not clip_value >= 0:
        with pytest.raises(ValueError, match="clip_value"):
            optim_ref.clip_grad_value(grads, clip_value)
        raise Skip(REFUSED_HERE)
    optim_ref.clip_grad_value(grads, clip_value)
    if "raises" in expected:
        raise Skip("refuses to clip nothing at all")
    assert_close(grads, decode(expected["grads"]), rtol=0.0)


def clip_global_norm_optax(inputs: Any, expected: Any, exact: Any) -> None:
    grads, max_norm = decode(inputs["grads"]), decode(inputs["max_norm"])
    if not max_norm >= 0:
        with pytest.raises(ValueError, match="max_norm"):
            optim_ref.clip_by_global_norm(grads, max_norm)
        raise Skip(REFUSED_HERE)
    got, want = optim_ref.clip_by_global_norm(grads, max_norm), decode(exact or expected)
    assert_close(got["global_norm"], want["global_norm"])
    assert_close(got["clipped"], want["clipped"])
    assert [g.dtype for g in tree.leaves(got["clipped"])] == [g.dtype for g in tree.leaves(grads)]


def clip_variants(inputs: Any, expected: Any, exact: Any) -> None:
    variants = {
        "elementwise": "per-weight",
        "clipvalue": "per-weight",
        "clipnorm": "per-layer",
        "global_clipnorm": "global",
    }
    kind, grads, threshold = inputs["kind"], decode(inputs["grads"]), decode(inputs["threshold"])
    if kind not in variants:
        raise Skip("clips by the root mean square of a block, which is none of the variants")
    if not threshold >= 0:
        with pytest.raises(ValueError, match="threshold"):
            optim_ref.clip_gradients(grads, variants[kind], threshold)
        raise Skip(REFUSED_HERE)
    largest = max([np.abs(np.float64(g)).max(initial=0) for g in tree.leaves(grads)], default=0)
    if kind == "global_clipnorm" and largest == math.inf:
        raise Skip("makes every entry nan where the norm is infinite")
    if variants[kind] != "per-weight" and 1e150 < largest < math.inf:
        raise Skip("overflows in the norm")
    assert_close(optim_ref.clip_gradients(grads, variants[kind], threshold), decode(expected["clipped"]))


def agc_optax(inputs: Any, expected: Any, exact: Any) -> None:
    params = decode(inputs["params"])
    if inputs["axis"] is not None or "raises" in expected:
        raise Skip("takes other axes for a unit, or refuses to choose them beyond four dimensions")
    if any(p.ndim > 1 and p.shape[-1] > 1 and np.squeeze(p).ndim < 2 for p in params.values()):
        raise Skip("takes a matrix of one row for one unit")
    run_agc(inputs, params, decode(inputs["grads"]), decode(inputs["clipping"]), decode(expected["clipped"]))


def agc_timm(inputs: Any, expected: Any, exact: Any) -> None:
    if inputs["norm_type"] != 2:
        raise Skip("adaptive clipping by another norm than the Euclidean")
    params, grads, clipped = (
        tree.map(lambda a: np.moveaxis(a, 0, -1) if a.ndim > 1 else a, decode(arrays))
        for arrays in (inputs["params"], inputs["grads"], expected["clipped"])
    )  # timm's output axis is the first
    run_agc(inputs, params, grads, decode(inputs["clip_factor"]), clipped)


def run_agc(inputs: Any, params: Any, grads: Any, threshold: float, clipped: Any) -> None:
    if inputs["eps"] == 0 and any((np.abs(g) < 1e-6).all() for g in tree.leaves(grads)):
        raise Skip("takes 1e-6 for a smaller gradient norm in the denominator")
    got = optim_ref.clip_gradients(grads, "adaptive", threshold, params, inputs["eps"])
    assert_close(got, clipped, atol=0.0)


def per_example_clip_optax(inputs: Any, expected: Any, exact: Any) -> None:
    grads, limit = decode(inputs["per_example_grads"]), inputs["l2_norm_clip"]
    if inputs["kind"] != "global":
        raise Skip("clips each layer of an example on its own")
    if limit < 0 or "raises" in expected:
        with pytest.raises(ValueError, match="must"):
            optim_ref.clipped_mean(grads, limit)
        if limit < 0:
            raise Skip(REFUSED_HERE)
        return
    if any(g.dtype == np.float16 and (np.abs(g) > 255).any() for g in grads):
        raise Skip("overflows in the norm")
    got = optim_ref.clipped_mean(grads, limit)["grads"]
    number = len(grads[0])
    assert_close([number * np.float64(g) for g in got], decode(expected["clipped_sum"]), rtol=rounding(grads))


def per_example_clip_opacus(inputs: Any, expected: Any, exact: Any) -> None:
    grads, limit = decode(inputs["per_example_grads"]), inputs["max_grad_norm"]
    if inputs["kind"] != "global":
        raise Skip("clips each layer of an example on its own")
    if limit < 0:
        with pytest.raises(ValueError, match="max_norm"):
            optim_ref.clipped_mean(grads, limit)
        raise Skip(REFUSED_HERE)
    got = optim_ref.clipped_mean(grads, limit)
    norms = np.float64(got["norms"])
    number = len(norms) if inputs["loss_reduction"] == "sum" else len(norms) / inputs["expected_batch_size"]
    # Opacus adds 1e-6 to each norm: the two agree as closely as that leaves a clipped example alone
    moved = np.sum(limit * 1e-6 / norms[norms + 1e-6 > limit]) * number / len(norms)
    means = [number * np.float64(g) for g in got["grads"]]
    assert_close(means, decode(expected["grad"]), atol=moved, rtol=rounding(grads))


def rounding(grads: list[Any]) -> float:
    return 4e-3 if any(g.dtype == np.float16 for g in grads) else 1e-12


def per_example_linear_jax(inputs: Any, expected: Any, exact: Any) -> None:
    params, x, y = decode(inputs["params"]), decode(inputs["x"]), decode(inputs["y"])
    if y.shape[1] != 1:
        raise Skip("is a model with several outputs")
    if any(not math.isfinite(float(norm)) for norm in expected["per_example_norms"]["data"]):
        raise Skip("overflows in the norm")
    params = {"w": params["w"][:, 0], "b": params["b"][0]}
    got = optim_ref.clip_per_example(params, x, y[:, 0], inputs["l2_norm_clip"])
    mean = decode(expected["clipped_mean"])
    assert_close(got["norms"], decode(expected["per_example_norms"]), rtol=1e-11)
    assert_close(got["grads"], {"w": mean["w"][:, 0], "b": mean["b"][0]}, rtol=1e-11, atol=1e-14)


def schedule_torch(inputs: Any, expected: Any, exact: Any) -> None:
    warmup, total, lr = inputs["warmup_steps"], inputs["total_steps"], inputs["base_lr"]
    if inputs["kind"] == "linear":
        raise Skip("has no cosine part")
    if exact is None or inputs["eta_min"] < 0:
        refused_or_undefined(warmup, total, lr, inputs["eta_min"])
    steps = np.arange(warmup, inputs["n_steps"])  # torch's warmup does not start at 0
    got = optim_ref.warmup_cosine(steps, warmup, total, lr, inputs["eta_min"])
    assert_close(got, np.array(exact["clamped"][warmup:]), atol=1e-15 * lr)


def refused_or_undefined(warmup: int, total: int, lr: float, lr_min: float) -> None:
    """Skip what torch computes with settings out of range, or cannot compute where warmup takes all."""
    if warmup == total:
        raise Skip("divides by zero where warmup takes all steps")
    with pytest.raises(ValueError, match="must be in"):
        optim_ref.warmup_cosine(0, warmup, total, lr, lr_min)
    raise Skip(REFUSED_HERE)


def schedule_optax(inputs: Any, expected: Any, exact: Any) -> None:
    values = {k: decode(inputs[k]) for k in ("peak_value", "end_value", "warmup_steps", "decay_steps")}
    if inputs["exponent"] != 1:
        raise Skip("raises the cosine to a power")
    compare_rates(
        inputs, decode((exact or {}).get("clamped") or expected["values"]), values, inputs["init_value"]
    )


def schedule_keras(inputs: Any, expected: Any, exact: Any) -> None:
    peak = inputs["initial_learning_rate"] if inputs["warmup_target"] is None else inputs["warmup_target"]
    values = {
        "peak_value": peak,
        "end_value": inputs["alpha"] * peak,  # Keras gives a fraction of the peak
        "warmup_steps": inputs["warmup_steps"],
        "decay_steps": inputs["decay_steps"] + inputs["warmup_steps"],  # and counts without the warmup
    }
    if "raises" in expected:
        with pytest.raises(ValueError, match="total_steps"):
            optim_ref.warmup_cosine(0, values["warmup_steps"], values["decay_steps"], peak, 0.0)
        return
    # Keras' cosine is in float32
    compare_rates(
        inputs, decode(expected["values"]), values, inputs["initial_learning_rate"], atol=1e-7 * peak
    )


def compare_rates(inputs: Any, want: Any, values: Any, init: float, atol: float = 0.0) -> None:
    """Compare where the conventions meet: not at negative steps, and in the warmup only if it starts at 0."""
    warmup, total, peak, end = (values[k] for k in ("warmup_steps", "decay_steps", "peak_value", "end_value"))
    if not (warmup >= 0 and total >= warmup and 0 <= peak < math.inf and end >= 0):
        with pytest.raises(ValueError, match="must be in"):
            optim_ref.warmup_cosine(0, warmup, total, peak, end)
        raise Skip(REFUSED_HERE)
    steps = np.array(inputs["steps"])
    shared = (steps >= 0) & ((steps >= warmup) | (init == 0))
    if not shared.any():
        raise Skip("gives only negative steps")
    got = optim_ref.warmup_cosine(steps[shared], warmup, total, peak, end)
    assert_close(got, np.array(want)[shared], atol=max(atol, 1e-15 * peak))


FAMILIES = {
    "adamw_torch": adamw_torch,
    "adam_l2_torch": adam_l2_torch,
    "adamw_optax": adamw_optax,
    "adamw_keras": adamw_keras,
    "clip_grad_norm_torch": clip_grad_norm_torch,
    "clip_grad_value_torch": clip_grad_value_torch,
    "clip_global_norm_optax": clip_global_norm_optax,
    "clip_elementwise_blockrms_optax": clip_variants,
    "clip_keras": clip_variants,
    "agc_optax": agc_optax,
    "agc_timm": agc_timm,
    "per_example_clip_optax": per_example_clip_optax,
    "per_example_clip_opacus": per_example_clip_opacus,
    "per_example_linear_jax": per_example_linear_jax,
    "schedule_torch": schedule_torch,
    "schedule_optax": schedule_optax,
    "schedule_keras": schedule_keras,
}
