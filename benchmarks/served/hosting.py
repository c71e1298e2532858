"""Serving folders from this machine."""

from __future__ import annotations

import json
import subprocess
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from optim_ref_docs.node import executable
from optim_ref_docs.store import cache_folder

HERE = Path(__file__).parent
# To compress the largest file as well as can be takes half a minute, once.
SECONDS_TO_COMPRESS = 300


class Hosts:
    """The same folders as several kinds of hosting send them, each on a port of its own."""

    def __init__(self, ports: dict[str, int]) -> None:
        self.ports = ports

    def address(self, kind: str, path: str = "") -> str:
        return f"http://127.0.0.1:{self.ports[kind]}/{path}"

    def sent(self, kind: str) -> list[tuple[str, int]]:
        """What was sent since the last call: paths, and bytes after compression."""
        with urllib.request.urlopen(self.address(kind, "sent")) as answer:
            return [(path, size) for path, size in json.load(answer)]

    def warm_up(self, paths: Iterable[str]) -> None:
        """Have everything compressed beforehand: the server's work is not what is measured."""
        wanted = list(paths)
        for kind in self.ports:
            for path in wanted:
                urllib.request.urlopen(self.address(kind, path), timeout=SECONDS_TO_COMPRESS).read()
            self.sent(kind)


@contextmanager
def serving(*folders: Path) -> Iterator[Hosts]:
    command = [executable("node"), HERE / "server.mjs", cache_folder() / "bench", *folders]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        yield Hosts(json.loads(process.stdout.readline()))
    finally:
        process.kill()
