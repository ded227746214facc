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
    """What tests are made from, one row per trial; None where it was not kept."""

    rates: Floats  # shape (n_trials, 2, k): error rates of A and B
    # n, m: mean size of a test set; nodes of the network
    n: float
    m: float
    n_train: float  # size of a training set
    # shape (n_trials, 2, 4), or None: estimates of p, q, rho and |L| of A and B
    parameters: Floats | None = None
    # sums, sizes: shape (n_trials, G), or None: a's errors minus B's, and the tests, in every
    # community; both 0 where there is none
    sums: Floats | None = None
    sizes: Floats | None = None
    # shape (n_trials,): of tests that were made while the trials were run
    pvalues: Mapping[str, Floats] = field(default_factory=dict)


class InTrials(NamedTuple):
    """How a test is made of many trials."""

    reads: tuple[str, ...]  # the arrays of `Trials` that it is made from
    pvalues: Callable[[Trials], Floats]  # trials -> two-sided p-values, NaN where the test refuses


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
