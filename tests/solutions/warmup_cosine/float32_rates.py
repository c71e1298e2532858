import math

import numpy as np


def warmup_cosine(step, warmup_steps, total_steps, lr_max, lr_min):
    def rate(s):
        if s < warmup_steps:
            return lr_max * s / warmup_steps
        if s == warmup_steps:
            return lr_max
        if s >= total_steps:
            return lr_min
        progress = (s - warmup_steps) / (total_steps - warmup_steps)
        return lr_min + (lr_max - lr_min) * (1 + math.cos(math.pi * progress)) / 2

    return np.array([rate(s) for s in np.ravel(step)], np.float32).reshape(np.shape(step))
