"""The live examples and the pages they stand on, read from the pages themselves."""

from __future__ import annotations

import re

from building import PROJECT

from live.example import Example, load

FENCE = re.compile(r"^```live-example\n(.+)\n```$", re.MULTILINE)


def pages() -> list[str]:
    """The address of every page below the site, listings of source files left out."""
    docs = PROJECT / "docs"
    found = [path.relative_to(docs) for path in docs.rglob("*.md") if "source" not in path.parts]
    return sorted(
        f"{path.with_suffix('').as_posix()}/".replace("index/", "")
        for path in found
        if "templates" not in path.parts
    )


def examples() -> list[tuple[str, str]]:
    """Pairs of a page's address and the name of an example on it."""
    return [
        (page, name)
        for page in pages()
        for name in FENCE.findall((PROJECT / "docs" / f"{page.rstrip('/') or 'index'}.md").read_text("utf-8"))
        if (PROJECT / "docs" / f"{page.rstrip('/') or 'index'}.md").exists()
    ]


def example(name: str) -> Example:
    return load(name)
