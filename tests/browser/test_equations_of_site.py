"""Every equation of the built site: in its place, tied to code, without a trace of TeX."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from site_server import SiteServer
from visits import Visits

TEX = re.compile(r"\\[a-zA-Z]{2,}|\$\$|\\\(|\\\[")
WITHOUT_CODE = re.compile(r"<(script|style|pre|code)\b.*?</\1>", re.DOTALL)
PLACE = re.compile(r"equation|Algorithm|section|appendix|chapter|table", re.IGNORECASE)
MAIN_MODULES = ("adamw", "schedule", "clipping", "norms", "variants", "per_example")


@pytest.fixture(scope="module")
def html(site: SiteServer) -> dict[str, str]:
    """Every page by its address."""
    return {
        page.relative_to(site.folder).as_posix().removesuffix("index.html"): page.read_text(encoding="utf-8")
        for page in site.folder.rglob("*.html")
    }


@pytest.fixture(scope="module")
def equations(site: SiteServer) -> list[dict[str, Any]]:
    records = json.loads((site.folder / "equations.json").read_text(encoding="utf-8"))
    return list(records["equations"])


def test_every_equation_has_a_line_a_test_and_a_reference_with_its_place(
    equations: list[dict[str, Any]],
) -> None:
    for equation in equations:
        assert all(equation[key] for key in ("lines", "tests", "reference")), equation["id"]
    main = [each for each in equations if Path(each["file"]).stem in MAIN_MODULES]
    assert len(main) >= 15
    for equation in main:
        for reference in equation["reference"]:
            assert PLACE.search(reference["text"]), reference


def test_every_equation_stands_once_on_the_site_under_its_permalink(
    equations: list[dict[str, Any]], html: dict[str, str]
) -> None:
    found = Counter(each for page in html.values() for each in re.findall(r'id="(eq-[a-z0-9-]+)"', page))
    assert found == {f"eq-{equation['id']}": 1 for equation in equations}


def test_no_page_holds_raw_tex(html: dict[str, str]) -> None:
    pages = {url: WITHOUT_CODE.sub("", page) for url, page in html.items() if not url.startswith("source/")}
    assert {url: TEX.findall(page) for url, page in pages.items() if TEX.search(page)} == {}


def test_no_id_occurs_twice_on_a_page(html: dict[str, str]) -> None:
    for url, page in html.items():
        # What a template holds is not in the page until it is cloned.
        text = re.sub(r"<template>.*?</template>", "", page, flags=re.DOTALL)
        twice = [each for each, count in Counter(re.findall(r'\sid="([^"]+)"', text)).items() if count > 1]
        assert twice == [], url


def test_no_object_is_documented_on_two_pages(html: dict[str, str]) -> None:
    records = [each for page in html.values() for each in re.findall(r'data-record="([^"]+)"', page)]
    names = Counter(each.rpartition(".")[2] if each.count(".") == 1 else each for each in records)
    assert [each for each, count in names.items() if count > 1] == []


def test_search_holds_prose_titles_and_names_but_no_listings(site: SiteServer) -> None:
    index = json.loads((site.folder / "search/documents.json").read_text(encoding="utf-8"))["docs"]
    text = " ".join(f"{entry['title']} {entry['text']}" for entry in index)
    for found in ("Moving average of the gradient", "bias towards zero", "clip_grad_norm", "Weight decay"):
        assert found in text
    for hidden in ("self.m[k] = self.beta1", "Computes it", "Calls it", "b0.ff1_w", "__codelineno"):
        assert hidden not in text
    assert not [entry for entry in index if entry["location"].startswith("source/")]


@pytest.mark.parametrize("way", ["link", "key", "search"])
def test_maths_is_drawn_however_the_page_is_reached(visit: Visits, way: str) -> None:
    page = visit("").page
    if way == "link":
        page.click(".md-nav a[href$='adamw/']")
    elif way == "key":
        page.keyboard.press("n")
    else:
        page.keyboard.press("s")
        page.keyboard.type("moving average of the gradient", delay=10)
        page.click(".md-search-result__link:has-text('Moving average') >> nth=0")
    page.wait_for_selector("#eq-first-moment", state="attached")
    formula = page.locator(".eq-equation:has(#eq-first-moment) math")
    assert formula.bounding_box()["height"] > 10
    assert not TEX.search(page.locator("article.md-content__inner").inner_text())
