import numpy as np
import pytest

from optim_ref.corpus import encode, load_text, random_windows


def test_load_text_is_small_and_plain():
    text = load_text()
    assert 3_000 <= len(text) <= 6_000
    assert text.isascii()
    assert len(set(text)) == 31


def test_encode_can_be_undone():
    text = load_text()
    tokens, vocabulary = encode(text)
    assert "".join(vocabulary[token] for token in tokens) == text


def test_encode_refuses_an_empty_text():
    with pytest.raises(ValueError, match="must hold at least one character"):
        encode("")


def test_random_windows_draws_the_same_places_everywhere():
    inputs, _ = random_windows(np.arange(1032), 32, 5, np.random.default_rng(0))
    # NumPy 2.4, PCG64 seeded with 0: default_rng(0).integers(1000, size=5)
    assert inputs[:, 0].tolist() == [850, 636, 511, 269, 307]


def test_random_windows_reaches_both_ends_and_shifts_targets_by_one():
    inputs, targets = random_windows(np.arange(6), 3, 200, np.random.default_rng(0))
    assert set(inputs[:, 0]) == {0, 1, 2}
    np.testing.assert_array_equal(inputs + 1, targets)


@pytest.mark.parametrize(
    ("tokens", "block_size", "batch_size", "error", "message"),
    [
        ([0, 1, 2], 3, 1, ValueError, r"tokens has shape \(3,\), must be \(n,\) with n above 3"),
        ([[0, 1, 2]], 1, 1, ValueError, r"tokens has shape \(1, 3\)"),
        ([0.0, 1.0], 1, 1, TypeError, "tokens has dtype float64, must be integers"),
        ([0, 1], 0, 1, ValueError, r"block_size = 0 must be in \[1, inf\)"),
        ([0, 1], 1, 0, ValueError, r"batch_size = 0 must be in \[1, inf\)"),
    ],
)
def test_random_windows_refuses(tokens, block_size, batch_size, error, message):
    with pytest.raises(error, match=message):
        random_windows(tokens, block_size, batch_size, np.random.default_rng(0))
