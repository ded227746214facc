"""Average precision, with every common answer to tied scores, and its mean over queries."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ._check import Floats, choice, one_of_labels, scored, weighted
from .curves import threshold_counts

TieRule: TypeAlias = Literal["grouped", "input", "expected", "best", "worst"]


def _grouped(truth: NDArray[np.bool_], scores: Floats, weights: Floats) -> float:
    _, size, hits = threshold_counts(truth, scores, weights)
    return float(hits @ (hits.cumsum() / size.cumsum()) / hits.sum())


def _expected(truth: NDArray[np.bool_], scores: Floats) -> float:
    # Of a group of g with r positives, the member at place j is positive with probability r/g
    # and then has (j-1)(r-1)/(g-1) positives of its own group before it on average.
    _, size, hits = threshold_counts(truth, scores)
    copies = size.astype(np.int64)
    g, r = np.repeat(size, copies), np.repeat(hits, copies)
    before = np.repeat(hits.cumsum() - hits, copies)
    rank = np.arange(1, g.size + 1)
    place = rank - np.repeat(size.cumsum() - size, copies)
    inside = (place - 1) * (r - 1) / np.maximum(g - 1, 1)
    return float(((r / g) * (before + inside + 1) / rank).sum() / hits.sum())


@check_arguments
def average_precision(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    positive: Hashable | None = None,
    ties: TieRule = "grouped",
    weights: ArrayLike | None = None,
) -> float:
    """Compute the mean, over the positives, of the precision at their rank.

    Use it to sum up a ranking in which the top matters. It assumes that one order of all cases
    is wanted, and does not say how precision is at one threshold. It depends on the share of
    positives (a random ranking has about that share), so it cannot be compared across
    populations.

    Parameters
    ----------
    labels : array_like of shape (n,)
        Classes; 0/1, or any with `positive` given.
    scores : array_like of shape (n,)
        Higher means ranked earlier.
    positive : hashable, optional
        The positive class.
    ties : {"grouped", "input", "expected", "best", "worst"}
        Equal scores: share one threshold, ``Σ (R_k - R_{k-1}) P_k`` (scikit-learn); keep the
        order of the input; expectation over all their orders (McSherry & Najork 2008);
        positives first; positives last.
    weights : array_like of shape (n,), optional
        Non-negative weight of each observation, in the precision as in the mean; not with
        "expected", whose expectation holds for observations that count alike.

    Returns
    -------
    float
        NaN where there are no positives.

    Raises
    ------
    InputError
        For unequal lengths, missing labels, NaN scores, a `positive` that does not occur, an
        unknown rule, negative weights, or weights with "expected".

    References
    ----------
    F. McSherry, M. Najork (2008), Computing information retrieval performance measures
    efficiently in the presence of tied scores, ECIR.

    Examples
    --------
    >>> average_precision([1, 0, 1], [0.9, 0.5, 0.5])
    0.8333333333333333
    >>> average_precision([1, 0, 1], [0.9, 0.5, 0.5], ties="best")
    1.0
    """
    choice("ties", ties, get_args(TieRule))
    if ties == "expected" and weights is not None:
        raise InputError(
            "got weights with ties='expected', which counts every observation alike",
            parameter="weights",
            hint="use ties='grouped'",
        )
    return _average_precision(*weighted(labels, scores, positive, weights), ties)


def _average_precision(truth: NDArray[np.bool_], values: Floats, w: Floats, ties: TieRule) -> float:
    if not truth.any():
        return float("nan")
    if ties == "grouped":
        return _grouped(truth, values, w)
    if ties == "expected":
        return _expected(truth, values)
    second = {"input": np.arange(truth.size), "best": ~truth, "worst": truth}[ties]
    order = np.lexsort((second, -values))
    ordered, size = truth[order], w[order]
    precision = (size * ordered).cumsum() / size.cumsum()
    return float(precision[ordered] @ size[ordered] / size[ordered].sum())


@check_arguments
def mean_average_precision(
    queries: Sequence[tuple[ArrayLike, ArrayLike]],
    *,
    positive: Hashable | None = None,
    ties: TieRule = "grouped",
    without_positives: Literal["skip", "zero"] = "skip",
) -> float:
    """Compute the mean of the average precision over queries (MAP).

    Use it where each query (or class, or user) counts the same. It assumes independent queries,
    and does not say how the mean would vary over other queries: test the per-query values for
    that.

    Parameters
    ----------
    queries : sequence of (labels, scores)
        One pair per query, each as for `average_precision`.
    positive : hashable, optional
        The positive class.
    ties : {"grouped", "input", "expected", "best", "worst"}
        As for `average_precision`.
    without_positives : {"skip", "zero"}
        A query without positives has no average precision: leave it out, or count it as 0.

    Returns
    -------
    float
        NaN where no query counts.

    Raises
    ------
    InputError
        For no queries, a query that `average_precision` refuses (its place is named), or a
        `positive` that occurs in none.

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    >>> mean_average_precision([([1, 0], [2, 1]), ([0, 1], [2, 1]), ([0, 0], [2, 1])])
    0.75
    """
    choice("without_positives", without_positives, ("skip", "zero"))
    if not np.iterable(queries) or len(queries) == 0:
        raise InputError(
            parameter="queries", expected="at least one (labels, scores) pair", got="none"
        )
    choice("ties", ties, get_args(TieRule))
    values = np.empty(len(queries))
    present: set[Hashable] = set()
    for i, query in enumerate(queries):
        try:
            if isinstance(query, str) or not np.iterable(query) or len(query) != 2:
                raise InputError(expected="a pair (labels, scores)", got=shown(query))
            labels, scores = query
            truth, ranked = scored(labels, scores, positive, absent_allowed=True)
            values[i] = _average_precision(truth, ranked, np.ones(truth.size), ties)
            present.update(np.asarray(labels).tolist())
        except InputError as reason:
            raise InputError(f"query {i}: {reason}") from reason
    if positive is not None:
        one_of_labels(positive, present)
    if without_positives == "zero":
        return float(np.nan_to_num(values).mean())
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else float("nan")
