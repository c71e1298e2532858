"""What the templates see of a documented function or class, as `obj.extra.optim_ref`."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import griffe
from markupsafe import Markup

from optim_ref_docs.catalogue import Entry
from optim_ref_docs.equations import Equation, Reference, Symbol
from optim_ref_docs.links import LineLinks
from optim_ref_docs.listing import listing
from optim_ref_docs.maths import SymbolMarker, formula, spoken
from optim_ref_docs.source import Place, SourceFile
from optim_ref_docs.stepping import SteppedLine, step_through

COMPUTES, CALLS, TESTS = "Computes it", "Calls it", "Tests it"
_MARKUP = re.compile(r"[`*_<>&$\\\[\]#!~|]|://")
_SHAPE_COMMENT = re.compile(r"(?P<code>\S.*?)\s*#\s*(?P<shape>\([^()]*\))\s*(?:#.*)?$")


@dataclass(frozen=True)
class Row:
    """One place that has to do with an equation."""

    equation: Equation
    role: str
    place: Place

    @property
    def code(self) -> str:
        """The code, of a whole test its `def` line."""
        lines = self.place.code.splitlines()
        return next((line for line in lines if line.startswith(("def ", "async def "))), self.place.code)


@dataclass
class Record:
    """An entry of the catalogue, as a page shows it."""

    entry: Entry
    module: SourceFile
    line_links: LineLinks

    @property
    def equations(self) -> list[Equation]:
        return self.entry.sections.equations

    @property
    def symbols(self) -> list[Symbol]:
        return self.entry.sections.symbols

    @property
    def source(self) -> Place:
        return self.entry.source

    @property
    def called(self) -> list[Place]:
        return self.entry.called

    @property
    def tested(self) -> list[Place]:
        return self.entry.tested

    def tests_by_file(self) -> list[tuple[str, list[tuple[str, list[Place]]]]]:
        """The tests that run the object, by file and by function, each with its places in order."""
        files: dict[str, dict[str, list[Place]]] = {}
        for place in self.tested:
            name = place.function.rpartition(".")[2]
            files.setdefault(place.path, {}).setdefault(name, []).append(place)
        return [(file, list(tests.items())) for file, tests in files.items()]

    @property
    def what(self) -> str:
        """The docstring's text; its first paragraph where the rest has to serve as the why."""
        return self._text if self.entry.sections.why else self._text.partition("\n\n")[0]

    @property
    def why(self) -> str:
        """The section `Why:`, else the docstring's text after its first paragraph."""
        return self.entry.sections.why or self._text.partition("\n\n")[2]

    @cached_property
    def _text(self) -> str:
        return "\n\n".join(str(section.value) for section in self.parsed("text"))

    def parsed(self, *kinds: str) -> list[griffe.DocstringSection]:
        """The docstring's Google sections of some kinds."""
        docstring = self.entry.obj.docstring
        return [section for section in docstring.parsed if section.kind.value in kinds] if docstring else []

    @cached_property
    def formulas(self) -> dict[str, Markup]:
        """Each equation by its id, drawn with its symbols marked."""
        marker = SymbolMarker(self.symbols)
        return {equation.id: marker.formula(equation.tex) for equation in self.equations}

    def symbol(self, symbol: Symbol) -> Markup:
        """A symbol on its own."""
        return formula(symbol.tex)

    def spoken(self, symbol: Symbol) -> str:
        """The same as plain text."""
        return spoken(symbol.tex)

    @staticmethod
    def has_markup(text: str) -> bool:
        """Whether a text may hold Markdown at all; most cells of a table do not."""
        return bool(_MARKUP.search(text))

    def first_use(self, symbol: Symbol) -> Equation | None:
        """The first equation that a symbol stands in."""
        hook = f'data-symbol="{symbol.key}"'
        return next((equation for equation in self.equations if hook in self.formulas[equation.id]), None)

    def rows(self) -> Iterator[Row]:
        """Every place of every equation: what computes it, what calls that, what tests it."""
        for equation in self.equations:
            for role, places in (
                (COMPUTES, equation.computed),
                (CALLS, equation.called),
                (TESTS, equation.tested),
            ):
                for place in places:
                    yield Row(equation, role, place)

    @property
    def sources(self) -> list[Reference]:
        """References for the whole, not for one equation."""
        return [reference for reference in self.entry.sections.references if not reference.equation]

    def shapes(self) -> Iterator[tuple[Place, str, str]]:
        """Lines that end in a shape, such as `# (N, D)`: the place, the code, the shape."""
        for number in range(self.source.first, self.source.last + 1):
            if number not in self._docstring_lines and (
                match := _SHAPE_COMMENT.search(self.module.lines[number - 1])
            ):
                yield self.module.place(number, number), match["code"], match["shape"]

    def href(self, place: Place) -> str:
        """Address of some lines."""
        return self.line_links.href(place)

    def line_href(self, place: Place, path: str) -> str:
        """Address of a line in the listing on the same page, where that shows it."""
        shown = self.entry.obj.is_function and self.source.first <= place.first <= self.source.last
        return f"#{_line_id(path, place.first)}" if shown else self.href(place)

    def listing(self, path: str) -> Markup:
        """The function without its docstring, with the line ids that mkdocstrings would give."""
        lines = self.module.lines[self.source.first - 1 : self.source.last]
        line_id = partial(_line_id, path)
        return listing(lines, self.source.first, line_id, self.symbols, self._docstring_lines)

    @cached_property
    def sha256(self) -> str:
        """The hash of the whole file, to be held against that of the code that ran."""
        return hashlib.sha256((self.line_links.root / self.source.path).read_bytes()).hexdigest()

    @cached_property
    def steps(self) -> list[SteppedLine]:
        """What each line gives on the docstring's own example."""
        obj = self.entry.obj
        texts = [text for section in self.parsed("examples") for _, text in section.value]
        name = obj.path.removeprefix(f"{obj.module.path}.")
        return step_through(obj.module.path, name, "\n".join(texts)) if texts and obj.is_function else []

    @cached_property
    def _docstring_lines(self) -> range:
        docstring = self.entry.obj.docstring
        if docstring is None or docstring.lineno is None or docstring.endlineno is None:
            return range(0)
        return range(docstring.lineno, docstring.endlineno + 1)

    @property
    def status(self) -> str:
        """How much of what is described exists: derived, never typed."""
        done = [bool(equation.computed and equation.tested) for equation in self.equations]
        begun = any(equation.computed or equation.tested for equation in self.equations)
        if not done:
            done, begun = [bool(self.tested) and self._has_body], self._has_body
        return "Implemented" if all(done) else "Partly" if begun else "Planned"

    @property
    def evidence(self) -> str:
        """What the status is derived from."""
        total = len(self.equations)
        if not total:
            return f"no equation of its own; called by {_count(len(self.tested), 'test')}."
        computed = sum(bool(equation.computed) for equation in self.equations)
        tested = sum(bool(equation.tested) for equation in self.equations)
        return f"{_count(total, 'equation')}, {computed} with a computing line, {tested} with a test."

    @property
    def _has_body(self) -> bool:
        numbers = range(self.source.first, self.source.last + 1)
        code = [
            self.module.lines[number - 1].strip() for number in numbers if number not in self._docstring_lines
        ]
        return not code[-1].startswith(("raise NotImplementedError", "..."))


def _line_id(path: str, number: int) -> str:
    return f"{path}--source--__codelineno-0-{number}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
