"""Firefox over WebDriver BiDi, which it speaks by itself: no driver stands between."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.engines.engine import SECONDS_TO_ANSWER, WINDOW, DriverError, process, wait_for
from tests.engines.programs import FIREFOX
from websockets.sync.client import ClientConnection, connect

ADDRESS = "WebDriverBiDiServer.json"
COMPLAINTS = ("error", "warn")
CALL = "async (text) => JSON.stringify((await ({function})(...JSON.parse(text))) ?? null)"


class Firefox:
    def __init__(self, socket: ClientConnection) -> None:
        self.console: list[str] = []
        self._socket = socket
        self._ids = itertools.count(1)
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded"])
        # The window that Firefox starts with never gets the focus.
        self._window = self._send("browsingContext.create", type="window")["context"]
        self._send("browsingContext.setViewport", context=self._window, viewport=WINDOW)

    def open(self, url: str) -> None:
        self._send("browsingContext.navigate", context=self._window, url=url, wait="complete")

    def run(self, function: str, *arguments: Any) -> Any:
        answer = self._send(
            "script.callFunction",
            target={"context": self._window},
            functionDeclaration=CALL.format(function=function),
            arguments=[{"type": "string", "value": json.dumps(arguments)}],
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise DriverError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def act(self, device: Mapping[str, Any]) -> None:
        self._send("input.performActions", context=self._window, actions=[device])

    def _send(self, method: str, **parameters: Any) -> Any:
        identity = next(self._ids)
        self._socket.send(json.dumps({"id": identity, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=SECONDS_TO_ANSWER))
            if message["type"] == "event":
                self._heard(message["params"])
            elif message["type"] == "error":
                raise DriverError(f"{method}: {message['message']}")
            elif message["id"] == identity:
                return message["result"]

    def _heard(self, entry: Mapping[str, Any]) -> None:
        if entry["level"] in COMPLAINTS:
            self.console.append(entry["text"])


@contextmanager
def firefox() -> Iterator[Firefox]:
    # Firefox's helpers may still be writing to the profile when the folder goes.
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        profile = Path(folder)
        log = profile / "firefox.log"
        arguments = ("--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0")
        with process(log, FIREFOX.path, *arguments):
            address = wait_for(lambda: _address(profile / ADDRESS), log)
            with connect(f"{address}/session", max_size=None, proxy=None) as socket:
                yield Firefox(socket)


def _address(file: Path) -> str | None:
    """Where Firefox listens, once it has written that to its profile."""
    try:
        server = json.loads(file.read_bytes())
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    return f"ws://{server['ws_host']}:{server['ws_port']}"
