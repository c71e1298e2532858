"""How fast the site is: `make bench`, or `python benchmarks/bench_site.py [rounds]`.

Measures the built site in Chromium from this machine, variants in turns, each run with a fresh profile, and
writes `results.md` beside this file and the figures of the page Performance. What counts are the ratios:
times depend on the machine, which should be idle.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from os import cpu_count
from pathlib import Path
from typing import Any

from served import builds, edits, report, slow_line, starts, weight
from served.browser import chromium
from served.hosting import serving
from served.pages import make_pages

ROOT = Path(__file__).parent.parent
SITE = ROOT / "site"
ROUNDS = 9


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        beside = Path(folder)
        runtime = make_pages(ROOT, SITE, beside)
        with serving(SITE, beside) as hosts:
            hosts.warm_up([file["url"] for file in runtime["files"]])
            hosts.warm_up([*weight.addresses(beside, "bench"), *weight.addresses(SITE, "assets")])
            found: dict[str, Any] = {"starts": starts.measure(hosts, rounds)}
            found["edits"] = edits.measure(hosts)
            found["weight"] = weight.measure(hosts)
            seen = slow_line.measure(hosts)
    found["build"] = builds.measure(ROOT)
    write(report.rows(found), machine(rounds), seen)


def machine(rounds: int) -> str:
    asked = subprocess.run([chromium(), "--version"], capture_output=True, text=True, check=True)
    browser = asked.stdout.strip().partition(" built")[0]
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {browser}, {cpu_count()} cores, Python {platform.python_version()}, "
        f"medians of {rounds} rounds."
    )


def write(rows: list[report.Row], description: str, seen: list[dict[str, Any]]) -> None:
    """Write the table for developers, and the same figures for the page."""
    text = report.markdown(rows, description)
    print(text)
    (ROOT / "benchmarks" / "results.md").write_text(text, encoding="utf-8")
    line = f"{slow_line.MEGABITS} Mbit/s and {slow_line.MILLISECONDS_OF_LATENCY} ms"
    data = {"machine": description, "rows": [row.shown() for row in rows], "line": line, "slow_line": seen}
    page = ROOT / "docs" / "computed" / "performance.json"
    page.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
