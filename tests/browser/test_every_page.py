"""What must hold for every page: no barrier, no sideways scrolling, everything on paper."""

from __future__ import annotations

import pytest
from building import AXE
from examples_of_site import examples, pages
from visits import Visits

SERIOUS = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .filter(each => ["serious", "critical"].includes(each.impact))
  .map(each => `${each.id}: ${each.nodes.slice(0, 3).map(node => node.html.slice(0, 150)).join(" | ")}`)"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", pages())
def test_axe_finds_nothing_serious(visit: Visits, path: str, scheme: str) -> None:
    live = visit(path, color_scheme=scheme, reduced_motion="reduce")
    live.page.add_script_tag(path=AXE)
    assert live.page.evaluate(SERIOUS) == []


@pytest.mark.parametrize("path", pages())
def test_page_does_not_scroll_sideways_on_a_phone(visit: Visits, path: str) -> None:
    live = visit(path, viewport={"width": 390, "height": 844})
    assert live.page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize(("path", "name"), examples(), ids=[name for _, name in examples()])
def test_paper_holds_all_values_and_plots(visit: Visits, path: str, name: str) -> None:
    live = visit(path).other(name)
    live.page.emulate_media(media="print")
    hidden = live.example.locator("output, .live-example__figure, .live-example__table").evaluate_all(
        "all => all.filter(each => each.getClientRects().length === 0).length"
    )
    assert hidden == 0
    assert live.example.locator("button").evaluate_all("all => all.every(each => !each.offsetParent)")
    clipped = live.example.locator(".live-example__scroll").evaluate_all(
        "all => all.some(each => each.scrollHeight > each.clientHeight + 1)"
    )
    assert not clipped


def test_plots_follow_the_palette_at_once(visit: Visits) -> None:
    live = visit("schedule/", color_scheme="light").other("lr-curve")
    live.recompute(warmup_steps="20")
    line = "example => example.querySelector('.js-plotly-plot .scatterlayer path.js-line').style.stroke"
    live.page.wait_for_function(
        "example => example.querySelector('.js-plotly-plot .js-line')", arg=live.example.element_handle()
    )
    light = live.example.evaluate(line)
    live.page.locator(
        "label[for=__palette_1]:visible, label[title='Switch to dark mode']:visible"
    ).first.click()
    live.page.wait_for_function(
        "([example, before]) => example.querySelector('.js-plotly-plot .js-line').style.stroke !== before",
        arg=[live.example.element_handle(), light],
    )


def test_borders_and_marks_stay_in_forced_colours(visit: Visits) -> None:
    live = visit("adamw/", forced_colors="active")
    live.recompute(grad="0.25")
    live.edit(grad="")
    live.page.wait_for_selector("[aria-invalid=true]")
    widths = live.example.locator("input[name]").evaluate_all(
        "all => all.map(each => parseFloat(getComputedStyle(each).borderTopWidth))"
    )
    assert min(widths) >= 1
    assert max(widths) >= 2


MARKS = """() => [...document.querySelectorAll('article summary, article .md-code__button, .md-nav__icon')]
  .flatMap((each) => ['::before', '::after'].map((side) => getComputedStyle(each, side)))
  .filter(({ content, maskImage, display }) => ![content, maskImage, display].includes('none'))
  .map((style) => style.backgroundColor)"""


@pytest.mark.parametrize("path", ["adamw/", "exercises/adamw-step/"])
def test_marks_that_are_drawn_by_a_mask_stay_in_forced_colours(visit: Visits, path: str) -> None:
    page = visit(path, forced_colors="active").page
    colours = page.evaluate(MARKS)
    canvas = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert len(colours) > 5
    assert canvas not in colours


def test_nothing_moves_for_readers_who_ask_for_that(visit: Visits) -> None:
    live = visit("schedule/", reduced_motion="reduce").other("lr-curve")
    live.recompute(warmup_steps="20")
    moving = live.page.evaluate(
        "document.getAnimations().filter(each => each.playState === 'running').length"
    )
    assert moving == 0


BEYOND = """() => {
  const texts = document.createTreeWalker(document.querySelector('article'), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const found = [];
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
    if (boxes.some((box) => box.right > innerWidth + 1)) found.push(texts.currentNode.data.slice(0, 80));
  }
  return found;
}"""


@pytest.mark.parametrize("path", pages())
def test_nothing_is_cut_off_at_the_edge_of_the_paper(visit: Visits, path: str) -> None:
    page = visit(path, viewport={"width": 680, "height": 960}).page
    page.emulate_media(media="print")
    assert page.evaluate(BEYOND) == []
