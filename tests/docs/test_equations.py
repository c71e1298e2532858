"""Docstring sections become records."""

import griffe

from optim_ref_docs.catalogue import Catalogue
from optim_ref_docs.equations import Sections, read_sections
from optim_ref_docs.extension import EquationsExtension

DOCSTRING = r"""Do it.

More about it.

Equation: one | The first
    a = \begin{cases}
        1 & x < 0 \\
        2 & x \ge 0
    \end{cases}
Equation: two | The second

    b = |x|
Symbols:
    |x| | size | scalar | Magnitude of x,
        never negative
References:
    one | Euclid, book I | https://example.org
    two | Euclid, book II
    Heath (1908) | https://example.org/heath

Why:
    Because.

Args:
    x: A number.
"""


def sections(docstring: str = DOCSTRING) -> Sections:
    return read_sections(docstring, "a.py", 10, "a.f")


def test_equations_keep_their_formula_and_line() -> None:
    one, two = sections().equations
    assert (one.id, one.title, one.line) == ("one", "The first", 14)
    assert one.tex.splitlines()[1] == r"    1 & x < 0 \\"
    assert (two.tex, two.line) == ("b = |x|", 19)


def test_bars_belong_to_formulas_unless_spaces_stand_around_them() -> None:
    (symbol,) = sections().symbols
    assert (symbol.tex, symbol.code, symbol.shape) == ("|x|", "size", "scalar")


def test_a_deeper_line_continues_the_row_above() -> None:
    assert sections().symbols[0].meaning == "Magnitude of x, never negative"


def test_references_belong_to_an_equation_or_to_the_whole() -> None:
    read = sections()
    assert [(ref.equation, ref.text, ref.url) for ref in read.references] == [
        ("one", "Euclid, book I", "https://example.org"),
        ("two", "Euclid, book II", ""),
        ("", "Heath (1908)", "https://example.org/heath"),
    ]
    assert [ref.text for ref in read.equations[0].references] == ["Euclid, book I"]


def test_why_and_the_rest() -> None:
    read = sections()
    assert read.why == "Because."
    assert read.rest.startswith("Do it.\n\nMore about it.")
    assert read.rest.endswith("Args:\n    x: A number.")
    assert "Equation" not in read.rest


def test_a_docstring_without_sections_stays_as_it_is() -> None:
    assert sections("Do it.\n\nArgs:\n    x: A number.").rest == "Do it.\n\nArgs:\n    x: A number."


FUNCTION = '''\
def {0}():
    """
    Do it.

    Equation: {1} | First
        a = 1
    """
    return 1  # eq: {1}


'''


def catalogue(**modules: str) -> Catalogue:
    extension = EquationsExtension(strict=False)
    files = {f"{name}.py": text for name, text in modules.items()}
    with griffe.temporary_visited_package("p", modules=files, extensions=griffe.Extensions(extension)):
        assert extension.catalogue
        return extension.catalogue


def test_lines_are_right_where_the_docstring_begins_on_its_second_line() -> None:
    assert catalogue(__init__=FUNCTION.format("f", "one")).equations["one"].line == 5


def test_numbers_follow_modules_and_lines() -> None:
    read = catalogue(
        __init__=FUNCTION.format("f", "top"),
        b=FUNCTION.format("f", "last"),
        a=FUNCTION.format("f", "early") + FUNCTION.format("g", "later"),
    )
    assert list(read.equations) == ["top", "early", "later", "last"]
    assert [equation.number for equation in read.equations.values()] == [1, 2, 3, 4]
