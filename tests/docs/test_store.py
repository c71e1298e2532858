"""What is made from files is made once, and kept for as long as builds use it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from building import PROJECT

from optim_ref_docs import assets, bytecode, image
from optim_ref_docs.store import SECONDS_KEPT, code_of, derive, forget_unused

MAKERS = ("wheel.py", "bytecode.py", "image.py", "bundle.py", "shortened.py")


@pytest.fixture
def derived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPTIM_REF_CACHE", str(tmp_path))
    return tmp_path / "derived"


def age(path: Path) -> None:
    """Let a file have been used last a little longer ago than is kept."""
    then = time.time() - SECONDS_KEPT - 60
    os.utime(path, (then, then))


def unexpected() -> bytes:
    raise AssertionError("made anew")


def test_the_same_inputs_are_made_once_and_others_anew(derived: Path) -> None:
    assert derive([b"a", b"b"], lambda: b"first") == b"first"
    assert derive([b"a", b"b"], unexpected) == b"first"
    assert derive([b"ab"], lambda: b"second") == b"second"
    assert len(list(derived.iterdir())) == 2


def test_an_altered_file_is_made_anew(derived: Path) -> None:
    derive([b"a"], lambda: b"first")
    (stored,) = derived.iterdir()
    stored.write_bytes(b"altered")
    assert derive([b"a"], lambda: b"first") == b"first"
    assert stored.read_bytes() == b"first"


def test_what_no_build_has_used_for_long_is_forgotten_at_its_end(derived: Path) -> None:
    for name in ("used", "unused"):
        derive([name.encode()], name.encode)
    for path in derived.iterdir():
        age(path)
    derive([b"new"], lambda: b"new")
    derive([b"used"], unexpected)
    forget_unused()
    assert {path.read_bytes() for path in derived.iterdir()} == {b"used", b"new"}


def test_a_cache_that_was_never_written_to_has_nothing_to_forget(derived: Path) -> None:
    forget_unused()
    assert not derived.exists()


def test_what_is_made_depends_on_the_code_that_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    codes: list[set[str]] = []

    def note(inputs: Iterable[bytes], _make: object) -> bytes:
        codes.append({name for name in MAKERS if code_of(name) in inputs})
        return b"0"

    for module in (assets, bytecode, image):
        monkeypatch.setattr(module, "derive", note)
    monkeypatch.setattr(assets, "_lay_out", lambda *_: {})
    monkeypatch.setattr(image, "native_modules", lambda *_: {})
    assets.prepare(PROJECT)
    made = {frozenset(each) for each in codes}
    assert made == {
        frozenset({"wheel.py"}),
        frozenset({"bytecode.py"}),
        frozenset({"image.py", "shortened.py"}),
        frozenset({"bundle.py"}),
        frozenset({"bundle.py", "shortened.py"}),
    }
