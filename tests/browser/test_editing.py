"""Editing a live example: results follow, and what cannot be taken is said without taking anything away."""

from __future__ import annotations

import threading

import pytest
from live_page import LivePage
from site_server import SiteServer, held
from visits import Visits

CARET = "field => [document.activeElement === field, field.selectionStart, field.selectionEnd]"


def test_next_step_puts_the_results_into_the_fields(live: LivePage) -> None:
    live.press("next-step")
    live.settle()
    assert live.texts() | {"m": "0.04999999999999999", "v": "0.0002500000000000002"} == live.texts()
    assert (live.texts()["param"], live.texts()["t"]) == ("0.899000002", "1")
    live.recompute(grad="0.25")
    assert live.shown()[-1] == "0.80488304"
    assert live.shown()[0] == "2"


def test_next_step_of_a_vector_leaves_the_decay_out(live: LivePage) -> None:
    assert "update_decayed" not in live.recompute(ndim="1")
    live.press("next-step")
    live.settle()
    live.recompute(grad="0.25")
    assert live.shown()[-1] == "0.80678204"
    # The row comes back where it was.
    names = list(live.recompute(ndim="2"))
    assert names == ["t", "m", "v", "m_hat", "v_hat", "update", "update_decayed", "param"]


def test_reset_brings_back_what_the_build_wrote(live: LivePage) -> None:
    start, fields = live.values(), live.texts()
    live.recompute(grad="3", beta1="0.5", ndim="0", dtype="float32")
    assert live.values() != start
    live.press("reset")
    live.settle()
    assert (live.values(), live.texts()) == (start, fields)


@pytest.mark.parametrize(
    ("field", "text", "allowed"),
    [
        ("grad", "0,9", "grad = 0,9 has a decimal comma: write 0.9"),
        ("grad", "", "grad is empty: write a number, such as 0.5"),
        (
            "grad",
            "abc",
            "grad = 'abc' is not a number: write digits with a decimal point, such as 0.5 or 1e-8",
        ),
        ("t", "-1", "t = -1 must be an integer of at least 0"),
        ("t", "1.5", "t = '1.5' must be an integer of at least 0"),
        ("beta1", "1", "beta1 = 1.0 must be in [0, 1)"),
        ("eps", "-1e-8", "eps = -1e-08 must be in [0, inf)"),
    ],
)
def test_a_bad_field_keeps_its_text_and_says_what_is_allowed(
    live: LivePage, field: str, text: str, allowed: str
) -> None:
    last = live.recompute(param="0.75")
    live.edit(**{field: text})
    live.settle()
    assert live.texts()[field] == text
    assert live.field(field).get_attribute("aria-invalid") == "true"
    assert live.message(field) == allowed
    assert live.status.startswith(allowed)
    assert live.values() == last
    live.recompute(**{field: "0"})
    assert live.field(field).get_attribute("aria-invalid") is None
    assert live.message(field) == ""


def test_an_error_in_a_closed_settings_field_opens_it(live: LivePage) -> None:
    field = live.field("beta1")
    field.evaluate("field => { field.value = '1'; field.closest('details').open = false }")
    live.edit(grad="0.25")
    live.settle()
    assert live.message("beta1") == "beta1 = 1.0 must be in [0, 1)"
    assert field.is_visible()


def test_focus_and_caret_stay_while_results_and_errors_come_and_go(live: LivePage) -> None:
    field = live.field("grad")
    live.edit(grad="0.25")
    field.press("Home")
    field.press("ArrowRight")
    for key, text in (("9", "09.25"), (",", "09,.25"), ("Backspace", "09.25")):
        field.press(key)
        live.settle()
        caret = 1 + len(text) - len("0.25")
        assert live.texts()["grad"] == text
        assert field.evaluate(CARET) == [True, caret, caret]


def test_a_decimal_comma_gets_a_message_in_a_german_browser(live: LivePage) -> None:
    assert live.page.evaluate("navigator.language") == "de-DE"
    live.edit(grad="")
    live.field("grad").press_sequentially("0,9")
    live.settle()
    assert live.message("grad") == "grad = 0,9 has a decimal comma: write 0.9"
    assert live.texts()["grad"] == "0,9"
    assert live.recompute(grad="0.9")["m"] == repr((1 - 0.9) * 0.9)


def test_numbers_beyond_float64_and_their_overflow_are_shown(live: LivePage) -> None:
    values = live.recompute(grad="1e308")
    assert (values["m"], values["v"], values["update"]) == (repr((1 - 0.9) * 1e308), "inf", "0.0")
    assert live.recompute(param="nan")["param"] == "nan"
    assert live.shown()[2] == "inf"


def test_edits_before_python_is_ready_are_kept_and_applied_once_it_is(
    visit: Visits, site: SiteServer
) -> None:
    arrive = threading.Event()
    with site.fault(site.runtime("memory-image.wasm"), held(until=arrive)):
        live = visit()
        live.edit(grad="0.1")
        live.edit(lr="0.2", grad="0.25", t="0,5", ndim="1")
        live.edit(t="4")
        assert live.state == "loading"
        assert live.shown()[-1] == "0.899"
        arrive.set()
        live.settle()
    assert live.texts() | {"grad": "0.25", "lr": "0.2", "t": "4", "ndim": "1"} == live.texts()
    early = live.values()
    assert live.recompute(grad="0.5") != early
    assert live.recompute(grad="0.25") == early
    assert early["t"] == "5"


def test_each_press_of_next_step_before_python_is_ready_counts(visit: Visits, site: SiteServer) -> None:
    arrive = threading.Event()
    with site.fault(site.runtime("memory-image.wasm"), held(until=arrive)):
        live = visit()
        for _ in range(3):
            live.press("next-step")
        arrive.set()
        live.page.wait_for_function("document.querySelector('[name=t]').value === '3'")
        live.settle()
    assert live.values()["t"] == "4"
