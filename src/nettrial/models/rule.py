"""A relational classifier in the form that the compiled loops take."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LEAST = 1e-6  # class tables are bounded below, where float32 probabilities lose their digits
NEVER = -1e30  # the logarithm of a prior of 0


class Kind(IntEnum):
    """What is done with the weighted classes of the neighbors."""

    VOTE = 0
    BAYES = 1
    LOGISTIC = 2
    COSINE = 3


class Rule(NamedTuple):
    """What a classifier learnt from each label set.

    `table` has the shape (n_sets, n_classes, n_classes) and `bias` (n_sets, n_classes):
    P(l | c) and the prior for BAYES, coefficients and intercepts for LOGISTIC, unit reference
    vectors and the prior for COSINE, nothing for VOTE.
    """

    kind: Kind
    table: NDArray[np.float64]
    bias: NDArray[np.float64]


def log_prior(prior: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the natural logarithm, with a number that softmax turns into 0 in place of -inf."""
    return np.log(prior, where=prior > 0, out=np.full_like(prior, NEVER))


LOG2_E = 1 / np.log(2)  # the compiled loops take logarithms to base 2


def in_lanes(values: NDArray[np.floating], width: int = 16) -> NDArray[np.float32]:
    """Put label sets last, in groups of 16 lanes; lanes without a set repeat the first one."""
    padded = np.concatenate([values, np.repeat(values[:1], width - len(values), axis=0)])
    grouped = padded.reshape(width // 16, 16, *values.shape[1:])
    return np.ascontiguousarray(np.moveaxis(grouped, 1, -1), dtype=np.float32).ravel()
