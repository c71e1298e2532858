"""Numbers and tables that a page does not type but computes when it is built.

A fence `computed` holds `file.function`: the function `function()` of `docs/computed/file.py`. What it
returns stands in its place: a `Table`, `Markup`, a number or text. In a sentence, `#!computed file.function`
does the same. Whatever goes wrong stops the build.
"""

import re
import runpy
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from markdown import Markdown
from markupsafe import Markup, escape
from pymdownx.inlinehilite import InlineHiliteException
from pymdownx.superfences import SuperFencesException

from live.numbers import shown
from optim_ref_docs import project
from optim_ref_docs.tables import Table

FOLDER = Path("docs", "computed")

_NAME = re.compile(r"(?P<file>\w+)\.(?P<function>\w+)")


class ComputedError(ValueError):
    """What a page wants computed is not there, or fails."""


def fence(source: str, language: str, css_class: str, options: dict[str, str], md: Markdown, **_: Any) -> str:
    """A custom fence of pymdownx.superfences."""
    try:
        return compute(source)
    except ComputedError as error:
        raise SuperFencesException(str(error)) from error


def inline(source: str, language: str, css_class: str, md: Markdown) -> str:
    """A custom inline format of pymdownx.inlinehilite."""
    try:
        return str(md.htmlStash.store(compute(source)))
    except ComputedError as error:
        raise InlineHiliteException(str(error)) from error


def compute(name: str) -> Markup:
    """HTML of what the named function returns."""
    match = _NAME.fullmatch(name.strip())
    if not match:
        raise ComputedError(f"'computed' takes one 'file.function', found {name!r}")
    path = project.root() / FOLDER / f"{match['file']}.py"
    if not path.is_file():
        raise ComputedError(f"'computed' asks for {name!r}, but there is no {path}")
    function = _load(path, path.stat().st_mtime_ns).get(match["function"])
    if not callable(function):
        raise ComputedError(f"'computed' asks for {name!r}, but {path} has no such function")
    return _run(function, f"{path}, {match['function']}()")


@lru_cache(maxsize=64)
def _load(path: Path, changed: int) -> dict[str, Any]:
    # Not imported, so that no bytecode lies between the pages.
    try:
        return runpy.run_path(str(path))
    except Exception as error:
        raise ComputedError(f"{path} cannot be loaded: {error!r}") from error


def _run(function: Callable[[], object], where: str) -> Markup:
    try:
        result = function()
    except Exception as error:
        raise ComputedError(f"{where} fails: {error!r}") from error
    if isinstance(result, Table):
        return result.html()
    return escape(shown(result) if isinstance(result, float) else result)
