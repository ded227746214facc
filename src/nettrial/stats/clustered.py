"""Cluster-robust mean and paired difference for any grouping of dependent observations."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.wording import pvalue_text
from ..numeric.centering import from_origin
from ..numeric.checks import scalar
from ..numeric.input_alignment import refuse_other_index, refuse_other_precision
from ..numeric.magnitude import refuse_tiny
from ..numeric.rounding import ROUNDING, scale, settled
from ._arrays import as_result, to_python
from ._bell_mccaffrey import bell_mccaffrey, plain_satterthwaite
from ._clusters import (
    LEAST_ADJUSTED,
    LEAST_EFFECTIVE,
    ONE_CLUSTER,
    Clusters,
    Floats,
    difference,
    group,
    observations,
)
from ._means import IDENTICAL
from .result import Alternative, TestResult, check_confidence

__all__ = ["cluster_mean_test", "cluster_paired_test"]

Correction: TypeAlias = Literal["CR0", "CR1", "CR2"]
DegreesOfFreedom: TypeAlias = Literal["clusters", "satterthwaite", "effective", "joint"]

EVEN = 0.75  # of the clusters, as an effective number, below which they count as unequal
# numbers handled at once
CHUNK = 30_000


@check_arguments
def cluster_mean_test(
    values: ArrayLike,
    clusters: ArrayLike | Iterable[Hashable],
    *,
    null_value: float = 0.0,
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
    null_value : float
        The mean under the null hypothesis.
    weights : array_like of shape (n,), optional
        Positive weight of each observation.
    correction : {"CR0", "CR1", "CR2"}
        Small-sample correction of the squared cluster sums: none; G/(G-1); the adjustment by
        which the variance is unbiased for independent observations of one variance (Bell &
        McCaffrey 2002), with equal weights 1/(1 - share of the cluster). With weights it is
        R's ``clubSandwich::vcovCR(lm(y ~ 1, weights = w), cluster, "CR2")``, whose default
        working model is the identity (``inverse_var = FALSE``).
    df : {"clusters", "satterthwaite", "effective", "joint"}
        Degrees of freedom of t: G - 1; those that match the variance of the variance
        estimate under independent observations of one variance (Bell & McCaffrey 2002);
        (Σu²)²/Σu⁴, the number of clusters whose sums u matter in these data; the geometric mean
        of the last and of (ΣW)²/ΣW² - 1, as `contribution_comparisons` takes it for several
        means together. None is above G - 1. The first three are in `details`. `nettrial.compare`
        takes the last: where clusters are unequal, G - 1 rejects too often, and a note says so.
    alternative : {"two-sided", "less", "greater"}
        "greater": the mean is larger than `null_value`.
    confidence : float
        Level of the interval, one-sided for a one-sided alternative.
    axis : int
        The axis of the observations.

    Returns
    -------
    TestResult
        With one cluster everything but the estimate is NaN and the result is degenerate; so it
        is where one cluster holds so much weight that all are worth fewer than 1.5 equal ones
        (1.001 for "CR2" with "satterthwaite", which stays near its level until there). Where
        no cluster sum varies it is degenerate too: p is 1 if the mean equals `null_value`, else
        NaN. Observations that are all `null_value` have p = 1 in one cluster too.
        ``details["effect_size"]`` is Cohen's d_z, the mean's distance from `null_value` in
        standard deviations of an observation, with the interval of the mean in these units.

    Raises
    ------
    InputError
        For NaN or no values, weights that are not positive, missing or wrongly many labels.

    Notes
    -----
    With W_g the weight of cluster g, W their sum and ``u_g = Σ_{i in g} w_i (y_i - mean)``:
    ``variance = Σ_g (w_g' A_g r_g)² / W²`` with the residuals r_g of cluster g. A_g is 1, or
    √(G/(G-1)), or for "CR2" the inverse square root of the cluster's block of (I - H)(I - H)',
    H = 1 w'/W: the identity and a matrix of rank two.

    References
    ----------
    K.-Y. Liang, S. Zeger (1986), Biometrika 73; R. M. Bell, D. F. McCaffrey (2002), Survey
    Methodology 28; G. Imbens, M. Kolesár (2016), Review of Economics and Statistics 98; J. E.
    Pustejovsky, E. Tipton (2018), J. Business & Economic Statistics 36, equations 4 to 6.

    Examples
    --------
    >>> result = cluster_mean_test([0, 1, 1, 0, 0, 1, 0], list("aaabbbb"), null_value=0.5)
    >>> round(result.estimate, 4), round(result.pvalue, 4), result.df
    (0.4286, 0.7857, 1.0)
    """
    refuse_other_index(values=values, clusters=clusters, weights=weights)
    y = observations("values", values, axis)
    null = scalar("null_value", null_value)
    if not np.isfinite(null):
        raise InputError(parameter="null_value", expected="a finite number", got=shown(null_value))
    return _test(
        y,
        scale(y),
        group(clusters, y.shape[-1], weights),
        null,
        correction,
        df,
        alternative,
        check_confidence(confidence),
        f"cluster-robust t-test of a mean ({correction})",
        f"Is the mean over clusters like these {null:g}?",
    )


