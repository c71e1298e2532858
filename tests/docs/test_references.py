"""Calls and marks, read from syntax trees."""

import textwrap

import pytest

from optim_ref_docs.names import Names
from optim_ref_docs.references import calls, marks
from optim_ref_docs.source import SourceFile

LIBRARY = """\
class Optimizer:
    def step(self): ...
    def twice(self):
        self.step()

class Fancy(Optimizer):
    pass

def norm(x): ...
"""
PACKAGE = "from lib.core import Optimizer, Fancy\nfrom .core import norm as length\n"


def found(code: str) -> list[tuple[str, int]]:
    """Targets and lines of the calls in a module `user` beside the package `lib`."""
    user = SourceFile("user.py", "user", textwrap.dedent(code))
    library = SourceFile("lib/core.py", "lib.core", LIBRARY)
    package = SourceFile("lib/__init__.py", "lib", PACKAGE, is_package=True)
    names = Names.of([package, library, user])
    return [(call.target, call.place.first) for call in calls([user], names)]


@pytest.mark.parametrize(
    ("code", "target"),
    [
        ("from lib.core import norm\nnorm(1)", "lib.core.norm"),
        ("from lib.core import norm as n\nn(1)", "lib.core.norm"),
        ("from lib import length\nlength(1)", "lib.core.norm"),
        ("import lib\nlib.length(1)", "lib.core.norm"),
        ("import lib.core\nlib.core.norm(1)", "lib.core.norm"),
        ("import lib.core as c\nc.norm(1)", "lib.core.norm"),
        ("from lib import core\ncore.norm(1)", "lib.core.norm"),
        ("from lib import Optimizer\nOptimizer.step(x)", "lib.core.Optimizer.step"),
        ("from lib import Optimizer\nOptimizer().step()", "lib.core.Optimizer.step"),
        ("from lib import Optimizer\no = Optimizer()\no.step()", "lib.core.Optimizer.step"),
        ("from lib import Fancy\no = Fancy()\no.step()", "lib.core.Optimizer.step"),
        ("from lib import Optimizer\ndef f(o: Optimizer):\n    o.step()", "lib.core.Optimizer.step"),
        ("def f():\n    from lib import length\n    length(1)", "lib.core.norm"),
        ("from lib import length\ndef f(): return [length(i) for i in x]", "lib.core.norm"),
        ("from lib import length\nf = lambda: length(1)", "lib.core.norm"),
        ("from lib import core\nn = core.norm\nn(1)", "lib.core.norm"),
        ("from lib import core\na, n = 1, core.norm\nn(1)", "lib.core.norm"),
        ("import importlib\nc = importlib.import_module('lib.core')\nc.norm(1)", "lib.core.norm"),
    ],
)
def test_calls_finds(code: str, target: str) -> None:
    assert target in [name for name, _ in found(code)]


def test_calls_finds_attributes_set_in_the_same_class() -> None:
    code = """\
        from lib import Optimizer
        class Trainer:
            def __init__(self):
                self.optimizer = Optimizer()
            def run(self):
                self.optimizer.step()
        """
    assert ("lib.core.Optimizer.step", 6) in found(code)


@pytest.mark.parametrize(
    "code",
    [
        "def norm(x): ...\nnorm(1)",
        "from lib import length\ndef f(length): return length(1)",
        "from lib import length\ndef f():\n    length = max\n    return length(1)",
        "from lib import Optimizer\no = Optimizer()\no = other()\no.step()",
        "from other import norm\nnorm(1)",
        "from lib import length\nf = length",
    ],
)
def test_calls_finds_no_other_of_that_name(code: str) -> None:
    assert not [name for name, _ in found(code) if name in ("lib.core.norm", "lib.core.Optimizer.step")]


def test_calls_of_self_belong_to_the_class() -> None:
    library = SourceFile("lib/core.py", "lib.core", LIBRARY)
    assert [call.target for call in calls([library], Names.of([library]))] == ["lib.core.Optimizer.step"]


def marked(code: str) -> list[tuple[str, str, int, int]]:
    module = SourceFile("tests/test_x.py", "tests.test_x", textwrap.dedent(code))
    tags = marks(module)
    return [(tag.equation, tag.place.function, tag.place.first, tag.place.last) for tag in tags]


def test_mark_on_a_function() -> None:
    code = """\
        @pytest.mark.equation("one")
        def test_one():
            assert one() == 1
        """
    assert marked(code) == [("one", "tests.test_x.test_one", 1, 3)]


def test_mark_on_a_class_reaches_its_tests_alone() -> None:
    code = """\
        @pytest.mark.equation("one")
        class TestOne:
            def helper(self): ...
            def test_a(self): ...
        """
    assert marked(code) == [("one", "tests.test_x.TestOne.test_a", 4, 4)]


def test_mark_of_a_module_and_of_a_parameter_set() -> None:
    code = """\
        pytestmark = [pytest.mark.equation("one")]
        @pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.equation("two"))])
        def test_a(x): ...
        """
    assert [equation for equation, *_ in marked(code)] == ["one", "two"]


def test_tag_on_an_assert_names_its_lines() -> None:
    code = """\
        def test_a():
            assert (
                1 == 1
            )  # eq: one, two
        """
    module = SourceFile("tests/test_x.py", "tests.test_x", textwrap.dedent(code))
    assert [(tag.equation, tag.place.first, tag.place.last) for tag in module.tags()] == [
        ("one", 2, 4),
        ("two", 2, 4),
    ]
    assert {tag.place.function for tag in module.tags()} == {"tests.test_x.test_a"}


def test_tag_in_a_string_is_none() -> None:
    assert list(SourceFile("a.py", "a", 'x = "# eq: one"\n').tags()) == []
