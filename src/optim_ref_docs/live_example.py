"""The fence `live-example`: a live example in a page, prerendered by the module that the browser runs."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from pymdownx.superfences import SuperFencesException

from optim_ref_docs import assets
from optim_ref_docs.figure_image import panels, svg

if TYPE_CHECKING:
    from live.example import Example
    from live.results import Cell, Column

TEMPLATES = Environment(
    loader=PackageLoader("optim_ref_docs"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=False,
)

DESCRIBED_IN = ("examples", "exercises")
"""The folders of what fences name."""


class FenceError(SuperFencesException):  # type: ignore[misc]
    """A fence that names no example or exercise, or one that does not run: the build stops."""


def fence(source: str, _language: str, _class: str, _options: dict[str, Any], md: Any, **_more: Any) -> str:
    """Format a `live-example` fence, whose text is the example's name."""
    # Imported at each use: `mkdocs serve` drops the project's modules when they may have changed.
    from live.example import load  # noqa: PLC0415

    hold_blocks(md, "live-example")
    with stopping_the_build(f"live-example fence {source.strip()!r}"):
        return render(load(source.strip()))


@contextmanager
def stopping_the_build(what: str) -> Iterator[None]:
    """Let any exception stop the build, with `what` in its message; MkDocs adds the page.

    SuperFences would show the text of the fence in its place, and say nothing.
    """
    try:
        yield
    except Exception as error:
        # Not every exception has a message that says what it is: a `KeyError` has the key alone.
        message = error if type(error) in (LookupError, ValueError) else repr(error)
        raise FenceError(f"{what}: {message}{_where(error)}") from error


def _where(error: Exception) -> str:
    """The last line of an example or exercise that the error came through: nobody needs the traceback."""
    frames = [(Path(frame.filename), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    described = [(path, line) for path, line in frames if path.parent.name in DESCRIBED_IN]
    return " ({}, line {})".format(*described[-1]) if described else ""


def hold_blocks(md: Any, element: str) -> None:
    """Tell Markdown that an element holds blocks: else it puts a paragraph around it, which HTML closes."""
    if element not in md.block_level_elements:
        md.block_level_elements.append(element)


def render(example: Example) -> Markup:
    """The example's HTML, with the results of its start values."""
    from live.example import start_result  # noqa: PLC0415

    result = start_result(example)
    plain = result.plain()
    live = assets.current()
    html = TEMPLATES.get_template("live-example.html.jinja").render(
        example=example,
        values=plain | {"code": example.snippet(example.start_values())},
        result=result,
        rows=_rows(example, plain["rows"]),
        table_rows=_table_rows(plain["table"]["columns"]) if plain["table"] else [],
        function=f"{example.function.__module__}.{example.function.__qualname__}",
        inputs=" ".join(f"{example.name}-in-{field.name}" for field in example.fields),
        image=svg(result.figure, f"{example.name}-image") if result.figure else "",
        panels=len(panels(result.figure)) if result.figure else 0,
        runtime=live["runtime"],
        scripts=live["figures"],
        download=download_size(live["download"]),
    )
    return Markup(html)


def _rows(example: Example, shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every row the traced function can have; one whose line did not run has an empty cell to be filled."""
    ran = {row["line"]: row["cells"] for row in shown}
    empty = [("", "")]
    return [
        row | {"cells": ran.get(row["line"], empty), "ran": row["line"] in ran}
        for row in example.possible_rows()
    ]


def _table_rows(columns: list[Column]) -> Iterable[tuple[Cell, ...]]:
    """The cells of a table, row by row."""
    return zip(*(zip(*column, strict=True) for column in columns), strict=True)


def download_size(size: dict[str, int]) -> str:
    """The usual download in words, rounded up.

    Where the memory image does not fit, more is fetched, but from a host that compresses still less than
    the first figure.

    Examples:
        >>> download_size({"plain": 18_310_000, "gzip": 7_000_000})
        'up to 19 MB, or 7 MB compressed'
    """
    plain, compressed = (-(-size[kind] // 1_000_000) for kind in ("plain", "gzip"))
    return f"up to {plain} MB, or {compressed} MB compressed"
