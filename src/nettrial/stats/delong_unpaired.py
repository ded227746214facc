"""The AUCs of two scorings of different observations."""

from __future__ import annotations

from collections.abc import Hashable
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..metrics import auc
from ..metrics._check import label_arrays
from ..numeric.input_alignment import refuse_other_index
from ._means import mean_test
from .result import Alternative, TestResult

LEVEL = 1e-12  # AUCs lie in [0, 1]


@check_arguments
def delong_unpaired_test(
    labels_a: ArrayLike,
    scores_a: ArrayLike,
    labels_b: ArrayLike,
    scores_b: ArrayLike,
    *,
    positive: Hashable | None = None,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Test whether two scorings of different observations have the same AUC.

    Use it for two test sets that share no observation, such as one classifier on two
    populations; for two scorings of the same observations use `delong_test`, which has more
    power. It assumes independent observations (nodes of one network are not) and enough of each
    class for a normal approximation. It does not answer whether one learning algorithm is better.

    Parameters
    ----------
    labels_a, labels_b : array_like of shape (n_a,), (n_b,)
        Classes; 0/1, or any with `positive` given.
    scores_a, scores_b : array_like of shape (n_a,), (n_b,)
        Higher means more likely positive.
    positive : hashable, optional
        The positive class.
    alternative : {"two-sided", "less", "greater"}
        "greater": the AUC of A is larger.
    confidence : float
        Level of the interval of the difference.

    Returns
    -------
    TestResult
        ``z = (AUC_a - AUC_b) / sqrt(var_a + var_b)`` with DeLong's variances. Without spread, or
        with fewer than two observations of a class, the result is degenerate.

    Raises
    ------
    InputError
        For NaN scores, missing labels, unequal lengths, a `positive` that does not occur.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845.

    Examples
    --------
    >>> result = delong_unpaired_test([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8],
    ...                               [0, 1, 0, 1, 1], [0.2, 0.3, 0.5, 0.7, 0.9])
    >>> round(result.estimate, 4), round(result.pvalue, 4)
    (-0.0833, 0.8445)
    """
    refuse_other_index(labels_a=labels_a, scores_a=scores_a)
    refuse_other_index(labels_b=labels_b, scores_b=scores_b)
    label_arrays({"labels_a": labels_a, "labels_b": labels_b})  # of one type
    a, b = (
        auc(labels, scores, positive=positive)
        for labels, scores in ((labels_a, scores_a), (labels_b, scores_b))
    )
    variance = np.asarray(a.variance + b.variance)
    return mean_test(
        method="DeLong's test of two independent AUCs",
        question="Would A rank other observations like its own as well as B ranks ones like B's?",
        estimate=np.asarray(a.auc - b.auc),
        standard_error=np.where(np.isnan(variance), 0.0, np.sqrt(variance)),
        df=None,
        rounding=np.asarray(LEVEL),
        alternative=alternative,
        confidence=confidence,
        details=MappingProxyType(
            {
                "auc_a": a.auc, "auc_b": b.auc, "variance_a": a.variance,
                "variance_b": b.variance,
            }
        ),
        notes=tuple(dict.fromkeys((*a.notes, *b.notes))),
    )  # fmt: skip
