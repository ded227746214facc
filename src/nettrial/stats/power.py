"""Power and sample size of the t, sign, McNemar and two-proportion tests."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.option_names import option
from ..numeric.checks import scalar
from ._power import SAW, Power, level_of_test, peak, proportion, search, size
from .power_proportions import two_proportions_power, two_proportions_sample_size
from .result import Alternative

__all__ = [
    "Power",
    "mcnemar_power",
    "mcnemar_sample_size",
    "sign_power",
    "sign_sample_size",
    "t_power",
    "t_sample_size",
    "two_proportions_power",
    "two_proportions_sample_size",
]

Design: TypeAlias = Literal["one-sample", "paired", "two-sample"]
McNemarVariant: TypeAlias = Literal["exact", "midp", "corrected", "uncorrected"]

# beyond this noncentrality the far tail is below 1e-19
FAR = 9.0
# beyond this quantile the distribution function of the noncentral t fails
STEEP = 1e4


@check_arguments
def t_power(
    effect_size: float,
    n: int,
    *,
    n_b: int | None = None,
    design: Design = "paired",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> Power:
    """Compute the power of a t-test from the noncentral t distribution.

    Use it to plan how many disjoint test sets, or data sets, to compare on. It assumes normal
    values and independent test sets: overlapping ones do not add what their number suggests.
    It does not say which effect is worth finding.

    Parameters
    ----------
    effect_size : float
        Mean (difference) over the standard deviation: of the differences for pairs (d_z), of
        one sample's values otherwise (d).
    n : int
        Pairs or values, of the first sample for "two-sample"; 2 and more.
    n_b : int, optional
        Size of the second sample, `n` by default.
    design : {"one-sample", "paired", "two-sample"}
        The t-test; "two-sample" is the pooled one.
    alternative : {"two-sided", "less", "greater"}
    alpha : float
        The level, from 1e-12 to 1 - 1e-12.

    Returns
    -------
    Power

    Raises
    ------
    InputError
        For impossible sizes, an unknown design or a wrong level.

    References
    ----------
    J. Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, chapter 2.

    Examples
    --------
    >>> round(t_power(0.5, 64, design="two-sample").power, 4)
    0.8015
    """
    effect_size = scalar("effect_size", effect_size)
    if not math.isfinite(effect_size):
        raise InputError(
            parameter="effect_size", expected="a finite number", got=shown(effect_size)
        )
    alpha = level_of_test(alpha)
    n = size("n", n, 2)
    second: int | None = None
    if design == "two-sample":
        second = n if n_b is None else size("n_b", n_b, 2)
        df, unit = n + second - 2, math.sqrt(n * second / (n + second))
    elif n_b is not None:
        raise InputError(
            parameter="n_b",
            expected=f"only for {option('design', 'two-sample')}",
            got=f"{shown(n_b)} for {option('design', design)}",
            hint="leave it out",
        )
    else:
        df, unit = n - 1, math.sqrt(n)
    shift = effect_size * unit
    if alternative == "two-sided":
        point = -float(special.stdtrit(df, alpha / 2))
        value = _above(point, df, shift) + _above(point, df, -shift)
    else:
        point = -float(special.stdtrit(df, alpha))
        value = _above(point, df, shift if alternative == "greater" else -shift)
    return Power(
        f"{design} t-test",
        min(value, 1.0),
        n,
        second,
        alpha,
        alternative,
        MappingProxyType({"effect_size": float(effect_size), "df": df, "noncentrality": shift}),
    )


def _above(point: float, df: float, shift: float) -> float:
    """Return P(T > point) of the noncentral t."""
    if point > 0 and shift < -FAR:
        return 0.0
    if point < -STEEP:
        return 1.0 - _above(-point, df, -shift)
    if point > STEEP:  # one or two degrees of freedom: the mean over the normal numerator
        z, step = np.linspace(-FAR, FAR, 4001, retstep=True)
        reach = np.maximum(z + shift, 0.0) / point
        density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
        return float(density @ special.chdtr(df, df * reach**2) * step)
    # far out, where the distribution function fails, nearly all mass is above
    value = float(stats.nct.sf(point, df, shift))
    return value if math.isfinite(value) else float(special.ndtr(shift - point))


@check_arguments
def t_sample_size(
    effect_size: float,
    *,
    power: float = 0.8,
    ratio: float = 1.0,
    design: Design = "paired",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> Power:
    """Find the smallest sample with which a t-test has the power wanted.

    Use it before data are collected. Assumptions, formula, source, parameters, errors and what
    it does not answer are those of `t_power`, and:

    Parameters
    ----------
    power : float
        The power wanted.
    ratio : float
        Size of the second sample over that of the first, for "two-sample".

    References
    ----------
    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, chapter 2.

    Examples
    --------
    >>> t_sample_size(0.5, design="two-sample").n, t_sample_size(0.5).n
    (64, 34)
    """
    ratio = scalar("ratio", ratio)
    if not (math.isfinite(ratio) and ratio > 0):
        raise InputError(parameter="ratio", expected="a positive number", got=shown(ratio))
    two = design == "two-sample"

    def compute(n: int) -> Power:
        return t_power(
            effect_size,
            n,
            n_b=max(2, math.ceil(ratio * n)) if two else None,
            design=design,
            alternative=alternative,
            alpha=alpha,
        )

    return search(compute, power, 2)


@check_arguments
def mcnemar_power(
    p_only_a: float,
    p_only_b: float,
    n: int,
    *,
    method: McNemarVariant = "exact",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> Power:
    """Compute the power of McNemar's test by summing over all outcomes.

    Use it to plan the size of a test set on which two classifiers are compared. It assumes
    independent cases: linked nodes count for less than their number. It does not plan for
    other training sets.

    Parameters
    ----------
    p_only_a, p_only_b : float
        Probability that a case is misclassified by A only, by B only.
    n : int
        Cases in the test set.
    method : {"exact", "midp", "corrected", "uncorrected"}
        The variant of the test.
    alternative : {"two-sided", "less", "greater"}
        "greater": A errs more often.
    alpha : float
        The level, from 1e-12 to 1 - 1e-12.

    Returns
    -------
    Power

    Raises
    ------
    InputError
        For impossible probabilities or sizes, an unknown method or a wrong level.

    Notes
    -----
    With m discordant cases the test rejects for at most k(m) or at least m - k(m) of A:
    ``power = Σ_m Bin(m; n, p_a + p_b) · P(reject | m)``.

    References
    ----------
    Lachenbruch (1992), Statistics in Medicine 11, 1521-1525.

    Examples
    --------
    >>> round(mcnemar_power(0.10, 0.04, 300).power, 3)
    0.767
    """
    a, b = proportion("p_only_a", p_only_a), proportion("p_only_b", p_only_b)
    if a + b > 1:
        raise InputError(expected="at most 1", got=f"{a + b:g}", where="p_only_a + p_only_b")
    alpha = level_of_test(alpha)
    n = size("n", n, 1)
    value = _discordant_power(a, b, n, method, alternative, alpha)
    details = {"p_only_a": a, "p_only_b": b}
    return Power(
        f"McNemar's test ({method})",
        value,
        n,
        None,
        alpha,
        alternative,
        MappingProxyType(details),
        (SAW,),
    )


def _discordant_power(
    a: float, b: float, n: int, method: str, alternative: str, alpha: float
) -> float:
    if a + b == 0:
        return 0.0
    middle, spread = n * (a + b), math.sqrt(n * (a + b) * (1 - a - b))
    # numbers of discordant cases outside this range have probability below 1e-15
    low, high = math.floor(middle - 9 * spread - 40), math.ceil(middle + 9 * spread + 40)
    m = np.arange(max(low, 0), min(high, n) + 1)
    k = _critical(m, method, alpha / 2 if alternative == "two-sided" else alpha)
    share = a / (a + b)
    reject = np.zeros(m.size)
    if alternative != "greater":
        reject += stats.binom.cdf(k, m, share)
    if alternative != "less":
        # m - k or more of A are k or fewer of B
        reject += stats.binom.cdf(k, m, 1 - share)
    return float(min(stats.binom.pmf(m, n, a + b) @ reject, 1.0))


def _power_increment(a: float, b: float, n: int) -> float:
    """Bound by how much the power at n cases swings: one count of A among the discordant ones.

    The critical count changes with every second to fourth discordant case, so that a random
    number of them, with standard deviation s, levels the swing by exp(-2 (pi s / 4)^2) or more.
    """
    discordant = a + b
    given = peak(n * a * b / discordant) if discordant else 1.0
    return 1.5 * given * math.exp(-n * discordant * max(1 - discordant, 0.0))


def _critical(m: NDArray[np.int64], method: str, tail: float) -> NDArray[np.int64]:
    """Return the largest count that is rejected in a lower tail of that size; -1 for none."""
    if method in ("corrected", "uncorrected"):
        z = float(special.ndtri(1 - tail))
        lost = 1 if method == "corrected" else 0
        # rounding must not turn a hit of the critical value into a miss
        k = np.floor((m - lost - z * np.sqrt(m)) / 2 + 1e-12).astype(np.int64)
        return np.where(m == 0, -1, np.maximum(k, -1))
    k = stats.binom.ppf(tail, m, 0.5).astype(np.int64)

    def tail_size(count: NDArray[np.int64]) -> NDArray[np.float64]:
        below = stats.binom.cdf(count, m, 0.5)
        if method == "midp":
            below = below - stats.binom.pmf(count, m, 0.5) / 2
        return np.asarray(below)

    limit = tail * (1 + 1e-12)
    # the quantile is the first count beyond the tail, or on it, so the answer is near
    k = np.where(tail_size(k + 1) <= limit, k + 1, k)
    return np.where(m == 0, -1, np.where(tail_size(k) <= limit, k, np.maximum(k - 1, -1)))


@check_arguments
def mcnemar_sample_size(
    p_only_a: float,
    p_only_b: float,
    *,
    power: float = 0.8,
    method: McNemarVariant = "exact",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> Power:
    """Find the smallest test set with which McNemar's test has the power wanted.

    Use it before data are collected. Assumptions, formula, source, parameters, errors and what
    it does not answer are those of `mcnemar_power`.

    References
    ----------
    Lachenbruch (1992), Statistics in Medicine 11, 1521-1525.

    Examples
    --------
    >>> mcnemar_sample_size(0.10, 0.04).n
    322
    """

    def compute(n: int) -> Power:
        return mcnemar_power(
            p_only_a, p_only_b, n, method=method, alternative=alternative, alpha=alpha
        )

    return search(compute, power, 1, lambda n: _power_increment(p_only_a, p_only_b, n))


@check_arguments
def sign_power(
    probability: float,
    n: int,
    *,
    ties: float = 0.0,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> Power:
    """Compute the power of the exact sign test, ties dropped, by summing over all outcomes.

    Use it to plan how many data sets to compare on. It assumes independent data sets. It does
    not use the size of the differences, and so needs more data sets than a t-test.

    Parameters
    ----------
    probability : float
        Probability that A is larger where they differ.
    n : int
        Data sets, ties included.
    ties : float
        Probability of a tie.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is larger more often.
    alpha : float
        The level, from 1e-12 to 1 - 1e-12.

    Raises
    ------
    InputError
        For impossible probabilities or sizes or a wrong level.

    References
    ----------
    Dixon and Mood (1946), J. American Statistical Association 41, 557-566, for the test;
    its power is the binomial sum over its rejection region.

    Examples
    --------
    >>> round(sign_power(0.8, 20).power, 4)
    0.8042
    """
    p, tied = proportion("probability", probability), proportion("ties", ties)
    alpha = level_of_test(alpha)
    n = size("n", n, 1)
    a = p * (1 - tied)
    value = _discordant_power(a, 1 - tied - a, n, "exact", alternative, alpha)
    details = {"probability": p, "ties": tied}
    return Power("sign test", value, n, None, alpha, alternative, MappingProxyType(details), (SAW,))


@check_arguments
def sign_sample_size(
    probability: float,
    *,
    power: float = 0.8,
    ties: float = 0.0,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> Power:
    """Find the smallest number of data sets with which the sign test has the power wanted.

    Use it before data are collected. Assumptions, formula, source, parameters, errors and what
    it does not answer are those of `sign_power`.

    References
    ----------
    Dixon and Mood (1946), J. American Statistical Association 41, 557-566.

    Examples
    --------
    >>> sign_sample_size(0.8).n
    20
    """

    def compute(n: int) -> Power:
        return sign_power(probability, n, ties=ties, alternative=alternative, alpha=alpha)

    def swing(n: int) -> float:
        a = probability * (1 - ties)
        return _power_increment(a, 1 - ties - a, n)

    return search(compute, power, 1, swing)
