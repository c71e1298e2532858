"""The fence of a live example: whatever goes wrong in it stops the build."""

from __future__ import annotations

import dataclasses
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from building import PROJECT

from live.example import load
from optim_ref_docs import assets, live_example


@pytest.fixture(scope="module", autouse=True)
def prepared() -> None:
    assets.prepare(PROJECT)


def fence(name: str) -> str:
    return live_example.fence(name, "", "", {}, SimpleNamespace(block_level_elements=[]))


def fails(error: BaseException) -> Any:
    def run(_: Any) -> Any:
        raise error

    return run


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"run": fails(ValueError("beta1 = 1.0"))}, "beta1 = 1.0"),
        ({"run": fails(KeyError("w"))}, r"KeyError\('w'\)"),
        ({"run": fails(AssertionError())}, r"AssertionError\(\)"),
        ({"run": fails(ZeroDivisionError("division by zero"))}, r"ZeroDivisionError\('division by zero'\)"),
        ({"function": len}, r"TypeError\('module, class, .*"),
        ({"snippet": lambda _: 1 / 0}, r"ZeroDivisionError\('division by zero'\)"),
        ({"outputs": {"nothing": "Nothing"}}, "UndefinedError.*has no attribute 'nothing'"),
    ],
)
def test_any_exception_stops_the_build_and_names_the_example(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], message: str
) -> None:
    broken = dataclasses.replace(load("clip-tree"), **change)
    monkeypatch.setattr(sys.modules["examples.clip_tree"], "EXAMPLE", broken)
    with pytest.raises(live_example.FenceError, match=f"^live-example fence 'clip-tree': {message}"):
        fence("clip-tree")


def test_a_module_that_cannot_be_imported_is_named_with_its_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    import examples  # noqa: PLC0415

    folder = tmp_path / "examples"
    folder.mkdir()
    (folder / "broken.py").write_text("\nimport nothing_of_that_name\n", encoding="utf-8")
    monkeypatch.setattr(examples, "__path__", [*examples.__path__, str(folder)])
    with pytest.raises(live_example.FenceError, match=r"nothing_of_that_name.*broken\.py, line 2\)$"):
        fence("broken")
