"""Sign-flip and bootstrap tests of a paired difference; their p-values are never 0."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.seeds import Seed, freeze, generator
from ..numeric.checks import count
from ..numeric.rounding import settled
from ._arrays import Array, as_result, count_note, noise, pairs, tail_level, to_python
from ._means import moments, ratio
from .paired import OF_PAIRS, PAIRED
from .permutation_independent import called, number_of
from .result import Alternative, TestResult

OfOneSample: TypeAlias = Callable[[Any], float]
# cells of one block of intermediate results
BLOCK_CELLS = 4_000_000


@check_arguments
def permutation_test(
    a: ArrayLike,
    b: ArrayLike = 0.0,
    *,
    statistic: OfOneSample | None = None,
    n_resamples: int = 9999,
    seed: Seed = 0,
    axis: int = -1,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Sign-flip test of the mean difference of pairs.

    The signs of d = a - b are flipped at random; p = (1 + number of flips at least as extreme
    as the data) / (1 + n_resamples) (Phipson & Smyth 2010). If 2^k <= 1 + n_resamples, all
    flips are counted instead, the data among them.

    When to use: pairs from disjoint test sets or data sets, without a normal distribution.
    Assumes independent pairs whose differences are symmetric about zero if a equals b. With k
    pairs p is at least 2^(1-k), two-sided. Does not answer whether a beats b on other
    networks if all pairs come from one.

    Parameters
    ----------
    a, b : array_like, shape (..., k)
        Error rates of both classifiers, pairs along `axis`; or differences as `a` and one
        number as `b`.
    statistic : callable, optional
        A function of the array of differences that returns a number, 0 where the two are alike,
        such as `numpy.median`; the mean by default. A statistic of one's own has no interval.
    n_resamples : int, default 9999
        Number of random flips, the same for all tests of one call.
    seed : int, SeedSequence or Generator
        Seed of the flips.
    axis : int, default -1
        The axis that holds the pairs of one test.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger, that is worse for error rates.
    confidence : float
        Level of the interval: the shifts that the one-sided tests keep, which are order
        statistics of the means of random subsets (Hartigan 1969).

    Returns
    -------
    TestResult
        `statistic` is the mean difference. All differences zero: p = 1. Constant differences
        have no interval. `details` hold the mean in units of the standard deviation with the
        same interval.

    Raises
    ------
    InputError
        For no pairs, unequal shapes, values that are not finite, or n_resamples < 1.

    References
    ----------
    Pitman (1937), Supplement to the J. of the Royal Statistical Society 4, 119-130.

    Examples
    --------
    >>> result = permutation_test([0.21, 0.19, 0.25, 0.22, 0.24], [0.19, 0.18, 0.22, 0.21, 0.2])
    >>> result.pvalue, result.details["exact"]
    (0.0625, True)
    """
    tail, entropy = _check(n_resamples, alternative, confidence), freeze(seed)
    first, second = pairs(a, b, axis, least=1)
    k = first.shape[-1]
    exact = k < 63 and 2**k <= n_resamples + 1
    if exact:
        flips = np.array(list(itertools.product((0, 1), repeat=k)), dtype=np.int16)[1:]
    else:
        rng = generator(entropy)
        flips = rng.integers(0, 2, size=(n_resamples, k), dtype=np.int16)
    if statistic is not None:
        signs = 1.0 - 2.0 * flips
        return _of_own(first, second, statistic, lambda d, i: d * signs[i], len(flips),
                       "sign-flip test", alternative, confidence)  # fmt: skip
    flipped = np.maximum(flips.sum(axis=1), 1.0)
    none = ~flips.any(axis=1)
    d, rounding = _differences(first, second)
    rows = d.reshape(-1, k)
    p = np.empty(len(rows))
    ends = np.empty((2, len(rows)))
    for part in _blocks(len(rows), len(flips)):
        sums = _products(rows[part], flips)
        # flipping a subset with sum s changes the total T to T - 2 s
        slack = (k * rounding[part])[:, None]
        total = rows[part].sum(axis=1, keepdims=True)
        extreme = {
            "less": sums >= -slack,
            "greater": sums <= slack,
            "two-sided": np.abs(total - 2 * sums) >= np.abs(total) - 2 * slack,
        }[alternative]
        p[part] = (1 + extreme.sum(axis=1)) / (1 + len(flips))
        ends[0, part] = _order(np.where(none, -np.inf, sums / flipped), tail, lower=True)
        ends[1, part] = _order(np.where(none, np.inf, sums / flipped), tail, lower=False)
    return _result(
        "exact sign-flip test" if exact else "sign-flip test",
        d,
        p,
        ends,
        rounding,
        {"n": k, "n_resamples": len(flips), "exact": exact},
        alternative,
        confidence,
    )


