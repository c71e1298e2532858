"""Run a function once and note, after each executed line, the value of what that line assigned."""

from __future__ import annotations

import ast
import copy
import inspect
import re
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import CodeType, FrameType
from typing import Any

TAG = re.compile(r"#\s*eq:\s*([\w-]+(?:\s*,\s*[\w-]+)*)")


@dataclass(frozen=True)
class Step:
    """One executed assignment: its line in the file, what it assigned, and the value right afterwards."""

    line: int
    target: str
    value: Any


@dataclass(frozen=True)
class Assignment:
    """One assignment as it stands in a function, from `line` to `end`; `read` evaluates its target."""

    line: int
    end: int
    target: str
    code: str
    equations: tuple[str, ...]
    read: CodeType


def trace(function: Callable[..., Any], call: Callable[[], Any]) -> list[Step]:
    """Run `call()` and return the steps that `function` takes in it, in order of execution.

    `function` is the plain function of a module or class, as imported: its file is read for the
    statements, its own frame is watched for their values. Lines that it calls elsewhere are not steps.
    """
    watch = _Watch(function.__code__, {each.line: each for each in assignments(function)})
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

    def __init__(self, code: CodeType, assignments: dict[int, Assignment]) -> None:
        self.code = code
        self.assignments = assignments
        self.steps: list[Step] = []
        self.pending: dict[FrameType, Assignment] = {}

    def enter(self, frame: FrameType, _event: str, _argument: object) -> Callable[..., Any] | None:
        return self.line if frame.f_code is self.code else None

    def line(self, frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        pending = self.pending.get(frame)
        if pending and event == "exception":
            del self.pending[frame]
        elif pending and (event == "return" or not pending.line <= frame.f_lineno <= pending.end):
            del self.pending[frame]
            # A later statement may change the same array in place, so the value is copied now.
            value = copy.deepcopy(eval(pending.read, frame.f_globals, frame.f_locals))
            self.steps.append(Step(pending.line, pending.target, value))
        if event == "line" and (following := self.assignments.get(frame.f_lineno)):
            self.pending[frame] = following
        return self.line


@cache
def assignments(function: Callable[..., Any]) -> tuple[Assignment, ...]:
    """The assignments to one target in a function, in the order of its lines, read from its file."""
    lines, first = inspect.getsourcelines(function)
    source = textwrap.dedent("".join(lines))
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) or node.value is None:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Tuple | ast.List):
            continue
        end = node.end_lineno or node.lineno
        tags = TAG.search(lines[end - 1])
        found.append(
            Assignment(
                line=first + node.lineno - 1,
                end=first + end - 1,
                target=ast.unparse(target),
                code=ast.get_source_segment(source, node) or "",
                equations=tuple(re.split(r"\s*,\s*", tags[1])) if tags else (),
                read=compile(ast.unparse(target), "<trace>", "eval"),
            )
        )
    return tuple(sorted(found, key=lambda each: each.line))
