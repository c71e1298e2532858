"""Every public name says what it does. That equations have lines and tests, the build checks itself."""

import ast
import importlib
import inspect
import re
from collections import Counter
from pathlib import Path

import pytest

import optim_ref

SOURCE = Path(optim_ref.__file__).parent
SECTIONS = ["Why", "Equation", "Symbols", "Args", "Returns", "Raises", "Examples", "References"]
MODULES = ["adamw", "schedule", "clipping", "norms", "variants", "per_example", "tree", "chain"]


def public():
    """Every public function, class and method by its path, once, in the module it is written in."""
    for name in MODULES:
        module = importlib.import_module(f"optim_ref.{name}")
        for public_name in module.__all__:
            value = getattr(module, public_name)
            if callable(value) and value.__module__ == module.__name__:
                yield f"{name}.{public_name}", value
                methods = vars(value).items() if inspect.isclass(value) else ()
                yield from ((f"{name}.{public_name}.{k}", v) for k, v in methods if k[0] != "_")


def sections(value):
    """The docstring's prose, and its sections as lists of (title, lines)."""
    parts = re.split(rf"^({'|'.join(SECTIONS)}):(.*)$", inspect.getdoc(value), flags=re.MULTILINE)
    triples = zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    return parts[0], [(kind, title.strip(), body.strip().splitlines()) for kind, title, body in triples]


def rows(value, kind):
    return [
        [cell.strip() for cell in row.split("|")]
        for k, _, body in sections(value)[1]
        if k == kind
        for row in body
    ]


def equations():
    """The id of every equation, with the path of the docstring it stands in."""
    for path, value in PUBLIC.items():
        titles = [title for kind, title, _ in sections(value)[1] if kind == "Equation"]
        yield from ((title.split("|")[0].strip(), path) for title in titles)


PUBLIC = dict(public())
EQUATIONS = dict(equations())
TAGS = {
    tag.strip()
    for path in SOURCE.glob("*.py")
    for line in path.read_text().splitlines()
    for tag in line.partition("# eq:")[2].split(",")
    if tag.strip()
}
MARKS = {
    argument.value
    for path in Path(__file__).parent.glob("test_*.py")
    for node in ast.walk(ast.parse(path.read_text()))
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.equation"
    for argument in node.args
    if isinstance(argument, ast.Constant)
}


def test_there_are_at_least_fifteen_equations_with_ids_of_their_own():
    ids = [
        title.split("|")[0].strip()
        for v in PUBLIC.values()
        for kind, title, _ in sections(v)[1]
        if kind == "Equation"
    ]
    assert len(ids) >= 15
    assert [i for i, n in Counter(ids).items() if n > 1] == []


@pytest.mark.parametrize("path", PUBLIC)
def test_docstring_has_its_sections_in_order_and_a_sensible_length(path):
    prose, found = sections(PUBLIC[path])
    kinds = [kind for kind, _, _ in found]
    assert kinds == sorted(kinds, key=SECTIONS.index)
    assert "Examples" in kinds
    explained = [" ".join(body) for kind, _, body in found if kind in ("Args", "Returns", "Raises")]
    assert 60 <= len(" ".join([prose, *explained]).split()) <= 200


@pytest.mark.parametrize("path", PUBLIC)
def test_every_symbol_has_a_code_name_that_occurs_in_the_function(path):
    source = re.sub(r'""".*?"""', "", inspect.getsource(PUBLIC[path]), flags=re.DOTALL)
    for row in rows(PUBLIC[path], "Symbols"):
        assert len(row) == 4, row
        assert row[1] in source, row


@pytest.mark.parametrize("path", PUBLIC)
def test_every_equation_has_a_reference_with_its_place_and_address(path):
    ids = {i for i, where in EQUATIONS.items() if where == path}
    references = rows(PUBLIC[path], "References")
    assert {row[0] for row in references} == ids
    for row in references:
        assert len(row) == 3, row
        assert re.search(r"\(\d{4}\).*, (Algorithm|section|equation|appendix|SGDR, equation) ?\S*", row[1]), (
            row
        )
        assert row[2].startswith("https://"), row
