"""Links keep leading where they led when equations are added (mkdocs-material 6448)."""

from pathlib import Path

from tiny_project import MODULE, TESTS, Tiny, words

NEW = """\
    Equation: identity | Once
        y = x
"""


def test_an_equation_inserted_before_another_changes_its_number_and_not_its_address(tmp_path: Path) -> None:
    module = MODULE.replace("    Equation: doubling", f"{NEW}    Equation: doubling")
    module = module.replace("    References:\n", "    References:\n        identity | Euclid, book I\n")
    module = module.replace("    return result", "    return result  # eq: identity", 1)
    tests = TESTS.replace('("doubling")', '("doubling", "identity")')
    tiny = Tiny.make(tmp_path, module, tests)
    done = tiny.build()
    assert done.returncode == 0, done.stderr
    text = tiny.page().text_of
    assert words(text["eq-identity"]).startswith("Once (1)")
    assert words(text["eq-doubling"]).startswith("Twice (2)")
