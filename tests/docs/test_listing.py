"""Listings: numbers, links and symbols in highlighted code."""

import re

from optim_ref_docs.equations import Symbol
from optim_ref_docs.listing import listing

CODE = '''\
    def step(self, k):
        """m stays m."""
        self.m[k] = self.beta * m  # eq: first, second
        "self.m[k]"  # not self.m[k]'''
SYMBOLS = [
    Symbol("m_t", "self.m[k]", "any", "New", 1),
    Symbol("m_{t-1}", "self.m[k]", "any", "Old", 2),
    Symbol("g", "m", "any", "Plain", 3),
]


def rendered(omitted: tuple[int, ...] = ()) -> str:
    return listing(CODE.splitlines(), 10, lambda number: f"id-{number}", SYMBOLS, omitted)


def text(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html).replace("&#34;", '"')


def test_text_is_the_code_dedented_and_nothing_else() -> None:
    assert text(rendered()) == "\n".join(line.removeprefix("    ") for line in CODE.splitlines())


def test_every_line_has_its_id_and_a_link_to_itself() -> None:
    assert re.findall(r'id="(id-\d+)"><a href="#(id-\d+)" data-line="(\d+)"', rendered()) == [
        (f"id-{number}", f"id-{number}", str(number)) for number in range(10, 14)
    ]


def test_omitted_lines_leave_the_numbers_of_the_others() -> None:
    assert re.findall(r'data-line="(\d+)"', rendered(omitted=(11,))) == ["10", "12", "13"]


def test_tags_link_to_their_equations() -> None:
    html = rendered()
    assert '<autoref identifier="eq-first">first</autoref>, <autoref identifier="eq-second">' in html


def test_symbols_are_marked_in_code_but_not_in_strings_and_comments() -> None:
    tokens = re.findall(r'data-symbol="([^"]+)">([^<]*)<', rendered())
    assert "".join(token for keys, token in tokens if keys == "m_t m_-t-1") == "self.m[k]"
    assert [token for keys, token in tokens if keys == "g"] == ["m"]


def test_markup_in_code_is_escaped() -> None:
    html = listing(["x = '<b>&'  # <i>"], 1, str)
    assert "&lt;b&gt;&amp;" in html
    assert "&lt;i&gt;" in html
