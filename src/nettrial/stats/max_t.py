"""Single-step max-t: intervals and p-values of many differences that hold together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.seeds import Seed, freeze, generator
from ..numeric.centering import from_origin
from ..numeric.checks import to_floats
from ..numeric.input_alignment import along_columns, refuse_other_index
from ..numeric.magnitude import refuse_huge, refuse_tiny
from ._clusters import ONE_CLUSTER
from .comparisons import Comparisons, text_names
from .contributions import Contributions
from .multiplicity import adjust_known
from .omnibus import Floats
from .result import check_confidence

# directions are drawn in blocks until no adjusted p-value has a larger standard error
ERROR = 0.0005
BLOCK = 8_192
LEAST_BLOCKS, MOST_BLOCKS = 16, 256
N_BINS = 128
MOST_DF, DEGREE = 64, 20  # different df whose critical values are solved one by one
RANK = 1e-10  # eigenvalues below this part of the largest are rounding
QUESTION = "do the two differ, when all pairs of the family are looked at together?"


@check_arguments
def max_t_comparisons(
    estimate: ArrayLike,
    covariance: ArrayLike,
    *,
    first: Sequence[str],
    second: Sequence[str],
    df: ArrayLike | None = None,
    confidence: float = 0.95,
    seed: Seed = 0,
) -> Comparisons:
    r"""Adjust many correlated differences for their number by the single-step max-t procedure.

    When to use it: estimates with a joint covariance matrix, such as all pairs of models on the
    same network, and the wish that no interval of the family misses. It uses the correlation of
    the estimates, so that it costs less than Bonferroni. It assumes that the estimates are about
    normal and that the covariance matrix is that of a Wishart matrix with `df` degrees of
    freedom. It does *not* make a poor standard error better.

    Parameters
    ----------
    estimate : array_like, shape (n_pairs,)
        First minus second.
    covariance : array_like, shape (n_pairs, n_pairs)
        Of the estimates; it may be singular, as for all pairs it is.
    first, second : sequence of str, length n_pairs
        Names of what is compared.
    df : array_like, scalar or shape (n_pairs,), optional
        Degrees of freedom; where they differ, each pair is judged with its own. None: normal.
    confidence : float
        Level at which all intervals hold together.
    seed : int, SeedSequence or Generator
        Of the directions of integration.

    Returns
    -------
    Comparisons
        With t the statistics, R their correlation matrix of rank r and L L' = R, the adjusted
        p-value is :math:`P(\max_i |T_i| \ge |t_j|)` for the multivariate T of correlation R.
        Since :math:`T = \sqrt{r F} L U` with U uniform on the sphere and F distributed as
        :math:`F_{r, df}`, it is the mean over directions of
        :math:`P(F \ge t_j^2 / (r \max_i (L U)_i^2))`; the intervals are
        :math:`d_j \pm c_j s_j` with the c_j that make it 1 - confidence. ``details`` has
        `holm_pvalue`, Holm's adjustment of the same p-values, `critical_value`, and
        `monte_carlo_error`, the standard error of each adjusted p-value over the directions
        drawn; 130,000 to 2,100,000 are, until it is at most 0.0005.
        A pair without spread has p = 1 where its estimate is 0, else NaN, and is not in the
        family.

    Raises
    ------
    InputError
        For shapes that do not match, a matrix that is no covariance, or df that are not positive.

    References
    ----------
    Hothorn, Bretz and Westfall (2008), Biometrical Journal 50, 346-363, section 3. Hasler and
    Hothorn (2008), Biometrical Journal 50, 793-800, for degrees of freedom that differ.

    Examples
    --------
    >>> found = max_t_comparisons([3.0, 1.0, -2.0], [[2, 1, -1], [1, 2, 1], [-1, 1, 2]],
    ...     first=["a", "a", "b"], second=["b", "c", "c"], df=20)
    >>> found.pvalue.round(3).tolist(), found.adjusted_pvalue.round(2).tolist()
    ([0.047, 0.488, 0.173], [0.11, 0.76, 0.35])
    """
    check_confidence(confidence)
    entropy = freeze(seed)
    across = {"columns of covariance": along_columns(covariance)}
    refuse_other_index(estimate=estimate, covariance=covariance, df=df, **across)
    first, second = text_names("first", first), text_names("second", second)
    d, sigma, nu = _checked(estimate, covariance, df, len(first), len(second))
    se = np.sqrt(np.diag(sigma))
    live = se > 0
    nothing = np.where(np.isnan(se), np.nan, np.where(d == 0, 1.0, np.nan))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(live, d / se, np.nan)
    alone, adjusted = nothing.copy(), nothing.copy()
    uncertain = np.where(np.isnan(nothing), np.nan, 0.0)
    critical = np.full(d.size, np.nan)
    if live.any():
        scale = se[live]
        correlation = sigma[np.ix_(live, live)] / np.outer(scale, scale)
        reach, tails, uncertain[live] = _integrate(correlation, np.abs(t[live]), nu[live], entropy)
        alone[live] = _two_sided(t[live], nu[live])
        adjusted[live] = np.clip(np.maximum(tails, alone[live]), 0.0, 1.0)
        critical[live] = reach.criticals(1 - confidence, nu[live])
    return Comparisons(
        method="single-step max-t",
        question=QUESTION,
        first=first,
        second=second,
        estimate=d,
        standard_error=se,
        statistic=t,
        df=None if df is None else nu,
        pvalue=alone,
        adjusted_pvalue=adjusted,
        ci_low=d - critical * se,
        ci_high=d + critical * se,
        confidence=confidence,
        adjustment="single-step max-t",
        interval="simultaneous",
        degenerate=~live,
        details=MappingProxyType(
            {
                "critical_value": critical,
                "holm_pvalue": adjust_known(alone, "holm"),
                "monte_carlo_error": uncertain,
            }
        ),
        notes=_notes(se),
    )


@check_arguments
def contribution_comparisons(
    contributions: Contributions,
    *,
    first: Sequence[str],
    second: Sequence[str],
    confidence: float = 0.95,
    seed: Seed = 0,
) -> Comparisons:
    """Apply `max_t_comparisons` to the contributions of clusters, with `common_df`.

    When to use it: many differences over the same observations, which depend on each other
    inside clusters. It assumes what `cluster_contributions` and `max_t_comparisons` do; few or
    uneven clusters make it rough. It does *not* see what other training sets would change.

    Parameters
    ----------
    contributions : Contributions
        One contrast a pair.
    first, second, confidence, seed
        As for `max_t_comparisons`.

    References
    ----------
    Hothorn, Bretz and Westfall (2008), Biometrical Journal 50, 346-363. Liang and Zeger
    (1986), Biometrika 73, 13-22, for the covariance.

    Examples
    --------
    >>> from nettrial.stats import cluster_contributions
    >>> parts = cluster_contributions([[0, 1, 1, 0, 1, 0], [1, 1, 1, 0, 1, 0]], list("aabbcc"))
    >>> found = contribution_comparisons(parts, first=["x", "y"], second=["0", "0"])
    >>> found.estimate.round(3).tolist(), found.df.round(2).tolist()
    ([0.5, 0.667], [2.0, 2.0])
    """
    found = max_t_comparisons(
        contributions.estimate,
        contributions.covariance,
        first=first,
        second=second,
        df=contributions.common_df,
        confidence=confidence,
        seed=seed,
    )
    return replace(found, notes=contributions.notes + found.notes)


@check_arguments
def replicate_comparisons(
    estimate: ArrayLike,
    replicates: ArrayLike,
    *,
    first: Sequence[str],
    second: Sequence[str],
    standard_error: ArrayLike | None = None,
    df: ArrayLike | None = None,
    confidence: float = 0.95,
    seed: Seed = 0,
) -> Comparisons:
    """Apply `max_t_comparisons` to replicates of all differences, as a bootstrap gives them.

    When to use it: a bootstrap ran all models on every replicate, so that its replicates vary
    together as the differences do. It assumes that they vary as the differences would over
    other networks, about normally. It does *not* correct a bias of the replicates.

    Parameters
    ----------
    estimate : array_like, shape (n_pairs,)
        The differences themselves.
    replicates : array_like, shape (n_replicates, n_pairs)
        The same differences on each replicate; their covariance matrix is used.
    standard_error : array_like, shape (n_pairs,), optional
        Standard errors that are better than those of the replicates, which then give the
        correlation alone; a pair whose replicates do not vary is taken as uncorrelated.
    df : array_like, optional
        Degrees of freedom; n_replicates - 1 if left out.
    first, second, confidence, seed
        As for `max_t_comparisons`.

    Raises
    ------
    InputError
        For fewer than two replicates or values that are not finite.

    References
    ----------
    Hothorn, Bretz and Westfall (2008), Biometrical Journal 50, 346-363.

    Examples
    --------
    >>> draws = np.random.default_rng(0).normal([0.02, 0.05], 0.01, size=(60, 2))
    >>> found = replicate_comparisons([0.02, 0.05], draws, first=["a", "a"], second=["b", "c"])
    >>> bool(found.adjusted_pvalue[1] < 0.001 < found.adjusted_pvalue[0])
    True
    """
    across = {"columns of replicates": along_columns(replicates)}
    refuse_other_index(estimate=estimate, **across, standard_error=standard_error, df=df)
    table = to_floats("replicates", replicates)
    if table.ndim != 2 or len(table) < 2 or not np.isfinite(table).all():
        raise InputError(
            parameter="replicates",
            expected="at least two rows of finite numbers",
            got=f"shape {table.shape}",
        )
    refuse_huge("replicates", table)
    covariance = np.atleast_2d(np.cov(from_origin(table, axis=0)[1][0], rowvar=False))
    if standard_error is not None:
        covariance = _scaled(covariance, to_floats("standard_error", standard_error))
    return max_t_comparisons(
        estimate,
        covariance,
        first=first,
        second=second,
        df=len(table) - 1 if df is None else df,
        confidence=confidence,
        seed=seed,
    )


def _scaled(covariance: Floats, standard_error: Floats) -> Floats:
    """Return the covariance matrix of the same correlation with other standard errors."""
    variance = np.diag(covariance)
    bad = not np.isfinite(standard_error).all() or (standard_error < 0).any()
    if standard_error.shape != variance.shape or bad:
        raise InputError(
            parameter="standard_error",
            expected=f"{variance.size} finite numbers of 0 or more",
            got=f"{standard_error}",
        )
    return correlation_of(covariance) * np.outer(standard_error, standard_error)


def correlation_of(covariance: Floats) -> Floats:
    """Turn a covariance matrix into one of correlations; what does not vary is uncorrelated."""
    variance = np.diag(covariance)
    # what varies by rounding alone does not vary
    still = ~(variance > 1e-24 * np.nanmax(variance, initial=0.0))
    scale = np.sqrt(np.where(still, 1.0, variance))
    found = np.where(still[:, None] | still, 0.0, covariance / np.outer(scale, scale))
    np.fill_diagonal(found, 1.0)
    return np.asarray(found)


def _checked(
    estimate: ArrayLike, covariance: ArrayLike, df: ArrayLike | None, *lengths: int
) -> tuple[Floats, Floats, Floats]:
    d, sigma = to_floats("estimate", estimate), to_floats("covariance", covariance)
    refuse_huge("estimate", d)
    if d.ndim != 1 or d.size == 0 or sigma.shape != (d.size, d.size) or set(lengths) != {d.size}:
        raise InputError(
            parameter=("estimate", "covariance"),
            expected="one estimate, row, column and name a pair",
            got=f"shapes {d.shape} and {sigma.shape} and {' and '.join(map(str, lengths))} names",
        )
    # one cluster gives no covariance at all, which is not an error
    if not np.isfinite(d).all() or np.isfinite(sigma).any() > np.isfinite(sigma).all():
        raise InputError(
            parameter=("estimate", "covariance"),
            expected="finite values",
            got="NaN or infinite ones",
        )
    refuse_tiny("covariance", np.diag(sigma))
    rounding = 1e-10 * np.abs(np.diag(sigma)).max()
    skew = np.abs(sigma - sigma.T)
    if (np.diag(sigma) < 0).any() or (skew > rounding).any():
        raise InputError(
            parameter="covariance",
            expected="a symmetric matrix without negative variances",
            got=f"{np.diag(sigma).min():g} as the smallest variance and entries up to "
            f"{skew.max():g} from their mirror images",
            hint="give the covariance of the estimates",
        )
    given = np.array(np.inf) if df is None else to_floats("df", df)
    if given.shape not in ((), d.shape):
        raise InputError(
            parameter="df", expected="one number or one per pair", got=f"shape {given.shape}"
        )
    nu = np.broadcast_to(given, d.shape)
    if not (nu[np.diag(sigma) > 0] > 0).all():
        raise InputError(parameter="df", expected="positive numbers", got=shown(df))
    return d, sigma, np.asarray(nu)


def _notes(se: Floats) -> tuple[str, ...]:
    if np.isnan(se).any():
        return (ONE_CLUSTER,)
    steady = int((se == 0).sum())
    if steady == 0:
        return ()
    pairs = "1 pair does not vary at all and is"
    if steady > 1:
        pairs = f"{steady} pairs do not vary at all and are"
    return (f"{pairs} not in the family",)


def _two_sided(t: Floats, df: Floats) -> Floats:
    return np.asarray(2 * scipy.special.stdtr(df, -np.abs(t)))


class _Reach:
    """Distribution of max |T| as a mixture over directions of the sphere."""

    def __init__(self, rank: int, blocks: list[Floats]) -> None:
        self.rank = rank
        # max_i (L U)_i^2 in blocks of directions, each as means of equally probable bins
        self.squares = np.array(blocks)

    def tail(self, t: float, df: float) -> Floats:
        """Return P(max |T| >= t) by block."""
        with np.errstate(divide="ignore"):
            x = t**2 / self.squares
        if np.isinf(df):
            return np.asarray(scipy.special.chdtrc(self.rank, x).mean(axis=1))
        return np.asarray(scipy.special.fdtrc(self.rank, df, x / self.rank).mean(axis=1))

    def critical(self, level: float, df: float) -> float:
        from scipy import optimize  # slow to import

        def gap(c: float) -> float:
            return float(np.log(self.tail(np.exp(c), df).mean() / level))

        high = 1.0
        while gap(high) > 0:
            high += 1.0
        return float(np.exp(optimize.brentq(gap, -20.0, high, xtol=1e-10)))

    def criticals(self, level: float, df: Floats) -> Floats:
        """Return `critical` for each of several df; of many the logarithm as a polynomial of 1/df.

        Its error is below that of the directions by far.
        """
        different, place = np.unique(df, return_inverse=True)
        if different.size <= MOST_DF:
            return np.array([self.critical(level, v) for v in different])[place]

        def logarithm(inverse: Floats) -> Floats:
            return np.log([self.critical(level, 1 / each) for each in inverse])

        ends = [1 / different[-1], 1 / different[0]]
        fitted = np.polynomial.Chebyshev.interpolate(logarithm, DEGREE, domain=ends)
        return np.asarray(np.exp(fitted(1 / df)))


def _integrate(
    correlation: Floats, t: Floats, df: Floats, entropy: int
) -> tuple[_Reach, Floats, Floats]:
    """Draw directions until every P(max |T| >= t) is known; return it with its standard error."""
    root = _root(correlation)
    rank = root.shape[1]
    if rank == 1:
        reach = _Reach(1, [np.ones(1)])
        return reach, _two_sided(t, df), np.zeros(t.size)
    blocks: list[Floats] = []
    while True:
        added = range(len(blocks), max(LEAST_BLOCKS, 2 * len(blocks)))
        blocks += [_farthest(root, generator(entropy, block)) for block in added]
        reach = _Reach(rank, blocks)
        tails = np.array([reach.tail(x, v) for x, v in zip(t, df)])
        error = tails.std(axis=1, ddof=1) / np.sqrt(len(blocks))
        if error.max() <= ERROR or len(blocks) >= MOST_BLOCKS:
            return reach, tails.mean(axis=1), error


def _root(correlation: Floats) -> Floats:
    values, vectors = np.linalg.eigh(correlation)
    if values[0] < -1e-6 * values[-1]:
        raise InputError(parameter="covariance", expected="no negative eigenvalues", got="some")
    kept = values > RANK * values[-1]
    return np.asarray(vectors[:, kept] * np.sqrt(values[kept]))


def _farthest(root: Floats, rng: np.random.Generator) -> Floats:
    """Return bins of max_i (L U)_i^2 over a block of random directions U."""
    largest = np.empty(BLOCK)
    for start in range(0, BLOCK, BLOCK // 16):  # a part at a time stays in the cache
        part = slice(start, start + BLOCK // 16)
        directions = rng.standard_normal((BLOCK // 16, root.shape[1]))
        directions /= np.sqrt((directions**2).sum(axis=1, keepdims=True))
        reached = directions @ root.T
        largest[part] = np.maximum(reached.max(axis=1), -reached.min(axis=1))
    return np.asarray(np.sort(largest**2).reshape(N_BINS, -1).mean(axis=1))
