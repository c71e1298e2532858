"""What one AdamW step costs: beside the same update by hand, with growing size, and beside other libraries.

PYTHONPATH=src python benchmarks/bench_step.py
"""

from __future__ import annotations

import importlib.util
import statistics
import time
import tracemalloc
from collections.abc import Callable
from functools import partial

import numpy as np

from optim_ref import AdamW

MILLION = 1_000_000
BETA1, BETA2, EPS, WEIGHT_DECAY, LR = 0.9, 0.999, 1e-8, 0.01, 1e-3
Step = Callable[[], object]


def arrays(parameters: int, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    rows = parameters // 1000
    param, grad = random.normal(size=(2, rows, 1000)).astype(dtype)
    return param, grad


def reference(parameters: int, dtype: str = "float32", pieces: int = 1) -> Step:
    """A step of `AdamW` on so many parameters, in so many arrays."""
    pairs = [arrays(parameters // pieces, dtype) for _ in range(pieces)]
    params = {f"w{i}": param for i, (param, _) in enumerate(pairs)}
    grads = {f"w{i}": grad for i, (_, grad) in enumerate(pairs)}
    optimizer = AdamW(params, BETA1, BETA2, EPS, WEIGHT_DECAY)
    return lambda: optimizer.step(params, grads, LR)


def by_hand(parameters: int, dtype: str = "float32") -> Step:
    """The same update as one would type it, without any check."""
    p, g = arrays(parameters, dtype)
    state = {"m": np.zeros_like(p), "v": np.zeros_like(p), "t": 0}

    def step() -> None:
        state["t"] += 1
        m = state["m"] = BETA1 * state["m"] + (1 - BETA1) * g
        v = state["v"] = BETA2 * state["v"] + (1 - BETA2) * g**2
        m_hat = m / (1 - BETA1 ** state["t"])
        v_hat = v / (1 - BETA2 ** state["t"])
        p[...] = p - LR * (m_hat / (np.sqrt(v_hat) + EPS) + WEIGHT_DECAY * p)

    return step


def torch_step(parameters: int) -> Step:
    import torch  # noqa: PLC0415

    param, grad = (torch.from_numpy(a) for a in arrays(parameters, "float32"))
    param.grad = grad
    return torch.optim.AdamW([param], LR, (BETA1, BETA2), EPS, WEIGHT_DECAY).step


def optax_step(parameters: int) -> Step:
    import jax  # noqa: PLC0415
    import optax  # noqa: PLC0415

    param, grad = (jax.numpy.asarray(a) for a in arrays(parameters, "float32"))
    optimizer = optax.adamw(LR, BETA1, BETA2, EPS, weight_decay=WEIGHT_DECAY)

    @jax.jit
    def step(param, grad, state):  # type: ignore[no-untyped-def]
        updates, state = optimizer.update(grad, state, param)
        return optax.apply_updates(param, updates), state

    held = [param, optimizer.init(param)]

    def run() -> None:
        held[:] = step(held[0], grad, held[1])
        jax.block_until_ready(held)

    return run


def milliseconds(*steps: Step, rounds: int = 15) -> list[float]:
    """The median time of each, taken in turn so that a busy machine slows all alike."""
    times: list[list[float]] = [[] for _ in steps]
    for step in steps:
        step()
    for _ in range(rounds):
        for step, found in zip(steps, times, strict=True):
            start = time.perf_counter()
            step()
            found.append(1e3 * (time.perf_counter() - start))
    return [statistics.median(found) for found in times]


def peak_bytes(make: Callable[[], Step]) -> int:
    """The most memory there is at once while an optimizer is made and takes two steps, arrays included."""
    tracemalloc.start()
    step = make()
    step()
    step()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def beside_by_hand() -> float:
    """Time of a million-parameter step over that of the same update by hand, the worse of two dtypes."""
    print("| a million parameters | by hand, ms | optim_ref, ms | ratio |\n|---|---|---|---|")
    ratios = []
    for dtype in ("float32", "float64"):
        hand, ref = milliseconds(by_hand(MILLION, dtype), reference(MILLION, dtype))
        ratios.append(ref / hand)
        print(f"| {dtype} | {hand:.1f} | {ref:.1f} | {ref / hand:.2f} |")
    return max(ratios)


def growth() -> tuple[float, float]:
    """Time and memory per parameter at eight million parameters over those at one million.

    The parameters come in arrays of 250,000, as a larger model has more arrays: a single array of tens of
    megabytes would measure how the operating system hands out memory.
    """
    print("\n| parameters | ns per parameter | bytes per parameter |\n|---|---|---|")
    sizes = (MILLION, 2 * MILLION, 4 * MILLION, 8 * MILLION)
    makers = [partial(reference, size, "float32", size // 250_000) for size in sizes]
    peaks = [peak_bytes(make) / size for make, size in zip(makers, sizes, strict=True)]
    steps = [make() for make in makers]
    times = [1e6 * ms / size for ms, size in zip(milliseconds(*steps), sizes, strict=True)]
    for size, ns, peak in zip(sizes, times, peaks, strict=True):
        print(f"| {size:,} | {ns:.1f} | {peak:.1f} |")
    return times[-1] / times[0], peaks[-1] / peaks[0]


def beside_others() -> dict[str, float]:
    """Time of a million-parameter step over that of other libraries, where they are installed."""
    print("\n| a million parameters, float32 | ms | optim_ref is slower by |\n|---|---|---|")
    ratios = {}
    for name, make in (("torch", torch_step), ("optax", optax_step)):
        if importlib.util.find_spec(name) is None:
            print(f"| {name} | not installed | |")
            continue
        other, ref = milliseconds(make(MILLION), reference(MILLION))
        ratios[name] = ref / other
        print(f"| {name} | {other:.1f} | {ratios[name]:.1f} |")
    return ratios


def main() -> dict[str, float]:
    ratio = beside_by_hand()
    time_growth, memory_growth = growth()
    return {"by hand": ratio, "time growth": time_growth, "memory growth": memory_growth} | beside_others()


if __name__ == "__main__":
    main()
