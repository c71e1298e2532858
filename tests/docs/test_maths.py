"""TeX becomes MathML in which symbols can be pointed at."""

import re

import pytest
from markdown import Markdown

from optim_ref_docs.equations import Symbol
from optim_ref_docs.maths import MathsError, SymbolMarker, formula


def symbol(tex: str) -> Symbol:
    return Symbol(tex, "x", "scalar", "A symbol", 1)


def marked(tex: str, *symbols: str) -> list[tuple[str, str]]:
    """Key and text of everything that is marked."""
    html = SymbolMarker(map(symbol, symbols)).formula(tex)
    spans = re.findall(r'<(\w+) data-symbol="([^"]+)"[^>]*>(.*?)</\1>', html)
    return [(key, re.sub(r"<[^>]+>", "", text)) for _, key, text in spans]


def test_formula_holds_no_tex() -> None:
    html = formula(r"\hat{v}_t = \frac{v_t}{1 - \beta_2^t}", display=True)
    assert html.startswith('<math display="block"')
    assert "\\" not in html
    assert "annotation" not in html


def test_the_largest_symbol_is_marked_and_nothing_inside_it() -> None:
    assert marked("m_t + t", "t", "m_t") == [("m_t", "mt"), ("t", "t")]


def test_a_power_of_an_indexed_symbol_is_that_symbol() -> None:
    assert marked(r"1 - \beta_1^t", r"\beta_1") == [("beta_1", "β1t")]


def test_an_accent_makes_another_symbol() -> None:
    assert [key for key, _ in marked(r"\hat{m}_t + m_t", "m_t", r"\hat{m}_t")] == ["hat-m-_t", "m_t"]


def test_a_symbol_of_several_parts_is_marked_as_one() -> None:
    assert marked(r"c \|g\|_2", r"\|g\|_2") == [("g-_2", "‖g‖2")]


def test_spacing_around_a_symbol_does_not_hide_it() -> None:
    assert [key for key, _ in marked(r"2\lambda\, x", r"\lambda")] == ["lambda"]


def test_a_formula_that_is_none_is_refused_with_its_text() -> None:
    with pytest.raises(MathsError, match="frac"):
        formula(r"\frac{a")


def test_maths_in_prose() -> None:
    md = Markdown(extensions=["optim_ref_docs.markdown"])
    html = md.convert("Inline $x_1$, and:\n\n$$\n\\sqrt{x}\n$$\n\nPrices like 5$ and 6$ stay.")
    assert html.count("<math") == 2
    assert html.count('display="block"') == 1
    assert "5$ and 6$" in html
    assert "\\" not in html


def test_site_links_without_a_tool_are_relative_to_the_top() -> None:
    md = Markdown(extensions=["optim_ref_docs.markdown"])
    assert 'href="a/b.md#c"' in md.convert('<a href="docs:a/b.md#c">d</a>')
