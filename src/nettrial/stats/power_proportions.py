"""Power and sample size of the z-test of two independent proportions."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Literal

import numpy as np
from scipy import special, stats

from ..arguments import check_arguments
from ..errors import InputError, unknown_choice
from ..numeric import scalar
from ._power import SAW, Power, proportion, search, size
from .result import Alternative, check_alternative


@check_arguments
def two_proportions_power(
    p_a: float,
    p_b: float,
    n_a: int,
    n_b: int | None = None,
    *,
    standard_error: Literal["unpooled", "pooled"] = "unpooled",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> Power:
    """Compute the power of the z-test of two proportions by summing over all outcomes.

    Use it to plan two separate test sets. It assumes independent cases. On one common test set
    the errors are paired, and `mcnemar_power` applies. The test holds its level only roughly,
    so look at the power at ``p_a = p_b`` too. It does not plan for other training sets.

    Parameters
    ----------
    p_a, p_b : float
        The error rates.
    n_a, n_b : int
        Cases in each test set, equally many by default.
    standard_error : {"unpooled", "pooled"}
        Of the test. Where one sample has no errors and the other nothing else the pooled error
        takes the place of the unpooled one, as in `two_proportion_test`.
    alternative : {"two-sided", "less", "greater"}
        "greater": A has the larger rate.
    alpha : float
        The level.

    Returns
    -------
    Power

    Raises
    ------
    InputError
        For impossible probabilities or sizes, an unknown standard error or a wrong level.

    References
    ----------
    Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, chapter 4.

    Examples
    --------
    >>> round(two_proportions_power(0.3, 0.2, 300).power, 3)
    0.812
    """
    a, b = proportion("p_a", p_a), proportion("p_b", p_b)
    if standard_error not in ("unpooled", "pooled"):
        raise unknown_choice("standard_error", standard_error, ("unpooled", "pooled"))
    alternative, alpha = check_alternative(alternative), proportion("alpha", alpha, inside=True)
    m = size("n_a", n_a, 1)
    n = m if n_b is None else size("n_b", n_b, 1)
    x, y = _likely(a, m), _likely(b, n)
    first, second = x[:, None] / m, y[None, :] / n
    common = (x[:, None] + y[None, :]) / (m + n)
    variance = common * (1 - common) * (1 / m + 1 / n)
    if standard_error == "unpooled":
        unpooled = first * (1 - first) / m + second * (1 - second) / n
        variance = np.where(unpooled > 0, unpooled, variance)
    gap = first - second
    z = np.divide(gap, np.sqrt(variance), out=np.zeros(gap.shape), where=variance > 0)
    # rounding must not turn a hit of the critical value into a miss
    point = float(special.ndtri(1 - (alpha / 2 if alternative == "two-sided" else alpha))) - 1e-12
    reject = {"two-sided": np.abs(z) >= point, "greater": z >= point, "less": -z >= point}
    value = stats.binom.pmf(x, m, a) @ reject[alternative] @ stats.binom.pmf(y, n, b)
    details = {"p_a": a, "p_b": b, "standard_error": standard_error}
    return Power(
        "z-test of two proportions",
        float(min(value, 1.0)),
        m,
        n,
        alpha,
        alternative,
        MappingProxyType(details),
        (SAW,),
    )


def _likely(p: float, n: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the counts outside of which there is less than 1e-15 of the probability."""
    spread = 9 * math.sqrt(n * p * (1 - p)) + 40
    low, high = math.floor(n * p - spread), math.ceil(n * p + spread)
    return np.arange(max(low, 0), min(high, n) + 1)


@check_arguments
def two_proportions_sample_size(
    p_a: float,
    p_b: float,
    *,
    power: float = 0.8,
    ratio: float = 1.0,
    standard_error: Literal["unpooled", "pooled"] = "unpooled",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> Power:
    """Find the smallest test sets with which the z-test of two proportions has the power wanted.

    Use it before data are collected. Assumptions, formula, source, parameters, errors and what
    it does not answer are those of `two_proportions_power`, and:

    Parameters
    ----------
    power : float
        The power wanted.
    ratio : float
        Size of B's test set over that of A's.

    References
    ----------
    Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, chapter 4.

    Examples
    --------
    >>> two_proportions_sample_size(0.3, 0.2).n
    291
    """
    ratio = scalar("ratio", ratio)
    if not (math.isfinite(ratio) and ratio > 0):
        raise InputError(f"ratio: expected a positive number, got {ratio!r}")

    def compute(n: int) -> Power:
        return two_proportions_power(
            p_a,
            p_b,
            n,
            max(1, math.ceil(ratio * n)),
            standard_error=standard_error,
            alternative=alternative,
            alpha=alpha,
        )

    return search(compute, power, 1, saw=True)
