"""Reference implementations in NumPy: AdamW, the warmup-cosine schedule and gradient clipping."""

from optim_ref.adamw import AdamW

__all__ = ["AdamW"]