@check_arguments
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
    refuse_other_index(a=a, b=b, clusters=clusters, weights=weights)
    refuse_other_precision(a=a, b=b)
    d, largest = difference(a, b, axis)
    return _test(
        d,
        largest,
        group(clusters, d.shape[-1], weights),
        0.0,
        correction,
        df,
        alternative,
        check_confidence(confidence),
        f"cluster-robust paired t-test ({correction})",
        "Do A and B differ on average over clusters like these, the trained models as given?",
    )


def _sums(y: Floats, clusters: Clusters) -> tuple[Floats, Floats, Floats, Floats]:
    """Return mean, cluster sums u, Σ(w r)² and Σ w r² of each trial, r its residuals."""
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
        effective = (scaled**2).sum(-1) ** 2 / (scaled**4).sum(-1)
    # G sums that add up to zero have no more than G - 1 degrees of freedom
    return np.where(flat, np.nan, np.minimum(effective, u.shape[-1] - 1.0))


def _liberal(
    clusters: Clusters, df: str, joint: Floats, t: Floats, alternative: Alternative
) -> tuple[str, ...]:
    """Return what `compare` would have said where unequal clusters make G - 1 too many degrees."""
    if df != "clusters" or np.ndim(t) or np.isnan(t) or clusters.effective > EVEN * clusters.number:
        return ()
    return (
        f"{clusters.number - 1} degrees of freedom are those of clusters that vary alike, and "
        'these are unequal; df="joint", which nettrial.compare takes, gives '
        f"{float(joint):.1f} and "
        f"{pvalue_text(float(_tail(t, joint, alternative)))}",
    )


