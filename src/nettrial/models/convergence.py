"""How an inference ended."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.results import Result


@dataclass(frozen=True, slots=True)
class Convergence(Result):
    """How the inference of each label set ended.

    Attributes
    ----------
    iterations : ndarray of int, shape (n_sets,)
        Sweeps over all nodes.
    residual : ndarray of float, shape (n_sets,)
        max \\|F(P) - P\\| over nodes and classes in the last sweep, F being the classifier; NaN
        where the inference knows no such number.
    """

    iterations: NDArray[np.int64]
    residual: NDArray[np.float64]
