"""The learning rate of every step: linear warmup, then a cosine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from live.example import Example, Values
from live.fields import Integer, Number
from live.figure import lines, thinned
from live.numbers import shown
from live.results import Result, Table
from optim_ref.schedule import warmup_cosine


def run(values: Values) -> Result:
    warmup, total = values["warmup_steps"], values["total_steps"]
    key_rates: list[float] = []
    key_steps = [0, 1, warmup, warmup + 1, total]
    rows = EXAMPLE.rows(lambda: key_rates.extend(_rates(key_steps, values)))
    drawn = thinned(total + 1)
    rates = _rates(drawn, values)
    all_drawn = len(drawn) == total + 1
    description = (
        f"Learning rate over {_steps(total)}: up to {shown(values['lr_max'])} at step {warmup}, "
        f"then along a cosine to {shown(values['lr_min'])}."
    )
    return Result(
        sentence=f"{_steps(total + 1)}, from step 0 to step {total}. {description}",
        outputs=dict(zip(EXAMPLE.outputs, key_rates, strict=True)),
        rows=rows,
        table=Table(
            caption="Learning rate of every step",
            labels={"step": "Step", "lr": "Learning rate (dimensionless)"},
            length=total + 1,
            part=lambda first, end: [
                range(first, end),
                rates[first:end] if all_drawn else _rates(range(first, end), values),
            ],
        ),
        figure=lines(description, "Step", drawn, {"Learning rate": rates}),
    )


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"


def _rates(steps: Sequence[int], values: Values) -> list[float]:
    rates: list[float] = warmup_cosine(
        np.array(steps), values["warmup_steps"], values["total_steps"], values["lr_max"], values["lr_min"]
    ).tolist()
    return rates


def snippet(values: Values) -> str:
    warmup, total = values["warmup_steps"], values["total_steps"]
    key_steps = dict(zip(EXAMPLE.outputs, [0, 1, warmup, warmup + 1, total], strict=True))
    return f"""\
from optim_ref import warmup_cosine

for name, step in {key_steps!r}.items():
    rate = warmup_cosine(
        step,
        warmup_steps={warmup!r},
        total_steps={total!r},
        lr_max={values["lr_max"]!r},
        lr_min={values["lr_min"]!r},
    )
    print(name, rate)
"""


EXAMPLE = Example(
    name="lr-curve",
    title="Learning rate of every step",
    function=warmup_cosine,
    fields=(
        Integer("total_steps", "All steps, warmup included", "200"),
        Integer("warmup_steps", "Steps of warmup", "50"),
        Number("lr_max", "Learning rate at the peak", "0.001"),
        Number("lr_min", "Learning rate at the end", "0.0001"),
    ),
    run=run,
    ulps=3,  # cosines are not rounded alike everywhere
    snippet=snippet,
    row_names={
        "return linear-warmup": "warmup",
        "return peak-rate": "peak",
        "return final-rate": "final",
        "progress": "progress",
        "return cosine-decay": "cosine",
    },
    outputs={
        "step-0": "Rate at step 0",
        "step-1": "Rate at step 1",
        "warmup-end": "Rate at the end of warmup",
        "after-warmup": "Rate one step later",
        "last": "Rate at the last step",
    },
)
