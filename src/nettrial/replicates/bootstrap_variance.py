"""From replicates to a standard error and its degrees of freedom."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..network.communities import effective_number

Floats = NDArray[np.float64]
MOST_SPLITS = 100
SHARE = 0.1  # of the variance that the noise of splits may have


class BootstrapVariance(NamedTuple):
    """Variance of the mean difference from network to network, and what it is worth."""

    variance: float  # of the mean difference over the network's splits
    df: float  # degrees of freedom of `variance`
    # at_estimate, at_null: between-network part by replicates of the network as it is, and by
    # replicates whose communities were drawn such that the models come out equal; without
    # `correction`
    at_estimate: float
    at_null: float
    # variance between the splits of the network, as far as splits are independent; else NaN
    splits: float
    correction: float  # factor of the between-network part
    # mean_at_estimate, mean_at_null: mean difference on either kind of replicates
    mean_at_estimate: float
    mean_at_null: float
    n_splits: int  # splits of the network
    # what numbers of replicates and splits add to the inverse of the degrees of freedom
    chance: float
    # number of communities that would weigh equally as the second kind weighs them
    communities_in_play: float = float("nan")
    # shape (n_replicates,): mean difference on each replicate of the network as it is
    means: Floats = np.empty(0)
    compiled: bool = False  # whether both models ran in one compiled loop

    @property
    def noise(self) -> float:
        """What the splits of the network add; NaN where they are not independent."""
        return self.splits / self.n_splits

    @property
    def splits_that_pay(self) -> int:
        """Number of splits that brings their noise to a tenth of the variance, within limits.

        Examples
        --------
        >>> drawn = np.random.default_rng(0).normal(size=(2, 100, 16))
        >>> drawn += np.random.default_rng(1).normal(size=(2, 100, 1))
        >>> own = np.random.default_rng(2).normal(size=10)
        >>> spread_of(*drawn, own, np.full(20, 15.0), independent=True).splits_that_pay
        14
        """
        if not self.splits > 0:
            return self.n_splits
        networks = self.variance - self.noise
        wanted = (1 - SHARE) / SHARE * self.splits / networks if networks > 0 else MOST_SPLITS
        return min(MOST_SPLITS, max(self.n_splits, math.ceil(wanted)))


def spread_of(
    at_estimate: Floats, at_null: Floats, own: Floats, sizes: Floats, *, independent: bool
) -> BootstrapVariance:
    """Estimate the variance of the mean difference.

    Independent splits of one network vary about that network's own difference: with r splits a
    replicate the variance of replicate means is V = N + S/r, S being the mean variance within
    replicates. The between-network part N = V - S/r is multiplied by `size_correction`, and
    s²/k is added to it, s² being the variance of the network's own k splits. Where splits are
    not independent, replicates have as many splits as the network and V itself is taken.

    N depends on the mixture of communities: where the difference is far from zero it is often
    smaller than where the models are equal, which counts under the null hypothesis, and where
    the tilt goes to an extreme mixture it may be too small itself. Both estimates are taken,
    each with its own size for weight: (N_1² + N_2²) / (N_1 + N_2), which lies between their
    mean and the greater of them.

    The degrees of freedom follow Satterthwaite (1946): effective communities less one and
    replicates less one for the between-network part, k - 1 for the rest.

    Parameters
    ----------
    at_estimate, at_null : ndarray, shape (n_replicates, r)
        Difference of the error rates on every split of every replicate.
    own : ndarray, shape (k,)
        Difference on every split of the network.
    sizes : ndarray, shape (n_communities,)
        Nodes in each community.
    independent : bool
        Whether the splits of one network are drawn independently of each other.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> drawn = rng.normal(size=(2, 100, 1)) + rng.normal(size=(2, 100, 16))
    >>> found = spread_of(*drawn, rng.normal(size=10), np.full(20, 15.0), independent=True)
    >>> round(found.at_estimate, 1), round(found.correction, 3), round(found.df, 1)
    (0.8, 1.053, 19.1)
    """
    parts = [_networks(drawn, independent) for drawn in (at_estimate, at_null)]
    correction = size_correction(sizes)
    networks = correction * _weighted(*(max(part, 0.0) for part in parts))
    k = own.size
    splits = float(own.var(ddof=1)) if independent and k > 1 else float("nan")
    rest = splits / k if independent and k > 1 else 0.0
    variance = networks + rest
    effective = effective_number(sizes)
    within = float(at_null.var(axis=1, ddof=1).mean()) / at_null.shape[1] if independent else 0.0
    return BootstrapVariance(
        variance=variance,
        df=_degrees(networks, rest, max(effective - 1, 1.0), len(at_null) - 1, k - 1),
        at_estimate=parts[0],
        at_null=parts[1],
        splits=splits,
        correction=correction,
        mean_at_estimate=float(at_estimate.mean()),
        mean_at_null=float(at_null.mean()),
        n_splits=k,
        chance=_chance(networks, rest, within, len(at_null) - 1, k - 1),
    )


def _networks(differences: Floats, independent: bool) -> float:
    between = float(differences.mean(axis=1).var(ddof=1))
    if not independent:
        return between
    within = float(differences.var(axis=1, ddof=1).mean())
    return between - within / int(differences.shape[1])


def _weighted(first: float, second: float) -> float:
    total = first + second
    # shares first: squares of variances leave the range of doubles
    return first * (first / total) + second * (second / total) if total > 0 else 0.0


def _degrees(networks: float, rest: float, communities: float, replicates: int, k: int) -> float:
    total = networks + rest
    if total == 0:
        return communities
    inverse = (networks / total) ** 2 * (1 / communities + 1 / replicates)
    if rest > 0:
        inverse += (rest / total) ** 2 / k
    return 1 / inverse


def _chance(networks: float, rest: float, within: float, replicates: int, k: int) -> float:
    total = networks + rest
    if total == 0:
        return 0.0
    again = ((networks + within) / total) ** 2 / replicates
    return again + ((rest / total) ** 2 / k if rest > 0 else 0.0)


def size_correction(sizes: Floats) -> float:
    """Return the factor that undoes the bias of a variance between few or unequal communities.

    What the communities add beyond the mean shrinks because the mean is their own. Where the
    nodes of a community depend on each other fully, the expected sum of squares is smaller
    than the variance by the factor 1 - 2 sum s^3 / sum s^2 + sum s^2, s being the shares of
    the nodes; with G equal communities that is 1 - 1/G.

    Examples
    --------
    >>> round(size_correction(np.full(10, 30.0)), 4)
    1.1111
    >>> round(size_correction(np.array([90.0, 5, 5])), 1)
    39.3
    """
    share = sizes / sizes.sum()
    square = float((share**2).sum())
    return 1 / (1 - 2 * float((share**3).sum()) / square + square)
