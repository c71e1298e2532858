"""Indentation goes out of the pages, and nothing else does."""

from __future__ import annotations

import pytest

from optim_ref_docs.whitespace import without_indentation

LINES = "a\n    b  c\n\n\td"


def test_white_space_around_newlines_becomes_one_newline() -> None:
    assert without_indentation(f"<p>\n  {LINES}</p> \n\n <p>") == "<p>\na\nb  c\nd</p>\n<p>"


def test_spaces_that_browsers_show_stay() -> None:
    words = "<b>one</b> <i>two</i>\N{NO-BREAK SPACE}\n<u>three</u>"
    assert without_indentation(words) == words


@pytest.mark.parametrize("name", ["pre", "code", "textarea", "script", "style"])
def test_text_whose_every_space_counts_stays(name: str) -> None:
    element = f'<{name} class="x">\n{LINES}\n</{name}>'
    page = "<div>\n{0}{element}\n{0}{element}\n</div>"
    assert without_indentation(page.format("  ", element=element)) == page.format("", element=element)


def test_code_inside_of_a_listing_does_not_end_it() -> None:
    listing = f"<pre><span></span><code>{LINES}</code>\n    </pre>"
    assert without_indentation(listing) == listing
