"""A small transformer trained in the page, drawn while it learns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from live.example import Example, Values
from live.fields import Choice, Integer, Number
from live.figure import lines, thinned
from live.numbers import shown
from live.results import Result, Table
from optim_ref.corpus import encode, load_text
from optim_ref.train import StepRecord, train
from optim_ref.transformer import init_params

MOST_STEPS = 2000
# Drawing after each step would cost more than the step.
STEPS_BETWEEN_DRAWINGS = 5
# What the table says of each step, and the outputs of the last.
MEASURED = {
    "step": "Step",
    "loss": "Loss (nats per character)",
    "lr": "Learning rate (dimensionless)",
    "grad_norm": "Gradient norm before clipping (nats)",
}


def run(values: Values) -> Iterator[Result]:
    if values["steps"] > MOST_STEPS:
        raise ValueError(f"steps = {values['steps']} must be at most {MOST_STEPS}")
    tokens, vocabulary = encode(load_text())
    params = init_params(len(vocabulary), values["seed"])
    records = []
    for record in train(params, tokens, **_arguments(values)):
        records.append(record)
        if record.step % STEPS_BETWEEN_DRAWINGS == 0 or record.step == values["steps"]:
            yield _result(records, values)


def _arguments(values: Values) -> dict[str, Any]:
    return {
        "steps": values["steps"],
        "lr_max": values["lr_max"],
        "lr_min": min(values["lr_max"], 1e-4),
        "warmup_steps": values["warmup_steps"],
        "grad_clip": values["grad_clip"],
        "weight_decay": values["weight_decay"],
        "seed": values["seed"],
        "bad_step": values["bad_step"] or None,
        "decay_all": values["decay_all"] == "yes",
    }


def _result(records: list[StepRecord], values: Values) -> Result:
    steps, last = values["steps"], records[-1]
    drawn = [records[place] for place in thinned(len(records))]
    return Result(
        sentence=f"{last.step} of {steps} steps: loss {shown(last.loss)}, from {shown(records[0].loss)}.",
        outputs={name: getattr(last, name) for name in MEASURED},
        table=Table(
            caption="Every step of the training",
            labels=MEASURED,
            length=len(records),
            part=lambda first, end: [
                [getattr(record, name) for record in records[first:end]] for name in MEASURED
            ],
        ),
        figure=lines(
            f"Loss, gradient norm and learning rate over {last.step} steps.",
            "Step",
            [record.step for record in drawn],
            {
                "Loss (nats)": [record.loss for record in drawn],
                "Gradient norm": [record.grad_norm for record in drawn],
                "Learning rate": [record.lr for record in drawn],
            },
            reach={"Step": steps, "Learning rate": values["lr_max"]},
        ),
        progress=last.step / steps,
    )


def snippet(values: Values) -> str:
    arguments = "".join(f"    {name}={value!r},\n" for name, value in _arguments(values).items())
    return f"""\
from math import inf
from optim_ref.corpus import encode, load_text
from optim_ref.train import train
from optim_ref.transformer import init_params

tokens, vocabulary = encode(load_text())
records = train(
    init_params(len(vocabulary), {values["seed"]!r}),
    tokens,
{arguments})
*_, last = records
print("step", last.step)
print("loss", last.loss)
print("lr", last.lr)
print("grad_norm", last.grad_norm)
"""


EXAMPLE = Example(
    name="train",
    title="Watch it train",
    function=train,
    fields=(
        Integer("steps", f"Steps (1 to {MOST_STEPS})", "100", least=1),
        Number("lr_max", "Learning rate at the peak", "0.001"),
        Integer("warmup_steps", "Steps of warmup", "50"),
        Number("grad_clip", "Largest gradient norm (inf for any)", "1"),
        Number("weight_decay", "Weight decay λ", "0.01"),
        Integer("seed", "Seed of parameters and batches", "0"),
        Integer("bad_step", "Step with a bad batch (0 for none)", "0", settings=True),
        Choice("decay_all", "Decay biases and gains too", "no", settings=True, options=("no", "yes")),
    ),
    run=run,
    ulps=10_000,  # matrix products are summed in another order without BLAS
    snippet=snippet,
    outputs={
        "step": "Step",
        "loss": "Loss (nats per character)",
        "lr": "Learning rate",
        "grad_norm": "Gradient norm before clipping",
    },
    presets={
        "As configured": {},
        "High rate with warmup": {"lr_max": "0.03"},
        "High rate, no warmup": {"lr_max": "0.03", "warmup_steps": "0"},
        "A bad batch, clipped": {"bad_step": "60"},
        "A bad batch, not clipped": {"bad_step": "60", "grad_clip": "inf"},
        "Strong decay of matrices": {"weight_decay": "10"},
        "Strong decay of everything": {"weight_decay": "10", "decay_all": "yes"},
    },
)
