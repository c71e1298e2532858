"""Running a solution on the cases of an exercise, beside the reference."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from optim_ref.exercises import compare, writing
from optim_ref.exercises.compare import Fault
from optim_ref.exercises.exercise import Case, Exercise, Mistake
from optim_ref.exercises.solution import Outcome, Solution, one_line

__all__: list[str] = []  # for the command and the page, not for readers

ROUGHLY = 1e-5
"""How close a result must be to that of a mistake: it may have been made in another order or precision."""


@dataclass(frozen=True)
class Solved:
    """A case, and what the reference gives for it."""

    case: Case
    expected: Any


@dataclass(frozen=True)
class Check:
    """How one case went; all in text, ready to be shown. Without a fault it has passed."""

    case: str
    about: str
    call: str
    expected: str
    got: str
    fault: Fault | None
    printed: str = ""
    traceback: str = ""
    guess: str = ""

    @property
    def passed(self) -> bool:
        return self.fault is None

    @property
    def message(self) -> str:
        """What is wrong, and what it looks like where that is known; empty where nothing is."""
        return " ".join(filter(None, [str(self.fault or ""), self.guess and f"It is as if {self.guess}."]))


def solve(exercise: Exercise, cases: Iterable[Case]) -> list[Solved]:
    """What is right for each case; to be asked before a text is read, which could replace anything."""
    return [Solved(case, _quietly(exercise, case)) for case in cases]


def run(exercise: Exercise, solution: Solution, cases: Iterable[Solved]) -> Iterator[Check]:
    """Check a solution on one case after the other."""
    suspects = Suspects(exercise.mistakes)
    for solved in cases:
        case, expected = solved.case, solved.expected
        given = solution.give(copy.deepcopy(dict(case.arguments)))
        outcome = solution.call(given)
        got, fault, guess = _judge(solved, solution, outcome, given, suspects)
        yield Check(
            case=case.name,
            about=case.about,
            call=writing.call(exercise.entry_point, case.arguments),
            expected=writing.value(expected),
            got=outcome.error or writing.value(got),
            fault=fault,
            printed=outcome.printed,
            traceback=outcome.traceback,
            guess=guess,
        )


def expected(exercise: Exercise, case: Case) -> str:
    """What the reference gives, in text."""
    return writing.value(_quietly(exercise, case))


class Suspects:
    """Which of the usual mistakes would have given every result so far, the right ones too."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self._left = list(mistakes)

    def hear(self, case: Case, got: Any, expected: Any) -> str:
        """Take a result into account; returns the one mistake that explains it, where it is a wrong one."""
        results = [(mistake, _mistaken(mistake, case)) for mistake in self._left]
        results = [(each, result) for each, result in results if compare.same_numbers(got, result, ROUGHLY)]
        self._left = [mistake for mistake, _ in results]
        culprits = [each.text for each, result in results if not compare.same_numbers(result, expected)]
        return culprits[0] if len(culprits) == 1 else ""


def _mistaken(mistake: Mistake, case: Case) -> Any:
    try:
        with np.errstate(all="ignore"):
            return mistake.function(**copy.deepcopy(dict(case.arguments)))
    except ArithmeticError:
        return None


def _quietly(exercise: Exercise, case: Case) -> Any:
    with np.errstate(all="ignore"):
        return exercise.reference(**copy.deepcopy(dict(case.arguments)))


def _judge(
    solved: Solved, solution: Solution, outcome: Outcome, given: Any, suspects: Suspects
) -> tuple[Any, Fault | None, str]:
    """What came out, what is wrong with it, and which mistake it looks like."""
    got = outcome.value
    fault = None
    if outcome.error:
        fault = Fault(compare.REPLACED if outcome.replaced else compare.RAISED, outcome.error)
    try:
        if not fault:
            got = solution.take(got)
            fault = _fault(solved.case, solution.take(given), got, solved.expected)
        guess = suspects.hear(solved.case, got, solved.expected)
    except Exception as error:
        # An object of the reader's own class, or an array that JAX only traces, may answer with one even when
        # it is only looked at.
        return got, Fault(compare.STRUCTURE, f"looking at the result raises {one_line(error)}"), ""
    return got, fault, guess if fault and fault.kind in compare.ABOUT_NUMBERS else ""


def _fault(case: Case, after: Any, got: Any, expected: Any) -> Fault | None:
    changes = (compare.change(name, after[name], before) for name, before in case.arguments.items())
    if changed := next(filter(None, changes), None):
        return changed
    return compare.difference("result", got, expected)
