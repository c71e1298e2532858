"""A Chromium that nobody watches.

The usual drivers have the browser report and keep all that a page fetches. For a start that fetches 27 MB
this is a fifth of its time, and time that no reader waits for. Here a page is only told what to do, over the
browser's own DevTools protocol.
"""

from __future__ import annotations

import itertools
import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from install import find
from tests.engines.engine import SECONDS_TO_ANSWER, DriverError, process, wait_for
from visits import FLAGS
from websockets.sync.client import connect

SECONDS_TO_REST = 0.5
WINDOW = "--window-size=1280,900"


class Page:
    """A tab, whose policy is set aside so that the bench may look into it."""

    def __init__(self, socket_address: str) -> None:
        self._socket = connect(socket_address, max_size=None, proxy=None)
        self._ids = itertools.count(1)
        self.command("Page.setBypassCSP", enabled=True)
        self.command("Emulation.setFocusEmulationEnabled", enabled=True)

    def open(self, address: str) -> None:
        """Load a page and let it come to rest."""
        self.command("Page.enable")
        self.command("Page.navigate", url=address)
        self._receive(lambda message: message.get("method") == "Page.loadEventFired")
        self.command("Page.disable")
        time.sleep(SECONDS_TO_REST)

    def evaluate(self, function: str, argument: Any = None) -> Any:
        """Call a JavaScript function, and await what it promises."""
        call = f"({function})({json.dumps(argument)})"
        answer = self.command("Runtime.evaluate", expression=call, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise DriverError(answer["result"]["description"])
        return answer["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until a JavaScript function gives something that is true."""
        end = time.monotonic() + SECONDS_TO_ANSWER
        while not self.evaluate(f"() => Boolean(({condition})())"):
            assert time.monotonic() < end, f"this never came true: {condition}"
            time.sleep(0.05)

    def press(self, key: str) -> None:
        """Press and let go the key of a letter or digit, as a keyboard would."""
        self.command("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
        self.command("Input.dispatchKeyEvent", type="keyUp", key=key)

    def command(self, method: str, **parameters: Any) -> Any:
        identity = next(self._ids)
        self._socket.send(json.dumps({"id": identity, "method": method, "params": parameters}))
        answer = self._receive(lambda message: message.get("id") == identity)
        if "error" in answer:
            raise DriverError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def close(self) -> None:
        self.command("Page.close")
        self._socket.close()

    def _receive(self, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(self._socket.recv(timeout=SECONDS_TO_ANSWER))
            if is_it(message):
                return message


def chromium() -> str:
    """The program."""
    path = find()
    assert path, "no Chromium: run python -m tests.browser.install"
    return path


@contextmanager
def browsing() -> Iterator[Callable[[str], Page]]:
    """A browser with a fresh profile; called, it opens a page."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        profile, log = Path(folder) / "profile", Path(folder) / "log"
        arguments = ("--headless", "--remote-debugging-port=0", f"--user-data-dir={profile}", WINDOW, *FLAGS)
        with process(log, chromium(), *arguments):
            port = wait_for(lambda: _port(profile / "DevToolsActivePort"), log)

            def visit(address: str) -> Page:
                page = Page(_new_tab(port))
                page.open(address)
                return page

            yield visit


def _port(file: Path) -> str | None:
    """Where the browser listens, once it has written that to its profile."""
    lines = file.read_text().splitlines() if file.exists() else []
    return lines[0] if len(lines) == 2 else None


def _new_tab(port: str) -> str:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/json/new?about:blank", method="PUT")
    with urllib.request.urlopen(request) as answer:
        return str(json.load(answer)["webSocketDebuggerUrl"])