def _test(
    y: Floats,
    largest: Floats,
    clusters: Clusters,
    null: float,
    correction: str,
    df: str,
    alternative: Alternative,
    confidence: float,
    method: str,
    question: str,
) -> TestResult:
    refuse_tiny("values", largest)
    n, total = y.shape[-1], float(clusters.totals.sum())
    origin, (less,) = from_origin(y)
    origin = origin[..., 0]
    mean, u, squares, spread = _sums(less, clusters)
    adjusted_both = correction == "CR2" and df == "satterthwaite"
    if clusters.effective < (LEAST_ADJUSTED if adjusted_both else LEAST_EFFECTIVE):
        dust = ROUNDING * np.maximum(largest, abs(null))
        nothing = np.asarray((np.abs(y - null) <= dust[..., None]).all(axis=-1))
        return _one_cluster(
            origin + mean, nothing, n, clusters, null, alternative, confidence, method, question
        )
    if correction == "CR2":
        adjusted, satterthwaite = bell_mccaffrey(less - mean[..., None], clusters)
    else:
        factor = 1.0 if correction == "CR0" else clusters.number / (clusters.number - 1)
        adjusted, satterthwaite = np.sqrt(factor) * u, plain_satterthwaite(clusters)
    se = np.sqrt((adjusted**2).sum(axis=-1)) / total
    flat = se <= ROUNDING * largest
    se = np.where(flat, 0.0, se)
    nu: dict[str, Any] = {
        "clusters": np.full(mean.shape, clusters.number - 1.0),
        "satterthwaite": np.full(mean.shape, min(satterthwaite, clusters.number - 1.0)),
        "effective": _effective(u, flat),
    }
    nu["joint"] = np.sqrt(nu["effective"] * max(clusters.effective - 1.0, 1.0))
    gap = settled(mean - (null - origin), ROUNDING * np.maximum(largest, abs(null)))
    mean = np.where(gap == 0, null, origin + mean)
    none = flat & (gap == 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(flat, np.nan, gap / se)
    p = np.where(flat, np.where(none, 1.0, np.nan), _tail(t, nu[df], alternative))
    low, high = _limits(mean, se, nu[df], alternative, confidence, flat)
    with np.errstate(divide="ignore", invalid="ignore"):
        independent = np.sqrt(squares * (n / (n - 1))) / total
        independent = settled(independent, ROUNDING * largest)
        design_effect = np.where(independent > 0, (se / independent) ** 2, np.nan)
        # weighted, with the n-1 of the ordinary standard deviation
        sd = np.sqrt(spread / total * (n / (n - 1)))
        ends = _limits(gap, se, nu[df], alternative, confidence, flat)
        effect = np.where(flat, np.nan, np.stack((gap, *ends)) / sd)
    details = {
        "n": n,
        "clusters": clusters.number,
        "effective_clusters": clusters.effective,
        "largest_share": float(clusters.shares.max()),
        "df_clusters": clusters.number - 1,
        "df_satterthwaite": float(nu["satterthwaite"].flat[0]),
        "df_effective": to_python(nu["effective"]),
        "null_value": float(null),
        "correction": correction,
        "df_rule": df,
        "variance": to_python(se**2),
        "independent_standard_error": to_python(independent),
        "design_effect": to_python(design_effect),
        "effect_size": to_python(effect[0]),
        "effect_size_low": to_python(effect[1]),
        "effect_size_high": to_python(effect[2]),
        "effect_size_name": "Cohen's d_z",
        "cluster_sizes": clusters.sizes,
    }
    notes = clusters.notes() + _liberal(clusters, df, nu["joint"], t, alternative)
    if np.any(flat):
        notes += (
            "degenerate: no cluster sum differs from what the mean predicts, so there is no "
            "standard error; p is 1 where the mean equals the null value and nan elsewhere",
        )
    return as_result(
        method=method,
        question=question,
        estimate=mean,
        standard_error=se,
        statistic=t,
        df=nu[df],
        pvalue=p,
        ends=(low, high),
        confidence=confidence,
        alternative=alternative,
        degenerate=flat,
        details=MappingProxyType(details),
        notes=notes,
    )


def _tail(t: Floats, df: Floats, alternative: Alternative) -> Floats:
    if alternative == "two-sided":
        return np.asarray(np.minimum(2 * scipy.special.stdtr(df, -np.abs(t)), 1.0))
    return np.asarray(scipy.special.stdtr(df, t if alternative == "less" else -t))


def _limits(
    mean: Floats, se: Floats, df: Floats, alternative: Alternative, confidence: float, flat: Any
) -> tuple[Floats, Floats]:
    level = (1 + confidence) / 2 if alternative == "two-sided" else confidence
    half = np.where(flat, np.nan, scipy.special.stdtrit(df, level) * se)
    low = np.full(mean.shape, -np.inf) if alternative == "less" else mean - half
    high = np.full(mean.shape, np.inf) if alternative == "greater" else mean + half
    return np.where(flat, np.nan, low), np.where(flat, np.nan, high)


def _one_cluster(
    mean: Floats,
    nothing: NDArray[np.bool_],
    n: int,
    clusters: Clusters,
    null: float,
    alternative: Alternative,
    confidence: float,
    method: str,
    question: str,
) -> TestResult:
    nan = to_python(np.full(mean.shape, np.nan))
    return TestResult(
        method=method,
        question=question,
        estimate=to_python(np.where(nothing, null, mean)),
        standard_error=nan,
        statistic=nan,
        df=nan,
        pvalue=to_python(np.where(nothing, 1.0, np.nan)),
        ci_low=nan,
        ci_high=nan,
        confidence=confidence,
        alternative=alternative,
        degenerate=True if mean.ndim == 0 else np.ones(mean.shape, dtype=bool),
        details=MappingProxyType(
            {
                "n": n,
                "clusters": clusters.number,
                "effective_clusters": clusters.effective,
                "null_value": float(null),
            }
        ),
        notes=(
            *(clusters.notes() if clusters.number > 1 else ()),
            *((f"degenerate: {IDENTICAL}",) if nothing.any() else ()),
            *(() if nothing.all() else (ONE_CLUSTER,)),
        ),
    )
