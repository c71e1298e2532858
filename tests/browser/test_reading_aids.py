"""Pointing at a symbol marks it everywhere: in equations, symbol table, listing and live example."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from visits import Visits

STEP = '[data-record="optim_ref.AdamW.step"]'
EVERYWHERE = {"math", "table", "figure", "live-example"}


def marked(page: Page, record: str = STEP) -> dict[str, set[str]]:
    """The text of what is marked in a function's sections and in live examples, by where it stands."""
    found = page.evaluate(
        """r => Array.from(document.querySelectorAll(`:is(${r}, live-example) .eq-marked`), (each) => [
            each.closest("math, figure.eq-source, live-example")?.localName ?? "table",
            each.dataset.row ?? each.getAttribute("name") ?? each.textContent.trim(),
        ])""",
        record,
    )
    return {where: {text for at, text in found if at == where} for where, _ in found}


def test_hovering_in_an_equation_marks_everywhere(visit: Visits) -> None:
    page = visit().page
    page.hover(f"{STEP} math [data-symbol=hat-m-_t]")
    shown = marked(page)
    assert set(shown) == EVERYWHERE
    assert shown["figure"] == shown["live-example"] == {"m_hat"}


def test_focus_does_what_hovering_does(visit: Visits) -> None:
    page = visit().page
    page.focus(f"{STEP} math [data-symbol=lambda]")
    assert marked(page)["live-example"] == {"weight_decay"}
    page.keyboard.press("Tab")
    assert marked(page)["live-example"] == {"param"}


@pytest.mark.parametrize(
    "element",
    [
        f"{STEP} tr[data-symbol=hat-m-_t] td",
        f"{STEP} figure [data-symbol=hat-m-_t]",
        "live-example [data-row=m_hat]",
    ],
    ids=["table", "listing", "live example"],
)
def test_hovering_elsewhere_marks_back(visit: Visits, element: str) -> None:
    page = visit().page
    page.hover(element)
    assert set(marked(page)) == EVERYWHERE


def test_two_symbols_of_one_name_are_both_marked_from_the_listing(visit: Visits) -> None:
    page = visit().page
    page.hover(f'{STEP} figure [data-symbol="m_t m_-t-1"]')
    assert page.locator(f"{STEP} tr.eq-marked").count() == 2


def test_leaving_clears(visit: Visits) -> None:
    page = visit().page
    page.hover(f"{STEP} math [data-symbol=hat-m-_t]")
    page.hover("h1")
    assert marked(page) == {}


def test_it_works_after_instant_navigation(visit: Visits) -> None:
    page = visit("schedule/").page
    page.click(".md-nav a[href$='adamw/']")
    page.wait_for_selector(STEP)
    page.hover(f"{STEP} math [data-symbol=hat-m-_t]")
    assert set(marked(page)) == EVERYWHERE


def test_from_an_equation_to_its_line_and_back_without_javascript(visit: Visits) -> None:
    page = visit(java_script_enabled=False).page
    page.focus(f"{STEP} .eq-equation:has(#eq-first-moment) .eq-places a")
    page.keyboard.press("Enter")
    line = page.locator(".eq-line:target")
    assert "self.m[k] = self.beta1" in line.inner_text()
    line.get_by_role("link", name="first-moment").click()
    assert page.url.endswith("#eq-first-moment")
