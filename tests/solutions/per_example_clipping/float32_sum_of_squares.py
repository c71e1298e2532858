import numpy as np


def clip_per_example(params, x, y, max_norm):
    residual = x @ params["w"] + params["b"] - y
    gw, gb = residual[:, None] * x, residual
    norms = np.sqrt((gw.astype(np.float32) ** 2).sum(axis=1) + gb.astype(np.float32) ** 2)
    factor = np.where(norms > max_norm, max_norm / np.where(norms > 0, norms, 1), 1)
    w, b = (factor[:, None] * gw).mean(0), (factor * gb).mean()
    return {"grads": {"w": w.astype(x.dtype), "b": b.astype(x.dtype)}, "norms": norms.astype(x.dtype)}
