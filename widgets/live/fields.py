"""The fields of a live example: what a reader may type, and what it means.

A field only reads text. Which values are allowed is said by the function that gets them, so that a page
and the package cannot disagree on a range.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf|nan", re.ASCII)
DECIMAL_COMMA = re.compile(r"([+-]?\d*),(\d+)", re.ASCII)
LONGEST_QUOTE = 40


class FieldError(ValueError):
    """A text that a field cannot take, with a sentence that says what it takes."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class Field:
    """One input: `name` in the page and in the code, `label` for people, `start` as its first text."""

    name: str
    label: str
    start: str
    settings: bool = False

    def read(self, text: str) -> Any:
        """Turn the text into a value, or raise a `FieldError` that says what is allowed."""
        raise NotImplementedError

    def refuse(self, message: str) -> FieldError:
        return FieldError(self.name, message)


@dataclass(frozen=True)
class Number(Field):
    """A real number as Python writes it: `1e-8`, `.5`, `+3`, also `inf` and `nan`."""

    kind = "number"

    def read(self, text: str) -> float:
        written = text.strip().replace("\N{MINUS SIGN}", "-")
        if not written:
            raise self.refuse(f"{self.name} is empty: write a number, such as {self.start}")
        if comma := DECIMAL_COMMA.fullmatch(written):
            raise self.refuse(
                f"{self.name} = {written} has a decimal comma: write {comma[1] or '0'}.{comma[2]}"
            )
        if not NUMBER.fullmatch(written):
            raise self.refuse(
                f"{self.name} = {quoted(text)} is not a number: write digits with a decimal point, "
                f"such as 0.5 or 1e-8"
            )
        value = float(written)
        if value in (float("inf"), float("-inf")) and "inf" not in written:
            raise self.refuse(f"{self.name} = {quoted(written)} is beyond the largest float64, about 1.8e308")
        return value


@dataclass(frozen=True)
class Integer(Number):
    """A whole number of at least `least`."""

    kind = "integer"
    least: int = 0

    def read(self, text: str) -> int:
        value = super().read(text)
        if math.isnan(value) or abs(value) > 2**53 or value != int(value):
            raise self.refuse(
                f"{self.name} = {quoted(text.strip())} must be an integer of at least {self.least}"
            )
        if value < self.least:
            raise self.refuse(f"{self.name} = {int(value)} must be an integer of at least {self.least}")
        return int(value)


@dataclass(frozen=True)
class Choice(Field):
    """One of a few words or digits, shown as a list to choose from."""

    kind = "choice"
    options: tuple[str, ...] = ()

    def read(self, text: str) -> str:
        if text not in self.options:
            raise self.refuse(f"{self.name} = {quoted(text)} must be one of {', '.join(self.options)}")
        return text


def quoted(text: str) -> str:
    """Quote what was typed, cut where it is long: a message must stay readable."""
    cut = text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…"
    return f"'{cut}'"
