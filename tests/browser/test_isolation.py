"""What a solution does to Python ends with its run: nobody who asks later computes with it."""

from __future__ import annotations

import pytest
from exercise_page import BREAKING_DOWN, ExercisePage, Opens
from live_page import LivePage
from playwright.sync_api import expect
from readers import REFERENCES
from visits import Visits

RIGHT = REFERENCES["warmup-cosine"]
# Replaced where no check sees it: inside the code of a function, which stays the same object.
SPOILS = """
import numpy as np
import optim_ref
from optim_ref import warmup_cosine as right

def nothing(self, params, grads, lr):
    return None

optim_ref.AdamW.step.__code__ = nothing.__code__
np.linalg.norm.__wrapped__ = None

def warmup_cosine(step, **given):
    return right(step, **given)
"""
REPLACES = (
    "import numpy\nimport optim_ref\nnumpy.sqrt = numpy.square\noptim_ref.AdamW.step = lambda *_: None\n"
    + RIGHT
)

DEEP = "def warmup_cosine(**_):\n    x = 0\n    for _ in range({}):\n        x = [x]\n    return x\n"


def follow(exercise: ExercisePage, link: str) -> LivePage:
    """Go to another page as a reader does, by instant navigation."""
    page = exercise.page
    page.evaluate("window.sameDocument = true")
    page.get_by_role("navigation", name="Navigation").get_by_role("link", name=link, exact=True).click()
    expect(page.locator("article h1").first).to_contain_text(link)
    assert page.evaluate("window.sameDocument"), "this was no instant navigation"
    return LivePage(page, exercise.watch)


@pytest.mark.parametrize("text", [SPOILS, REPLACES])
def test_a_live_example_computes_with_the_code_of_the_page(visit_exercise: Opens, text: str) -> None:
    exercise = visit_exercise()
    exercise.run(text)
    exercise.await_spare()
    live = follow(exercise, "AdamW")
    # That Python is there already, and proves the page without being asked.
    proof = live.example.locator(".live-example__proof")
    expect(proof).to_have_attribute("data-same", "true")
    values = live.recompute(grad="0.25")
    assert values["m"] == repr((1 - 0.9) * 0.25)
    assert float(values["param"]) == pytest.approx(0.899)
    ran = live.page.locator(".eq-ran[data-same]")
    expect(ran).not_to_have_count(0)
    assert set(ran.evaluate_all("all => all.map(each => each.dataset.same)")) == {"true"}
    assert "This is the code that ran" in ran.first.inner_text()
    live.await_workers(1)


def test_the_next_run_finds_nothing_of_the_last(visit_exercise: Opens) -> None:
    exercise = visit_exercise()
    assert exercise.run(SPOILS) == "31 of 31 checks passed."
    kept = "import builtins\n" + RIGHT + "\nprint(hasattr(builtins, 'kept'))\nbuiltins.kept = 1\n"
    for _ in range(2):
        exercise.await_spare()
        assert exercise.run(kept) == "31 of 31 checks passed."
        assert exercise.exercise.locator(".live-exercise__output").text_content() == "False\n"
    exercise.await_spare()
    exercise.await_workers(1)


def test_a_solution_that_replaces_something_is_told_so_and_nothing_else(visit_exercise: Opens) -> None:
    exercise = visit_exercise()
    status = exercise.run(REPLACES)
    assert status.startswith("No check was run: numpy.sqrt and 1 more were replaced; the checks need it")
    exercise.await_spare()
    assert exercise.run(RIGHT) == "31 of 31 checks passed."


def test_the_page_of_the_exercise_itself_is_proven_by_a_clean_python(visit: Visits) -> None:
    """An example on the very page on which a solution ran a moment ago."""
    exercise = ExercisePage(visit)
    exercise.run(SPOILS)
    page = exercise.page
    html = page.request.get("adamw/").text()
    begin, end = html.index("<live-example "), html.index("</live-example>") + len("</live-example>")
    page.locator("article").evaluate(
        "(article, html) => { article.insertAdjacentHTML('beforeend', html) }", html[begin:end]
    )
    live = LivePage(page, exercise.watch)
    assert float(live.recompute(grad="0.25")["param"]) == pytest.approx(0.899)
    expect(live.example.locator(".live-example__proof")).to_have_attribute("data-same", "true")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import js\njs.postMessage('x')\n", "TypeError: postMessage is not there for solutions"),
        ("import js\njs.close()\n", "TypeError: close is not there for solutions"),
        ("import js\njs.document\n", "AttributeError: document"),
        ("import js\njs.localStorage\n", "AttributeError: localStorage"),
        ("import shutil\nshutil.rmtree('/lib', ignore_errors=True)\n" + RIGHT, "checks passed"),
        (
            "import threading\nthreading.Thread(target=print).start()\n",
            "RuntimeError: can't start new thread",
        ),
        ("input()\n", "No check was run: OSError: nobody can answer input() here (solution.py, line 1)"),
        ("import sys\nsys.exit(3)\n", "SystemExit: 3"),
        ("raise BaseException('odd')\n", "BaseException: odd"),
        ("raise KeyboardInterrupt\n", "Python itself broke down (KeyboardInterrupt)"),
        ("print('x' * 10_000_000)\n" + RIGHT, "31 of 31 checks passed."),
        ("import os\nos.write(1, b'x' * 10_000_000)\n" + RIGHT, "31 of 31 checks passed."),
        ("import os\nos._exit(3)\n", "Python itself broke down"),
        ("import builtins\nbuiltins.len = None\n" + RIGHT, "builtins.len was replaced"),
        (DEEP.format(1_000), "result is a list"),
        # Freeing it is more than this Python's stack holds.
        (DEEP.format(100_000), "Python itself broke down (RangeError: Maximum call stack size exceeded)"),
        ("def warmup_cosine(**_):\n    return list(range(1_000_000))\n", "result is a list"),
        ("def warmup_cosine(**_):\n    raise ValueError('x' * 10_000_000)\n", "ValueError: xxx"),
    ],
    ids=lambda value: value.splitlines()[min(1, len(value.splitlines()) - 1)][:40],
)
def test_a_hostile_solution_ends_with_a_message_and_the_next_run_works(
    hostile: ExercisePage, text: str, words: str
) -> None:
    assert words in hostile.run(text)
    assert hostile.exercise.evaluate("exercise => exercise.textContent.length") < 500_000
    hostile.await_spare()
    assert hostile.run(RIGHT) == "31 of 31 checks passed."
    hostile.await_spare()
    hostile.await_workers(1)


@pytest.fixture(scope="module")
def hostile(chromium, site):
    visits = Visits(chromium, site)
    exercise = ExercisePage(visits)
    for each in (*BREAKING_DOWN, "RangeError"):
        exercise.watch.expect(each)
    yield exercise
    visits.end()
