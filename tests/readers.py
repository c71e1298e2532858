"""Solutions that readers would write, right and wrong, and what a check must say of the wrong ones."""

from __future__ import annotations

from pathlib import Path

SOLUTIONS = Path(__file__).parent / "solutions"
FIFTH = Path(__file__).parent / "fifth"
REFERENCES = {
    "clip-by-global-norm": "from optim_ref import clip_by_global_norm",
    "per-example-clipping": "from optim_ref import clip_per_example",
    "adamw-step": "from optim_ref.exercises.adamw_step import adamw_step",
    "warmup-cosine": "from optim_ref import warmup_cosine",
}
# What the message of at least one check must say of each wrong solution.
FAULTS = {
    "clip-by-global-norm": {
        "no_square_root": "the square root were missing",
        "eps_inside_the_root": "1e-12 were added inside the root",
        "clips_per_leaf": "each array were clipped by its own norm",
        "changes_its_input": "Changed input: tree['w'][0] was 3.0 and is 0.6000000000000001 after the call",
        "float32_sum_of_squares": "the squares were summed in float32",
    },
    "per-example-clipping": {
        "no_square_root": "the square root were missing",
        "eps_inside_the_root": "1e-8 were added inside the root",
        "clips_per_leaf": "`w` and `b` were clipped each by its own norm",
        "changes_its_input": "Changed input: x[0, 0] was 0.75 and is 3.75 after the call",
        "float32_sum_of_squares": "the squares were summed in float32",
    },
    "adamw-step": {
        "no_square_root": "the square root were missing",
        "eps_inside_the_root": "eps were added inside the root",
        "decays_every_array": "arrays of fewer than two dimensions decayed, too",
        "changes_its_input": "Changed input: params['w'][0, 0] was 1.0 and is 0.899",
        "float32_moments": "the step were computed in float32",
    },
    "warmup-cosine": {
        "no_half": "the cosine were not halved",
        "total_without_warmup": "total_steps did not include the warmup",
        "rises_again": "the rate rose again after the end",
        "changes_its_input": "Changed input: step[0] was 0 and is -50 after the call",
        "float32_rates": "Wrong dtype: result is float32, must be float64",
    },
}
WRONG = [(name, fault) for name, faults in FAULTS.items() for fault in faults]


def read(name: str, file: str) -> str:
    """The text of a solution, given the exercise and the solution's own name."""
    return (SOLUTIONS / name.replace("-", "_") / f"{file}.py").read_text()
