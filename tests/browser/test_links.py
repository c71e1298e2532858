"""The built site as files: nothing is missing, nothing leads to a place that is not there."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from site_server import SiteServer


class References(HTMLParser):
    """All addresses that a page names in `href` and `src`, and all the ids it has."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.ids: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"href", "src"} and value and (tag, dict(attrs).get("rel")) != ("link", "canonical"):
                self.addresses.append(value)
            if name in {"id", "name"} and value:
                self.ids.add(value)


@pytest.fixture(scope="module")
def pages(site: SiteServer) -> dict[str, References]:
    return {site.url + address_of(site, page): References(page) for page in site.folder.rglob("*.html")}


def address_of(site: SiteServer, page: Path) -> str:
    return page.relative_to(site.folder).as_posix().removesuffix("index.html")


def test_every_link_of_the_site_leads_to_a_file_and_a_place_in_it(
    site: SiteServer, pages: dict[str, References]
) -> None:
    broken = []
    for url, page in pages.items():
        for address in page.addresses:
            target, fragment = urldefrag(urljoin(url, address))
            if not target.startswith(site.url):
                continue
            file = site.folder / unquote(urlsplit(target).path.removeprefix(site.prefix))
            file = file / "index.html" if target.endswith("/") else file
            if not file.is_file() or (fragment and unquote(fragment) not in pages[target].ids):
                broken.append((url, address))
    assert broken == []


def test_no_page_loads_anything_from_another_host(site: SiteServer, pages: dict[str, References]) -> None:
    loaded = [
        (url, each) for url in pages for each in loads(site.folder / urlsplit(url).path[len(site.prefix) :])
    ]
    assert loaded
    assert [(url, each) for url, each in loaded if not urljoin(url, each).startswith(site.url)] == []


def loads(page: Path) -> list[str]:
    """What a page fetches by itself: scripts, styles, images, but not its links."""
    found: list[str] = []

    class Loads(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            given = dict(attrs)
            if given.get("src"):
                found.append(str(given["src"]))
            elif tag == "link" and given.get("rel") in {"stylesheet", "icon", "preload", "preconnect"}:
                found.append(str(given["href"]))

    file = page / "index.html" if page.is_dir() else page
    Loads().feed(file.read_text(encoding="utf-8"))
    return found
