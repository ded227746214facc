"""Power and sample size of the z-test of two independent proportions."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from ..core.arguments import check_arguments
from ..core.errors import AssumptionWarning, InputError, shown, warn_user
from ..numeric.checks import scalar
from ._power import SAW, Power, level_of_test, peak, proportion, search, size
from .result import Alternative

FEW = 200  # cases in both samples, up to which all tables are counted for Fisher's test
TIE = 1 + 1e-7  # probabilities that rounding alone keeps apart, as in R's fisher.test
TOO_OFTEN = 1.5  # times its level, from which on a test's error is reported


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
    the errors are paired, and `mcnemar_power` applies. It does not plan for other training
    sets. With few cases the test rejects a true null hypothesis far more often than its level
    says: ``details["type_1_error"]`` is how often at most, for common rates from p_a to p_b, by
    summing over all outcomes too, and above 1.5 times the level an `AssumptionWarning` and
    `notes` tell it, with what Fisher's exact test does there.

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
        The level, from 1e-12 to 1 - 1e-12.

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
    Fisher (1935), J. Royal Statistical Society 98, 39-82, for the exact test.

    Examples
    --------
    >>> round(two_proportions_power(0.3, 0.2, 300).power, 3)
    0.812
    """
    test = _Test(standard_error, alternative, alpha)
    a, b = proportion("p_a", p_a), proportion("p_b", p_b)
    m = size("n_a", n_a, 1)
    n = m if n_b is None else size("n_b", n_b, 1)
    found = test.with_error(test.power(a, b, m, n))
    if not test.too_often(found):
        return found
    if m + n > FEW:
        return test.note(found, "is conservative")
    return test.note(found, f"has a power of {test.fisher(a, b, m, n):.2g} there")


@dataclass(frozen=True, slots=True)
class _Test:
    """The z-test that is planned, its options checked."""

    standard_error: str
    alternative: Alternative
    alpha: float

    def __post_init__(self) -> None:
        level_of_test(self.alpha)

    def power(self, a: float, b: float, m: int, n: int) -> Power:
        return Power(
            "z-test of two proportions",
            self.rejects(a, b, m, n),
            m,
            n,
            self.alpha,
            self.alternative,
            MappingProxyType({"p_a": a, "p_b": b, "standard_error": self.standard_error}),
            (SAW,),
        )

    def with_error(self, found: Power) -> Power:
        """Add the largest chance to reject where both rates are one between p_a and p_b."""
        a, b = found.details["p_a"], found.details["p_b"]
        m, n = found.n, found.n_b or found.n
        common = np.linspace(min(a, b), max(a, b), 1 if a == b else 41).tolist()
        error = max(self.rejects(p, p, m, n) for p in common)
        return replace(
            found, details=MappingProxyType(dict(found.details) | {"type_1_error": error})
        )

    def rejects(self, a: float, b: float, m: int, n: int) -> float:
        two_sided = self.alternative == "two-sided"
        point = float(special.ndtri(1 - (self.alpha / 2 if two_sided else self.alpha)))
        pooled = self.standard_error == "pooled"
        x = _likely(a, m)
        reject = np.zeros(x.size)
        if self.alternative != "less":
            reject += _rejected(x, m, n, b, point, pooled)
        if self.alternative != "greater":
            # the same for successes in place of errors
            reject += _rejected(m - x, m, n, 1 - b, point, pooled)
        return float(min(stats.binom.pmf(x, m, a) @ reject, 1.0))

    def fisher(self, a: float, b: float, m: int, n: int) -> float:
        return fisher_power(a, b, m, n, alternative=self.alternative, alpha=self.alpha)

    def too_often(self, found: Power) -> bool:
        return bool(found.details["type_1_error"] > TOO_OFTEN * self.alpha)

    def note(self, found: Power, fisher: str) -> Power:
        """Warn of a test that rejects too often, with what Fisher's exact test needs or does."""
        error = found.details["type_1_error"]
        note = (
            f"with so few cases this test rejects equal rates with a chance of up to {error:.2g}, "
            f"not {self.alpha:g}; Fisher's exact test, which holds its level, {fisher}"
        )
        warn_user(AssumptionWarning(note))
        return replace(found, notes=(note, *found.notes))


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


def fisher_power(
    p_a: float, p_b: float, m: int, n: int, *, alternative: Alternative, alpha: float
) -> float:
    """Return the probability that p <= alpha for rates p_a of m and p_b of n cases.

    Examples
    --------
    >>> round(fisher_power(0.9, 0.1, 7, 7, alternative="two-sided", alpha=0.05), 3)
    0.842
    """
    power = 0.0
    for total in range(m + n + 1):
        x = np.arange(max(0, total - n), min(m, total) + 1)
        chance = stats.hypergeom.pmf(x, m + n, m, total)
        if alternative == "two-sided":
            tail = np.where(chance <= TIE * chance[:, None], chance, 0.0).sum(axis=1)
        else:
            tail = chance.cumsum() if alternative == "less" else chance[::-1].cumsum()[::-1]
        reached = stats.binom.pmf(x, m, p_a) * stats.binom.pmf(total - x, n, p_b)
        power += float(reached[tail <= alpha * (1 + 1e-12)].sum())
    return power


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
    Fisher (1935), J. Royal Statistical Society 98, 39-82, for the exact test.

    Examples
    --------
    >>> two_proportions_sample_size(0.3, 0.2).n
    291
    """
    ratio = scalar("ratio", ratio)
    if not (math.isfinite(ratio) and ratio > 0):
        raise InputError(parameter="ratio", expected="a positive number", got=shown(ratio))

    test = _Test(standard_error, alternative, alpha)
    a, b = proportion("p_a", p_a), proportion("p_b", p_b)

    def other(n: int) -> int:
        return size("n_b", max(1, math.ceil(ratio * n)), 1)

    def compute(n: int) -> Power:
        return test.power(a, b, n, other(n))

    def swing(n: int) -> float:
        return 1.5 * peak(n * (a * (1 - a) + ratio * b * (1 - b)))

    found = test.with_error(search(compute, power, 1, swing))
    if not test.too_often(found):
        return found
    for n in range(found.n, FEW):
        if n + other(n) > FEW:
            break
        if test.fisher(a, b, n, other(n)) >= power:
            return test.note(found, f"needs {n} and {other(n)}")
    return test.note(found, f"needs more than {FEW} in all")
