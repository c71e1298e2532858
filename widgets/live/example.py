"""A live example: named fields in, named results out, and one function that turns texts into both."""

from __future__ import annotations

import importlib
import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from live.fields import Field, FieldError
from live.results import ROWS_AT_ONCE, Result, Row, Table
from live.trace import statements, trace

ARGUMENT = re.compile(r"(\w+)")

Values = Mapping[str, Any]
Report = Callable[[str], None]

_latest: dict[str, tuple[dict[str, str], Result]] = {}
"""The last result of each example and the texts it answers, for whoever wants more rows of it."""


@dataclass(frozen=True)
class Example:
    """A live example as its module describes it.

    `function` is the traced function, and `row_names` says under which name the page shows what a line of it
    assigns: `{"self.m[k]": "m"}`; a line that returns an equation's value goes by `return` and the equation.
    `outputs` are the results outside the trace, by name, each with the label that people read. `run` takes
    the fields' values and returns one `Result`, or yields one after the other while it works: such an
    example starts at a button, not at each edit. `blame` names the field to mark for an argument of the
    package that is no field itself. `presets` are named sets of texts that differ from the start.
    `ulps` is by how many units in the last place results may differ from one machine to another.
    """

    name: str
    title: str
    function: Callable[..., Any]
    fields: tuple[Field, ...]
    run: Callable[[Values], Result | Iterator[Result]]
    snippet: Callable[[Values], str]
    row_names: Mapping[str, str] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)
    blame: Mapping[str, str] = field(default_factory=dict)
    presets: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    ulps: int = 0

    @property
    def streams(self) -> bool:
        return inspect.isgeneratorfunction(self.run)

    def start(self) -> dict[str, str]:
        return {each.name: each.start for each in self.fields}

    def start_values(self) -> Values:
        return {each.name: each.read(each.start) for each in self.fields}

    def rows(self, call: Callable[[], Any]) -> list[Row]:
        """Run `call` and take the rows that the traced function goes through in it, in order of its lines."""
        passes: dict[tuple[int, str], list[Any]] = {}
        for step in trace(self.function, call, self.row_names):
            passes.setdefault((step.line, self.row_names[step.target]), []).append(_scalar(step.value))
        return [Row(name, line, values) for (line, name), values in sorted(passes.items())]

    def possible_rows(self) -> list[dict[str, Any]]:
        """Every line of the traced function that would make a row, in the order of the listing."""
        return [
            {
                "name": self.row_names[each.target],
                "line": each.line,
                "code": " ".join(each.code.split()),
                "equations": each.equations,
            }
            for each in statements(self.function)
            if each.target in self.row_names
        ]


def load(name: str) -> Example:
    """Import the module of an example; raises `LookupError` naming the example where there is none."""
    module_name = "examples." + name.replace("-", "_")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name != module_name:
            raise
        raise LookupError(f"no live example is called {name!r}") from error
    example = module.EXAMPLE
    assert isinstance(example, Example)
    return example


def answer(example: Example, texts: Mapping[str, str], report: Report | None = None) -> dict[str, Any]:
    """Run an example on what its fields say; the answer is plain data, ready for JSON.

    Holds either `errors` (a sentence for each field that cannot be taken), or what `Result.plain` gives and
    the `code` that computes the same. `report` gets the JSON of each result but the last as it arrives.
    """
    values, errors = _read(example, texts)
    if errors:
        return {"errors": errors}
    try:
        with np.errstate(all="ignore"):
            result = _last(example.run(values), report)
    except (ValueError, TypeError, OverflowError) as error:
        return {"errors": {_culprit(error, example, values): str(error)}}
    _latest[example.name] = (dict(texts), result)
    return result.plain() | {"code": example.snippet(values)}


def start_result(example: Example) -> Result:
    """What an example gives for the texts its fields start with."""
    with np.errstate(all="ignore"):
        return _last(example.run(example.start_values()), None)


def answer_json(name: str, texts: str, report: Report | None = None) -> str:
    """The same by name and in JSON text, for a caller in another language."""
    return json.dumps(answer(load(name), json.loads(texts), report))


def table_json(name: str, texts: str, first: int) -> str:
    """The JSON of the columns of a long table's next rows, from row `first` on; none where it is gone."""
    table = _table(load(name), json.loads(texts))
    return json.dumps(table.columns(first, first + ROWS_AT_ONCE) if table else [])


def table_csv(name: str, texts: str) -> str:
    """An example's whole table as comma-separated values; the empty text where it is gone."""
    table = _table(load(name), json.loads(texts))
    return table.csv() if table else ""


def _read(example: Example, texts: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    values, errors = {}, {}
    for each in example.fields:
        try:
            values[each.name] = each.read(texts[each.name])
        except FieldError as error:
            errors[error.field] = str(error)
    return values, errors


def _table(example: Example, texts: Mapping[str, str]) -> Table | None:
    """The table of the result for these texts, computed anew unless that would take long."""
    known, result = _latest.get(example.name, (None, None))
    if result and known == texts:
        return result.table
    if example.streams:
        return None
    with np.errstate(all="ignore"):
        return _last(example.run(_read(example, texts)[0]), None).table


def _last(results: Result | Iterator[Result], report: Report | None) -> Result:
    if isinstance(results, Result):
        return results
    last = next(results)
    for result in results:
        if report:
            report(json.dumps(last.plain()))
        last = result
    return last


def _scalar(value: Any) -> Any:
    """A traced array of one entry as that number: the example's fields hold numbers, too."""
    array = np.asarray(value)
    return array.item() if array.size == 1 and array.dtype != object else value


def _culprit(error: Exception, example: Example, values: Values) -> str:
    """The field that an error of the package speaks of: such errors begin with the argument's name."""
    match = ARGUMENT.match(str(error))
    named = example.blame.get(match[1], match[1]) if match else ""
    return named if named in values else next(iter(values))
