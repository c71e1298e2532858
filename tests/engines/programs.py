"""The programs that the engines need, and the Debian packages that hold them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    names: tuple[str, ...]
    package: str

    def find(self) -> str | None:
        return next(filter(None, map(shutil.which, self.names)), None)

    @property
    def path(self) -> str:
        found = self.find()
        assert found, f"no {self.names[0]}: run make test-engines"
        return found


FIREFOX = Program(("firefox-esr", "firefox"), "firefox-esr")
WEBKIT_DRIVER = Program(("WebKitWebDriver",), "webkit2gtk-driver")
SCREEN = Program(("Xvfb",), "xvfb")
NEEDED = {"firefox": (FIREFOX,), "webkitgtk": (WEBKIT_DRIVER, SCREEN)}


def missing(engine: str) -> list[Program]:
    """What an engine needs and this machine does not have."""
    return [program for program in NEEDED[engine] if not program.find()]
