"""DeLong's comparison of the AUCs of several scorings of the same observations."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.seeds import Seed
from ..metrics._check import Floats, binary, numbers, same_length
from ..metrics._placement_sums import summed_at_once
from ..numeric.input_alignment import refuse_other_index
from ..numeric.ranks import doubled_placements
from ._names import Table, keep_names
from .comparisons import Comparisons, all_pairs, by_name, pair_names, read_names
from .max_t import max_t_comparisons
from .omnibus import OmnibusResult
from .result import check_confidence

RANK = 1e-10  # eigenvalues below this part of the largest are rounding
IDENTICAL = (
    "degenerate: the scorings rank alike throughout, so nothing speaks against equality (p = 1)"
)
NO_SPREAD = (
    "degenerate: some AUCs differ without any variation of their difference, so that chi-square "
    "has no value; look at the pairs"
)


class _Areas(NamedTuple):
    """AUCs and DeLong's covariance matrix of them."""

    areas: Floats
    covariance: Floats
    positives: int
    negatives: int


def _areas(labels: ArrayLike, scores: Table, positive: Hashable | None) -> _Areas:
    truth = binary(labels, positive)
    refuse_other_index(labels=labels, scores=scores)
    table = numbers("scores", scores, infinite=True)
    if table.ndim != 2 or table.shape[1] < 2:
        raise InputError(
            parameter="scores",
            expected="a table of one row per observation and at least two columns, one a scoring",
            got=f"shape {table.shape}",
        )
    same_length("labels", truth.size, "rows of scores", table.shape[0])
    m, n = int(truth.sum()), int((~truth).sum())
    if min(m, n) < 2:
        raise InputError(
            parameter="labels",
            expected="at least two positives and two negatives",
            got=f"{m} and {n}",
            hint="without them the AUCs have no variance",
        )
    placed = doubled_placements(truth, table.T)
    above, below = placed[:, truth], placed[:, ~truth]
    pairs = 2 * m * n  # which the placements of a class are parts of
    covariance = (_spreads(above) / (m - 1) + _spreads(below) / (n - 1)) / float(pairs**2)
    return _Areas(above.sum(axis=-1, dtype=np.int64) / pairs, covariance, m, n)


def _spreads(placed: NDArray[np.signedinteger[Any]]) -> Floats:
    """Return, for every two rows of n, n times the sum of products less the product of sums.

    All of it is whole until the end, as in `delong_test`, so that nothing is lost by subtraction.
    """
    k, n = placed.shape
    step = summed_at_once(int(placed.max()))
    products, totals = np.zeros((k, k), dtype=object), np.zeros(k, dtype=object)
    for start in range(0, n, step):
        part = placed[:, start : start + step].astype(np.int64)
        products += part @ part.T
        totals += part.sum(axis=-1)
    return np.asarray(n * products - np.outer(totals, totals), dtype=np.float64)


@check_arguments
@keep_names
def delong_omnibus_test(
    labels: ArrayLike,
    scores: Table,
    *,
    positive: Hashable | None = None,
    names: Sequence[str] | None = None,
) -> OmnibusResult:
    r"""Test whether several scorings of the same observations have the same AUC.

    Use it for three or more classifiers scored on one test set, before looking at pairs; for
    two it is the square of `delong_test`. It assumes independent observations (nodes of one
    network are not) and enough of each class for a normal approximation. It takes the trained
    models as given: it does not answer whether one learning algorithm is better, nor which
    scorings differ (see `delong_comparisons`).

    Parameters
    ----------
    labels : array_like of shape (n,)
        Classes; 0/1, or any with `positive` given.
    scores : array_like of shape (n, k)
        One column per scoring; higher means more likely positive.
    positive : hashable, optional
        The positive class.
    names : sequence of str, optional
        Names of the scorings; their places from 0 if left out.

    Returns
    -------
    OmnibusResult
        With the areas :math:`\theta`, their covariance S and the contrasts L of neighbors,
        :math:`\theta' L' (L S L')^- L \theta`, chi-square with the rank of L S L' degrees of
        freedom. The effect size is the largest difference of two areas, without interval.
        Identical scorings have p = 1; areas that differ without variation have none (NaN).

    Raises
    ------
    InputError
        For NaN scores, missing labels, unequal lengths, fewer than two columns, or fewer than
        two observations of a class.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845.

    Examples
    --------
    >>> labels = [0, 0, 0, 1, 1, 1, 1, 0]
    >>> scores = [[1, 2, 5], [2, 4, 1], [3, 1, 4], [5, 3, 2], [4, 5, 3], [7, 6, 8], [2, 8, 7],
    ...           [6, 7, 6]]
    >>> result = delong_omnibus_test(labels, scores)
    >>> result.df, round(result.pvalue, 4)
    (2.0, 0.8967)
    """
    found = _areas(labels, scores, positive)
    k = found.areas.size
    known = read_names(names, k)
    contrasts = np.eye(k - 1, k) - np.eye(k - 1, k, 1)
    difference = contrasts @ found.areas
    values, vectors = np.linalg.eigh(contrasts @ found.covariance @ contrasts.T)
    kept = values > RANK * max(float(values[-1]), RANK)
    along = vectors.T @ difference
    rank = int(kept.sum())
    # what lies outside the range of the covariance differs without variation
    unseen = bool((np.abs(along[~kept]) > 1e-12 * k).any())
    nan = float("nan")
    statistic = float((along[kept] ** 2 / values[kept]).sum()) if rank else nan
    pvalue = float(special.chdtrc(rank, statistic)) if rank else 1.0
    return OmnibusResult(
        method="DeLong's test of several correlated AUCs",
        question="Would all these scorings rank other observations like these equally well?",
        statistic=nan if unseen else statistic,
        df=float(rank),
        pvalue=nan if unseen else pvalue,
        effect="largest difference of AUCs",
        effect_size=float(np.ptp(found.areas)),
        ci_low=nan,
        ci_high=nan,
        confidence=nan,
        degenerate=unseen or rank == 0,
        details=_details(found, known),
        notes=(NO_SPREAD,) if unseen else (IDENTICAL,) if rank == 0 else (),
    )


