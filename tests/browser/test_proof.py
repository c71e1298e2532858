"""Once Python runs, the page says whether its values and its listings are those of the code that ran."""

from __future__ import annotations

import pytest
from examples_of_site import examples
from live_page import LivePage
from playwright.sync_api import Locator, expect
from visits import Visits

EDIT_AT_FIRST_SOURCE = """() => {
  globalThis.questions = [];
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...more) {
    const field = document.querySelector("live-example[name=clip-global-norm] [name=max_norm]");
    if (message.type === "source" && !questions.includes("source")) {
      field.value = "3";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (["run", "source"].includes(message.type)) questions.push(message.type);
    return postMessage.call(this, message, ...more);
  };
}"""
QUESTIONS = """() => {
  globalThis.questions = [];
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...more) {
    if (["run", "source"].includes(message.type)) questions.push(message.texts?.max_norm ?? message.type);
    return postMessage.call(this, message, ...more);
  };
}"""
# One text after the other, each when the one before has been answered.
TYPE = """async texts => {
  const example = document.querySelector("live-example[name=clip-global-norm]");
  const field = example.querySelector("[name=max_norm]");
  for (const text of texts) {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    while (example.dataset.state !== "ready") await new Promise((resolve) => setTimeout(resolve, 5));
  }
}"""
QUIET = [(path, name) for path, name in examples() if name != "train"]


def proof(live: LivePage) -> Locator:
    return live.example.locator(".live-example__proof")


def said(live: LivePage) -> str:
    return proof(live).inner_text()


def altered(visit: Visits, before: str, after: str) -> LivePage:
    """The AdamW page with a piece of its HTML replaced on the way."""
    live = visit("")
    html = live.page.request.get("adamw/").text()
    assert html.count(before) >= 1
    page = html.replace(before, after)
    live.page.route(
        lambda url: url.endswith("/adamw/"), lambda route: route.fulfill(body=page, content_type="text/html")
    )
    live.page.goto("adamw/")
    return live


@pytest.mark.parametrize(("path", "name"), QUIET, ids=[name for _, name in QUIET])
def test_built_values_and_listings_are_proven_by_the_first_answer(
    visit: Visits, path: str, name: str
) -> None:
    live = visit(path).other(name)
    live.example.locator("input").first.dispatch_event("input")
    expect(proof(live)).to_have_attribute("data-same", "true", timeout=60_000)
    expect(live.page.locator(".eq-ran:not([data-same])")).to_have_count(0, timeout=60_000)
    ran = live.page.locator(".eq-ran")
    assert set(ran.evaluate_all("all => all.map(each => each.dataset.same)")) == {"true"}
    assert "This is the code that ran" in ran.first.inner_text()


def test_an_edit_does_not_wait_for_all_that_is_to_be_proven(visit: Visits) -> None:
    live = visit("clipping/")
    live.page.evaluate(EDIT_AT_FIRST_SOURCE)
    live.other("clip-global-norm").edit(max_norm="2")
    expect(live.page.locator(".eq-ran:not([data-same])")).to_have_count(0, timeout=60_000)
    questions = live.page.evaluate("questions")
    first = questions.index("source")
    assert questions[first:][:2] == ["source", "run"]
    assert questions.count("source") > 2


def test_who_goes_on_editing_waits_for_no_proof(visit: Visits) -> None:
    live = visit("clipping/")
    clip = live.other("clip-global-norm")
    clip.recompute(max_norm="1")
    live.page.evaluate(QUESTIONS)
    texts = [f"2.{number}" for number in range(1, 10)]
    live.page.evaluate(TYPE, texts)
    questions = live.page.evaluate("questions")
    # When the first answer came, one proof may have been under way.
    assert questions[questions.index(texts[1]) :][: len(texts) - 1] == texts[1:]
    expect(live.page.locator(".eq-ran:not([data-same])")).to_have_count(0, timeout=60_000)
    assert "source" in live.page.evaluate("questions")


def test_training_is_proven_by_a_run_of_its_start(visit: Visits) -> None:
    live = visit("training/").other("train")
    live.press("run")
    expect(proof(live)).to_have_attribute("data-same", "true", timeout=90_000)


def test_a_value_that_differs_by_one_bit_is_shown_loudly(visit: Visits) -> None:
    live = altered(visit, 'data-value="0.25"', 'data-value="0.25000000000000006"')
    live.recompute(grad="0.25")
    expect(proof(live)).to_have_attribute("data-same", "false")
    assert (
        "1 of the 8 values this page was built with differ here, by at most 1 unit in"
        in proof(live).inner_text()
    )


def test_another_number_of_values_is_shown_loudly(visit: Visits) -> None:
    live = altered(visit, "<caption>Each", '<caption><output data-value="1.0"></output>Each')
    live.recompute(grad="0.25")
    expect(proof(live)).to_have_attribute("data-same", "false")
    assert said(live).startswith("This page was built with another number of values than come out here.")


def test_a_listing_of_other_code_is_shown_loudly(visit: Visits) -> None:
    live = visit("adamw/")
    figure = live.page.locator("figure[data-sha256]").first
    figure.evaluate("figure => { figure.dataset.sha256 = '0'.repeat(64) }")
    live.recompute(grad="0.25")
    line = figure.locator(".eq-ran")
    expect(line).to_have_attribute("data-same", "false")
    assert line.inner_text().startswith("This is not the code that ran")
