"""Listings of Python files: every line has an id and a number to link to, every equation tag is a link.

Line numbers are drawn by the style sheet from `data-line`, so that copying and searching see the code alone.
"""

import re
import textwrap
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from html import escape

from markupsafe import Markup
from pygments.lexers.python import PythonLexer
from pygments.token import STANDARD_TYPES, Comment, String, _TokenType

from optim_ref_docs.equations import Symbol
from optim_ref_docs.source import TAG

type _Token = tuple[_TokenType, str]

_UNCOLOURED = ("", "n", "w")  # classes that no theme gives a colour: most tokens, and spans cost
_LEXER = PythonLexer(stripnl=False, ensurenl=False)


def listing(
    lines: Iterable[str],
    first: int,
    line_id: Callable[[int], str],
    symbols: Iterable[Symbol] = (),
    omitted: Collection[int] = (),
) -> Markup:
    """HTML of lines numbered from `first`; the `omitted` ones are left out."""
    code = textwrap.dedent("\n".join(lines))
    names = _names(symbols)
    rows = [
        _row(number, escape(line_id(number)), _line(tokens, names))
        for number, tokens in enumerate(_token_lines(code), first)
        if number not in omitted
    ]
    html = "\n".join(rows)
    return Markup(f'<div class="highlight eq-listing"><pre tabindex="0"><code>{html}</code></pre></div>')


def _row(number: int, identifier: str, html: str) -> str:
    link = f'<a href="#{identifier}" data-line="{number}" aria-label="Line {number}"></a>'
    return f'<span class="eq-line" id="{identifier}">{link}{html}</span>'


def _token_lines(code: str) -> list[list[_Token]]:
    lines: list[list[_Token]] = [[]]
    for kind, text in _LEXER.get_tokens(code):
        head, *rest = text.split("\n")
        lines[-1].append((kind, head))
        lines += [[(kind, part)] for part in rest]
    return lines


def _names(symbols: Iterable[Symbol]) -> dict[str, list[str]]:
    """The keys of the symbols by their name in the code: two symbols may share one."""
    names: dict[str, list[str]] = {}
    for symbol in symbols:
        names.setdefault(symbol.code, []).append(symbol.key)
    return names


def _line(tokens: list[_Token], names: dict[str, list[str]]) -> str:
    spans = _symbol_spans(tokens, names) if names else []
    html, position = "", 0
    for kind, text in tokens:
        html += _token(
            kind, text, [key for start, end, keys in spans if start <= position < end for key in keys]
        )
        position += len(text)
    return html


def _symbol_spans(tokens: list[_Token], names: dict[str, list[str]]) -> list[tuple[int, int, list[str]]]:
    """Where symbols stand in a line, by columns; none begins inside a string or a comment."""
    line = "".join(text for _, text in tokens)
    prose = [_is_in(kind, Comment, String) for kind, text in tokens for _ in text]
    return [
        (match.start(), match.end(), keys)
        for name, keys in names.items()
        for match in re.finditer(rf"(?<![\w.]){re.escape(name)}(?!\w)", line)
        if not prose[match.start()]
    ]


def _token(kind: _TokenType, text: str, keys: list[str]) -> str:
    content = (
        _linked_tag(text) if text.startswith("#") and _is_in(kind, Comment) else escape(text, quote=False)
    )
    attributes = ""
    if (css_class := _css_class(kind)) not in _UNCOLOURED:
        attributes += f' class="{css_class}"'
    if keys and not text.isspace():
        attributes += f' data-symbol="{" ".join(dict.fromkeys(keys))}"'
    return f"<span{attributes}>{content}</span>" if attributes and text else content


@lru_cache
def _is_in(kind: _TokenType, *groups: _TokenType) -> bool:
    return any(group in kind.split() for group in groups)


@lru_cache
def _css_class(kind: _TokenType) -> str:
    while kind not in STANDARD_TYPES:
        assert kind.parent is not None
        kind = kind.parent
    return STANDARD_TYPES[kind]


def _linked_tag(comment: str) -> str:
    tag = TAG.search(comment)
    if not tag:
        return escape(comment, quote=False)
    identifiers = re.split(r"\s*,\s*", tag["ids"])
    links = ", ".join(f'<autoref identifier="eq-{each}">{each}</autoref>' for each in identifiers)
    return escape(comment[: tag.start("ids")], quote=False) + links
