"""From replicates to a standard error and its degrees of freedom."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Spread(NamedTuple):
    """Variance of the mean difference, taken apart.

    Attributes
    ----------
    variance : float
        Of the mean difference over `n_splits` splits of another network.
    networks : float
        The part of it that more splits do not reduce; negative where it is lost in noise.
    splits : float
        Variance between the splits of one network; NaN where splits are not independent.
    """

    variance: float
    networks: float
    splits: float


def spread_of(differences: Floats, n_splits: int, *, independent: bool) -> Spread:
    """Estimate the variance of the mean difference over `n_splits` splits.

    Independent splits of one network vary about that network's own difference, so with r
    splits a replicate the variance between replicates is V = N + S/r; S is the mean variance
    within replicates, and N + S/n_splits is wanted. Where splits are not independent a
    replicate has as many splits as the network, and V itself is wanted.

    Parameters
    ----------
    differences : ndarray, shape (n_replicates, r)
        Difference of the error rates on every split of every replicate.
    n_splits : int
        Number of splits of the network itself.
    independent : bool
        Whether the splits of one network are drawn independently of each other.

    Examples
    --------
    >>> found = spread_of(np.array([[0.0, 0.2], [0.4, 0.6]]), 4, independent=True)
    >>> np.round(found, 6).tolist()
    [0.075, 0.07, 0.02]
    """
    between = float(differences.mean(axis=1).var(ddof=1))
    if not independent:
        return Spread(between, float("nan"), float("nan"))
    within = float(differences.var(axis=1, ddof=1).mean())
    networks = between - within / differences.shape[1]
    # with few replicates the difference of two estimates may fall below what it must be
    return Spread(max(networks, 0.0) + within / n_splits, networks, within)


def contributions(tests: Floats, excess: Floats, community: NDArray[np.int64]) -> Floats:
    """Give what each community adds to the mean difference beyond its share.

    Parameters
    ----------
    tests, excess : ndarray, shape (n_nodes,)
        How often each node was tested, and its errors of a minus errors of b.
    community : ndarray of int, shape (n_nodes,)

    Examples
    --------
    >>> contributions(np.ones(4), np.array([1.0, 0, 0, 0]), np.array([0, 0, 1, 1])).tolist()
    [0.125, -0.125]
    """
    total = tests.sum()
    return np.bincount(community, weights=excess - excess.sum() / total * tests) / total


def degrees_of_freedom(shares: Floats, sizes: Floats, n_replicates: int) -> float:
    """Say how many degrees of freedom the variance of the replicates is worth.

    A sum of G squares u^2 has the relative variance (sum u^4 / (sum u^2)^2 - 1/G), so that it
    is worth 2 / (1/E - 1/G) degrees of freedom, E = (sum u^2)^2 / sum u^4 being the number of
    communities that matter (Satterthwaite 1946). Communities of unequal size leave at most
    Ge - 1, Ge = (sum n)^2 / sum n^2. R replicates estimate the variance with R - 1 degrees of
    freedom, which add up as inverses.

    Parameters
    ----------
    shares : ndarray, shape (n_communities,)
        What each community adds to the mean difference, see `contributions`.
    sizes : ndarray, shape (n_communities,)
    n_replicates : int

    Examples
    --------
    >>> round(degrees_of_freedom(np.array([1.0, -1.0, 2.0, -2.0]), np.ones(4), 200), 2)
    2.96
    """
    second, fourth = float((shares**2).sum()), float((shares**4).sum())
    effective = float(sizes.sum() ** 2 / (sizes**2).sum())
    inverse = 1 / max(effective - 1, 1.0)
    if fourth > 0:
        inverse = max(inverse, (fourth / second**2 - 1 / shares.size) / 2)
    return 1 / (inverse + 1 / (n_replicates - 1))
