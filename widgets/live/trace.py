"""Run a function once and note, after each executed line, the value of what that line assigned."""

from __future__ import annotations

import ast
import copy
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from sys import monitoring
from types import CodeType, FrameType
from typing import Any

TAG = re.compile(r"#\s*eq:\s*([\w-]+(?:\s*,\s*[\w-]+)*)")

# Those with a name are for debuggers, coverage and profilers.
TOOL = 3


@dataclass(frozen=True)
class Step:
    """One executed statement: its line in the file, what it assigned, and the value right afterwards."""

    line: int
    target: str
    value: Any


@dataclass(frozen=True)
class Statement:
    """A statement that gives a value, from `line` to `end`: an assignment, or a `return`.

    `target` is what it assigns, as written (`self.m[k]`); for a `return` it is that word and the first
    equation it computes. `read` evaluates the target.
    """

    line: int
    end: int
    target: str
    code: str
    equations: tuple[str, ...]
    read: CodeType | None


def trace(
    function: Callable[..., Any], call: Callable[[], Any], targets: Container[str] | None = None
) -> list[Step]:
    """Run `call()` and return the steps that `function` takes in it, in order of execution.

    With `targets`, only statements with such a target are steps.

    `function` is the plain function of a module or class, as imported: its file is read for the
    statements, its own frames and those of functions defined in it are watched for their values. Lines
    that it calls elsewhere are not steps; nor is a comprehension over an iterator written in Python, whose
    end looks like an error. Only one trace can run at a time.
    """
    wanted = {each.line: each for each in statements(function) if targets is None or each.target in targets}
    watch = _Watch(wanted)
    with _monitored(_codes(function.__code__), watch):
        call()
    return watch.steps


class _Watch:
    """Is told what the watched code does, and keeps what it saw.

    An assignment is read when its frame has left its lines, and not earlier: a comprehension, or a
    statement over several lines, comes back to its first line.
    """

    def __init__(self, statements: dict[int, Statement]) -> None:
        self.statements = statements
        self.steps: list[Step] = []
        self.pending: dict[FrameType, Statement] = {}
        self.returning: dict[FrameType, Statement] = {}

    def line(self, _code: CodeType, line: int) -> None:
        frame = sys._getframe(1)
        pending = self.pending.get(frame)
        if pending and not pending.line <= line <= pending.end:
            del self.pending[frame]
            if pending.read:
                self._note(pending, _assigned(pending.read, frame))
            else:
                # It cleans up before it returns.
                self.returning[frame] = pending
        if following := self.statements.get(line):
            self.pending[frame] = following

    def returned(self, _code: CodeType, _offset: int, value: object) -> None:
        frame = sys._getframe(1)
        statement = self.returning.pop(frame, None)
        if pending := self.pending.pop(frame, None):
            if pending.read:
                self._note(pending, _assigned(pending.read, frame))
            else:
                statement = pending
        if statement:
            self._note(statement, value)

    def raised(self, _code: CodeType, _offset: int, _error: BaseException) -> None:
        frame = sys._getframe(1)
        self.pending.pop(frame, None)
        self.returning.pop(frame, None)

    def unwound(self, _code: CodeType, _offset: int, _error: BaseException) -> None:
        """An exception leaves the frame: not that of the pending statement, which would pend no more."""
        frame = sys._getframe(1)
        pending = self.pending.pop(frame, None)
        if pending and pending.read:
            self._note(pending, _assigned(pending.read, frame))

    def _note(self, statement: Statement, value: object) -> None:
        self.steps.append(Step(statement.line, statement.target, _copied(value)))


def _assigned(target: CodeType, frame: FrameType) -> object:
    return eval(target, frame.f_globals, frame.f_locals)


@contextmanager
def _monitored(codes: set[CodeType], watch: _Watch) -> Iterator[None]:
    """Tell `watch` what happens in `codes`, and leave all other code as quick as it is."""
    events = monitoring.events
    callbacks: dict[int, Callable[..., object]] = {
        events.LINE: watch.line,
        events.PY_RETURN: watch.returned,
        events.RAISE: watch.raised,
        events.PY_UNWIND: watch.unwound,
    }
    monitoring.use_tool_id(TOOL, "live example")
    try:
        for event, callback in callbacks.items():
            monitoring.register_callback(TOOL, event, callback)
        # Exceptions cannot be asked for of some code only, but cost next to nothing where none are raised.
        monitoring.set_events(TOOL, events.RAISE | events.PY_UNWIND)
        for code in codes:
            monitoring.set_local_events(TOOL, code, events.LINE | events.PY_RETURN)
        yield
    finally:
        for code in codes:
            monitoring.set_local_events(TOOL, code, events.NO_EVENTS)
        monitoring.set_events(TOOL, events.NO_EVENTS)
        for event in callbacks:
            monitoring.register_callback(TOOL, event, None)
        monitoring.free_tool_id(TOOL)


def _copied(value: Any) -> Any:
    """A copy of the value, since a later statement may change the same array in place."""
    try:
        return copy.deepcopy(value)
    except TypeError:
        return value  # a module, a generator or the like: nothing that a page shows the inside of


def _codes(code: CodeType) -> set[CodeType]:
    """The code of a function and of the functions defined in it; not of lambdas and comprehensions, which
    are parts of a statement."""
    nested = [each for each in code.co_consts if isinstance(each, CodeType) and each.co_name[0] != "<"]
    return {code}.union(*map(_codes, nested))


@cache
def statements(function: Callable[..., Any]) -> tuple[Statement, ...]:
    """The assignments to one target and the returns of a function, by line, read from its file."""
    lines, first = inspect.getsourcelines(function)
    source = textwrap.dedent("".join(lines))
    found = []
    for node in ast.walk(ast.parse(source)):
        if (
            not isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return)
            or node.value is None
        ):
            continue
        end = node.end_lineno or node.lineno
        equations = _tags(lines[node.lineno - 1 : end])
        target, read = _target(node, equations)
        if not target:
            continue
        code = ast.get_source_segment(source, node) or ""
        found.append(Statement(first + node.lineno - 1, first + end - 1, target, code, equations, read))
    return tuple(sorted(found, key=lambda each: each.line))


def _target(
    node: ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return, equations: tuple[str, ...]
) -> tuple[str, CodeType | None]:
    if isinstance(node, ast.Return):
        return " ".join(["return", *equations[:1]]), None
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    if isinstance(target, ast.Tuple | ast.List):
        return "", None
    written = ast.unparse(target)
    return written, compile(written, "<trace>", "eval")


def _tags(lines: list[str]) -> tuple[str, ...]:
    """The equations that a statement's lines are tagged with, in the order of the tags."""
    return tuple(
        tag for line in lines if (match := TAG.search(line)) for tag in re.split(r"\s*,\s*", match[1])
    )
