"""Tables of the page on AdamW: every number comes from running the optimizer."""

import numpy as np
from markupsafe import Markup

from optim_ref import AdamW, config
from optim_ref.corpus import encode, load_text
from optim_ref.parameters import param_shapes
from optim_ref.transformer import init_params
from optim_ref_docs.tables import Table, tex

LETTERS = {"V": 3, "d": 5, "T": 7, "F": 11}
"""Sizes that tell the letters of a shape apart."""


def two_steps() -> Table:
    """Two steps of two parameters that differ in nothing but their number of dimensions."""
    params = {"w": np.ones((1, 1)), "b": np.ones(1)}
    optimizer = AdamW(params)
    rows: list[list[str | float]] = [["start", "", *_values(params)]]
    for number, grad in enumerate((0.5, 0.25), 1):
        optimizer.step(params, {key: np.full_like(param, grad) for key, param in params.items()}, lr=0.1)
        rows.append([f"step {number}", grad, *_values(params)])
    columns = ["After", "Gradient", "w, shape (1, 1): decays", "b, shape (1,): does not"]
    return Table("Two steps at rate 0.1 and the default settings", columns, rows)


def _values(params: dict[str, np.ndarray]) -> list[float]:
    return [param.item() for param in params.values()]


def decay() -> Table:
    """One step with zero gradients moves exactly the parameters that decay."""
    params = _parameters()
    before = {key: param.copy() for key, param in params.items()}
    optimizer = AdamW(params, weight_decay=config.weight_decay)
    optimizer.step(params, {key: np.zeros_like(param) for key, param in params.items()}, lr=config.lr_max)
    rows = [
        [f"`{key}`", _letters(key), str(param.shape), "yes" if np.any(param != before[key]) else "no"]
        for key, param in params.items()
    ]
    decaying = sum(row[-1] == "yes" for row in rows)
    caption = f"Parameters of the transformer: {decaying} decay, {len(rows) - decaying} do not"
    return Table(caption, ["Key", "Shape in symbols", "Shape", "Decays"], rows)


def _parameters() -> dict[str, np.ndarray]:
    """The transformer's arrays, all entries 1: a zero would not show whether it decays."""
    _, vocabulary = encode(load_text())
    return {key: np.ones_like(param) for key, param in init_params(len(vocabulary)).items()}


def _letters(key: str) -> Markup:
    letters = {size: letter for letter, size in LETTERS.items()}
    shapes = param_shapes(
        LETTERS["V"],
        emb_dim=LETTERS["d"],
        ff_dim=LETTERS["F"],
        block_size=LETTERS["T"],
        num_layers=config.num_layers,
    )
    shape = [letters[size] for size in shapes[key]]
    return tex(f"({', '.join(shape)}{',' if len(shape) == 1 else ''})")


def sizes() -> Table:
    """The letters of the shapes and their values."""
    _, vocabulary = encode(load_text())
    rows = [
        [tex("V"), "vocabulary", "`len(vocabulary)`", len(vocabulary)],
        [tex("d"), "width of the embeddings", "`config.emb_dim`", config.emb_dim],
        [tex("T"), "longest context", "`config.block_size`", config.block_size],
        [tex("F"), "width of the feed-forward layer", "`config.ff_dim`", config.ff_dim],
    ]
    return Table("Letters of the shapes", ["Letter", "Meaning", "In code", "Value"], rows)
