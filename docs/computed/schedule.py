"""Tables of the page on the schedule."""

from optim_ref import config, warmup_cosine
from optim_ref_docs.tables import Table

TOTAL = 200


def key_steps() -> Table:
    """The rate at the steps where something begins or ends."""
    W = config.warmup_steps
    steps = {
        "before the first update": 0,
        "first update": 1,
        "half of the warmup": W // 2,
        "peak": W,
        "half of the decay": (W + TOTAL) // 2,
        "last step but one": TOTAL - 1,
        "end": TOTAL,
        "long after": 10 * TOTAL,
    }
    rows = [[name, str(step), _rate(step)] for name, step in steps.items()]
    return Table(f"{W} steps of warmup in {TOTAL}", ["Where", "Step", "Rate"], rows)


def _rate(step: int) -> float:
    return warmup_cosine(step, config.warmup_steps, TOTAL, config.lr_max, config.lr_min)
