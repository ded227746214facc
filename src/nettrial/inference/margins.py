"""What a study of its size can show, and what it foretells of the next network."""

from __future__ import annotations

import math
from typing import NamedTuple


def detectable_difference(error: float, df: float | None, confidence: float, power: float) -> float:
    """Return the difference that a test would detect in a share of all studies.

    With t the quantiles of the t distribution, ``(t(1 - alpha / 2) + t(power)) error``.

    Parameters
    ----------
    error : float
        Standard error of the difference.
    df : float or None
        Its degrees of freedom; None for the normal distribution.
    confidence : float
        One less the level of the test.
    power : float
        In which share of studies.

    Returns
    -------
    float
        NaN without a standard error.

    Examples
    --------
    >>> round(detectable_difference(0.01, 9.0, 0.95, 0.8), 4)
    0.0315
    """
    from scipy import special

    if not error > 0 or (df is not None and not df > 0):
        return math.nan
    degrees = math.inf if df is None else df
    ends = special.stdtrit(degrees, [(1 + confidence) / 2, power])
    return float(ends.sum() * error)


class NextNetwork(NamedTuple):
    """What the difference is expected to be on one more network of the kind.

    Attributes
    ----------
    a_better : float
        Probability that the first model is the better one there.
    low, high : float
        Prediction interval of the difference there, at the level of the intervals.
    """

    a_better: float
    low: float
    high: float


def next_network(
    estimate: float,
    error: float,
    df: float,
    splits: float,
    confidence: float,
    sign: int,
) -> NextNetwork:
    r"""Predict the difference on one more network.

    With V the variance of the mean difference, S / k the part of it that is splits, and
    N = max(V - S / k, 0) the variance between networks, the difference on the next network is taken
    to be t distributed around the estimate with variance V + N.

    Parameters
    ----------
    estimate, error : float
        The difference and its standard error.
    df : float
        Degrees of freedom of the standard error.
    splits : float
        Variance of the mean that is between splits, S / k.
    confidence : float
        Of the prediction interval.
    sign : int
        1 where lower values of the measure are better, else -1.

    Examples
    --------
    >>> found = next_network(-0.03, 0.01, 9.0, 0.00002, 0.95, 1)
    >>> round(found.a_better, 3), round(found.low, 3), round(found.high, 3)
    (0.974, -0.06, 0.0)
    """
    from scipy import special

    variance = error**2
    spread = math.sqrt(variance + max(variance - splits, 0.0))
    half = float(special.stdtrit(df, (1 + confidence) / 2)) * spread
    better = float(special.stdtr(df, -sign * estimate / spread))
    return NextNetwork(better, estimate - half, estimate + half)
