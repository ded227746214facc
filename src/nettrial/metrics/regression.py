"""Measures of predicted numbers, as means of what each tested node contributes.

Targets come first, predictions second; the third argument, the predicted class of classifiers, is
the prediction once more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def squared(targets: Floats, predicted: Floats, _: Any) -> Floats:
    """Return the squared distance of each prediction from its target.

    Examples
    --------
    >>> squared(np.array([1.0, 3]), np.array([2.0, 1]), None).tolist()
    [1.0, 4.0]
    """
    return np.asarray((targets - predicted) ** 2)


def absolute(targets: Floats, predicted: Floats, _: Any) -> Floats:
    """Return the distance of each prediction from its target.

    Examples
    --------
    >>> absolute(np.array([1.0, 3]), np.array([2.0, 1]), None).tolist()
    [1.0, 2.0]
    """
    return np.abs(targets - predicted)
