"""A plain static file server, as dull as the dullest hosting, that can be told to misbehave."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

# Asked for by Material's worker, at some moment after a page has loaded.
SEARCH = "search-on-demand.js"
SECONDS_TO_ASK = 60

Fault = Callable[["Handler"], None]


class SiteServer(ThreadingHTTPServer):
    """Serves `folder` from `prefix` on a free port of this machine, and remembers every request.

    It sends no header beyond type, length and date, and adds no redirect but the one to a folder's slash.
    """

    daemon_threads = True

    def __init__(self, folder: Path, prefix: str) -> None:
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self.folder = folder
        self.prefix = prefix
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.url = f"{self.origin}{prefix}"
        self.requests: list[str] = []
        self.faults: dict[str, Fault] = {}
        self.headers: dict[str, str] = {}

    def __enter__(self) -> SiteServer:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def runtime(self, name: str) -> str:
        """The address below the prefix of the runtime's file of this name."""
        (path,) = self.folder.glob(f"assets/live/**/{name}")
        return path.relative_to(self.folder).as_posix()

    def await_request(self, ending: str) -> None:
        """Wait until a file whose address ends like this was asked for."""
        end = time.monotonic() + SECONDS_TO_ASK
        while not any(path.endswith(ending) for path in tuple(self.requests)):
            assert time.monotonic() < end, f"{ending} was never asked for"
            time.sleep(0.05)

    @contextmanager
    def fault(self, path: str, fault: Fault) -> Iterator[None]:
        """Let `fault` answer for the file at `path`, given below the prefix, for as long as this lasts."""
        before = self.faults
        self.faults = before | {path: fault}
        try:
            yield
        finally:
            self.faults = before

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report what goes wrong here, but not that a browser has gone away."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @contextmanager
    def answering(self, headers: dict[str, str]) -> Iterator[None]:
        """Send these headers, too, for as long as this lasts."""
        self.headers = headers
        try:
            yield
        finally:
            self.headers = {}


class Handler(SimpleHTTPRequestHandler):
    server: SiteServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self.server.requests.append(path)
        if not path.startswith(self.server.prefix):
            self.not_found()
        elif fault := self.server.faults.get(path.removeprefix(self.server.prefix)):
            fault(self)
        elif not self.file().exists():
            self.not_found()
        else:
            super().do_GET()

    def end_headers(self) -> None:
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        super().end_headers()

    def file(self) -> Path:
        return Path(self.translate_path(self.path))

    def translate_path(self, path: str) -> str:
        return super().translate_path("/" + path.removeprefix(self.server.prefix))

    def send(self, status: HTTPStatus, kind: str, data: bytes, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data) if length is None else length))
        self.send_header("Last-Modified", "Tue, 01 Jan 2019 00:00:00 GMT")
        self.end_headers()
        self.wfile.write(data)

    def not_found(self) -> None:
        """Answer as static hosting does: with the site's own page for missing addresses."""
        self.send(
            HTTPStatus.NOT_FOUND, "text/html; charset=utf-8", (self.server.folder / "404.html").read_bytes()
        )

    def log_message(self, *_: object) -> None:
        """Say nothing: what was asked for is in `requests`."""


def missing(handler: Handler) -> None:
    handler.not_found()


def altered(handler: Handler) -> None:
    """Change one byte, and let it look old, so that a browser keeps it in its cache."""
    data = bytearray(handler.file().read_bytes())
    data[len(data) // 2] ^= 1
    handler.send(HTTPStatus.OK, handler.guess_type(handler.path), bytes(data))


def dropped(handler: Handler) -> None:
    """Break off after half of the file."""
    data = handler.file().read_bytes()
    handler.send(HTTPStatus.OK, handler.guess_type(handler.path), data[: len(data) // 2], length=len(data))
    handler.close_connection = True


def held(until: threading.Event) -> Fault:
    """Answer rightly, but only when `until` is set."""

    def fault(handler: Handler) -> None:
        until.wait()
        SimpleHTTPRequestHandler.do_GET(handler)

    return fault
