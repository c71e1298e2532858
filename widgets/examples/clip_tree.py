"""A nested tree of gradients clipped without touching the given one."""

from __future__ import annotations

from live.example import Example, Values
from live.fields import Number
from live.numbers import shown
from live.results import Result
from live.snippets import tree_code
from live.trees import Json
from optim_ref.clipping import clip_by_global_norm


def run(values: Values) -> Result:
    answers = []
    rows = EXAMPLE.rows(lambda: answers.append(clip_by_global_norm(values["grads"], values["max_norm"])))
    (result,) = answers
    norm, limit = float(result["global_norm"]), values["max_norm"]
    scaled = "every array was scaled" if norm > limit else "nothing was scaled"
    return Result(
        sentence=f"The norm of the tree is {shown(norm)}, the limit {shown(limit)}: {scaled}.",
        outputs={"clipped": result["clipped"], "global_norm": norm},
        rows=rows,
    )


def snippet(values: Values) -> str:
    return f"""\
import json
import numpy as np
from optim_ref import clip_by_global_norm, tree

inf, nan = np.inf, np.nan
grads = {tree_code(values["grads"])}
result = clip_by_global_norm(grads, max_norm={values["max_norm"]!r})
print("clipped", json.dumps(tree.map(lambda g: g.tolist(), result["clipped"])))
print("global_norm", float(result["global_norm"]))
"""


EXAMPLE = Example(
    name="clip-tree",
    title="Clipping a tree of gradients",
    function=clip_by_global_norm,
    fields=(
        Json("grads", "Gradients (JSON: numbers, lists, objects)", '{"w": [3.0, 0.0], "b": 4.0}'),
        Number("max_norm", "Largest norm allowed, C", "1"),
    ),
    run=run,
    snippet=snippet,
    row_names={"norm": "norm", "factor": "factor", "clipped": "clipped"},
    outputs={"clipped": "Clipped gradients", "global_norm": "Norm before clipping"},
    blame={"tree": "grads"},
)
