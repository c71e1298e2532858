"""A Content-Security-Policy in every page: this site and WebAssembly, and nothing else.

Material writes small scripts into its pages. Each is allowed by its hash, all of them on every page, since
with instant navigation the policy of the first page holds for those that follow.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

INLINE_SCRIPT = re.compile(rb"<script(?P<attributes>(?![^>]*\bsrc=)[^>]*)>(?P<text>.*?)</script>", re.DOTALL)
# The server of `mkdocs serve` writes a script of its own into each page as it sends it, another each time.
is_wanted = True

NOT_RUN = (b"application/json",)
HEAD = b"<head>"


def protect(site: Path) -> None:
    """Write the policy into every page below `site`."""
    pages = {path: path.read_bytes() for path in sorted(site.rglob("*.html"))}
    hashes = sorted({each for page in pages.values() for each in script_hashes(page)})
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy(hashes)}">'.encode()
    for path, page in pages.items():
        path.write_bytes(page.replace(HEAD, HEAD + meta, 1))


def script_hashes(page: bytes) -> set[str]:
    """The sources that allow the scripts written into a page."""
    scripts = [
        match for match in INLINE_SCRIPT.finditer(page) if not any(kind in match[1] for kind in NOT_RUN)
    ]
    digests = [hashlib.sha256(match["text"]).digest() for match in scripts]
    return {f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests}


def policy(script_sources: list[str]) -> str:
    directives = {
        "default-src": ["'self'"],
        "script-src": ["'self'", "'wasm-unsafe-eval'", *script_sources],
        # Plotly and MathML's fallbacks set styles on their own elements.
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:"],
        # The worker is made from bytes that the page has verified; it inherits this policy.
        "worker-src": ["'self'", "blob:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
    }
    return "; ".join(" ".join([name, *sources]) for name, sources in directives.items())
