import math

import numpy as np


def warmup_cosine(step, warmup_steps, total_steps, lr_max, lr_min):
    def rate(s):
        if s < warmup_steps:
            return lr_max * s / warmup_steps
        if s == warmup_steps:
            return lr_max
        progress = (s - warmup_steps) / max(total_steps - warmup_steps, 1)
        return lr_min + (lr_max - lr_min) * (1 + math.cos(math.pi * progress)) / 2

    return np.array([rate(s) for s in np.ravel(step)], float).reshape(np.shape(step))
