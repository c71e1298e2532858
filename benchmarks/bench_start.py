"""How long the first live number takes, and later ones: `python benchmarks/bench_start.py [rounds]`.

Measures the built site in Chromium from this machine, variants in turns, each run with a fresh profile.
Writes `results.md` and `results.json` beside this file. What counts are the ratios: times depend on the machine.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Playwright, sync_playwright
from start.pages import make_pages

from optim_ref_docs.node import executable
from optim_ref_docs.store import cache_folder

ROOT = Path(__file__).parent.parent
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PAGES = {
    "stock": "bench/stock.html",
    "bare": "bench/bare.html",
    "plain": "plain/",
    "fast": "fast/",
    "mini": "mini/",
}
EDIT = """() => {
    const place = document.querySelector("live-example[name=adamw-one-step]") ?? document.body;
    const field = place.querySelector("[name=grad]");
    return edit(field, "0.25", () => ["ready", "error"].includes(place.dataset.state));
}"""


@contextmanager
def serving(*folders: Path) -> Iterator[dict[str, int]]:
    """Serve folders as four kinds of hosting; gives the port of each."""
    command = [executable("node"), ROOT / "benchmarks/start/server.mjs", cache_folder() / "bench", *folders]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        yield json.loads(process.stdout.readline())
    finally:
        process.kill()


@contextmanager
def browsing(playwright: Playwright) -> Iterator[Callable[[str], Page]]:
    """A browser with a fresh profile; called, it opens a page."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=FLAGS
        )

        def visit(address: str) -> Page:
            page = context.new_page()
            page.goto(address, wait_until="load", timeout=300_000)
            page.wait_for_timeout(500)
            return page

        yield visit
        context.close()


def first_results(playwright: Playwright, origin: str, address: str) -> dict[str, Any]:
    """A cold start and a warm one."""
    with browsing(playwright) as visit:
        taken = {}
        for kind in ("cold", "warm"):
            page = visit(f"{origin}/{address}")
            page.request.get(f"{origin}/sent")
            taken[kind] = page.evaluate(EDIT)
            taken[kind]["sent"] = page.request.get(f"{origin}/sent").json()
            page.close()
    return taken


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        make_pages(ROOT, ROOT / "site", Path(folder))
        with serving(ROOT / "site", Path(folder)) as ports:
            runs: dict[str, list[Any]] = {name: [] for name in PAGES}
            for _ in range(rounds):
                for name, address in PAGES.items():
                    run = first_results(playwright, f"http://127.0.0.1:{ports['brotli']}", address)
                    runs[name].append(run)
                    print(
                        name,
                        *(round(run[kind]["milliseconds"]) for kind in ("cold", "warm")),
                        run["cold"]["longTasks"],
                        sum(size for _, size in run["cold"]["sent"]),
                        len(run["warm"]["sent"]),
                    )
            for kind in ("cold", "warm"):
                print(
                    kind,
                    {
                        n: round(statistics.median(r[kind]["milliseconds"] for r in v))
                        for n, v in runs.items()
                    },
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
