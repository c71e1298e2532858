"""What `python -m optim_ref.exercises` prints: statements, one line per check, and more where one fails."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from optim_ref.exercises import checks, writing
from optim_ref.exercises.checks import Check
from optim_ref.exercises.exercise import Exercise
from optim_ref.exercises.solution import Outcome

__all__: list[str] = []  # for the command and the page, not for readers

WIDTH = 100


def statement(exercise: Exercise) -> str:
    """An exercise as plain text."""
    parts = [exercise.title, _filled(exercise.task), _named("Receives", exercise.receives)]
    parts += [_filled(f"Returns: {exercise.returns}")]
    parts += ["\n".join(_filled(each, "  * ", "    ") for each in exercise.constraints)]
    for case in exercise.examples:
        call = writing.call(exercise.entry_point, case.arguments)
        parts += [f"{case.about}:\n  {call}\n  -> {checks.expected(exercise, case)}"]
    return "\n\n".join(parts)


def line(check: Check) -> str:
    """A check in one line, and below it everything about a failure."""
    first = f"{'ok  ' if check.passed else 'FAIL'}  {check.case:<26}{check.about}"
    return first if check.passed else f"{first}\n{details(check)}"


def details(check: Check) -> str:
    """What went into a check, what came out and what should have."""
    shown = {"call": check.call, "expected": check.expected, "got": check.got, "printed": check.printed}
    lines = [f"{label:<10}{_hanging(text)}" for label, text in shown.items() if text]
    lines += [check.message, *filter(None, [check.traceback.rstrip()])]
    return textwrap.indent("\n".join(lines), "      ")


def accident(outcome: Outcome) -> str:
    """Why a file could not be used at all."""
    return "\n".join(filter(None, [outcome.printed.rstrip(), outcome.traceback.rstrip() or outcome.error]))


def summary(results: list[Check], total: int) -> str:
    """How many of all checks passed, and the first that did not."""
    failed = [check for check in results if not check.passed]
    counted = f"{len(results) - len(failed)} of {total} checks passed."
    return f"{counted} The first that failed is {failed[0].case}: {failed[0].message}" if failed else counted


def _named(title: str, texts: Mapping[str, str]) -> str:
    return "\n".join([f"{title}:", *(_filled(text, f"  {name}: ", "    ") for name, text in texts.items())])


def _filled(text: str, first: str = "", later: str = "") -> str:
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=later)


def _hanging(text: str) -> str:
    return text.rstrip().replace("\n", "\n" + " " * 10)
