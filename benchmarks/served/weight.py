"""What the AdamW page weighs before Python is asked for, beside an empty page of Material."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

from served.browser import browsing
from served.hosting import Hosts

PAGES = {"page": "bench/adamw/", "empty": "bench/empty/"}
KINDS = ("gzip", "brotli")
VISITS = 5
PAINTED = "() => largestPaint"


def measure(hosts: Hosts) -> dict[str, Any]:
    """Bytes by kind of host, number of requests, and median time to the largest contentful paint."""
    found: dict[str, Any] = {name: {} for name in PAGES}
    for name, path in PAGES.items():
        for kind in KINDS:
            with browsing() as visit:
                hosts.sent(kind)
                visit(hosts.address(kind, path))
                sent = hosts.sent(kind)
            found[name] |= {kind: sum(size for _, size in sent), "requests": len(sent)}
    paints: dict[str, list[float]] = {name: [] for name in PAGES}
    for _ in range(VISITS):
        for name, path in PAGES.items():
            with browsing() as visit:
                paints[name].append(visit(hosts.address("brotli", path)).evaluate(PAINTED))
    for name, times in paints.items():
        found[name]["paint"] = median(times)
    return found


def addresses(root: Path, below: str) -> list[str]:
    """What pages may ask for below a folder of `root`: other pages, scripts and styles, not the runtime."""
    kinds = {".html", ".js", ".css", ".json", ".svg", ".png"}
    paths = (path for path in (root / below).rglob("*") if path.suffix in kinds)
    return [path.relative_to(root).as_posix().removesuffix("index.html") for path in paths]
