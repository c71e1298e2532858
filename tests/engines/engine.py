"""What the tests ask of a browser engine, and how its process is started and ended."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

SECONDS_TO_START = 60
SECONDS_TO_ANSWER = 180
WINDOW = {"width": 1400, "height": 1000}


class Engine(Protocol):
    """One window of a browser, driven by WebDriver or its successor WebDriver BiDi."""

    console: list[str]
    """Errors and warnings in the console so far; WebKitGTK's driver tells of none."""

    def open(self, url: str) -> None:
        """Load a page, and wait until it has loaded."""

    def run(self, function: str, *arguments: Any) -> Any:
        """Call a JavaScript function in the page, await what it promises, and return that as JSON has it."""

    def act(self, device: Mapping[str, Any]) -> None:
        """Let the reader's keyboard or mouse do something: an input source as both WebDrivers describe it."""


class DriverError(Exception):
    """A command that the engine refused, or a function that threw in the page."""


@contextmanager
def process(log: Path, *command: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program until this ends; what it prints goes to `log`."""
    with log.open("wb") as output:
        started = subprocess.Popen(
            command, env=os.environ | environment, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        yield started
    finally:
        started.terminate()
        started.wait()


def wait_for[Found](find: Callable[[], Found | None], log: Path) -> Found:
    """Look until there is something; `log` says what went wrong where nothing comes."""
    end = time.monotonic() + SECONDS_TO_START
    while not (found := find()):
        assert time.monotonic() < end, log.read_text(errors="replace")
        time.sleep(0.05)
    return found
