"""Whatever does not hold together stops a strict build, and the message says where."""

from pathlib import Path

import pytest
from tiny_project import MODULE, TESTS, Tiny

EQUATION = "    Equation: doubling | Twice\n        y = 2 x\n"


def in_module(text: str, part: str) -> str:
    return _where("src/tiny/__init__.py", text, part)


def in_tests(text: str, part: str) -> str:
    return _where("tests/test_tiny.py", text, part)


def _where(path: str, text: str, part: str) -> str:
    number = next(number for number, line in enumerate(text.splitlines(), 1) if part in line)
    return f"{path}:{number}"


def refused(root: Path, message: str, module: str = MODULE, tests: str = TESTS) -> None:
    done = Tiny.make(root, module, tests).build()
    assert done.returncode != 0
    assert message in done.stderr, done.stderr


def test_a_sound_project_builds(tmp_path: Path) -> None:
    done = Tiny.make(tmp_path).build()
    assert done.returncode == 0, done.stderr


def test_equation_without_computing_line(tmp_path: Path) -> None:
    module = MODULE.replace("  # eq: doubling", "")
    where = in_module(module, "Equation:")
    refused(tmp_path, f"{where}: equation 'doubling' has no computing line", module)


def test_equation_without_test(tmp_path: Path) -> None:
    tests = TESTS.replace('@pytest.mark.equation("doubling")\n', "")
    where = in_module(MODULE, "Equation:")
    refused(tmp_path, f"{where}: equation 'doubling' has no test", tests=tests)


def test_equation_without_reference(tmp_path: Path) -> None:
    module = "".join(line for line in MODULE.splitlines(keepends=True) if "Euclid" not in line)
    where = in_module(module, "Equation:")
    refused(tmp_path, f"{where}: equation 'doubling' has no reference", module)


def test_equation_with_a_duplicate_id(tmp_path: Path) -> None:
    again = EQUATION.replace("Twice", "Twice again")
    module = MODULE.replace(EQUATION, EQUATION + again)
    first, second = in_module(module, "| Twice"), in_module(module, "Twice again")
    refused(tmp_path, f"{second}: equation 'doubling' is defined twice, first at {first}", module)


def test_tag_in_code_naming_no_equation(tmp_path: Path) -> None:
    module = MODULE.replace("return result", "return result  # eq: tripling")
    where = in_module(module, "tripling")
    refused(tmp_path, f"{where}: 'tripling' is no equation of tiny", module)


def test_mark_on_a_test_naming_no_equation(tmp_path: Path) -> None:
    tests = TESTS.replace('("doubling")', '("doubling", "tripling")')
    where = in_tests(tests, "tripling")
    refused(tmp_path, f"{where}: 'tripling' is no equation of tiny", tests=tests)


def test_tag_on_an_assert_naming_no_equation(tmp_path: Path) -> None:
    tests = TESTS.replace("== 4", "== 4  # eq: tripling")
    where = in_tests(tests, "tripling")
    refused(tmp_path, f"{where}: 'tripling' is no equation of tiny", tests=tests)


def test_unreadable_tag(tmp_path: Path) -> None:
    module = MODULE.replace("return result", "return result  # eq: The Doubling")
    where = in_module(module, "The Doubling")
    refused(tmp_path, f"{where}: the tag '# eq: The Doubling' is not of the form", module)


@pytest.mark.parametrize("name", ["outcome", "Elements"], ids=["nowhere", "in the docstring alone"])
def test_symbol_that_the_code_does_not_have(tmp_path: Path, name: str) -> None:
    module = MODULE.replace("y | result |", f"y | {name} |")
    where = in_module(module, f"y | {name}")
    message = f"symbol 'y' is called '{name}' in the code, but tiny.double has no such name"
    refused(tmp_path, f"{where}: {message}", module)


@pytest.mark.parametrize("row", ["y | result | scalar", "y | result | scalar | one | two"])
def test_symbol_with_the_wrong_number_of_columns(tmp_path: Path, row: str) -> None:
    module = MODULE.replace("y | result | scalar | The result", row)
    refused(tmp_path, f"{in_module(module, row)}: a symbol needs the columns", module)


def test_reference_to_no_equation(tmp_path: Path) -> None:
    module = MODULE.replace("doubling | Euclid", "tripling | Euclid")
    refused(tmp_path, f"{in_module(module, 'tripling')}: a reference names 'tripling'", module)


def test_public_name_without_docstring(tmp_path: Path) -> None:
    module = f"{MODULE}\n\ndef half(x: float) -> float:\n    return x / 2\n"
    where = in_module(module, "def half")
    refused(tmp_path, f"{where}: the public function tiny.half has no docstring", module)


def test_formula_that_cannot_be_rendered(tmp_path: Path) -> None:
    module = MODULE.replace("y = 2 x", r"y = \frac{2 x")
    where = in_module(module, "Equation:")
    refused(tmp_path, f"{where}: equation 'doubling' cannot be rendered", module)


def test_equation_without_title(tmp_path: Path) -> None:
    module = MODULE.replace("Equation: doubling | Twice", "Equation: doubling")
    where = in_module(module, "Equation:")
    refused(tmp_path, f"{where}: 'Equation: doubling' is not of the form", module)


def test_computed_fence_naming_nothing(tmp_path: Path) -> None:
    page = "```computed\nnumbers.none\n```\n\n::: tiny"
    done = Tiny.make(tmp_path, page=page).build()
    assert done.returncode != 0
    assert "'computed' asks for 'numbers.none', but there is no" in done.stderr


def test_all_loose_ends_are_named_at_once(tmp_path: Path) -> None:
    module = MODULE.replace("  # eq: doubling", "").replace("y | result |", "y | outcome |")
    done = Tiny.make(tmp_path, module).build()
    for part in ("2 loose ends", "no computing line", "outcome"):
        assert part in done.stderr
