"""sklearn.metrics and sklearn.calibration."""

from __future__ import annotations

from typing import Any

import numpy as np

from nettrial import metrics, stats

from .cases import Case, Pairs, asks, because, by_ours, plain, refused, same

K = "sklearn.metrics."


def _flat(*values: Any) -> list[np.ndarray]:
    found = [np.asarray(v) for v in values]
    plain(
        "several labels a case (multilabel)", all(v.ndim == 1 or v.shape[1:] == (1,) for v in found)
    )
    return [v.ravel() for v in found]


def _weights(sample_weight: Any) -> Any:
    return None if sample_weight is None else np.asarray(sample_weight, float)


UNDEFINED = {"warn": "zero", 0: "zero"}


def _averaged(measure: Any, theirs: Any, y_true: Any, y_pred: Any, labels: Any, pos_label: Any,
              average: Any, sample_weight: Any, zero_division: Any, **more: Any) -> Pairs:  # fmt: skip
    truth, predicted = _flat(y_true, y_pred)
    plain("another order or choice of classes", labels is None)
    plain("0/0 counted as 1", isinstance(zero_division, str) or zero_division != 1)
    plain("a number for each class", average is not None)
    plain("several labels a case (multilabel)", average != "samples")
    undefined = UNDEFINED.get(zero_division, "skip")
    options = {"undefined": undefined, "weights": _weights(sample_weight), **more}
    if average == "binary":
        options["positive"] = pos_label
    else:
        options["average"] = average
    return {"value": (theirs, measure(truth, predicted, **options))}


@asks(K + "precision_score")
def _precision(theirs, y_true, y_pred, *, labels=None, pos_label=1, average="binary",
               sample_weight=None, zero_division="warn"):  # fmt: skip
    return _averaged(metrics.precision, theirs, y_true, y_pred, labels, pos_label, average,
                     sample_weight, zero_division)  # fmt: skip


@asks(K + "recall_score")
def _recall(theirs, y_true, y_pred, *, labels=None, pos_label=1, average="binary",
            sample_weight=None, zero_division="warn"):  # fmt: skip
    return _averaged(metrics.recall, theirs, y_true, y_pred, labels, pos_label, average,
                     sample_weight, zero_division)  # fmt: skip


@asks(K + "f1_score", K + "fbeta_score")
def _f(theirs, y_true, y_pred, *, beta=1.0, labels=None, pos_label=1, average="binary",
       sample_weight=None, zero_division="warn"):  # fmt: skip
    return _averaged(metrics.f_beta, theirs, y_true, y_pred, labels, pos_label, average,
                     sample_weight, zero_division, beta=beta)  # fmt: skip


@asks(K + "accuracy_score", K + "zero_one_loss")
def _right(theirs, y_true, y_pred, *, normalize=True, sample_weight=None):
    plain("counts in place of shares", normalize)
    truth, predicted = _flat(y_true, y_pred)
    wrong = metrics.error(truth, predicted, weights=_weights(sample_weight))
    agree = np.average(truth == predicted, weights=_weights(sample_weight))
    return {"value": (theirs, 1 - wrong if same(theirs, agree) else wrong)}


@asks(K + "confusion_matrix")
def _confusion(theirs, y_true, y_pred, *, labels=None, sample_weight=None, normalize=None):
    plain("shares in place of counts", normalize is None)
    truth, predicted = _flat(y_true, y_pred)
    plain("no case, or classes that do not occur", truth.size > 0)
    present = set(truth.tolist()) | set(predicted.tolist())
    plain("another choice of classes", labels is None or set(labels) == present)
    ours = metrics.confusion_matrix(truth, predicted, weights=_weights(sample_weight),
                                    classes=None if labels is None else list(labels))  # fmt: skip
    return {"counts": (theirs, ours.counts)}


@asks(K + "matthews_corrcoef")
def _matthews(theirs, y_true, y_pred, *, sample_weight=None):
    ours = metrics.matthews_correlation(*_flat(y_true, y_pred), undefined="zero",
                                        weights=_weights(sample_weight))  # fmt: skip
    return {"value": (theirs, ours)}


@asks(K + "balanced_accuracy_score")
def _balanced(theirs, y_true, y_pred, *, sample_weight=None, adjusted=False):
    plain("corrected for chance", not adjusted)
    ours = metrics.balanced_accuracy(*_flat(y_true, y_pred), weights=_weights(sample_weight))
    return {"value": (theirs, ours)}


@asks(K + "log_loss")
def _log_loss(theirs, y_true, y_pred=None, *, normalize=True, sample_weight=None, labels=None,
              y_proba=None):  # fmt: skip
    plain("sums in place of means", normalize)
    p = np.asarray(y_pred if y_proba is None else y_proba)
    truth = np.asarray(y_true)
    plain("several labels a case (multilabel)", truth.ndim == 1)
    classes = np.unique(truth) if labels is None else np.unique(labels)
    options = {"clip": float(np.finfo(p.dtype if p.dtype.kind == "f" else float).eps)}
    if p.ndim == 1:
        p = np.c_[1 - p, p]
    ours = metrics.log_loss(truth, p, classes=classes.tolist(), weights=_weights(sample_weight),
                            **options)  # fmt: skip
    return {"value": (theirs, ours)}


