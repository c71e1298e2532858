"""An exercise in the page: runs the checks that `python -m optim_ref.exercises` runs, and reports each."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from optim_ref.exercises import NAMES, Exercise, checks, load, report, solution, writing
from optim_ref.exercises.checks import Check, Solved

__all__ = ["NAMES", "Exercise", "load", "run", "run_json", "worked_examples"]

FILENAME = "solution.py"

Report = Callable[[str], None]
Tell = Callable[[dict[str, Any]], None]


def run(name: str, text: str, tell: Tell) -> dict[str, Any]:
    """Check a reader's text; `tell` hears that it is read, which cases there are, then each check.

    Returns:
        How many checks passed of how many, and one sentence; besides `accident`, where the text could not be
        run at all.
    """
    exercise = load(name)
    tell({"reading": FILENAME})
    cases = checks.solve(exercise, exercise.all_cases())
    with _nobody_to_ask():
        return _run(exercise, text, cases, tell)


def _run(exercise: Exercise, text: str, cases: list[Solved], tell: Tell) -> dict[str, Any]:
    reader, outcome = solution.load(text, FILENAME, exercise.entry_point)
    if reader is None:
        return {
            "passed": 0,
            "total": len(cases),
            "sentence": f"No check was run: {outcome.error}",
            "accident": report.accident(outcome),
        }
    tell({"cases": _named(cases), "printed": outcome.printed})
    results = []
    for check in checks.run(exercise, reader, cases):
        results.append(check)
        tell({"check": plain(check)})
        if _exhausts(check.got):
            break
    return {
        "passed": sum(check.passed for check in results),
        "total": len(cases),
        "sentence": report.summary(results, len(cases)),
    }


class _Nobody(io.TextIOBase):
    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]
        raise OSError("nobody can answer input() here")


@contextlib.contextmanager
def _nobody_to_ask() -> Iterator[None]:
    """Let `input()` fail with a sentence: Pyodide's own failure says nothing to a reader."""
    before = sys.stdin
    sys.stdin = _Nobody()
    try:
        yield
    finally:
        sys.stdin = before


def _named(cases: list[Solved]) -> list[dict[str, str]]:
    return [{"case": each.case.name, "about": each.case.about} for each in cases]


def _exhausts(error: str) -> bool:
    """Whether all memory was taken: what comes after would fail for that reason alone."""
    return error.startswith("MemoryError")


def run_json(name: str, text: str, tell: Report) -> str:
    """The same in JSON text, for a caller in another language."""
    return json.dumps(run(name, text, lambda part: tell(json.dumps(part))))


def worked_examples(exercise: Exercise) -> list[dict[str, str]]:
    """The worked examples as a page shows them: what each is about, the call, and what it gives."""
    return [
        {
            "about": case.about,
            "call": writing.call(exercise.entry_point, case.arguments),
            "expected": checks.expected(exercise, case),
        }
        for case in exercise.examples
    ]


def plain(check: Check) -> dict[str, Any]:
    """A check as plain data, ready for JSON."""
    return {
        "case": check.case,
        "about": check.about,
        "status": "pass" if check.passed else "fail",
        "message": check.message,
        "call": check.call,
        "expected": check.expected,
        "got": check.got,
        "printed": check.printed,
        "traceback": check.traceback,
    }
