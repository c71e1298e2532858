"""What an exercise shows of the package's own records: equations, symbols and listings, not a second copy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from optim_ref_docs import project
from optim_ref_docs.catalogue import Catalogue
from optim_ref_docs.equations import Equation, Symbol
from optim_ref_docs.links import LineLinks
from optim_ref_docs.listings import load_catalogue
from optim_ref_docs.record import Record
from optim_ref_docs.settings import Settings


@dataclass(frozen=True)
class Formula:
    """An equation on a page that is not its own."""

    equation: Equation
    html: Markup
    record: Record


@dataclass(frozen=True)
class ShownSymbol:
    """A symbol, drawn and as plain text, and the first equation of the page that it stands in."""

    symbol: Symbol
    html: Markup
    spoken: str
    equation: Equation


@dataclass(frozen=True)
class Listing:
    """A function of the package, by the path under which it is documented."""

    path: str
    html: Markup


class Records:
    """The records of the project's package as it is now."""

    def __init__(self) -> None:
        self.catalogue: Catalogue = load_catalogue(Settings.read(project.root()))
        self._by_path = {entry.path: entry for entry in self.catalogue.entries}
        self._records: dict[str, Record] = {}

    def formulas(self, ids: Sequence[str]) -> list[Formula]:
        """The equations of these ids; raises `LookupError` for one that the package does not have."""
        return [self._formula(each) for each in ids]

    def symbols(self, formulas: Sequence[Formula]) -> Iterator[ShownSymbol]:
        """The symbols that stand in these equations, each once, where it stands first."""
        seen = set()
        for formula in formulas:
            for symbol in formula.equation.symbols:
                if f'data-symbol="{symbol.key}"' in formula.html and symbol.key not in seen:
                    seen.add(symbol.key)
                    drawn, spoken = formula.record.symbol(symbol), formula.record.spoken(symbol)
                    yield ShownSymbol(symbol, drawn, spoken, formula.equation)

    def listing(self, function: Callable[..., Any]) -> Listing:
        """The code of a function; raises `LookupError` for one that is not of the package."""
        path = f"{function.__module__}.{function.__qualname__}"
        return Listing(path, self._record(path).listing(path))

    def _formula(self, identifier: str) -> Formula:
        equation = self.catalogue.equations.get(identifier)
        if not equation:
            raise LookupError(f"no equation is called {identifier!r}")
        record = self._record(equation.documented_in)
        return Formula(equation, record.formulas[identifier], record)

    def _record(self, path: str) -> Record:
        """The record of a function, made once: it draws its formulas together."""
        if path not in self._by_path:
            raise LookupError(f"{path} is not of {self.catalogue.settings.package}")
        if path not in self._records:
            entry = self._by_path[path]
            links = LineLinks.of_environment(self.catalogue.settings.root)
            self._records[path] = Record(entry, self.catalogue.modules[entry.obj.module.path], links)
        return self._records[path]
