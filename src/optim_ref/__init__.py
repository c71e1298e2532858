"""Reference implementations in NumPy: AdamW, the warmup-cosine schedule and gradient clipping."""

from optim_ref import chain, config, tree
from optim_ref.adamw import AdamW
from optim_ref.clipping import (
    clip_by_global_norm,
    clip_factor,
    clip_grad_norm,
    clip_grad_value,
    clip_gradients,
    clip_per_example,
    clipped_mean,
    global_norm,
)
from optim_ref.schedule import warmup_cosine

__all__ = [
    "AdamW",
    "chain",
    "clip_by_global_norm",
    "clip_factor",
    "clip_grad_norm",
    "clip_grad_value",
    "clip_gradients",
    "clip_per_example",
    "clipped_mean",
    "config",
    "global_norm",
    "tree",
    "warmup_cosine",
]
