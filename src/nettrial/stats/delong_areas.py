"""DeLong's test of areas under several ROC curves at once, and under a part of one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.option_names import written
from ..metrics._check import ClassTable, Floats, class_columns, scored
from ..metrics.confusion import class_codes
from ..metrics.roc import weighted_placements
from ..numeric.checks import scalar
from ..numeric.input_alignment import refuse_other_index, refuse_other_rows
from ..numeric.rounding import ROUNDING, without_noise
from ._means import mean_test
from .result import Alternative, TestResult

Codes: TypeAlias = NDArray[np.intp]
Average: TypeAlias = Literal["one-vs-rest", "one-vs-one"]
QUESTION = "Would these two scorings rank other observations like these equally well?"


@check_arguments
def delong_multiclass_test(
    labels: ArrayLike,
    scores_a: ClassTable,
    scores_b: ClassTable,
    *,
    classes: Sequence[Hashable] | None = None,
    average: Average = "one-vs-rest",
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    r"""Test whether two classifiers of several classes have the same mean AUC.

    Use it for two classifiers that score three or more classes on one test set. It assumes
    independent observations (nodes of one network are not) and some ten of each class. It takes
    the trained models as given: it does not answer whether one learning algorithm is better.

    Parameters
    ----------
    labels : array_like of shape (n,)
        True classes, at least two observations of each.
    scores_a, scores_b : array_like of shape (n, K), or mapping of class to (n,)
        One column per class, such as probabilities: higher means more likely that class. Columns
        that have names are paired with the classes by them.
    classes : sequence, optional
        Classes in the order of the columns; by default those of `labels`, sorted.
    average : {"one-vs-rest", "one-vs-one"}
        Mean over classes of the AUC of each against all others, or over ordered pairs of classes
        of the AUC of one against the other (Hand and Till), as scikit-learn's "ovr" and "ovo".
    alternative : {"two-sided", "less", "greater"}
        "greater": A has the larger mean.
    confidence : float
        Level of the interval, one-sided for a one-sided alternative.

    Returns
    -------
    TestResult
        The estimate is the mean AUC of A minus that of B; `details` has both. Without spread
        the result is degenerate.

    Raises
    ------
    InputError
        For NaN scores, missing labels, other classes than columns, a class with fewer than two
        observations, or unequal lengths.

    Notes
    -----
    Either mean is :math:`\sum_{c \ne d} w_{cd} A_{cd}`, where :math:`A_{cd}` is the share of pairs
    of an observation of c and one of d in which the first has the higher score of c, and
    :math:`w_{cd}` is :math:`n_d / (K (n - n_c))` or :math:`1 / (K (K - 1))`. An observation of
    class g has the contribution of all its placements; the variance is that of the differences
    of contributions over :math:`n_g`, summed over classes. With two classes it is DeLong's.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845. Hand and Till (2001),
    Machine Learning 45, 171-186.

    Examples
    --------
    >>> truth = [0, 0, 1, 1, 2, 2]
    >>> a = [[.8, .1, .1], [.5, .3, .2], [.2, .7, .1], [.4, .5, .1], [.1, .2, .7], [.2, .5, .3]]
    >>> b = [[.6, .3, .1], [.3, .5, .2], [.3, .4, .3], [.2, .6, .2], [.3, .3, .4], [.5, .2, .3]]
    >>> result = delong_multiclass_test(truth, a, b)
    >>> round(result.details["auc_a"], 4), round(result.estimate, 4), round(result.pvalue, 4)
    (0.9792, 0.125, 0.4461)
    """
    refuse_other_rows(labels=labels, scores_a=scores_a, scores_b=scores_b)
    a, order, truth = class_columns("scores_a", scores_a, classes, labels)
    b = class_columns("scores_b", scores_b, order, labels)[0]
    codes = class_codes("labels", truth, order)
    if not a.shape == b.shape == (truth.size, len(order)):
        raise InputError(
            parameter=("scores_a", "scores_b"),
            expected=f"{truth.size} rows, one per label, and {len(order)} columns, one per class",
            got=f"shapes {a.shape} and {b.shape}",
        )
    sizes = np.bincount(codes, minlength=len(order))
    if len(order) < 2 or sizes.min() < 2:
        raise InputError(
            parameter="labels",
            expected="two or more classes, and as many observations of each",
            got=", ".join(f"{n} of {written(c)}" for c, n in zip(order, sizes.tolist())),
        )
    areas, parts = zip(*(_all_pairs(codes, p, sizes, average) for p in (a, b)))
    return _compared(
        f"DeLong's test of two mean AUCs ({average})", areas, parts, codes, alternative, confidence,
        {"auc_a": areas[0], "auc_b": areas[1], "sizes": tuple(sizes.tolist())},
    )  # fmt: skip


def _all_pairs(codes: Codes, p: Floats, sizes: Codes, average: Average) -> tuple[float, Floats]:
    """Return the mean area, and what each observation's placements add to it, less their means."""
    k, n, area, parts = sizes.size, codes.size, 0.0, np.zeros(codes.size)
    for c in range(k):
        scores = without_noise(p[:, c])
        for d in range(k):
            if c == d:
                continue
            weight = (
                sizes[d] / (k * (n - sizes[c])) if average == "one-vs-rest" else 1 / k / (k - 1)
            )
            among = (codes == c) | (codes == d)
            own = codes[among] == c
            found = weighted_placements(own, scores[among], np.ones(own.size))
            one = float(found[0].mean())
            area += weight * one
            parts[codes == c] += weight * (found[0] - one)
            parts[codes == d] += weight * (found[1] - one)
    return float(area), parts


