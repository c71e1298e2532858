"""The order of one training step, read from the loop's syntax tree."""

import ast

from optim_ref_docs import project
from optim_ref_docs.catalogue import Catalogue, Entry
from optim_ref_docs.links import LineLinks
from optim_ref_docs.listings import load_catalogue
from optim_ref_docs.settings import Settings
from optim_ref_docs.source import Place
from optim_ref_docs.tables import Table, cross_reference, link

LOOP = "optim_ref.train.train"


def order() -> Table:
    """The calls inside the loop, in the order of their lines."""
    catalogue = load_catalogue(Settings.read(project.root()))
    links = LineLinks.of_environment(catalogue.settings.root)
    rows = [
        [
            str(number),
            cross_reference(entry.path, entry.path.removeprefix("optim_ref.")),
            entry.summary,
            link(f"line {place.lines}", links.href(place)),
            f"`{place.code}`",
        ]
        for number, (place, entry) in enumerate(_calls(catalogue), 1)
    ]
    caption = "One training step, in the order of the code"
    return Table(caption, ["Step", "Function", "What it does", "Line", "Code"], rows)


def _calls(catalogue: Catalogue) -> list[tuple[Place, Entry]]:
    body = _loop_body(catalogue)
    found = [
        (place, entry)
        for entry in catalogue.entries
        for place in entry.called
        if place.function == LOOP and place.first in body and entry.is_public and entry.obj.is_function
    ]
    return sorted(found, key=lambda call: call[0])


def _loop_body(catalogue: Catalogue) -> range:
    module = next(module for module in catalogue.modules.values() if module.name == "optim_ref.train")
    loop = next(
        node
        for node in ast.walk(module.tree)
        if isinstance(node, ast.For) and module.function_at(node.lineno) == LOOP
    )
    return range(loop.lineno, (loop.end_lineno or loop.lineno) + 1)
