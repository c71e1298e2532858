"""`python -m optim_ref.exercises clip-by-global-norm solution.py`: check a solution in a terminal."""

from __future__ import annotations

import argparse
import contextlib
import sys
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path

from optim_ref.exercises import NAMES, checks, load, report, solution, with_jax
from optim_ref.exercises.checks import Check
from optim_ref.exercises.exercise import Exercise, JaxRules

PASSED, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130


class _Unusable(Exception):
    """A solution that cannot be run at all; the message says why."""


class _Unreadable(Exception):
    """A file that cannot be read as Python reads it; the message says which, and why."""


def main(argv: Sequence[str] | None = None) -> int:
    """The command: lists exercises, states one, or checks a solution of one.

    Args:
        argv: Arguments of the command line, without the program's name.

    Returns:
        The exit code: 0 where all checks passed or there was nothing to check, 1 where one failed or the
        solution could not be run, 2 for an unknown exercise or a file that cannot be read, 130 where the
        reader stopped it.

    Examples:
        >>> main([])  # doctest: +ELLIPSIS
        clip-by-global-norm       Clip by global norm
        ...
        0
    """
    options = _parser().parse_args(argv)
    if not options.exercise:
        for name in NAMES:
            print(f"{name:<26}{load(name).title}")
        return PASSED
    try:
        exercise = load(options.exercise)
    except LookupError as error:
        print(f"{error}; there are {', '.join(NAMES)}", file=sys.stderr)
        return MISUSED
    if not options.solution:
        print(exercise.starter if options.starter else report.statement(exercise))
        return PASSED
    try:
        text = _read(options.solution)
    except _Unreadable as error:
        print(error, file=sys.stderr)
        return MISUSED
    return check(exercise, options.solution, text)


def check(exercise: Exercise, path: Path, text: str) -> int:
    """Run all checks on a text, printing each result as it comes; returns the exit code."""
    print(f"{exercise.title}: {path}")
    runs = _jax_checks if with_jax.imports_jax(text) else _numpy_checks
    results: list[Check] = []
    try:
        for result in runs(exercise, str(path), text):
            results.append(result)
            print(report.line(result), flush=True)
    except _Unusable as error:
        print(error)
        return FAILED
    except KeyboardInterrupt:
        print(f"Stopped after {len(results)} checks, in the next one.")
        return INTERRUPTED
    print(report.summary(results, len(results)))
    return PASSED if all(result.passed for result in results) else FAILED


def _read(path: Path) -> str:
    """The text of a file, in the encoding that its byte order mark or its coding line names, else UTF-8."""
    try:
        with tokenize.open(path) as file:
            return file.read()
    except OSError as error:
        raise _Unreadable(f"{path} cannot be read: {error.strerror or error}") from error
    except (SyntaxError, LookupError, UnicodeDecodeError) as error:
        raise _Unreadable(f"{path} cannot be read: {error}. Save it as UTF-8.") from error


def _numpy_checks(exercise: Exercise, filename: str, text: str) -> Iterator[Check]:
    cases = checks.solve(exercise, exercise.all_cases())
    return checks.run(exercise, _load(exercise, filename, text), cases)


def _jax_checks(exercise: Exercise, filename: str, text: str) -> Iterator[Check]:
    rules = exercise.jax
    if rules is None:
        raise _Unusable(f"{exercise.name} takes a solution in NumPy; this one imports JAX.")
    print(f"In JAX: arrays are float32.{_rules_in_words(rules)}")
    with contextlib.ExitStack() as stack:
        try:
            called = stack.enter_context(with_jax.watched(rules))
        except ImportError as error:
            raise _Unusable(f"This solution imports JAX, which is not installed here: {error}") from error
        cases = checks.solve(exercise, with_jax.cases(exercise.all_cases()))
        numpy_like = _load(exercise, filename, text)
        reader = with_jax.JaxSolution(numpy_like.function, filename, rules.jit)
        yield from checks.run(exercise, reader, cases)
        if rules.calls:
            yield with_jax.calls_check(rules, called)


def _load(exercise: Exercise, filename: str, text: str) -> solution.Solution:
    reader, outcome = solution.load(text, filename, exercise.entry_point)
    if reader is None:
        raise _Unusable(report.accident(outcome))
    print(outcome.printed, end="")
    return reader


def _rules_in_words(rules: JaxRules) -> str:
    jit = " The function runs inside jax.jit, all its arguments traced." if rules.jit else ""
    return jit + "".join(f" It must call jax.{name}." for name in rules.calls)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m optim_ref.exercises", description="Check your solution of an exercise against optim_ref."
    )
    parser.add_argument("exercise", nargs="?", help=f"one of {', '.join(NAMES)}; without one they are listed")
    parser.add_argument(
        "solution", nargs="?", type=Path, help="your file; without one the exercise is stated"
    )
    parser.add_argument("--starter", action="store_true", help="print the code to start from")
    return parser


if __name__ == "__main__":
    sys.exit(main())
