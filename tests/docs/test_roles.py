"""Roles of the real package, against a second reading that shares no code with the first.

Tags are read line by line, marks are those that pytest itself collects, and the target of a call is looked
up in the imported module instead of in syntax trees.
"""

import ast
import importlib
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import optim_ref
from optim_ref import exercises
from optim_ref.exercises import cases, checks, solution
from optim_ref_docs.catalogue import Catalogue
from optim_ref_docs.listings import load_catalogue
from optim_ref_docs.settings import Settings

PROJECT = Path(__file__).parents[2]
SOURCE = Path(optim_ref.__file__).parent
INSTANCES = {
    "optimizer": optim_ref.AdamW,
    "draw": cases.Draw,
    "suspects": checks.Suspects,
    "exercise": exercises.Exercise,
    "solution": solution.Solution,
    "surroundings": solution.Surroundings,
    "printed": solution._Printed,
}
"""What the package's variables of these names are instances of, where the name is not a module's."""


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(Settings.read(PROJECT))


def tagged_lines(folder: Path) -> Iterator[tuple[str, str, int]]:
    for path in sorted(folder.rglob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if tag := re.search(r"[^\s#\"'].*# eq: ([a-z0-9, -]+)$", line):
                for equation in tag[1].split(","):
                    yield equation.strip(), path.relative_to(PROJECT).as_posix(), number


def test_computing_lines_are_the_tagged_ones(catalogue: Catalogue) -> None:
    read = {
        (equation.id, place.path, number)
        for equation in catalogue.equations.values()
        for place in equation.computed
        for number in range(place.first, place.last + 1)
    }
    tagged = set(tagged_lines(SOURCE))
    assert tagged <= read
    assert {(identifier, path) for identifier, path, _ in read} == {tag[:2] for tag in tagged}


COLLECT = """
import json, pytest

class Marks:
    found = set()
    def pytest_itemcollected(self, item):
        for mark in item.iter_markers("equation"):
            self.found |= {(identifier, item.originalname) for identifier in mark.args}

pytest.main(["--collect-only", "-qq", "tests"], plugins=[Marks()])
print(json.dumps(sorted(Marks.found)))
"""


def test_tests_are_those_that_pytest_collects_with_the_mark(catalogue: Catalogue) -> None:
    command = [sys.executable, "-c", COLLECT]
    printed = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True).stdout
    marked = {(identifier, test) for identifier, test in json.loads(printed.splitlines()[-1])}
    tags = [tag for test in catalogue.tests for tag in test.tags()]
    read = {
        (equation.id, place.function.rpartition(".")[2])
        for equation in catalogue.equations.values()
        for place in equation.tested
    }
    assert read == marked | {(tag.equation, tag.place.function.rpartition(".")[2]) for tag in tags}


def test_callers_are_those_that_the_imported_modules_show(catalogue: Catalogue) -> None:
    found: dict[str, set[tuple[str, int]]] = {}
    for target, path, line in calls():
        found.setdefault(target, set()).add((path, line))
    read = {entry.path: {(place.path, place.first) for place in entry.called} for entry in catalogue.entries}
    assert {path: places for path, places in read.items() if places} == found


def calls() -> Iterator[tuple[str, str, int]]:
    """Dotted path of what is called, file and line, for functions and classes of the package."""
    for path in sorted(SOURCE.rglob("*.py")):
        name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
        module = importlib.import_module(name)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and (target := called(node.func, vars(module))):
                yield target, path.relative_to(PROJECT).as_posix(), node.lineno


def called(function: ast.expr, names: dict[str, object]) -> str | None:
    match function:
        case ast.Name(id=name):
            value = names.get(name)
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            classes = [vars(value) for value in names.values() if inspect.isclass(value)]
            value = next((each[name] for each in classes if name in each), None)
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            value = getattr(names.get(owner, INSTANCES.get(owner)), name, None)
        case _:
            return None
    ours = (inspect.isfunction(value) or inspect.isclass(value)) and value.__module__.startswith("optim_ref")
    return f"{value.__module__}.{value.__qualname__}" if ours else None
