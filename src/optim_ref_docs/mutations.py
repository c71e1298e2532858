"""`python -m optim_ref_docs.mutations MODULE …`: do tests notice small faults in tagged statements?

Every operator and constant of every tagged statement is changed, one at a time, and only the tests linked to
its equations run. Tests are collected once in each process; a mutant is a function's code object, put in
place and taken away again. Mutants that change nothing are listed with the reason in a small file; any other
that no test notices fails the command.
"""

import argparse
import importlib
import io
import json
import sys
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from _pytest.runner import runtestprotocol

from optim_ref_docs import project
from optim_ref_docs.catalogue import Catalogue
from optim_ref_docs.listings import load_catalogue, write
from optim_ref_docs.mutants import Mutant, mutants, mutated_code
from optim_ref_docs.settings import Settings
from optim_ref_docs.source import Place, SourceFile

RESULTS = Path("docs/computed/mutations.json")
EQUIVALENT = Path("docs/computed/equivalent_mutants.toml")


@dataclass(frozen=True)
class Task:
    """A mutant and the tests that should notice it."""

    mutant: Mutant
    tests: tuple[str, ...]


def tasks(catalogue: Catalogue, modules: list[str]) -> list[Task]:
    """All mutants of some modules."""
    sources = [module for module in catalogue.modules.values() if module.name in modules]
    return [
        Task(mutant, tuple(sorted(_tests(catalogue, mutant))))
        for source in sources
        for mutant in mutants(source)
    ]


def _tests(catalogue: Catalogue, mutant: Mutant) -> set[str]:
    equations = [catalogue.equations[identifier] for identifier in mutant.equations]
    return {_node_id(place) for equation in equations for place in equation.tested}


def _node_id(place: Place) -> str:
    """pytest's name of a test function: the path, then what the dotted path has beyond the module."""
    module = place.path.removesuffix(".py").replace("/", ".")
    return "::".join([place.path, *place.function.removeprefix(f"{module}.").split(".")])


class MutantRunner:
    """A pytest plugin: instead of running all tests once, it runs the linked ones for each mutant."""

    def __init__(self, tasks: list[Task], sources: dict[str, SourceFile]) -> None:
        self.tasks, self.sources = tasks, sources
        self.noticed_by: list[str | None] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            items.setdefault(item.nodeid.partition("[")[0], []).append(item)
        linked = dict.fromkeys(test for task in self.tasks for test in task.tests)
        if failing := _first_failure(_items(items, linked)):
            pytest.exit(f"{failing} fails without any mutant", returncode=1)
        for task in self.tasks:
            function = _function(task.mutant, self.sources[task.mutant.path])
            original = function.__code__
            function.__code__ = _mutated(function, task.mutant, self.sources[task.mutant.path])
            try:
                self.noticed_by.append(_first_failure(_items(items, task.tests)))
            finally:
                function.__code__ = original
        return True


def _items(items: dict[str, list[pytest.Item]], tests: Iterable[str]) -> list[pytest.Item]:
    return [item for test in tests for item in items[test]]


def _first_failure(items: list[pytest.Item]) -> str | None:
    for item in items:
        reports = runtestprotocol(item, log=False, nextitem=None)
        if any(report.failed for report in reports):
            return item.nodeid
    return None


def _function(mutant: Mutant, source: SourceFile) -> FunctionType:
    """The outermost function around a mutant, as it is imported."""
    owner: object = importlib.import_module(source.name)
    for name in mutant.function.removeprefix(f"{source.name}.").split("."):
        owner = getattr(owner, name)
        if isinstance(owner, FunctionType):
            return owner
    raise ValueError(f"{mutant.path}:{mutant.line}: only statements inside a function can be mutated")


def _mutated(function: FunctionType, mutant: Mutant, source: SourceFile) -> CodeType:
    wanted = (function.__code__.co_qualname, function.__code__.co_firstlineno)
    codes = _codes(mutated_code(source, mutant))
    return next(code for code in codes if (code.co_qualname, code.co_firstlineno) == wanted)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def run_part(root: Path, modules: list[str], part: int, parts: int) -> list[str | None]:
    """The first test that notices each mutant, for every `parts`-th mutant from `part` on."""
    catalogue = load_catalogue(Settings.read(root))
    runner = MutantRunner(
        tasks(catalogue, modules)[part::parts], {module.path: module for module in catalogue.modules.values()}
    )
    files = sorted({test.partition("::")[0] for task in runner.tasks for test in task.tests})
    with redirect_stdout(io.StringIO()) as printed:
        status = pytest.main(["-qq", "--no-header", "--no-summary", *files], plugins=[runner])
    if status:
        raise RuntimeError(f"pytest ended with status {status}:\n{printed.getvalue()}")
    return runner.noticed_by


def run(root: Path, modules: list[str], processes: int) -> list[dict[str, object]]:
    """All mutants with what noticed them and, for those that change nothing, why."""
    all_tasks = tasks(load_catalogue(Settings.read(root)), modules)
    noticed: list[str | None] = [None] * len(all_tasks)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        parts = [pool.submit(run_part, root, modules, part, processes) for part in range(processes)]
        for part, future in enumerate(parts):
            noticed[part::processes] = future.result()
    reasons = equivalent(root)
    return [
        {
            **asdict(task.mutant),
            "noticed_by": test,
            "reason": reasons.get((task.mutant.before, task.mutant.after)),
        }
        for task, test in zip(all_tasks, noticed, strict=True)
    ]


def equivalent(root: Path) -> dict[tuple[str, str], str]:
    """Why some mutants change nothing, by the statement before and after."""
    path = root / EQUIVALENT
    listed = tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", []) if path.is_file() else []
    return {(entry["before"], entry["after"]): entry["reason"] for entry in listed}


def problems(results: list[dict[str, object]], reasons: dict[tuple[str, str], str]) -> Iterator[str]:
    """Mutants that no test notices, and reasons that are given for nothing."""
    for mutant in results:
        where = f"{mutant['path']}:{mutant['line']}: {mutant['before']}  →  {mutant['after']}"
        if not mutant["noticed_by"] and not mutant["reason"]:
            yield f"no test notices {where}"
        if mutant["noticed_by"] and mutant["reason"]:
            yield f"listed as changing nothing, but {mutant['noticed_by']} notices {where}"
    known = {(mutant["before"], mutant["after"]) for mutant in results}
    for before, after in reasons.keys() - known:
        yield f"{EQUIVALENT} lists a mutant that no longer exists: {before}  →  {after}"


def as_json(modules: list[str], results: list[dict[str, object]]) -> str:
    """The results without line numbers: they change where nothing else does."""
    kept = [
        {key: value for key, value in mutant.items() if key not in ("line", "number")} for mutant in results
    ]
    content = {"format": "optim-ref-mutations/1", "modules": modules, "mutants": kept}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Run all mutants, write what came out, and say what no test notices."""
    parser = argparse.ArgumentParser(prog="python -m optim_ref_docs.mutations", description=__doc__)
    parser.add_argument("modules", nargs="*", help="dotted names; without, those that pyproject.toml names")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--output", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    root = project.root()
    modules = arguments.modules or list(Settings.read(root).mutate)
    results = run(root, modules, arguments.processes)
    write(root / arguments.output, as_json(modules, results))
    found = list(problems(results, equivalent(root)))
    for problem in found:
        print(problem)
    noticed = sum(bool(mutant["noticed_by"]) for mutant in results)
    print(f"{len(results)} mutants, {noticed} noticed by a linked test, {len(results) - noticed} not")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
