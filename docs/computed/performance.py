"""What the last run of `make bench` has measured."""

import json
from typing import Any

from optim_ref_docs import project
from optim_ref_docs.tables import Table

FOUND: dict[str, Any] = json.loads(
    (project.root() / "docs" / "computed" / "performance.json").read_text(encoding="utf-8")
)


def machine() -> str:
    return f"Measured on {FOUND['machine']}"


def results() -> Table:
    """Every measure, with its limit where it has one."""
    rows = [[row["measure"], row["figure"], row["limit"], row["verdict"], row["of"]] for row in FOUND["rows"]]
    return Table("Results of the last run", ["Measure", "Measured", "At most", "Reached", "Of"], rows)


def line() -> str:
    return str(FOUND["line"])


def slow_line() -> Table:
    """The page in each second, until the result is there."""
    rows = [
        [f"{each['second']} s", each["status"], each["coming"], each["result"]] for each in FOUND["slow_line"]
    ]
    return Table("The page, second by second", ["After", "Status line", "Beside the bar", "m"], rows)
