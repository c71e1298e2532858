import numpy as np


def adamw_step(params, grads, m, v, t, lr, beta1, beta2, eps, weight_decay):
    t += 1
    new = {"params": {}, "m": {}, "v": {}, "t": t}
    for name, param in params.items():
        g = grads[name].astype(m[name].dtype)
        new["m"][name] = beta1 * m[name] + (1 - beta1) * g
        new["v"][name] = beta2 * v[name] + (1 - beta2) * g**2
        m_hat = new["m"][name] / (1 - beta1**t)
        v_hat = new["v"][name] / (1 - beta2**t)
        direction = m_hat / np.sqrt(v_hat + eps)
        if param.ndim >= 2:
            direction = direction + weight_decay * param
        new["params"][name] = (param - lr * direction).astype(param.dtype)
    return new
