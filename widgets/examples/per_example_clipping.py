"""The gradient of each example of a linear model clipped on its own, then averaged."""

from __future__ import annotations

from typing import Any

import numpy as np

from live.example import Example, Values
from live.fields import Number
from live.figure import bars
from live.numbers import shown
from live.results import Result, Table
from live.trees import Json, Numbers
from optim_ref.clipping import clip_factor, clip_per_example


def run(values: Values) -> Result:
    max_norm = values["max_norm"]
    params = {"w": values["w"], "b": np.array(values["b"])}
    answers: list[Any] = []
    rows = EXAMPLE.rows(lambda: answers.append(clip_per_example(params, values["x"], values["y"], max_norm)))
    (result,) = answers
    norms = result["norms"]
    after = norms * clip_factor(norms, max_norm)
    names = [f"example {n + 1}" for n in range(len(norms))]
    clipped = int(np.sum(norms > max_norm))
    return Result(
        sentence=f"{clipped} of {len(norms)} examples had a norm above {shown(max_norm)} and were scaled.",
        outputs={
            "grads_w": result["grads"]["w"],
            "grads_b": float(result["grads"]["b"]),
            "norms": norms,
        },
        rows=rows,
        table=Table(
            caption="Norm of each example's gradient",
            labels={"example": "Example", "before": "Before clipping", "after": "After clipping"},
            length=len(norms),
            part=lambda first, end: [each[first:end] for each in (names, norms, after)],
        ),
        figure=bars(
            f"Norm of each example's gradient before clipping, and after clipping to {shown(max_norm)}.",
            "Example",
            "Norm",
            names,
            {"Before": norms, "After": after},
        ),
    )


def snippet(values: Values) -> str:
    return f"""\
import numpy as np
from optim_ref import clip_per_example

inf, nan = np.inf, np.nan
params = {{"w": np.array({values["w"].tolist()!r}), "b": np.array({values["b"]!r})}}
x = np.array({values["x"].tolist()!r})
y = np.array({values["y"].tolist()!r})
result = clip_per_example(params, x, y, max_norm={values["max_norm"]!r})
print("grads_w", result["grads"]["w"].tolist())
print("grads_b", float(result["grads"]["b"]))
print("norms", result["norms"].tolist())
"""


EXAMPLE = Example(
    name="per-example-clipping",
    title="Clipping example by example",
    function=clip_per_example,
    fields=(
        Numbers("w", "Weights w (numbers)", "1, -1"),
        Number("b", "Bias b", "0"),
        Json("x", "Inputs x, one row for each example (JSON)", "[[1,0],[2,2],[0,3]]"),
        Numbers("y", "Targets y, one for each example (numbers)", "0, 1, 1"),
        Number("max_norm", "Largest norm of one example, C", "1"),
    ),
    run=run,
    snippet=snippet,
    row_names={"residual": "residual", "grads": "grads"},
    outputs={
        "grads_w": "Mean gradient of w",
        "grads_b": "Mean gradient of b",
        "norms": "Norm of each example",
    },
    blame={"params": "w"},
)
