"""`python -m optim_ref_docs prepare`: make and fetch all assets, for builders that run no MkDocs hooks."""

from __future__ import annotations

import sys

from optim_ref_docs import assets, project


def main(arguments: list[str]) -> int:
    if arguments != ["prepare"]:
        print(__doc__, file=sys.stderr)
        return 2
    prepared = assets.prepare(project.root())
    print(f"{assets.FOLDER} is ready: {prepared['download']:,} bytes, wheel {prepared['wheel']['url']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
