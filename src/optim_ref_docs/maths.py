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


def formula(tex: str, symbols: Iterable[Symbol] = (), *, display: bool = False) -> Markup:
    """HTML of a formula in which each symbol can be pointed at: `data-symbol` is its key."""
    math = to_mathml(tex, display=display)
    patterns = sorted(((_pattern(symbol.tex), symbol) for symbol in symbols), key=_size, reverse=True)
    _mark(math, patterns, set())
    return Markup(ET.tostring(math, encoding="unicode"))


type _Pattern = tuple[str, ...]


def _pattern(tex: str) -> _Pattern:
    return tuple(_shape(element) for element in to_mathml(tex))


def _size(item: tuple[_Pattern, Symbol]) -> int:
    return sum(map(len, item[0]))


def _shape(element: ET.Element) -> str:
    """An element as text, attributes aside: spacing differs between a symbol alone and one in a formula."""
    children = "".join(_shape(child) for child in element)
    return f"<{element.tag}>{(element.text or '').strip()}{children}</>"


def _mark(parent: ET.Element, patterns: list[tuple[_Pattern, Symbol]], seen: set[str]) -> None:
    """Mark the largest symbols first; nothing inside a marked one is marked again."""
    position = 0
    while position < len(parent):
        for pattern, symbol in patterns:
            here = parent[position : position + len(pattern)]
            if _matches(here, pattern):
                element = here[0] if len(here) == 1 else _wrap(parent, position, here)
                _hook(element, symbol, seen)
                break
        else:
            _mark(parent[position], patterns, seen)
        position += 1


def _matches(elements: list[ET.Element], pattern: _Pattern) -> bool:
    if tuple(map(_shape, elements)) == pattern:
        return True
    # A power of a symbol with an index is one element with three parts: base, index, exponent.
    if len(elements) == len(pattern) == 1 and elements[0].tag == "msubsup":
        return f"<msub>{_shape(elements[0][0])}{_shape(elements[0][1])}</>" == pattern[0]
    return False


def _wrap(parent: ET.Element, position: int, elements: list[ET.Element]) -> ET.Element:
    row = ET.Element("mrow")
    row.extend(elements)
    for element in elements:
        parent.remove(element)
    parent.insert(position, row)
    return row


def _hook(element: ET.Element, symbol: Symbol, seen: set[str]) -> None:
    element.set("data-symbol", symbol.key)
    if symbol.key not in seen:  # one stop of the tab key for each symbol of a formula
        element.set("tabindex", "0")
        seen.add(symbol.key)
