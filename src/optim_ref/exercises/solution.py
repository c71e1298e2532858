"""A reader's code: executed in a namespace of its own, called, its output and its accidents kept."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import linecache
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from optim_ref.exercises import writing
from optim_ref.exercises.surroundings import Surroundings

__all__: list[str] = []  # for the command and the page, not for readers

MOST_PRINTED = 10_000


@dataclass(frozen=True)
class Outcome:
    """What came of running something: a value, or an error and its traceback; and what was printed.

    `replaced` tells that the error is no exception: something was replaced that the checks rest on.
    """

    value: Any = None
    printed: str = ""
    error: str = ""
    traceback: str = ""
    replaced: bool = False


@dataclass(frozen=True)
class Solution:
    """The function that a reader has written, and the name of the file that it stands in."""

    function: Callable[..., Any]
    filename: str

    def give(self, arguments: Any) -> Any:
        """The arguments of a case in the form that the function takes."""
        return arguments

    def take(self, value: Any) -> Any:
        """A value of that form with NumPy arrays in it."""
        return value

    def call(self, arguments: dict[str, Any]) -> Outcome:
        """Call the function."""
        return attempt(lambda: self.function(**arguments), self.filename)


def load(text: str, filename: str, entry_point: str) -> tuple[Solution | None, Outcome]:
    """Execute a reader's text and find the function in it; without one, the outcome says why."""
    # Tracebacks look here for the lines of code: the text need not be in a file.
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"__name__": "solution", "__file__": filename}
    outcome = attempt(lambda: exec(compile(text, filename, "exec"), namespace), filename)
    if outcome.error:
        return None, outcome
    function = namespace.get(entry_point)
    if not callable(function):
        return None, Outcome(printed=outcome.printed, error=f"{filename} defines no function {entry_point}")
    return Solution(function, filename), outcome


def attempt(action: Callable[[], Any], filename: str) -> Outcome:
    """Run something of the reader's, which may print and fail as it likes, and replace what it likes."""
    surroundings = Surroundings()
    printed = _Printed()
    try:
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
            np.errstate(all="ignore"),
        ):
            value = action()
    except KeyboardInterrupt:
        raise  # of whoever sits at the terminal
    except BaseException as error:
        replaced = surroundings.restore()
        outcome = _accident(error, filename, printed.text())
    else:
        replaced = surroundings.restore()
        outcome = Outcome(value=value, printed=printed.text())
    return _replacing(outcome, replaced) if replaced else outcome


def one_line(error: BaseException) -> str:
    """An exception as its traceback ends, without the lines that follow."""
    said = traceback.format_exception_only(error)
    return writing.cut(next(line for line in said if not line.startswith(" ")).splitlines()[0])


def _replacing(outcome: Outcome, names: Sequence[str]) -> Outcome:
    others = f" and {len(names) - 1} more were" if len(names) > 1 else " was"
    error = f"{names[0]}{others} replaced; the checks need it, and it is back. Give your own another name."
    return dataclasses.replace(outcome, value=None, error=error, replaced=True)


def _accident(error: BaseException, filename: str, printed: str) -> Outcome:
    """The traceback as Python prints it, but only with the lines of the reader's own file."""
    top = traceback.TracebackException.from_exception(error, compact=True)
    shown: traceback.TracebackException | None = top
    while shown:
        own = [frame for frame in shown.stack if frame.filename == filename]
        shown.stack = traceback.StackSummary.from_list(own)
        shown = shown.__cause__ or shown.__context__
    line = top.stack[-1].lineno if top.stack else getattr(top, "lineno", None)  # of a syntax error
    where = f" ({filename}, line {line})" if line else ""
    shown_as = writing.cut("".join(top.format()), MOST_PRINTED)
    return Outcome(printed=printed, error=f"{one_line(error)}{where}", traceback=shown_as)


class _Printed(io.StringIO):
    """Takes what is printed, and keeps the beginning."""

    def write(self, text: str, /) -> int:
        super().write(text[: MOST_PRINTED - self.tell()])
        return len(text)

    def text(self) -> str:
        kept = self.getvalue()
        return kept if len(kept) < MOST_PRINTED else f"{kept}\n… and more, which is not kept"
