"""Solutions written in JAX, which must do more than give the right numbers. Imports JAX only for them."""

from __future__ import annotations

import ast
import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from optim_ref import tree as trees
from optim_ref.exercises import compare, solution
from optim_ref.exercises.checks import Check
from optim_ref.exercises.exercise import Case, JaxRules
from optim_ref.exercises.solution import Outcome, Solution

__all__: list[str] = []  # for the command and the page, not for readers

F32, F64 = np.dtype(np.float32), np.dtype(np.float64)
FLOAT32_HOLDS = 1e-3
"""How much rounding to float32 may change a number; one that becomes 0 or infinite is not held."""


def imports_jax(text: str) -> bool:
    """Whether a text has an import of JAX anywhere; one that is no Python has none."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError):
        return False
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return any(name.split(".")[0] == "jax" for name in names)


@dataclass(frozen=True)
class JaxSolution(Solution):
    """A function that takes and returns JAX arrays of float32, perhaps inside `jax.jit`."""

    jit: bool = False

    def give(self, arguments: Any) -> Any:
        """NumPy arrays as JAX arrays."""
        import jax.numpy as jnp  # noqa: PLC0415

        return _arrays(jnp.asarray, arguments)

    def take(self, value: Any) -> Any:
        """JAX arrays as NumPy arrays."""
        import jax  # noqa: PLC0415

        return jax.tree.map(lambda leaf: np.asarray(leaf) if isinstance(leaf, jax.Array) else leaf, value)

    def call(self, arguments: dict[str, Any]) -> Outcome:
        """Call the function, inside `jax.jit` where that is asked for."""
        import jax  # noqa: PLC0415

        function = jax.jit(self.function) if self.jit else self.function
        return solution.attempt(lambda: function(**arguments), self.filename)


def cases(numpy_cases: Iterable[Case]) -> Iterator[Case]:
    """The cases in float32, which is what JAX computes in, without those about anything wider or narrower."""
    for case in numpy_cases:
        with np.errstate(all="ignore"):
            arguments = _arrays(lambda array: array.astype(np.float32), case.arguments)
        alike = _dtypes(case) in (set(), {F32}, {F64})
        if alike and compare.same_numbers(arguments, dict(case.arguments), FLOAT32_HOLDS):
            yield Case(case.name, case.about, arguments)


def _arrays(function: Callable[[Any], Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with a function applied to each array."""

    def on_arrays(leaf: Any) -> Any:
        return function(leaf) if isinstance(leaf, np.ndarray) else leaf

    return {name: trees.map(on_arrays, argument) for name, argument in arguments.items()}


def _dtypes(case: Case) -> set[Any]:
    return {leaf.dtype for leaf in trees.leaves(dict(case.arguments)) if isinstance(leaf, np.ndarray)}


@contextlib.contextmanager
def watched(rules: JaxRules) -> Iterator[set[str]]:
    """The names of `rules.calls` that get called meanwhile."""
    import jax  # noqa: PLC0415

    called: set[str] = set()
    originals = {name: getattr(jax, name) for name in rules.calls}
    for name, original in originals.items():
        setattr(jax, name, _noting(name, original, called))
    try:
        yield called
    finally:
        for name, original in originals.items():
            setattr(jax, name, original)


def calls_check(rules: JaxRules, called: set[str]) -> Check:
    """One more check: whether everything was called that must be."""
    missing = [f"jax.{name}" for name in rules.calls if name not in called]
    wanted = " and ".join(f"jax.{name}" for name in rules.calls)
    fault = compare.Fault("Not called", f"{', '.join(missing)} must be called.") if missing else None
    return Check("calls", f"Calls {wanted}", "", wanted, ", ".join(sorted(called)) or "none", fault)


def _noting(name: str, original: Callable[..., Any], called: set[str]) -> Callable[..., Any]:
    @functools.wraps(original)
    def function(*args: Any, **options: Any) -> Any:
        called.add(name)
        return original(*args, **options)

    return function
