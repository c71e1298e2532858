"""Docstring sections `Equation:`, `Symbols:`, `References:` and `Why:` become records.

    Equation: first-moment | Moving average of the gradient
        m_t = \\beta_1 m_{t-1} + (1 - \\beta_1)\\, g_t
    Symbols:
        m_t | self.m[k] | same as the parameter | Running average of the gradient
    References:
        first-moment | Kingma & Ba (2015), Algorithm 1 | https://arxiv.org/abs/1412.6980

Columns are separated by ` | `, spaces included, so that `|x|` stays a formula.
A line indented further than the first of its section continues the line above.
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

from optim_ref_docs.problems import LooseEnd
from optim_ref_docs.source import ID, Place

_HEADING = re.compile(r"(?P<name>Equation|Symbols|References|Why):(?:\s+(?P<title>\S.*?))?\s*")
_SYMBOL_COLUMNS = 4


@dataclass(frozen=True)
class Symbol:
    """A symbol of the formulas, the name it has in the code, its shape and its meaning."""

    tex: str
    code: str
    shape: str
    meaning: str
    line: int

    @property
    def key(self) -> str:
        """What ties the symbol's appearances on a page together."""
        return re.sub(r"\W+", "-", self.tex).strip("-") or "symbol"

    @property
    def name(self) -> str:
        """The bare name in the code: `m` for `self.m[k]`."""
        return re.sub(r"\[.*|\(.*", "", self.code).rpartition(".")[2]


@dataclass(frozen=True)
class Reference:
    """Where an equation comes from; with no equation named, where the whole does."""

    equation: str
    text: str
    url: str
    line: int


@dataclass
class Equation:
    """An equation of a docstring and everything the code says about it."""

    id: str
    title: str
    tex: str
    path: str
    line: int
    documented_in: str
    number: int = 0
    symbols: list[Symbol] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    computed: list[Place] = field(default_factory=list)
    called: list[Place] = field(default_factory=list)
    tested: list[Place] = field(default_factory=list)

    @property
    def anchor(self) -> str:
        return f"eq-{self.id}"


@dataclass
class Sections:
    """What a docstring says beyond the Google sections, and the docstring without it."""

    equations: list[Equation] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    why: str = ""
    rest: str = ""
    loose_ends: list[LooseEnd] = field(default_factory=list)


@dataclass(frozen=True)
class _Block:
    name: str
    title: str
    line: int
    body: list[str]

    @property
    def text(self) -> str:
        return textwrap.dedent("\n".join(self.body)).strip()

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """The columns of each row, with the line it starts on."""
        rows: list[tuple[int, str]] = []
        indent = min((len(line) - len(line.lstrip()) for line in self.body if line.strip()), default=0)
        for line, text in enumerate(self.body, self.line + 1):
            if rows and text[:indent].isspace() and text[indent : indent + 1].isspace() and text.strip():
                rows[-1] = (rows[-1][0], f"{rows[-1][1]} {text.strip()}")
            elif text.strip():
                rows.append((line, text.strip()))
        for line, text in rows:
            yield line, re.split(r"\s+\|\s+", text)


def read_sections(docstring: str, path: str, first_line: int, documented_in: str) -> Sections:
    """Read a docstring, cleaned of its indentation, that begins on line `first_line` of `path`."""
    sections = Sections()
    blocks, kept = _split(docstring.splitlines(), first_line)
    sections.rest = "\n".join(kept).strip("\n")
    for block in blocks:
        if block.name == "Equation":
            _read_equation(block, path, documented_in, sections)
        elif block.name == "Symbols":
            _read_symbols(block, path, sections)
        elif block.name == "References":
            _read_references(block, path, sections)
        else:
            sections.why = block.text
    for equation in sections.equations:
        equation.symbols = sections.symbols
        equation.references = [ref for ref in sections.references if ref.equation == equation.id]
    return sections


def _split(lines: list[str], first_line: int) -> tuple[list[_Block], list[str]]:
    """The blocks, and all lines with those of the blocks left empty."""
    blocks: list[_Block] = []
    kept: list[str] = []
    open_block = False
    for number, line in enumerate(lines, first_line):
        heading = _HEADING.fullmatch(line)
        if heading:
            blocks.append(_Block(heading["name"], heading["title"] or "", number, []))
            open_block = True
        elif open_block and (not line.strip() or line[0].isspace()):
            blocks[-1].body.append(line)
        else:
            open_block = False
            kept.append(line)
            continue
        kept.append("")
    return blocks, kept


def _read_equation(block: _Block, path: str, documented_in: str, sections: Sections) -> None:
    identifier, separator, title = (part.strip() for part in block.title.partition("|"))
    if not re.fullmatch(ID, identifier) or not separator or not title:
        message = f"'Equation: {block.title}' is not of the form 'Equation: an-id | A title'"
        sections.loose_ends.append(LooseEnd(path, block.line, message))
    elif not block.text:
        sections.loose_ends.append(LooseEnd(path, block.line, f"equation '{identifier}' has no formula"))
    else:
        equation = Equation(identifier, title, block.text, path, block.line, documented_in)
        sections.equations.append(equation)


def _read_symbols(block: _Block, path: str, sections: Sections) -> None:
    for line, columns in block.rows():
        if len(columns) == _SYMBOL_COLUMNS:
            sections.symbols.append(Symbol(columns[0], columns[1], columns[2], columns[3], line))
        else:
            message = f"a symbol needs the columns 'symbol | name in code | shape | meaning', found {columns}"
            sections.loose_ends.append(LooseEnd(path, line, message))


def _read_references(block: _Block, path: str, sections: Sections) -> None:
    known = {equation.id for equation in sections.equations}
    for line, columns in block.rows():
        match columns:
            case [text, url] if url.startswith(("https://", "http://")) and text not in known:
                sections.references.append(Reference("", text, url, line))
            case [text]:
                sections.references.append(Reference("", text, "", line))
            case [identifier, text, *url] if identifier in known and len(url) <= 1:
                sections.references.append(Reference(identifier, text, "".join(url), line))
            case [identifier, _, *url] if len(url) <= 1:
                message = f"a reference names '{identifier}', which is no equation of this docstring"
                sections.loose_ends.append(LooseEnd(path, line, message))
            case _:
                message = f"a reference needs the columns 'equation id | source | address', found {columns}"
                sections.loose_ends.append(LooseEnd(path, line, message))
