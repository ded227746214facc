"""Binomial probabilities and the exact interval, for arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ._arrays import Array, tail_level
from .result import Alternative


def at_most(k: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """P(X <= k) for X ~ Binomial(n, p), through the incomplete beta function."""
    k, n, p = np.broadcast_arrays(np.asarray(k, float), np.asarray(n, float), np.asarray(p, float))
    inside = (k >= 0) & (k < n)
    value = special.betaincc(np.where(inside, k, 0) + 1, np.where(inside, n - k, 1), p)
    return np.where(inside, value, np.where(k < 0, 0.0, 1.0))


def at_least(k: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """P(X >= k) for X ~ Binomial(n, p); small tails keep their relative accuracy."""
    k, n, p = np.broadcast_arrays(np.asarray(k, float), np.asarray(n, float), np.asarray(p, float))
    inside = (k > 0) & (k <= n)
    value = special.betainc(np.where(inside, k, 1), np.where(inside, n - k, 0) + 1, p)
    return np.where(inside, value, np.where(k > n, 0.0, 1.0))


def likelihood_pvalue(x: Array, n: Array, p: Array) -> Array:
    """Two-sided p-value: all outcomes that are no more likely than the observed one.

    As in R and SciPy, outcomes within a ratio of 1 + 1e-7 count as equally likely. The
    probabilities fall on the far side of the mode, so the first such outcome is found by
    bisection.
    """
    from scipy.stats import binom

    # a probability of which (n + 1) / p is no double is 0 for so many tosses
    p = np.where(p < (n + 1) * np.finfo(float).tiny, 0.0, p)
    limit = binom.pmf(x, n, p) * (1 + 1e-7)
    below = x < n * p
    mode = np.where(below, np.ceil(n * p), n - np.floor(n * p))
    low, high = mode, n + 1
    while (low < high).any():
        middle = np.floor((low + high) / 2)
        original = np.where(below, middle, n - middle)
        unlikely = (middle > n) | (binom.pmf(original, n, p) <= limit)
        high = np.where(unlikely, middle, high)
        low = np.where(unlikely, low, np.minimum(middle + 1, high))
    far_end = np.where(below, high, n - high)
    near = np.where(below, at_most(x, n, p), at_least(x, n, p))
    far = np.where(below, at_least(far_end, n, p), at_most(far_end, n, p))
    return np.where(x == n * p, 1.0, np.minimum(1.0, near + far))


def half_pvalue(wins: Array, n: Array, alternative: Alternative) -> Array:
    """Exact p-value of `wins` out of n fair coin tosses; 1 where n = 0.

    At p = 1/2 the distribution is symmetric, so twice the smaller tail is the sum of the
    outcomes no more likely than the observed one.
    """
    if alternative == "less":
        return at_most(wins, n, 0.5)
    if alternative == "greater":
        return at_least(wins, n, 0.5)
    return np.minimum(1.0, 2 * at_most(np.minimum(wins, n - wins), n, 0.5))


def beta_quantile(a: ArrayLike, b: ArrayLike, tail: ArrayLike, *, upper: bool = False) -> Array:
    """Return the x with P(X <= x) = tail for X ~ Beta(a, b), or P(X > x) = tail if `upper`.

    Two Newton steps follow the library's root, which for large n is right to 1e-11 only.
    """
    inverse = special.betainccinv if upper else special.betaincinv
    x = np.asarray(inverse(a, b, tail))
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    for _ in range(2):
        inside = np.where((x > 0) & (x < 1), x, 0.5)
        log_density = special.xlogy(a - 1, inside) + special.xlog1py(b - 1, -inside)
        density = np.exp(np.clip(log_density - special.betaln(a, b), -700, 700))
        if upper:
            step = (tail - special.betaincc(a, b, inside)) / -density
        else:
            step = (tail - special.betainc(a, b, inside)) / density
        near = (inside == x) & (np.abs(step) < 1e-6 * np.minimum(inside, 1 - inside))
        x = np.where(near, x + step, x)
    return x


def clopper_pearson(
    x: Array, n: Array, confidence: float, alternative: Alternative = "two-sided"
) -> tuple[Array, Array]:
    """Exact interval of a proportion from beta quantiles; (0, 1) where n = 0."""
    tail = tail_level(confidence, alternative)
    lower, upper = np.zeros(x.shape), np.ones(x.shape)
    if alternative != "less":
        some = x > 0
        ends = beta_quantile(np.where(some, x, 1), np.where(some, n - x, 0) + 1, tail)
        lower = np.where(some, ends, 0.0)
    if alternative != "greater":
        some = x < n
        ends = beta_quantile(np.where(some, x, 0) + 1, np.where(some, n - x, 1), tail, upper=True)
        upper = np.where(some, ends, 1.0)
    return lower, upper
