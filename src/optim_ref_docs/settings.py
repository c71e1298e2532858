"""Where things are in a project that documents its equations."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

_LANDMARKS = ("pyproject.toml", "mkdocs.yml")


@dataclass(frozen=True)
class Settings:
    """A package and its surroundings; folders are relative to `root` (or absolute).

    `mutate` names the modules whose tagged statements are mutated unless the command is told otherwise.
    """

    root: Path
    package: str
    source: str = "src"
    tests: str = "tests"
    docs: str = "docs"
    mutate: tuple[str, ...] = ()

    @property
    def tests_folder(self) -> Path:
        return self.root / self.tests

    @property
    def docs_folder(self) -> Path:
        return self.root / self.docs

    @classmethod
    def read(cls, root: Path) -> "Settings":
        """The project as `[tool.optim_ref_docs]` of `pyproject.toml` describes it."""
        with (root / "pyproject.toml").open("rb") as file:
            settings = tomllib.load(file).get("tool", {}).get("optim_ref_docs", {})
        if "package" not in settings:
            raise ValueError(f"{root}/pyproject.toml: [tool.optim_ref_docs] must name the package")
        settings["mutate"] = tuple(settings.get("mutate", ()))  # settings are compared and hashed
        return cls(root, **settings)


def project_around(folder: Path) -> Path:
    """The nearest folder from here upwards that holds a project's settings, else this one."""
    for candidate in (folder, *folder.parents):
        if any((candidate / landmark).is_file() for landmark in _LANDMARKS):
            return candidate
    return folder
