"""From class probabilities to predicted classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..numeric.checks import to_floats

TIED = 1e-6  # wider than what the order of a float32 sum can change


@check_arguments
def predict_labels(proba: NDArray[np.floating]) -> NDArray[np.int32]:
    """Return the most probable class; among classes within 1e-6 of it, the one that comes first.

    Rounding depends on the order in which a node's neighbors are added up, so without the
    margin an exact tie would be decided by the order of the nodes.

    Parameters
    ----------
    proba : ndarray of float, shape (..., n_classes)
        Class probabilities.

    Returns
    -------
    ndarray of int, shape (...)
        Class codes.

    Raises
    ------
    InputError
        Where there is no class.

    Examples
    --------
    >>> predict_labels(np.array([[0.2, 0.8], [0.5 - 1e-8, 0.5 + 1e-8]])).tolist()
    [1, 0]
    """
    if not isinstance(proba, np.ndarray) or proba.dtype.kind != "f":
        proba = to_floats("proba", proba)
    if proba.ndim == 0 or proba.shape[-1] == 0:
        raise InputError(
            expected="one column per class", got=f"shape {proba.shape}", where="predict_labels"
        )
    near = proba >= proba.max(axis=-1, keepdims=True) - TIED
    return np.asarray(near.argmax(axis=-1), dtype=np.int32)
