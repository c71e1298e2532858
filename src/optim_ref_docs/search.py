"""Search that costs a reader nothing before they search.

With every page, Material fetches the index of all pages and the worker that searches it: a third of what a
page weighs. Here the page gets an empty index and a small worker that fetches both at the first query.
"""

from __future__ import annotations

import json
from pathlib import Path

INDEX = Path("search", "search_index.json")
DOCUMENTS = INDEX.with_name("documents.json")
WORKERS = Path("assets", "javascripts", "workers")


def on_demand(site: Path, script: str) -> None:
    """Change the built pages; `script` is where in the site `widgets/search-on-demand.js` lies."""
    workers = list((site / WORKERS).glob("search.*.min.js"))
    if not (site / INDEX).exists() or not workers:  # a site without search, or with another theme
        return
    (worker,) = workers
    index = json.loads((site / INDEX).read_text(encoding="utf-8"))
    (site / DOCUMENTS).write_text(_compact(index), encoding="utf-8")
    (site / INDEX).write_text(_compact(index | {"docs": []}), encoding="utf-8")
    old, new = f"{WORKERS.as_posix()}/{worker.name}", f"{script}#{worker.name}"
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        if old in text:
            path.write_text(text.replace(old, new), encoding="utf-8")


def _compact(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
