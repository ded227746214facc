"""Influence values: what each tested node contributes to a measure, so that their mean is it.

Every function takes the true classes, the class probabilities and the predicted classes of one
test set and returns psi, shape (n_test,), with psi_i = M + influence of node i (Hampel 1974).
Where M is a smooth function of means over nodes, the influence is its differential at the
node's own values minus the means. Classes are codes 0 to n_classes - 1. A measure of one class
against the others has two classes, of which the second is the positive one.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..numeric.ranks import placements

Codes: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float64]
SMALLEST = float(np.finfo(np.float32).eps)  # predictions are kept as 32-bit floats
BINS = 15  # of confidence, as Guo et al. (2017) take


def errors(labels: Codes, _probabilities: Floats, predicted: Codes) -> Floats:
    """Return 1 for each node that is wrong, else 0."""
    return np.asarray(predicted != labels, dtype=np.float64)


def squared(labels: Codes, probabilities: Floats, _predicted: Codes) -> Floats:
    """Return the squared distance to the truth, summed over all classes (Brier 1950), in [0, 2].

    Examples
    --------
    >>> squared(np.array([0, 1]), np.array([[0.5, 0.5], [0.25, 0.75]]), np.array([0, 1])).tolist()
    [0.5, 0.125]
    """
    true = probabilities[np.arange(labels.size), labels]
    return np.asarray((probabilities**2).sum(axis=1) - 2 * true + 1)


def logarithmic(labels: Codes, probabilities: Floats, _predicted: Codes) -> Floats:
    """Return minus the logarithm of the true class's probability, in nats.

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
    """Return the influence values of the area under the ROC curve.

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
    above, below = placements(positive, scores, noise=False)
    area = float(above.mean())
    psi = np.empty(scores.size)
    psi[positive] = area + (above - area) / positive.mean()
    psi[~positive] = area + (below - area) / (1 - positive.mean())
    return psi


def harmonic(labels: Codes, _probabilities: Floats, predicted: Codes) -> Floats:
    """Return the influence values of macro-F1, the mean of F1 over the classes that occur.

    Classes count that the test set holds or the model predicts, as in scikit-learn. With
    t = P(predicted c and c), s = P(predicted c) + P(c) and F = 2 t / s, a node adds
    (2 [predicted c and c] - F ([predicted c] + [c])) / s to the class's F.

    Examples
    --------
    >>> psi = harmonic(np.array([0, 0, 1]), np.empty((3, 2)), np.array([0, 1, 1]))
    >>> psi.round(3).tolist(), round(float(psi.mean()), 4)
    ([1.0, 0.0, 1.0], 0.6667)
    """
    classes = np.union1d(labels, predicted).tolist()
    return np.asarray(np.mean([_f1(labels == c, predicted == c) for c in classes], axis=0))


def _f1(is_class: NDArray[np.bool_], says: NDArray[np.bool_]) -> Floats:
    """Return the influence values of F1; NaN where the class neither occurs nor is predicted."""
    either = is_class.astype(np.float64) + says
    share = either.mean()
    if share == 0:
        return np.full(is_class.size, np.nan)
    f = 2 * float((is_class & says).mean()) / share
    return np.asarray(f + (2.0 * (is_class & says) - f * either) / share)


def correct(labels: Codes, _probabilities: Floats, predicted: Codes) -> Floats:
    """Return 1 for each node that is right, else 0."""
    return np.asarray(predicted == labels, dtype=np.float64)


def balanced(labels: Codes, _probabilities: Floats, predicted: Codes) -> Floats:
    """Return the influence values of the mean recall over the classes of the test set.

    A node of class c adds (1[right] - R_c) / P(c) to the recall R_c of its class.

    Examples
    --------
    >>> psi = balanced(np.array([0, 0, 0, 1]), np.empty((4, 2)), np.array([0, 0, 1, 1]))
    >>> psi.round(3).tolist(), round(float(psi.mean()), 4)
    ([1.056, 1.056, 0.389, 0.833], 0.8333)
    """
    classes = np.unique(labels)
    return np.asarray(np.mean([_recall(labels == c, predicted == c) for c in classes], axis=0))


def positive_recall(labels: Codes, _probabilities: Floats, predicted: Codes) -> Floats:
    """Return the influence values of the recall of the second class."""
    return _recall(labels == 1, predicted == 1)


def positive_precision(labels: Codes, _probabilities: Floats, predicted: Codes) -> Floats:
    """Return the influence values of the precision of the second class.

    It is the recall with the parts of truth and prediction exchanged.
    """
    return _recall(predicted == 1, labels == 1)


def positive_f1(labels: Codes, _probabilities: Floats, predicted: Codes) -> Floats:
    """Return the influence values of F1 of the second class."""
    return _f1(labels == 1, predicted == 1)


def macro_precision(labels: Codes, _probabilities: Floats, predicted: Codes) -> Floats:
    """Return the influence values of the mean precision over the classes that occur.

    A class that is never predicted has precision 0, as in scikit-learn with ``zero_division=0``.
    """
    classes = np.union1d(labels, predicted)
    psi = np.zeros(labels.size)
    for c in classes[np.isin(classes, predicted)].tolist():
        psi += _recall(predicted == c, labels == c)
    return psi / classes.size


def _recall(chosen: NDArray[np.bool_], hit: NDArray[np.bool_]) -> Floats:
    """Return the influence values of P(hit | chosen); NaN where nothing is chosen."""
    if not chosen.any():
        return np.full(chosen.size, np.nan)
    rate = float(hit[chosen].mean())
    return np.asarray(rate + chosen * (hit - rate) / chosen.mean())


def weighted_harmonic(labels: Codes, _probabilities: Floats, predicted: Codes) -> Floats:
    """Return the influence values of the mean of F1 weighted by the classes' shares of nodes.

    The share of class c is itself a mean, so a node adds 1[c] F_c beside what it adds to F_c.
    """
    psi = np.zeros(labels.size)
    for c in np.unique(labels).tolist():
        is_class, says = labels == c, predicted == c
        share, own = is_class.mean(), _f1(is_class, says)
        psi += share * (own - own.mean()) + is_class * own.mean()
    return psi


def correlation(labels: Codes, _probabilities: Floats, predicted: Codes) -> Floats:
    """Return the influence values of Matthews' correlation, of any number of classes.

    With c = P(right), t_k = P(k), s_k = P(predicted k), M = x / sqrt(y z) where
    x = c - sum t s, y = 1 - sum t^2, z = 1 - sum s^2 (Gorodkin 2004). It is 0 where one class
    alone occurs or is predicted, as in scikit-learn.

    Examples
    --------
    >>> truth, said = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, 1])
    >>> psi = correlation(truth, np.empty((5, 2)), said)
    >>> round(float(psi.mean()), 4)
    0.6124
    """
    k = int(max(labels.max(), predicted.max())) + 1
    truth = np.bincount(labels, minlength=k) / labels.size
    said = np.bincount(predicted, minlength=k) / labels.size
    y, z = 1 - float(truth @ truth), 1 - float(said @ said)
    if y <= 0 or z <= 0:
        return np.zeros(labels.size)
    right, both = correct(labels, _probabilities, predicted), float(truth @ said)
    x = float(right.mean()) - both
    value = x / np.sqrt(y * z)
    dx = (right - right.mean()) - (said[labels] + truth[predicted] - 2 * both)
    dy, dz = -2 * (truth[labels] - (1 - y)), -2 * (said[predicted] - (1 - z))
    return np.asarray(value + dx / np.sqrt(y * z) - value / 2 * (dy / y + dz / z))


def positive_average_precision(labels: Codes, probabilities: Floats, _predicted: Codes) -> Floats:
    """Return the influence values of the average precision of the second class.

    With pi the share of positives, G(t) the share of nodes scored t or more and p(t) the
    precision among them, the average precision is the mean A of p over the positives' scores. A
    node scored s adds y (p(s) - A) / pi for being a positive, and (y - p(t)) / G(t) to the
    precision at every t <= s, of which the mean over the positives counts. Equal scores share
    one threshold, as in scikit-learn.

    Examples
    --------
    >>> proba = np.array([[0.1, 0.9], [0.5, 0.5], [0.6, 0.4], [0.8, 0.2]])
    >>> psi = positive_average_precision(np.array([1, 0, 1, 0]), proba, np.array([1, 0, 0, 0]))
    >>> round(float(psi.mean()), 4)
    0.8333
    """
    return _average_precision(labels == 1, probabilities[:, 1])


def mean_average_precision(labels: Codes, probabilities: Floats, _predicted: Codes) -> Floats:
    """Return the influence values of the mean over classes of each one's average precision."""
    classes = np.unique(labels).tolist()
    return np.asarray(
        np.mean([_average_precision(labels == c, probabilities[:, c]) for c in classes], axis=0)
    )


