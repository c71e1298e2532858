"""The live examples and the pages they stand on, read from the pages' own text."""

from __future__ import annotations

import re
from pathlib import Path

from building import PROJECT

DOCS = PROJECT / "docs"
NO_PAGES = {"source", "templates"}
FENCE = re.compile(r"^```live-example\n(.+)\n```$", re.MULTILINE)


def pages() -> list[str]:
    """The address of every page below the site, listings of source files left out."""
    return sorted(map(_address, _files()))


def examples() -> list[tuple[str, str]]:
    """Pairs of a page's address and the name of an example on it."""
    return sorted(
        (_address(file), name) for file in _files() for name in FENCE.findall(file.read_text("utf-8"))
    )


def _files() -> list[Path]:
    return [path for path in DOCS.rglob("*.md") if not NO_PAGES.intersection(path.relative_to(DOCS).parts)]


def _address(file: Path) -> str:
    page = file.relative_to(DOCS).with_suffix("").as_posix() + "/"
    return re.sub(r"(^|/)index/$", r"\1", page)
