"""Run a function once and note, after each executed line, the value of what that line assigned."""

from __future__ import annotations

import ast
import copy
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import cache
from types import CodeType, FrameType
from typing import Any

TAG = re.compile(r"#\s*eq:\s*([\w-]+(?:\s*,\s*[\w-]+)*)")


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
    that it calls elsewhere are not steps.
    """
    wanted = {each.line: each for each in statements(function) if targets is None or each.target in targets}
    watch = _Watch(_codes(function.__code__), wanted)
    before = sys.gettrace()
    sys.settrace(watch.enter)
    try:
        call()
    finally:
        sys.settrace(before)
    return watch.steps


class _Watch:
    """The trace function, and what it has seen. An assignment is read when its frame has left its lines.

    Not earlier: a comprehension, or a statement over several lines, comes back to its first line.
    """

    def __init__(self, codes: set[CodeType], statements: dict[int, Statement]) -> None:
        self.codes = codes
        self.statements = statements
        self.steps: list[Step] = []
        self.pending: dict[FrameType, Statement] = {}

    def enter(self, frame: FrameType, _event: str, _argument: object) -> Callable[..., Any] | None:
        return self.line if frame.f_code in self.codes else None

    def line(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        pending = self.pending.get(frame)
        if pending and event == "exception":
            del self.pending[frame]
        elif pending and (event == "return" or not pending.line <= frame.f_lineno <= pending.end):
            del self.pending[frame]
            value = eval(pending.read, frame.f_globals, frame.f_locals) if pending.read else argument
            self.steps.append(Step(pending.line, pending.target, _copied(value)))
        if event == "line" and (following := self.statements.get(frame.f_lineno)):
            self.pending[frame] = following
        return self.line


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
