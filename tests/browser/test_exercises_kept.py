"""Exercises keep what was typed: nothing is replaced, lost or refused without a word."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from exercise_page import ExercisePage, Opens
from playwright.sync_api import Dialog, expect
from site_server import Fault, SiteServer, held, missing

MINE = "mine = 1\n"
MAY_BE_FULL = """
const { setItem } = Storage.prototype;
Storage.prototype.setItem = function (...given) {
  if (this === window.full) throw new DOMException("", "QuotaExceededError");
  return setItem.apply(this, given);
};
"""


def fill(exercise: ExercisePage, text: str = MINE) -> None:
    """Write into the text area itself, which wakes the editor."""
    exercise.exercise.locator("textarea").fill(text)


def answer(exercise: ExercisePage, answers: list[bool]) -> list[str]:
    """Answer the questions of the page, one after the other; returns what it asked."""
    asked: list[str] = []

    def hear(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.accept() if answers.pop(0) else dialog.dismiss()

    exercise.page.on("dialog", hear)
    return asked


class TestReplacing:
    @pytest.mark.parametrize("fault", [lambda _: missing, held], ids=["missing", "hanging"])
    def test_reset_asks_where_the_editor_is_missing_and_cannot_undo(
        self, visit_exercise: Opens, site: SiteServer, fault: Callable[[threading.Event], Fault]
    ) -> None:
        until = threading.Event()
        with site.fault(site.runtime("code-editor.js"), fault(until)):
            exercise = visit_exercise()
            exercise.watch.expect("404")
            fill(exercise)
            asked = answer(exercise, [False, True])
            exercise.press("reset")
            assert exercise.text == MINE
            exercise.press("reset")
            assert exercise.text.startswith("import numpy as np")
            assert exercise.status == "The starter is back."
            exercise.press("reset")
            until.set()
        assert asked == ["Replace what you wrote? That cannot be undone here."] * 2

    def test_so_does_taking_the_text_of_another_tab(self, visit_exercise: Opens, site: SiteServer) -> None:
        with site.fault(site.runtime("code-editor.js"), missing):
            exercise = visit_exercise()
            exercise.watch.expect("404")
            other = exercise.page.context.new_page()
            other.goto(exercise.page.url)
            other.locator("textarea").fill("other = 1\n")
            expect(exercise.button("take-other")).to_be_visible()
            news = "Another tab has changed this solution. Above the editor you can choose between the two."
            assert exercise.status == news
            fill(exercise)
            answer(exercise, [False, True])
            exercise.press("take-other")
            assert exercise.text == MINE
            exercise.press("take-other")
            assert exercise.text == "other = 1\n"
            expect(exercise.button("take-other")).to_be_hidden()


def test_a_full_browser_is_told_of_and_is_no_other_tab(visit_exercise: Opens) -> None:
    exercise = visit_exercise(before=MAY_BE_FULL)
    fill(exercise, "first = 1\n")
    exercise.page.evaluate("() => { window.full = localStorage; }")
    exercise.write("second = 1\n")
    conflict = exercise.exercise.locator(".live-exercise__conflict")
    expect(conflict).to_be_hidden()
    alone = "This browser keeps what you write for this tab alone: copy it before you close the tab."
    assert exercise.status == alone
    exercise.page.reload()
    assert exercise.text == "second = 1\n"
    expect(conflict).to_be_hidden()
