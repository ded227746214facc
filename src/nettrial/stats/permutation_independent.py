"""Permutation tests of two independent samples, and of a statistic of one's own."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.seeds import Seed, freeze, generator
from ..core.wording import plural
from ..numeric.checks import count
from ..numeric.rounding import settled, without_noise
from ._arrays import Array, along, as_result, count_note
from ._means import IDENTICAL
from .paired import OF_SAMPLES, UNPAIRED, two_samples
from .result import Alternative, TestResult, check_confidence

OfTwoSamples: TypeAlias = Callable[[Any, Any], float]


@check_arguments
def two_sample_permutation_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    statistic: OfTwoSamples | None = None,
    n_resamples: int = 9999,
    seed: Seed = 0,
    axis: int = -1,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Permutation test of two independent samples.

    The values of both samples are dealt to them anew; p = (1 + number of deals at least as
    extreme as the data) / (1 + n_resamples). Where there are no more than 1 + n_resamples deals
    all are counted instead, the data among them.

    When to use: error rates of two classifiers on separate test sets, without a normal
    distribution. Assumes independent values and, under the null hypothesis, one distribution for
    both samples: where the spreads differ it answers for more than the statistic. Does not
    answer whether a beats b on other networks if all test sets come from one.

    Parameters
    ----------
    a, b : array_like, shapes (..., n_a) and (..., n_b)
        Both samples along `axis`.
    statistic : callable, optional
        A function of two arrays of one dimension that returns a number, larger where `a` is; the
        difference of means by default, of which "two-sided" counts the sizes; of one of your own
        it doubles the smaller tail.
    n_resamples : int, default 9999
        Number of random deals, the same for all tests of one call.
    seed : int, SeedSequence or Generator
        Seed of the deals.
    axis : int, default -1
        The axis that holds the values of one test.
    alternative : {"two-sided", "less", "greater"}
        "greater": the statistic is larger than under the null hypothesis.
    confidence : float
        Kept in the result; there is no interval.

    Returns
    -------
    TestResult
        `estimate` and `statistic` are the statistic of the data, without interval (NaN). Where
        all values are equal p = 1 and the result is degenerate.

    Raises
    ------
    InputError
        For samples of fewer than two, values that are not finite, or a statistic that returns no
        number.

    References
    ----------
    Pitman (1937), Supplement to the J. of the Royal Statistical Society 4, 119-130. Phipson and
    Smyth (2010), Statistical Applications in Genetics and Molecular Biology 9, 39.

    Examples
    --------
    >>> result = two_sample_permutation_test([0.20, 0.25, 0.22, 0.30], [0.18, 0.16, 0.21])
    >>> round(result.pvalue, 4), result.details["n_resamples"]
    (0.1143, 34)
    """
    check_confidence(confidence)
    count("n_resamples", n_resamples)
    first, second, _, rounding = two_samples(a, b, axis, least=2)
    if statistic is not None:  # which may depend on where the values lie
        first, second = along("a", a, axis, least=2), along("b", b, axis, least=2)
    na, shape = first.shape[-1], first.shape[:-1]
    frozen = freeze(seed)
    together = np.concatenate([first, second], axis=-1)
    if statistic is None:
        together = without_noise(together)
    rows, levels = together.reshape(-1, together.shape[-1]), rounding.reshape(-1)
    found = [
        _one(row[:na], row[na:], float(level), statistic, n_resamples, frozen, alternative)
        for row, level in zip(rows, levels)
    ]
    p, drawn = np.array([one[1] for one in found]).reshape(shape), found[0][2]
    estimate = np.array([one[0] for one in found]).reshape(shape)
    identical = np.ptp(together, axis=-1) <= rounding
    nothing = np.full(shape, np.nan)
    method, question = "two-sample permutation test", UNPAIRED
    if statistic is not None:
        method = f"{method} of {called(statistic)}"
        question = (
            f"Does {called(statistic)} say that two independent samples of error rates have "
            f"different distributions? {OF_SAMPLES}"
        )
    return as_result(
        method=method,
        question=question,
        estimate=np.where(identical & (statistic is None), 0.0, estimate),
        standard_error=nothing,
        statistic=estimate,
        pvalue=np.where(identical, 1.0, p),
        ends=(nothing, nothing),
        confidence=confidence,
        alternative=alternative,
        degenerate=identical,
        details=MappingProxyType(
            {"n_a": na, "n_b": second.shape[-1], "n_resamples": drawn}
        ),
        notes=count_note(identical, IDENTICAL),
    )  # fmt: skip


def _one(
    first: Array,
    second: Array,
    level: float,
    statistic: OfTwoSamples | None,
    n_resamples: int,
    seed: int,
    alternative: Alternative,
) -> tuple[float, float, int]:
    """Return the statistic, p, and the number of deals beside the data."""
    from scipy.stats import permutation_test  # slow to import

    def means(x: Array, y: Array, axis: int = -1) -> Array:
        return settled(x.mean(axis=axis) - y.mean(axis=axis), level)

    made = permutation_test(
        (first, second),
        means if statistic is None else number_of(statistic),
        permutation_type="independent",
        vectorized=statistic is None,
        n_resamples=n_resamples,
        alternative="two-sided",
        rng=generator(seed),
    )
    exact = made.null_distribution.size <= n_resamples and _all_deals(first, second, n_resamples)
    null, observed = made.null_distribution, float(made.statistic)
    drawn = null.size - 1 if exact else null.size
    slack = level if statistic is None else 1e-12 * abs(observed)
    greater = np.count_nonzero(null >= observed - slack)
    less = np.count_nonzero(null <= observed + slack)
    both = np.count_nonzero(np.abs(null) >= abs(observed) - slack)
    if statistic is not None:
        both = 2 * min(greater, less) + (not exact)  # each tail counts the data
    extreme = {"greater": greater, "less": less, "two-sided": both}[alternative]
    return observed, float(min(1.0, (extreme + (not exact)) / (drawn + 1))), drawn


def _all_deals(first: Array, second: Array, n_resamples: int) -> bool:
    from scipy.special import comb

    return bool(comb(first.size + second.size, first.size) <= n_resamples + 1)


def called(statistic: Callable[..., float]) -> str:
    """Return what a statistic is called in sentences.

    Examples
    --------
    >>> called(np.median), called(lambda d: d[0])
    ('the statistic median', 'your own statistic')
    """
    name = str(getattr(statistic, "__name__", ""))
    return f"the statistic {name}" if name.isidentifier() else "your own statistic"


def number_of(statistic: Callable[..., float]) -> Callable[..., float]:
    """Return a statistic that refuses to return anything but a finite number."""

    def checked(*samples: Array) -> float:
        try:
            found = np.asarray(statistic(*samples))
        except TypeError as error:
            raise InputError(
                parameter="statistic",
                expected=f"a function of {plural(len(samples), 'sample')}",
                got=str(error),
            ) from error
        if found.ndim or found.dtype.kind not in "biuf" or not np.isfinite(found):
            raise InputError(
                f"statistic: expected a function that returns a finite number, got {shown(found)}"
            )
        return float(found)

    return checked
