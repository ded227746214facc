"""Drawing communities such that the two models come out equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..numeric.roots import root_between

Floats = NDArray[np.float64]
FARTHEST = 2.5  # standard errors by which the expected difference is moved at most
NOTHING = 1e-15  # of the largest total
STEEPEST = 1e8  # leaves the communities with the smallest total only


def null_probabilities(totals: Floats) -> Floats:
    """Return probabilities of drawing each community that make the expected difference zero.

    Among all such probabilities those nearest to equal ones in Kullback-Leibler divergence:
    p_g ~ exp(t v_g) with sum p_g v_g = 0 (exponential tilting, Efron 1981). Moving the mean of
    G communities by z of its standard errors leaves about G / (1 + z^2 / G) of them in play,
    counted as 1 / sum p^2. The tilt ends at z = 2.5, or where half are left: beyond that the
    decision does not depend on it, and a few communities would make the whole network.

    Parameters
    ----------
    totals : ndarray, shape (n_communities,)
        v_g, the errors of a minus those of b in each community.

    Returns
    -------
    ndarray, shape (n_communities,)

    References
    ----------
    B. Efron (1981), Nonparametric standard errors and confidence intervals, Canadian Journal
    of Statistics 9.

    Examples
    --------
    >>> null_probabilities(np.array([-1.0, 1.0, 2.0])).round(3).tolist()
    [0.583, 0.252, 0.165]
    >>> null_probabilities(np.array([1.0, 1.0])).tolist()
    [0.5, 0.5]
    """
    largest = float(np.abs(totals).max(initial=0.0))
    equal = np.full(totals.size, 1 / totals.size)
    if largest == 0 or totals.sum() == 0:
        return equal
    v = totals / largest
    v[np.abs(v) < NOTHING] = 0.0  # rounding noise, on whose scale no root can be found
    down = -float(np.sign(totals.sum()))

    def tilted(steepness: float) -> Floats:
        p = np.exp(down * steepness * v - (down * steepness * v).max())
        return np.asarray(p / p.sum())

    least = totals.size / min(1 + FARTHEST**2 / totals.size, 2.0)

    def play(steepness: float) -> float:
        return 1 / float((tilted(steepness) ** 2).sum()) - least

    def excess(steepness: float) -> float:
        return -down * float(tilted(steepness) @ v)

    limit = STEEPEST if play(STEEPEST) >= 0 else root_between(play, 0.0, STEEPEST)
    if excess(limit) >= 0:
        return tilted(limit)
    return tilted(root_between(excess, 0.0, limit))
