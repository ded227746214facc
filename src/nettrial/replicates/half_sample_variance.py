"""From the two parts of many halvings to a standard error and its degrees of freedom."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..network.communities import effective_number
from .bootstrap_variance import size_correction

Floats = NDArray[np.float64]


class HalfSampleVariance(NamedTuple):
    """Variance of the mean difference from network to network, by halves of the communities."""

    variance: float  # of the mean difference over the network's splits
    df: float  # degrees of freedom of `variance`
    # odd, even: its two parts, see `spread_of_halves`
    odd: float
    even: float
    # variance between the splits of the network, where they are independent; else NaN
    splits: float
    mean: float  # mean of the difference over all parts
    # shape (2 * n_halvings,): numbers whose squares add up to ``odd + even``. Those of two pairs of
    # models, multiplied and added up, tell how their differences vary together.
    moves: Floats
    # factor of `variance` for few or unequal communities; `odd` and `even` are without it
    correction: float = 1.0

    @property
    def n_halvings(self) -> int:
        return self.moves.size // 2

    @property
    def splits_that_pay(self) -> int:
        """Halves keep the splits that there are: more cost the time that halvings need."""
        return 0

    @property
    def chance(self) -> float:
        """What the number of halvings adds to the inverse of the degrees of freedom."""
        raw = self.variance / self.correction
        return share_of_halvings(raw, self.odd, self.even, self.n_halvings)


def spread_of_halves(
    differences: Floats, shares: Floats, own: Floats, sizes: Floats, *, independent: bool
) -> HalfSampleVariance:
    """Estimate the variance of the mean difference from halves of the communities.

    With m_S and m_C the mean differences on the two parts of a halving, f the share of the nodes
    in the first one, and means over P halvings,

        odd = mean of f (1 - f) (m_S - m_C)²,
        even = variance of f m_S + (1 - f) m_C,

    the variance is their sum. Were the difference a mean over communities, and nothing else, the
    odd part would be its variance: that of a sum of independent contributions does not change
    where some of them change sign. The noise of splits and of links that were drawn anew is part
    of it as it is part of the truth. The even part holds that noise once more, and what does
    not add up over communities, because models learn from those that are there.

    A halving may use r of the network's k splits where splits are independent. Then both parts
    hold s² / r, s² being the variance of the network's own splits, where s² / k belongs;
    the difference is taken off, and at least s² / k is left.

    What is left is multiplied by `size_correction`: few or unequal communities vary less about
    their own mean than the networks they come from.

    The degrees of freedom follow Satterthwaite (1946): effective communities less one for what is
    known of the communities, P for the odd and P - 1 for the even part.

    Parameters
    ----------
    differences : ndarray, shape (n_halvings, 2, r)
        Difference of the measure on every split of both parts; NaN where one cannot be used.
    shares : ndarray, shape (n_halvings,)
    own : ndarray, shape (k,)
        Difference on every split of the network.
    sizes : ndarray, shape (n_communities,)
        Nodes in each community.
    independent : bool
        Whether the splits of the network are drawn independently of each other.

    Examples
    --------
    >>> parts = np.array([[[0.1], [-0.1]], [[0.0], [0.2]], [[0.2], [0.2]]])
    >>> found = spread_of_halves(parts, np.full(3, 0.5), np.array([0.1]), np.ones(9),
    ...                          independent=False)
    >>> round(found.odd, 5), round(found.even, 5), round(found.variance / found.correction, 5)
    (0.00667, 0.01, 0.01667)
    """
    number, k = len(differences), own.size
    first, second = np.nanmean(differences, axis=2).T
    odds = np.sqrt(shares * (1 - shares)) * (first - second)
    evens = shares * first + (1 - shares) * second
    moves = np.concatenate([odds / np.sqrt(number), (evens - evens.mean()) / np.sqrt(number - 1)])
    odd, even = (float((part**2).sum()) for part in np.split(moves, 2))
    found = variance = odd + even
    splits = float("nan")
    if independent and k > 1:
        splits = float(own.var(ddof=1))
        used = (~np.isnan(differences)).any(axis=1).sum(axis=1)
        variance = max(found - 2 * splits * (float((1 / used).mean()) - 1 / k), splits / k)
    correction = size_correction(sizes)
    return HalfSampleVariance(
        variance=correction * variance,
        df=degrees_of_freedom(variance, odd, even, effective_number(sizes), number),
        odd=odd,
        even=even,
        splits=splits,
        mean=float(np.concatenate([first, second]).mean()),
        moves=moves,
        correction=correction,
    )


def not_below(spread: HalfSampleVariance, least: float, df: float) -> HalfSampleVariance:
    """Return the spread with a variance that is not below another one, whose df go with it.

    Halves fall short of the variance that the predictions have by their sums over communities
    where a model that joins links and features does otherwise on half of the communities than
    on all of them.

    Parameters
    ----------
    least, df : float
        The other variance and its degrees of freedom.

    Examples
    --------
    >>> halves = HalfSampleVariance(1.0, 12.0, 0.5, 0.5, 0.1, 0.0, np.ones(40))
    >>> [not_below(halves, least, 8.0)[:2] for least in (0.9, 1.1)]
    [(1.0, 12.0), (1.1, 8.0)]
    """
    if least <= spread.variance:
        return spread
    return spread._replace(variance=least, df=df, correction=1.0)


def degrees_of_freedom(
    variance: float, odd: float, even: float, communities: float, n_halvings: int
) -> float:
    """Return the degrees of freedom of a variance from halvings, see `spread_of_halves`.

    Examples
    --------
    >>> round(degrees_of_freedom(1.0, 1.0, 0.0, 21.0, 20), 9)
    10.0
    """
    return 1 / (1 / max(communities - 1, 1.0) + share_of_halvings(variance, odd, even, n_halvings))


def share_of_halvings(variance: float, odd: float, even: float, n_halvings: int) -> float:
    """Return what a number of halvings adds to the inverse of the degrees of freedom."""
    if not variance > 0:
        return 0.0
    return (odd / variance) ** 2 / n_halvings + (even / variance) ** 2 / (n_halvings - 1)
