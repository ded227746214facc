"""What a study of its size can show: the difference that it would have detected."""

from __future__ import annotations

import math


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
