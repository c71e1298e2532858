import numpy as np


def adamw_step(params, grads, m, v, t, lr, beta1, beta2, eps, weight_decay):
    t += 1
    for name, param in params.items():
        g = grads[name].astype(m[name].dtype)
        m[name] += (1 - beta1) * (g - m[name])
        v[name] += (1 - beta2) * (g**2 - v[name])
        direction = m[name] / (1 - beta1**t) / (np.sqrt(v[name] / (1 - beta2**t)) + eps)
        param -= lr * (direction + weight_decay * param * (param.ndim >= 2))
    return {"params": params, "m": m, "v": v, "t": t}
