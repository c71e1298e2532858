"""`python -m optim_ref_docs prepare`: write what the site needs and no page holds."""

import argparse
import sys
from pathlib import Path

from .prepare import prepare
from .settings import Settings, find_root


def main() -> int:
    """Run the command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m optim_ref_docs", description=__doc__)
    parser.add_argument("command", choices=["prepare"])
    parser.add_argument("--root", type=Path, default=find_root(Path.cwd()), help="the project's folder")
    arguments = parser.parse_args()
    changed = prepare(Settings.read(arguments.root))
    print(f"{len(changed)} files written" if changed else "nothing changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
