"""What all live examples share: tracing a function, and answering from texts."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from live import example
from live.trace import TOOL, statements, trace


def branches(x: np.ndarray[Any, Any], big: bool) -> np.ndarray[Any, Any]:
    first = x
    x *= 2
    if big:
        total = np.square(
            x,
        ).sum()
    else:
        x += 1
        total = x.sum()
    for part in x:
        doubled = part + part
    roots = [np.sqrt(each) for each in iter(x)]
    return first if total else roots + doubled


def steps_of(function: Any, *arguments: Any) -> list[tuple[str, Any]]:
    return [(step.target, step.value) for step in trace(function, lambda: function(*arguments))]


def test_trace_copies_values_and_follows_branches_loops_and_comprehensions() -> None:
    x = np.array([2.0, 8.0])
    first, doubled_x, *others, returned = steps_of(branches, x, True)
    # `first` is the array that the next line changes in place: its value then is what counts.
    assert (first[0], first[1].tolist()) == ("first", [2.0, 8.0])
    assert (doubled_x[0], doubled_x[1].tolist()) == ("x", [4.0, 16.0])
    assert others == [("total", 272.0), ("doubled", 8.0), ("doubled", 32.0), ("roots", [2.0, 4.0])]
    assert (returned[0], returned[1].tolist()) == ("return", [4.0, 16.0])
    assert ("total", 22.0) in steps_of(branches, np.array([2.0, 8.0]), False)


def test_trace_says_the_line_of_each_step() -> None:
    first = branches.__code__.co_firstlineno
    lines = [step.line - first for step in trace(branches, lambda: branches(np.array([1.0]), True))]
    assert lines == [1, 2, 4, 11, 12, 13]
    assert [each.line - first for each in statements(branches)] == [1, 2, 4, 8, 9, 11, 12, 13]


def refused() -> int:
    kept = 1
    try:
        kept = int("no number")
    except ValueError:
        after = kept + 1
    return after


def test_trace_leaves_out_an_assignment_that_raised() -> None:
    assert steps_of(refused) == [("kept", 1), ("after", 2), ("return", 2)]


def refused_in_handlers() -> list[int]:
    kept = []
    try:
        kept = [int("no number")]
    except ValueError:
        one = 1
        try:
            one = int("nor this")
        except ValueError:
            two = one + 1
        three = one + two
    with suppress(ValueError):
        three = int("nor that")
    four = three + 1
    return [*kept, one, two, three, four]


def test_trace_tells_what_raised_from_what_ran_while_an_exception_was_handled() -> None:
    expected = [("kept", []), ("one", 1), ("two", 2), ("three", 3), ("four", 4), ("return", [1, 2, 3, 4])]
    assert steps_of(refused_in_handlers) == expected
    try:
        raise LookupError
    except LookupError:
        assert steps_of(refused_in_handlers) == expected


def cleans_up(numbers: list[int]) -> int:
    try:
        return numbers.pop()
    except IndexError:
        found = 0
        return found
    finally:
        done = True
        numbers.append(int(done))


def test_trace_gives_a_return_once_it_has_cleaned_up() -> None:
    assert steps_of(cleans_up, [7]) == [("done", True), ("return", 7)]
    assert steps_of(cleans_up, []) == [("found", 0), ("done", True), ("return", 0)]


def quiet_square(x: float) -> float:
    with np.errstate(all="ignore"):
        return x * x


def gives_up() -> None:
    total = 1
    try:
        raise ArithmeticError(total)
    finally:
        total += 1


def tries_it() -> str:
    with suppress(ArithmeticError):
        gives_up()
    return "went on"


def test_trace_follows_with_and_finally_while_an_exception_passes() -> None:
    assert steps_of(quiet_square, 3.0) == [("return", 9.0)]
    assert [(step.target, step.value) for step in trace(gives_up, tries_it)] == [("total", 1), ("total", 2)]


def factorial(n: int) -> int:
    if n < 2:
        return 1
    smaller = factorial(n - 1)
    return n * smaller


def echoes() -> Iterator[int]:
    heard = yield 1
    louder = 2 * heard
    yield louder


def talk() -> list[int]:
    echo = echoes()
    return [next(echo), echo.send(4)]  # type: ignore[attr-defined]


def test_trace_tells_calls_of_one_function_apart() -> None:
    assert steps_of(factorial, 3) == [
        ("return", 1),
        ("smaller", 1),
        ("return", 2),
        ("smaller", 2),
        ("return", 6),
    ]
    assert [(step.target, step.value) for step in trace(echoes, talk)] == [("heard", 4), ("louder", 8)]


def raises() -> None:
    before = 1
    raise ArithmeticError(before)


def test_trace_lets_an_exception_through_and_stops_watching() -> None:
    with pytest.raises(ArithmeticError):
        trace(raises, raises)
    assert sys.monitoring.get_tool(TOOL) is None
    assert steps_of(refused) == [("kept", 1), ("after", 2), ("return", 2)]


# Its tag stands here in two parts: in one it would claim to test an equation of the package.
OUTER = (
    """
def outer(x):
    def inner(y):
        return y + 1  # eq"""
    + """: successor

    return inner(inner(x))
"""
)


def outer_function(folder: Path) -> Any:
    path = folder / "outer.py"
    path.write_text(OUTER, encoding="utf-8")
    namespace: dict[str, Any] = {}
    exec(compile(OUTER, path, "exec"), namespace)
    return namespace["outer"]


def test_trace_enters_functions_inside_and_names_returns_by_their_equation(tmp_path: Path) -> None:
    assert steps_of(outer_function(tmp_path), 1) == [
        ("return successor", 2),
        ("return successor", 3),
        ("return", 3),
    ]


def test_trace_keeps_only_the_targets_that_are_wanted(tmp_path: Path) -> None:
    outer = outer_function(tmp_path)
    steps = trace(outer, lambda: outer(1), {"return"})
    assert [(step.target, step.value) for step in steps] == [("return", 3)]


def test_statements_take_code_and_tags_as_they_stand_in_the_file() -> None:
    found = {each.target: each for each in statements(example.load("adamw-one-step").function)}
    assert found["m_hat"].code == "m_hat = self.m[k] / (1 - self.beta1**self.t)"
    assert found["m_hat"].equations == ("first-moment-corrected",)


def test_answer_names_the_field_that_the_package_refuses() -> None:
    adamw = example.load("adamw-one-step")
    assert example.answer(adamw, adamw.start() | {"beta1": "1"}) == {
        "errors": {"beta1": "beta1 = 1.0 must be in [0, 1)"}
    }


def test_answer_collects_every_field_that_cannot_be_read() -> None:
    adamw = example.load("adamw-one-step")
    assert example.answer(adamw, adamw.start() | {"grad": "", "t": "-1"})["errors"].keys() == {"grad", "t"}


def test_load_names_the_example_that_does_not_exist() -> None:
    with pytest.raises(LookupError, match="no live example is called 'adam-w'"):
        example.load("adam-w")


def test_table_of_a_short_run_is_computed_anew_where_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(example, "_latest", {})
    texts = json.dumps(example.load("lr-curve").start())
    assert len(example.table_csv("lr-curve", texts).splitlines()) == 202
    steps, rates = json.loads(example.table_json("lr-curve", texts, 200))
    assert (steps, rates) == ([["200"], ["200"]], [["0.0001"], ["0.0001"]])


def test_table_of_a_long_run_is_not_computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(example, "_latest", {})
    texts = json.dumps(example.load("train").start())
    assert example.table_csv("train", texts) == ""
    assert example.table_json("train", texts, 0) == "[]"
