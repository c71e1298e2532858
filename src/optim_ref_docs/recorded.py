"""Results that a build cannot work out by itself, because they need other tools or a browser.

A command writes them into a JSON file, together with a hash of every file they came from. So a page can say,
and a test demand, that they are of the code as it is now.
"""

from __future__ import annotations

import io
import json
import tokenize
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from optim_ref_docs.store import sha256

_LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING)
_STARTS = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


def fingerprints(root: Path, patterns: Iterable[str]) -> dict[str, str]:
    """The hash of each file that a pattern names, of Python files without comments and docstrings."""
    paths = sorted(path for pattern in patterns for path in root.glob(pattern))
    return {path.relative_to(root).as_posix(): _hash(path) for path in paths}


def changed(root: Path, record: dict[str, Any]) -> list[str]:
    """The files that are not what they were when something was recorded."""
    return [
        name
        for name, recorded in record["made_from"].items()
        if not (root / name).is_file() or _hash(root / name) != recorded
    ]


def write(path: Path, content: dict[str, Any], root: Path, patterns: Iterable[str]) -> None:
    """Record something and what it was made from."""
    record = content | {"made_from": fingerprints(root, patterns)}
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def _hash(path: Path) -> str:
    if path.suffix != ".py":
        return sha256(path.read_bytes())
    return sha256("\n".join(_code(path.read_text(encoding="utf-8"))).encode())


def _code(text: str) -> Iterator[str]:
    """The tokens of a Python file that say what it does."""
    tokens = [
        each for each in tokenize.generate_tokens(io.StringIO(text).readline) if each.type not in _LAYOUT
    ]
    before, in_docstring = tokenize.NEWLINE, False
    for token, following in pairwise([*tokens, tokens[-1]]):
        if token.type == tokenize.STRING and before in _STARTS and following.type == tokenize.NEWLINE:
            in_docstring = True
        elif in_docstring:
            in_docstring = False  # the end of its line
        else:
            # Where a block begins and ends counts, but not how far it is indented.
            yield tokenize.tok_name[token.type] if token.type in _STARTS else token.string
        before = token.type
