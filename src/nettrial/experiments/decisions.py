"""Decisions of a test in many trials at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import unknown_choice
from ..inference.on_links import NETWORK_HAC
from ..inference.registry import PROCEDURES
from ..stats.cluster_flips import sign_flip_test
from ..stats.cross_validation import corrected_resampled_t_test
from ..stats.paired import paired_t_test, pooled_t_test
from ..stats.rsc import rsc_paired_t_test, rsc_unpaired_t_test
from ..stats.signed_rank import wilcoxon_test
from ..theory import variance_terms

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

# how a test is called in tables and figures; trials keep no links, which network HAC needs
NAMES = {name: each.label for name, each in PROCEDURES.items() if name != NETWORK_HAC.name}
ON_GROUPS = ("cluster_robust_t", "cluster_sign_flip")
ADDED = ("wilcoxon", "nadeau_bengio", *ON_GROUPS)
RESAMPLED_ONLY = ("rsc_paired", "rsc_unpaired")
COMMUNITY_TESTS = (*ON_GROUPS, "bootstrap")
NO_NETWORK = {
    "bootstrap": "it draws networks anew, and here is none; cluster_robust_t and "
    "cluster_sign_flip take the groups of instances for communities",
}


@dataclass(frozen=True, slots=True)
class Trials:
    """What the tests are made from, one row a trial.

    Attributes
    ----------
    rates : ndarray, shape (n_trials, 2, k)
        Error rates of A and B.
    n, m : float
        Mean size of a test set; nodes of the network.
    n_train : float
        Size of a training set.
    parameters : ndarray, shape (n_trials, 2, 4)
        Estimates of p, q, rho and |L| of A and B.
    sums, sizes : ndarray, shape (n_trials, G)
        A's errors minus B's, and the tests, in every community; both 0 where there is none.
    pvalues : mapping of str to ndarray, shape (n_trials,)
        Of tests that were made while the trials were run.
    """

    rates: Floats
    n: float
    m: float
    n_train: float
    parameters: Floats
    sums: Floats
    sizes: Floats
    pvalues: Mapping[str, Floats] = field(default_factory=dict)


def decide(test: str, trials: Trials, *, alpha: float = 0.05) -> tuple[Flags, Flags]:
    """Return the trials in which a two-sided test rejects, and those in which it is undefined.

    A test that is undefined does not reject.
    """
    pvalue = pvalues(test, trials)
    return pvalue < alpha, np.isnan(pvalue)


def pvalues(test: str, trials: Trials) -> Floats:
    """Return the two-sided p-value of a test in every trial; NaN where it is undefined."""
    a, b = trials.rates[:, 0], trials.rates[:, 1]
    if test in trials.pvalues:
        return trials.pvalues[test]
    if test in ("rsc_paired", "rsc_unpaired"):
        return _rsc(test, trials)
    if test == "cluster_robust_t":
        return _clustered(trials.sums, trials.sizes)
    if test == "cluster_sign_flip":
        return np.array([_sign_flip(*row) for row in zip(trials.sums, trials.sizes)])
    if test == "paired_t":
        # equal differences other than zero: t is infinite
        return np.asarray(paired_t_test(a, b).pvalue)
    if test == "pooled_t":
        return np.asarray(pooled_t_test(a, b).pvalue)
    if test == "wilcoxon":
        return np.asarray(wilcoxon_test(a, b).pvalue)
    if test == "nadeau_bengio":
        return np.asarray(
            corrected_resampled_t_test(a, b, n_train=trials.n_train, n_test=trials.n).pvalue
        )
    raise unknown_choice("test", test, NAMES)


def _rsc(test: str, trials: Trials) -> Floats:
    """RS-C where the estimates lie inside the model of the variance, NaN elsewhere."""
    p, q, rho, links = np.moveaxis(trials.parameters, 2, 0)
    known = variance_terms(p, q, rho, n=trials.n, m=trials.m, links=links).valid
    inside = np.asarray(known).all(axis=1) | ((p == 0) | (p == 1)).all(axis=1)
    pvalue = np.full(inside.size, np.nan)
    if not inside.any():
        return pvalue
    (pa, pb), (qa, qb), (ra, rb) = (x[inside].T for x in (p, q, rho))
    apply = rsc_paired_t_test if test == "rsc_paired" else rsc_unpaired_t_test
    pvalue[inside] = apply(
        trials.rates[inside, 0],
        trials.rates[inside, 1],
        n=trials.n,
        m=trials.m,
        links=links[inside].mean(axis=1),
        p_a=pa,
        p_b=pb,
        q_a=qa,
        q_b=qb,
        rho_a=ra,
        rho_b=rb,
    ).pvalue
    return pvalue


def _clustered(sums: Floats, sizes: Floats) -> Floats:
    """Cluster-robust t, every trial with clusters of its own.

    As `nettrial.stats.clustered.cluster_mean_test` with joint degrees of freedom, for the mean
    differences of the clusters, weighted by their tests.
    """
    weight = sizes.sum(axis=1)
    mean = sums.sum(axis=1) / weight
    beyond = sums - mean[:, None] * sizes
    number = (sizes > 0).sum(axis=1)
    g = np.maximum(number, 2)
    squares, fourth = (beyond**2).sum(axis=1), (beyond**4).sum(axis=1)
    mattering = np.divide(squares**2, fourth, where=fourth > 0, out=np.ones(g.size))
    by_size = np.maximum(weight**2 / (sizes**2).sum(axis=1) - 1, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = mean / np.sqrt(squares * g / (g - 1) / weight**2)
    p = 2 * special.stdtr(np.sqrt(mattering * by_size), -np.abs(t))
    # without any variation the test says nothing, unless the mean is zero
    p = np.where(np.isnan(t), 1.0, np.where(np.isinf(t), np.nan, p))
    return np.asarray(np.where(number > 1, p, np.nan))


def _sign_flip(sums: Floats, sizes: Floats) -> float:
    """Flip the signs of whole clusters; a single one leaves the test undefined."""
    there = sizes > 0
    if there.sum() < 2:
        return np.nan
    rates = sums[there] / sizes[there]
    return float(sign_flip_test(rates, 0.0, range(rates.size), weights=sizes[there]).pvalue)
