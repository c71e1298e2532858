"""Which bits the browser's Python and CPython agree in, as the last `make bits` found."""

from typing import Any

from optim_ref_docs import project, recorded
from optim_ref_docs.tables import Table

RECORD = recorded.read(project.root() / "docs" / "computed" / "bits.json")


def table() -> Table:
    """Every operation: how many results differ, how far apart they are, and what is promised."""
    rows = [[row["title"], row["differ"], row["ulps"], _promise(row)] for row in RECORD["rows"]]
    columns = ["Operation", f"Differ, of {inputs()}", "By at most, in last places", "Promised"]
    return Table("Bits in the browser and in CPython, operation by operation", columns, rows)


def inputs() -> str:
    """On how many random inputs."""
    return f"{RECORD['inputs']:,}"


def machines() -> str:
    """Between which two machines."""
    here, browser = RECORD["here"], RECORD["browser"]
    old = "" if not recorded.changed(project.root(), RECORD) else "; the code has changed since"
    return (
        f"CPython {here['python']} with NumPy {here['numpy']} on {here['system']}, {here['machine']} with "
        f"{here['simd']}, and Pyodide {browser['pyodide']} with Python {browser['python']} and NumPy "
        f"{browser['numpy']} in Chromium {browser['chromium']}{old}"
    )


def any_betas() -> str:
    """What came of steps with any decay rates of the moments."""
    row = next(each for each in RECORD["rows"] if each["operation"] == "adamw_step_any_betas")
    return f"{row['differ']:,} of {inputs()} such steps"


def _promise(row: dict[str, Any]) -> str:
    promise = row["promise"]
    return "nothing" if promise is None else "equal bits" if promise == 0 else f"at most {promise}"
