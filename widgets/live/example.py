"""A live example: named fields in, named results out, and one function that turns texts into both."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from live.fields import Field, FieldError
from live.numbers import exact, shown
from live.trace import assignments, trace

ARGUMENT = re.compile(r"(\w+) = ")


@dataclass(frozen=True)
class Row:
    """One executed line of a traced function, under the name its value has in the page."""

    name: str
    line: int
    value: float


@dataclass(frozen=True)
class Result:
    """What one run gives: rows of a step table, a sentence for the status line, the fields of a next step."""

    rows: list[Row]
    sentence: str
    following: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Example:
    """A live example as its module describes it; `function` is the traced function.

    `row_names` says under which name the page shows what a line of it assigns: `{"self.m[k]": "m"}`.
    """

    name: str
    title: str
    function: Callable[..., Any]
    fields: tuple[Field, ...]
    row_names: Mapping[str, str]
    run: Callable[[Mapping[str, Any]], Result]
    snippet: Callable[[Mapping[str, Any]], str]

    def start(self) -> dict[str, str]:
        return {each.name: each.start for each in self.fields}


def load(name: str) -> Example:
    """Import the module of an example; raises `LookupError` naming the example where there is none."""
    path = "examples." + name.replace("-", "_")
    try:
        module = importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
        raise LookupError(f"no live example is called {name!r}") from error
    example = module.EXAMPLE
    assert isinstance(example, Example)
    return example


def answer(example: Example, texts: Mapping[str, str]) -> dict[str, Any]:
    """Run an example on what its fields say; the answer is plain data, ready for JSON.

    Holds either `errors` (a sentence for each field that cannot be taken) or `rows`, `sentence`, `next`
    and `code`.
    """
    values, errors = {}, {}
    for each in example.fields:
        try:
            values[each.name] = each.read(texts[each.name])
        except FieldError as error:
            errors[error.field] = str(error)
    if errors:
        return {"errors": errors}
    try:
        result = example.run(values)
    except (ValueError, TypeError, OverflowError) as error:
        return {"errors": {_culprit(error, values): str(error)}}
    rows = [
        {"name": row.name, "line": row.line, "text": shown(row.value), "value": exact(row.value)}
        for row in result.rows
    ]
    return {
        "rows": rows,
        "sentence": result.sentence,
        "next": result.following,
        "code": example.snippet(values),
    }


def rows_of(example: Example, call: Callable[[], Any]) -> list[Row]:
    """Run `call` and take the rows that the example's function goes through in it."""
    return [
        Row(example.row_names[step.target], step.line, np.asarray(step.value).item())
        for step in trace(example.function, call)
        if step.target in example.row_names
    ]


def possible_rows(example: Example) -> list[dict[str, Any]]:
    """Every line of the example's function that would make a row, in the order of the listing."""
    return [
        {
            "name": example.row_names[each.target],
            "line": each.line,
            "code": each.code,
            "equations": each.equations,
        }
        for each in assignments(example.function)
        if each.target in example.row_names
    ]


def answer_json(name: str, texts: str) -> str:
    """The same by name and in JSON text, for a caller in another language."""
    return json.dumps(answer(load(name), json.loads(texts)))


def _culprit(error: Exception, values: Mapping[str, Any]) -> str:
    """The field that an error of the package speaks of: such errors begin with `argument = value`."""
    match = ARGUMENT.match(str(error))
    return match[1] if match and match[1] in values else next(iter(values))
