"""Small faults that could slip into a tagged statement: one operator, constant, minimum or maximum."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import CodeType

from optim_ref_docs.source import SourceFile

_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
}
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
_FUNCTIONS = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}


@dataclass(frozen=True)
class Mutant:
    """A statement of a file with one change; `number` counts the changes of the same place."""

    path: str
    line: int
    number: int
    function: str
    equations: tuple[str, ...]
    before: str
    after: str


@dataclass(frozen=True)
class _Change:
    holder: ast.AST
    attribute: str
    value: object


def mutants(module: SourceFile) -> Iterator[Mutant]:
    """Every mutant of every tagged statement of a module."""
    for (line, function), equations in _places(module).items():
        changes = _changes(ast.parse(module.text), line, module)
        for number, (statement, change) in enumerate(changes):
            before = ast.unparse(statement)
            after = _with(change, partial(ast.unparse, statement))
            yield Mutant(module.path, line, number, function, tuple(equations), before, after)


def mutated_code(module: SourceFile, mutant: Mutant) -> CodeType:
    """The module compiled with the mutant's change."""
    tree = ast.parse(module.text)
    _, change = list(_changes(tree, mutant.line, module))[mutant.number]
    return _with(change, partial(compile, tree, module.path, "exec"))


def _places(module: SourceFile) -> dict[tuple[int, str], list[str]]:
    places: dict[tuple[int, str], list[str]] = {}
    for tag in module.tags():
        places.setdefault((tag.place.first, tag.place.function), []).append(tag.equation)
    return places


def _changes(tree: ast.Module, line: int, module: SourceFile) -> Iterator[tuple[ast.stmt, _Change]]:
    """The changes to what is tagged on a line, with the statement around each."""
    place = next(tag.place for tag in module.tags() if tag.place.first == line)
    statement = _statement(tree, place.first)
    nodes = [node for node in ast.walk(statement) if _within(node, place.first, place.last)]
    changes = [change for node in nodes for change in _of_node(node)]
    for change in changes or [_doubled(statement, place.first)]:
        yield statement, change


def _statement(tree: ast.Module, line: int) -> ast.stmt:
    """The innermost statement around a line."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return around[-1]


def _within(node: ast.AST, first: int, last: int) -> bool:
    start, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    return start is not None and end is not None and first <= start and end <= last


def _of_node(node: ast.AST) -> Iterator[_Change]:
    match node:
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in _OPERATORS:
            yield _Change(node, "op", _OPERATORS[type(operator)]())
        case ast.UnaryOp(op=ast.USub()):
            yield _Change(node, "op", ast.UAdd())
        case ast.Compare(ops=[comparison]) if type(comparison) in _COMPARISONS:
            yield _Change(node, "ops", [_COMPARISONS[type(comparison)]()])
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            yield _Change(node, "value", number + 1)
        case ast.Attribute(attr=name) if name in _FUNCTIONS:
            yield _Change(node, "attr", _FUNCTIONS[name])
        case ast.Name(id=name) if name in _FUNCTIONS:
            yield _Change(node, "id", _FUNCTIONS[name])


def _doubled(statement: ast.stmt, line: int) -> _Change:
    """Where there is nothing else to change, twice the value: of the statement, or of a dict's entry."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Dict) and node.lineno < line:
            values = [_twice(value) if value.lineno == line else value for value in node.values]
            return _Change(node, "values", values)
    value = getattr(statement, "value", None)
    if not isinstance(value, ast.expr):
        raise ValueError(f"line {line}: nothing to change in {ast.unparse(statement)!r}")
    return _Change(statement, "value", _twice(value))


def _twice(value: ast.expr) -> ast.expr:
    double = ast.copy_location(ast.BinOp(ast.Constant(2), ast.Mult(), value), value)
    return ast.fix_missing_locations(double)


def _with[Result](change: _Change, action: Callable[[], Result]) -> Result:
    """Do something while the change is in the tree."""
    original = getattr(change.holder, change.attribute)
    setattr(change.holder, change.attribute, change.value)
    try:
        return action()
    finally:
        setattr(change.holder, change.attribute, original)
