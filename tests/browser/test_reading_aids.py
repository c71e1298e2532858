"""Pointing at a symbol marks it everywhere, in a real browser."""

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_project import REPOSITORY, Tiny

sync_api = pytest.importorskip("playwright.sync_api")

LIVE = """\
<div>
<live-example name="twice"><table><tbody>
<tr data-row="result"><th>result</th><td><output name="result">4</output></td></tr>
<tr data-row="other"><th>other</th><td>5</td></tr>
</tbody></table><label>x <input name="x"></label></live-example>
</div>
"""


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    tiny = Tiny.make(tmp_path_factory.mktemp("aids"), page=f"{LIVE}\n::: tiny")
    assert tiny.build().returncode == 0
    site = tiny.root / "site"
    for name in ("reading-aids.js", "reading-aids.css"):
        shutil.copy(REPOSITORY / "widgets" / name, site)
    handler = functools.partial(QuietHandler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[sync_api.Browser]:
    system = next((path for name in ("chromium", "google-chrome") if (path := shutil.which(name))), None)
    with sync_api.sync_playwright() as playwright:
        if not system and not Path(playwright.chromium.executable_path).exists():
            pytest.skip("no Chromium")
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
        browser = playwright.chromium.launch(executable_path=system, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: sync_api.Browser, address: str) -> Iterator[sync_api.Page]:
    page = browser.new_page()
    page.set_default_timeout(5000)
    page.goto(address)
    page.evaluate("import('/reading-aids.js').then((aids) => { window.stop = aids.start(); })")
    yield page
    page.close()


def marked(page: sync_api.Page) -> set[str]:
    """The kinds of elements that are marked, with what they show."""
    script = """() => [...document.querySelectorAll(".eq-marked")].map((element) => {
        const around = element.closest("math, figure.eq-source, live-example") ?? element;
        const text = element.textContent.trim().split(/\\s+/)[0];
        return `${around.localName} ${element.getAttribute("name") ?? element.dataset.row ?? text}`;
    })"""
    return set(page.evaluate(script))


EVERYWHERE = {"math y", "tr y", "figure result", "live-example result"}


def test_hovering_in_an_equation_marks_everywhere(page: sync_api.Page) -> None:
    page.hover("math [data-symbol=y]")
    assert marked(page) == EVERYWHERE


def test_focus_does_what_hovering_does(page: sync_api.Page) -> None:
    page.focus("math [data-symbol=y]")
    assert marked(page) == EVERYWHERE


@pytest.mark.parametrize(
    "element", ["tr[data-symbol=y] td", "figure [data-symbol=y]", "live-example [data-row=result]"]
)
def test_hovering_elsewhere_marks_back(page: sync_api.Page, element: str) -> None:
    page.hover(element)
    assert marked(page) == EVERYWHERE


def test_focus_in_a_live_field_marks_its_symbol(page: sync_api.Page) -> None:
    page.focus("live-example input[name=x]")
    assert marked(page) == {"math x", "tr x", "figure x", "live-example x"}


def test_leaving_clears(page: sync_api.Page) -> None:
    page.hover("math [data-symbol=y]")
    page.hover("h1")
    assert marked(page) == set()


def test_what_belongs_to_no_symbol_marks_nothing(page: sync_api.Page) -> None:
    page.hover("live-example [data-row=other]")
    assert marked(page) == set()


def test_stopping_takes_listeners_and_marks_away(page: sync_api.Page) -> None:
    page.hover("math [data-symbol=y]")
    page.evaluate("window.stop()")
    assert marked(page) == set()
    page.hover("math [data-symbol=x]")
    assert marked(page) == set()


def test_each_symbol_of_an_equation_is_one_stop_of_the_tab_key(page: sync_api.Page) -> None:
    assert page.locator("math [tabindex]").count() == 2
