"""The griffe extension: reads a package's equations once it is loaded and hands them to the templates."""

from pathlib import Path
from typing import Any

import griffe

from optim_ref_docs.catalogue import Catalogue
from optim_ref_docs.checks import loose_ends
from optim_ref_docs.links import LineLinks
from optim_ref_docs.problems import LooseEndsError
from optim_ref_docs.record import Record
from optim_ref_docs.settings import Settings, project_around

KEY = "optim_ref"

_logger = griffe.get_logger("optim_ref_docs")


class EquationsExtension(griffe.Extension):
    """Ties equations to code.

    Options: `tests`, the folder of the tests; `strict`, whether loose ends stop the build or are warnings.
    """

    def __init__(self, tests: str = "tests", *, strict: bool = True) -> None:
        self.tests, self.strict = tests, strict
        self.catalogue: Catalogue | None = None

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Put a `Record` into every documented object of the package."""
        settings = settings_of(pkg, self.tests)
        self.catalogue = catalogue = Catalogue(pkg, settings)
        if ends := loose_ends(catalogue):
            if self.strict:
                raise LooseEndsError(ends)
            _logger.warning(str(LooseEndsError(ends)))
        line_links = LineLinks.of_environment(settings.root)
        for entry in catalogue.entries:
            entry.obj.extra[KEY] = Record(entry, catalogue.modules[entry.obj.module.path], line_links)  # type: ignore[assignment]
            if entry.obj.docstring:
                entry.obj.docstring.value = entry.sections.rest


def settings_of(package: griffe.Module, tests: str) -> Settings:
    """The settings of the project around a loaded package."""
    assert isinstance(package.filepath, Path)
    folder = package.filepath.parent.parent.resolve()
    root = project_around(folder)
    return Settings(root, package.name, folder.relative_to(root).as_posix(), tests)
