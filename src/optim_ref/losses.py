"""Cross-entropy of logits, and its gradient. Letters of shapes: see `layers`."""

from __future__ import annotations

import numpy as np

from optim_ref.layers import Array, Tokens

__all__ = ["cross_entropy", "cross_entropy_backward"]


def cross_entropy(logits: Array, targets: Tokens) -> tuple[float, Array]:
    r"""Mean cross-entropy of the predicted distribution, in nats.

    Works on logarithms throughout: a class that is all but ruled out costs its distance in logits, where the
    logarithm of an underflowed probability would cost infinity.

    Equation: log-softmax | Logarithm of the softmax
        \log p = z - \log \operatorname{sum}(e^z)
    Equation: cross-entropy | Cross-entropy
        L = -\operatorname{mean}_n \log p_{n, y_n}
    Symbols:
        z | z | (..., V) | Logits, the largest subtracted
        \log p | log_p | (..., V) | Logarithms of the predicted probabilities
        y | targets | (...) | The class that was right, at each position n
        L | loss | () | Mean cost of the right classes

    Args:
        logits: Shape (..., V).
        targets: Integers in [0, V), shape (...).

    Returns:
        The loss, and the logarithms of the predicted probabilities, shape (..., V): the cache for
        `cross_entropy_backward`.

    Examples:
        >>> import numpy as np
        >>> loss, log_p = cross_entropy(np.array([[0.0, 0.0], [0.0, 1000.0]]), np.array([1, 1]))
        >>> round(loss, 6)  # half of log 2: the second guess is sure and right
        0.346574

    References:
        log-softmax | Goodfellow, Bengio & Courville (2016), section 6.2.2.3 | https://www.deeplearningbook.org/contents/mlp.html
        cross-entropy | Bishop (2006), equation 4.108 | https://www.microsoft.com/en-us/research/people/cmbishop/prml-book/
    """
    z = logits - logits.max(axis=-1, keepdims=True)  # (..., V), so that exp cannot overflow
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))  # eq: log-softmax
    loss = -np.take_along_axis(log_p, targets[..., None], axis=-1).mean()  # eq: cross-entropy
    return float(loss), log_p


def cross_entropy_backward(log_p: Array, targets: Tokens) -> Array:
    r"""Gradient of the cross-entropy with respect to the logits.

    Predicted minus actual probability, divided by the number of positions, of which the loss is the mean.

    Equation: cross-entropy-gradient | Gradient of the cross-entropy
        \delta_z = \frac{1}{N} (p - \operatorname{onehot}(y))
    Symbols:
        \delta_z | dlogits | (..., V) | Gradient of the loss with respect to the logits
        p | p | (..., V) | Predicted probabilities
        \operatorname{onehot}(y) | onehot | (..., V) | 1 for the class that was right, 0 for the others
        y | targets | (...) | The class that was right
        N | targets.size | () | Number of positions

    Args:
        log_p: From `cross_entropy`, shape (..., V).
        targets: Integers in [0, V), shape (...).

    Returns:
        The gradient, shape (..., V).

    Examples:
        >>> import numpy as np
        >>> _, log_p = cross_entropy(np.zeros((1, 2)), np.array([1]))
        >>> cross_entropy_backward(log_p, np.array([1]))
        array([[ 0.5, -0.5]])

    References:
        cross-entropy-gradient | Bishop (2006), equation 4.109 | https://www.microsoft.com/en-us/research/people/cmbishop/prml-book/
    """
    p = np.exp(log_p)  # (..., V)
    onehot = np.eye(p.shape[-1], dtype=p.dtype)[targets]  # (..., V)
    dlogits: Array = (p - onehot) / targets.size  # eq: cross-entropy-gradient
    return dlogits
