import numpy as np


def warmup_cosine(step, warmup_steps, total_steps, lr_max, lr_min):
    rising = np.multiply(step, lr_max / max(warmup_steps, 1))
    early = np.less(step, warmup_steps)
    peak = np.equal(step, warmup_steps)
    step -= warmup_steps
    progress = np.clip(step / max(total_steps - warmup_steps, 1), 0, 1)
    falling = lr_min + (lr_max - lr_min) * (1 + np.cos(np.pi * progress)) / 2
    late = np.greater_equal(step, total_steps - warmup_steps)
    return np.where(early, rising, np.where(peak, lr_max, np.where(late, lr_min, falling)))[()]
