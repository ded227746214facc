"""How the predictions of linked nodes are made to agree: collective inference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..results import Result


@dataclass(frozen=True, slots=True)
class Convergence(Result):
    """How the inference of each label set ended.

    Attributes
    ----------
    iterations : ndarray of int, shape (n_sets,)
        Sweeps over all nodes.
    residual : ndarray of float, shape (n_sets,)
        max \\|F(P) - P\\| over nodes and classes in the last sweep, F being the classifier.
    """

    iterations: NDArray[np.int64]
    residual: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RelaxationLabeling:
    """Relaxation labelling: all nodes at once move towards what their neighbours say.

    Starting from the class prior of the labelled nodes, with labelled nodes clamped,

        P(t+1) = beta(t+1) F(P(t)) + (1 - beta(t+1)) P(t),   beta(t+1) = decay beta(t).

    Parameters
    ----------
    beta : float
        beta(0), in (0, 1].
    decay : float
        In (0, 1].
    iterations : int
        Greatest number of sweeps.
    tolerance : float, optional
        Stop a label set as soon as max \\|F(P) - P\\| is below it.

    References
    ----------
    Macskassy and Provost (2007), Classification in networked data, JMLR 8, section 3.4.2 and
    table 4.

    Examples
    --------
    >>> RelaxationLabeling(iterations=2).weights().round(4).tolist()
    [0.99, 0.9801]
    """

    beta: float = 1.0
    decay: float = 0.99
    iterations: int = 99
    tolerance: float | None = None

    def weights(self) -> NDArray[np.float64]:
        """Give the weight of F(P) in each sweep.

        Raises
        ------
        InputError
            Where a parameter is out of its range.
        """
        for name, value in (("beta", self.beta), ("decay", self.decay)):
            if not 0 < value <= 1:
                raise InputError(
                    f"RelaxationLabeling: {name}={value!r}, allowed are numbers in (0, 1]"
                )
        if self.iterations < 1:
            raise InputError(
                f"RelaxationLabeling: iterations={self.iterations!r}, allowed are integers >= 1"
            )
        if self.tolerance is not None and not self.tolerance > 0:
            raise InputError(
                f"RelaxationLabeling: tolerance={self.tolerance!r}, allowed are numbers > 0; "
                "leave it out to run all sweeps"
            )
        return self.beta * self.decay ** np.arange(1.0, self.iterations + 1)
