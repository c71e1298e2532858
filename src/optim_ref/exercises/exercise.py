"""What an exercise is made of, and finding one by name."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Case", "Exercise", "JaxRules", "Mistake", "load"]


@dataclass(frozen=True)
class Case:
    """One call of the reader's function: its arguments by name, and what it is there to find out."""

    name: str
    about: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Mistake:
    """A usual mistake: `function` makes it, `text` names it after the words "It is as if"."""

    text: str
    function: Callable[..., Any]


@dataclass(frozen=True)
class JaxRules:
    """What a solution in JAX must do besides giving the right numbers."""

    jit: bool = False
    """Run inside `jax.jit`, with all arguments traced."""

    calls: tuple[str, ...] = ()
    """Functions of `jax` that it must call."""


@dataclass(frozen=True)
class Exercise:
    """An exercise as its module describes it; in texts, code stands between backticks.

    `reference` says what is right, for any arguments. `equations` are ids from the docstrings of the package,
    and `solution` the functions whose listing is shown in the end. Without `jax` only NumPy will do.
    """

    name: str
    title: str
    task: str
    entry_point: str
    receives: Mapping[str, str]
    returns: str
    constraints: tuple[str, ...]
    equations: tuple[str, ...]
    examples: tuple[Case, ...]
    cases: Callable[[], list[Case]]
    hints: tuple[str, ...]
    starter: str
    reference: Callable[..., Any]
    solution: tuple[Callable[..., Any], ...]
    mistakes: tuple[Mistake, ...] = ()
    jax: JaxRules | None = None

    def all_cases(self) -> list[Case]:
        """The worked examples, then the cases that only the checks know."""
        return [*self.examples, *self.cases()]


def load(name: str) -> Exercise:
    """The exercise of this name.

    Raises:
        LookupError: If no module of this package holds it.
    """
    stem = name.replace("-", "_")
    if not stem.isidentifier():
        raise LookupError(f"no exercise is called {name!r}")
    module_name = f"{__package__}.{stem}"
    try:
        exercise = importlib.import_module(module_name).EXERCISE
    except ModuleNotFoundError as error:
        if error.name != module_name:
            raise
        raise LookupError(f"no exercise is called {name!r}") from error
    except AttributeError as error:
        raise LookupError(f"no exercise is called {name!r}: {module_name} has no EXERCISE") from error
    assert isinstance(exercise, Exercise)
    return exercise
