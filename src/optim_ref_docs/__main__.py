"""`python -m optim_ref_docs prepare`: make all that a build needs, for builders that run no MkDocs hooks."""

from __future__ import annotations

import sys

from optim_ref_docs import assets, listings, project, provenance
from optim_ref_docs.settings import Settings


def main(arguments: list[str]) -> int:
    if arguments != ["prepare"]:
        print(__doc__, file=sys.stderr)
        return 2
    settings = Settings.read(project.root())
    changed = listings.prepare(settings)
    print(f"{len(changed)} listings and records changed")
    if not (project.root() / "widgets").is_dir():  # a project that documents equations without live examples
        return 0
    prepared = assets.prepare(settings.root)
    provenance.prepare(settings)
    size = prepared["download"]["plain"]
    print(f"{assets.FOLDER} is ready: {size:,} bytes to start Python, wheel {prepared['wheel']['url']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
