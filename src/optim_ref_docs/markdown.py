"""A Python-Markdown extension: maths in prose becomes MathML, links to the site's own pages become relative.

Works in any tool that runs Python-Markdown; of the tool it asks only which page is being rendered.
"""

import posixpath
import re
import xml.etree.ElementTree as ET
from functools import lru_cache
from typing import Any

from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor
from markdown.treeprocessors import Treeprocessor
from pymdownx.arithmatex import ArithmatexExtension

from optim_ref_docs.links import SITE_SCHEME
from optim_ref_docs.maths import to_mathml

_AFTER_INLINE = 15  # the inline patterns, at 20, have made the elements that are replaced here
_AFTER_RAW_HTML = 5  # raw HTML, at 30, is back in the text
_SITE_LINK = re.compile(rf'href="{SITE_SCHEME}(?P<path>[^"#]*)(?P<anchor>#[^"]*)?"')


class EquationsMarkdown(Extension):
    """Understands `$m_t$` and `$$ … $$`, as pymdownx.arithmatex does, and links that begin with `docs:`."""

    def extendMarkdown(self, md: Markdown) -> None:
        ArithmatexExtension(generic=True).extendMarkdown(md)
        md.treeprocessors.register(_Maths(md), "equations-maths", _AFTER_INLINE)
        md.postprocessors.register(_SiteLinks(md), "equations-links", _AFTER_RAW_HTML)


class _Maths(Treeprocessor):
    def run(self, root: ET.Element) -> None:
        for parent in list(root.iter()):
            for position, element in enumerate(parent):
                if element.get("class") == "arithmatex":
                    tex = (element.text or "").strip()[2:-2]  # arithmatex wraps it in \( \) or \[ \]
                    math = to_mathml(tex, display=element.tag == "div")
                    math.tail = element.tail
                    parent[position] = math


class _SiteLinks(Postprocessor):
    def run(self, text: str) -> str:
        if f'"{SITE_SCHEME}' not in text:
            return text
        # The same lines are linked from several tables of a page.
        resolve = lru_cache(maxsize=None)(self._resolve)
        return _SITE_LINK.sub(lambda link: f'href="{resolve(link["path"], link["anchor"] or "")}"', text)

    def _resolve(self, path: str, anchor: str) -> str:
        relative = posixpath.relpath(path, posixpath.dirname(_current_page(self.md))) + anchor
        if "relpath" not in self.md.treeprocessors:
            return relative
        # MkDocs: also checks that the page and the anchor exist.
        return str(self.md.treeprocessors["relpath"].path_to_url(relative))  # type: ignore[attr-defined]


def _current_page(md: Markdown) -> str:
    """Path of the Markdown file being rendered, relative to the docs folder."""
    if "relpath" in md.treeprocessors:
        return str(md.treeprocessors["relpath"].file.src_uri)  # type: ignore[attr-defined]
    if "rendering_context" in md.preprocessors:  # Zensical
        return str(md.preprocessors["rendering_context"].page.path)  # type: ignore[attr-defined]
    return ""


def makeExtension(**options: Any) -> EquationsMarkdown:
    """Called by Python-Markdown."""
    return EquationsMarkdown(**options)
