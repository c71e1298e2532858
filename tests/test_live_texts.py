"""Numbers that live examples write, and fields that they read."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from live import fields, numbers, trees

GRAD = fields.Number("grad", "Gradient", "0.5")
T = fields.Integer("t", "Steps", "0")


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (1.0099999800000004, "1.00999998"),
        (0.9999999800000003, "0.99999998"),
        (0.899000002, "0.899"),
        (0.04999999999999999, "0.05"),
        (0.0002500000000000002, "0.00025"),
        (0.000312250001, "0.00031225"),
        (0.1, "0.1"),
        (0.09999999999, "0.1"),
        (999999999.5, "999999999.5"),
        (1e9, "1e9"),
        (-2.5e9, "-2.5e9"),
        (1e-6, "0.000001"),
        (9.5e-7, "9.5e-7"),
        (5e-324, "4.9406565e-324"),
        (1e308, "1e308"),
        (0.0, "0"),
        (-0.0, "-0"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "nan"),
        (1234567890, "1234567890"),
    ],
)
def test_shown_writes_eight_digits(x: float, text: str) -> None:
    assert numbers.shown(x) == text


@given(st.floats())
def test_shown_stays_within_half_a_unit_of_the_eighth_digit(x: float) -> None:
    read = float(numbers.shown(x))
    if math.isfinite(x):
        unit = 1e-8 if 0.1 <= abs(x) < 1e9 else 1e-7 * 10 ** math.floor(math.log10(abs(x) or 1))
        assert abs(read - x) <= 0.5000001 * unit + 5e-324
    else:
        assert repr(read) == repr(x)


# Most numbers of a table are of this size, and written by a shorter way.
@given(st.lists(st.floats() | st.floats(1e-5, 1)))
def test_many_numbers_are_shown_like_each_of_them(xs: list[float]) -> None:
    assert numbers.shown_all(xs) == [numbers.shown(x) for x in xs]


@given(st.floats())
def test_exact_of_a_number_reads_back_bit_for_bit(x: float) -> None:
    assert numbers.exact(x) == repr(x)
    assert same_bits(float(numbers.exact(np.float64(x))), x)


@given(arrays.arrays(st.sampled_from([np.float32, np.float64]), arrays.array_shapes(min_dims=1, min_side=0)))
def test_exact_of_a_tree_reads_back_bit_for_bit(array: np.ndarray[Any, Any]) -> None:
    text = numbers.exact({"w": array, "b": [array[:1], None]})
    tree = json.loads(text, parse_constant=pytest.fail)
    read = np.array(words_to_floats(tree["w"]), array.dtype).reshape(array.shape)
    # The payload of a nan is not text; that it is nan is.
    assert np.array_equal(np.isnan(read), np.isnan(array))
    assert read[~np.isnan(read)].tobytes() == array[~np.isnan(array)].tobytes()
    assert tree["b"][1] is None


def same_bits(x: float, y: float) -> bool:
    return repr(x) == repr(y)


def words_to_floats(value: Any) -> Any:
    return [words_to_floats(item) for item in value] if isinstance(value, list) else float(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1e-8", 1e-8), (".5", 0.5), ("+3", 3.0), ("3.", 3.0), ("1E5", 1e5), ("1e308", 1e308)),
        *(
            (" -0.25\t", -0.25),
            ("\N{MINUS SIGN}2", -2.0),
            ("1e-400", 0.0),
            ("inf", math.inf),
            ("-inf", -math.inf),
        ),
    ],
)
def test_number_accepts_what_python_writes(text: str, value: float) -> None:
    assert same_bits(GRAD.read(text), value)


def test_number_accepts_nan() -> None:
    assert math.isnan(GRAD.read("nan"))


@given(st.floats())
def test_number_reads_what_exact_writes(x: float) -> None:
    assert same_bits(GRAD.read(numbers.exact(x)), x)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "grad is empty: write a number, such as 0.5"),
        (" ", "grad is empty: write a number, such as 0.5"),
        ("0,9", "grad = 0,9 has a decimal comma: write 0.9"),
        ("-,5", "grad = -,5 has a decimal comma: write -.5"),
        ("abc", "grad = 'abc' is not a number: write digits with a decimal point, such as 0.5 or 1e-8"),
        ("1e999", "grad = '1e999' is beyond the largest float64, about 1.8e308"),
    ],
)
def test_number_refuses_and_says_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(fields.FieldError) as refusal:
        GRAD.read(text)
    assert (refusal.value.field, str(refusal.value)) == ("grad", message)


@pytest.mark.parametrize(
    "text", ["1_000", "0x10", "1 2", "1.2.3", "e5", ".", "٣", "1,000.5", "1e", "--1", "x" * 99]
)
def test_number_refuses_what_is_only_nearly_a_number(text: str) -> None:
    with pytest.raises(fields.FieldError, match=r"^grad = .* is not a number") as refusal:
        GRAD.read(text)
    assert len(str(refusal.value)) < 150


@pytest.mark.parametrize(("text", "value"), [("0", 0), ("1e3", 1000), ("7.0", 7), (str(2**53), 2**53)])
def test_integer_accepts_whole_numbers(text: str, value: int) -> None:
    assert T.read(text) == value
    assert type(T.read(text)) is int


@pytest.mark.parametrize("text", ["-1", "0.5", "nan", "inf", "1e300"])
def test_integer_refuses_other_numbers(text: str) -> None:
    with pytest.raises(fields.FieldError, match=r"^t = .* must be an integer of at least 0$"):
        T.read(text)


def test_choice_refuses_what_it_does_not_offer() -> None:
    choice = fields.Choice("ndim", "Dimensions", "2", options=("0", "1", "2"))
    assert choice.read("1") == "1"
    with pytest.raises(fields.FieldError, match=r"^ndim = '3' must be one of 0, 1, 2$"):
        choice.read("3")


@pytest.mark.parametrize("number", ["1e999", "9" * 400, "-" + "9" * 5000])
def test_json_refuses_numbers_beyond_float64_however_they_are_written(number: str) -> None:
    tree = trees.Json("grads", "Gradients", '{"w": [1]}')
    with pytest.raises(fields.FieldError, match=r"^grads has .* beyond the largest float64"):
        tree.read(f'{{"w": [1, {number}]}}')
