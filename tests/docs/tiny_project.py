"""A small project made on the spot, its build, and a reader of built pages."""

import os
import posixpath
import re
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from optim_ref_docs import listings
from optim_ref_docs.settings import Settings

REPOSITORY = Path(__file__).parents[2]

MODULE = '''\
"""Doubling."""


def double(x: float) -> float:
    r"""Twice a number.

    Needed in examples.

    Equation: doubling | Twice
        y = 2 x
    Symbols:
        y | result | scalar | The result
        x | x | scalar | The number
    References:
        doubling | Euclid, Elements, book V, definition 2 | https://example.org/euclid
    """
    result = 2 * x  # eq: doubling
    return result


def quadruple(x: float) -> float:
    """Four times a number."""
    return double(double(x))
'''

TESTS = """\
import pytest

from tiny import double


@pytest.mark.equation("doubling")
def test_double():
    assert double(2) == 4
"""

CONFIG = """\
site_name: tiny
site_url: http://127.0.0.1/tiny/
theme: {{name: material, font: false}}
validation:
  anchors: warn
  links: {{unrecognized_links: warn, absolute_links: warn}}
plugins:
  - search
  - mkdocstrings:
      custom_templates: {repository}/docs/templates
      handlers:
        python:
          paths: [src]
          options:
            extensions: [optim_ref_docs.extension.EquationsExtension]
            heading_level: 2
            show_root_heading: true
markdown_extensions:
  - toc: {{permalink: true}}
  - pymdownx.highlight
  - pymdownx.inlinehilite:
      custom_inline:
        - name: computed
          class: computed
          format: !!python/name:optim_ref_docs.computed.inline
  - pymdownx.superfences:
      custom_fences:
        - name: computed
          class: computed
          format: !!python/name:optim_ref_docs.computed.fence
  - optim_ref_docs.markdown
"""


def packages(*more: Path) -> dict[str, str]:
    """The environment in which Python finds this project's packages, and those of some more folders."""
    folders = [*more, REPOSITORY / "src", REPOSITORY / "widgets"]
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, folders))}


@dataclass
class Tiny:
    """A project with one module, one test file and one page."""

    root: Path

    @classmethod
    def make(cls, root: Path, module: str = MODULE, tests: str = TESTS, page: str = "::: tiny") -> "Tiny":
        tiny = cls(root)
        tiny.write("pyproject.toml", '[tool.optim_ref_docs]\npackage = "tiny"\n')
        tiny.write("mkdocs.yml", CONFIG.format(repository=REPOSITORY))
        tiny.write("src/tiny/__init__.py", module)
        tiny.write("tests/test_tiny.py", tests)
        tiny.write("docs/index.md", f"# Tiny\n\n{page}\n")
        return tiny

    @property
    def settings(self) -> Settings:
        return Settings.read(self.root)

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def build(self, **environment: str) -> subprocess.CompletedProcess[str]:
        """Prepare the docs folder and run a strict build."""
        listings.prepare(self.settings)
        inherited = {name: value for name, value in packages().items() if name != "REPO_URL"}
        return subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"],
            cwd=self.root,
            env=inherited | {"NO_MKDOCS_2_WARNING": "1"} | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def page(self, url: str = "") -> "Page":
        return Page.read(self.root / "site" / url / "index.html")


_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@dataclass
class Page(HTMLParser):
    """What a test asks of a built page: its ids with their text, its links, its visible text."""

    ids: list[str] = field(default_factory=list)
    text_of: dict[str, str] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    tables: list[list[list[str]]] = field(default_factory=list)
    text: str = ""

    @classmethod
    def read(cls, path: Path) -> "Page":
        page = cls()
        page.feed(path.read_text(encoding="utf-8").partition("<article")[2])
        return page

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        identifier = attributes.get("id") or ""
        if identifier:
            self.ids.append(identifier)
            self.text_of[identifier] = ""
        if tag == "a" and attributes.get("href"):
            self.links.append((attributes["href"] or "", ""))
        if tag == "table":
            self.tables.append([])
        if tag == "tr" and self.tables:
            self.tables[-1].append([])
        if tag in ("td", "th") and self.tables:
            self.tables[-1][-1].append("")
        if tag not in _VOID:
            self._open.append((tag, identifier))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Self-closing tags occur in MathML alone."""

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.text += data
        tags = [tag for tag, _ in self._open]
        for _, identifier in self._open:
            if identifier:
                self.text_of[identifier] += data
        if "a" in tags and self.links:
            href, text = self.links[-1]
            self.links[-1] = (href, text + data)
        if ("td" in tags or "th" in tags) and self.tables:
            self.tables[-1][-1][-1] += data


def resolve(link: str, page_url: str = "") -> tuple[str, str]:
    """The page and the id that a relative link leads to."""
    path, _, anchor = link.partition("#")
    target = posixpath.normpath(posixpath.join(page_url, path)) if path else page_url
    return ("" if target == "." else target), anchor


def words(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
