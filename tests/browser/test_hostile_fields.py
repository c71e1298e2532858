"""Whatever is put into a field, the page answers with a sentence, stays alive and loses nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from examples_of_site import examples
from live_page import LivePage
from visits import Visits

PAYLOADS = {
    "empty": "",
    "spaces": "   ",
    "10,000 characters": "x" * 10_000,
    "10,000 digits": "9" * 10_000,
    "JSON with NaN": '{"w": [NaN, 1]}',
    "200 deep": "[" * 200 + "1" + "]" * 200,
    "100,000 numbers": "1," * 100_000 + "1",
    "100,000 numbers in JSON": "[" + "1," * 100_000 + "1]",
    "1e308": "1e308",
    "minus zero": "-0",
    "other digits": "٣٫٥",
    "HTML": "<img src=x onerror=alert(1)><class 'int'>",
    "template": "${alert(1)} {{ 7 * 7 }}",
    "surrogate": "\ud800",
}
TYPE = """([field, text]) => {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}"""


@pytest.fixture(scope="module")
def visits(chromium, site) -> Iterator[Visits]:
    visits = Visits(chromium, site)
    yield visits
    visits.end()


@pytest.mark.parametrize(("path", "name"), examples(), ids=[name for _, name in examples()])
def test_every_field_survives(visits: Visits, path: str, name: str) -> None:
    live = visits(path).other(name)
    live.page.on("dialog", lambda dialog: pytest.fail(f"{name} ran what was typed: {dialog.message}"))
    for field in live.texts():
        control = live.field(field)
        if control.evaluate("field => field.localName") == "select":
            continue
        start = control.input_value()
        for kind, text in PAYLOADS.items():
            live.page.evaluate(TYPE, [control.element_handle(), text])
            if live.button("run").count():
                live.button("run").click()
            live.settle()
            check(live, field, kind)
            assert control.input_value() == control.evaluate(
                "(field, text) => { const twin = field.cloneNode(); twin.value = text; return twin.value; }",
                text,
            )
        live.page.evaluate(TYPE, [control.element_handle(), start])
    recover(live)


def check(live: LivePage, field: str, kind: str) -> None:
    """Either there are results, or the field is marked and a sentence names it."""
    assert live.state == "ready", (field, kind, live.status)
    if live.field(field).get_attribute("aria-invalid") == "true":
        assert live.message(field), (field, kind)
        assert len(live.message(field)) < 250, (field, kind)
    else:
        assert "Recomputed in this browser." in live.status, (field, kind, live.status)


def recover(live: LivePage) -> None:
    live.press("reset")
    if live.button("run").count():
        live.button("run").click()
    live.settle()
    assert "Recomputed in this browser." in live.status
    assert live.example.locator("[aria-invalid]").count() == 0
