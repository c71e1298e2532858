"""What pages say of runs that no build can repeat is of the code as it is, and says so when it is not."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import peers
import pytest
import recording
from building import PROJECT

from optim_ref_docs import recorded

OTHERS = ["tests/data/*.json", "tests/peer*.py"]


def tally() -> dict[str, Any]:
    """How the peers' cases fare, by library, and by the rule that leaves a case out."""
    found = peers.outcomes()
    statuses = Counter((each.library, each.status) for each in found)
    rules = Counter((each.library, each.reason) for each in found if each.status == "skipped")
    return {
        "libraries": [
            {"library": library}
            | {status: statuses[library, status] for status in ("held", "skipped", "failed")}
            for library in sorted({each.library for each in found})
        ],
        "rules": [
            {"library": library, "reason": reason, "cases": cases}
            for (library, reason), cases in sorted(rules.items())
        ],
    }


def test_the_recorded_cases_fare_as_the_page_says() -> None:
    content = tally()
    record = recording.current("peers", content, OTHERS)
    assert record == content | {"made_from": record["made_from"]}, "run make peers"
    assert not any(each["failed"] for each in record["libraries"])


def test_the_record_of_the_bits_is_of_the_code_as_it_is() -> None:
    record = recorded.read(recording.FOLDER / "bits.json")
    assert recorded.changed(PROJECT, record) == [], "run make bits"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ('"""Other words."""\n\n\ndef f(x):\n    # why\n    return x + 1\n', []),
        ('"""Words."""\n\n\ndef f(x):\n    return x + 2\n', ["a.py"]),
        ('"""Words."""\n\n\ndef f(x):\n    return "x" + 1\n', ["a.py"]),
        ("def f(x):\n    pass\nreturn x + 1\n", ["a.py"]),
        (None, ["a.py"]),
    ],
    ids=["other comments", "another number", "a text that is no docstring", "other blocks", "no file"],
)
def test_only_what_the_code_does_makes_a_record_old(
    tmp_path: Path, after: str | None, expected: list[str]
) -> None:
    file = tmp_path / "a.py"
    file.write_text('"""Words."""\n\n\ndef f(x):\n    """More."""\n    return x + 1\n', encoding="utf-8")
    recorded.write(tmp_path / "record.json", {"cases": 3}, tmp_path, ["*.py"])
    record = recorded.read(tmp_path / "record.json")
    assert recorded.changed(tmp_path, record) == []
    file.unlink()
    if after:
        file.write_text(after, encoding="utf-8")
    assert recorded.changed(tmp_path, record) == expected


def test_any_other_byte_of_other_files_makes_a_record_old(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps([1]), encoding="utf-8")
    record = {"made_from": recorded.fingerprints(tmp_path, ["*.json"])}
    (tmp_path / "a.json").write_text(json.dumps([2]), encoding="utf-8")
    assert recorded.changed(tmp_path, record) == ["a.json"]