@check_arguments
def bootstrap_test(
    a: ArrayLike,
    b: ArrayLike = 0.0,
    *,
    statistic: OfOneSample | None = None,
    n_resamples: int = 9999,
    seed: Seed = 0,
    axis: int = -1,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Bootstrap test of the mean difference of pairs.

    Pairs are drawn with replacement; p = (1 + number of resamples whose mean lies at least as
    far from the observed mean as that lies from zero) / (1 + n_resamples) (Efron & Tibshirani
    1993, section 16.4, with the observed sample counted). If k^k <= n_resamples all samples
    are counted instead.

    When to use: many independent pairs whose differences are neither normal nor symmetric;
    below 20 pairs it is liberal, which `notes` tell, and `permutation_test` is the better
    choice. Assumes independent pairs. Does not answer whether a beats b on other networks if
    all pairs come from one.

    Parameters
    ----------
    a, b, n_resamples, seed, axis, alternative
        As in `permutation_test`.
    statistic : callable, optional
        As in `permutation_test`; the interval is that of its resampled values.
    confidence : float
        Level of the percentile interval.

    Returns
    -------
    TestResult
        As from `permutation_test`. Constant differences other than zero: degenerate, p = nan.

    Raises
    ------
    InputError
        As `permutation_test`.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 13 and 16.

    Examples
    --------
    >>> import numpy as np
    >>> d = np.random.default_rng(0).normal(0.01, 0.02, 50)
    >>> result = bootstrap_test(d, seed=1)
    >>> 0 < result.pvalue < 0.01
    True
    """
    tail, entropy = _check(n_resamples, alternative, confidence), freeze(seed)
    first, second = pairs(a, b, axis, least=1)
    k = first.shape[-1]
    exact = k <= 12 and k**k <= n_resamples
    if exact:
        counts = _counts(np.array(list(itertools.product(range(k), repeat=k))), k)
    else:
        rng = generator(entropy)
        counts = np.concatenate(
            [
                _counts(rng.integers(0, k, size=(part.stop - part.start, k)), k)
                for part in _blocks(n_resamples, k)
            ]
        )
    if statistic is not None:
        return _of_own(first, second, statistic, lambda d, i: np.repeat(d, counts[i]), len(counts),
                       "bootstrap test", alternative, confidence)  # fmt: skip
    d, rounding = _differences(first, second)
    rows = d.reshape(-1, k)
    p = np.empty(len(rows))
    ends = np.empty((2, len(rows)))
    for part in _blocks(len(rows), len(counts)):
        means = _products(rows[part], counts) / k
        observed = rows[part].mean(axis=1, keepdims=True)
        slack = rounding[part][:, None]
        extreme = {
            "less": means - observed <= observed + slack,
            "greater": means - observed >= observed - slack,
            "two-sided": np.abs(means - observed) >= np.abs(observed) - slack,
        }[alternative]
        p[part] = (1 + extreme.sum(axis=1)) / (1 + len(counts))
        ends[:, part] = np.quantile(means, [tail, 1 - tail], axis=1)
    p[np.ptp(rows, axis=1) <= rounding] = np.nan
    few = () if k >= 20 else (f"the bootstrap test is liberal below about 20 pairs; here k = {k}",)
    return _result(
        "exact bootstrap test" if exact else "bootstrap test",
        d,
        p,
        ends,
        rounding,
        {"n": k, "n_resamples": len(counts), "exact": exact},
        alternative,
        confidence,
        few,
    )


def _of_own(
    first: Array,
    second: Array,
    statistic: OfOneSample,
    resample: Callable[[Array, int], Array],
    draws: int,
    method: str,
    alternative: Alternative,
    confidence: float,
) -> TestResult:
    """Test a statistic of one's own of the differences against that of resampled ones."""
    bootstrap, compute = method == "bootstrap test", number_of(statistic)
    d, rounding = _differences(first, second)
    rows, k, tail = d.reshape(-1, d.shape[-1]), d.shape[-1], tail_level(confidence, alternative)
    seen, p, ends = np.empty(len(rows)), np.empty(len(rows)), np.full((2, len(rows)), np.nan)
    for place, row in enumerate(rows):
        seen[place] = observed = compute(row)
        null = np.array([compute(resample(row, i)) for i in range(draws)])
        if bootstrap:
            ends[:, place] = np.quantile(null, [tail, 1 - tail])
            null -= observed
        slack = rounding[place]
        extreme = {
            "less": null <= observed + slack,
            "greater": null >= observed - slack,
            "two-sided": np.abs(null) >= abs(observed) - slack,
        }[alternative]
        p[place] = (1 + extreme.sum()) / (1 + draws)
    constant = np.ptp(d, axis=-1) <= rounding.reshape(d.shape[:-1])
    identical = np.abs(d).max(axis=-1) <= rounding.reshape(d.shape[:-1])
    shape, nothing = d.shape[:-1], np.full(d.shape[:-1], np.nan)
    low, high = (np.where(constant, np.nan, end.reshape(shape)) for end in ends)
    if bootstrap and alternative == "greater":
        high = np.where(constant, np.nan, np.inf)
    elif bootstrap and alternative == "less":
        low = np.where(constant, np.nan, -np.inf)
    unknown = bootstrap & constant & ~identical
    return as_result(
        method=f"{method} of {called(statistic)}",
        question=f"Does {called(statistic)} of a - b differ from 0 {OF_PAIRS}",
        estimate=seen.reshape(shape),
        standard_error=nothing,
        statistic=seen.reshape(shape),
        pvalue=np.where(identical, 1.0, np.where(unknown, np.nan, p.reshape(shape))),
        ends=(low, high),
        confidence=confidence,
        alternative=alternative,
        degenerate=identical | unknown,
        details={"n": k, "n_resamples": draws},
        notes=count_note(constant, "the differences are constant"),
    )


def _check(n_resamples: int, alternative: Alternative, confidence: float) -> float:
    count("n_resamples", n_resamples)
    return tail_level(confidence, alternative)


def _differences(first: Array, second: Array) -> tuple[Array, Array]:
    """Return first minus second, 0 for rounding noise, and that noise as one number per test."""
    rounding = noise(first, second)
    return settled(first - second, rounding[..., None]), rounding.reshape(-1)


def _blocks(n_rows: int, width: int) -> Iterator[slice]:
    step = max(1, BLOCK_CELLS // width)
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))


