"""The mean of dependent observations on a graph: a variance by distance, and its reference."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..kernels.threads import one_blas_thread
from ..numeric.centering import deviations, from_origin
from ..numeric.checks import to_floats
from ..numeric.input_alignment import refuse_other_index
from ..numeric.magnitude import refuse_huge, refuse_tiny
from ..numeric.rounding import ROUNDING
from ._clusters import Floats, observations
from .clustered import _limits, _tail
from .result import Alternative, TestResult, check_confidence

__all__ = ["network_hac_df", "network_hac_test"]

Places = NDArray[np.int64]
MOST_STEPS = 200_000_000  # links followed in one search: a second or two
MOST_PAIRS = 20_000_000  # ordered pairs whose weights are kept: 240 MB
SIGNIFICANT = 2.0  # standard errors above zero at which a distance still has correlation
GAP = 2  # distances without correlation in a row that end the search
DENSE = 30  # observations up to which eigenvalues are found without iteration


class _Graph(NamedTuple):
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    nodes: Places


class _Reach(NamedTuple):
    """How far the correlation goes: distances with it, the greatest one used, pairs by distance."""

    correlated: int
    used: int
    pairs: NDArray[np.int64]
    correlation: Floats


@check_arguments
def network_hac_test(
    values: ArrayLike,
    graph: Any,
    *,
    nodes: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    r"""Test a mean of observations on the nodes of a graph that depend on their neighbors.

    Use it for differences of two models' errors on the nodes of one network, where no partition
    into groups is at hand. It assumes that dependence fades with the distance between nodes. It
    does not see dependence that reaches as far as the network itself, nor what another training set
    would change: predictions are taken as given.

    Parameters
    ----------
    values : array_like of shape (n,)
        One observation a node; their mean is tested against 0.
    graph : sparse array or array_like of shape (n_nodes, n_nodes)
        Links where it is not 0; direction and weights do not count.
    nodes : array_like of int, shape (n,), optional
        The node of each observation; by default node i has observation i.
    weights : array_like of shape (n,), optional
        Positive weight of each observation.
    alternative : {"two-sided", "less", "greater"}
        "greater": the mean is larger than 0.
    confidence : float
        Level of the interval, one-sided for a one-sided alternative.

    Returns
    -------
    TestResult
        ``details`` has the distances with correlation, the greatest distance used, the
        bandwidth, the small-sample factor, the correlation at each distance.

    Raises
    ------
    InputError
        For values that are not finite, nodes that repeat or do not exist, weights that are not
        positive, a graph that holds NaN or too many pairs of neighbors, or sizes whose squares
        cannot be represented.

    Notes
    -----
    With residuals :math:`u_i = w_i (y_i - \bar y)`, distances d_ij and W the sum of the weights

    .. math:: V = \sum_{ij} K_{ij} u_i u_j / W^2, \quad K_{ij} = \omega(d_{ij} / b)

    (Kojevnikov, Marmer and Song 2021, equation 3.2), with Parzen's kernel :math:`\omega` and no
    weight between components. *Bandwidth*: p is the greatest distance before two in a row at
    which the correlation of residuals is less than two standard errors (1 / square root of the
    pairs) above 0, at least 1; b = 2 p + 1 (the rule of Politis 2003 on distances). *Positive
    estimates*: K need not be positive semi-definite; V is not let fall below what independent
    nodes give, :math:`\sum u_i^2 / W^2`. *Small samples*: the residuals add up to 0, which makes V
    too small, the more the farther the kernel reaches. V is divided by its expectation, relative
    to the variance of the mean, for observations whose correlation is the kernel itself, and t
    has :math:`\mathrm{tr}(AK) / (\lambda(A) \lambda(K))` degrees of freedom, A being the matrix of
    the quadratic form V and :math:`\lambda` the largest eigenvalue. For groups of equal size in
    which all have distance 0 these are the factor G / (G - 1) and G - 1.

    References
    ----------
    D. Kojevnikov, V. Marmer, K. Song (2021), Limit theorems for network dependent random
    variables, Journal of Econometrics 222; D. N. Politis (2003), Adaptive bandwidth choice,
    Journal of Nonparametric Statistics 15; G. Imbens, M. Kolesár (2016), Robust standard errors
    in small samples, Review of Economics and Statistics 98 (degrees of freedom under a working
    model of the dependence).

    Examples
    --------
    >>> path = sp.diags_array([np.ones(39)], offsets=[1], shape=(40, 40)).tocsr()
    >>> y = np.repeat([1.0, -0.5, 0.5, 1.5, -1.0, 0.5, 1.0, -0.5], 5)
    >>> found = network_hac_test(y, path)
    >>> found.details["correlated_distances"], round(found.estimate, 4), round(found.pvalue, 2)
    (2, 0.3125, 0.27)
    """
    refuse_other_index(values=values, weights=weights)
    y = observations("values", values, -1)
    if y.ndim != 1:
        raise InputError(parameter="values", expected="one dimension", got=f"shape {y.shape}")
    w = _weights(weights, y.size)
    form = _graph(graph, nodes, y.size)
    largest = float(np.abs(y).max())
    refuse_tiny("values", largest)
    side, level = alternative, check_confidence(confidence)
    total = float(w.sum())
    origin, (less,) = from_origin(y)
    center = float(w @ less) / total
    mean, u = float(origin[0]) + center, w * (less - center)
    alone = float(u @ u) / total**2
    if y.size < 2 or np.sqrt(alone) <= ROUNDING * largest:
        return _flat(mean, y.size, largest, side, level)
    reach = _reach(form, u)
    bandwidth = 2 * reach.correlated + 1
    kernel = _kernel(form, reach, bandwidth)
    variance = float(u @ (kernel @ u)) / total**2
    factor, df = _small_sample(kernel, w, _start(u))
    notes = _notes(reach, bandwidth, variance < alone, factor)
    error = float(np.sqrt(max(variance, alone) * factor))
    t = mean / error
    low, high = _limits(np.array(mean), np.array(error), np.array(df), side, level, False)
    return TestResult(
        method="network HAC t-test",
        question="Is the mean over graphs like this 0, the predictions as given?",
        estimate=mean,
        standard_error=error,
        statistic=t,
        df=df,
        pvalue=float(_tail(np.array(t), np.array(df), side)),
        ci_low=float(low),
        ci_high=float(high),
        confidence=level,
        alternative=side,
        details=MappingProxyType(
            {
                "n": y.size,
                "correlated_distances": reach.correlated,
                "greatest_distance": reach.used,
                "bandwidth": bandwidth,
                "correlation": reach.correlation,
                "pairs": reach.pairs,
                "small_sample_factor": factor,
                "variance": variance,
                "variance_independent": alone,
            }
        ),
        notes=notes,
    )


def network_hac_df(
    graph: sp.csr_array,
    *,
    nodes: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    correlated: int = 1,
) -> float:
    """Return the degrees of freedom that `network_hac_test` has for a given reach of correlation.

    Use it to see, before there are any observations, whether the test can detect anything on a
    graph: where all nodes are a few links apart, hardly any degrees of freedom are left.

    Parameters
    ----------
    graph, nodes, weights
        As for `network_hac_test`; without `nodes` and `weights` every node is observed once.
    correlated : int
        Greatest distance at which observations are correlated; the bandwidth is twice that and 1.

    References
    ----------
    G. Imbens, M. Kolesár (2016), Robust standard errors in small samples, Review of Economics and
    Statistics 98.

    Examples
    --------
    >>> path = sp.diags_array([np.ones(39)], offsets=[1], shape=(40, 40)).tocsr()
    >>> round(network_hac_df(path), 1), round(network_hac_df(path, correlated=5), 1)
    (11.8, 2.8)
    """
    if weights is None:
        n = sp.csr_array(graph).shape[0] if nodes is None else np.asarray(nodes).size
    else:
        n = np.asarray(weights).size
    w, form, farthest = _weights(weights, n), _graph(graph, nodes, n), 2 * correlated
    pairs, _ = _sums(form, np.ones(n), farthest)
    if pairs.size <= farthest:
        raise _too_many(n)
    reach = _Reach(correlated, min(pairs.size - 1, farthest), pairs, np.zeros(pairs.size))
    kernel = _kernel(form, reach, farthest + 1)
    # the search for eigenvalues begins at what tells nodes apart: their places in the graph
    return _small_sample(kernel, w, _start(np.asarray(kernel.sum(axis=1)).ravel()))[1]


def reach_of_correlation(values: ArrayLike, graph: Any, *, nodes: ArrayLike | None = None) -> int:
    """Return over how many links observations are correlated, as `network_hac_test` finds it.

    Parameters
    ----------
    values, graph, nodes
        As for `network_hac_test`.

    Returns
    -------
    int
        At least 1; also where all values are the same.

    Examples
    --------
    >>> path = sp.diags_array([np.ones(39)], offsets=[1], shape=(40, 40)).tocsr()
    >>> reach_of_correlation(np.repeat([1.0, -0.5, 0.5, 1.5, -1.0, 0.5, 1.0, -0.5], 5), path)
    2
    """
    y = observations("values", values, -1)
    form = _graph(graph, nodes, y.size)
    u = deviations(y)
    return _reach(form, u).correlated if np.abs(u).max() > 0 else 1


def _weights(weights: ArrayLike | None, n: int) -> Floats:
    w = np.ones(n) if weights is None else to_floats("weights", weights, exact=False)
    if w.shape != (n,) or not (np.isfinite(w).all() and (w > 0).all()):
        raise InputError(
            parameter="weights", expected=f"{n} positive numbers", got=f"shape {w.shape}"
        )
    refuse_huge("weights", w)
    refuse_tiny("weights", w.max(initial=0.0))
    return w


def _graph(graph: sp.csr_array, nodes: ArrayLike | None, n: int) -> _Graph:
    try:
        matrix = sp.csr_array(graph)
    except (TypeError, ValueError) as error:
        raise InputError(
            parameter="graph",
            expected="a square matrix, sparse or dense",
            got=f"a {type(graph).__name__}",
            hint="network.adjacency() gives one",
        ) from error
    size = int(matrix.shape[0])
    if matrix.shape != (size, size):
        raise InputError(parameter="graph", expected="a square matrix", got=f"shape {matrix.shape}")
    places = np.arange(float(n)) if nodes is None else to_floats("nodes", nodes)
    whole = nodes is None or np.asarray(nodes).dtype.kind in "iu"
    if places.shape != (n,) or not whole:
        raise InputError(parameter="nodes", expected=f"{n} integers", got=f"shape {places.shape}")
    outside = places[(places < 0) | (places >= size)]
    if outside.size or np.unique(places).size < n:
        found = f"{outside[0]:g}" if outside.size else "some more than once"
        raise InputError(
            parameter="nodes",
            expected=f"different numbers from 0 to {size - 1}, one an observation",
            got=f"{found}",
            hint="give the row of the graph in which each observation stands",
        )
    if matrix.nnz > MOST_PAIRS:
        raise _too_many(n)
    unknown = int(np.count_nonzero(matrix.data != matrix.data))
    if unknown:
        raise InputError(
            parameter="graph",
            expected="a number for each link, and 0 or nothing where there is none",
            got=f"{unknown} entries that are NaN",
        )
    given = matrix.data != 0
    linked = sp.csr_array((given, matrix.indices, matrix.indptr), matrix.shape)
    if not given.all():
        linked = linked.copy()
        linked.eliminate_zeros()  # an entry that is there and 0 is no link
    turned = linked.T.tocsr()  # of columns in ascending order
    same = np.array_equal(linked.indices, turned.indices)
    same = same and np.array_equal(linked.indptr, turned.indptr)
    both = linked if same else sp.csr_array(linked + turned)
    return _Graph(
        both.indptr.astype(np.int64), both.indices.astype(np.int32), places.astype(np.int64)
    )


def _reach(graph: _Graph, u: Floats) -> _Reach:
    """Find how far residuals are correlated, and how far pairs can be used."""
    correlated, distance = 1, 1
    asked = 1 + GAP  # as far as is needed at least
    pairs, sums = _sums(graph, u, asked)
    while distance < pairs.size and pairs[distance] > 0:
        if _correlation(pairs, sums, u)[distance] * np.sqrt(pairs[distance] / 2) >= SIGNIFICANT:
            correlated = distance
        if distance - correlated >= GAP:
            break
        distance += 1
        if distance == pairs.size > asked:  # the bounds allow more
            asked = distance
            pairs, sums = _sums(graph, u, asked)
    farthest = 2 * correlated
    if farthest >= pairs.size > asked:
        pairs, sums = _sums(graph, u, farthest)
    used = min(pairs.size - 1, farthest)
    return _Reach(correlated, used, pairs, _correlation(pairs, sums, u))


def _correlation(pairs: NDArray[np.int64], sums: Floats, u: Floats) -> Floats:
    scale = float(u @ u) / u.size
    return np.asarray(sums / np.maximum(pairs, 1) / scale)


def _sums(graph: _Graph, u: Floats, depth: int) -> tuple[NDArray[np.int64], Floats]:
    """Count pairs and add up products by distance; as far as the bounds allow."""
    from ..kernels.rings import RingLimits, ring_sums

    pairs, sums = ring_sums(*graph, u, depth, RingLimits(MOST_STEPS, MOST_PAIRS))
    if pairs.size < 2:
        raise _too_many(u.size)
    return pairs, sums


def _too_many(n: int) -> InputError:
    return InputError(
        expected=f"at most {MOST_PAIRS:,} pairs of neighbors",
        got=f"more among {n} observations",
        hint="use a test by communities",
        where="network_hac_test",
    )


def _parzen(x: Floats) -> Floats:
    near = 1 - 6 * x**2 + 6 * x**3
    return np.where(x <= 0.5, near, 2 * np.maximum(1 - x, 0.0) ** 3)


def _kernel(graph: _Graph, reach: _Reach, bandwidth: int) -> sp.csr_array:
    from ..kernels.rings import ring_matrix

    weights = _parzen(np.arange(reach.used + 1) / bandwidth)
    n_pairs = int(reach.pairs[: reach.used + 1].sum())
    starts, columns, entries = ring_matrix(*graph, weights, n_pairs)
    n = graph.nodes.size
    return sp.csr_array((entries, columns, starts), shape=(n, n))


def _small_sample(kernel: sp.csr_array, w: Floats, start: Floats) -> tuple[float, float]:
    """Return the factor and the degrees of freedom for observations correlated as the kernel.

    The residuals are S P z with S = diag(sqrt w), P the projection off q = sqrt(w / W), and z of
    covariance K: V is z' A z / W^2 with A = P S K S P, and the mean has the variance s'Ks / W^2.
    `start` is where the search for eigenvalues begins.
    """
    s = np.sqrt(w)
    q = s / np.sqrt(w.sum())

    def scaled(x: Floats) -> Floats:
        return np.asarray(s * (kernel @ (s * x)))

    def form(x: Floats) -> Floats:
        x = np.ravel(x)
        y = scaled(x - q * (q @ x))
        return np.asarray(y - q * (q @ y))

    own, mixed = np.asarray(kernel @ q), scaled(q)
    squares = sp.csr_array((kernel.data**2, kernel.indices, kernel.indptr), kernel.shape)
    trace = float(s @ (squares @ s)) - 2 * float(own @ mixed) + float(q @ mixed) * float(q @ own)
    with one_blas_thread():
        largest = [_largest(apply, start) for apply in (form, kernel.dot)]
    df = trace / (largest[0] * largest[1])
    return float(s @ (kernel @ s)) / trace, max(df, 1.0)


def _start(u: Floats) -> Floats:
    """Return where a search for eigenvalues begins: from the data, so that neither a generator nor
    the order of the nodes counts, and with three values at least where there are two.

    Two values alone can make a constant, which the projection off the mean takes to zero.
    """
    scale = float(np.abs(u).max())
    return np.asarray(np.exp(u / scale) + (u / scale) ** 2)


def _largest(apply: Callable[[Floats], Floats], start: Floats) -> float:
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh  # slow to import

    operator = LinearOperator((start.size, start.size), matvec=apply, dtype=np.float64)
    if start.size <= DENSE:
        return float(np.linalg.eigvalsh(operator @ np.eye(start.size))[-1])
    try:
        # the tolerance is the residual's: the eigenvalue's error is of the size of its square
        found = eigsh(operator, k=1, which="LA", v0=start, tol=1e-6, return_eigenvectors=False)
    except ArpackError as error:
        raise InputError(
            expected="a kernel whose largest eigenvalue can be found",
            got=f"another ({error})",
            hint="use a test by communities",
            where="network_hac_test",
        ) from error
    return float(found[0])


def _notes(reach: _Reach, bandwidth: int, raised: bool, factor: float) -> tuple[str, ...]:
    found = []
    if reach.used < bandwidth - 1:
        found.append(
            f"the network has too many pairs of nodes farther apart than {reach.used} links: "
            "dependence beyond that is left out"
        )
    if raised:
        found.append(
            "the dependence found is negative; the standard error is that of independent nodes, "
            f"times {factor**0.5:.3g} for small samples"
        )
    return tuple(found)


def _flat(
    mean: float, n: int, largest: float, alternative: Alternative, confidence: float
) -> TestResult:
    nan = float("nan")
    none = abs(mean) <= ROUNDING * largest
    return TestResult(
        method="network HAC t-test",
        question="Is the mean over graphs like this 0, the predictions as given?",
        estimate=mean,
        standard_error=nan if n < 2 else 0.0,
        statistic=nan,
        df=nan,
        pvalue=1.0 if none else nan,
        ci_low=nan,
        ci_high=nan,
        confidence=confidence,
        alternative=alternative,
        degenerate=True,
        details=MappingProxyType({"n": n}),
        notes=(
            "degenerate: one observation has no spread, which takes at least two"
            if n < 2 and not none
            else "degenerate: all observations are the same but for rounding, so there is no "
            "standard error",
        ),
    )
