"""A function's listing can be stepped through on the example of its docstring."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from optim_ref_docs.stepping import step_through

MODULE = """
import math


def halve(numbers):
    total = 0.0
    for number in numbers:
        half = number / 2
        total += half
    if total < 0:
        never = math
    return total
"""


@pytest.fixture
def stepped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "stepped_module.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "stepped_module", raising=False)
    return "stepped_module"


def test_step_through_gives_each_executed_line_with_one_value_for_each_pass(stepped: str) -> None:
    lines = step_through(stepped, "halve", ">>> halve([1.0, 3.0])\n2.0\n")
    assert [(line.code, line.values) for line in lines] == [
        ("total = 0.0", ["0"]),
        ("half = number / 2", ["0.5", "1.5"]),
        ("total += half", ["0.5", "2"]),
        ("return total", ["2"]),
    ]
    assert [MODULE.splitlines()[line.line - 1].strip() for line in lines] == [line.code for line in lines]


def test_step_through_shows_the_first_passes_and_counts_the_others(stepped: str) -> None:
    half = step_through(stepped, "halve", ">>> _ = halve(range(10))\n")[1]
    assert (half.shown, half.more) == (["0", "0.5", "1", "1.5"], 6)


def test_step_through_runs_on_after_an_exception_that_the_example_expects(stepped: str) -> None:
    example = ">>> halve(1)\nTraceback (most recent call last):\nTypeError: ...\n>>> halve([])\n0.0\n"
    assert [line.target for line in step_through(stepped, "halve", example)] == ["total", "return"]


def test_step_through_leaves_alone_what_cannot_be_imported(stepped: str) -> None:
    assert step_through("no_such_module", "halve", ">>> 1\n") == []
    assert step_through(stepped, "no_such_function", ">>> 1\n") == []
