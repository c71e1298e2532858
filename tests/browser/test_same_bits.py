"""What the page computes is what CPython computes with the same package, bit for bit."""

from __future__ import annotations

import math

import numpy as np
from live_page import LivePage

from optim_ref import AdamW

INPUTS = 300

# Sets every field, tells the element once, and takes the results of each input in turn.
RUN_ALL = """async (example, inputs) => {
  const results = [];
  for (const texts of inputs) {
    for (const [name, text] of Object.entries(texts)) {
      example.querySelector(`:is(input, select)[name=${name}]`).value = text;
    }
    const answered = new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        if (["ready", "error"].includes(example.dataset.state)) resolve(observer.disconnect());
      }).observe(example, { attributes: true, attributeFilter: ["data-state"] });
    });
    example.querySelector("input").dispatchEvent(new Event("input", { bubbles: true }));
    await answered;
    const outputs = Array.from(example.querySelectorAll("output"));
    results.push(Object.fromEntries(outputs.map((each) => [each.name, each.dataset.value])));
  }
  return results;
}"""


def test_every_result_of_random_inputs_has_the_bits_of_cpython(live: LivePage) -> None:
    random = np.random.default_rng(20250108)
    inputs = [random_input(random) for _ in range(INPUTS)]
    results = live.example.evaluate(RUN_ALL, inputs)
    for texts, result in zip(inputs, results, strict=True):
        assert result == adamw_step(texts), texts


def random_input(random: np.random.Generator) -> dict[str, str]:
    dtype = random.choice(["float64", "float32"])
    exponents = (-250, 250) if random.random() < 0.1 else (-8, 8)

    def number(low: float = -1.0) -> str:
        return repr(float(random.uniform(low, 1.0) * 10.0 ** random.uniform(*exponents)))

    return {
        "param": number(),
        "grad": str(random.choice(["inf", "nan", "-0.0", "0"])) if random.random() < 0.05 else number(),
        "m": number(),
        "v": number(low=0.0),
        "t": str(int(10 ** random.uniform(0, 6)) - 1),
        "ndim": str(random.choice(["0", "1", "2"])),
        "dtype": str(dtype),
        "lr": repr(10.0 ** random.uniform(-6, 0)),
        "beta1": repr(float(random.choice([0.0, 0.9, random.uniform(0, 1)]))),
        "beta2": repr(float(random.choice([0.999, 0.99999, random.uniform(0, 1)]))),
        "eps": repr(float(random.choice([0.0, 1e-8, 1e-3]))),
        "weight_decay": repr(float(random.choice([0.0, 0.01, 0.3]))),
    }


def adamw_step(texts: dict[str, str]) -> dict[str, str]:
    """The same step by the package itself; what `AdamW` does not keep is worked out from what it keeps."""
    beta1, beta2, eps, decay = (float(texts[name]) for name in ("beta1", "beta2", "eps", "weight_decay"))
    with np.errstate(all="ignore"):
        before, grad, m, v = (array(texts, name) for name in ("param", "grad", "m", "v"))
        params = {"w": before.copy()}
        optimizer = AdamW(params, beta1, beta2, eps, decay)
        optimizer.m["w"], optimizer.v["w"], optimizer.t = m, v, int(texts["t"])
        optimizer.step(params, {"w": grad}, float(texts["lr"]))
        m_hat = optimizer.m["w"] / (1 - math.pow(beta1, optimizer.t))
        v_hat = optimizer.v["w"] / (1 - math.pow(beta2, optimizer.t))
        update = m_hat / (np.sqrt(v_hat) + eps)
        kept = {"m": optimizer.m["w"], "v": optimizer.v["w"], "param": params["w"]}
        worked_out = {"m_hat": m_hat, "v_hat": v_hat, "update": update}
        if before.ndim >= 2:
            worked_out["update_decayed"] = update + decay * before
    values = {name: repr(value.item()) for name, value in (kept | worked_out).items()}
    return values | {"t": repr(optimizer.t)}


def array(texts: dict[str, str], name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.floating]]:
    return np.full((1,) * int(texts["ndim"]), float(texts[name]), dtype=texts["dtype"])
