"""What the last run of `make bench` has measured."""

from typing import Any

from optim_ref_docs import project, recorded
from optim_ref_docs.tables import Table

FOUND: dict[str, Any] = recorded.read(project.root() / "docs" / "computed" / "performance.json")


def machine() -> str:
    return f"Measured on {FOUND['machine']}"


def results() -> Table:
    """Every measure, with its limit where it has one."""
    rows = [[row["measure"], row["figure"], row["limit"], row["verdict"], row["of"]] for row in FOUND["rows"]]
    return Table("Results of the last run", ["Measure", "Measured", "At most", "Reached", "Of"], rows)


def first_result() -> str:
    """How long a first visit waits for the first result, and how long it would with Pyodide alone."""
    start = "cold first live result ÷ stock"
    ratio = next(row["of"] for row in FOUND["rows"] if row["measure"].startswith(start))
    own, _, stock = ratio.partition(" ÷ ")
    return f"{own}, where Pyodide alone takes {stock}"


def line() -> str:
    return str(FOUND["line"])


def slow_line() -> Table:
    """The page in each second, until the result is there."""
    rows = [
        [f"{each['second']} s", each["status"], each["coming"], each["result"]] for each in FOUND["slow_line"]
    ]
    return Table("The page, second by second", ["After", "Status line", "Beside the bar", "m"], rows)
