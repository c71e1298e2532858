"""How recorded clipping is held against `optim_ref`, and which cases are skipped by which rule."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from peers import REFUSED_HERE, Skip, assert_close, decode

import optim_ref
from optim_ref import tree


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
