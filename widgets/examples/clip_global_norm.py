"""Two gradients clipped in place by their joint norm."""

from __future__ import annotations

import numpy as np

from live.example import Example, Values
from live.fields import Number
from live.figure import bars
from live.numbers import shown
from live.results import Result, Table
from live.trees import Numbers
from optim_ref.clipping import clip_grad_norm, global_norm


def run(values: Values) -> Result:
    max_norm, norm_type = values["max_norm"], values["norm_type"]
    grads = {name: values[name].copy() for name in ("a", "b")}
    rows = EXAMPLE.rows(lambda: clip_grad_norm(grads, max_norm, norm_type))
    traced = {row.name: row.values[0] for row in rows}
    before = _norms(values, norm_type)
    after = _norms(grads, norm_type)
    scaled = traced["scale"] != 1
    return Result(
        sentence=_sentence(traced["norm"], max_norm, scaled=scaled),
        outputs={
            "norm": traced["norm"],
            "scale": traced["scale"],
            "norm_after": after[-1],
            "a_after": grads["a"],
            "b_after": grads["b"],
        },
        rows=rows,
        table=Table(
            caption="Norms before and after clipping",
            labels={"of": "Norm of", "before": "Before", "after": "After"},
            length=3,
            part=lambda first, end: [each[first:end] for each in (PARTS, before, after)],
        ),
        figure=bars(
            f"Norms of a, b and both together before clipping, and after clipping to {shown(max_norm)}.",
            "Gradient",
            "Norm",
            PARTS,
            {"Before": before, "After": after},
        ),
    )


PARTS = ("a", "b", "a and b")


def _norms(grads: Values, norm_type: float) -> list[float]:
    parts = ([grads["a"]], [grads["b"]], [grads["a"], grads["b"]])
    return [float(global_norm(part, norm_type)) for part in parts]


def _sentence(norm: float, max_norm: float, *, scaled: bool) -> str:
    if not np.isfinite(norm):
        return f"The norm is {shown(norm)}, so no factor can bring it to {shown(max_norm)}."
    if scaled:
        return f"The norm {shown(norm)} is above the limit {shown(max_norm)}: both gradients were scaled."
    return f"The norm {shown(norm)} is not above the limit {shown(max_norm)}: nothing was scaled."


def snippet(values: Values) -> str:
    return f"""\
import numpy as np
from optim_ref import clip_grad_norm

inf, nan = np.inf, np.nan
grads = {{"a": np.array({values["a"].tolist()!r}), "b": np.array({values["b"].tolist()!r})}}
norm = clip_grad_norm(grads, max_norm={values["max_norm"]!r}, norm_type={values["norm_type"]!r})
print("norm", norm)
print("a_after", grads["a"].tolist())
print("b_after", grads["b"].tolist())
"""


EXAMPLE = Example(
    name="clip-global-norm",
    title="Clipping by the global norm",
    function=clip_grad_norm,
    fields=(
        Numbers("a", "Gradient a (numbers)", "3, 0"),
        Numbers("b", "Gradient b (numbers)", "0, 4"),
        Number("max_norm", "Largest norm allowed, C", "1"),
        Number("norm_type", "Order of the norm, p (1 to inf)", "2"),
    ),
    run=run,
    snippet=snippet,
    row_names={"norm": "norm", "factor": "scale", "g": "g"},
    outputs={
        "norm": "Norm before clipping",
        "scale": "Factor",
        "norm_after": "Norm after clipping",
        "a_after": "a after clipping",
        "b_after": "b after clipping",
    },
)
