"""One Python file, read once: its tree, its tags, and the function and statement around each line."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from optim_ref_docs.problems import LooseEnd

ID = r"[a-z0-9]+(?:-[a-z0-9]+)*"
TAG = re.compile(rf"#\s*eq:\s*(?P<ids>{ID}(?:\s*,\s*{ID})*)\s*$")
_ALMOST_TAG = re.compile(r"#\s*eq\s*:")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, order=True)
class Place:
    """Lines of a file, the function they stand in, and what they say."""

    path: str
    first: int
    last: int
    function: str
    code: str

    @property
    def lines(self) -> str:
        """The line number, or the range."""
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True)
class Tag:
    """A comment `# eq: id`, or a mark on a test: it ties a place to an equation."""

    equation: str
    place: Place


@dataclass
class SourceFile:
    """A module. `path` is relative to the project, `name` is dotted."""

    path: str
    name: str
    text: str
    is_package: bool = False
    loose_ends: list[LooseEnd] = field(default_factory=list)

    @classmethod
    def read(cls, file: Path, root: Path, name: str) -> "SourceFile":
        path = file.relative_to(root) if file.is_relative_to(root) else file
        return cls(path.as_posix(), name, file.read_text(encoding="utf-8"), file.name == "__init__.py")

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    def place(self, first: int, last: int, function: str | None = None) -> Place:
        """The lines from `first` to `last`, without the tags in them."""
        code = [re.sub(rf"\s*{TAG.pattern}", "", line) for line in self.lines[first - 1 : last]]
        indent = min((len(line) - len(line.lstrip()) for line in code if line.strip()), default=0)
        text = "\n".join(line[indent:] for line in code)
        return Place(self.path, first, last, function or self.function_at(first), text)

    def function_at(self, line: int) -> str:
        """Dotted path of the innermost function or class around a line; the module's outside of all."""
        return self._functions.get(line, self.name)

    def tags(self) -> Iterator[Tag]:
        """Every `# eq:` comment with its statement; inside one, as in a dict, with its line alone."""
        for line, ids in self._tagged_lines():
            first, last = self._statements.get(line, (line, line))
            if line not in (first, last):
                first = last = line
            for equation in ids:
                yield Tag(equation, self.place(first, last, self.function_at(line)))

    def _tagged_lines(self) -> Iterator[tuple[int, list[str]]]:
        if not _ALMOST_TAG.search(self.text):
            return
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            if token.type != tokenize.COMMENT:
                continue
            if tag := TAG.search(token.string):
                yield token.start[0], re.split(r"\s*,\s*", tag["ids"])
            elif _ALMOST_TAG.search(token.string):
                message = (
                    f"the tag {token.string!r} is not of the form '# eq: an-id' or '# eq: an-id, another'"
                )
                self.loose_ends.append(LooseEnd(self.path, token.start[0], message))

    @cached_property
    def _functions(self) -> dict[int, str]:
        functions: dict[int, str] = {}

        def visit(node: ast.AST, prefix: str) -> None:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, _DEFINITIONS):
                    dotted = f"{prefix}.{child.name}"
                    functions.update(dict.fromkeys(range(first_line(child), end_line(child) + 1), dotted))
                    visit(child, dotted)
                elif not isinstance(child, ast.expr):
                    visit(child, prefix)

        visit(self.tree, self.name)
        return functions

    @cached_property
    def _statements(self) -> dict[int, tuple[int, int]]:
        """The innermost statement around each line; of a compound statement, its header alone."""
        statements: dict[int, tuple[int, int]] = {}
        for node in ast.walk(self.tree):  # breadth first, so that inner statements come later and win
            if isinstance(node, ast.stmt):
                last = header_end(node)
                statements.update(dict.fromkeys(range(node.lineno, last + 1), (node.lineno, last)))
        return statements


def first_line(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    """The line of the definition or of its first decorator."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def end_line(node: ast.stmt | ast.expr) -> int:
    """The last line of a node: a parsed tree always knows it."""
    assert node.end_lineno is not None
    return node.end_lineno


def header_end(node: ast.stmt) -> int:
    """The last line of a statement, or of the part before its body."""
    body = getattr(node, "body", None)
    return max(node.lineno, body[0].lineno - 1) if isinstance(body, list) and body else end_line(node)


def read_folder(folder: Path, root: Path, package: str = "") -> list[SourceFile]:
    """Every Python file below a folder, in order of their paths."""
    files = sorted(folder.rglob("*.py")) if folder.is_dir() else []
    return [SourceFile.read(file, root, _dotted(file.relative_to(folder), package)) for file in files]


def _dotted(relative: Path, package: str) -> str:
    parts = [package] if package else []
    parts += relative.with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)
