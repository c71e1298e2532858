"""The exercises in a terminal: what each is made of, and that faults are told apart."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import pytest
from readers import FAULTS, FIFTH, REFERENCES, WRONG, read

from live import exercise as page
from optim_ref import exercises
from optim_ref.exercises import checks, compare, solution
from optim_ref.exercises.__main__ import main
from optim_ref.exercises.checks import Check


def run(name: str, text: str) -> list[Check]:
    exercise = exercises.load(name)
    cases = checks.solve(exercise, exercise.all_cases())
    reader, outcome = solution.load(text, "solution.py", exercise.entry_point)
    assert reader is not None, outcome.error
    return list(checks.run(exercise, reader, cases))


@pytest.mark.parametrize("name", exercises.NAMES)
def test_every_exercise_has_its_parts(name: str) -> None:
    exercise = exercises.load(name)
    names = [case.name for case in exercise.all_cases()]
    assert exercise.name == name
    assert len(exercise.examples) == len(exercise.hints) == 3
    assert len(exercise.cases()) >= 20
    assert len(set(names)) == len(names)
    assert set(exercise.receives) == set(exercise.examples[0].arguments)


@pytest.mark.parametrize("name", exercises.NAMES)
def test_cases_are_the_same_each_time(name: str) -> None:
    exercise = exercises.load(name)
    for once, again in zip(exercise.all_cases(), exercise.all_cases(), strict=True):
        assert compare.change("arguments", dict(once.arguments), dict(again.arguments)) is None


@pytest.mark.parametrize(("name", "text"), REFERENCES.items())
def test_the_reference_passes_every_check(name: str, text: str) -> None:
    assert [check.message for check in run(name, text) if not check.passed] == []


@pytest.mark.parametrize("name", ["adamw-step", "warmup-cosine"])
def test_a_solution_that_shares_no_line_with_the_reference_passes(name: str) -> None:
    assert [check.message for check in run(name, read(name, "right")) if not check.passed] == []


@pytest.mark.parametrize(("name", "fault"), WRONG)
def test_a_wrong_solution_fails_on_a_check_that_names_the_fault(name: str, fault: str) -> None:
    messages = [check.message for check in run(name, read(name, fault)) if not check.passed]
    assert any(FAULTS[name][fault] in message for message in messages), messages


@pytest.mark.parametrize(("name", "fault"), WRONG)
def test_a_wrong_solution_is_not_taken_for_another(name: str, fault: str) -> None:
    guesses = {check.guess for check in run(name, read(name, fault)) if check.guess}
    assert len(guesses) <= 1


@pytest.mark.parametrize("name", exercises.NAMES)
def test_every_usual_mistake_is_found_and_named(name: str) -> None:
    exercise = exercises.load(name)
    for mistake in exercise.mistakes:
        reader = solution.Solution(mistake.function, "mistake.py")
        results = checks.run(exercise, reader, checks.solve(exercise, exercise.all_cases()))
        assert mistake.text in {check.guess for check in results}


@pytest.mark.parametrize("name", exercises.NAMES)
def test_the_starter_fails_cleanly(name: str) -> None:
    exercise = exercises.load(name)
    for check in run(name, exercise.starter):
        assert check.message == (
            "Exception: NotImplementedError: this is yours to write (solution.py, line 6)"
        )
        assert check.traceback.splitlines()[1] == f'  File "solution.py", line 6, in {exercise.entry_point}'


def test_the_page_gets_each_check_as_it_comes() -> None:
    told: list[dict[str, Any]] = []
    answer = page.run("warmup-cosine", REFERENCES["warmup-cosine"], told.append)
    assert told[0] == {"reading": "solution.py"}
    assert [each["check"]["case"] for each in told[2:]] == [each["case"] for each in told[1]["cases"]]
    assert answer == {"passed": 31, "total": 31, "sentence": "31 of 31 checks passed."}


def test_the_page_ends_a_run_that_has_taken_all_memory() -> None:
    told: list[dict[str, Any]] = []
    text = "def warmup_cosine(**_):\n    raise MemoryError"
    answer = page.run("warmup-cosine", text, told.append)
    assert [each["check"]["case"] for each in told[2:]] == ["rising"]
    assert (answer["passed"], answer["total"]) == (0, 31)
    assert answer["sentence"].startswith("0 of 31 checks passed. The first that failed is rising:")


def test_the_page_is_told_why_nothing_was_run() -> None:
    told: list[dict[str, Any]] = []
    answer = page.run("warmup-cosine", "def warmup_cosine(:", told.append)
    assert told == [{"reading": "solution.py"}]
    assert answer["sentence"] == "No check was run: SyntaxError: invalid syntax (solution.py, line 1)"
    assert '  File "solution.py", line 1' in answer["accident"]


def test_a_fifth_exercise_is_one_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(exercises, "__path__", [*exercises.__path__, str(FIFTH)])
    monkeypatch.delitem(sys.modules, "optim_ref.exercises.clip_by_value", raising=False)
    importlib.invalidate_caches()
    fifth = FIFTH / "clip_by_value.py"
    assert main(["clip-by-value", str(fifth)]) == 0
    assert "23 of 23 checks passed." in capsys.readouterr().out
    text = "import numpy as np\nfrom optim_ref import tree\n\ndef clip_by_value(grads, limit):\n"
    text += "    return tree.map(lambda g: np.minimum(g, limit), grads)\n"
    messages = [check.message for check in run("clip-by-value", text)]
    assert any("only the upper limit held" in message for message in messages)


def test_an_exercise_that_does_not_exist_is_named() -> None:
    for name in ("clip-everything", "cases"):
        with pytest.raises(LookupError, match=f"no exercise is called '{name}'"):
            exercises.load(name)


def test_worked_values_stand_in_the_statement() -> None:
    exercise = exercises.load("clip-by-global-norm")
    expected = "{'clipped': {'b': np.array(0.8), 'w': np.array([0.6, 0.0])}, 'global_norm': 5.0}"
    assert checks.expected(exercise, exercise.examples[0]) == expected
