"""Listings of Python files: every line has an id and a number to link to, every equation tag is a link.

Line numbers are drawn by the style sheet from `data-line`, so that copying and searching see the code alone.
"""

import re
import textwrap
from collections.abc import Callable, Collection, Iterable

from markupsafe import Markup, escape
from pygments.lexers.python import PythonLexer
from pygments.token import STANDARD_TYPES, Comment, String, _TokenType

from optim_ref_docs.equations import Symbol
from optim_ref_docs.source import TAG

type _Token = tuple[_TokenType, str]

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
        _row(number, line_id(number), _line(tokens, names))
        for number, tokens in enumerate(_token_lines(code), first)
        if number not in omitted
    ]
    html = Markup("\n").join(rows)
    return Markup('<div class="highlight eq-listing"><pre tabindex="0"><code>{}</code></pre></div>').format(
        html
    )


def _row(number: int, identifier: str, html: Markup) -> Markup:
    number_link = Markup('<a href="#{}" data-line="{}" aria-label="Line {}"></a>')
    link = number_link.format(identifier, number, number)
    return Markup('<span class="eq-line" id="{}">{}{}</span>').format(identifier, link, html)


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


def _line(tokens: list[_Token], names: dict[str, list[str]]) -> Markup:
    spans = _symbol_spans(tokens, names)
    html, position = Markup(), 0
    for kind, text in tokens:
        keys = [key for start, end, keys in spans if start <= position < end for key in keys]
        html += _token(kind, text, keys)
        position += len(text)
    return html


def _symbol_spans(tokens: list[_Token], names: dict[str, list[str]]) -> list[tuple[int, int, list[str]]]:
    """Where symbols stand in a line, by columns; none begins inside a string or a comment."""
    line = "".join(text for _, text in tokens)
    prose = [_is_text(kind) for kind, text in tokens for _ in text]
    return [
        (match.start(), match.end(), keys)
        for name, keys in names.items()
        for match in re.finditer(rf"(?<![\w.]){re.escape(name)}(?!\w)", line)
        if not prose[match.start()]
    ]


def _is_comment(kind: _TokenType) -> bool:
    return Comment in kind.split()


def _is_text(kind: _TokenType) -> bool:
    return _is_comment(kind) or String in kind.split()


def _token(kind: _TokenType, text: str, keys: list[str]) -> Markup:
    if not text:
        return Markup()
    content = _linked_tag(text) if _is_comment(kind) else escape(text)
    attributes = Markup()
    if css_class := _css_class(kind):
        attributes += Markup(' class="{}"').format(css_class)
    if keys and not text.isspace():
        attributes += Markup(' data-symbol="{}"').format(" ".join(dict.fromkeys(keys)))
    return Markup("<span{}>{}</span>").format(attributes, content) if attributes else Markup(content)


def _css_class(kind: _TokenType) -> str:
    while kind not in STANDARD_TYPES:
        assert kind.parent is not None
        kind = kind.parent
    return STANDARD_TYPES[kind]


def _linked_tag(comment: str) -> Markup:
    tag = TAG.search(comment)
    if not tag:
        return escape(comment)
    link = Markup('<autoref identifier="eq-{0}">{0}</autoref>')
    links = Markup(", ").join(link.format(identifier) for identifier in re.split(r"\s*,\s*", tag["ids"]))
    return escape(comment[: tag.start("ids")]) + links
