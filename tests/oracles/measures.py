"""Measures of a weighted sample, by scikit-learn, and what nodes contribute to them by us."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn import metrics as sk

from nettrial.metrics.measures import measure_named
from nettrial.models.decide import predict_labels

Floats = NDArray[np.float64]


def psi_of(name, labels, proba):
    measure = measure_named(name)
    return measure.contributions(labels, proba, predict_labels(proba), np.arange(labels.size))


def by_sklearn(name, labels, proba, weight=None):
    """The measure of a weighted sample, as scikit-learn has it."""
    k, predicted = proba.shape[1], predict_labels(proba)
    present, options = np.unique(labels), {"sample_weight": weight}
    weight = np.ones(labels.size) if weight is None else weight
    if name == "error":
        return 1 - sk.accuracy_score(labels, predicted, **options)
    if name in ("accuracy", "micro_f1"):
        return sk.f1_score(labels, predicted, average="micro", **options)
    if name == "squared_loss":
        return np.average(((proba - np.eye(k)[labels]) ** 2).sum(axis=1), weights=weight)
    if name == "log_loss":
        return sk.log_loss(labels, proba, labels=range(k), **options)
    if name == "mrr":
        rank = rankdata(-proba, axis=1)[np.arange(labels.size), labels]  # ties: their mean rank
        return np.average(1 / rank, weights=weight)
    if name == "balanced_accuracy":
        return sk.balanced_accuracy_score(labels, predicted, **options)
    if name == "mcc":
        return sk.matthews_corrcoef(labels, predicted, **options)
    if name in ("macro_f1", "weighted_f1"):
        average = name.partition("_")[0]
        return sk.f1_score(labels, predicted, average=average, zero_division=0, **options)
    if name == "macro_precision":
        return sk.precision_score(labels, predicted, average="macro", zero_division=0, **options)
    if name in ("precision", "recall", "f1"):
        of = {"precision": sk.precision_score, "recall": sk.recall_score, "f1": sk.f1_score}[name]
        return of(labels, predicted, pos_label=1, **options)
    if name == "average_precision":
        return sk.average_precision_score(labels == 1, proba[:, 1], **options)
    if name == "mean_average_precision":
        of_each = [sk.average_precision_score(labels == c, proba[:, c], **options) for c in present]
        return np.mean(of_each)
    if name == "ece":
        confidence, total = proba[np.arange(labels.size), predicted], 0.0
        for low in range(15):
            inside = (confidence > low / 15) & (confidence <= (low + 1) / 15)
            total += abs((weight * (confidence - (predicted == labels)))[inside].sum())
        return total / weight.sum()
    if k == 2:
        return sk.roc_auc_score(labels, proba[:, 1], **options)
    return np.mean([sk.roc_auc_score(labels == c, proba[:, c], **options) for c in present])
