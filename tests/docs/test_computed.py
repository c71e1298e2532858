"""What pages compute, and how that fails."""

from pathlib import Path

import pytest

from optim_ref_docs import project
from optim_ref_docs.computed import ComputedError, compute
from optim_ref_docs.tables import Table, cross_reference, tex

NUMBERS = """\
from optim_ref_docs.tables import Table

def table():
    return Table("A & B", ["Name", "Value"], [["`x` < 1", 0.1 + 0.2], ["y", 1e-8]])

def number():
    return 0.1 + 0.2

def text():
    return "a < b"

def broken():
    return 1 / 0
"""


@pytest.fixture(autouse=True)
def numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs" / "computed").mkdir(parents=True)
    (tmp_path / "docs" / "computed" / "numbers.py").write_text(NUMBERS)
    monkeypatch.setattr(project, "_chosen", tmp_path)


def test_table_has_a_caption_headings_and_its_numbers() -> None:
    html = compute("numbers.table")
    assert "<caption>A &amp; B</caption>" in html
    assert '<th scope="col">Name</th>' in html
    assert '<th scope="row"><code>x</code> &lt; 1</th><td class="eq-numeric">0.3</td>' in html
    assert '<td class="eq-numeric">1e-8</td>' in html
    assert html.startswith('<figure class="eq-table" data-search-exclude>')


def test_numbers_are_shown_as_live_examples_show_them() -> None:
    assert compute("numbers.number") == "0.3"


def test_text_is_escaped() -> None:
    assert compute("numbers.text") == "a &lt; b"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("numbers", "'computed' takes one 'file.function'"),
        ("numbers.none", "has no such function"),
        ("letters.none", "there is no"),
        ("numbers.broken", r"numbers\.py, broken\(\) fails: ZeroDivisionError"),
    ],
)
def test_what_goes_wrong_is_named(name: str, message: str) -> None:
    with pytest.raises(ComputedError, match=message):
        compute(name)


def test_markup_cells_stay_markup() -> None:
    html = Table("T", ["A", "B"], [[tex("x"), cross_reference("a.b")]]).html()
    assert "<mi>x</mi>" in html
    assert '<autoref identifier="a.b"><code>a.b</code></autoref>' in html