@check_arguments
@keep_names
def delong_comparisons(
    labels: ArrayLike,
    scores: Table,
    *,
    positive: Hashable | None = None,
    names: Sequence[str] | None = None,
    confidence: float = 0.95,
    seed: Seed = 0,
) -> Comparisons:
    """Compare the AUCs of all pairs of several scorings, with intervals that hold together.

    Use it to say which of several classifiers scored on one test set differ. It assumes
    independent observations (nodes of one network are not) and enough of each class for a
    normal approximation. It takes the trained models as given: it does not answer whether one
    learning algorithm is better.

    Parameters
    ----------
    labels, scores, positive, names
        As in `delong_omnibus_test`.
    confidence : float
        Level at which all intervals hold together.
    seed : int, SeedSequence or Generator
        Of the directions of integration of `max_t_comparisons`.

    Returns
    -------
    Comparisons
        AUC of the first minus that of the second (not an error rate: larger is better). Each
        `pvalue` is that of `delong_test`; `adjusted_pvalue` and intervals use the correlation
        of all areas (single-step max-t), `details` has Holm's adjustment.

    Raises
    ------
    InputError
        As `delong_omnibus_test`, and for a wrong level.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845. Hothorn, Bretz and
    Westfall (2008), Biometrical Journal 50, 346-363.

    Examples
    --------
    >>> labels = [0, 0, 0, 1, 1, 1, 1, 0]
    >>> scores = [[1, 2, 5], [2, 4, 1], [3, 1, 4], [5, 3, 2], [4, 5, 3], [7, 6, 8], [2, 8, 7],
    ...           [6, 7, 6]]
    >>> found = delong_comparisons(labels, scores, names=["A", "B", "C"])
    >>> found.estimate.round(4).tolist(), found.pvalue.round(4).tolist()
    ([-0.0312, 0.0938, 0.125], [0.8875, 0.7679, 0.6434])
    """
    check_confidence(confidence)
    found = _areas(labels, scores, positive)
    known = read_names(names, found.areas.size)
    i, j = all_pairs(found.areas.size)
    first, second = pair_names(known, i, j)
    contrasts = np.eye(found.areas.size)[i] - np.eye(found.areas.size)[j]
    covariance = contrasts @ found.covariance @ contrasts.T
    steady = np.diag(covariance) <= RANK**2
    covariance[steady] = covariance[:, steady] = 0.0
    estimate = found.areas[i] - found.areas[j]
    pairs = max_t_comparisons(
        np.where(np.abs(estimate) <= RANK, 0.0, estimate),
        (covariance + covariance.T) / 2,
        first=first,
        second=second,
        confidence=confidence,
        seed=seed,
    )
    return dataclasses.replace(
        pairs,
        method="DeLong's comparison of correlated AUCs",
        question="Would the first scoring rank other observations like these better?",
        details=MappingProxyType({**_details(found, known), **pairs.details}),
    )


def _details(found: _Areas, names: Sequence[str]) -> MappingProxyType[str, object]:
    return MappingProxyType(
        {
            "auc": by_name(names, found.areas),
            "standard_error": by_name(names, np.sqrt(np.diag(found.covariance))),
            "positives": found.positives,
            "negatives": found.negatives,
        }
    )
