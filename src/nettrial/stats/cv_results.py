"""Two results of scikit-learn's cross-validation: is one model's score higher?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.arguments import check_arguments
from ..core.errors import InputError, not_found
from ..numeric.checks import to_floats
from ._arrays import Array
from .cross_validation import corrected_resampled_t_test
from .result import Alternative, TestResult


@check_arguments
def compare_cv_results(
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    *,
    score: str = "score",
    test_share: float | None = None,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Compare two models by the scores that scikit-learn keeps of every fold.

    Use it for the `cv_results_` of two searches (GridSearchCV and its kin), each with its best
    candidate, or for two results of `cross_validate`, over the same splits of independent cases.
    It is `corrected_resampled_t_test` of the scores and assumes what that does. The best candidate
    of a search was chosen by the very scores that are compared: it looks better than it is, the
    more so the more candidates were tried. It does not answer whether a beats b on other networks.

    Parameters
    ----------
    a, b : mapping
        ``search.cv_results_`` or what `cross_validate` returned.
    score : str
        The name of the scorer, where there were several.
    test_share : float, optional
        Share of the cases in a test set; 1 / (number of folds), as in k-fold cross-validation, by
        default.
    alternative : {"two-sided", "less", "greater"}
        "greater": a has the higher scores, that is the better ones of scikit-learn's scorers.
    confidence : float
        Level of the interval of the mean difference.

    Returns
    -------
    TestResult
        Of the scores of a minus those of b.

    Raises
    ------
    InputError
        Where there are no scores of splits, not equally many, or failed ones (NaN).

    References
    ----------
    Nadeau and Bengio (2003), Machine Learning 52, 239-281.

    Examples
    --------
    >>> a = {"test_score": [0.81, 0.79, 0.84, 0.80, 0.82]}
    >>> b = {"test_score": [0.78, 0.79, 0.80, 0.77, 0.80]}
    >>> result = compare_cv_results(a, b)
    >>> round(result.estimate, 3), round(result.pvalue, 4)
    (0.024, 0.0777)
    """
    first, second = _scores("a", a, score), _scores("b", b, score)
    if first.size != second.size:
        raise InputError(
            f"a and b: expected scores of the same splits, got {first.size} and {second.size}"
        )
    share = 1 / first.size if test_share is None else test_share
    if not 0 < share < 1:
        raise InputError(f"test_share: expected a proportion between 0 and 1, got {share}")
    return corrected_resampled_t_test(
        first,
        second,
        n_train=1 - share,
        n_test=share,
        alternative=alternative,
        confidence=confidence,
    )


def _scores(what: str, results: Mapping[str, Any], score: str) -> Array:
    """Return the scores of the splits: of the best candidate of a search."""
    if f"test_{score}" in results:
        return to_floats(f"{what}: test_{score}", results[f"test_{score}"])
    splits = [key for key in results if str(key).startswith("split")]
    chosen = [f"split{i}_test_{score}" for i in range(len(splits))]
    chosen = [key for key in chosen if key in results]
    rank = f"rank_test_{score}"
    if not chosen or rank not in results:
        offered = [str(key).partition("test_")[2] for key in results if "test_" in str(key)]
        raise not_found("score", score, dict.fromkeys(offered), what)
    best = int(np.argmin(to_floats(f"{what}: {rank}", results[rank])))
    return np.array([to_floats(f"{what}: {key}", results[key])[best] for key in chosen])
