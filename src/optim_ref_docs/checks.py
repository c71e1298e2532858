"""What must hold before a page is built."""

import ast
import re
from collections.abc import Iterator

from optim_ref_docs.catalogue import Catalogue, Entry
from optim_ref_docs.equations import Equation, Symbol
from optim_ref_docs.maths import MathsError, to_mathml
from optim_ref_docs.problems import LooseEnd


def loose_ends(catalogue: Catalogue) -> list[LooseEnd]:
    """Everything that does not hold together in a catalogue."""
    found = list(catalogue.loose_ends)
    for entry in catalogue.entries:
        found += _undocumented(entry)
        code = _code(entry, catalogue)
        found += [end for symbol in entry.sections.symbols for end in _symbol(symbol, entry, code)]
        found += [end for equation in entry.sections.equations for end in _equation(equation)]
    return found


def _equation(equation: Equation) -> Iterator[LooseEnd]:
    def loose_end(message: str) -> LooseEnd:
        return LooseEnd(equation.path, equation.line, f"equation '{equation.id}' {message}")

    if not equation.computed:
        yield loose_end(f"has no computing line: end one with '# eq: {equation.id}'")
    if not equation.tested:
        yield loose_end(f"""has no test: mark one with '@pytest.mark.equation("{equation.id}")'""")
    if not equation.references:
        yield loose_end("has no reference: say in 'References:' where it comes from")
    try:
        to_mathml(equation.tex)
    except MathsError as error:
        yield loose_end(f"cannot be rendered: {error}")


def _symbol(symbol: Symbol, entry: Entry, code: str) -> Iterator[LooseEnd]:
    if not re.search(rf"(?<!\w){re.escape(_normal(symbol.code))}(?!\w)", code):
        message = (
            f"symbol '{symbol.tex}' is called '{symbol.code}' in the code, but {entry.path} has no such name"
        )
        yield LooseEnd(entry.source.path, symbol.line, message)
    try:
        to_mathml(symbol.tex)
    except MathsError as error:
        yield LooseEnd(entry.source.path, symbol.line, f"symbol '{symbol.tex}' cannot be rendered: {error}")


def _undocumented(entry: Entry) -> Iterator[LooseEnd]:
    if entry.obj.docstring is None and entry.is_public:
        kind = entry.obj.kind.value
        yield LooseEnd(
            entry.source.path, entry.obj.lineno or 1, f"the public {kind} {entry.path} has no docstring"
        )


def _code(entry: Entry, catalogue: Catalogue) -> str:
    """The code of a function without docstrings and comments, and of helpers that compute its equations."""
    if not entry.sections.symbols:
        return ""
    sources = {entry.path: entry.source}
    by_path = {other.path: other.source for other in catalogue.entries}
    for equation in entry.sections.equations:
        for place in equation.computed:
            sources.setdefault(place.function, by_path.get(place.function, place))
    return "\n".join(_without_docstrings(source.code) for source in sources.values())


def _normal(code: str) -> str:
    """Code in the spacing and with the quotes that `ast.unparse` writes."""
    try:
        return ast.unparse(ast.parse(code))
    except SyntaxError:
        return code


def _without_docstrings(code: str) -> str:
    try:
        tree = ast.parse(code)
    except SyntaxError:  # a lone statement such as `return x` is no module: take it as it stands
        return code
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and ast.get_docstring(
            node
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)
