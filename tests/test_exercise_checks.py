"""What checks of exercises are made of: comparing trees, and running a reader's code with its accidents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from optim_ref.exercises import compare, solution

A = np.array
RIGHT = {"clipped": {"w": A([0.6, 0.8])}, "global_norm": np.float64(5)}


@pytest.mark.parametrize(
    ("got", "message"),
    [
        (None, "Wrong structure: result is None, must be a dict with the keys ['clipped', 'global_norm']"),
        (
            RIGHT["clipped"],
            "Wrong structure: result has the keys ['w'], must have ['clipped', 'global_norm']",
        ),
        (
            RIGHT | {"clipped": [A([0.6, 0.8])]},
            "Wrong structure: result['clipped'] is a list, must be a dict",
        ),
        (
            RIGHT | {"clipped": {"w": "0.6"}},
            "Wrong structure: result['clipped']['w'] is a str, must be an array",
        ),
        (RIGHT | {"clipped": {"w": A([[0.6, 0.8]])}}, "Wrong shape: result['clipped']['w'] has shape (1, 2)"),
        (
            RIGHT | {"global_norm": A([5.0])},
            "Wrong shape: result['global_norm'] has shape (1,), must have ().",
        ),
        (RIGHT | {"global_norm": 5}, "Wrong dtype: result['global_norm'] is int64, must be float64."),
        (RIGHT | {"global_norm": np.float32(5)}, "Wrong dtype: result['global_norm'] is float32"),
        (RIGHT | {"clipped": {"w": A([0.6, np.nan])}}, "NaN: result['clipped']['w'][1] is nan, must be 0.8."),
        (RIGHT | {"global_norm": np.inf}, "Wrong value: result['global_norm'] is inf, must be 5.0."),
        (
            RIGHT | {"clipped": {"w": A([0.6, 0.8 + 1e-9])}},
            "Wrong value: result['clipped']['w'][1] is 0.800000001, must be 0.8; 1 of 2 entries are wrong.",
        ),
    ],
)
def test_difference_tells_the_kinds_apart(got: Any, message: str) -> None:
    fault = compare.difference("result", got, RIGHT)
    assert str(fault).startswith(message)


def test_difference_allows_rounding_and_a_plain_float() -> None:
    got = {"clipped": {"w": A([0.6000000000000001, 0.8])}, "global_norm": 5.0}
    assert compare.difference("result", got, RIGHT) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda given: given["w"].__setitem__(1, 9.0), "grads['w'][1] was 4.0 and is 9.0 after the call."),
        (lambda given: given["w"].__setitem__(0, -0.0), "grads['w'][0] was 0.0 and is -0.0 after the call."),
        (
            lambda given: given["n"].view(np.uint64).__iadd__(1),
            "grads['n'][0] was nan and is nan, of other bits, after the call.",
        ),
        (lambda given: given.pop("w"), "grads has the keys ['n'], must have ['w', 'n']"),
        (
            lambda given: given.update(w=given["w"].astype(np.float32)),
            "grads['w'] was float64 of shape (2,) and is float32 of shape (2,) after the call.",
        ),
    ],
)
def test_change_finds_any_bit(change: Callable[[Any], Any], message: str) -> None:
    before, after = ({"w": A([0.0, 4.0]), "n": A([np.nan])} for _ in range(2))
    assert compare.change("grads", after, before) is None
    change(after)
    assert message in str(compare.change("grads", after, before))


def test_printed_output_is_kept_up_to_a_limit() -> None:
    text = "import sys\ndef f():\n    print('<b>x</b>')\n    print('y' * 20_000, file=sys.stderr)"
    reader, _ = solution.load(text, "solution.py", "f")
    assert reader is not None
    printed = reader.call({}).printed
    assert printed.startswith("<b>x</b>\nyyy")
    assert printed.endswith("… and more, which is not kept")
    assert len(printed) < 10_100


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("def f(:", "SyntaxError: invalid syntax (solution.py, line 1)"),
        ("import nothing_of_that_name", "ModuleNotFoundError: No module named 'nothing_of_that_name'"),
        ("x = 1", "solution.py defines no function f"),
        ("f = 3", "solution.py defines no function f"),
        ("raise SystemExit(3)", "SystemExit: 3 (solution.py, line 1)"),
        ("f = lambda: 1 / 0\nf()", "ZeroDivisionError: division by zero (solution.py, line 1)"),
    ],
)
def test_a_text_that_cannot_be_run_says_why(text: str, error: str) -> None:
    reader, outcome = solution.load(text, "solution.py", "f")
    assert reader is None
    assert outcome.error.startswith(error)


def test_a_traceback_shows_the_readers_lines_alone() -> None:
    text = (
        "import numpy as np\n\ndef f():\n    return g()\n\ndef g():\n    return np.linalg.inv(np.eye(0)[0])\n"
    )
    reader, _ = solution.load(text, "solution.py", "f")
    assert reader is not None
    assert [line for line in reader.call({}).traceback.splitlines() if "File" in line] == [
        '  File "solution.py", line 4, in f',
        '  File "solution.py", line 7, in g',
    ]


def test_endless_recursion_is_an_exception_like_any_other() -> None:
    reader, _ = solution.load("def f():\n    return f()", "solution.py", "f")
    assert reader is not None
    outcome = reader.call({})
    assert outcome.error.startswith("RecursionError")
    assert len(outcome.traceback) < 2_000
