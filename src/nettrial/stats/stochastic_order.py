"""Almost stochastic order: is one sample below the other at nearly every quantile?"""

from __future__ import annotations

import math
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown, unknown_choice
from ..core.seeds import Seed, freeze, generator
from ..numeric.checks import count, scalar
from ..numeric.input_alignment import refuse_other_precision
from ..numeric.rounding import rounded
from ._arrays import Array, noise
from ._effects import sample
from .result import Alternative, TestResult, check_confidence

BATCH = 2**22  # values that are drawn at once
UNSEEN = "no resample violates the order: p is the least that so many values and resamples show"
EQUAL = "both samples have the same quantiles, so nothing speaks against equality (p = 1)"


@check_arguments
def almost_stochastic_order(
    a: ArrayLike,
    b: ArrayLike,
    *,
    alternative: Alternative = "less",
    threshold: float = 0.2,
    digits: int | None = None,
    n_resamples: int = 1000,
    seed: Seed = 0,
    confidence: float = 0.95,
) -> TestResult:
    r"""Test whether a is almost stochastically smaller (or larger) than b.

    When to use: scores of two models over independent seeds or data sets, and the wish to say
    that one is better at nearly all quantiles, not only in the mean. Assumes independent values
    in both samples. It does not say how large the difference is, and seeds of one training set
    say nothing about other data. The level is not exact: of samples from one distribution (5 to
    200 values) 14 to 17% pass a threshold of 0.5, but only 1 to 5% pass the default of 0.2, so
    take `mann_whitney_test` where the level must hold.

    Parameters
    ----------
    a, b : array_like of shape (m,), (n,)
        Error rates of both models.
    alternative : {"less", "greater"}
        "less": a is smaller, that is better for error rates.
    threshold : float
        The violation ratio below which the order counts as almost stochastic, in (0, 0.5];
        Dror et al. take 0.5, Ulmer et al. advise 0.2.
    digits : int or None
        Round the values to so many significant digits first.
    n_resamples : int
        Bootstrap samples for the standard error of the ratio.
    seed : int, SeedSequence or Generator
        Source of randomness.
    confidence : float
        Level of the upper end; 1 - the level of the test.

    Returns
    -------
    TestResult
        `estimate` is the violation ratio :math:`\varepsilon = \int_V (F^{-1} - G^{-1})^2 dt /
        \int_0^1 (F^{-1} - G^{-1})^2 dt` over the quantiles V that are in the wrong order, from
        0 (a is smaller throughout) to 1, computed exactly. `ci_high` is
        :math:`\varepsilon_{min} = \varepsilon - \Phi^{-1}(1 - confidence) \, s` with the
        bootstrap's standard error s: the order is established where it lies below
        `threshold`. `pvalue` is that of the null hypothesis that the ratio is the threshold or
        more, but at least 1 / (n_resamples + 1) and 1 / (number of ways to deal the values to
        both samples), which is all that so many resamples or values can show. Equal samples
        have p = 1 and are degenerate.

    Raises
    ------
    InputError
        For fewer than two values in a sample, values that are not finite, alternative
        "two-sided", or a threshold outside (0, 0.5].

    References
    ----------
    del Barrio, Cuesta-Albertos and Matrán (2018), An optimal transportation approach for
    assessing almost stochastic order, in The Mathematics of the Uncertain, 33-44. Dror, Shlomov
    and Reichart (2019), Deep dominance: how to properly compare deep neural models, ACL,
    2773-2785. Ulmer, Hardmeier and Frellsen (2022), deep-significance, arXiv:2204.06815.

    Examples
    --------
    >>> a = [0.20, 0.22, 0.19, 0.25, 0.21, 0.23, 0.18, 0.24]
    >>> b = [0.24, 0.23, 0.26, 0.21, 0.28, 0.25, 0.27, 0.22]
    >>> result = almost_stochastic_order(a, b, seed=1)
    >>> result.estimate, round(almost_stochastic_order(b, a, seed=1).estimate, 3)
    (0.0, 1.0)
    """
    if alternative not in ("less", "greater"):
        raise unknown_choice("alternative", alternative, ("less", "greater"))
    level = check_confidence(confidence)
    limit = scalar("threshold", threshold)
    if not 0 < limit <= 0.5:
        raise InputError(
            parameter="threshold", expected=f"a number in (0, 0.5], got {shown(threshold)}"
        )
    refuse_other_precision(a=a, b=b)
    first, second = (rounded(sample(*each, 2), digits) for each in (("a", a), ("b", b)))
    n_resamples = count("n_resamples", n_resamples, 2)
    entropy = freeze(seed)
    sign = 1.0 if alternative == "less" else -1.0
    grid = _Grid(first.size, second.size, float(noise(first, second)))
    ratio = float(grid.violation(sign * first[np.newaxis], sign * second[np.newaxis])[0])
    drawn = _resampled(sign * first, sign * second, grid, n_resamples, entropy)
    equal = bool(np.isnan(ratio))
    # resamples with the same quantiles have no order to violate
    se = float(np.nanstd(drawn, ddof=1)) if np.isfinite(drawn).sum() > 1 else 0.0
    nan = float("nan")
    z = (ratio - limit) / se if se > 0 else nan
    tail = float(special.ndtr(z)) if se > 0 else float(ratio > limit)
    least = 1 / min(n_resamples + 1, math.comb(first.size + second.size, first.size))
    pvalue = 1.0 if equal else max(tail, least)
    upper = nan if equal else min(1.0, ratio + float(special.ndtri(level)) * se)
    side = "smaller" if alternative == "less" else "larger"
    return TestResult(
        method="almost stochastic order",
        question=(
            f"Is a {side} than b at nearly all quantiles? The p-value counts the values as "
            "independent; it does not ask about other networks if all come from one."
        ),
        estimate=ratio,
        standard_error=se,
        statistic=z,
        df=None,
        pvalue=pvalue,
        ci_low=nan if equal else 0.0,
        ci_high=upper,
        confidence=level,
        alternative=alternative,
        degenerate=equal,
        details=MappingProxyType(
            {
                "threshold": limit,
                "n_a": first.size,
                "n_b": second.size,
                "n_resamples": n_resamples,
                "seed": entropy,
            }
        ),
        notes=(EQUAL,) if equal else (UNSEEN,) if se == 0 and ratio == 0 else (),
    )


