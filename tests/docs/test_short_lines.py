"""Bytecode with short tables of lines is the same bytecode, and each instruction lies on the same line."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

import pytest
from building import PROJECT

LIBRARY = Path(traceback.__file__).parent
MODULES = ("traceback", "typing", "inspect", "dataclasses", "ast", "_pydecimal")
# Lines before the first of the function, jumps of more than 63 lines and calls of more than eight code units.
WIDE = f"""\
@(lambda function:
  function)
def wide(
    value=1,
):
    with open(value) as file:
        [{", ".join(["value"] * 40)},{chr(10) * 200}
        ]; return missing
try:
    wide({LIBRARY.as_posix()!r} + "/traceback.py")
except NameError:
    raise
finally:
    done = True
"""


@pytest.fixture(scope="module")
def short_lines() -> ModuleType:
    spec = spec_from_file_location("short_lines", PROJECT / "widgets" / "build" / "short_lines.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", [*MODULES, "wide"])
def test_every_instruction_stays_on_its_line(short_lines: ModuleType, name: str) -> None:
    source = WIDE if name == "wide" else (LIBRARY / f"{name}.py").read_text(encoding="utf-8")
    code = compile(source, name, "exec", dont_inherit=True)
    pairs = list(zip(pieces(code), pieces(short_lines.with_short_lines(code)), strict=True))
    for before, after in pairs:
        assert after.co_code == before.co_code
        assert after.co_exceptiontable == before.co_exceptiontable
        assert list(after.co_lines()) == list(before.co_lines())
        assert [place[0] for place in after.co_positions()] == [place[0] for place in before.co_positions()]
    before, after = (sum(len(code.co_linetable) for code in codes) for codes in zip(*pairs, strict=True))
    assert after < 0.6 * before


def test_a_traceback_names_the_same_lines(short_lines: ModuleType) -> None:
    code = compile(WIDE, "wide", "exec", dont_inherit=True)
    lines = [lines_of_error(each) for each in (code, short_lines.with_short_lines(code))]
    assert lines[0] == lines[1]
    assert len(lines[0]) > 1
    assert min(lines[0]) > 200


def test_a_table_of_another_format_stops_the_build(
    short_lines: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(short_lines, "UNITS_OF_ENTRY", 9)
    with pytest.raises(ValueError, match=r"the table of lines of .* has a format that is not known here"):
        short_lines.with_short_lines(compile(WIDE, "wide", "exec", dont_inherit=True))


def pieces(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from pieces(each)


def lines_of_error(code: CodeType) -> list[int]:
    with pytest.raises(NameError) as caught:
        exec(code, {})
    frames = traceback.extract_tb(caught.tb)
    return [frame.lineno or 0 for frame in frames if frame.filename == "wide"]
