"""Tables for pages: accessible, scrolling in their own box, out of the search index."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from .maths import formula

type Cell = str | float


@dataclass(frozen=True)
class Table:
    """Rows under a caption; the first cell of each row is its heading. Text is escaped, `Markup` is not."""

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
    kind = "" if isinstance(cell, str) else Markup(' class="eq-numeric"')
    return Markup("<td{}>{}</td>").format(kind, _text(cell))


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else number(cell)


def code(text: str) -> Markup:
    """A piece of code as a cell."""
    return Markup("<code>{}</code>").format(text)


def tex(text: str) -> Markup:
    """A formula as a cell."""
    return formula(text)


def joined(*parts: str) -> Markup:
    """A cell of several parts, with spaces between."""
    return Markup(" ").join(escape(part) for part in parts)


def number(value: float) -> str:
    """Eight decimals from 0.1 on, else eight significant digits; exponents from 1e9 and below 1e-6."""
    value = float(value)
    size = abs(value)
    if not math.isfinite(value) or value == 0:
        return f"{value:g}"
    if size >= 1e9 or size < 1e-6:
        mantissa, _, exponent = f"{value:.7e}".partition("e")
        return f"{_trim(mantissa)}e{int(exponent)}"
    decimals = 8 if size >= 0.1 else 7 - math.floor(math.log10(size))
    return _trim(f"{value:.{decimals}f}")


def _trim(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