class _Grid:
    """The steps of two quantile functions: where both are constant, and how long."""

    def __init__(self, m: int, n: int, rounding: float) -> None:
        self.rounding = rounding
        # as whole numbers, so that i/m and j/n that are equal fall together
        edges = np.union1d(np.arange(m + 1) * n, np.arange(n + 1) * m)
        self.length = np.diff(edges) / (m * n)
        self.first = edges[:-1] // n
        self.second = edges[:-1] // m

    def violation(self, a: Array, b: Array) -> Array:
        """Return the violation ratio of each row, NaN where all quantiles are equal."""
        difference = np.sort(a, axis=1)[:, self.first] - np.sort(b, axis=1)[:, self.second]
        square = np.where(np.abs(difference) > self.rounding, difference**2, 0.0)
        wrong = np.where(difference > 0, square, 0.0) @ self.length
        total = square @ self.length
        found: Array = np.divide(wrong, total, out=np.full(total.shape, np.nan), where=total > 0)
        return found


def _resampled(a: Array, b: Array, grid: _Grid, number: int, entropy: int) -> Array:
    rng = generator(entropy)
    batch = max(1, BATCH // (a.size + b.size))
    found = []
    for start in range(0, number, batch):
        rows = min(batch, number - start)
        chosen = (rng.choice(x, size=(rows, x.size)) for x in (a, b))
        found.append(grid.violation(*chosen))
    return np.concatenate(found)
