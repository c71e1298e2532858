"""Solutions that replace what they are checked with, or return what nobody expects: the checks stay right."""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from readers import REFERENCES

import optim_ref
from optim_ref import exercises
from optim_ref.exercises import checks, compare, solution, writing
from optim_ref.exercises.checks import Check
from optim_ref.exercises.surroundings import Surroundings

WRONG = "def warmup_cosine(step, **_):\n    {}\n    return np.zeros(np.shape(step))\n"
REPLACEMENTS = {
    "numpy.sqrt": "np.sqrt = lambda x: x",
    "numpy.isnan": "np.isnan = lambda x: x != x",
    "numpy.cos": "del np.cos",
    "numpy.pi": "np.pi = 3.0",
    "math.cos": "import math; math.cos = len",
    "builtins.isinstance": "import builtins; builtins.isinstance = lambda *_: True",
    "builtins.setattr": "import builtins; builtins.setattr = builtins.vars = None",
    "copy.deepcopy": "import copy; copy.deepcopy = lambda x: x",
    "optim_ref.warmup_cosine": "import optim_ref; optim_ref.warmup_cosine = None",
    "AdamW.step": "import optim_ref; optim_ref.AdamW.step = lambda *_: None",
    "optim_ref.exercises.compare.difference": (
        "from optim_ref.exercises import compare; compare.difference = lambda *_: None"
    ),
}


@pytest.fixture(autouse=True)
def untouched() -> Iterator[None]:
    """Whatever a test lets a solution do, the tests after it are run by what they import."""
    surroundings = Surroundings()
    yield
    assert surroundings.restore() == []


def run(text: str, name: str = "warmup-cosine") -> list[Check]:
    exercise = exercises.load(name)
    cases = checks.solve(exercise, exercise.all_cases())
    reader, outcome = solution.load(text, "solution.py", exercise.entry_point)
    assert reader is not None, outcome.error
    return list(checks.run(exercise, reader, cases))


def returning(expression: str) -> Check:
    return run(f"def warmup_cosine(**_):\n    return {expression}\n")[0]


@pytest.mark.parametrize("name", REPLACEMENTS)
def test_a_text_that_replaces_something_is_told_what(name: str) -> None:
    text = f"import numpy as np\n{REPLACEMENTS[name]}\n{WRONG.format('pass')}"
    reader, outcome = solution.load(text, "solution.py", "warmup_cosine")
    assert reader is None
    assert f"{name} was replaced" in outcome.error or f"{name} and" in outcome.error


@pytest.mark.parametrize("name", REPLACEMENTS)
def test_a_function_that_replaces_something_passes_no_check_by_it(name: str) -> None:
    results = run("import numpy as np\n" + WRONG.format(REPLACEMENTS[name]))
    assert {check.fault.kind for check in results if check.fault} == {compare.REPLACED}
    assert not any(check.passed for check in results)
    assert name.rpartition(".")[2] in results[0].message
    assert results[0].expected == "0.0005"


def test_what_is_right_was_computed_before_the_text_could_change_the_code_itself() -> None:
    text = (
        "import optim_ref\nimport numpy as np\n"
        "def other(step, warmup_steps, total_steps, lr_max, lr_min):\n    return 0.0\n"
        "optim_ref.warmup_cosine.__code__ = other.__code__\n"
        "def warmup_cosine(**given):\n    return optim_ref.warmup_cosine(**given)\n"
    )
    code = optim_ref.warmup_cosine.__code__
    try:
        assert not run(text)[0].passed
    finally:
        optim_ref.warmup_cosine.__code__ = code


def test_what_was_replaced_is_back() -> None:
    before = (np.sqrt, builtins.isinstance, math.cos, optim_ref.AdamW.step)
    for text in REPLACEMENTS.values():
        solution.load(f"import numpy as np\n{text}", "solution.py", "f")
    assert before == (np.sqrt, builtins.isinstance, math.cos, optim_ref.AdamW.step)


def test_adding_to_a_module_and_importing_more_of_it_is_nobodys_harm() -> None:
    text = f"import numpy as np\nimport numpy.testing\nnp.extra = float\n{REFERENCES['warmup-cosine']}"
    try:
        assert all(check.passed for check in run(text))
    finally:
        del np.extra  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("type('', (dict,), {'keys': lambda self: 1 / 0})()", "result is a , must be a number"),
        ("type('Odd', (), {'__repr__': lambda self: 1 / 0})()", "result is an Odd, must be a number"),
        ("10 ** 5000", "Wrong dtype: result is object, must be float64"),
        ("'x' * 10_000_000", "result is a str, must be a number"),
        ("list(range(1_000_000))", "result is a list, must be a number"),
        ("np.zeros(3, dtype=[('a', 'f8')])", "NameError: name 'np' is not defined"),
        ("(yield)", "result is a generator, must be a number"),
        ("exit", "result is a Quitter, must be a number"),
    ],
)
def test_any_result_gets_an_answer(expression: str, words: str) -> None:
    check = returning(expression)
    assert words in check.message
    assert len(check.got) < 1000


def test_a_deep_result_is_cut() -> None:
    text = "deep = 0\nfor _ in range(100_000):\n    deep = [deep]\n"
    check = run(text + "def warmup_cosine(**_):\n    return deep\n")[0]
    assert check.message == "Wrong structure: result is a list, must be a number"
    assert check.got == "[" * 21 + "…" + "]" * 21


def test_a_result_that_cannot_even_be_looked_at_is_said_to_be_so() -> None:
    text = (
        "class Odd(dict):\n    def keys(self):\n        raise OSError('no keys')\n"
        "def clip_by_global_norm(**_):\n    return Odd()\n"
    )
    check = run(text, "clip-by-global-norm")[0]
    assert check.message == "Wrong structure: looking at the result raises OSError: no keys"


def test_even_an_exception_may_refuse_to_say_anything() -> None:
    text = (
        "class Mute(Exception):\n    def __str__(self):\n        raise self\n"
        "class Odd(dict):\n    def keys(self):\n        raise Mute\n"
        "def clip_by_global_norm(**_):\n    return Odd()\n"
    )
    check = run(text, "clip-by-global-norm")[0]
    assert check.message.startswith(
        "Wrong structure: looking at the result raises solution.Mute: <exception str"
    )


def test_a_dict_of_many_odd_keys_is_cut() -> None:
    name = "clip-by-global-norm"
    text = "def clip_by_global_norm(tree, max_norm):\n    return dict.fromkeys(range(100_000))\n"
    check = run(text, name)[0]
    assert check.message.startswith("Wrong structure: result has the keys [0, 1, 2")
    assert len(check.message) < 1000


@pytest.mark.parametrize("raised", ["BaseException('x')", "GeneratorExit()", "SystemExit('x')"])
def test_whatever_is_raised_is_an_accident(raised: str) -> None:
    reader, _ = solution.load(f"def f():\n    raise {raised}", "solution.py", "f")
    assert reader is not None
    assert reader.call({}).error.startswith(raised.partition("(")[0])


def test_a_long_message_is_cut() -> None:
    reader, _ = solution.load("def f():\n    raise ValueError('x' * 10_000_000)", "solution.py", "f")
    assert reader is not None
    outcome = reader.call({})
    assert len(outcome.error) < 1000
    assert len(outcome.traceback) < 11_000


def test_writing_shows_the_first_items_of_many() -> None:
    assert writing.value([0] * 3) == "[0, 0, 0]"
    assert writing.value({"a": (1,)}) == "{'a': (1,)}"
    text: Any = writing.value([0] * 101)
    assert text.endswith("0, …]")
