"""An exercise in the page: runs the checks that `python -m optim_ref.exercises` runs, and reports each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from optim_ref.exercises import checks, load, report, solution
from optim_ref.exercises.checks import Check

__all__ = ["load", "run", "run_json"]

FILENAME = "solution.py"

Report = Callable[[str], None]


def run(name: str, text: str, tell: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Check a reader's text; `tell` gets the names of all cases, then each check, as plain data.

    Returns:
        How many checks passed, and one sentence; or `accident`, why the text could not be run at all.
    """
    exercise = load(name)
    reader, outcome = solution.load(text, FILENAME, exercise.entry_point)
    cases = exercise.all_cases()
    if reader is None:
        return {
            "passed": 0,
            "total": len(cases),
            "sentence": f"No check was run: {outcome.error}",
            "accident": report.accident(outcome),
        }
    tell({"cases": [{"case": case.name, "about": case.about} for case in cases], "printed": outcome.printed})
    results = []
    for check in checks.run(exercise, reader, cases):
        results.append(check)
        tell({"check": plain(check)})
    passed = sum(check.passed for check in results)
    return {"passed": passed, "total": len(results), "sentence": report.summary(results)}


def run_json(name: str, text: str, tell: Report) -> str:
    """The same in JSON text, for a caller in another language."""
    return json.dumps(run(name, text, lambda part: tell(json.dumps(part))))


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
