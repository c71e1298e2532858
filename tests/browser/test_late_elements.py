"""Exercises have a script of their own, fetched where they are, and run only as it was built."""

from __future__ import annotations

from exercise_page import ExercisePage
from playwright.sync_api import expect
from site_server import SiteServer, altered
from visits import Visits

SCRIPT = "exercises.js"
FOLLOW = "() => document.querySelector(\".md-nav a[href$='exercises/adamw-step/']\").click()"


def fetched(site: SiteServer) -> bool:
    return any(path.endswith(f"/{SCRIPT}") for path in site.requests)


def test_the_script_comes_with_the_first_page_that_needs_it(visit: Visits, site: SiteServer) -> None:
    page = visit("adamw/").page
    page.evaluate("new Promise(requestIdleCallback)")
    assert not fetched(site)
    page.evaluate(FOLLOW)
    expect(page.locator("live-exercise")).to_have_attribute("data-live", "")
    assert fetched(site)


def test_examples_and_exercises_share_what_python_was_started_from(visit: Visits, site: SiteServer) -> None:
    live = visit("adamw/")
    live.recompute(grad="0.25")
    site.requests.clear()
    live.page.evaluate(FOLLOW)
    exercise = live.page.locator("live-exercise")
    exercise.locator("button[name=run]").click()
    expect(exercise.locator("> [role=status]")).to_contain_text("checks passed", timeout=120_000)
    assert not any("pyodide" in path or "memory-image" in path for path in site.requests)


def test_an_altered_script_is_not_run_and_the_page_says_so(visit: Visits, site: SiteServer) -> None:
    with site.fault(site.runtime(SCRIPT), altered):
        exercise = ExercisePage(visit, "adamw-step")
        for complaint in ("integrity", "missing or altered"):
            exercise.watch.expect(complaint)
        expect(exercise.exercise.locator("> [role=status]")).to_contain_text("is missing or altered")
        assert exercise.exercise.get_attribute("data-live") is None
        expect(exercise.exercise.locator("h2").first).to_be_visible()
