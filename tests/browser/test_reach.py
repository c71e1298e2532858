"""Keyboard, clipboard, paper and assistive technology."""

from __future__ import annotations

import os
import subprocess
import sys

from building import AXE, PROJECT, packages_of
from live_page import LivePage
from playwright.sync_api import expect

from optim_ref_docs.bundle import install_tools

FOCUSED = "document.activeElement.name || document.activeElement.localName"
OUTLINED = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
TAB_ORDER = [
    *("param", "grad", "m", "v", "t", "ndim", "summary"),
    *("next-step", "reset", "share", "copy-code", "div", "trace", "summary"),
]


def test_everything_is_reached_by_keyboard_in_reading_order_and_visibly(live: LivePage) -> None:
    close_details(live)
    live.field("param").focus()
    for expected in TAB_ORDER:
        assert live.page.evaluate(FOCUSED) == expected
        assert live.page.evaluate(OUTLINED), expected
        live.page.keyboard.press("Tab")
    live.button("next-step").focus()
    live.page.keyboard.press("Enter")
    live.settle()
    assert live.texts()["t"] == "1"
    assert live.page.evaluate(FOCUSED) == "next-step"


def test_copied_code_prints_under_cpython_what_the_page_shows(live: LivePage) -> None:
    values = live.recompute(grad="-1e-3", m="0.2", v="3e-5", t="41", ndim="1", dtype="float32", eps="1e-6")
    live.press("copy-code")
    expect(live.status_line).to_have_text("The code was copied.")
    code = live.page.evaluate("navigator.clipboard.readText()")
    printed = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | packages_of(PROJECT),
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert dict(line.split() for line in printed.splitlines()) == {
        name: values[name] for name in ("t", "m", "v", "param")
    }


def test_one_polite_line_speaks_of_each_recomputation(live: LivePage) -> None:
    live.recompute(grad="0.25")
    assert live.status == "Recomputed in this browser. Step 1: the parameter goes from 1 to 0.899."
    speaking = "[role=status], [role=alert], [role=log], [aria-live], output"
    loud = live.example.locator(speaking).evaluate_all(
        "all => all.filter((each) => each.getAttribute('aria-live') !== 'off').map((each) => each.localName)"
    )
    assert loud == ["p"]


def test_paper_shows_what_is_folded_away_on_the_screen(live: LivePage) -> None:
    close_details(live)
    assert not live.field("lr").is_visible()
    live.page.emulate_media(media="print")
    try:
        assert live.field("lr").is_visible()
        assert live.example.locator(".live-example__code code").is_visible()
    finally:
        live.page.emulate_media(media="screen")


def close_details(live: LivePage) -> None:
    for details in live.example.locator("details").all():
        details.evaluate("details => { details.open = false }")


def test_axe_finds_nothing_to_complain_of_in_either_palette(live: LivePage) -> None:
    install_tools(PROJECT / "widgets")
    live.page.add_script_tag(path=AXE)
    live.edit(grad="0,9", beta1="1")
    live.settle()
    for scheme, other in (("default", "dark"), ("slate", "light")):
        expect(live.page.locator("body")).to_have_attribute("data-md-color-scheme", scheme)
        found = live.page.evaluate("axe.run('live-example').then(({ violations }) => violations)")
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
        live.page.get_by_title(f"Switch to {other} mode").click()
