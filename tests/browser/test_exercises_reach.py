"""Exercises for everybody: what was typed is kept, and keyboard, small screens and no script will do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from building import AXE
from exercise_page import BREAKING_DOWN, KEPT, TYPE, Opens
from playwright.sync_api import expect
from readers import REFERENCES, read
from site_server import SEARCH, SiteServer, missing
from visits import Visits

RIGHT = REFERENCES["warmup-cosine"]
REFUSE = (
    "Object.defineProperty(window, '{}', {{ get() {{ throw new DOMException('', 'SecurityError'); }} }});"
)
FOR_ALL_TABS = f"JSON.parse(localStorage.getItem({KEPT}[0])).text"
# The buttons that copy code are Material's own.
RUN_AXE = (
    "axe.run({ include: ['live-exercise'], exclude: ['.md-code__nav'] }).then(({ violations }) => violations)"
)


class TestKept:
    def test_what_was_typed_survives_reload_navigation_and_a_broken_worker(
        self, visit_exercise: Opens
    ) -> None:
        exercise = visit_exercise()
        for each in BREAKING_DOWN:
            exercise.watch.expect(each)
        text = "import os\nos.abort()\n"
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
        other.on("dialog", lambda dialog: dialog.accept())
        for text, choice, kept in (
            ("one = 1\n", "keep-mine", "two = 2\n"),
            ("one = 3\n", "take-other", "one = 3\n"),
        ):
            textarea = other.locator("textarea")
            one.write(text)
            expect(other.locator(notice)).to_be_visible()
            textarea.evaluate(TYPE, "two = 2\n")
            assert other.evaluate(FOR_ALL_TABS) == text, "overwritten"
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
        status = page.locator("exercise-progress [role=status]")
        expect(status).to_have_text("What you wrote and reached is gone from this browser.")
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
        site.await_request(SEARCH)
        fetched = {path.rpartition("/")[2] for path in site.requests if "/assets/live/" in path}
        assert fetched == {"index.js", "live.css", "exercises.js", SEARCH}

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

    @pytest.mark.parametrize("forced_colors", ["none", "active"])
    def test_code_scrolled_sideways_goes_behind_the_line_numbers(
        self, visit_exercise: Opens, forced_colors: str
    ) -> None:
        exercise = visit_exercise(forced_colors=forced_colors)
        exercise.write("x = 1")
        gutter = exercise.exercise.locator(".cm-gutters")
        colour = gutter.evaluate("gutter => getComputedStyle(gutter).backgroundColor")
        assert colour.startswith("rgb("), "can be seen through"

    def test_paper_has_the_whole_solution(self, visit_exercise: Opens) -> None:
        exercise = visit_exercise()
        exercise.write("x = 1\n" * 300)
        exercise.page.emulate_media(media="print")
        textarea = exercise.exercise.locator("textarea")
        expect(exercise.exercise.locator(".cm-editor")).to_be_hidden()
        expect(textarea).to_be_visible()
        assert textarea.evaluate("area => area.clientHeight >= area.scrollHeight")
        assert textarea.evaluate("area => area.clientHeight > 300 * 12")

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
