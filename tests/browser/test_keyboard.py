"""A reader with nothing but a keyboard: no trap, and no place lost by what was pressed."""

from __future__ import annotations

from typing import Any

import pytest
from examples_of_site import examples, pages
from exercise_page import KEPT, TYPE, ExercisePage, Opens
from playwright.sync_api import Page, expect
from readers import REFERENCES
from site_server import SiteServer, missing
from visits import Visits

from optim_ref import exercises

RIGHT = REFERENCES["warmup-cosine"]
PLACE = """() => {
  const { activeElement: at } = document;
  const style = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  const outlined = style.outlineStyle !== 'none' || at.closest('.cm-editor') !== null;
  return {
    name: at.getAttribute('name') ?? at.localName,
    editor: at.closest('.cm-editor') !== null || at.localName === 'textarea',
    inside: at.closest('article') !== null,
    visible: outlined && box.bottom > 0 && box.top < innerHeight && box.width > 0,
  };
}"""
OUT_OF_REACH = """() => [...document.querySelectorAll('article *')].filter((each) => {
  const style = getComputedStyle(each);
  const scrolls = (size, room, overflow) => size > room + 1 && /auto|scroll/.test(overflow);
  return each.clientHeight > 0 && each.tabIndex < 0 && !each.querySelector('a, button, input, [tabindex="0"]')
    && (scrolls(each.scrollWidth, each.clientWidth, style.overflowX)
      || scrolls(each.scrollHeight, each.clientHeight, style.overflowY));
}).map((each) => each.outerHTML.slice(0, 200))"""
MOST_STOPS = 1_500


def tour(page: Page) -> list[dict[str, Any]]:
    """Every place in the article that Tab comes to, until it leaves the page at its end."""
    places = []
    page.locator("article h1").first.evaluate("heading => { heading.tabIndex = -1; heading.focus(); }")
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        place = page.evaluate(PLACE)
        if not place["inside"]:
            return places
        places.append(place)
        if place["editor"]:
            page.keyboard.press("Escape")
    pytest.fail("the article has no end")


@pytest.mark.parametrize("path", pages())
def test_tab_goes_through_every_page_visibly_and_out_at_its_end(visit: Visits, path: str) -> None:
    page = visit(path, viewport={"width": 390, "height": 800}).page
    places = tour(page)
    assert [place for place in places if not place["visible"]] == []
    assert page.evaluate(OUT_OF_REACH) == []
    for name in (name for where, name in examples() if where == path):
        shown = page.locator(f"live-example[name={name}] :is(input, button, select, textarea):visible")
        reached = {place["name"] for place in places}
        assert {each.get_attribute("name") for each in shown.all()} <= reached


@pytest.mark.parametrize("name", exercises.NAMES)
def test_an_exercise_is_solved_without_a_mouse(visit_exercise: Opens, name: str) -> None:
    exercise = visit_exercise(name)
    keyboard = exercise.page.keyboard
    exercise.exercise.locator("textarea").focus()
    expect(exercise.code).to_be_focused()
    keyboard.press("Control+a")
    keyboard.insert_text(REFERENCES[name])
    keyboard.press("Control+Enter")
    assert exercise.settle().endswith("checks passed.")
    expect(exercise.code).to_be_focused()
    keyboard.press("Escape")
    for button in ("run", "reset", "hint"):
        keyboard.press("Tab")
        expect(exercise.button(button)).to_be_focused()
    for number in (1, 2, 3):
        exercise.button("hint").focus()
        keyboard.press("Enter")
        expect(exercise.page.get_by_text(f"Hint {number} of 3")).to_be_focused()
    exercise.button("solution").focus()
    keyboard.press("Enter")
    expect(exercise.exercise.locator(".live-exercise__reference pre").first).to_be_visible()
    expect(exercise.button("solution")).to_be_focused()


def test_focus_stays_when_what_had_it_vanishes_from_an_exercise(visit_exercise: Opens) -> None:
    exercise = visit_exercise()
    keyboard = exercise.page.keyboard
    exercise.run("def warmup_cosine(**_):\n    return 0.0\n")
    exercise.exercise.locator("[data-case] summary").first.focus()
    keyboard.press("Control+Enter")
    expect(exercise.button("run")).to_be_focused()
    exercise.settle()
    assert exercise.page.evaluate(KEPT) != []
    exercise.page.once("dialog", lambda dialog: dialog.accept())
    exercise.button("delete").focus()
    keyboard.press("Enter")
    exercise.page.wait_for_function(f"{KEPT}.length === 0")
    expect(exercise.button("delete")).to_be_focused()


@pytest.mark.parametrize("choice", ["keep-mine", "take-other"])
def test_the_choice_between_two_tabs_leads_back_to_the_editor(visit_exercise: Opens, choice: str) -> None:
    exercise = visit_exercise()
    other = exercise.page.context.new_page()
    other.goto(exercise.page.url)
    # Nobody has clicked into its text, so that no editor is there yet that could undo a choice.
    other.on("dialog", lambda dialog: dialog.accept())
    exercise.write("one = 1\n")
    exercise.write("one = 11\n")
    # Until it has heard of the first tab's text, there is nothing to choose between.
    expect(other.locator(".live-exercise__conflict")).to_be_visible()
    other.locator("textarea").evaluate(TYPE, "two = 2")
    button = other.locator(f"button[name={choice}]")
    button.focus()
    other.keyboard.press("Enter")
    expect(button).to_be_hidden()
    expect(other.locator(".cm-content")).to_be_focused()


def test_stop_and_retry_do_not_lose_the_place_in_a_live_example(visit: Visits, site: SiteServer) -> None:
    train = visit("training/").other("train")
    train.edit(steps="500")
    train.button("run").focus()
    train.page.keyboard.press("Enter")
    expect(train.example).to_have_attribute("data-state", "running", timeout=60_000)
    train.button("stop").focus()
    train.page.keyboard.press("Enter")
    train.settle()
    expect(train.button("run")).to_be_focused()
    adamw = visit()
    adamw.watch.expect("404")
    with site.fault(site.runtime("pyodide.asm.wasm"), missing):
        adamw.edit(grad="0.25")
        adamw.settle()
    adamw.button("retry").focus()
    adamw.page.keyboard.press("Enter")
    expect(adamw.status_line).to_be_focused()
    adamw.settle()
    adamw.page.keyboard.press("Shift+Tab")
    expect(adamw.button("copy-code")).to_be_focused()


def test_the_list_of_exercises_is_exported_and_deleted_by_keyboard(visit: Visits) -> None:
    exercise = ExercisePage(visit)
    exercise.write("x = 1\n")
    page = exercise.page
    page.goto("exercises/")
    keeping = page.locator("exercise-progress")
    expect(keeping.locator("[data-exercise=warmup-cosine]")).to_contain_text("begun")
    with page.expect_download():
        keeping.locator("button[name=export]").focus()
        page.keyboard.press("Enter")
    page.once("dialog", lambda dialog: dialog.accept())
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(keeping.locator("[data-exercise=warmup-cosine]")).to_contain_text("not tried")
    expect(keeping.locator("button[name=delete]")).to_be_focused()
