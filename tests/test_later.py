"""A module that is imported later: when something of it is asked for, and again where that failed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path

import pytest

from live.later import Later

NAME = "a_module_to_come"
MODULE = "imported = []\ndef double(x):\n    return 2 * x\n"


@pytest.fixture
def later() -> Iterator[Later]:
    module = sys.modules[NAME] = Later(NAME)
    yield module
    sys.modules.pop(NAME, None)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def write(folder: Path) -> None:
    (folder / f"{NAME}.py").write_text(MODULE, encoding="utf-8")
    invalidate_caches()


def test_whoever_holds_it_gets_the_module_once_something_is_asked_for(later: Later, folder: Path) -> None:
    write(folder)
    assert import_module(NAME) is later
    assert not hasattr(later, "__file__")
    assert vars(later).keys().isdisjoint({"double", "imported"})
    assert later.double(2) == 4
    real = sys.modules[NAME]
    assert real is not later
    assert later.imported is real.imported
    assert later.double is real.double
    with pytest.raises(AttributeError, match="treble"):
        _ = later.treble


def test_everything_can_be_imported_from_it(later: Later, folder: Path) -> None:
    write(folder)
    names: dict[str, object] = {}
    exec(f"from {NAME} import *", names)
    assert names["double"] is later.double


def test_an_import_that_fails_is_tried_again(later: Later, folder: Path) -> None:
    for _ in range(2):
        with pytest.raises(ModuleNotFoundError, match=NAME):
            _ = later.double
        assert sys.modules[NAME] is later
    write(folder)
    assert later.double(3) == 6


def test_a_part_of_a_package_to_come_is_looked_for(later: Later) -> None:
    later.__path__ = []
    with pytest.raises(ModuleNotFoundError, match=rf"{NAME}\.part"):
        import_module(f"{NAME}.part")
