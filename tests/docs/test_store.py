"""What is made from files is made once, and kept for as long as builds use it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from optim_ref_docs.store import SECONDS_KEPT, derive


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


def test_what_no_build_has_used_for_long_is_forgotten(derived: Path) -> None:
    derive([b"used"], lambda: b"used")
    derive([b"unused"], lambda: b"unused")
    for path in derived.iterdir():
        age(path)
    derive([b"used"], unexpected)
    derive([b"new"], lambda: b"new")
    assert {path.read_bytes() for path in derived.iterdir()} == {b"used", b"new"}
