"""Exercises in a real Chromium: checks, accidents of all kinds, and nothing that was typed is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from exercise_page import BREAKING_DOWN, ExercisePage, Opens
from playwright.sync_api import Browser, Worker, expect
from readers import FAULTS, REFERENCES, read
from site_server import SiteServer, held, missing
from visits import Visits

RIGHT = REFERENCES["warmup-cosine"]
LOOP = "def warmup_cosine(**_):\n    while True:\n        pass\n"
ACCIDENTS = {
    "a loop while the file is read": ("while True:\n    pass\n", "Stopped. No check was begun."),
    "recursion": (
        "def warmup_cosine(**given):\n    return warmup_cosine(**given)\n",
        "The first that failed is rising: Exception: RecursionError: maximum recursion depth exceeded",
    ),
    "recursion in C": (
        "class Mirror:\n    def __repr__(self):\n        return repr(self)\n"
        "def warmup_cosine(**_):\n    return Mirror()\n",
        "The check “rising” was not finished.",
    ),
    "allocation": (
        "kept = []\ndef warmup_cosine(**_):\n    while True:\n        kept.append(bytearray(10_000_000))\n",
        "The first that failed is rising: Exception: MemoryError (solution.py, line 4)",
    ),
    "abort": (
        "def warmup_cosine(**_):\n    import os\n    os.abort()\n",
        "Python itself broke down (RuntimeError: unreachable). The check “rising” was not finished.",
    ),
}


@pytest.fixture(scope="module", params=list(FAULTS))
def page_of(
    request: pytest.FixtureRequest, chromium: Browser, site: SiteServer
) -> Iterator[tuple[str, ExercisePage]]:
    """The page of each exercise in turn, shared by tests that replace all of its text."""
    visits = Visits(chromium, site)
    yield request.param, ExercisePage(visits, request.param)
    visits.end()


@pytest.fixture(scope="module")
def warm(chromium: Browser, site: SiteServer) -> Iterator[ExercisePage]:
    visits = Visits(chromium, site)
    exercise = ExercisePage(visits)
    for each in BREAKING_DOWN:
        exercise.watch.expect(each)
    yield exercise
    visits.end()


@pytest.fixture
def lossy(warm: ExercisePage) -> ExercisePage:
    """A page that may lose its Python: another is ready."""
    warm.run(RIGHT)
    warm.await_spare()
    return warm


class TestChecks:
    def test_the_starter_fails_cleanly(self, page_of: tuple[str, ExercisePage]) -> None:
        _, exercise = page_of
        exercise.press("run")
        status = exercise.settle()
        count = exercise.checks.count()
        assert count >= 23
        assert status.startswith(f"0 of {count} checks passed.")
        assert "Exception: NotImplementedError: this is yours to write (solution.py, line 6)" in status

    def test_the_reference_passes_every_check(self, page_of: tuple[str, ExercisePage]) -> None:
        name, exercise = page_of
        status = exercise.run(REFERENCES[name])
        count = exercise.checks.count()
        assert status == f"{count} of {count} checks passed."
        assert exercise.exercise.locator("[data-status=pass]").count() == count

    def test_each_wrong_solution_fails_on_a_check_that_names_the_fault(
        self, page_of: tuple[str, ExercisePage]
    ) -> None:
        name, exercise = page_of
        for fault, words in FAULTS[name].items():
            exercise.run(read(name, fault))
            assert any(words in line for line in exercise.failed()), (fault, exercise.failed())


def test_a_failed_check_shows_input_expected_got_and_where_they_differ(warm: ExercisePage) -> None:
    warm.run(read("warmup-cosine", "rises_again"))
    name = "key-steps"
    assert warm.part(name, "call").startswith(
        "warmup_cosine(step=np.array([0, 50, 200, 300]), warmup_steps=50"
    )
    assert warm.part(name, "expected") == "np.array([0.0, 0.001, 0.0001, 0.0001])"
    assert warm.part(name, "got") == "np.array([0.0, 0.001, 0.0001, 0.000775])"
    assert "result[3] is 0.0007750000000000001, must be 0.0001; 1 of 4" in warm.check(name).inner_text()
    assert [each.get_attribute("data-case") for each in warm.checks.all()[:3]] == [
        "rising",
        "falling",
        name,
    ]


def test_all_output_is_text_and_a_traceback_points_at_the_readers_line(warm: ExercisePage) -> None:
    markup = "<b>bold</b> <img src=x onerror=alert(1)>"
    warm.run(
        f"print(int)\n\ndef warmup_cosine(step, **_):\n    print({markup!r}, type(step))\n    return 1 / 0\n"
    )
    assert warm.part("rising", "printed") == f"{markup} <class 'int'>\n"
    assert '  File "solution.py", line 5, in warmup_cosine\n' in warm.part("rising", "traceback")
    assert warm.exercise.locator(".live-exercise__output").text_content() == "<class 'int'>\n"
    assert warm.exercise.locator("b, img").count() == 0
    assert "SyntaxError: invalid syntax (solution.py, line 1)" in warm.run("def <b>:")
    assert (
        warm.exercise.locator(".live-exercise__output")
        .inner_text()
        .startswith('  File "solution.py", line 1')
    )


class TestAccidents:
    def test_an_endless_loop_is_stopped_by_the_watchdog(self, lossy: ExercisePage) -> None:
        begin = time.monotonic()
        status = lossy.run(LOOP)
        assert time.monotonic() - begin > 9
        assert status.startswith(
            "Python gave no answer within 10 seconds and was stopped. The check “rising”"
        )
        assert "not finished rising" in lossy.failed()[0]
        runs_at_once(lossy)

    def test_stop_ends_an_endless_loop_at_once(self, lossy: ExercisePage) -> None:
        used = lossy.made[-1]
        lossy.start(LOOP)
        expect(lossy.checks.first).to_have_text("rising: Half of the warmup gives half of lr_max")
        lossy.press("stop")
        assert lossy.settle().startswith("Stopped. The check “rising” was not finished.")
        expect(lossy.button("run")).to_be_focused()
        lossy.await_spare()
        runs_at_once(lossy)
        assert_ends(lossy, used)

    @pytest.mark.parametrize("accident", ACCIDENTS)
    def test_an_accident_ends_with_a_message_and_the_next_run_works_at_once(
        self, lossy: ExercisePage, accident: str
    ) -> None:
        text, message = ACCIDENTS[accident]
        used = lossy.made[-1]
        # The next is made once this one reads the text: to stop it before would show nothing.
        with lossy.page.expect_event("worker"):
            lossy.start(text)
        if message.startswith("Stopped"):
            lossy.press("stop")
        assert message in lossy.settle()
        assert lossy.text == text
        runs_at_once(lossy)
        assert_ends(lossy, used)

    def test_even_the_first_run_may_be_stopped(self, visit_exercise: Opens) -> None:
        exercise = visit_exercise()
        # The next Python starts beside the loop, and may take longer than a run is given.
        exercise.exercise.evaluate("exercise => { exercise.dataset.seconds = 60 }")
        exercise.start("while True:\n    pass\n")
        expect(exercise.exercise).to_have_attribute("data-state", "running", timeout=60_000)
        exercise.await_spare()
        exercise.press("stop")
        assert exercise.settle().startswith("Stopped. No check was begun.")
        runs_at_once(exercise)

    def test_stop_before_python_has_started_starts_no_second_one(
        self, visit_exercise: Opens, site: SiteServer
    ) -> None:
        until = threading.Event()
        with site.fault(site.runtime("memory-image.wasm"), held(until)):
            exercise = visit_exercise()
            exercise.press("run")
            exercise.page.wait_for_timeout(500)
            exercise.press("stop")
            assert exercise.settle().startswith("Stopped. No check was begun.")
            exercise.page.wait_for_timeout(500)
            until.set()
        assert len(exercise.made) == 1
        assert exercise.run(RIGHT) == "31 of 31 checks passed."

    def test_checks_that_all_ran_before_a_download_failed_were_begun(
        self, visit_exercise: Opens, site: SiteServer
    ) -> None:
        exercise = visit_exercise()
        exercise.watch.expect("404")
        with site.fault(site.runtime("python_stdlib.zip"), missing):
            status = exercise.run("def warmup_cosine(**_):\n    import fractions\n    return fractions\n")
        assert "All checks were finished. What you wrote is kept" in status


def test_what_vanishes_with_a_run_hands_its_focus_over(warm: ExercisePage) -> None:
    warm.run("print(1)")
    warm.exercise.locator(".live-exercise__output").focus()
    warm.page.keyboard.press("Control+Enter")
    expect(warm.button("run")).to_be_focused()
    warm.settle()


def runs_at_once(exercise: ExercisePage) -> None:
    """Run by the Python that is ready: all that is made is the one to be ready next."""
    exercise.await_spare()
    before = len(exercise.made)
    assert exercise.run(RIGHT) == "31 of 31 checks passed."
    assert len(exercise.made) <= before + 1


def assert_ends(exercise: ExercisePage, worker: Worker) -> None:
    """Whatever the worker was doing, it ends, and its memory with it: only the next Python stays."""
    exercise.await_spare()
    exercise.await_workers(1)
    assert worker not in exercise.workers()
