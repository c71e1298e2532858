"""Firefox and WebKitGTK find the page's values and listings to be what they compute and run."""

from __future__ import annotations

import pytest
from tests.engines.reader import Reader

ASK = """() => document.querySelector("live-example input")
  .dispatchEvent(new Event("input", { bubbles: true }))"""
PROOFS = """() => [
  ...document.querySelectorAll("live-example:not([data-streams]) .live-example__proof, .eq-ran"),
].map((each) => each.dataset.same ?? null)"""


@pytest.mark.parametrize("path", ["adamw/", "schedule/", "clipping/", "per-example-clipping/"])
def test_built_values_and_listings_are_proven(reader: Reader, path: str) -> None:
    reader.visit(path)
    reader.engine.run(ASK)
    reader.until(f"() => !({PROOFS})().includes(null)")
    assert set(reader.engine.run(PROOFS)) == {"true"}
