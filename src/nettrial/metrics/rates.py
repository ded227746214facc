"""Rates of a two-by-two table: precision, recall, F, specificity, error, MCC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.results import Result
from ..numeric.checks import scalar
from ..numeric.input_alignment import refuse_other_index
from ..numeric.magnitude import LARGEST, without_unit
from ._check import Floats, Undefined, choice, numbers


@dataclass(frozen=True, slots=True)
class BinaryRates(Result):
    """Rates of one table (floats) or of many (arrays of the counts' shape).

    Attributes
    ----------
    error, accuracy, precision, recall, specificity, false_positive_rate : float or ndarray
        Proportions.
    f_beta : float or ndarray
        F measure; recall counts `beta` times as much as precision.
    balanced_accuracy : float or ndarray
        Mean of recall and specificity.
    mcc : float or ndarray
        Matthews correlation coefficient, in [-1, 1].
    beta : float
        The weight of recall in `f_beta`.
    """

    error: float | Floats
    accuracy: float | Floats
    precision: float | Floats
    recall: float | Floats
    specificity: float | Floats
    false_positive_rate: float | Floats
    f_beta: float | Floats
    balanced_accuracy: float | Floats
    mcc: float | Floats
    beta: float


def ratio(over: Floats, under: Floats, undefined: str) -> Floats:
    """Divide, with 0/0 being NaN or 0 by name."""
    blank = np.nan if undefined == "nan" else 0.0
    quotient: Floats = np.divide(
        over, under, out=np.full(np.shape(under + over), blank), where=under != 0
    )
    return quotient


@check_arguments
def binary_rates(
    tp: ArrayLike,
    fp: ArrayLike,
    fn: ArrayLike,
    tn: ArrayLike,
    *,
    beta: float = 1.0,
    undefined: Undefined = "nan",
    f_formula: Literal["counts", "ratios"] = "counts",
) -> BinaryRates:
    """Compute the rates of true and false positives and negatives, for one table or many.

    Use it to describe one classifier on one test set. It assumes that a positive and a
    negative class were chosen. It does not say how the rates would vary on other test sets.

    Parameters
    ----------
    tp, fp, fn, tn : array_like of float
        Counts (or sums of weights), of shapes that broadcast.
    beta : float
        F weighs recall `beta` times as much as precision; positive.
    undefined : {"nan", "zero"}
        What 0/0 is: NaN, or 0 (the default of scikit-learn).
    f_formula : {"counts", "ratios"}
        ``(1+β²)TP / ((1+β²)TP + β²FN + FP)``, which is 0 where precision and recall are 0, or
        ``(1+β²)PR / (β²P + R)``, which is 0/0 there and wherever P or R is undefined.

    Returns
    -------
    BinaryRates

    Raises
    ------
    InputError
        For negative or missing counts, a `beta` that is not positive, or an unknown name.

    References
    ----------
    C. J. van Rijsbergen (1979), Information Retrieval, chapter 7 (F); B. W. Matthews (1975),
    Biochimica et Biophysica Acta 405 (MCC).

    Examples
    --------
    >>> rates = binary_rates(30, 10, 20, 40)
    >>> rates.precision, rates.recall, round(rates.f_beta, 4)
    (0.75, 0.6, 0.6667)
    """
    choice("undefined", undefined, ("nan", "zero"))
    choice("f_formula", f_formula, ("counts", "ratios"))
    beta = scalar("beta", beta)
    if not 0 < beta < LARGEST:
        raise InputError(parameter="beta", expected="a positive number", got=shown(beta))
    refuse_other_index(tp=tp, fp=fp, fn=fn, tn=tn)
    counts = [numbers(k, v) for k, v in (("tp", tp), ("fp", fp), ("fn", fn), ("tn", tn))]
    if any((c < 0).any() for c in counts):
        raise InputError(parameter="counts", expected="0 and more", got="a negative one")
    try:
        cells = np.stack(np.broadcast_arrays(*counts))
    except ValueError:
        shapes = ", ".join(str(c.shape) for c in counts)
        raise InputError(
            parameter="counts", expected="shapes that broadcast together", got=f"{shapes}"
        ) from None
    tp_, fp_, fn_, tn_ = without_unit(cells, axis=0)
    precision = ratio(tp_, tp_ + fp_, undefined)
    recall = ratio(tp_, tp_ + fn_, undefined)
    specificity = ratio(tn_, tn_ + fp_, undefined)
    total = tp_ + fp_ + fn_ + tn_
    b2 = beta**2
    root = np.sqrt(tp_ + fp_) * np.sqrt(tp_ + fn_) * np.sqrt(tn_ + fp_) * np.sqrt(tn_ + fn_)
    if f_formula == "counts":
        f = ratio((1 + b2) * tp_, (1 + b2) * tp_ + b2 * fn_ + fp_, undefined)
    else:
        f = ratio((1 + b2) * precision * recall, b2 * precision + recall, undefined)
    rates = {
        "error": ratio(fp_ + fn_, total, undefined),
        "accuracy": ratio(tp_ + tn_, total, undefined),
        "precision": precision,
        "recall": recall,
        "specificity": specificity,
        "false_positive_rate": ratio(fp_, fp_ + tn_, undefined),
        "f_beta": f,
        "balanced_accuracy": (recall + specificity) / 2,
        "mcc": ratio(tp_ * tn_ - fp_ * fn_, root, undefined),
    }
    one = {name: rate if rate.ndim else float(rate) for name, rate in rates.items()}
    return BinaryRates(**one, beta=beta)
