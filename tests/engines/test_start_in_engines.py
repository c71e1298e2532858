"""Both ways to start Python work in every engine: from the memory image, and plainly."""

from __future__ import annotations

import pytest
from tests.engines.live_example import LiveExample
from tests.engines.reader import Reader

IMAGE_DOES_NOT_FIT = """() => {
  const { files } = JSON.parse(document.querySelector("live-example").dataset.runtime);
  const image = files.find((each) => each.name === "memory-image");
  localStorage.setItem("optim_ref.image-does-not-fit", image.sha256);
}"""
WAY = "() => performance.getEntriesByName('python-started').at(-1).detail"
EXPECTED = repr((1 - 0.9) * 0.25)
# WebKit puts other things into the table of functions than the engine that took the image.
WAYS = {"firefox": "image", "webkitgtk": "plain"}


def start(reader: Reader) -> str:
    """Start Python on a fresh page, and see it answer; returns the way that was taken."""
    reader.open("adamw/")
    assert LiveExample(reader, "adamw-one-step").recompute(grad="0.25")["m"] == EXPECTED
    return str(reader.engine.run(WAY))


def test_python_starts_from_the_memory_image_where_it_fits(
    reader: Reader, request: pytest.FixtureRequest
) -> None:
    assert start(reader) == WAYS[request.node.callspec.params["engine"]]


def test_python_starts_plainly_where_the_image_is_known_not_to_fit(reader: Reader) -> None:
    reader.open("adamw/")
    reader.engine.run(IMAGE_DOES_NOT_FIT)
    try:
        assert start(reader) == "plain"
    finally:
        reader.engine.run("() => localStorage.clear()")
