"""Firefox and WebKitGTK find the page's values and listings to be what they compute and run."""

from __future__ import annotations

import pytest
from tests.engines.reader import PROOFS, Reader

ASK = """() => document.querySelector("live-example input")
  .dispatchEvent(new Event("input", { bubbles: true }))"""


@pytest.mark.parametrize("path", ["adamw/", "schedule/", "clipping/", "per-example-clipping/"])
def test_built_values_and_listings_are_proven(reader: Reader, path: str) -> None:
    reader.visit(path)
    reader.engine.run(ASK)
    reader.await_proof()
    assert set(reader.engine.run(PROOFS)) == {"true"}
