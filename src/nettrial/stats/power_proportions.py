"""Power and sample size of the z-test of two independent proportions."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from ..arguments import check_arguments
from ..errors import InputError, unknown_choice
from ..numeric import scalar
from ._power import SAW, Power, peak, proportion, search, size
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
    x = _likely(a, m)
    point = float(special.ndtri(1 - (alpha / 2 if alternative == "two-sided" else alpha)))
    pooled = standard_error == "pooled"
    reject = np.zeros(x.size)
    if alternative != "less":
        reject += _rejected(x, m, n, b, point, pooled)
    if alternative != "greater":
        # the same for successes in place of errors
        reject += _rejected(m - x, m, n, 1 - b, point, pooled)
    value = stats.binom.pmf(x, m, a) @ reject
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


def _rejected(
    x: NDArray[np.int64], m: int, n: int, p: float, point: float, pooled: bool
) -> NDArray[np.float64]:
    """Return the probability that z of x errors of A, of m, reaches `point`, for B's rate p.

    With c = `point`, (x/m - y/n)^2 - c^2 var(y) is a parabola in B's errors y that opens upward,
    so that z reaches c for y up to its smaller root (the larger one where c is negative).
    """
    share, c = x / m, point**2
    if pooled:
        # common = (x + y) / N and var = common (1 - common) (1/m + 1/n)
        total, both = m + n, 1 / m + 1 / n
        square = 1 / n**2 + c * both / total**2
        linear = -2 * share / n - c * both * (1 / total - 2 * x / total**2)
        constant = share**2 - c * both * x / total * (1 - x / total)
    else:
        square = 1 / n**2 + c / n**3
        linear = -2 * share / n - c / n**2
        constant = share**2 - c * share * (1 - share) / m
    root = np.sqrt(np.maximum(linear**2 - 4 * square * constant, 0.0))
    y = np.floor((-linear - math.copysign(1, point) * root) / (2 * square)).astype(np.int64)

    def reached(y: NDArray[np.int64]) -> NDArray[np.bool_]:
        common = (x + y) / (m + n)
        variance = common * (1 - common) * (1 / m + 1 / n)
        if not pooled:
            unpooled = share * (1 - share) / m + y / n * (1 - y / n) / n
            variance = np.where(unpooled > 0, unpooled, variance)
        gap = share - y / n
        known = variance > 0  # else p is 1
        z = np.divide(gap, np.sqrt(variance), out=np.full(gap.shape, -np.inf), where=known)
        # rounding must not turn a hit of the critical value into a miss
        return np.asarray(z >= point - 1e-12)

    near = np.clip(y + np.arange(2, -2, -1)[:, None], 0, n)  # the root is rounded
    hit = np.array([reached(candidate) for candidate in near])
    most = np.where(hit.any(axis=0), near[hit.argmax(axis=0), np.arange(x.size)], -1)
    # no error of B, with errors of A alone, is judged by another variance than one error
    without = (most >= 0) & ~reached(np.zeros_like(x))
    return np.asarray(stats.binom.cdf(most, n, p) - without * stats.binom.pmf(0, n, p))


def _likely(p: float, n: int) -> NDArray[np.int64]:
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

    def swing(n: int) -> float:
        return 1.5 * peak(n * (p_a * (1 - p_a) + ratio * p_b * (1 - p_b)))

    return search(compute, power, 1, swing)
