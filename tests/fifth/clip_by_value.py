"""A fifth exercise: limit every number to the same range."""

import numpy as np

from optim_ref import clip_grad_value, tree
from optim_ref.exercises.cases import Draw
from optim_ref.exercises.exercise import Case, Exercise, Mistake


def clip_by_value(grads, limit):
    """Every entry of every array, at most `limit` in size."""
    return tree.map(lambda g: np.clip(g, -limit, limit), grads)


def _case(name, about, grads, limit=1.0):
    return Case(name, about, {"grads": grads, "limit": limit})


def _cases():
    draw = Draw(seed=5)
    return [
        _case("zero-gradient", "Zeros stay zeros", {"w": np.zeros((2, 2))}),
        _case("at-the-limit", "An entry at the limit stays", {"w": np.array([1.0, -1.0])}),
        _case("huge", "Any size is limited", {"w": np.array([1e200, -np.inf])}),
        *(_case(f"random-{n}", "Any tree", draw.tree(), 0.5) for n in range(1, 18)),
    ]


EXERCISE = Exercise(
    name="clip-by-value",
    title="Clip by value",
    task="Write `clip_by_value(grads, limit)`, which limits every entry of every array.",
    entry_point="clip_by_value",
    receives={"grads": "A tree of NumPy arrays.", "limit": "The largest magnitude allowed."},
    returns="A tree of the same structure, shapes and dtypes.",
    constraints=("The given arrays are not changed.",),
    equations=("clip-by-value",),
    examples=(
        _case("beyond", "3 becomes 1", {"w": np.array([3.0, 0.5])}),
        _case("negative", "-3 becomes -1", {"w": np.array([-3.0, 0.5])}),
        _case("list", "A list stays a list", [np.array([3.0]), np.array([-3.0])]),
    ),
    cases=_cases,
    hints=("Walk the tree.", "`optim_ref.tree.map` does.", "`np.clip` limits one array."),
    starter='def clip_by_value(grads, limit):\n    raise NotImplementedError("this is yours to write")\n',
    reference=clip_by_value,
    solution=(clip_grad_value,),
    mistakes=(
        Mistake(
            "only the upper limit held", lambda grads, limit: tree.map(lambda g: np.minimum(g, limit), grads)
        ),
    ),
)
