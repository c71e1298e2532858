"""What the last run of `python -m optim_ref_docs.mutations` found, against the statements as they are now."""

import json
from collections.abc import Iterator

from markupsafe import Markup

from optim_ref_docs import project
from optim_ref_docs.links import LineLinks
from optim_ref_docs.listings import load_catalogue
from optim_ref_docs.mutants import Mutant, mutants
from optim_ref_docs.settings import Settings
from optim_ref_docs.source import Place
from optim_ref_docs.tables import Table, link

FOLDER = project.root() / "docs" / "computed"
RUN = json.loads((FOLDER / "mutations.json").read_text(encoding="utf-8"))
OUTCOMES = {(mutant["path"], mutant["before"], mutant["after"]): mutant for mutant in RUN["mutants"]}


def table() -> Table:
    """Every mutant of the statements as they are now."""
    links = LineLinks.of_environment(project.root())
    rows = [
        [_line(mutant, links), f"`{mutant.before}`", f"`{mutant.after}`", _outcome(mutant)]
        for mutant in current()
    ]
    return Table("Mutants of all tagged statements", ["Line", "Statement", "Changed to", "Noticed by"], rows)


def summary() -> str:
    """How many there are, and how many are noticed."""
    outcomes = [_outcome(mutant) for mutant in current()]
    noticed = sum(outcome.startswith("`") for outcome in outcomes)
    return f"{len(outcomes)} mutants, of which {noticed} are noticed"


def current() -> Iterator[Mutant]:
    """The mutants of the modules that were mutated."""
    for module in load_catalogue(Settings.read(project.root())).modules.values():
        if module.name in RUN["modules"]:
            yield from mutants(module)


def _line(mutant: Mutant, links: LineLinks) -> Markup:
    place = Place(mutant.path, mutant.line, mutant.line, mutant.function, "")
    return link(f"{mutant.path.rpartition('/')[2]}, line {mutant.line}", links.href(place))


def _outcome(mutant: Mutant) -> str:
    outcome = OUTCOMES.get((mutant.path, mutant.before, mutant.after))
    if not outcome:
        return "not run since this statement changed"
    if outcome["noticed_by"]:
        return f"`{outcome['noticed_by'].partition('::')[2].partition('[')[0]}`"
    return f"nothing can: {outcome['reason']}" if outcome["reason"] else "no test"
