"""The arithmetic under the site's numbers, on random inputs: one file for CPython and for the browser.

Inputs are made by steps that are exact everywhere, so that only the operations themselves can differ. The
first line of each operation is what the page calls it.
"""

import json
import math
import random
import sys
import zlib
from binascii import b2a_base64

import numpy as np

import optim_ref
from optim_ref import config

COUNT = 10_000
ENTRIES = 8
LONGEST = 300
MOST_STEPS = 2_000
SEED = 20261130
VARIANTS = ("per-weight", "per-layer", "global", "per-weight-relative", "adaptive")


def inputs():
    """Arrays by name; along the first axis, one entry or row for each of the inputs."""
    draw = random.Random(SEED).random
    row = (COUNT, ENTRIES)
    drawn = {name: numbers(draw, row) for name in ("params", "grads", "m", "v")}
    for name in ("lr", "decay", "beta1", "progress"):
        drawn[name] = np.array([draw() for _ in range(COUNT)])
    drawn["beta2"] = np.array([1 - draw() * draw() for _ in range(COUNT)])  # often close to 1, as in use
    drawn["steps"] = integers(draw, MOST_STEPS)
    drawn["first_steps"] = np.arange(1, COUNT + 1, dtype=np.int64)
    drawn["limit"] = abs(numbers(draw, (COUNT,)))
    drawn["length"] = integers(draw, LONGEST)
    drawn["pool"] = numbers(draw, (COUNT + LONGEST,), widest=0)
    drawn["exponent"] = np.array([4 * draw() for _ in range(COUNT)])
    return drawn | {"v": abs(drawn["v"])}


def numbers(draw, shape, widest=20):
    """Numbers of both signs and of magnitudes down to 2**-widest and up to 2**widest."""
    count = math.prod(shape)
    exponents = [int((2 * widest + 1) * draw()) - widest for _ in range(count)]
    return np.ldexp([2 * draw() - 1 for _ in range(count)], exponents).reshape(shape)


def integers(draw, largest):
    """Integers from 1, the small ones more often."""
    # Left to itself, NumPy would take 32 bits in the browser.
    return np.array([1 + int(largest * draw() * draw()) for _ in range(COUNT)], np.int64)


def first_moment(x):
    """First moment: `beta1 * m + (1 - beta1) * g`"""
    beta1 = x["beta1"][:, None]
    return beta1 * x["m"] + (1 - beta1) * x["grads"]


def second_moment(x):
    """Second moment: `beta2 * v + (1 - beta2) * np.square(g)`"""
    beta2 = x["beta2"][:, None]
    return beta2 * x["v"] + (1 - beta2) * np.square(x["grads"])


def powers(betas, steps):
    """`beta ** t` on Python numbers, as AdamW takes it."""
    return np.array([beta**step for beta, step in zip(betas, steps.tolist(), strict=True)])


def corrected_first_moment(x):
    """First moment corrected, in each of the first steps: `m / (1 - 0.9**t)`"""
    return x["m"] / (1 - powers([config.beta1] * COUNT, x["first_steps"]))[:, None]


def corrected_second_moment(x):
    """Second moment corrected, in each of the first steps: `v / (1 - 0.999**t)`"""
    return x["v"] / (1 - powers([config.beta2] * COUNT, x["first_steps"]))[:, None]


def any_power(x):
    """A number to an integer power, any base: `beta**t`"""
    return np.stack([powers(x[beta].tolist(), x["steps"]) for beta in ("beta1", "beta2")], axis=1)


def any_correction(x):
    """Correction of the bias, any base: `1 - beta**t`"""
    return 1 - any_power(x)


def square_root(x):
    """Square root: `np.sqrt(v)`"""
    return np.sqrt(x["v"])


def division(x):
    """Division: `p / g`"""
    return x["params"] / x["grads"]


def adamw_step(x, dtype=np.float64):
    """A whole step of `AdamW`, in each of the first steps"""
    return np.array(
        [one_step(x, i, x["first_steps"][i], config.beta1, config.beta2, dtype) for i in range(COUNT)]
    )


def adamw_step_float32(x):
    """The same step in float32"""
    return adamw_step(x, np.float32)


def adamw_step_any_betas(x):
    """A whole step of `AdamW`, any `beta1` and `beta2`"""
    betas = zip(x["beta1"].tolist(), x["beta2"].tolist(), strict=True)
    return np.array([one_step(x, i, x["steps"][i], *each, np.float64) for i, each in enumerate(betas)])


def one_step(x, i, step, beta1, beta2, dtype):
    param, grad, m, v = (x[name][i].astype(dtype).reshape(2, -1) for name in ("params", "grads", "m", "v"))
    params = {"w": param}
    optimizer = optim_ref.AdamW(params, beta1, beta2, weight_decay=x["decay"][i].item())
    optimizer.m["w"], optimizer.v["w"], optimizer.t = m, v, int(step) - 1
    optimizer.step(params, {"w": grad}, x["lr"][i].item())
    return np.stack([params["w"], optimizer.m["w"], optimizer.v["w"]])


