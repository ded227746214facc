"""The names under which columns of predictions go, and text that means the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..network.network_parts import is_missing

SPLIT = ("split", "split_id", "split_idx", "fold", "fold_id", "fold_idx", "cv", "cv_fold", "seed",
         "repeat", "repetition", "replicate", "run", "run_id", "trial", "iteration",
         "iter")  # fmt: skip
POSITION = ("node_index", "node_idx", "idx", "index")  # of a node in the network, or its id
NODE = ("node", "node_id", "nodeid", "nid", "vertex", "vertex_id", "id", *POSITION)
MODEL = ("model", "model_name", "method", "classifier", "clf", "algorithm", "approach",
         "estimator")  # fmt: skip
LABEL = ("label", "true_label", "y_true", "y", "true", "truth", "true_class", "ground_truth",
         "gt", "gold", "actual", "observed", "target")  # fmt: skip
PREDICTION = ("prediction", "predicted", "pred", "y_pred", "yhat", "y_hat", "predicted_class",
              "predicted_label", "pred_class", "pred_label", "predictions", "preds",
              "output", "estimate")  # fmt: skip
# one probability per row: of the true class, of the predicted class or of one of two classes
OF_TRUE = ("p_true", "prob_true", "proba_true", "p_label", "prob_label")
CONFIDENCE = ("proba", "prob", "probability", "confidence", "conf", "p", "p_pred", "prob_pred",
              "proba_pred", "p_predicted", "p_max", "max_prob", "score", "y_score", "y_prob",
              "y_proba")  # fmt: skip
# what may differ between the experiments of one file, which are never merged
EXPERIMENT = ("design", "dataset", "data_set", "network", "graph", "experiment", "task",
              "setting", "labeled", "label_rate", "train_ratio", "proportion")  # fmt: skip
SET = ("set", "subset", "part", "split", "mask")  # a column that holds the words below
TESTED = frozenset({"test", "testing", "tested"})
OTHER_SETS = frozenset({"train", "training", "valid", "val", "validation", "dev", "inference"})
PROBABILITY = ("p_", "prob_", "proba_", "probability_")  # before the name of a class
FLAGS = {"False": "0", "false": "0", "FALSE": "0", "True": "1", "true": "1", "TRUE": "1"}
LOGIT = ("logit_", "logits_", "logit", "logits")


def plain(name: str) -> str:
    """Write the name of a column without case, separators and signs.

    Examples
    --------
    >>> plain("Node ID"), plain("y-pred"), plain("Fold #")
    ('node_id', 'y_pred', 'fold')
    """
    return "_".join(re.findall(r"[^\W_]+", name.lower()))


def usual(names: Iterable[str], wanted: Iterable[str]) -> str | None:
    """Return the first of the usual names that is there, as it is written there."""
    return next(iter(all_usual(names, wanted)), None)


def all_usual(names: Iterable[str], wanted: Iterable[str]) -> list[str]:
    """Return all usual names that are there, as they are written there, in the usual order."""
    written: dict[str, str] = {}
    for name in names:
        written.setdefault(plain(name), name)
    return [written[word] for word in wanted if word in written]


def text(values: NDArray[Any]) -> NDArray[Any]:
    """Return values as text, whole numbers without point, missing ones as "".

    Examples
    --------
    >>> text(np.array([1.0, np.nan, 2.5])).tolist(), text(np.array(["1.0", "a"])).tolist()
    (['1', '', '2.5'], ['1.0', 'a'])
    """
    import pandas as pd

    codes, names = pd.factorize(values)
    return np.array([*map(_word, names.tolist()), ""], dtype=object)[codes]


def _word(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if is_missing(value):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def whole(word: str) -> str:
    """Return a whole number that is written with a point, as 3.0, without it.

    Examples
    --------
    >>> whole("3.0"), whole("3.5"), whole("v3.0")
    ('3', '3.5', 'v3.0')
    """
    head, point, tail = word.partition(".")
    digits = head.removeprefix("-")
    return head if point and digits.isascii() and digits.isdigit() and not tail.strip("0") else word
