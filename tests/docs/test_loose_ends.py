"""Whatever does not hold together stops a strict build, and the message says where."""

from pathlib import Path

import pytest
from tests.docs.site import MODULE, TESTS, Tiny

SOURCE = "src/tiny/__init__.py"
TEST_FILE = "tests/test_tiny.py"


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def refused(root: Path, path: str, line: int, message: str, module: str = MODULE, tests: str = TESTS) -> None:
    done = Tiny.make(root, module, tests).build()
    assert done.returncode != 0
    assert f"{path}:{line}: {message}" in done.stderr, done.stderr


def test_a_sound_project_builds(tiny: Tiny) -> None:
    done = tiny.build()
    assert done.returncode == 0, done.stderr


def test_equation_without_computing_line(tmp_path: Path) -> None:
    module = MODULE.replace("  # eq: doubling", "")
    line = line_of(module, "Equation:")
    refused(tmp_path, SOURCE, line, "equation 'doubling' has no computing line", module)


def test_equation_without_test(tmp_path: Path) -> None:
    tests = TESTS.replace('@pytest.mark.equation("doubling")\n', "")
    line = line_of(MODULE, "Equation:")
    refused(tmp_path, SOURCE, line, "equation 'doubling' has no test", tests=tests)


def test_equation_without_reference(tmp_path: Path) -> None:
    module = MODULE.replace("        doubling | Euclid", "        #| Euclid").replace("    References:\n", "")
    module = "\n".join(line for line in module.splitlines() if "Euclid" not in line) + "\n"
    refused(tmp_path, SOURCE, line_of(module, "Equation:"), "equation 'doubling' has no reference", module)


def test_equation_with_a_duplicate_id(tmp_path: Path) -> None:
    equation = "    Equation: doubling | Twice\n        y = 2 x\n"
    module = MODULE.replace(equation, equation * 2)
    first = line_of(module, "Equation:")
    message = f"equation 'doubling' is defined twice, first at {SOURCE}:{first}"
    refused(tmp_path, SOURCE, first + 2, message, module)


def test_tag_in_code_naming_no_equation(tmp_path: Path) -> None:
    module = MODULE.replace("return result", "return result  # eq: tripling")
    refused(tmp_path, SOURCE, line_of(module, "tripling"), "'tripling' is no equation of tiny", module)


def test_mark_on_a_test_naming_no_equation(tmp_path: Path) -> None:
    tests = TESTS.replace('("doubling")', '("doubling", "tripling")')
    line = line_of(tests, "tripling")
    refused(tmp_path, TEST_FILE, line, "'tripling' is no equation of tiny", tests=tests)


def test_unreadable_tag(tmp_path: Path) -> None:
    module = MODULE.replace("return result", "return result  # eq: The Doubling")
    refused(tmp_path, SOURCE, line_of(module, "The Doubling"), "the tag '# eq: The Doubling'", module)


def test_symbol_that_the_code_does_not_have(tmp_path: Path) -> None:
    module = MODULE.replace("y | result |", "y | outcome |")
    message = "symbol 'y' is called 'outcome' in the code, but tiny.double has no such name"
    refused(tmp_path, SOURCE, line_of(module, "outcome"), message, module)


def test_symbol_that_only_the_docstring_has(tmp_path: Path) -> None:
    module = MODULE.replace("y | result |", "y | Elements |")
    refused(tmp_path, SOURCE, line_of(module, "y | Elements"), "symbol 'y' is called 'Elements'", module)


@pytest.mark.parametrize("row", ["y | result | scalar", "y | result | scalar | one | two"])
def test_symbol_with_the_wrong_number_of_columns(tmp_path: Path, row: str) -> None:
    module = MODULE.replace("y | result | scalar | The result", row)
    refused(tmp_path, SOURCE, line_of(module, row), "a symbol needs the columns", module)


def test_reference_to_no_equation(tmp_path: Path) -> None:
    module = MODULE.replace("doubling | Euclid", "tripling | Euclid")
    refused(tmp_path, SOURCE, line_of(module, "tripling"), "a reference names 'tripling'", module)


def test_public_name_without_docstring(tmp_path: Path) -> None:
    module = MODULE + "\n\ndef half(x: float) -> float:\n    return x / 2\n"
    message = "the public function tiny.half has no docstring"
    refused(tmp_path, SOURCE, line_of(module, "def half"), message, module)


def test_formula_that_cannot_be_rendered(tmp_path: Path) -> None:
    module = MODULE.replace("y = 2 x", r"y = \frac{2 x")
    refused(tmp_path, SOURCE, line_of(module, "Equation:"), "equation 'doubling' cannot be rendered", module)


def test_heading_without_title(tmp_path: Path) -> None:
    module = MODULE.replace("Equation: doubling | Twice", "Equation: doubling")
    refused(tmp_path, SOURCE, line_of(module, "Equation:"), "'Equation: doubling' is not of the form", module)


def test_all_loose_ends_are_named_at_once(tmp_path: Path) -> None:
    module = MODULE.replace("  # eq: doubling", "").replace("y | result |", "y | outcome |")
    done = Tiny.make(tmp_path, module).build()
    assert "2 loose ends" in done.stderr
    assert "no computing line" in done.stderr
    assert "outcome" in done.stderr
