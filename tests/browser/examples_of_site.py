"""The pages of the site and the live examples that stand on them, read from the pages' own sources."""

from __future__ import annotations

import re

from building import PROJECT

DOCS = PROJECT / "docs"
FENCE = re.compile(r"^```live-example\n(.+)\n```$", re.MULTILINE)
SHOWN_AS_TEXT = re.compile(r"^````.*?^````$", re.MULTILINE | re.DOTALL)


def sources() -> dict[str, str]:
    """The text of each page by its address below the site, listings of source files left out."""
    paths = [path.relative_to(DOCS) for path in sorted(DOCS.rglob("*.md"))]
    return {
        f"{path.with_suffix('').as_posix()}/".removesuffix("index/"): (DOCS / path).read_text("utf-8")
        for path in paths
        if path.parts[0] not in {"source", "templates"}
    }


def pages() -> list[str]:
    return list(sources())


def examples() -> list[tuple[str, str]]:
    """Pairs of a page's address and the name of an example on it."""
    return [
        (page, name)
        for page, text in sources().items()
        for name in FENCE.findall(SHOWN_AS_TEXT.sub("", text))
    ]
