"""How the peers' recorded cases fare, as the last `make peers` found."""

from collections.abc import Sequence

from optim_ref_docs import project, recorded
from optim_ref_docs.tables import Table

RECORD = recorded.read(project.root() / "docs" / "computed" / "peers.json")


def summary() -> str:
    """All cases, in a sentence's words."""
    held, skipped = (sum(each[status] for each in RECORD["libraries"]) for status in ("held", "skipped"))
    old = "" if not recorded.changed(project.root(), RECORD) else ", before the code was last changed"
    return f"{held + skipped} recorded cases, of which {held} hold and {skipped} are left out{old}"


def libraries() -> Table:
    """Cases by library and version."""
    rows = [
        [*_named(each["library"]), each["held"] + each["skipped"], each["held"], each["skipped"]]
        for each in RECORD["libraries"]
    ]
    return Table("Recorded cases by library", ["Library", "Version", "Cases", "Held", "Left out"], rows)


def rules() -> Table:
    """Why cases are left out."""
    rows = [[_named(each["library"])[0], each["cases"], each["reason"]] for each in RECORD["rules"]]
    return Table("Cases that are left out, by rule", ["Library", "Cases", "What the case does"], rows)


def _named(library: str) -> Sequence[str]:
    name, _, version = library.partition("==")
    return name, version
