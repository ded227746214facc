"""Cluster-robust mean and paired difference for any grouping of dependent observations."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ..errors import InputError, unknown_choice
from ..numeric import refuse_tiny
from ._clusters import ONE_CLUSTER, Clusters, Floats, difference, group, observations
from .result import Alternative, Number, TestResult, check_alternative, check_confidence

__all__ = ["cluster_mean_test", "cluster_paired_test"]

Correction: TypeAlias = Literal["CR0", "CR1", "CR2"]
DegreesOfFreedom: TypeAlias = Literal["clusters", "satterthwaite", "effective", "joint"]

# the rule of R's t.test, a standard error below 10 machine epsilons of the values, is rounding
ROUNDING = 10 * np.finfo(float).eps
# numbers handled at once
CHUNK = 30_000


def cluster_mean_test(
    values: ArrayLike,
    clusters: ArrayLike | Iterable[Hashable],
    *,
    p0: float = 0.0,
    weights: ArrayLike | None = None,
    correction: Correction = "CR1",
    df: DegreesOfFreedom = "clusters",
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
    axis: int = -1,
) -> TestResult:
    """Test a mean of observations that depend on each other inside clusters.

    Use it for errors of nodes in communities, questions of one document, pages of one site:
    wherever observations of one cluster resemble each other. It assumes that clusters are
    independent of each other and that none dominates. It does not see dependence between
    clusters, nor what another training set would change: predictions are taken as given.

    Parameters
    ----------
    values : array_like of shape (..., n)
        Observations along `axis`; other axes are separate trials on the same clusters.
    clusters : sequence of n hashable labels
        The cluster of each observation.
    p0 : float
        The mean under the null hypothesis.
    weights : array_like of shape (n,), optional
        Positive weight of each observation.
    correction : {"CR0", "CR1", "CR2"}
        Small-sample factor of the squared cluster sums: 1; G/(G-1); 1/(1 - share of the
        cluster) (Bell & McCaffrey 2002).
    df : {"clusters", "satterthwaite", "effective", "joint"}
        Degrees of freedom of t: G - 1; those that match the variance of the variance
        estimate under independent observations (Bell & McCaffrey 2002); (Σu²)²/Σu⁴, the
        number of clusters whose sums u matter in these data; the geometric mean of the last
        and of (ΣW)²/ΣW² - 1, as `contribution_comparisons` takes it for several means
        together. The first three are in `details`.
    alternative : {"two-sided", "less", "greater"}
        "greater": the mean is larger than `p0`.
    confidence : float
        Level of the interval, one-sided for a one-sided alternative.
    axis : int
        The axis of the observations.

    Returns
    -------
    TestResult
        With one cluster everything but the estimate is NaN and the result is degenerate. Where
        no cluster sum varies it is degenerate too: p is 1 if the mean equals `p0`, else NaN.
        ``details["effect_size"]`` is Cohen's d_z, the mean's distance from `p0` in standard
        deviations of an observation, with the interval of the mean in these units.

    Raises
    ------
    InputError
        For NaN or no values, weights that are not positive, missing or wrongly many labels.

    Notes
    -----
    With W_g the weight of cluster g, W their sum and ``u_g = Σ_{i in g} w_i (y_i - mean)``:
    ``variance = Σ_g c_g u_g² / W²``, c_g by `correction`.

    References
    ----------
    K.-Y. Liang, S. Zeger (1986), Biometrika 73; R. M. Bell, D. F. McCaffrey (2002), Survey
    Methodology 28; G. Imbens, M. Kolesár (2016), Review of Economics and Statistics 98.

    Examples
    --------
    >>> result = cluster_mean_test([0, 1, 1, 0, 0, 1, 0], list("aaabbbb"), p0=0.5)
    >>> round(result.estimate, 4), round(result.pvalue, 4), result.df
    (0.4286, 0.7857, 1.0)
    """
    y = observations("values", values, axis)
    return _test(
        y,
        np.abs(y).max(axis=-1),
        group(clusters, y.shape[-1], weights),
        p0,
        correction,
        df,
        check_alternative(alternative),
        check_confidence(confidence),
        f"cluster-robust t-test of a mean ({correction})",
        f"Is the mean over clusters like these {p0:g}?",
    )


def cluster_paired_test(
    a: ArrayLike,
    b: ArrayLike,
    clusters: ArrayLike | Iterable[Hashable],
    *,
    weights: ArrayLike | None = None,
    correction: Correction = "CR1",
    df: DegreesOfFreedom = "clusters",
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
    axis: int = -1,
) -> TestResult:
    """Test the mean paired difference a - b of observations that depend inside clusters.

    Use it to compare two classifiers on the same nodes, questions or pages when their errors
    come in clusters. Assumptions, parameters, errors and what it does not answer are those of
    `cluster_mean_test`, which it applies to a - b.

    Parameters
    ----------
    a, b : array_like of shape (..., n)
        Errors (or losses) of the two classifiers on the same observations; `b` may be one
        number.

    Returns
    -------
    TestResult
        The estimate is mean a minus mean b.

    References
    ----------
    As `cluster_mean_test`.

    Examples
    --------
    >>> result = cluster_paired_test([1, 1, 0, 1, 1, 0], [0, 1, 0, 0, 1, 0], list("xxyyzz"))
    >>> round(result.estimate, 4), round(result.pvalue, 4)
    (0.3333, 0.1835)
    """
    d, largest = difference(a, b, axis)
    return _test(
        d,
        largest,
        group(clusters, d.shape[-1], weights),
        0.0,
        correction,
        df,
        check_alternative(alternative),
        check_confidence(confidence),
        f"cluster-robust paired t-test ({correction})",
        "Do A and B differ on average over clusters like these, the trained models as given?",
    )


def _sums(y: Floats, clusters: Clusters) -> tuple[Floats, Floats, Floats, Floats]:
    """Give mean, cluster sums u, Σ(w r)² and Σ w r² of each trial, r its residuals."""
    w, rows = clusters.weights, y.reshape(-1, y.shape[-1])
    mean, squares, spread = np.empty((3, rows.shape[0]))
    u = np.empty((rows.shape[0], clusters.number))
    # a few trials at a time stay in the cache
    step = max(1, CHUNK // y.shape[-1])
    for start in range(0, rows.shape[0], step):
        part = slice(start, start + step)
        mean[part] = (rows[part] * w).sum(axis=-1) / clusters.totals.sum()
        residual = rows[part] - mean[part, None]
        weighted = residual * w
        u[part] = clusters.sums(weighted)
        squares[part] = np.einsum("ij,ij->i", weighted, weighted)
        spread[part] = np.einsum("ij,ij->i", weighted, residual)
    shape = y.shape[:-1]
    return (
        mean.reshape(shape),
        u.reshape(*shape, clusters.number),
        squares.reshape(shape),
        spread.reshape(shape),
    )


def _effective(u: Floats, flat: Any) -> Floats:
    # scaled first, so that squares of tiny sums do not vanish
    scaled = u / np.where(flat, 1.0, np.abs(u).max(axis=-1))[..., None]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(flat, np.nan, (scaled**2).sum(-1) ** 2 / (scaled**4).sum(-1))


def _satterthwaite(totals: Floats, factor: Floats) -> float:
    # cov(u_g, u_h) ∝ W_g [g = h] - W_g W_h / W for independent observations of variance 1/w;
    # df = tr(C cov)² / tr((C cov)²) with C = diag(factor)
    share = totals / totals.sum()
    own = share * (1 - share)
    trace = float(factor @ own)
    cross = float(factor @ share**2) ** 2 - float(factor**2 @ share**4)
    return trace**2 / (float(factor**2 @ own**2) + cross)


def _factor(shares: Floats, correction: str) -> Floats:
    if correction == "CR0":
        return np.ones(shares.size)
    if correction == "CR1":
        return np.full(shares.size, shares.size / (shares.size - 1))
    return np.asarray(1 / (1 - shares))


def _test(
    y: Floats,
    largest: Floats,
    clusters: Clusters,
    p0: float,
    correction: str,
    df: str,
    alternative: Alternative,
    confidence: float,
    method: str,
    question: str,
) -> TestResult:
    if correction not in get_args(Correction):
        raise unknown_choice("correction", correction, get_args(Correction))
    if df not in get_args(DegreesOfFreedom):
        raise unknown_choice("df", df, get_args(DegreesOfFreedom))
    if not np.isfinite(p0):
        raise InputError(f"p0: received {p0!r}, allowed is a finite number")
    refuse_tiny("values", largest)
    n, total = y.shape[-1], float(clusters.totals.sum())
    mean, u, squares, spread = _sums(y, clusters)
    if clusters.number == 1:
        return _one_cluster(mean, n, p0, alternative, confidence, method, question)
    factor = _factor(clusters.shares, correction)
    se = np.sqrt((u**2 * factor).sum(axis=-1)) / total
    flat = se <= ROUNDING * largest
    se = np.where(flat, 0.0, se)
    nu: dict[str, Any] = {
        "clusters": np.full(mean.shape, clusters.number - 1.0),
        "satterthwaite": np.full(mean.shape, _satterthwaite(clusters.totals, factor)),
        "effective": _effective(u, flat),
    }
    nu["joint"] = np.sqrt(nu["effective"] * max(clusters.effective - 1.0, 1.0))
    gap = mean - p0
    none = flat & (np.abs(gap) <= ROUNDING * np.maximum(largest, abs(p0)))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(flat, np.where(none, 0.0, np.nan), gap / se)
    p = np.where(flat, np.where(none, 1.0, np.nan), _tail(t, nu[df], alternative))
    low, high = _limits(mean, se, nu[df], alternative, confidence, flat)
    with np.errstate(divide="ignore", invalid="ignore"):
        independent = np.sqrt(squares * (n / (n - 1))) / total
        design_effect = np.where(independent > 0, (se / independent) ** 2, np.nan)
        # weighted, with the n-1 of the ordinary standard deviation
        sd = np.sqrt(spread / total * (n / (n - 1)))
        effect = np.where(flat, np.nan, (np.stack((mean, low, high)) - p0) / sd)
    details = {
        "n": n,
        "clusters": clusters.number,
        "effective_clusters": clusters.effective,
        "largest_share": float(clusters.shares.max()),
        "df_clusters": clusters.number - 1,
        "df_satterthwaite": float(nu["satterthwaite"].flat[0]),
        "df_effective": _number(nu["effective"]),
        "p0": float(p0),
        "correction": correction,
        "df_rule": df,
        "variance": _number(se**2),
        "independent_standard_error": _number(independent),
        "design_effect": _number(design_effect),
        "effect_size": _number(effect[0]),
        "effect_size_low": _number(effect[1]),
        "effect_size_high": _number(effect[2]),
        "effect_size_name": "Cohen's d_z",
        "cluster_sizes": clusters.sizes,
    }
    notes = clusters.notes()
    if np.any(flat):
        notes += (
            "degenerate: no cluster sum differs from what the mean predicts, so there is no "
            "standard error; p is 1 where the mean equals p0 and undefined elsewhere",
        )
    return TestResult(
        method=method,
        question=question,
        estimate=_number(mean),
        standard_error=_number(se),
        statistic=_number(t),
        df=_number(nu[df]),
        pvalue=_number(p),
        ci_low=_number(low),
        ci_high=_number(high),
        confidence=confidence,
        alternative=alternative,
        degenerate=bool(flat) if flat.ndim == 0 else flat,
        details=MappingProxyType(details),
        notes=notes,
    )


def _number(values: Any) -> Number:
    array = np.asarray(values, dtype=np.float64)
    return float(array) if array.ndim == 0 else array


def _tail(t: Floats, df: Floats, alternative: Alternative) -> Floats:
    if alternative == "two-sided":
        return np.asarray(np.minimum(2 * special.stdtr(df, -np.abs(t)), 1.0))
    return np.asarray(special.stdtr(df, t if alternative == "less" else -t))


def _limits(
    mean: Floats, se: Floats, df: Floats, alternative: Alternative, confidence: float, flat: Any
) -> tuple[Floats, Floats]:
    level = (1 + confidence) / 2 if alternative == "two-sided" else confidence
    half = np.where(flat, np.nan, special.stdtrit(df, level) * se)
    low = np.full(mean.shape, -np.inf) if alternative == "less" else mean - half
    high = np.full(mean.shape, np.inf) if alternative == "greater" else mean + half
    return np.where(flat, np.nan, low), np.where(flat, np.nan, high)


def _one_cluster(
    mean: Floats,
    n: int,
    p0: float,
    alternative: Alternative,
    confidence: float,
    method: str,
    question: str,
) -> TestResult:
    nan = _number(np.full(mean.shape, np.nan))
    return TestResult(
        method=method,
        question=question,
        estimate=_number(mean),
        standard_error=nan,
        statistic=nan,
        df=nan,
        pvalue=nan,
        ci_low=nan,
        ci_high=nan,
        confidence=confidence,
        alternative=alternative,
        degenerate=True if mean.ndim == 0 else np.ones(mean.shape, dtype=bool),
        details=MappingProxyType({"n": n, "clusters": 1, "p0": float(p0)}),
        notes=(ONE_CLUSTER,),
    )
