"""The griffe extension: reads a package's equations once it is loaded and hands them to the templates."""

import os
from pathlib import Path
from typing import Any

import griffe

from .catalogue import Catalogue
from .checks import loose_ends
from .links import LineLinks
from .problems import LooseEndsError
from .settings import Settings, find_root
from .record import Record

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
        project = project_of(pkg, self.tests)
        self.catalogue = catalogue = Catalogue(pkg, project)
        if ends := loose_ends(catalogue):
            if self.strict:
                raise LooseEndsError(ends)
            _logger.warning(str(LooseEndsError(ends)))
        line_links = LineLinks(settings.root, os.environ.get("REPO_URL", ""))
        for entry in catalogue.entries:
            entry.obj.extra[KEY] = Record(entry, catalogue.modules[entry.obj.module.path], line_links)  # type: ignore[assignment]
            if entry.obj.docstring:
                entry.obj.docstring.value = entry.sections.rest


def project_of(package: griffe.Module, tests: str) -> Settings:
    """The project around a loaded package."""
    assert isinstance(package.filepath, Path)
    folder = package.filepath.parent.parent.resolve()
    root = find_root(folder) or folder
    return Settings(root, package.name, folder.relative_to(root).as_posix(), tests)
