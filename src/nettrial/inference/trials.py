"""Tests of many trials at once, for experiments that keep arrays instead of predictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..stats.result import TestResult

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Trials:
    """What tests are made from, one row per trial; None where it was not kept.

    Attributes
    ----------
    rates : ndarray, shape (n_trials, 2, k)
        Error rates of A and B.
    n, m : float
        Mean size of a test set; nodes of the network.
    n_train : float
        Size of a training set.
    parameters : ndarray, shape (n_trials, 2, 4), or None
        Estimates of p, q, rho and |L| of A and B.
    sums, sizes : ndarray, shape (n_trials, G), or None
        A's errors minus B's, and the tests, in every community; both 0 where there is none.
    pvalues : mapping of str to ndarray, shape (n_trials,)
        Of tests that were made while the trials were run.
    """

    rates: Floats
    n: float
    m: float
    n_train: float
    parameters: Floats | None = None
    sums: Floats | None = None
    sizes: Floats | None = None
    pvalues: Mapping[str, Floats] = field(default_factory=dict)


class InTrials(NamedTuple):
    """How a test is made of many trials.

    Attributes
    ----------
    reads : tuple of str
        The arrays of `Trials` that it is made from.
    pvalues : callable
        Trials -> two-sided p-values, NaN where the test refuses.
    """

    reads: tuple[str, ...]
    pvalues: Callable[[Trials], Floats]


def on_rates(test: Callable[..., TestResult]) -> InTrials:
    """Return how a test of the error rates alone is made, from its function of those of A and B."""
    return InTrials(
        ("rates",), lambda t: np.asarray(test(t.rates[:, 0], t.rates[:, 1]).pvalue, dtype=float)
    )


def on_communities(test: Callable[[Floats, NDArray[np.integer], Floats], TestResult]) -> InTrials:
    """Return how a test of communities is made, from its function of means, codes and weights.

    One community leaves it undefined.
    """

    def pvalues(trials: Trials) -> Floats:
        assert trials.sums is not None  # noqa: S101 - `reads` says so
        assert trials.sizes is not None  # noqa: S101
        found = np.full(len(trials.sums), np.nan)
        for place, (sums, sizes) in enumerate(zip(trials.sums, trials.sizes)):
            there = np.flatnonzero(sizes > 0)
            if there.size > 1:
                weights = sizes[there]
                found[place] = test(sums[there] / weights, np.arange(there.size), weights).pvalue
        return found

    return InTrials(("sums", "sizes"), pvalues)
