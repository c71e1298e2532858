"""Keyboard, clipboard, paper, small screens and assistive technology."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from building import PROJECT, packages_of
from live_page import LivePage
from visits import Visits

from optim_ref_docs.bundle import install_tools

AXE = PROJECT / "widgets" / "node_modules" / "axe-core" / "axe.min.js"
FOCUSED = (
    "document.activeElement.name || document.activeElement.className || document.activeElement.localName"
)
OUTLINED = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
TAB_ORDER = [
    *("param", "grad", "m", "v", "t", "ndim", "summary"),
    *("next-step", "reset", "share", "copy-code", "live-example__scroll", "summary"),
]


def test_everything_is_reached_by_keyboard_in_reading_order_and_visibly(visit: Visits) -> None:
    live = visit()
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


def test_copied_code_prints_under_cpython_what_the_page_shows(visit: Visits) -> None:
    live = visit(permissions=["clipboard-read", "clipboard-write"])
    values = live.recompute(grad="-1e-3", m="0.2", v="3e-5", t="41", ndim="1", dtype="float32", eps="1e-6")
    live.press("copy-code")
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


def test_print_shows_every_value_and_the_code_but_no_buttons(live: LivePage) -> None:
    live.page.emulate_media(media="print")
    try:
        assert live.example.locator("output").last.is_visible()
        assert live.example.locator(".live-example__code code").is_visible()
        assert live.field("lr").is_visible()
        assert not live.button("reset").is_visible()
    finally:
        live.page.emulate_media(media="screen")


@pytest.mark.parametrize("path", ["", "adamw/"])
def test_a_phone_never_scrolls_the_page_sideways(visit: Visits, path: str) -> None:
    live = visit(path, viewport={"width": 390, "height": 844})
    assert live.page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_to_complain_of(visit: Visits, scheme: str) -> None:
    install_tools(PROJECT / "widgets")
    live = visit(color_scheme=scheme)
    live.edit(grad="0,9", beta1="1")
    live.settle()
    live.page.add_script_tag(path=AXE)
    found = live.page.evaluate("axe.run('live-example').then(({ violations }) => violations)")
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
