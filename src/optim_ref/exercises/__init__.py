"""Exercises: a reader writes a function of this package, and it is checked against the original.

One module per exercise, which holds its statement and its cases as `EXERCISE`; everything else here is the
same for all. `python -m optim_ref.exercises` runs them in a terminal, the site runs them in the browser.
"""

from optim_ref.exercises.exercise import Case, Exercise, JaxRules, Mistake, load

__all__ = ["NAMES", "Case", "Exercise", "JaxRules", "Mistake", "load"]

NAMES = ("clip-by-global-norm", "per-example-clipping", "adamw-step", "warmup-cosine")
"""The exercises, easiest to look up first."""
