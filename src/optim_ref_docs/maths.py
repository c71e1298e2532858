"""TeX to MathML, at build time: pages hold no TeX and need no script.

MathML Core is drawn by Chromium, Firefox and Safari themselves and read aloud by screen readers.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup
from math_core import LatexError, LatexToMathML

from optim_ref_docs.equations import Symbol

_CONVERTER = LatexToMathML(fancy_error=False)


class MathsError(ValueError):
    """A formula that cannot be rendered."""


@lru_cache(maxsize=4096)
def _convert(tex: str, display: bool) -> str:
    try:
        html = _CONVERTER.convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:
        raise MathsError(f"{error} in {tex!r}") from error
    return html.replace("&ApplyFunction;", "\N{FUNCTION APPLICATION}")  # an entity of HTML, not of XML


def to_mathml(tex: str, *, display: bool = False) -> ET.Element:
    """A `<math>` element."""
    math = ET.fromstring(_convert(" ".join(tex.split()), display))
    math.set("data-search-exclude", "")
    return math


def formula(tex: str, *, display: bool = False) -> Markup:
    """HTML of a formula."""
    return Markup(ET.tostring(to_mathml(tex, display=display), encoding="unicode"))


def spoken(tex: str) -> str:
    """The letters and digits of a formula as plain text, to name what shows nothing but the formula."""
    return "".join(text for part in to_mathml(tex).itertext() if (text := part.strip()))


class SymbolMarker:
    """Draws formulas in which each of some symbols can be pointed at: `data-symbol` is its key."""

    def __init__(self, symbols: Iterable[Symbol]) -> None:
        # The largest first, since nothing inside a marked symbol is marked again.
        patterns = [
            (tuple(_shape(element) for element in to_mathml(symbol.tex)), symbol) for symbol in symbols
        ]
        self._patterns = sorted(patterns, key=lambda item: sum(map(len, item[0])), reverse=True)

    def formula(self, tex: str) -> Markup:
        """HTML of a displayed formula."""
        math = to_mathml(tex, display=True)
        self._mark(math, set())
        return Markup(ET.tostring(math, encoding="unicode"))

    def _mark(self, parent: ET.Element, seen: set[str]) -> None:
        children = list(parent)
        shapes = [_shape(child) for child in children]
        position = 0
        while position < len(children):
            for pattern, symbol in self._patterns:
                here = slice(position, position + len(pattern))
                if tuple(shapes[here]) == pattern or (_without_power(children[position]),) == pattern:
                    _hook(_joined(parent, children[here]), symbol, seen)
                    position += len(pattern)
                    break
            else:
                self._mark(children[position], seen)
                position += 1


def _shape(element: ET.Element) -> str:
    """An element as text, attributes aside: spacing differs between a symbol alone and one in a formula."""
    return f"<{element.tag}>{(element.text or '').strip()}{''.join(map(_shape, element))}</>"


def _without_power(element: ET.Element) -> str:
    """The shape of an indexed symbol that is raised to a power: one element of base, index and exponent."""
    if element.tag != "msubsup":
        return ""
    base, index, _ = element
    return f"<msub>{_shape(base)}{_shape(index)}</>"


def _joined(parent: ET.Element, elements: list[ET.Element]) -> ET.Element:
    """One element in the place of several neighbours."""
    if len(elements) == 1:
        return elements[0]
    row = ET.Element("mrow")
    parent.insert(list(parent).index(elements[0]), row)
    for element in elements:
        parent.remove(element)
    row.extend(elements)
    return row


def _hook(element: ET.Element, symbol: Symbol, seen: set[str]) -> None:
    element.set("data-symbol", symbol.key)
    if symbol.key not in seen:  # one stop of the tab key for each symbol of a formula
        element.set("tabindex", "0")
        seen.add(symbol.key)
