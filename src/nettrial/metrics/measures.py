"""Measures of one model on one test set, as means of what each tested node contributes.

A measure M of the empirical distribution of the nodes has an influence function, and
psi_i = M + influence of node i has the mean M. For losses psi_i is the node's own loss; for a
curved measure it is the first order of what the node adds (von Mises), so that the variance of
the mean of psi is that of M. Tests of means thereby test any measure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import unknown_choice
from ..kernels.ranks import placements

Codes: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float64]
MeasureName: TypeAlias = Literal["error", "squared_loss", "log_loss", "auc", "macro_f1"]
SMALLEST = float(np.finfo(np.float32).eps)  # predictions are kept as 32-bit floats


@dataclass(frozen=True, slots=True)
class Measure:
    """What models are judged by.

    Attributes
    ----------
    name : str
        As users name it.
    words : str
        As texts name it before a number.
    title : str
        As headings name it.
    better : {"lower", "higher"}
        Which values are better.
    needs_probabilities : bool
        Whether predicted classes alone do not do.
    shares : bool
        Whether it is told in percent.
    largest : float
        The largest value that it can take; the smallest is 0.
    contributions : callable
        (labels, probabilities, predicted classes) of a test set -> psi, shape (n_test,), NaN
        where the measure is not defined on it.
    needs_two_classes : bool
        Whether it is undefined on a test set of one class.
    """

    name: str
    words: str
    title: str
    better: Literal["lower", "higher"]
    needs_probabilities: bool
    shares: bool
    largest: float
    contributions: Callable[[Codes, Floats, Codes], Floats]
    needs_two_classes: bool = False

    @property
    def sign(self) -> int:
        """Give 1 where lower values are better, else -1."""
        return 1 if self.better == "lower" else -1

    @property
    def bounds(self) -> tuple[float, float]:
        """Give the smallest and the largest value that it can take."""
        return 0.0, self.largest


def errors(labels: Codes, _probabilities: Floats, predicted: Codes) -> Floats:
    """Give 1 for each node that is wrong, else 0."""
    return np.asarray(predicted != labels, dtype=np.float64)


def squared(labels: Codes, probabilities: Floats, _predicted: Codes) -> Floats:
    """Give the squared distance to the truth, summed over all classes (Brier 1950), in [0, 2].

    Examples
    --------
    >>> squared(np.array([0, 1]), np.array([[0.5, 0.5], [0.25, 0.75]]), np.array([0, 1])).tolist()
    [0.5, 0.125]
    """
    true = probabilities[np.arange(labels.size), labels]
    return np.asarray((probabilities**2).sum(axis=1) - 2 * true + 1)


def logarithmic(labels: Codes, probabilities: Floats, _predicted: Codes) -> Floats:
    """Give minus the logarithm of the true class's probability, in nats.

    Probabilities are moved into [eps, 1 - eps] with eps = 2**-23, the machine epsilon of 32-bit
    floats, as scikit-learn does with predictions of that kind.

    Examples
    --------
    >>> logarithmic(np.array([0, 0]), np.array([[0.5, 0.5], [0.0, 1]]), np.array([0, 1])).round(4)
    array([ 0.6931, 15.9424])
    """
    true = probabilities[np.arange(labels.size), labels]
    return -np.log(np.clip(true, SMALLEST, 1 - SMALLEST))


def ranking(labels: Codes, probabilities: Floats, _predicted: Codes) -> Floats:
    """Give the influence values of the area under the ROC curve.

    With two classes the second one is positive (which does not matter: the AUC of the other one
    is the same); with more, the mean over the classes of the area of each against the rest,
    taken over the classes that the test set holds. With V a node's placement, the share of the
    other kind that it is ranked right against (DeLong, DeLong and Clarke-Pearson 1988), and pi
    the share of its own kind, psi = A + (V - A) / pi.

    Examples
    --------
    >>> proba = np.array([[0.9, 0.1], [0.6, 0.4], [0.65, 0.35], [0.2, 0.8]])
    >>> psi = ranking(np.array([0, 0, 1, 1]), proba, np.array([0, 0, 0, 1]))
    >>> psi.tolist(), float(psi.mean())
    ([1.25, 0.25, 0.25, 1.25], 0.75)
    """
    present = np.unique(labels)
    if present.size < 2:
        return np.full(labels.size, np.nan)
    classes = present[1:] if probabilities.shape[1] == 2 else present
    return np.asarray(
        np.mean([_area(labels == c, probabilities[:, c]) for c in classes.tolist()], axis=0)
    )


def _area(positive: NDArray[np.bool_], scores: Floats) -> Floats:
    above, below = placements(positive, scores)
    area = float(above.mean())
    psi = np.empty(scores.size)
    psi[positive] = area + (above - area) / positive.mean()
    psi[~positive] = area + (below - area) / (1 - positive.mean())
    return psi


def harmonic(labels: Codes, _probabilities: Floats, predicted: Codes) -> Floats:
    """Give the influence values of macro-F1, the mean of F1 over the classes that occur.

    Classes count that the test set holds or the model predicts, as in scikit-learn. With
    t = P(predicted c and c), s = P(predicted c) + P(c) and F = 2 t / s, a node adds
    (2 [predicted c and c] - F ([predicted c] + [c])) / s to the class's F.

    Examples
    --------
    >>> psi = harmonic(np.array([0, 0, 1]), np.empty((3, 2)), np.array([0, 1, 1]))
    >>> psi.round(3).tolist(), round(float(psi.mean()), 4)
    ([1.0, 0.0, 1.0], 0.6667)
    """
    classes = np.union1d(labels, predicted)
    psi = np.zeros(labels.size)
    for c in classes.tolist():
        is_class, says = labels == c, predicted == c
        either = is_class.astype(np.float64) + says
        share = either.mean()
        f = 2 * float((is_class & says).mean()) / share
        psi += f + (2.0 * (is_class & says) - f * either) / share
    return psi / classes.size


MEASURES: dict[str, Measure] = {
    m.name: m
    for m in (
        Measure("error", "error", "error rate", "lower", False, True, 1.0, errors),
        Measure("squared_loss", "squared loss", "squared loss (Brier)", "lower", True, False,
                2.0, squared),
        Measure("log_loss", "log loss", "log loss", "lower", True, False,
                -float(np.log(SMALLEST)), logarithmic),
        Measure("auc", "AUC", "AUC", "higher", True, True, 1.0, ranking, needs_two_classes=True),
        Measure("macro_f1", "macro-F1", "macro-F1", "higher", False, True, 1.0, harmonic),
    )
}  # fmt: skip


def measure_named(name: str) -> Measure:
    """Return a measure by its name.

    Examples
    --------
    >>> measure_named("auc").better
    'higher'
    """
    if name not in MEASURES:
        raise unknown_choice("measure", name, MEASURES)
    return MEASURES[name]
