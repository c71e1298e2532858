import numpy as np


def clip_per_example(params, x, y, max_norm):
    residual = x @ params["w"] + params["b"] - y
    gw, gb = residual[:, None] * x, residual
    norms = np.sum(gw**2, axis=1) + gb**2
    factor = np.ones_like(norms)
    factor[norms > max_norm] = max_norm / norms[norms > max_norm]
    return {"grads": {"w": (factor[:, None] * gw).mean(0), "b": (factor * gb).mean()}, "norms": norms}
