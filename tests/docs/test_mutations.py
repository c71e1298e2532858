"""Mutants: which there are, whether a run finds what tests overlook, and whether the last run is current."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_project import MODULE, REPOSITORY, TESTS, Tiny, packages

from optim_ref_docs.listings import load_catalogue
from optim_ref_docs.mutants import mutants
from optim_ref_docs.mutations import EQUIVALENT, RESULTS, tasks
from optim_ref_docs.settings import Settings
from optim_ref_docs.source import SourceFile


def changed(statement: str) -> set[str]:
    source = SourceFile("a.py", "a", f"def f(x, y):\n    {statement}  # eq: one\n")
    return {mutant.after for mutant in mutants(source)}


@pytest.mark.parametrize(
    ("statement", "after"),
    [
        ("return x + 2 * y", {"return x - 2 * y", "return x + 2 / y", "return x + 3 * y"}),
        ("x -= y", {"x += y"}),
        ("return x ** y > -y", {"return x * y > -y", "return x ** y >= -y", "return x ** y > +y"}),
        ("return max(x, y)", {"return min(x, y)"}),
        ("return x", {"return 2 * x"}),
        ("z = True", {"z = 2 * True"}),
    ],
)
def test_mutants_change_one_thing(statement: str, after: set[str]) -> None:
    assert changed(statement) == after


def test_mutants_of_a_tagged_entry_leave_the_other_entries() -> None:
    code = "def f(x):\n    return {\n        'a': x + 1,\n        'b': x,  # eq: one\n    }\n"
    (mutant,) = mutants(SourceFile("a.py", "a", code))
    assert mutant.after == "return {'a': x + 1, 'b': 2 * x}"


def run(tiny: Tiny) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "optim_ref_docs.mutations", "tiny", "--processes", "1"],
        cwd=tiny.root,
        env=packages(tiny.root / "src"),
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_run_notices_what_the_linked_test_notices(tmp_path: Path) -> None:
    done = run(Tiny.make(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 mutants, 2 noticed by a linked test, 0 not" in done.stdout
    results = json.loads((tmp_path / RESULTS).read_text())["mutants"]
    assert [mutant["noticed_by"] for mutant in results] == ["tests/test_tiny.py::test_double"] * 2


def test_a_run_fails_where_no_test_notices(tmp_path: Path) -> None:
    done = run(Tiny.make(tmp_path, tests=TESTS.replace("double(2) == 4", "double(0) == 0")))
    assert done.returncode == 1
    assert "no test notices src/tiny/__init__.py" in done.stdout


def test_a_mutant_with_a_reason_need_not_be_noticed(tmp_path: Path) -> None:
    tiny = Tiny.make(
        tmp_path, MODULE.replace("2 * x  #", "x + x  #"), TESTS.replace("double(2) == 4", "True")
    )
    reason = '[[mutant]]\nbefore = "result = x + x"\nafter = "result = x - x"\nreason = "for this test"\n'
    tiny.write(str(EQUIVALENT), reason)
    done = run(tiny)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_committed_run_is_of_the_statements_as_they_are() -> None:
    run = json.loads((REPOSITORY / RESULTS).read_text(encoding="utf-8"))
    catalogue = load_catalogue(Settings.read(REPOSITORY))
    current = [task.mutant for task in tasks(catalogue, run["modules"])]
    assert [(m.path, m.before, m.after) for m in current] == [
        (m["path"], m["before"], m["after"]) for m in run["mutants"]
    ], "run python -m optim_ref_docs.mutations"
    assert all(mutant["noticed_by"] or mutant["reason"] for mutant in run["mutants"])
