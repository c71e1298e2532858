"""What a page must not do while a test looks at it: report errors, or ask another host for anything."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

WITHOUT_A_HOST = ("data", "blob", "file")


class Watch:
    """Notes every complaint in the console and every request of all pages and workers of a context."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self.context = context
        self.origin = origin
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        self.expected: list[str] = []
        context.on("console", self._console)
        context.on("weberror", self._uncaught)
        context.on("request", self._request)

    def expect(self, part: str) -> None:
        """Let complaints that contain `part` pass, such as that a file the test took away is missing."""
        self.expected.append(part)

    def check(self) -> None:
        unexpected = [each for each in self.complaints if not any(part in each for part in self.expected)]
        assert not unexpected, f"in the console: {unexpected}"
        assert not self.strangers, f"asked of other hosts: {self.strangers}"

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"{message.text} ({message.location['url']})")

    def _uncaught(self, error: WebError) -> None:
        self.complaints.append(str(error.error))

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in WITHOUT_A_HOST and not request.url.startswith(self.origin + "/"):
            self.strangers.append(request.url)