@asks(K + "brier_score_loss")
def _brier(theirs, y_true, y_proba, *, sample_weight=None, pos_label=None, labels=None,
           scale_by_half="auto"):  # fmt: skip
    p, truth = np.asarray(y_proba, float), np.asarray(y_true)
    plain("several labels a case (multilabel)", truth.ndim == 1)
    classes = np.unique(truth if labels is None else labels).tolist()
    half = scale_by_half is True or (scale_by_half == "auto" and (p.ndim == 1 or p.shape[1] == 2))
    options: dict[str, Any] = {"weights": _weights(sample_weight)}
    if p.ndim == 1:
        usual = set(classes) <= {0, 1} or set(classes) <= {-1, 1}
        options["positive"] = pos_label if pos_label is not None else 1 if usual else classes[-1]
        value = metrics.squared_loss(truth, p, **options)
        return {"value": (theirs, value if half else 2 * value)}
    plain("one class alone", len(classes) > 1)
    value = metrics.squared_loss(truth, p, classes=classes, scale="all", **options)
    return {"value": (theirs, value / 2 if half else value)}


def _binary(y_true: Any, y_score: Any, pos_label: Any) -> tuple[Any, Any, Any]:
    truth, scores = np.asarray(y_true), np.asarray(y_score, float)
    plain("several classes or labels", truth.ndim == 1 and scores.ndim == 1
          and np.unique(truth).size <= 2)  # fmt: skip
    words = set(np.unique(truth).tolist())
    top = pos_label if pos_label is not None else 1
    if pos_label is None and not words <= {0, 1} and not words <= {-1, 1}:
        top = sorted(words)[-1]
    return truth, scores, top


@asks(K + "roc_auc_score")
def _auc(
    theirs,
    y_true,
    y_score,
    *,
    average="macro",
    sample_weight=None,
    max_fpr=None,
    multi_class="raise",
    labels=None,
):
    truth, scores = np.asarray(y_true), np.asarray(y_score, float)
    weights = _weights(sample_weight)
    if truth.ndim == 1 and scores.ndim == 2 and multi_class in ("ovr", "ovo"):
        plain("several classes or labels, otherwise averaged", average == "macro")
        plain("weights of cases of several classes", weights is None)
        order = None if labels is None else list(labels)
        ours = stats.delong_multiclass_test(
            truth,
            scores,
            scores,
            classes=order,
            average="one-vs-rest" if multi_class == "ovr" else "one-vs-one",
        )
        return {"value": (theirs, ours.details["auc_a"])}
    truth, scores, _ = _binary(truth, scores, None)
    top = np.unique(truth)[-1]
    if max_fpr is not None and max_fpr < 1:
        plain("weights of cases under a part of the curve", weights is None)
        ours = stats.delong_partial_test(
            truth, scores, scores, positive=top, max_false_positive_rate=max_fpr
        )
        return {"value": (theirs, ours.details["standardized_a"])}
    return {"value": (theirs, metrics.auc(truth, scores, positive=top, weights=weights).auc)}


@asks(K + "average_precision_score")
def _precision_of_ranking(theirs, y_true, y_score, *, average="macro", pos_label=1,
                          sample_weight=None):  # fmt: skip
    truth, scores, top = _binary(y_true, y_score, pos_label)
    ours = metrics.average_precision(truth, scores, positive=top, weights=_weights(sample_weight))
    return {"value": (theirs, ours)}


@asks(K + "roc_curve")
def _roc(theirs, y_true, y_score, *, pos_label=None, sample_weight=None, drop_intermediate=True):
    truth, scores, top = _binary(y_true, y_score, pos_label)
    ours = metrics.roc_curve(truth, scores, positive=top, weights=_weights(sample_weight))
    at = np.isin(ours.thresholds, theirs[2])  # points on a line may be left out there
    return {
        "false positive rate": (theirs[0], ours.false_positive_rate[at]),
        "true positive rate": (theirs[1], ours.true_positive_rate[at]),
    }


@asks(K + "precision_recall_curve")
def _curve(theirs, y_true, y_score, *, pos_label=None, sample_weight=None,
           drop_intermediate=False):  # fmt: skip
    truth, scores, top = _binary(y_true, y_score, pos_label)
    ours = metrics.precision_recall_curve(truth, scores, positive=top,
                                          weights=_weights(sample_weight))  # fmt: skip
    at = np.isin(ours.thresholds, theirs[2])
    return {
        "precision": (theirs[0][:-1], ours.precision[at][::-1]),
        "recall": (theirs[1][:-1], ours.recall[at][::-1]),
    }


because(K, text="labels of several types, or a positive class that does not occur: refused")(
    refused("class that occurs", "of one type")
)
because(K, text="a beta of 0 or infinity: refused")(refused("beta: expected a positive number"))
because(K, text="negative weights, or all of them zero: refused")(refused("weights"))
because(K, text="no positive, or no negative case: no value here (NaN), 0, 1 or an error there")(
    by_ours(np.isnan)
)


because(K + "log_loss", text="rows that do not sum to 1: refused")(refused("sum to 1"))


@because(
    K + "log_loss",
    text="probabilities in single or half precision, whose logarithms are taken in it there",
)
def _short(case: Case) -> bool:
    return case.outcome == "different" and any(
        np.asarray(x).dtype in (np.float32, np.float16) for x in case.args
    )


@because(K + "confusion_matrix", text="weights above 2^53 as whole numbers there, as floats here")
def _large(case: Case) -> bool:
    return bool((np.asarray(case.options.get("sample_weight", 0), float) > 2**53).any())