def vectors(x):
    """Stretches of different lengths of the same numbers."""
    return [x["pool"][i : i + length] for i, length in enumerate(x["length"].tolist())]


def sum_of_squares(x):
    """Sum of squares: `np.sum(np.square(g))`"""
    return np.array([np.sum(np.square(vector)) for vector in vectors(x)])


def trees(x):
    for i in range(COUNT):
        yield {"w": x["grads"][i].reshape(2, -1).copy(), "b": x["m"][i].copy()}, x["limit"][i].item()


def flat(tree, *more):
    return np.concatenate([np.ravel(each) for each in (*tree.values(), *more)])


def global_norm(x):
    """`global_norm`"""
    return np.array([optim_ref.global_norm(vector) for vector in vectors(x)])


def clip_by_global_norm(x):
    """`clip_by_global_norm`"""
    clipped = [optim_ref.clip_by_global_norm(tree, limit) for tree, limit in trees(x)]
    return np.array([flat(each["clipped"], each["global_norm"]) for each in clipped])


def clip_grad_norm(x):
    """`clip_grad_norm`"""
    return np.array([flat(tree, optim_ref.clip_grad_norm(tree, limit)) for tree, limit in trees(x)])


def clip_grad_value(x):
    """`clip_grad_value`"""
    clipped = []
    for tree, limit in trees(x):
        optim_ref.clip_grad_value(tree, limit)
        clipped.append(flat(tree))
    return np.array(clipped)


def clip_gradients(x):
    """`clip_gradients`, each variant in turn"""
    clipped = []
    for i, (tree, limit) in enumerate(trees(x)):
        weights = {"w": x["params"][i].reshape(2, -1), "b": x["v"][i]}
        variant = VARIANTS[i % len(VARIANTS)]
        clipped.append(flat(optim_ref.clip_gradients(tree, variant, limit, weights)))
    return np.array(clipped)


def clip_per_example(x):
    """`clip_per_example`, six examples each"""
    clipped = []
    for i, (tree, limit) in enumerate(trees(x)):
        params = {"w": tree["w"][0], "b": tree["b"][0]}
        examples, targets = x["pool"][i : i + 24].reshape(6, 4), x["pool"][i + 24 : i + 30]
        result = optim_ref.clip_per_example(params, examples, targets, limit)
        clipped.append(flat(result["grads"], result["norms"]))
    return np.array(clipped)


def cosine(x):
    """Cosine: `math.cos(x)`"""
    return np.array([math.cos(math.pi * progress) for progress in x["progress"].tolist()])


def warmup_cosine(x):
    """`warmup_cosine`, from `lr_max` to a tenth of it"""
    rates = []
    for total, progress, lr in zip(*(x[name].tolist() for name in ("steps", "progress", "lr")), strict=True):
        rates.append(optim_ref.warmup_cosine(int(total * progress), total // 10, total, lr, lr / 10))
    return np.array(rates)


def array_power(x):
    """Powers of arrays: `np.power(x, y)`"""
    return np.power(x["v"][:, 0], x["exponent"])


def dot(x):
    """Dot product: `np.dot(x, y)`"""
    pairs = ((vector, vector[::-1].copy()) for vector in vectors(x))
    return np.array([np.dot(one, other) for one, other in pairs])


def matrix_product(x):
    """Product of matrices of 4×16 and 16×4: `x @ y`"""
    windows = (x["pool"][i : i + 128] for i in range(COUNT))
    return np.array([np.ravel(window[:64].reshape(4, 16) @ window[64:].reshape(16, 4)) for window in windows])


OPERATIONS = (
    *(first_moment, second_moment, corrected_first_moment, corrected_second_moment, square_root, division),
    *(adamw_step, adamw_step_float32, sum_of_squares, global_norm),
    *(clip_by_global_norm, clip_grad_norm, clip_grad_value, clip_gradients, clip_per_example),
    *(warmup_cosine, cosine, any_power, any_correction, adamw_step_any_betas),
    *(array_power, dot, matrix_product),
)


def plain(array):
    """An array with every bit, as plain data."""
    return {"dtype": str(array.dtype), "shape": array.shape, "bytes": b2a_base64(array.tobytes()).decode()}


def results_json():
    """What each operation makes of the inputs, and a checksum of them: they must be the same everywhere."""
    given = inputs()
    results = {operation.__name__: plain(operation(given)) for operation in OPERATIONS}
    checksums = {name: zlib.crc32(array.tobytes()) for name, array in given.items()}
    return json.dumps(
        {"python": sys.version.split()[0], "numpy": np.__version__, "inputs": checksums, "results": results}
    )
