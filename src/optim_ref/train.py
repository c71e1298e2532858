"""The training loop, and the command `python -m optim_ref.train`."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from optim_ref import _checks, config
from optim_ref._report import progress, table
from optim_ref.adamw import AdamW
from optim_ref.clipping import clip_grad_norm
from optim_ref.corpus import encode, load_text, random_windows
from optim_ref.layers import Params
from optim_ref.parameters import check_params
from optim_ref.schedule import warmup_cosine
from optim_ref.transformer import NUM_HEADS, init_params, loss_and_grads

if TYPE_CHECKING:
    import argparse

__all__ = ["StepRecord", "main", "train"]

STEPS = 200
BATCH_SIZE = 8


class StepRecord(NamedTuple):
    """What one step of training looked like.

    Attributes:
        step: Number of the step, from 1.
        loss: Loss of the batch before the update, in nats per character.
        lr: Learning rate of the update.
        grad_norm: Global norm of the gradients before clipping.
    """

    step: int
    loss: float
    lr: float
    grad_norm: float


def train(
    params: Params,
    tokens: ArrayLike,
    *,
    steps: int = STEPS,
    batch_size: int = BATCH_SIZE,
    lr_max: float = config.lr_max,
    lr_min: float = config.lr_min,
    warmup_steps: int = config.warmup_steps,
    grad_clip: float | None = config.grad_clip,
    weight_decay: float = config.weight_decay,
    seed: int | np.random.Generator = 0,
    num_heads: int = NUM_HEADS,
    bad_step: int | None = None,
    bad_scale: float = 1e3,
    decay_all: bool = False,
) -> Iterator[StepRecord]:
    r"""Train a transformer, one step for each record that is asked for.

    A step draws a batch, computes loss and gradients, clips, reads the schedule, and updates `params` in
    place. The work is done as the iterator is advanced: whoever stops asking stops the training, with the
    parameters of the last step.

    Three arguments are there to show what goes wrong otherwise. `bad_step` multiplies the gradients of that
    one step by `bad_scale`, as a faulty batch would. `decay_all` hands AdamW two-dimensional views, so that
    biases and gains decay as well. `grad_clip=None` leaves clipping out.

    Args:
        params: From `init_params`; updated in place.
        tokens: The text as integers, shape (n,), n above the block size.
        steps: Number of steps, at least 1, also the length of the schedule.
        batch_size: Windows per step, at least 1.
        lr_max: See `warmup_cosine`.
        lr_min: See `warmup_cosine`.
        warmup_steps: See `warmup_cosine`; at most `steps`.
        grad_clip: Largest global norm, at least 0, where 0 stops all learning; None or infinity for no
            clipping.
        weight_decay: See `AdamW`.
        seed: Seed of the random stream that draws the batches, or a generator to draw from.
        num_heads: See `forward`.
        bad_step: The step whose gradients are spoilt, or None.
        bad_scale: What they are multiplied by.
        decay_all: Whether arrays of one dimension decay too.

    Returns:
        An iterator over one record per step.

    Raises:
        TypeError: At the first record, if an argument is of the wrong type.
        ValueError: At the first record, if an argument is out of range; nothing has been changed then. At a
            later one, if a batch meets a token outside the vocabulary.

    Examples:
        >>> from optim_ref.corpus import encode, load_text
        >>> from optim_ref.transformer import init_params
        >>> tokens, vocabulary = encode(load_text())
        >>> records = list(train(init_params(len(vocabulary)), tokens, steps=20, warmup_steps=5, lr_max=0.01))
        >>> records[0].loss > records[-1].loss
        True

    References:
        Brown et al. (2020), appendix B | https://arxiv.org/abs/2005.14165
    """
    check_params(params, num_heads)
    _checks.integer("steps", steps, 1)
    if bad_step is not None:
        _checks.integer("bad_step", bad_step, 1)
    bad_scale = _checks.real("bad_scale", bad_scale, "[0, inf)")
    max_norm = _checks.real("grad_clip", math.inf if grad_clip is None else grad_clip, "[0, inf]")
    rng = np.random.default_rng(seed)
    block_size = len(params["pos_emb"])
    updated = _two_dimensional(params) if decay_all else params
    optimizer = AdamW(updated, config.beta1, config.beta2, config.adam_eps, weight_decay)
    for step in range(1, steps + 1):
        inputs, targets = random_windows(tokens, block_size, batch_size, rng)  # (B, T)
        loss, grads = loss_and_grads(params, inputs, targets, num_heads=num_heads)
        if step == bad_step:
            grads = {key: bad_scale * grad for key, grad in grads.items()}
        if decay_all:
            grads = _two_dimensional(grads)
        grad_norm = clip_grad_norm(grads, max_norm)
        lr = warmup_cosine(step, warmup_steps, steps, lr_max, lr_min)
        optimizer.step(updated, grads, lr)
        yield StepRecord(step, loss, float(lr), float(grad_norm))


def _two_dimensional(arrays: Params) -> Params:
    """Views with at least two dimensions: changing them changes the arrays."""
    return {key: np.atleast_2d(array) for key, array in arrays.items()}


def _parser() -> argparse.ArgumentParser:
    # Only the command needs it. Above, it would be in the memory that every page with Python loads.
    import argparse  # noqa: PLC0415

    parser = argparse.ArgumentParser(
        prog="python -m optim_ref.train",
        description="Train a small character-level transformer with AdamW, warmup-cosine and clipping.",
    )
    add = parser.add_argument
    add("--text", type=Path, metavar="FILE", help="UTF-8 text to train on; without it, the package's own")
    add("--steps", type=int, default=STEPS, help="number of steps [%(default)s]")
    add("--batch-size", type=int, default=BATCH_SIZE, help="windows per step [%(default)s]")
    add("--lr-max", type=float, default=config.lr_max, help="learning rate after warmup [%(default)s]")
    add("--lr-min", type=float, default=config.lr_min, help="learning rate at the end [%(default)s]")
    add("--warmup-steps", type=int, help=f"steps of warmup [{config.warmup_steps}, or all if fewer]")
    add("--grad-clip", type=float, default=config.grad_clip, help="largest norm, inf for any [%(default)s]")
    add("--weight-decay", type=float, default=config.weight_decay, help="decay of matrices [%(default)s]")
    add("--decay-all", action="store_true", help="decay biases and gains too")
    add("--bad-step", type=int, help="multiply the gradients of this step by 1000")
    add("--seed", type=int, default=0, help="seed of parameters and batches [%(default)s]")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    r"""The command `python -m optim_ref.train`: train on a text and print loss, rate and gradient norm.

    A terminal shows progress while it runs. Interrupting it (Ctrl-C) prints the table of the steps taken so
    far.

    Args:
        argv: Arguments, those of the process if None; `--help` lists them.

    Returns:
        The exit status: 0.

    Raises:
        SystemExit: With status 2 and a message, if an argument is out of range.

    Examples:
        >>> main(["--steps", "1"])
        31 characters: a uniform guess costs 3.4340.
          step      loss          lr   grad_norm
             1    3.4612   1.000e-03      1.5422
        0
    """
    parser = _parser()
    options = vars(parser.parse_args(argv))
    path = options.pop("text")
    if options["warmup_steps"] is None:
        options["warmup_steps"] = min(config.warmup_steps, options["steps"])
    try:
        tokens, vocabulary = encode(path.read_text(encoding="utf-8") if path else load_text())
        rng = np.random.default_rng(options.pop("seed"))
        records = train(init_params(len(vocabulary), rng), tokens, seed=rng, **options)
        print(f"{len(vocabulary)} characters: a uniform guess costs {math.log(len(vocabulary)):.4f}.")
        print(table(_collect(progress(records, options["steps"], sys.stderr))))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    return 0


def _collect(records: Iterable[StepRecord]) -> list[StepRecord]:
    """The records up to the end, or up to Ctrl-C."""
    collected = []
    with contextlib.suppress(KeyboardInterrupt):
        for record in records:
            collected.append(record)
    return collected


if __name__ == "__main__":
    sys.exit(main())
