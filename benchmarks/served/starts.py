"""How long the first live number takes: stock Pyodide, the bare module, the plain start, the memory image."""

from __future__ import annotations

from statistics import median
from typing import Any

from served.browser import browsing
from served.hosting import Hosts

PAGES = {
    "stock": "bench/stock.html",
    "bare": "bench/bare.html",
    "plain": "bench/plain/",
    "site": "bench/adamw/",
}
HOST = "brotli"
FIRST_EDIT = """() => {
  const place = document.querySelector("live-example[name=adamw-one-step]") ?? document.body;
  const field = place.querySelector("[name=grad]");
  return shown(field, "0.25", () => ["ready", "error"].includes(place.dataset.state));
}"""


def measure(hosts: Hosts, rounds: int) -> dict[str, Any]:
    """Medians over rounds in which each way to start has its turn, cold and then warm.

    Returns:
        For each way the milliseconds `cold` and `warm`; and for the site's own its `long_tasks` in all
        starts, and the `bytes` that a cold start takes from each kind of host.
    """
    taken: dict[str, list[dict[str, Any]]] = {name: [] for name in PAGES}
    for number in range(rounds):
        for name, path in PAGES.items():
            taken[name].append(_cold_and_warm(hosts, HOST, path))
        print(f"starts, round {number + 1} of {rounds}", flush=True)
    found: dict[str, Any] = {
        name: {kind: median(run[kind]["milliseconds"] for run in runs) for kind in ("cold", "warm")}
        for name, runs in taken.items()
    }
    tasks = [run[kind]["longTasks"] for run in taken["site"] for kind in ("cold", "warm")]
    found["long_tasks"] = sum(map(len, tasks))
    found["bytes"] = {kind: _bytes(hosts, kind) for kind in hosts.ports}
    return found


def _cold_and_warm(hosts: Hosts, kind: str, path: str) -> dict[str, Any]:
    """The first edit in a fresh profile, and the first in a second visit."""
    with browsing() as visit:
        taken = {}
        for start in ("cold", "warm"):
            page = visit(hosts.address(kind, path))
            taken[start] = page.evaluate(FIRST_EDIT)
            page.close()
    return taken


def _bytes(hosts: Hosts, kind: str) -> int:
    with browsing() as visit:
        page = visit(hosts.address(kind, PAGES["site"]))
        hosts.sent(kind)
        page.evaluate(FIRST_EDIT)
        return sum(size for _, size in hosts.sent(kind))
