"""What a live example gives back: named numbers, rows of a trace, a table, a figure, a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from live.figure import packed
from live.numbers import exact, shown, shown_all

Cell = tuple[str, str]
"""A value as a reader sees it, and as a test compares it."""

Column = tuple[list[str], list[str]]
"""A column's values as a reader sees them, and the same as a test compares them."""

# Beyond this many rows a table is drawn only as far as it is looked at.
ROWS_AT_ONCE = 250

# A text with one of these is put in quotes among comma-separated values.
QUOTED = frozenset(',"\n')


@dataclass(frozen=True)
class Row:
    """One line of a traced function under its name in the page, with its value in each pass through it."""

    name: str
    line: int
    values: list[Any]


@dataclass(frozen=True)
class Table:
    """Numbers in columns. `labels` says, by column, what it holds and in which unit. `part` gives, in that
    order, the columns of the rows from one index up to another, so that a long table costs only what is
    looked at."""

    caption: str
    labels: Mapping[str, str]
    length: int
    part: Callable[[int, int], Sequence[Sequence[Any] | np.ndarray[Any, Any]]]

    def columns(self, first: int, end: int) -> list[Column]:
        columns = [column(values) for values in self.part(first, min(end, self.length))]
        assert len({len(texts) for texts, _ in columns}) == 1, f"{self.caption}: columns of unequal length"
        return columns

    def csv(self) -> str:
        """All rows as comma-separated values, each number written so that it can be read back exactly."""
        columns = [map(_field, values) for values in self.part(0, self.length)]
        rows = [map(_field, self.labels.values()), *zip(*columns, strict=True)]
        return "".join(",".join(row) + "\n" for row in rows)


@dataclass(frozen=True)
class Result:
    """What one run gives. `following` holds the texts that a next step starts from."""

    sentence: str
    outputs: Mapping[str, Any] = field(default_factory=dict)
    rows: Sequence[Row] = ()
    table: Table | None = None
    figure: Mapping[str, Any] | None = None
    following: Mapping[str, str] = field(default_factory=dict)
    progress: float | None = None

    def plain(self) -> dict[str, Any]:
        """The result as plain data, ready for JSON."""
        table = self.table
        return {
            "sentence": self.sentence,
            "outputs": {name: cell(value) for name, value in self.outputs.items()},
            "rows": [
                {"name": row.name, "line": row.line, "cells": [cell(value) for value in row.values]}
                for row in self.rows
            ],
            "table": table and {"length": table.length, "columns": table.columns(0, ROWS_AT_ONCE)},
            "figure": self.figure and packed(self.figure),
            "next": dict(self.following),
            "progress": self.progress,
        }


def cell(value: Any) -> Cell:
    """A value for the page.

    Examples:
        >>> cell(1 / 3)
        ('0.33333333', '0.3333333333333333')
        >>> cell({"w": [1.0, 0.5]})
        ('{"w": [1, 0.5]}', '{"w": [1.0, 0.5]}')
        >>> cell("lowest loss")
        ('lowest loss', 'lowest loss')
    """
    if isinstance(value, str):
        return value, value
    return reading(value), exact(value)


def column(values: Sequence[Any] | np.ndarray[Any, Any]) -> Column:
    """The values of a column for the page.

    Examples:
        >>> column([1 / 3, 1e-8])
        (['0.33333333', '1e-8'], ['0.3333333333333333', '1e-08'])
        >>> column(range(2))
        (['0', '1'], ['0', '1'])
    """
    if isinstance(values, np.ndarray):
        values = values.tolist()
    # Nearly all columns are one of these two, and an edit waits for every value of a long one.
    kinds = set(map(type, values))
    if kinds == {float}:
        return shown_all(values), list(map(repr, values))
    if kinds == {int}:
        numbers = list(map(str, values))
        return numbers, numbers
    cells = [cell(value) for value in values]
    return [text for text, _ in cells], [exactly for _, exactly in cells]


def _field(value: Any) -> str:
    """A value among comma-separated ones, as the page writes them where all rows are drawn."""
    # Of these there may be a million.
    if type(value) in (float, int):
        return repr(value)
    text = value if isinstance(value, str) else exact(value)
    return text if QUOTED.isdisjoint(text) else '"' + text.replace('"', '""') + '"'


def reading(value: Any, *, inside: bool = False) -> str:
    """Write a number, list or tree for people: numbers as `shown` does, a plain list without brackets."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}": {reading(item, inside=True)}' for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        items = ", ".join(reading(item, inside=True) for item in value)
        return f"[{items}]" if inside or not value or isinstance(value[0], list | tuple | dict) else items
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return str(value) if isinstance(value, int) else shown(value)
