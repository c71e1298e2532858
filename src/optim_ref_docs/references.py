"""Who calls a function and which tests check an equation, read from syntax trees.

A call is found where its target can be named without running anything: by import (also renamed or
re-exported), by attribute of an imported module or class, and on objects whose class shows in the same
function: `x = Optimizer(...)`, a parameter annotated `x: Optimizer`, `self`, or `self.x = Optimizer(...)` in
the same class. Not found are calls through containers, factories, fixtures without annotation, and functions
passed as values.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from optim_ref_docs.names import Names, imported
from optim_ref_docs.source import Place, SourceFile, Tag, end_line, first_line

type Function = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Call:
    """A call of the function or class with the dotted path `target`."""

    target: str
    place: Place


@dataclass(frozen=True)
class _Value:
    """What is known of an expression: the dotted name it has, or the class it is an instance of."""

    name: str = ""
    instance_of: str = ""


@dataclass
class _Scope:
    path: str
    is_class: bool = False
    values: dict[str, _Value | None] = field(default_factory=dict)


def calls(modules: Iterable[SourceFile], names: Names) -> Iterator[Call]:
    """Every call whose target is a function or class defined in the modules that `names` knows."""
    for module in modules:
        reader = _CallReader(module, names)
        reader.visit(module.tree)
        yield from reader.calls


class _CallReader(ast.NodeVisitor):
    def __init__(self, module: SourceFile, names: Names) -> None:
        self.module, self.names = module, names
        self.calls: list[Call] = []
        self.scopes: list[_Scope] = []
        self.attributes: dict[tuple[str, str], str] = {}

    def visit_Module(self, node: ast.Module) -> None:
        self._visit_scope(node, _Scope(self.module.name))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for expression in [*node.decorator_list, *node.bases]:
            self.visit(expression)
        self._visit_scope(node, _Scope(f"{self.scopes[-1].path}.{node.name}", is_class=True))

    def visit_FunctionDef(self, node: Function) -> None:
        defaults = [default for default in [*node.args.defaults, *node.args.kw_defaults] if default]
        for expression in [*node.decorator_list, *defaults]:
            self.visit(expression)
        scope = _Scope(f"{self.scopes[-1].path}.{node.name}")
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        for argument in arguments:
            scope.values[argument.arg] = self._annotated(argument.annotation)
        if arguments and self.scopes[-1].is_class:
            scope.values[arguments[0].arg] = _Value(instance_of=self.scopes[-1].path)
        self._visit_scope(node, scope)

    visit_AsyncFunctionDef = visit_FunctionDef

    def _visit_scope(self, node: ast.Module | ast.ClassDef | Function, scope: _Scope) -> None:
        for name in _assigned(node):
            scope.values.setdefault(name, None)
        for name, target in imported(node, self.module):
            scope.values[name] = _Value(target)
        for child in node.body:
            if isinstance(child, (*_FUNCTION, ast.ClassDef)):
                scope.values[child.name] = _Value(f"{scope.path}.{child.name}")
        self.scopes.append(scope)
        for child in node.body:
            self.visit(child)
        self.scopes.pop()

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            match target, node.value:
                case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                    for each, value in zip(targets, values, strict=True):
                        self._bind(each, self._value(value))
                case _:
                    self._bind(target, self._value(node.value))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)
        self._bind(node.target, self._annotated(node.annotation))

    def _bind(self, target: ast.expr, value: _Value | None) -> None:
        if isinstance(target, ast.Name):
            self.scopes[-1].values[target.id] = value
        elif isinstance(target, ast.Attribute) and value and value.instance_of:
            owner = self._value(target.value)
            if owner and owner.instance_of:
                self.attributes[owner.instance_of, target.attr] = value.instance_of

    def visit_Call(self, node: ast.Call) -> None:
        value = self._value(node.func)
        if value and value.name and (found := self.names.find(value.name)):
            place = self.module.place(node.lineno, end_line(node))
            self.calls.append(Call(found.path, place))
        self.generic_visit(node)

    def _annotated(self, annotation: ast.expr | None) -> _Value | None:
        value = self._value(annotation) if annotation else None
        found = self.names.find(value.name) if value and value.name else None
        return _Value(instance_of=found.path) if found and found.is_class else None

    def _value(self, node: ast.expr) -> _Value | None:
        match node:
            case ast.Name(id=name):
                return self._lookup(name)
            case ast.Attribute(value=owner, attr=attribute):
                return self._member(self._value(owner), attribute)
            case ast.Call(func=function, args=[ast.Constant(value=str() as module)]) if (
                ast.unparse(function).rpartition(".")[2] == "import_module"
            ):
                return _Value(module)
            case ast.Call(func=function):
                made = self._value(function)
                found = self.names.find(made.name) if made and made.name else None
                return _Value(instance_of=found.path) if found and found.is_class else None
        return None

    def _member(self, owner: _Value | None, attribute: str) -> _Value | None:
        if owner is None:
            return None
        if made := self.attributes.get((owner.instance_of, attribute)):
            return _Value(instance_of=made)
        return _Value(f"{owner.instance_of or owner.name}.{attribute}")

    def _lookup(self, name: str) -> _Value | None:
        for depth, scope in enumerate(reversed(self.scopes)):
            if name in scope.values and not (scope.is_class and depth):  # methods do not see class variables
                return scope.values[name]
        return None


def _assigned(node: ast.AST) -> Iterator[str]:
    """Names bound by assignment, loop or `with` anywhere in a scope: they hide imports of the same name."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield child.id
        elif not isinstance(child, (*_FUNCTION, ast.ClassDef, ast.Lambda)):
            yield from _assigned(child)


def marks(module: SourceFile) -> Iterator[Tag]:
    """`@pytest.mark.equation("id")` on functions, classes, parameter sets and as `pytestmark`."""
    yield from _marked(module, module.tree, inherited=_pytestmark(module.tree))


def _marked(module: SourceFile, node: ast.Module | ast.ClassDef, inherited: list[str]) -> Iterator[Tag]:
    for child in node.body:
        if isinstance(child, ast.ClassDef):
            own = [*_ids(child.decorator_list), *_pytestmark(child)]
            yield from _marked(module, child, [*inherited, *own])
        elif isinstance(child, _FUNCTION) and child.name.startswith("test"):
            place = module.place(first_line(child), end_line(child), module.function_at(child.lineno))
            for equation in dict.fromkeys([*inherited, *_ids(child.decorator_list)]):
                yield Tag(equation, place)


def _pytestmark(node: ast.Module | ast.ClassDef) -> list[str]:
    assigned = [
        child.value
        for child in node.body
        if isinstance(child, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in child.targets)
    ]
    return list(_ids(assigned))


def _ids(expressions: Iterable[ast.expr]) -> Iterator[str]:
    """The ids in every `pytest.mark.equation(...)` or `mark.equation(...)` inside some expressions."""
    for expression in expressions:
        for node in ast.walk(expression):
            match node:
                case ast.Call(func=ast.Attribute(attr="equation", value=mark), args=arguments) if (
                    ast.unparse(mark).rpartition(".")[2] == "mark"
                ):
                    for argument in arguments:
                        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                            yield argument.value
