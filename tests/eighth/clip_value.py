"""Each entry of a gradient limited on its own."""

from live.example import Example, Values
from live.fields import Number
from live.figure import bars
from live.results import Result
from live.trees import Numbers
from optim_ref.clipping import clip_grad_value


def run(values: Values) -> Result:
    g = values["grad"].copy()
    clip_grad_value([g], values["clip_value"])
    return Result(
        sentence=f"{int((g != values['grad']).sum())} of {g.size} entries were limited.",
        outputs={"clipped": g},
        figure=bars(
            "Each entry of the gradient before and after clipping by value.",
            "Entry",
            "Gradient",
            [str(place) for place in range(g.size)],
            {"Before": values["grad"], "After": g},
        ),
    )


def snippet(values: Values) -> str:
    return f"""\
import numpy as np
from optim_ref import clip_grad_value

grad = np.array({values["grad"].tolist()!r})
clip_grad_value([grad], clip_value={values["clip_value"]!r})
print("clipped", grad.tolist())
"""


EXAMPLE = Example(
    name="clip-value",
    title="Clipping by value",
    function=clip_grad_value,
    fields=(
        Numbers("grad", "Gradient (numbers)", "3, -0.5"),
        Number("clip_value", "Largest magnitude of an entry, C", "1"),
    ),
    run=run,
    snippet=snippet,
    outputs={"clipped": "Gradient after clipping"},
)
