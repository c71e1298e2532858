"""Everything public, from the package itself."""

from collections.abc import Iterator

import griffe

from optim_ref_docs import project
from optim_ref_docs.catalogue import Entry
from optim_ref_docs.listings import load_catalogue
from optim_ref_docs.settings import Settings
from optim_ref_docs.tables import Table, cross_reference


def names() -> Table:
    """Every public function, class and method, with the first line of its docstring."""
    catalogue = load_catalogue(Settings.read(project.root()))
    entries = [entry for entry in catalogue.entries if entry.is_public and _is_exported(entry)]
    rows = [
        [cross_reference(entry.path), entry.obj.kind.value, entry.summary, ", ".join(_numbers(entry))]
        for entry in entries
    ]
    return Table(f"{len(rows)} public names", ["Name", "Kind", "What it is", "Equations"], rows)


def settings() -> Table:
    """The values in `optim_ref.config`."""
    package = load_catalogue(Settings.read(project.root())).package
    attributes = package["config"].attributes.values()
    rows = [[f"`{attribute.name}`", f"`{attribute.value}`", _summary(attribute)] for attribute in attributes]
    return Table("Settings of the model, its training and the examples", ["Name", "Value", "Meaning"], rows)


def _is_exported(entry: Entry) -> bool:
    """Whether the module lists the object, or its class, among what it offers."""
    module = entry.obj.module
    top = entry.path.removeprefix(f"{module.path}.").partition(".")[0]
    return module.exports is None or top in module.exports


def _numbers(entry: Entry) -> Iterator[str]:
    for equation in entry.sections.equations:
        yield f"({equation.number})"


def _summary(attribute: griffe.Attribute) -> str:
    return attribute.docstring.value if attribute.docstring else ""
