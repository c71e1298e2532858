"""The same gradients clipped in each of five ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from live.example import Example, Values
from live.fields import Choice, Number
from live.figure import bars
from live.numbers import shown
from live.results import Result, Table
from live.snippets import tree_code
from live.trees import Json
from optim_ref.clipping import clip_gradients, global_norm
from optim_ref.variants import VARIANTS

RELATIVE = ("per-weight-relative", "adaptive")
MOST_BARS = 40


def run(values: Values) -> Result:
    variant = values["variant"]
    answers: list[Any] = []
    rows = EXAMPLE.rows(lambda: answers.append(clip_gradients(values["gradients"], *_arguments(values))))
    (clipped,) = answers
    before, after = dict(_entries(values["gradients"])), dict(_entries(clipped))
    norm_before, norm_after = float(global_norm(values["gradients"])), float(global_norm(clipped))
    names = list(before)
    drawn = names[:MOST_BARS]
    more = f" The first {MOST_BARS} of {len(names)} entries are drawn." if len(names) > MOST_BARS else ""
    return Result(
        sentence=f"{variant} took the norm from {shown(norm_before)} to {shown(norm_after)}.",
        outputs={"clipped": clipped, "norm_before": norm_before, "norm_after": norm_after},
        rows=rows,
        table=Table(
            caption="Each entry before and after clipping",
            labels={"entry": "Entry", "before": "Gradient", "after": "Clipped"},
            length=len(names),
            part=lambda first, end: [
                each[first:end] for each in (names, list(before.values()), list(after.values()))
            ],
        ),
        figure=bars(
            f"Each entry of the gradients before and after {variant} clipping.{more}",
            "Entry",
            "Gradient",
            drawn,
            {"Gradient": [before[name] for name in drawn], "Clipped": [after[name] for name in drawn]},
        ),
    )


def _arguments(values: Values) -> tuple[Any, ...]:
    weights = values["weights"] if values["variant"] in RELATIVE else None
    return values["variant"], values["threshold"], weights, values["epsilon"]


def _entries(tree: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Every number of a tree with its place: `w[0,1]`."""
    if isinstance(tree, dict):
        for key, item in tree.items():
            yield from _entries(item, f"{path}.{key}" if path else key)
    elif isinstance(tree, list):
        for place, item in enumerate(tree):
            yield from _entries(item, f"{path}[{place}]")
    elif tree is not None:
        for index, value in np.ndenumerate(tree):
            yield (f"{path}[{','.join(map(str, index))}]" if index else path or "value"), value.item()


def snippet(values: Values) -> str:
    variant, threshold, weights, epsilon = _arguments(values)
    return f"""\
import json
import numpy as np
from optim_ref import clip_gradients, global_norm, tree

inf, nan = np.inf, np.nan
gradients = {tree_code(values["gradients"])}
weights = {tree_code(weights)}
clipped = clip_gradients(gradients, {variant!r}, {threshold!r}, weights, {epsilon!r})
print("clipped", json.dumps(tree.map(lambda g: g.tolist(), clipped)))
print("norm_before", float(global_norm(gradients)))
print("norm_after", float(global_norm(clipped)))
"""


EXAMPLE = Example(
    name="clip-variants",
    title="Five ways to clip",
    function=clip_gradients,
    fields=(
        Json("gradients", "Gradients (JSON)", '{"w": [[3,6],[4,8]], "b": [0,1]}'),
        Json("weights", "Parameters (JSON)", '{"w": [[3,0],[4,0]], "b": [0,0]}'),
        Choice("variant", "Variant", "global", options=VARIANTS),
        Number("threshold", "Threshold τ", "1"),
        Number("epsilon", "Least parameter norm ε", "0.001"),
    ),
    run=run,
    snippet=snippet,
    row_names={
        "factor": "factor",
        "return per-weight-clipping": "clipped (per-weight)",
        "return per-layer-clipping": "clipped (per-layer)",
        "return global-clipping": "clipped (global)",
        "max_norm": "max_norm",
        "return per-weight-relative-clipping": "clipped (per-weight-relative)",
        "return adaptive-clipping": "clipped (adaptive)",
    },
    outputs={
        "clipped": "Clipped gradients",
        "norm_before": "Norm before clipping",
        "norm_after": "Norm after clipping",
    },
)
