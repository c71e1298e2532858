"""Fields that hold more than one number: lists, and nested trees written as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from live.fields import Field, Number, quoted

MOST_NUMBERS = 10_000
DEEPEST = 20
NOT_JSON_NUMBERS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


@dataclass(frozen=True)
class Numbers(Field):
    """Numbers separated by commas or spaces, as a float64 array."""

    kind = "numbers"

    def read(self, text: str) -> np.ndarray[Any, Any]:
        words = text.replace(",", " ").split()
        if not words:
            raise self.refuse(f"{self.name} is empty: write numbers, such as {self.start}")
        if len(words) > MOST_NUMBERS:
            raise self.refuse(f"{self.name} has {len(words)} numbers: at most {MOST_NUMBERS} are taken")
        one = Number(self.name, self.label, "0.5")
        return np.array([one.read(word) for word in words])


@dataclass(frozen=True)
class Json(Field):
    """A tree in JSON: numbers, lists of numbers as arrays, and dicts and lists of trees.

    JSON has no `NaN`: `"nan"`, `"inf"` and `"-inf"` in quotes stand for the numbers.
    """

    kind = "json"

    def read(self, text: str) -> Any:
        if not text.strip():
            raise self.refuse(f"{self.name} is empty: write JSON, such as {self.start}")
        try:
            tree = json.loads(
                text, parse_constant=self._constant, parse_float=self._float, parse_int=self._integer
            )
        except json.JSONDecodeError as error:
            raise self.refuse(
                f"{self.name} is not JSON: {error.msg} at character {error.pos + 1} of {quoted(text)}"
            ) from error
        except RecursionError as error:
            raise self.refuse(
                f"{self.name} is nested too deep: at most {DEEPEST} levels are taken"
            ) from error
        self._measure(tree)
        return self._arrays(tree)

    def _constant(self, name: str) -> NoReturn:
        raise self.refuse(
            f'{self.name} has {name}, which JSON does not know: write "nan", "inf" or "-inf" in quotes'
        )

    def _float(self, digits: str) -> float:
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            raise self.refuse(f"{self.name} has {quoted(digits)}, beyond the largest float64, about 1.8e308")
        return value

    def _integer(self, digits: str) -> int:
        self._float(digits)  # refuses more digits than Python makes an integer of
        return int(digits)

    def _measure(self, tree: Any) -> None:
        """Refuse what is too deep or too large, without recursion of our own."""
        numbers, level = 0, [tree]
        for _depth in range(DEEPEST):
            numbers += sum(not isinstance(item, dict | list) for item in level)
            if numbers > MOST_NUMBERS:
                raise self.refuse(f"{self.name} has more than {MOST_NUMBERS} numbers: so many are not taken")
            level = [
                child
                for item in level
                if isinstance(item, dict | list)
                for child in (item.values() if isinstance(item, dict) else item)
            ]
            if not level:
                return
        raise self.refuse(f"{self.name} is nested too deep: at most {DEEPEST} levels are taken")

    def _arrays(self, tree: Any) -> Any:
        if isinstance(tree, dict):
            return {key: self._arrays(item) for key, item in tree.items()}
        if isinstance(tree, list) and not _holds_dict(tree):
            return self._array(tree)
        if isinstance(tree, list):
            return [self._arrays(item) for item in tree]
        return None if tree is None else np.array(self._number(tree))

    def _array(self, items: list[Any]) -> np.ndarray[Any, Any]:
        def numbers(item: Any) -> Any:
            return [numbers(each) for each in item] if isinstance(item, list) else self._number(item)

        checked = numbers(items)
        try:
            return np.array(checked, dtype=np.float64)
        except ValueError as error:
            raise self.refuse(
                f"{self.name} has rows of unequal length in {quoted(json.dumps(items))}"
            ) from error

    def _number(self, item: Any) -> float:
        if isinstance(item, str) and item in NOT_JSON_NUMBERS:
            return NOT_JSON_NUMBERS[item]
        if isinstance(item, bool) or not isinstance(item, int | float):
            raise self.refuse(f"{self.name} has {quoted(json.dumps(item))} where a number must stand")
        return float(item)


def _holds_dict(items: list[Any]) -> bool:
    return any(
        isinstance(item, dict) or item is None or (isinstance(item, list) and _holds_dict(item))
        for item in items
    )
