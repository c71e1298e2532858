"""One AdamW step of one number, row by row as the installed `AdamW.step` executes it."""

from __future__ import annotations

from typing import Any

import numpy as np

from live.example import Example, Values
from live.fields import Choice, Integer, Number
from live.numbers import shown
from live.results import Result
from optim_ref.adamw import AdamW


def run(values: Values) -> Result:
    optimizer, params, grads = _prepare(values)
    rows = EXAMPLE.rows(lambda: optimizer.step(params, grads, values["lr"]))
    result = {row.name: row.values[0] for row in rows}
    before, after = shown(values["param"]), shown(result["param"])
    return Result(
        sentence=f"Step {result['t']}: the parameter goes from {before} to {after}.",
        rows=rows,
        following={name: repr(result[name]) for name in ("param", "m", "v", "t")},
    )


def _prepare(values: Values) -> tuple[AdamW, dict[str, Any], dict[str, Any]]:
    """An optimizer in the state that the fields describe, with one parameter of one entry."""
    shape = (1,) * int(values["ndim"])

    def array(name: str) -> Any:
        return np.full(shape, values[name], dtype=values["dtype"])

    params, grads = {"param": array("param")}, {"param": array("grad")}
    optimizer = AdamW(
        params,
        beta1=values["beta1"],
        beta2=values["beta2"],
        eps=values["eps"],
        weight_decay=values["weight_decay"],
    )
    optimizer.m["param"], optimizer.v["param"], optimizer.t = array("m"), array("v"), values["t"]
    return optimizer, params, grads


def snippet(values: Values) -> str:
    shape = (1,) * int(values["ndim"])

    def array(name: str) -> str:
        return f'np.full({shape}, {_literal(values[name])}, dtype="{values["dtype"]}")'

    return f"""\
import numpy as np
from optim_ref import AdamW

params = {{"param": {array("param")}}}
grads = {{"param": {array("grad")}}}
optimizer = AdamW(
    params,
    beta1={values["beta1"]!r},
    beta2={values["beta2"]!r},
    eps={values["eps"]!r},
    weight_decay={values["weight_decay"]!r},
)
optimizer.m["param"] = {array("m")}
optimizer.v["param"] = {array("v")}
optimizer.t = {values["t"]!r}
optimizer.step(params, grads, lr={_literal(values["lr"])})
print("t", optimizer.t)
print("m", optimizer.m["param"].item())
print("v", optimizer.v["param"].item())
print("param", params["param"].item())
"""


def _literal(number: float) -> str:
    return repr(number) if np.isfinite(number) else f'float("{number}")'


EXAMPLE = Example(
    name="adamw-one-step",
    title="One AdamW step",
    function=AdamW.step,
    row_names={
        "self.t": "t",
        "self.m[k]": "m",
        "self.v[k]": "v",
        "m_hat": "m_hat",
        "v_hat": "v_hat",
        "update": "update",
        "update_decayed": "update_decayed",
        "param": "param",
    },
    fields=(
        Number("param", "Parameter θ", "1"),
        Number("grad", "Gradient g", "0.5"),
        Number("m", "First moment m before the step", "0"),
        Number("v", "Second moment v before the step", "0"),
        Integer("t", "Steps done so far, t", "0"),
        Choice("ndim", "Dimensions of the array", "2", options=("0", "1", "2")),
        Choice("dtype", "Precision", "float64", settings=True, options=("float64", "float32")),
        Number("lr", "Learning rate η", "0.1", settings=True),
        Number("beta1", "Decay rate β₁ of the first moment", "0.9", settings=True),
        Number("beta2", "Decay rate β₂ of the second moment", "0.999", settings=True),
        Number("eps", "Stabilizer ε", "1e-8", settings=True),
        Number("weight_decay", "Weight decay λ", "0.01", settings=True),
    ),
    run=run,
    snippet=snippet,
)
