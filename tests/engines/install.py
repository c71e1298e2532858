"""`python -m tests.engines.install`: install Firefox and WebKitGTK's driver where they are missing."""

from __future__ import annotations

import subprocess
import sys

from tests.browser.install import may_install
from tests.engines.programs import NEEDED, missing

INSTALL = ("apt-get", "install", "--yes", "--no-install-recommends", "--quiet=2")


def main() -> int:
    if wanted() and may_install():
        subprocess.run(["apt-get", "update", "--quiet=2"], check=False)
        # One after the other: where a system does not know one, it gets the rest.
        for package in wanted():
            subprocess.run([*INSTALL, package], check=False)
    for engine in NEEDED:
        print(f"Engine tests {'leave out' if missing(engine) else 'will use'} {engine}")
    if wanted():
        print(f"What they need can be had from Debian:\n  sudo apt-get install {' '.join(wanted())}")
    return 1 if wanted() else 0


def wanted() -> list[str]:
    """The packages of the programs that are missing."""
    return [program.package for engine in NEEDED for program in missing(engine)]


if __name__ == "__main__":
    sys.exit(main())
