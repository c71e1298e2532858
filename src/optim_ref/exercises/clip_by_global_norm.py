"""Exercise: scale all gradients of a tree by one factor."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from optim_ref import clip_by_global_norm, clip_factor, global_norm
from optim_ref.exercises.cases import Draw, plain_norm
from optim_ref.exercises.exercise import Case, Exercise, JaxRules, Mistake
from optim_ref.tree import map as tree_map

__all__ = ["EXERCISE"]

STARTER = '''\
import numpy as np


def clip_by_global_norm(tree, max_norm):
    """Scale all arrays of the tree so that their joint norm is at most max_norm."""
    raise NotImplementedError("this is yours to write")
'''


def _case(name: str, about: str, tree: Any, max_norm: float = 1.0) -> Case:
    return Case(name, about, {"tree": tree, "max_norm": max_norm})


def _cases() -> list[Case]:
    draw = Draw(seed=1)
    three_four = {"w": np.array([3.0, 0.0]), "b": np.array(4.0)}
    f16, f32 = np.float16, np.float32
    return [
        _case("at-the-limit", "A norm exactly at the limit changes nothing", three_four, 5.0),
        _case("just-above", "A clipped gradient has the limit for its norm", [np.array([0.02])], 0.01),
        _case("zero-gradient", "Zeros stay zeros", {"w": np.zeros((2, 2)), "b": np.zeros(2)}),
        _case("zero-gradient-zero-limit", "0 divided by 0 must not happen", [np.zeros(3)], 0.0),
        _case("limit-zero", "Nothing is let through", three_four, 0.0),
        _case("limit-infinite", "Everything is let through", three_four, math.inf),
        _case("huge-float32", "Squares of 1e20 are infinite in float32", [np.full(100, 1e20, f32)]),
        _case("float16", "The square of 300 is infinite in float16", [np.array([300.0], f16)]),
        _case("float16-tiny", "The square of 1e-4 is zero in float16", [np.full(2, 1e-4, f16)], 1e-5),
        _case("huge", "Squares of 1e200 are infinite", [np.array([3e200, 4e200])]),
        _case("tiny", "Squares of 1e-200 are zero", [np.array([3e-200, 4e-200])], 1e-200),
        _case("float32", "The norm of float32 is float32", {"w": np.array([6.0, 8.0], f32)}, 5.0),
        _case(
            "dtypes", "Each array keeps its own", [np.array([3], f32), np.array([4.0]), np.array([12], f16)]
        ),
        _case(
            "empty-array", "An array may have no entry", {"w": np.zeros((0, 3)), "b": np.array([3.0, 4.0])}
        ),
        _case("empty-tree", "There may be no array at all: the norm is 0, in float32", {}),
        _case("none", "None holds nothing, and stays None", {"w": np.array([3.0, 4.0]), "frozen": None}),
        _case(
            "nesting", "A list stays a list, a tuple a tuple", ([np.array([6.0])], (np.array([[8.0]]), []))
        ),
        _case("bare-array", "One array is a tree, too", np.array([[3.0], [4.0]])),
        _case("nan", "One nan makes the norm nan", {"w": np.array([math.nan, 1.0]), "b": np.array([1.0])}),
        _case("infinite", "An infinite norm gives the factor 0", [np.array([math.inf, 1.0])]),
        *(_case(f"random-{n}", "Any tree", draw.tree(3), draw.number(0.1, 2)) for n in range(1, 7)),
    ]


def _scaled(tree: Any, factor: Any, norm: Any) -> dict[str, Any]:
    return {"clipped": tree_map(lambda g: np.asarray(g * factor, g.dtype), tree), "global_norm": norm}


def _with_norm(tree: Any, max_norm: float, norm: Any) -> dict[str, Any]:
    return _scaled(tree, clip_factor(norm, max_norm), norm)


def _each_on_its_own(tree: Any, max_norm: float) -> dict[str, Any]:
    clipped = tree_map(lambda g: clip_by_global_norm(g, max_norm)["clipped"], tree)
    return {"clipped": clipped, "global_norm": global_norm(tree)}


def _eps_in_the_root(eps: str) -> Mistake:
    def function(tree: Any, max_norm: float) -> dict[str, Any]:
        return _with_norm(tree, max_norm, np.sqrt(np.square(plain_norm(tree, np.float64)) + float(eps)))

    return Mistake(f"{eps} were added inside the root", function)


def _eps_in_the_denominator(tree: Any, max_norm: float) -> dict[str, Any]:
    norm = global_norm(tree)
    return _scaled(tree, np.minimum(1.0, max_norm / (norm + 1e-6)), norm)


def _always_scaled(tree: Any, max_norm: float) -> dict[str, Any]:
    norm = global_norm(tree)
    return _scaled(tree, max_norm / norm, norm)


EXERCISE = Exercise(
    name="clip-by-global-norm",
    title="Clip by global norm",
    task=(
        "Write `clip_by_global_norm(tree, max_norm)`. It takes the gradients of a whole model, computes the "
        "norm of all their entries together, and scales every array by the same factor, so that the "
        "direction is kept and the joint norm is at most `max_norm`."
    ),
    entry_point="clip_by_global_norm",
    receives={
        "tree": "Dicts, lists, tuples and None, nested, around NumPy arrays of floating point numbers.",
        "max_norm": "The largest norm allowed, from 0 to infinity.",
    },
    returns=(
        "A dict: `clipped`, a tree of the same structure, shapes and dtypes; and `global_norm`, the norm "
        "before clipping, a number in float32, or in float64 where one of the arrays is float64."
    ),
    constraints=(
        "The given arrays are not changed.",
        "A norm at or below the limit leaves every number as it is. Nothing is added to the norm.",
        "The norm is right for entries of any size that the dtype holds, 1e200 and 1e-200 among them.",
        "Whatever holds no number counts as nothing: None, an empty array, an empty tree.",
    ),
    equations=("global-norm", "clip-by-global-norm"),
    examples=(
        _case(
            "two-arrays", "The norm is 5: all is scaled by 1/5", {"w": np.array([3.0, 0]), "b": np.array(4.0)}
        ),
        _case("below-the-limit", "The norm is 0.5: nothing is scaled", {"w": np.array([0.3, 0.4])}),
        _case(
            "nested",
            "Arrays of any shape, anywhere in the tree, share one norm: 6",
            {"layers": [{"w": np.array([[2.0], [4.0]])}, {"w": np.array([[4.0]])}], "frozen": None},
            3.0,
        ),
    ),
    cases=_cases,
    hints=(
        "`optim_ref.tree.leaves(tree)` lists the arrays, and `optim_ref.tree.map(function, tree)` makes a "
        "tree of the same structure. The norm of all entries is the root of the sum of the arrays' sums of "
        "squares.",
        "Compare before you divide: where the norm is at most `max_norm`, zero gradients among them, the "
        "factor is 1. `astype` takes a result back to an array's own dtype.",
        "Work in `np.result_type(np.float32, *arrays)`. Where the largest magnitude is very large or very "
        "small, divide every entry by it first, and multiply the root by it afterwards.",
    ),
    starter=STARTER,
    reference=clip_by_global_norm,
    solution=(clip_by_global_norm, global_norm, clip_factor),
    mistakes=(
        Mistake(
            "the square root were missing",
            lambda tree, max_norm: _with_norm(tree, max_norm, np.square(plain_norm(tree, np.float64))),
        ),
        *map(_eps_in_the_root, ("1e-6", "1e-8", "1e-12")),
        Mistake("a small number were added to the norm, as PyTorch does", _eps_in_the_denominator),
        Mistake("each array were clipped by its own norm", _each_on_its_own),
        Mistake("gradients below the limit were scaled up to it", _always_scaled),
        Mistake(
            "the squares were summed in float32",
            lambda tree, max_norm: _with_norm(tree, max_norm, plain_norm(tree, np.float32)),
        ),
        Mistake(
            "each square were taken in its array's own dtype, where it may overflow or vanish",
            lambda tree, max_norm: _with_norm(tree, max_norm, plain_norm(tree)),
        ),
        Mistake(
            "the squares were summed in float64, where those of 1e200 overflow and those of 1e-200 vanish",
            lambda tree, max_norm: _with_norm(tree, max_norm, plain_norm(tree, np.float64)),
        ),
    ),
    jax=JaxRules(jit=True),
)
