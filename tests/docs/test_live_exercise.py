"""The page of an exercise, as the build writes it."""

from __future__ import annotations

import dataclasses
import importlib
import sys
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest
from building import PROJECT
from readers import FIFTH

from optim_ref import exercises
from optim_ref_docs import assets, live_exercise
from optim_ref_docs.live_example import FenceError


@pytest.fixture(scope="module", autouse=True)
def prepared() -> None:
    assets.prepare(PROJECT)


@pytest.fixture
def fifth(monkeypatch: pytest.MonkeyPatch) -> exercises.Exercise:
    monkeypatch.setattr(exercises, "__path__", [*exercises.__path__, str(FIFTH)])
    monkeypatch.delitem(sys.modules, "optim_ref.exercises.clip_by_value", raising=False)
    importlib.invalidate_caches()
    return exercises.load("clip-by-value")


def fence(name: str) -> str:
    return live_exercise.fence(name, "", "", {}, SimpleNamespace(block_level_elements=[]))


def test_a_fifth_exercise_gets_a_page_from_its_file_alone(fifth: exercises.Exercise) -> None:
    html = unescape(fence(fifth.name))
    assert '<live-exercise name="clip-by-value" data-state="static"' in html
    assert "23 checks run in this browser" in html
    assert (
        "clip_by_value(grads={'w': np.array([3.0, 0.5])}, limit=1.0)\n→ {'w': np.array([1.0, 0.5])}" in html
    )
    assert [f"Hint {n} of 3" in html for n in range(1, 5)] == [True, True, True, False]
    assert 'id="clip-by-value--clip-by-value"' in html
    assert '<tr data-symbol="C" data-name="clip_value">' in html
    assert '<autoref identifier="eq-clip-by-value">clip-by-value</autoref>' in html


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"equations": ("no-such-equation",)}, "no equation is called 'no-such-equation'"),
        ({"solution": (len,)}, "builtins.len is not of optim_ref"),
        ({"reference": lambda grads, limit: 1 / 0}, r"ZeroDivisionError\('division by zero'\)"),
    ],
)
def test_what_an_exercise_names_must_exist(
    fifth: exercises.Exercise, monkeypatch: pytest.MonkeyPatch, change: dict, message: str
) -> None:
    broken = dataclasses.replace(fifth, **change)
    monkeypatch.setattr(sys.modules["optim_ref.exercises.clip_by_value"], "EXERCISE", broken)
    with pytest.raises(FenceError, match=f"live-exercise fence 'clip-by-value': {message}"):
        fence("clip-by-value")


def test_an_exercise_that_does_not_exist_stops_the_build() -> None:
    with pytest.raises(FenceError, match="no exercise is called 'clip-everything'"):
        fence("clip-everything")


def test_the_list_of_exercises_names_all() -> None:
    html = live_exercise.progress_fence("", "", "", {}, SimpleNamespace(block_level_elements=[]))
    assert [f'data-exercise="{name}"' in html for name in exercises.NAMES] == [True] * 4


def test_page_and_scripts_take_the_limits_from_one_file(
    monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    limits = '{ "secondsToAnswer": 20, "bytesOfMemory": 536870912 }'
    (project / "widgets" / "limits.json").write_text(limits, encoding="utf-8")
    monkeypatch.chdir(project)
    monkeypatch.setattr("optim_ref_docs.project._chosen", project)
    assets.prepare(project)
    html = fence("warmup-cosine")
    assert "longer than 20 seconds, or more than 0.5 GB of memory, is stopped" in html
    assert 'data-seconds="20"' in html
    (worker,) = (project / assets.FOLDER).glob("*/pyodide-worker.js")
    assert "bytesOfMemory:536870912" in worker.read_text("utf-8")