def _average_precision(positive: NDArray[np.bool_], scores: Floats) -> Floats:
    if not positive.any():
        return np.full(positive.size, np.nan)
    n, share = positive.size, positive.mean()
    _, place = np.unique(-scores, return_inverse=True)  # thresholds from the highest score
    tied = np.bincount(place)
    hits = np.bincount(place, positive)
    above = np.cumsum(tied) / n
    precision = np.cumsum(hits) / n / above
    value = float((hits * precision).sum() / hits.sum())
    # sums over the positives at thresholds at or below a node's own score
    count = np.cumsum((hits / above)[::-1])[::-1] / n
    missed = np.cumsum((hits * precision / above)[::-1])[::-1] / n
    own = positive * (precision[place] - value) / share
    return np.asarray(value + own + (positive * count[place] - missed[place]) / share)


def calibration_error(labels: Codes, probabilities: Floats, predicted: Codes) -> Floats:
    """Return the influence values of the expected calibration error of 15 bins (Guo et al. 2017).

    It is the sum over bins of |sum of confidence - sum of right answers| / n, confidence being
    the probability of the predicted class; a node adds its own difference with the sign of its
    bin's. It is not smooth where a bin is perfectly calibrated: for a perfectly calibrated
    model its mean is above 0 and its variance less than half of what these values say, so that
    tests are too careful there.
    """
    confidence = probabilities[np.arange(predicted.size), predicted]
    place = np.clip(np.ceil(confidence * BINS).astype(np.intp) - 1, 0, BINS - 1)
    gap = confidence - (predicted == labels)
    sign = np.sign(np.bincount(place, gap, minlength=BINS))
    return np.asarray(sign[place] * gap)


