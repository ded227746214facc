"""The sign-flip randomization test over clusters, with the interval that belongs to it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.seeds import Seed, freeze, generator
from ..numeric.checks import count
from ..numeric.input_alignment import refuse_other_index, refuse_other_precision
from ..numeric.rounding import ROUNDING, settled
from ._arrays import as_result, to_python
from ._clusters import Floats, difference, group
from .result import Alternative, TestResult, check_confidence

# numbers held at once while many trials are tested
CHUNK = 4_000_000
# equal sums may differ by rounding; they count as equal, which is conservative
TIE = 1e-12


@check_arguments
def sign_flip_test(
    a: ArrayLike,
    b: ArrayLike,
    clusters: ArrayLike | Iterable[Hashable],
    *,
    weights: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
    n_resamples: int = 9999,
    seed: Seed = 0,
    axis: int = -1,
) -> TestResult:
    """Test the mean paired difference a - b by flipping the signs of whole clusters.

    Use it for dependent paired differences with few or uneven clusters, where a t
    distribution is doubtful. It assumes that clusters are independent of each other and that
    each cluster's sum is as likely to be some value as its negative; it is then exact for any
    number of clusters. It does not see dependence between clusters, nor what another training
    set would change.

    Parameters
    ----------
    a, b : array_like of shape (..., n)
        Errors (or losses) of the two classifiers on the same observations, along `axis`; other
        axes are separate trials on the same clusters. `b` may be one number: 0 if `a` holds
        the differences.
    clusters : sequence of n hashable labels
        The cluster of each observation.
    weights : array_like of shape (n,), optional
        Positive weight of each observation.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger on average. Two-sided p is twice the smaller tail.
    confidence : float
        Level of the interval, one-sided for a one-sided alternative.
    n_resamples : int
        Random flips; all 2^G flips are taken instead where they are no more than one more
        than this.
    seed : int, SeedSequence or Generator
        Of the random flips, which are the same for all trials.
    axis : int
        The axis of the observations.

    Returns
    -------
    TestResult
        p is at least 1/2^G or 1/(1 + n_resamples). The interval is the set of mean differences
        that the test does not reject; an end is infinite where G is too small for the level.
        Where all clusters have one mean difference there is none. With one cluster p is 1/2 at
        best. Where all cluster sums are zero the result is degenerate with p = 1.

    Raises
    ------
    InputError
        For NaN or no values, weights that are not positive, missing or wrongly many labels,
        fewer than one flip.

    Notes
    -----
    With t_g the weighted sum and W_g the weight of cluster g, flipping the set F makes the
    statistic at null value θ as large as the observed one exactly if the mean over F,
    ``Σ_F t / Σ_F W``, is at most θ. So p as a function of θ is the distribution function of
    subset means, and its quantiles are the interval's ends (Hartigan's typical values).

    References
    ----------
    J. A. Hartigan (1969), JASA 64; I. A. Canay, J. P. Romano, A. M. Shaikh (2017),
    Econometrica 85.

    Examples
    --------
    >>> result = sign_flip_test([0.1, 0.3, 0.2, 0.1, 0.4, 0.2, 0.3], 0, list("aabcdef"))
    >>> result.pvalue, round(result.estimate, 4), result.details["exact"]
    (0.03125, 0.2286, True)
    """
    confidence = check_confidence(confidence)
    refuse_other_index(a=a, b=b, clusters=clusters, weights=weights)
    refuse_other_precision(a=a, b=b)
    y, largest = difference(a, b, axis)
    n_resamples = count("n_resamples", n_resamples)
    grouped = group(clusters, y.shape[-1], weights)
    g, frozen = grouped.number, freeze(seed)
    exact = g < 63 and 2**g <= n_resamples + 1
    draws = 2**g - 1 if exact else n_resamples
    # what rounding of a and b may leave in a sum
    dust = ROUNDING * largest * grouped.totals.sum()
    sums = settled(grouped.sums(y * grouped.weights), dust[..., None])
    total = settled(sums.sum(axis=-1), dust)
    estimate = total / grouped.totals.sum()
    level = (1 - confidence) / 2 if alternative == "two-sided" else 1 - confidence
    flat_sums, flat_dust = sums.reshape(-1, g), np.reshape(dust, (-1, 1))
    out = np.empty((4, flat_sums.shape[0]))
    step = max(1, CHUNK // draws)
    for start in range(0, flat_sums.shape[0], step):
        part = slice(start, start + step)
        out[:, part] = _tails_and_limits(
            flat_sums[part],
            flat_dust[part],
            grouped.totals,
            _flips(g, draws, None if exact else frozen),
            level,
        )
    greater, less, low, high = out.reshape(4, *sums.shape[:-1])
    p = {"greater": greater, "less": less}.get(
        alternative, np.minimum(1.0, 2 * np.minimum(greater, less))
    )
    low = np.full(p.shape, -np.inf) if alternative == "less" else low
    high = np.full(p.shape, np.inf) if alternative == "greater" else high
    still = (sums == 0).all(axis=-1)
    p = np.where(still, 1.0, p)
    # every subset has the mean of all clusters, which is no interval
    constant = np.ptp(sums / grouped.totals, axis=-1) <= ROUNDING * largest
    low, high = (np.where(constant, np.nan, end) for end in (low, high))
    effect = _in_standard_deviations(y, grouped.weights, np.stack((estimate, low, high)))
    notes = grouped.notes() if g > 1 else ("one cluster: the test cannot reject",)
    smallest = (1 if alternative != "two-sided" else 2) / (draws + 1)
    if g > 1 and smallest > 1 - confidence:
        notes += (
            f"{g} clusters give p = {smallest:g} at the smallest: the test cannot reject at the "
            f"level {1 - confidence:g}",
        )
    if np.any(still):
        notes += ("degenerate: every cluster sum is zero; p is 1",)
    if g > 1 and np.any(constant & ~still):
        notes += ("all clusters have one mean difference: no interval",)
    return as_result(
        method=f"sign-flip test over clusters ({'exact' if exact else 'Monte Carlo'})",
        question="Do A and B differ over clusters like these, the trained models as given?",
        estimate=estimate,
        standard_error=np.full(estimate.shape, np.nan),
        statistic=total,
        pvalue=p,
        ends=(low, high),
        confidence=confidence,
        alternative=alternative,
        degenerate=still,
        details=MappingProxyType(
            {
                "n": y.shape[-1],
                "clusters": g,
                "effective_clusters": grouped.effective,
                "largest_share": float(grouped.shares.max()),
                "exact": exact,
                "flips": draws + 1,
                "interval": "inversion of the test",
                "seed": None if exact else frozen,
                "effect_size": to_python(effect[0]),
                "effect_size_low": to_python(effect[1]),
                "effect_size_high": to_python(effect[2]),
                "effect_size_name": "Cohen's d_z",
                "cluster_sizes": grouped.sizes,
            }
        ),
        notes=notes,
    )


def _in_standard_deviations(y: Floats, weights: Floats, values: Floats) -> Floats:
    """Divide by the (weighted) standard deviation of an observation; NaN where it is 0."""
    n, total = y.shape[-1], weights.sum()
    residual = y - ((y * weights).sum(axis=-1) / total)[..., None]
    sd = np.sqrt((residual**2 * weights).sum(axis=-1) / total * (n / max(n - 1, 1)))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sd > 0, values / sd, np.nan)


def _flips(g: int, draws: int, seed: int | None) -> Iterator[Floats]:
    """Return sets of clusters, as rows of 0 and 1, in blocks: all but the empty set, or random."""
    rows = max(1, CHUNK // g)
    for start in range(0, draws, rows):
        count = min(rows, draws - start)
        if seed is None:
            index = np.arange(start + 1, start + count + 1, dtype=np.int64)
            yield ((index[:, None] >> np.arange(g)) & 1).astype(np.float64)
        else:
            random = generator(seed, start)
            yield random.integers(0, 2, size=(count, g), dtype=np.int8).astype(np.float64)


def _tails_and_limits(
    sums: Floats, dust: Floats, totals: Floats, flips: Iterable[Floats], level: float
) -> Floats:
    """Return p greater, p less, lower and upper limit of each trial (row of `sums`)."""
    both = np.vstack((sums, totals))
    columns = np.concatenate([both @ block.T for block in flips], axis=1)
    flipped, weight = columns[:-1], columns[-1]
    number = weight.size + 1
    tie = TIE * np.abs(sums).sum(axis=-1, keepdims=True) + dust
    greater = (1 + (flipped <= tie).sum(axis=-1)) / number
    less = (1 + (flipped >= -tie).sum(axis=-1)) / number
    # an empty set never contradicts any null value
    typical = np.sort(flipped[:, weight > 0] / weight[weight > 0], axis=-1)
    empty = weight.size - typical.shape[-1]
    # smallest rank r with (1 + empty + r) / number > level
    rank = max(int(np.floor(level * number * (1 + 1e-12))) - empty, 0)
    if rank == 0 or rank > typical.shape[-1]:
        low, high = np.full(len(sums), -np.inf), np.full(len(sums), np.inf)
    else:
        low, high = typical[:, rank - 1], typical[:, -rank]
    return np.stack((greater, less, low, high))
