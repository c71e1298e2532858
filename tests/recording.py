"""Records for the pages: tests find all of it anew at every run, hold it against the record, or write one."""

from __future__ import annotations

import os
from typing import Any

from building import PROJECT

from optim_ref_docs import recorded

FOLDER = PROJECT / "docs" / "computed"
WRITES = bool(os.environ.get("WRITE_RECORDS"))
MODULES = (
    *("_arrays", "_checks", "adamw", "clipping", "config", "norms", "per_example", "schedule", "tree"),
    "variants",
)


def current(name: str, content: dict[str, Any], others: list[str]) -> dict[str, Any]:
    """The record of `make {name}`, which must be of the package and the `others` as they are now.

    Where that very command runs, `content` is written first.
    """
    path = FOLDER / f"{name}.json"
    patterns = [*others, *(f"src/optim_ref/{module}.py" for module in MODULES)]
    if WRITES:
        recorded.write(path, content, PROJECT, patterns)
    record = recorded.read(path)
    assert record["made_from"] == recorded.fingerprints(PROJECT, patterns), f"run make {name}"
    return record
