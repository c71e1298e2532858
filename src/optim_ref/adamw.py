"""AdamW: Adam with decoupled weight decay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from optim_ref import _checks
from optim_ref._checks import Arrays

__all__ = ["AdamW"]


class AdamW:
    r"""AdamW: adaptive moments with weight decay kept apart from the gradient.

    Holds the state between steps: two moving averages per parameter, `m` and `v`, as dicts with the
    keys of `params`, and the step counter `t`, an integer. All three may be read, saved and set back.
    The moments have the parameter's dtype, but at least float32: squares of float16 gradients below
    2.4e-4 would be zero. Attributes `beta1`, `beta2`, `eps` and `weight_decay` hold the settings.

    Why:
        A step needs more than the gradient at hand: the averages and the counter must outlive it, one set
        for each parameter, or every step would be a first step.

    Equation: initial-state | The state before the first step
        m_0 = 0, \quad v_0 = 0, \quad t = 0

    Symbols:
        m_0 | self.m | one array per parameter, of its shape | First moment: average of the gradients so far
        v_0 | self.v | one array per parameter, of its shape | Second moment: average of their squares so far
        t | self.t | integer | Number of steps taken

    Args:
        params: The parameters by name, arrays of any shape in real floating point; at least one.
        beta1: Memory of the first moment, in [0, 1).
        beta2: Memory of the second moment, in [0, 1).
        eps: Added to the root of the second moment, in [0, inf).
        weight_decay: Decay per unit of learning rate, in [0, inf).

    Raises:
        TypeError: If a parameter is no NumPy array or not real floating point, or a setting no number.
        ValueError: If a setting lies outside its range, `params` is empty, or an array is read-only or
            given under two names.

    Examples:
        >>> import numpy as np
        >>> params = {"w": np.ones((1, 1)), "b": np.ones(1)}
        >>> optimizer = AdamW(params, weight_decay=0.01)
        >>> optimizer.step(params, {"w": np.array([[0.5]]), "b": np.array([0.5])}, lr=0.1)
        >>> params["w"].round(8), params["b"].round(8), optimizer.t
        (array([[0.899]]), array([0.9]), 1)

    References:
        initial-state | Loshchilov & Hutter (2019), Algorithm 2, line 2 | https://arxiv.org/abs/1711.05101
    """

    def __init__(
        self,
        params: Arrays,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        self.beta1 = _checks.real("beta1", beta1, "[0, 1)")
        self.beta2 = _checks.real("beta2", beta2, "[0, 1)")
        self.eps = _checks.real("eps", eps, "[0, inf)")
        self.weight_decay = _checks.real("weight_decay", weight_decay, "[0, inf)")
        _checks.parameters(params)
        self.m = {k: _moment(param) for k, param in params.items()}  # eq: initial-state
        self.v = {k: _moment(param) for k, param in params.items()}  # eq: initial-state
        self.t = 0  # eq: initial-state

    def step(self, params: Arrays, grads: Arrays, lr: float) -> None:
        r"""One AdamW update of every parameter, in place.

        As in Loshchilov and Hutter (2019), but the decay is multiplied by the learning rate, as PyTorch
        and optax have it, and reaches only arrays of two or more dimensions: biases and normalisation
        gains keep their size. `eps` stands outside the root, after the bias correction. A gradient that
        is nan or infinite is not refused: it makes the entries it meets nan.

        Why:
            Gradients of different parameters differ by orders of magnitude, and one learning rate cannot suit
            all. Dividing by the root of the second moment makes every entry move by about the learning rate.
            Decay kept out of that quotient pulls all weights alike, however large their gradients are.

        Equation: step-count | Count the step
            t \leftarrow t + 1

        Equation: first-moment | Moving average of the gradient
            m_t = \beta_1 m_{t-1} + (1 - \beta_1)\, g_t

        Equation: second-moment | Moving average of the squared gradient
            v_t = \beta_2 v_{t-1} + (1 - \beta_2)\, g_t^2

        Equation: first-moment-corrected | First moment without its bias towards zero
            \hat{m}_t = \frac{m_t}{1 - \beta_1^t}

        Equation: second-moment-corrected | Second moment without its bias towards zero
            \hat{v}_t = \frac{v_t}{1 - \beta_2^t}

        Equation: adam-direction | Adam's direction
            u_t = \frac{\hat{m}_t}{\sqrt{\hat{v}_t} + \epsilon}

        Equation: decoupled-weight-decay | Decay added to the direction, not to the gradient
            d_t = u_t + \lambda\, \theta_{t-1}

        Equation: parameter-update | Step against the direction
            \theta_t = \theta_{t-1} - \eta_t\, d_t \qquad (d_t = u_t \text{ below two dimensions})

        Symbols:
            t | self.t | integer | Number of steps taken, 1 in the first step
            g_t | g | as the parameter | Gradient, in the dtype of the moments
            m_t | self.m[k] | as the parameter | First moment: which way the gradients point
            m_{t-1} | self.m[k] | as the parameter | First moment after the step before
            v_t | self.v[k] | as the parameter | Second moment: how large the gradients are
            v_{t-1} | self.v[k] | as the parameter | Second moment after the step before
            \beta_1 | self.beta1 | scalar | Share of the first moment that is kept
            \beta_2 | self.beta2 | scalar | Share of the second moment that is kept
            \hat{m}_t | m_hat | as the parameter | First moment, corrected for its start at zero
            \hat{v}_t | v_hat | as the parameter | Second moment, corrected for its start at zero
            \epsilon | self.eps | scalar | Keeps the quotient finite where gradients vanish
            u_t | update | as the parameter | Adam's direction, about 1 in size
            \lambda | self.weight_decay | scalar | Weight decay
            d_t | update_decayed | as the parameter | Direction with the pull towards zero
            \theta_t | param | any | Parameter after the step
            \theta_{t-1} | param | any | Parameter before the step
            \eta_t | lr | scalar | Learning rate of this step

        Args:
            params: The parameters, with the names and shapes the optimizer was made with.
            grads: The gradient of each parameter, same names and shapes.
            lr: Learning rate, in [0, inf).

        Raises:
            TypeError: If an array is no NumPy array or not real floating point, or `lr` no number.
            ValueError: If names or shapes differ, a parameter is read-only, or `lr` is out of range.

        Examples:
            >>> import numpy as np
            >>> params = {"w": np.array([[1.0]])}
            >>> optimizer = AdamW(params)
            >>> for grad in (0.5, 0.25):
            ...     optimizer.step(params, {"w": np.array([[grad]])}, lr=0.1)
            >>> params["w"].round(8)
            array([[0.80488304]])

        References:
            step-count | Kingma & Ba (2015), Algorithm 1 | https://arxiv.org/abs/1412.6980
            first-moment | Kingma & Ba (2015), Algorithm 1 | https://arxiv.org/abs/1412.6980
            second-moment | Kingma & Ba (2015), Algorithm 1 | https://arxiv.org/abs/1412.6980
            first-moment-corrected | Kingma & Ba (2015), Algorithm 1 and section 3 | https://arxiv.org/abs/1412.6980
            second-moment-corrected | Kingma & Ba (2015), Algorithm 1 and section 3 | https://arxiv.org/abs/1412.6980
            adam-direction | Kingma & Ba (2015), Algorithm 1 | https://arxiv.org/abs/1412.6980
            decoupled-weight-decay | Loshchilov & Hutter (2019), Algorithm 2, line 12 | https://arxiv.org/abs/1711.05101
            parameter-update | Loshchilov & Hutter (2019), Algorithm 2, line 12 | https://arxiv.org/abs/1711.05101
        """
        lr = _checks.real("lr", lr, "[0, inf)")
        _checks.counter("t", self.t)
        _checks.step_input(params, grads, self.m, self.v)
        self.t += 1  # eq: step-count
        for k, param in params.items():
            g = np.asarray(grads[k], self.m[k].dtype)  # float32 at least, so that its square does not vanish
            self.m[k] = self.beta1 * self.m[k] + (1 - self.beta1) * g  # eq: first-moment
            self.v[k] = self.beta2 * self.v[k] + (1 - self.beta2) * np.square(g)  # eq: second-moment
            m_hat = self.m[k] / (1 - self.beta1**self.t)  # eq: first-moment-corrected
            v_hat = self.v[k] / (1 - self.beta2**self.t)  # eq: second-moment-corrected
            update = m_hat / (np.sqrt(v_hat) + self.eps)  # eq: adam-direction
            if param.ndim >= 2:
                update_decayed = update + self.weight_decay * param  # eq: decoupled-weight-decay
                param -= lr * update_decayed  # eq: parameter-update
            else:
                param -= lr * update  # eq: parameter-update

    def as_step(self) -> Callable[[Arrays, Arrays, float], Arrays]:
        """This optimizer as the last step of a chain.

        A step of a chain is called with gradients, parameters and learning rate and returns gradients.
        This one updates the parameters in place, exactly as `AdamW.step` does, and hands the gradients
        on as they came, so that whatever follows can still read them. State and counter stay in this
        optimizer. Put clipping before it: what comes before shapes the gradients it sees.

        Returns:
            A function `step(grads, params, lr)` that updates `params` and returns `grads`.

        Examples:
            >>> import numpy as np
            >>> params = {"w": np.ones((1, 1))}
            >>> step = AdamW(params).as_step()
            >>> grads = step({"w": np.full((1, 1), 0.5)}, params, 0.1)
            >>> params["w"].round(8), grads["w"]
            (array([[0.899]]), array([[0.5]]))
        """

        def step(grads: Arrays, params: Arrays, lr: float) -> Arrays:
            self.step(params, grads, lr)
            return grads

        return step


def _moment(param: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Zeros of the parameter's shape, wide enough for the square of a small gradient."""
    return np.zeros(param.shape, np.result_type(param.dtype, np.float32))
