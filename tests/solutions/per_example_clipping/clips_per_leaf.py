import numpy as np


def factors(norms, max_norm):
    return np.where(norms > max_norm, max_norm / np.where(norms > 0, norms, 1), 1)


def clip_per_example(params, x, y, max_norm):
    residual = x @ params["w"] + params["b"] - y
    gw, gb = residual[:, None] * x, residual
    norms_w, norms_b = np.sqrt(np.sum(gw**2, axis=1)), np.abs(gb)
    w = (factors(norms_w, max_norm)[:, None] * gw).mean(axis=0)
    b = (factors(norms_b, max_norm) * gb).mean()
    return {"grads": {"w": w, "b": b}, "norms": np.hypot(norms_w, norms_b)}
