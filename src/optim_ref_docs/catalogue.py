"""Everything known about the equations of one package: docstrings, code and tests brought together."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import griffe

from optim_ref_docs import references
from optim_ref_docs.equations import Equation, Sections, read_sections
from optim_ref_docs.names import Names
from optim_ref_docs.problems import LooseEnd
from optim_ref_docs.settings import Settings
from optim_ref_docs.source import Place, SourceFile, Tag, read_folder

type Documented = griffe.Function | griffe.Class


@dataclass
class Entry:
    """A public function or class with what its docstring and the code say about it."""

    obj: Documented
    path: str
    sections: Sections
    source: Place
    called: list[Place] = field(default_factory=list)
    tested: list[Place] = field(default_factory=list)

    @property
    def is_public(self) -> bool:
        """Whether no part of the path begins with an underscore."""
        return not any(part.startswith("_") for part in self.path.split("."))

    @property
    def summary(self) -> str:
        """The first line of the docstring, without its full stop."""
        return self.sections.rest.partition("\n")[0].rstrip(".")


class Catalogue:
    """All entries and equations of a package, in the order of its modules and lines."""

    def __init__(self, package: griffe.Module, settings: Settings) -> None:
        self.package, self.settings = package, settings
        self.loose_ends: list[LooseEnd] = []
        self.modules = {module.path: self._read(module) for module in _modules(package)}
        self.tests = read_folder(settings.tests_folder, settings.root, settings.tests_folder.name)
        self.entries = [self._entry(obj) for obj in _documented(package)]
        self.equations: dict[str, Equation] = {}
        self._number_equations()
        self._tie_code()
        self._tie_tests()
        self._tie_calls()

    def _read(self, module: griffe.Module) -> SourceFile:
        assert not isinstance(module.filepath, list)
        return SourceFile.read(module.filepath, self.settings.root, module.path)

    def _entry(self, obj: Documented) -> Entry:
        module = self.modules[obj.module.path]
        source = module.place(obj.lineno or 1, obj.endlineno or 1, obj.path)
        if obj.docstring is None:
            return Entry(obj, obj.path, Sections(), source)
        line = _first_docstring_line(obj, module)
        sections = read_sections(obj.docstring.value, module.path, line, obj.path)
        self.loose_ends += sections.loose_ends
        return Entry(obj, obj.path, sections, source)

    def _number_equations(self) -> None:
        for entry in self.entries:
            for equation in entry.sections.equations:
                if known := self.equations.get(equation.id):
                    where = f"{known.path}:{known.line}"
                    message = f"equation '{equation.id}' is defined twice, first at {where}"
                    self.loose_ends.append(LooseEnd(equation.path, equation.line, message))
                else:
                    self.equations[equation.id] = equation
                    equation.number = len(self.equations)

    def _tie_code(self) -> None:
        for module in self.modules.values():
            for tag in module.tags():
                if equation := self._tagged(tag):
                    equation.computed.append(tag.place)
            self.loose_ends += module.loose_ends

    def _tie_tests(self) -> None:
        for module in self.tests:
            for tag in [*references.marks(module), *module.tags()]:
                equation = self._tagged(tag)
                if equation and tag.place not in equation.tested:
                    equation.tested.append(tag.place)
            self.loose_ends += module.loose_ends

    def _tagged(self, tag: Tag) -> Equation | None:
        if tag.equation not in self.equations:
            message = f"'{tag.equation}' is no equation of {self.settings.package}"
            self.loose_ends.append(LooseEnd(tag.place.path, tag.place.first, message))
        return self.equations.get(tag.equation)

    def _tie_calls(self) -> None:
        names = Names.of([*self.modules.values(), *self.tests])
        callers = _by_target(references.calls(self.modules.values(), names))
        testers = _by_target(references.calls(self.tests, names))
        for entry in self.entries:
            entry.called = callers.get(entry.path, [])
            tests = [place for place in testers.get(entry.path, []) if _is_test(place.function)]
            marked = [place for equation in entry.sections.equations for place in equation.tested]
            entry.tested = list(dict.fromkeys([*tests, *marked]))
        for equation in self.equations.values():
            computing = [place.function for place in equation.computed]
            functions = dict.fromkeys([equation.documented_in, *computing])
            places = [place for function in functions for place in callers.get(function, [])]
            equation.called = sorted(set(places))


def _modules(package: griffe.Module) -> Iterator[griffe.Module]:
    yield package
    for name in sorted(package.modules):
        if not package.modules[name].is_alias:
            yield from _modules(package.modules[name])


def _documented(package: griffe.Module) -> Iterator[Documented]:
    """Functions, classes and methods in the order of the files."""
    for module in _modules(package):
        yield from _members(module)


def _members(parent: griffe.Module | griffe.Class) -> Iterator[Documented]:
    members = [member for member in parent.members.values() if not member.is_alias]
    for member in sorted(members, key=lambda member: member.lineno or 0):
        if isinstance(member, (griffe.Function, griffe.Class)) and member.name != "__init__":
            yield member
            if isinstance(member, griffe.Class):
                yield from _members(member)


def _first_docstring_line(obj: Documented, module: SourceFile) -> int:
    """The line of the first text in a docstring: griffe strips empty lines before it."""
    assert obj.docstring is not None
    first = obj.docstring.lineno or 1
    lines = module.lines[first - 1 :]
    return first + next((offset for offset, line in enumerate(lines) if line.strip(" \trRuU\"'")), 0)


def _by_target(calls: Iterator[references.Call]) -> dict[str, list[Place]]:
    places: dict[str, list[Place]] = {}
    for call in calls:
        places.setdefault(call.target, []).append(call.place)
    return {target: list(dict.fromkeys(found)) for target, found in places.items()}


def _is_test(function: str) -> bool:
    return any(part.startswith("test") for part in function.split(".")[1:])