def _counts(picks: NDArray[np.int64], k: int) -> NDArray[np.int16]:
    """Return how often each of k pairs was drawn, one row per resample."""
    offsets = np.arange(len(picks))[:, None] * k
    counts = np.bincount((picks + offsets).ravel(), minlength=len(picks) * k)
    return counts.reshape(len(picks), k).astype(np.int16)


def _products(rows: Array, weights: NDArray[np.int16]) -> Array:
    """Return weighted sums of each row, in blocks so that not all weights are floats at once."""
    blocks = _blocks(len(weights), weights.shape[1])
    return np.concatenate([rows @ weights[part].T.astype(float) for part in blocks], axis=1)


def _order(means: Array, tail: float, *, lower: bool) -> Array:
    """Return the shift at which a one-sided p-value (1 + count) / (1 + B) passes `tail`."""
    n = means.shape[1]
    # the small excess keeps whole products such as 0.025 * 40 from rounding down
    rank = int(np.floor((n + 1) * tail * (1 + 1e-12)))
    if rank == 0:
        return np.full(len(means), -np.inf if lower else np.inf)
    index = rank - 1 if lower else n - rank
    return np.asarray(np.partition(means, index, axis=1)[:, index])


def _result(
    method: str,
    d: Array,
    p: Array,
    ends: NDArray[np.float64],
    rounding: Array,
    details: dict[str, object],
    alternative: Alternative,
    confidence: float,
    notes: tuple[str, ...] = (),
) -> TestResult:
    shape = d.shape[:-1]
    rounding = rounding.reshape(shape)
    one = d.shape[-1] == 1
    mean, sd = (d[..., 0], np.full(shape, np.nan)) if one else moments(d, rounding)
    identical = np.abs(d).max(axis=-1) <= rounding
    constant = np.ptp(d, axis=-1) <= rounding
    p = np.where(identical, 1.0, p.reshape(shape))
    low, high = (end.reshape(shape) for end in ends)
    low = np.full(shape, -np.inf) if alternative == "less" else low
    high = np.full(shape, np.inf) if alternative == "greater" else high
    low, high = (np.where(constant, np.nan, end) for end in (low, high))
    return as_result(
        method=method,
        question=PAIRED,
        estimate=mean,
        standard_error=sd / np.sqrt(d.shape[-1]),
        statistic=mean,
        pvalue=p,
        ends=(low, high),
        confidence=confidence,
        alternative=alternative,
        degenerate=identical | np.isnan(p),
        details=details
        | {
            "standardized_difference": to_python(ratio(mean, sd, rounding)),
            "standardized_difference_low": to_python(ratio(low, sd, rounding)),
            "standardized_difference_high": to_python(ratio(high, sd, rounding)),
        },
        notes=notes
        + count_note(identical, "all differences are zero: nothing speaks against it (p = 1)")
        + count_note(
            np.isnan(p), "the differences are constant: no resample differs from the data (p = nan)"
        )
        + count_note(
            constant & ~identical & ~np.isnan(p), "the differences are constant: no interval"
        ),
    )
