"""Means of observations on pairs of nodes, which depend on each other through a shared node."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.threads import one_blas_thread
from ..numeric.rounding import ROUNDING
from .clustered import _limits, _tail
from .result import TestResult

Floats = NDArray[np.float64]
Places = NDArray[np.integer[Any]]
QUESTION = "Is the mean over pairs of other nodes like these 0, the predictions as given?"
REPLICATES = 1999
CHUNK = 2_000_000  # numbers of draws that are kept at once


class Totals(NamedTuple):
    """Weighted deviations from the mean, pair by pair and summed at the nodes."""

    mean: float  # the weighted mean over the pairs
    pairs: Floats  # shape (n_pairs,): weight times deviation of each pair
    nodes: Floats  # shape (n_nodes,): their sums over the pairs of each node that has any
    weights: Floats  # shape (n_nodes,): the weights of the pairs of each of these nodes
    total: float  # the weight of all pairs

    @classmethod
    def of(cls, values: Floats, ends: Places, weights: Floats) -> Totals:
        """Sum up; `ends` has the two nodes of each pair, shape (n_pairs, 2)."""
        total = float(weights.sum())
        mean = float(weights @ values) / total
        pairs = weights * (values - mean)
        first, second = ends.T
        n = int(ends.max()) + 1
        nodes, at = (
            np.asarray(np.bincount(first, each, n) + np.bincount(second, each, n), dtype=np.float64)
            for each in (pairs, weights)
        )
        return cls(mean, pairs, nodes[at > 0], at[at > 0], total)

    @property
    def effective(self) -> float:
        """Number of nodes with pairs of equal weight that would weigh as these do."""
        squares = self.weights**2
        return float(squares.sum() ** 2 / (squares**2).sum())

    @property
    def left_out(self) -> Floats:
        """How far the mean moves where a node is left out with all its pairs.

        0 where no pair is left.
        """
        rest = self.total - self.weights
        some = rest > ROUNDING * self.total
        return np.where(some, -self.nodes / np.where(some, rest, 1.0), 0.0)


def node_jackknife_test(
    values: Floats, ends: Places, weights: Floats, confidence: float
) -> TestResult:
    """Test a mean over pairs by leaving out one node at a time, with all its pairs.

    With D_i how far the mean moves without node i, the variance is (n - 1) / n times the sum of the
    squared D_i about their mean. On average it is not too small, up to terms of higher order, for
    statistics of exchangeable nodes (Efron and Stein 1981; Lin, Lunde and Sarkar 2020): what pairs
    have of their own counts twice, once at either end. t has as many degrees of freedom as nodes,
    less one, would weigh equally: (sum of w_i^2)^2 / (sum of w_i^4), w_i the weight of the pairs of
    node i.
    """
    found = Totals.of(values, ends, weights)
    moved, n = found.left_out, found.nodes.size
    variance = (n - 1) / n * float(((moved - moved.mean()) ** 2).sum())
    return _t_test("node jackknife t-test", found, values, variance, confidence)


def dyadic_robust_test(
    values: Floats, ends: Places, weights: Floats, confidence: float
) -> TestResult:
    """Test a mean over pairs by the variance of all products of pairs that share a node.

    With u_e the weighted deviations and S_i their sums at the nodes, the sum of u_e u_f over pairs
    e and f that share a node is sum S_i^2 - sum u_e^2, since e with itself shares two (Fafchamps
    and Gubert 2007; Aronow, Samii and Assenova 2015). It need not be positive, and is not let fall
    below what independent pairs give, sum u_e^2. Degrees of freedom as in `node_jackknife_test`.
    """
    found = Totals.of(values, ends, weights)
    alone = float(found.pairs @ found.pairs)
    shared = float(found.nodes @ found.nodes) - alone
    variance = max(shared, alone) / found.total**2
    return _t_test("dyadic cluster-robust t-test", found, values, variance, confidence)


def block_bootstrap_test(
    values: Floats,
    ends: Places,
    weights: Floats,
    blocks: Places,
    confidence: float,
    seed: int,
) -> TestResult:
    """Test a mean over pairs by drawing blocks of nodes with replacement.

    A pair counts as often as the block of its first node was drawn times that of its second, and
    where both are of one block as often as that was drawn (Snijders and Borgatti 1999 for single
    nodes). `blocks` has the block of each end, shape (n_pairs, 2). The standard error is that of
    the sums of weighted deviations over the draws, by the weight of all pairs as they are (a draw
    of small blocks has next to no pairs to divide by), times the square root of B / (B - 1) for B
    blocks; t has one degree of freedom less than there are blocks that would weigh equally.
    """
    found = Totals.of(values, ends, weights)
    _, place = np.unique(blocks, return_inverse=True)
    low, high = np.sort(place.reshape(blocks.shape), axis=1).T
    b = int(place.max()) + 1
    name = "node-block bootstrap t-test"
    if b < 2:
        return _missing(name, found.mean, values.size, confidence, "one block of nodes")
    low, high, order = _in_order(low, high, found.pairs, b)
    at = np.bincount(np.concatenate([low, high]), np.tile(weights, 2), minlength=b)
    rng = np.random.default_rng(seed)
    drawn = np.empty(REPLICATES)
    step = max(1, CHUNK // max(b, order.size))
    with one_blas_thread():  # so that sums are the same bits anywhere
        for start in range(0, REPLICATES, step):
            size = min(step, REPLICATES - start)
            times = rng.multinomial(b, np.full(b, 1 / b), size=size).astype(np.float64)
            drawn[start : start + size] = _drawn_sum(times, low, high, found.pairs, b) / found.total
    variance = float(drawn.var(ddof=1)) * b / (b - 1)
    effective = float(at.sum() ** 2 / (at @ at))
    return _t_test(name, found, values, variance, confidence, effective)


def cluster_ends_test(
    values: Floats, ends: Places, weights: Floats, blocks: Places, confidence: float
) -> TestResult:
    """Test a mean over pairs by sums over the pairs of each block of nodes.

    With S_b the sum of the weighted deviations of all pairs with a node in block b, those with both
    counted once, the variance is the sum of the S_b^2. Pairs may depend on each other in any way
    that have nodes of one block. What pairs of two blocks have in common counts twice, as in
    `node_jackknife_test`, so that the sum is never negative and rather too large (Davezies,
    D'Haultfoeuille and Guyonvarch 2021). With n blocks that would weigh equally it is multiplied
    by n / (n - 1), and t has n - 1 degrees of freedom.
    """
    found = Totals.of(values, ends, weights)
    sums, effective = block_sums(found, weights, blocks)
    name = "cluster-robust t-test over both ends"
    if effective <= 1:
        return _missing(name, found.mean, values.size, confidence, "one block of nodes")
    variance = float(sums @ sums) / found.total**2 * effective / (effective - 1)
    return _t_test(name, found, values, variance, confidence, effective)


def block_sums(found: Totals, weights: Floats, blocks: Places) -> tuple[Floats, float]:
    """Return the sum over the pairs of each block, and how many blocks would weigh equally."""
    _, place = np.unique(blocks, return_inverse=True)
    first, second = place.reshape(blocks.shape).T
    b = int(place.max()) + 1
    other = np.where(first == second, 0.0, found.pairs)  # within a block a pair counts once
    sums = np.bincount(first, found.pairs, b) + np.bincount(second, other, b)
    at = np.bincount(first, weights, b) + np.bincount(second, weights, b)
    return np.asarray(sums, dtype=np.float64), float(at.sum() ** 2 / (at @ at))


def _in_order(low: Places, high: Places, sums: Floats, b: int) -> tuple[Places, Places, Places]:
    """Number the blocks by their sizes and sums, so that their names do not change the draws."""
    both, twice = np.concatenate([low, high]), np.tile(sums, 2)
    total = np.abs(np.bincount(both, twice, minlength=b))
    order = np.lexsort((np.round(total, 9), np.bincount(both, minlength=b)))
    rank = np.empty(b, dtype=np.intp)
    rank[order] = np.arange(b)
    return rank[low], rank[high], order


def _drawn_sum(times: Floats, low: Places, high: Places, each: Floats, b: int) -> Floats:
    """Return the sum over pairs for every draw of blocks."""
    inside = low == high
    within = np.bincount(low[inside], each[inside], minlength=b)
    if b * b <= CHUNK:
        key = low[~inside].astype(np.int64) * b + high[~inside]
        between = np.bincount(key, each[~inside], minlength=b * b).reshape(b, b)
        return np.asarray(times @ within + ((times @ between) * times).sum(axis=1))
    counts = times[:, low[~inside]] * times[:, high[~inside]]
    return np.asarray(times @ within + counts @ each[~inside])


def _t_test(
    method: str,
    found: Totals,
    values: Floats,
    variance: float,
    confidence: float,
    effective: float | None = None,
) -> TestResult:
    largest = float(np.abs(values).max())
    effective = found.effective if effective is None else effective
    if not np.sqrt(variance) > ROUNDING * largest:
        return _missing(method, found.mean, values.size, confidence, "", largest)
    error, df = float(np.sqrt(variance)), max(effective - 1, 1.0)
    t = found.mean / error
    low, high = _limits(
        np.array(found.mean), np.array(error), np.array(df), "two-sided", confidence, False
    )
    return TestResult(
        method=method,
        question=QUESTION,
        estimate=found.mean,
        standard_error=error,
        statistic=t,
        df=df,
        pvalue=float(_tail(np.array(t), np.array(df), "two-sided")),
        ci_low=float(low),
        ci_high=float(high),
        confidence=confidence,
        alternative="two-sided",
        details=MappingProxyType(
            {"pairs": values.size, "nodes": found.nodes.size, "effective_number": effective}
        ),
    )


def _missing(
    method: str, mean: float, n: int, confidence: float, why: str, largest: float = 0.0
) -> TestResult:
    """Return a test without answer; with p = 1 where no pair tells the two apart at all."""
    nan, none = float("nan"), not why and abs(mean) <= ROUNDING * largest
    return TestResult(
        method=method,
        question=QUESTION,
        estimate=mean,
        standard_error=nan if why else 0.0,
        statistic=0.0 if none else nan,
        df=nan,
        pvalue=1.0 if none else nan,
        ci_low=nan,
        ci_high=nan,
        confidence=confidence,
        alternative="two-sided",
        degenerate=True,
        details=MappingProxyType({"pairs": n}),
        notes=(
            f"degenerate: {why or 'no pair differs from the others'}, so there is no standard "
            "error",
        ),
    )