def reciprocal_rank(labels: Codes, probabilities: Floats, _predicted: Codes) -> Floats:
    """Return one over the rank of each node's true class; tied classes share their mean rank.

    Examples
    --------
    >>> reciprocal_rank(np.array([0, 0]), np.array([[0.5, 0.2, 0.3], [0.2, 0.5, 0.3]]),
    ...                 np.array([0, 1])).round(4).tolist()
    [1.0, 0.3333]
    """
    ahead, level = _against_true(labels, probabilities)
    return np.asarray(1 / (ahead + (level + 1) / 2))


def hits(k: int, labels: Codes, probabilities: Floats, _predicted: Codes) -> Floats:
    """Return whether each node's true class is among the k most probable ones.

    Where ties make that a matter of their order, the share of orders in which it is.
    """
    ahead, level = _against_true(labels, probabilities)
    return np.asarray(np.clip((k - ahead) / level, 0, 1))


def _against_true(labels: Codes, probabilities: Floats) -> tuple[Floats, Floats]:
    """Count the classes more probable than the true one, and those as probable, itself included."""
    true = probabilities[np.arange(labels.size), labels][:, None]
    ahead = (probabilities > true).sum(axis=1)
    return ahead.astype(np.float64), (probabilities == true).sum(axis=1).astype(np.float64)


def precision_among(k: int, labels: Codes, probabilities: Floats, _predicted: Codes) -> Floats:
    """Return the influence values of the precision among the k highest scored nodes.

    The scores are the probabilities of the second class. With f = k / n the share that is taken
    and r the rate of positives about the threshold, a node that is taken adds (y - r) / f - (P -
    r), any other one -(P - r): nodes taken away move the threshold, at which a node is a positive
    with probability r. It is estimated by the 2 sqrt(n) nodes nearest to the threshold in rank.
    NaN where a test set has fewer than k nodes.
    """
    if labels.size < k:
        return np.full(labels.size, np.nan)
    return _among_the_highest(labels == 1, probabilities[:, 1], k)


def recall_among(share: float, labels: Codes, probabilities: Floats, _predicted: Codes) -> Floats:
    """Return the influence values of the recall when a share of the nodes is taken.

    These are the nodes with the highest probability of the second class, at least one. Recall is
    precision times the share taken over the share of positives, whose influence it has too.
    """
    positive = labels == 1
    if not positive.any():
        return np.full(labels.size, np.nan)
    k = max(1, round(share * labels.size))
    psi, pi = _among_the_highest(positive, probabilities[:, 1], k), positive.mean()
    precision, taken = float(psi.mean()), k / labels.size
    recall = precision * taken / pi
    return np.asarray(recall + (psi - precision) * taken / pi - recall * (positive - pi) / pi)


def _among_the_highest(positive: NDArray[np.bool_], scores: Floats, k: int) -> Floats:
    """Return the influence values of the precision among the k highest scores.

    Nodes that tie at the threshold are taken in part, each with the same share.
    """
    n = scores.size
    threshold = np.sort(scores)[n - k]
    above, level = scores > threshold, scores == threshold
    taken = above + level * ((k - int(above.sum())) / int(level.sum()))
    value, f = float((taken * positive).sum() / k), k / n
    order = np.argsort(-scores, kind="stable")
    reach = max(1, round(np.sqrt(n)))
    near = order[max(0, k - reach) : k + reach]
    rate = float(positive[near].mean())
    return np.asarray(value + taken * (positive - rate) / f - (value - rate))
