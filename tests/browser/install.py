"""`python -m tests.browser.install`: find a Chromium for the browser tests, or install Debian's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
COMMANDS = (["apt-get", "update", "--quiet=2"], ["apt-get", "install", "--yes", "--quiet=2", "chromium"])


def find() -> str | None:
    """The path of a Chromium: what the environment variable CHROMIUM names, else one that is installed."""
    named = os.environ.get("CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


def main() -> int:
    if os.environ.get("CHROMIUM") and not find():
        print(f"CHROMIUM={os.environ['CHROMIUM']} is not a program. Name another one, or unset it.")
        return 1
    if not find() and may_install():
        for command in COMMANDS:
            subprocess.run(command, check=False)
    if not find():
        print("The browser tests need Chromium. Install it with\n  sudo apt-get install chromium")
        print("or name one: CHROMIUM=/path/to/chromium make test")
        return 1
    print(f"Browser tests will use {find()}")
    return 0


def may_install() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


if __name__ == "__main__":
    sys.exit(main())