@check_arguments
def delong_partial_test(
    labels: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    max_false_positive_rate: float = 0.1,
    positive: Hashable | None = None,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    r"""Test whether two scorings have the same area under the first part of their ROC curves.

    Use it where only few false alarms can be borne, so that the rest of the curve counts for
    nothing. It assumes independent observations (nodes of one network are not) and some ten
    negatives above the last threshold. It takes the trained models as given.

    Parameters
    ----------
    labels : array_like of shape (n,)
        Classes; 0/1, or any with `positive` given; at least two of each.
    scores_a, scores_b : array_like of shape (n,)
        Higher means more likely positive.
    max_false_positive_rate : float
        The false positive rate f up to which the area counts, above 0 and at most 1.
    positive : hashable, optional
        The positive class.
    alternative : {"two-sided", "less", "greater"}
        "greater": A has the larger area.
    confidence : float
        Level of the interval, one-sided for a one-sided alternative.

    Returns
    -------
    TestResult
        The estimate is the area of A up to f minus that of B, from -f to f. `details` has both
        and, as ``standardized_a`` and ``standardized_b``, McClish's form, which is 1 for a perfect
        scoring and 0.5 for a random one. Without spread the result is degenerate.

    Raises
    ------
    InputError
        For NaN scores, missing labels, unequal lengths, fewer than two of a class, a `positive`
        that does not occur, or a rate outside (0, 1].

    Notes
    -----
    The area is the mean over the positives of :math:`\max(0, f - s)`, where s is the share of
    negatives scored above one, spread evenly over tied ones. A negative's contribution is the
    derivative of that mean by its mass. With f = 1 the test is DeLong's.

    References
    ----------
    McClish (1989), Medical Decision Making 9, 190-195. Zhang, Zhou, Freeman and Freeman (2002),
    Statistics in Medicine 21, 701-715.

    Examples
    --------
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [.1, .2, .3, .6, .5, .7, .8, .9], [.2, .7, .4, .1, .3, .6, .8, .9]
    >>> result = delong_partial_test(truth, a, b, max_false_positive_rate=0.5)
    >>> result.details["auc_a"], result.details["auc_b"], round(result.pvalue, 4)
    (0.4375, 0.3125, 0.4008)
    """
    f = scalar("max_false_positive_rate", max_false_positive_rate)
    if not 0 < f <= 1:
        raise InputError(
            parameter="max_false_positive_rate",
            expected="a rate above 0 and at most 1",
            got=shown(f),
        )
    refuse_other_index(labels=labels, scores_a=scores_a, scores_b=scores_b)
    truth, a = scored(labels, scores_a, positive)
    _, b = scored(labels, scores_b, positive)
    if min(truth.sum(), (~truth).sum()) < 2:
        raise InputError(
            parameter="labels",
            expected="two or more positives and as many negatives",
            got=f"{int(truth.sum())} and {int((~truth).sum())}",
        )
    areas, parts = zip(*(_first_part(truth, scores, f) for scores in (a, b)))
    least = f**2 / 2
    standardized = [0.5 * (1 + (area - least) / (f - least)) for area in areas]
    return _compared(
        f"DeLong's test of two AUCs up to a false positive rate of {f:g}", areas, parts,
        truth.astype(np.intp), alternative, confidence,
        {
            "auc_a": areas[0], "auc_b": areas[1], "standardized_a": standardized[0],
            "standardized_b": standardized[1], "max_false_positive_rate": f,
            "positives": int(truth.sum()), "negatives": int((~truth).sum()),
        },
    )  # fmt: skip


def _first_part(truth: NDArray[np.bool_], scores: Floats, f: float) -> tuple[float, Floats]:
    """Return the area up to f, and what each observation adds to it, less the mean of its class."""
    others, own = np.sort(scores[~truth]), scores[truth]
    n = others.size
    # the shares of negatives above a positive, and above or tied with it
    low = (n - np.searchsorted(others, own, side="right")) / n
    high = (n - np.searchsorted(others, own, side="left")) / n
    width = np.where(high > low, high - low, 1.0)
    within, beyond = np.maximum(f - low, 0), np.maximum(f - high, 0)
    spread = (within**2 - beyond**2) / 2  # over the tied ones
    added = np.where(high > low, spread / width, within)
    # by how much the area changes with the mass above a positive, and with that tied with it
    step = np.where(np.abs(f - low) <= ROUNDING, 0.5, low < f)  # both sides of the corner at f
    above = np.where(high > low, (within - beyond) / width, step)
    tied = np.where(high > low, spread / width**2 - beyond / width, 0.0)
    place = np.searchsorted(others, own, side="left")
    last = np.searchsorted(others, own, side="right")
    # negatives from `last` on are above; those from `place` to `last` are tied
    steps = np.zeros(n + 1)
    np.add.at(steps, last, above)
    np.add.at(steps, place, tied)
    np.add.at(steps, last, -tied)
    lost = np.empty(n)
    lost[np.argsort(scores[~truth], kind="stable")] = steps.cumsum()[:n] / own.size
    parts = np.empty(truth.size)
    parts[truth], parts[~truth] = added - added.mean(), lost.mean() - lost
    return float(added.mean()), parts


def _compared(
    method: str,
    areas: Sequence[float],
    parts: Sequence[Floats],
    codes: Codes,
    alternative: Alternative,
    confidence: float,
    details: dict[str, Any],
) -> TestResult:
    """Test the difference of two areas by what each observation adds to both."""
    difference, sizes = parts[0] - parts[1], np.bincount(codes)
    means = np.bincount(codes, difference) / sizes
    squares = np.bincount(codes, (difference - means[codes]) ** 2)
    return mean_test(
        method=method,
        question=QUESTION,
        estimate=np.asarray(areas[0] - areas[1]),
        standard_error=np.asarray(np.sqrt((squares / (sizes - 1) / sizes).sum())),
        df=None,
        rounding=np.asarray(ROUNDING),
        alternative=alternative,
        confidence=confidence,
        details=MappingProxyType(details),
    )
