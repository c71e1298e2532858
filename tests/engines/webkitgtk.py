"""WebKitGTK over WebDriver, by the driver that comes with it, on a screen that nobody sees."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.engines.engine import SECONDS_TO_ANSWER, WINDOW, DriverError, process, wait_for
from tests.engines.programs import SCREEN, WEBKIT_DRIVER

SCREEN_SIZE = "1600x1200x24"
# What the promise becomes, and whether it was kept: WebDriver knows only functions that call back.
CALL = """
  const [text, answer] = arguments;
  (async () => (await ({function})(...JSON.parse(text))) ?? null)().then(
    (value) => answer([true, value]),
    (error) => answer([false, String(error)]),
  );
"""


class WebKitGTK:
    def __init__(self, port: int) -> None:
        self.console: list[str] = []
        self._driver = HTTPConnection("127.0.0.1", port, timeout=SECONDS_TO_ANSWER)
        session = self._post("/session", capabilities={})
        self._session = f"/session/{session['sessionId']}"
        self._post(f"{self._session}/timeouts", script=SECONDS_TO_ANSWER * 1000)
        self._post(f"{self._session}/window/rect", x=0, y=0, **WINDOW)

    def open(self, url: str) -> None:
        self._post(f"{self._session}/url", url=url)

    def run(self, function: str, *arguments: Any) -> Any:
        script = CALL.replace("{function}", function)
        kept, value = self._post(
            f"{self._session}/execute/async", script=script, args=[json.dumps(arguments)]
        )
        if not kept:
            raise DriverError(value)
        return value

    def act(self, device: Mapping[str, Any]) -> None:
        self._post(f"{self._session}/actions", actions=[device])

    def close(self) -> None:
        self._send("DELETE", self._session, None)

    def _post(self, path: str, **parameters: Any) -> Any:
        return self._send("POST", path, json.dumps(parameters))

    def _send(self, method: str, path: str, body: str | None) -> Any:
        self._driver.request(method, path, body, {"Content-Type": "application/json"})
        response = self._driver.getresponse()
        value = json.load(response)["value"]
        if response.status != 200:
            raise DriverError(f"{path}: {value['error']}: {value['message']}")
        return value


@contextmanager
def webkitgtk() -> Iterator[WebKitGTK]:
    with TemporaryDirectory() as folder, _screen(Path(folder) / "screen") as display:
        log = Path(folder) / "driver"
        port = _free_port()
        environment = {"DISPLAY": display, "GDK_BACKEND": "x11"}
        with process(log, WEBKIT_DRIVER.path, f"--port={port}", **environment):
            wait_for(lambda: _listens(port), log)
            with closing(WebKitGTK(port)) as engine:
                yield engine


@contextmanager
def _screen(log: Path) -> Iterator[str]:
    """A screen in memory, by its name; it takes a number that is free, and prints it."""
    with process(log, SCREEN.path, "-displayfd", "1", "-screen", "0", SCREEN_SIZE, "-nolisten", "tcp"):
        yield wait_for(lambda: _display(log.read_text(errors="replace")), log)


def _display(printed: str) -> str | None:
    number = re.search(r"^(\d+)\n", printed, re.MULTILINE)
    return f":{number[1]}" if number else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
