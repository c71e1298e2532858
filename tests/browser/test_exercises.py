"""Exercises in a real Chromium: checks, accidents of all kinds, and nothing that was typed is lost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from building import PROJECT
from exercise_page import ExercisePage
from playwright.sync_api import Browser, Worker, expect
from readers import FAULTS, REFERENCES, read
from site_server import SiteServer, missing
from visits import Visits

AXE = PROJECT / "widgets" / "node_modules" / "axe-core" / "axe.min.js"
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
TYPE = "(area, text) => { area.value = text; area.dispatchEvent(new Event('input', { bubbles: true })); }"
REFUSE = (
    "Object.defineProperty(window, '{}', {{ get() {{ throw new DOMException('', 'SecurityError'); }} }});"
)
KEPT = "Object.keys(localStorage).concat(Object.keys(sessionStorage)).filter(key => key.includes('exercise'))"

# The buttons that copy code are Material's own.
RUN_AXE = (
    "axe.run({ include: ['live-exercise'], exclude: ['.md-code__nav'] }).then(({ violations }) => violations)"
)

Opens = Callable[..., ExercisePage]

# What Python says in the console when it breaks down is no complaint of the page.
BREAKING_DOWN = ("Pyodide has suffered", "The cause of the fatal error", "Error: ", "Aborted()")


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


@pytest.fixture
def visit_exercise(visit: Visits) -> Opens:
    return lambda name="warmup-cosine", **options: ExercisePage(visit, name, **options)


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
        *_, used, spare = lossy.made
        lossy.start(LOOP)
        expect(lossy.checks.first).to_have_text("rising: Half of the warmup gives half of lr_max")
        lossy.press("stop")
        assert lossy.settle().startswith("Stopped. The check “rising” was not finished.")
        expect(lossy.button("run")).to_be_focused()
        runs_at_once(lossy)
        assert spare in lossy.workers()
        assert_ends(lossy, used)

    @pytest.mark.parametrize("accident", ACCIDENTS)
    def test_an_accident_ends_with_a_message_and_the_next_run_works_at_once(
        self, lossy: ExercisePage, accident: str
    ) -> None:
        text, message = ACCIDENTS[accident]
        *_, used, _ = lossy.made
        lossy.start(text)
        if message.startswith("Stopped"):
            lossy.page.wait_for_timeout(500)
            lossy.press("stop")
        assert message in lossy.settle()
        assert lossy.text == text
        runs_at_once(lossy)
        if accident != "recursion":  # which Python survives
            assert_ends(lossy, used)

    def test_even_the_first_run_may_be_stopped(self, visit_exercise: Opens) -> None:
        exercise = visit_exercise()
        exercise.start("while True:\n    pass\n")
        expect(exercise.exercise).to_have_attribute("data-state", "running", timeout=60_000)
        exercise.await_spare()
        exercise.press("stop")
        assert exercise.settle().startswith("Stopped. No check was begun.")
        runs_at_once(exercise)


def runs_at_once(exercise: ExercisePage) -> None:
    exercise.write(RIGHT)
    exercise.press("run")
    assert exercise.settle() == "31 of 31 checks passed."


def assert_ends(exercise: ExercisePage, worker: Worker) -> None:
    """Whatever the worker was doing, it ends, and its memory with it; the browser may take a moment."""
    for _ in range(100):
        if worker not in exercise.workers():
            return
        exercise.page.wait_for_timeout(100)
    pytest.fail("the worker is still there")


class TestKept:
    def test_what_was_typed_survives_reload_navigation_and_a_broken_worker(
        self, visit_exercise: Opens
    ) -> None:
        exercise = visit_exercise()
        for each in BREAKING_DOWN:
            exercise.watch.expect(each)
        text = ACCIDENTS["abort"][0]
        exercise.run(text)
        assert exercise.text == text
        exercise.page.reload()
        assert exercise.text == text
        link = exercise.page.get_by_role("navigation", name="Navigation")
        link.get_by_role("link", name="Changelog").click()
        expect(exercise.page.locator("h1").first).to_contain_text("Changelog")
        exercise.page.go_back()
        expect(exercise.exercise.locator("textarea")).to_have_value(text)

    def test_two_tabs_do_not_overwrite_each_other_unseen(self, visit_exercise: Opens) -> None:
        one = visit_exercise()
        notice = ".live-exercise__conflict"
        other = one.page.context.new_page()
        other.goto(one.page.url)
        for text, choice, kept in (
            ("one = 1\n", "keep-mine", "two = 2\n"),
            ("one = 3\n", "take-other", "one = 3\n"),
        ):
            textarea = other.locator("textarea")
            one.write(text)
            expect(other.locator(notice)).to_be_visible()
            textarea.evaluate(TYPE, "two = 2\n")
            assert one.text == text, "overwritten"
            other.reload()
            expect(other.locator(notice)).to_be_visible()
            assert textarea.input_value() == "two = 2\n"
            other.locator(f"button[name={choice}]").click()
            expect(other.locator(notice)).to_be_hidden()
            assert textarea.input_value() == kept
            if choice == "keep-mine":
                expect(one.exercise.locator(notice)).to_be_visible()
                one.press("take-other")
            assert one.text == kept
            expect(one.exercise.locator(notice)).to_be_hidden()

    def test_progress_is_shown_exported_and_deleted(self, visit_exercise: Opens) -> None:
        exercise = visit_exercise()
        page = exercise.page
        exercise.run(RIGHT)
        with page.expect_download() as download:
            exercise.press("export")
        kept = json.loads(Path(download.value.path()).read_text())
        assert kept["warmup-cosine"].items() >= {"text": RIGHT, "passed": 31, "total": 31}.items()
        exercise.run("raise SystemExit")
        page.goto("exercises/")
        line = page.locator("[data-exercise=warmup-cosine]")
        expect(line).to_have_text("Warmup and cosine: 31 of 31 checks passed")
        page.on("dialog", lambda dialog: dialog.accept())
        page.locator("exercise-progress button[name=delete]").click()
        expect(line).to_have_text("Warmup and cosine: not tried")
        assert page.evaluate(KEPT) == []
        page.go_back()
        exercise.write("x = 1\n")
        assert page.evaluate(KEPT) != []
        exercise.press("delete")
        assert exercise.text.startswith("import numpy as np")
        assert page.evaluate(KEPT) == []

    def test_a_browser_that_keeps_nothing_still_runs_the_checks(self, visit_exercise: Opens) -> None:
        shelves = ("localStorage", "sessionStorage")
        exercise = visit_exercise(before="".join(map(REFUSE.format, shelves)))
        exercise.watch.expect("SecurityError")
        exercise.write("x = 1\n")
        assert exercise.status == "This browser keeps nothing: copy what you write before you leave."
        assert exercise.run(RIGHT) == "31 of 31 checks passed."


class TestReach:
    def test_the_editor_indents_runs_undoes_and_can_be_left_by_keyboard(self, visit_exercise: Opens) -> None:
        exercise = visit_exercise()
        keyboard = exercise.page.keyboard
        exercise.write("")
        keyboard.type("def warmup_cosine(**_):")
        keyboard.press("Enter")
        keyboard.type("return None")
        keyboard.press("Enter")
        keyboard.press("Tab")
        keyboard.type("x")
        assert exercise.text == "def warmup_cosine(**_):\n    return None\n        x"
        keyboard.press("Control+z")
        assert exercise.text.endswith("return None\n") or exercise.text.endswith("    ")
        exercise.press("reset")
        expect(exercise.exercise.locator("textarea")).to_have_value(
            exercise.exercise.locator("textarea").evaluate("e => e.defaultValue")
        )
        exercise.code.click()
        keyboard.press("Control+z")
        assert "return None" in exercise.text
        keyboard.press("Control+Enter")
        assert exercise.settle().startswith("0 of 31 checks passed")
        keyboard.press("Escape")
        exercise.page.wait_for_timeout(2500)
        keyboard.press("Tab")
        expect(exercise.button("run")).to_be_focused()

    def test_the_policy_of_the_page_lets_editor_and_checks_work(self, visit_exercise: Opens) -> None:
        exercise = visit_exercise(bypass_csp=False)
        exercise.start(RIGHT)
        status = exercise.exercise.locator("> [role=status]")
        expect(status).to_have_text("31 of 31 checks passed.", timeout=60_000)

    def test_without_the_code_editor_a_text_area_does(self, visit_exercise: Opens, site: SiteServer) -> None:
        exercise = visit_exercise()
        exercise.watch.expect("404")
        with site.fault(site.runtime("code-editor.js"), missing):
            exercise.exercise.locator("textarea").fill(RIGHT)
            exercise.page.keyboard.press("Control+Enter")
            assert exercise.settle() == "31 of 31 checks passed."
        assert exercise.exercise.locator(".cm-content").count() == 0

    def test_hints_open_one_at_a_time_and_the_reference_last(self, visit_exercise: Opens) -> None:
        exercise = visit_exercise()
        hints = exercise.exercise.locator(".live-exercise__hints li")
        reference = exercise.exercise.locator(".live-exercise__reference")
        expect(reference).to_be_hidden()
        for shown in range(4):
            assert [hint.is_visible() for hint in hints.all()] == [i < shown for i in range(3)]
            if shown < 3:
                exercise.press("hint")
        expect(exercise.button("hint")).to_be_disabled()
        exercise.press("solution")
        expect(reference).to_contain_text("# eq: cosine-decay")
        expect(exercise.button("solution")).to_have_attribute("aria-expanded", "true")

    def test_a_page_that_is_only_read_fetches_neither_python_nor_the_editor(
        self, visit_exercise: Opens, site: SiteServer
    ) -> None:
        exercise = visit_exercise("adamw-step")
        expect(exercise.exercise).to_have_attribute("data-live", "")
        exercise.page.wait_for_timeout(500)
        fetched = {path.rpartition("/")[2] for path in site.requests if "/assets/live/" in path}
        assert fetched == {"index.js", "live.css"}

    def test_without_script_statement_hints_and_reference_can_be_read(self, visit: Visits) -> None:
        live = visit("exercises/per-example-clipping/", java_script_enabled=False)
        page = live.page
        assert page.locator("live-exercise math").count() > 10
        assert page.get_by_text("'norms': np.array([0.70710678, 0.70710678, 1.118034, 0.5])").is_visible()
        assert not page.get_by_role("button", name="Run", exact=True).is_visible()
        page.get_by_text("Hint 2 of 3").click()
        expect(page.get_by_text("The square of one example's norm")).to_be_visible()
        page.get_by_text("The reference", exact=True).click()
        expect(page.get_by_text("# eq: per-example-norm")).to_be_visible()

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_narrow_pages_scroll_one_way_and_axe_finds_nothing(self, visit: Visits, scheme: str) -> None:
        live = visit(
            "exercises/clip-by-global-norm/", viewport={"width": 390, "height": 800}, color_scheme=scheme
        )
        page = live.page
        exercise = page.locator("live-exercise")
        page.locator("textarea").fill(read("clip-by-global-norm", "no_square_root"))
        page.locator("textarea").focus()
        expect(page.locator(".cm-content")).to_be_visible()
        for name in ("hint", "solution", "run"):
            exercise.locator(f"button[name={name}]").click()
        expect(exercise).to_have_attribute("data-state", "ready", timeout=60_000)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        page.add_script_tag(path=AXE)
        found = page.evaluate(RUN_AXE)
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
