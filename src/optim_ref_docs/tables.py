"""Tables for pages: accessible, scrolling in their own box, out of the search index."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from live.numbers import shown
from optim_ref_docs.maths import formula

LONG = 24

type Cell = str | float


@dataclass(frozen=True)
class Table:
    """Rows under a caption; the first cell of each row is its heading.

    Text is escaped, but for code between backticks; `Markup` stays as it is.
    """

    caption: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]

    def html(self) -> Markup:
        """The table, as the templates of the section pages draw theirs."""
        columns = Markup("").join(Markup('<th scope="col">{}</th>').format(column) for column in self.columns)
        rows = Markup("\n").join(_row(row) for row in self.rows)
        return Markup(
            '<figure class="eq-table" data-search-exclude>'
            '<div class="eq-scroll" role="region" tabindex="0" aria-label="{caption}"><table class="eq">'
            "<caption>{caption}</caption><thead><tr>{columns}</tr></thead><tbody>{rows}</tbody>"
            "</table></div></figure>"
        ).format(caption=self.caption, columns=columns, rows=rows)


def _row(cells: Sequence[Cell]) -> Markup:
    heading = Markup('<th scope="row">{}</th>').format(_text(cells[0]))
    return Markup("<tr>{}</tr>").format(heading + Markup("").join(map(_cell, cells[1:])))


def _cell(cell: Cell) -> Markup:
    kind = Markup(' class="{}"').format(name) if (name := _kind(cell)) else ""
    return Markup("<td{}>{}</td>").format(kind, _text(cell))


def _kind(cell: Cell) -> str:
    """The class of a cell: numbers stand in a column, and what is long gets room and may be broken."""
    if not isinstance(cell, str):
        return "eq-numeric"
    if isinstance(cell, Markup) or len(cell) <= LONG:
        return ""
    if cell.startswith("`") and cell.endswith("`"):
        return "eq-code"
    return "" if "`" in cell else "eq-prose"


def _text(cell: Cell) -> Markup:
    if isinstance(cell, Markup):
        return cell
    if isinstance(cell, str):
        return with_code(cell)
    return escape(shown(cell))


def with_code(text: str) -> Markup:
    """Text in which code stands between backticks."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", escape(text)))


def tex(text: str) -> Markup:
    """A formula as a cell."""
    return formula(text)


def link(text: str, href: str) -> Markup:
    """A link as a cell; an address `docs:page.md` names a page of the site."""
    return Markup('<a href="{}">{}</a>').format(href, text)


def cross_reference(path: str, text: str = "") -> Markup:
    """A link to the documentation of an object, wherever that is."""
    return Markup('<autoref identifier="{}"><code>{}</code></autoref>').format(path, text or path)
