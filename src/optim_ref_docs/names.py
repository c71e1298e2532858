"""What a dotted name stands for: definitions, imports and re-exports, read from syntax trees."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from optim_ref_docs.source import SourceFile

_MAX_HOPS = 20  # re-exports of re-exports; a cycle of imports ends here


@dataclass(frozen=True)
class Definition:
    """A function or class by its dotted path."""

    path: str
    is_class: bool


@dataclass
class Names:
    """The names of all modules given."""

    definitions: dict[str, Definition] = field(default_factory=dict)
    bases: dict[str, list[str]] = field(default_factory=dict)
    imports: dict[str, dict[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, modules: Iterable[SourceFile]) -> "Names":
        names = cls()
        for module in modules:
            names.imports[module.name] = dict(imported(module.tree, module))
            names._define(module.tree, module.name)
        return names

    def _define(self, node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                path = f"{prefix}.{child.name}"
                self.definitions[path] = Definition(path, isinstance(child, ast.ClassDef))
                if isinstance(child, ast.ClassDef):
                    module = prefix  # a class inside a class finds its bases through the same module prefix
                    self.bases[path] = [f"{module}.{ast.unparse(base)}" for base in child.bases]
                self._define(child, path)
            elif isinstance(child, (ast.If, ast.Try, ast.With)):
                self._define(child, prefix)

    def find(self, dotted: str) -> Definition | None:
        """The definition a dotted name leads to, through imports, re-exports and base classes."""
        for _ in range(_MAX_HOPS):
            if found := self.definitions.get(dotted) or self._inherited(dotted):
                return found
            if (onward := self._follow_import(dotted)) is None:
                return None
            dotted = onward
        return None

    def _inherited(self, dotted: str) -> Definition | None:
        owner, _, member = dotted.rpartition(".")
        for base in self.bases.get(owner, []):
            parent = self.find(base)
            if parent and parent.path != owner and (found := self.find(f"{parent.path}.{member}")):
                return found
        return None

    def _follow_import(self, dotted: str) -> str | None:
        parts = dotted.split(".")
        for split in range(len(parts) - 1, 0, -1):
            prefix, name, rest = ".".join(parts[:split]), parts[split], parts[split + 1 :]
            if prefix in self.imports:
                target = self.imports[prefix].get(name)
                return ".".join([target, *rest]) if target else None
            if found := self.definitions.get(prefix):  # a member the class itself lacks
                return None if found.path == prefix else ".".join([found.path, name, *rest])
        return None


def imported(node: ast.AST, module: SourceFile) -> Iterator[tuple[str, str]]:
    """Local name and dotted target of every import below a node, not entering functions and classes."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for name in child.names:
                # `import a.b` binds `a`; `import a.b as c` binds the module itself.
                yield (name.asname, name.name) if name.asname else (name.name.partition(".")[0],) * 2
        elif isinstance(child, ast.ImportFrom):
            source = _absolute(child, module)
            for name in child.names:
                yield name.asname or name.name, f"{source}.{name.name}"
        elif not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            yield from imported(child, module)


def _absolute(node: ast.ImportFrom, module: SourceFile) -> str:
    if not node.level:
        return node.module or ""
    package = module.name.split(".")
    up = node.level - 1 if module.is_package else node.level
    base = package[: len(package) - up]
    return ".".join([*base, node.module] if node.module else base)
