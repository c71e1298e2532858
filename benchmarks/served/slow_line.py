"""What a reader on a slow line sees from the first edit on, second by second."""

from __future__ import annotations

import time
from typing import Any

from served.browser import browsing
from served.hosting import Hosts

HOST = "brotli"
MEGABITS = 10
MILLISECONDS_OF_LATENCY = 40
LONGEST = 60
SEEN = """() => {
  const place = document.querySelector("live-example[name=adamw-one-step]");
  const coming = place.querySelector(".runtime-download");
  return {
    status: place.querySelector("[role=status]").textContent,
    coming: coming.checkVisibility({ visibilityProperty: true }) ? coming.textContent : "",
    result: place.querySelector("output[name=m]").textContent,
    state: place.dataset.state,
  };
}"""
EDIT = """() => {
  const field = document.querySelector("live-example[name=adamw-one-step] [name=grad]");
  field.value = "0.25";
  field.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def measure(hosts: Hosts) -> list[dict[str, Any]]:
    """For each second: the status line, what is still to come, and the first moment as it stands there."""
    with browsing() as visit:
        page = visit(hosts.address(HOST, "bench/adamw/"))
        bytes_per_second = MEGABITS * 1_000_000 / 8
        page.command("Network.enable")
        page.command(
            "Network.emulateNetworkConditions",
            offline=False,
            latency=MILLISECONDS_OF_LATENCY,
            downloadThroughput=bytes_per_second,
            uploadThroughput=bytes_per_second,
        )
        page.evaluate(EDIT)
        seen: list[dict[str, Any]] = []
        while len(seen) <= LONGEST:
            seen.append({"second": len(seen)} | page.evaluate(SEEN))
            if seen[-1]["state"] in {"ready", "error"}:
                break
            time.sleep(1)
        return seen
