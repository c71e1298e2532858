"""Loose ends between docstrings, code and tests: gathered, then reported all at once."""

from dataclasses import dataclass

from mkdocstrings import CollectionError


@dataclass(frozen=True, order=True)
class LooseEnd:
    """Something that does not fit, and the line to go to."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class LooseEndsError(CollectionError):
    """The documentation does not hold together. A `CollectionError` stops the build without a traceback."""

    def __init__(self, loose_ends: list[LooseEnd]) -> None:
        self.loose_ends = sorted(set(loose_ends))
        count = len(self.loose_ends)
        heading = f"{count} loose end{'s' if count > 1 else ''} between equations and code"
        super().__init__("\n".join([heading, *(f"  {loose_end}" for loose_end in self.loose_ends)]))
