"""What a model must beat: always the commonest class, the mean, or the degrees of the two ends."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..core.errors import AssumptionWarning, InputError
from ..core.option_names import option
from ..core.wording import listed
from ..inference.scores import Scores
from ..metrics.amounts import mean_of, noun
from ..metrics.measures import Measure
from ..models.link_predictors import as_link_predictor
from ..models.prior import Prior
from ..network.network import Network
from ..network.summary import class_counts
from ..study.node_study import Predictions, run
from ..study.tasks import LINKS
from .analysis import Analysis

COMMONEST, MEAN, BY_DEGREE = "always the commonest class", "always the mean", "by degree"
DEGREE = "preferential_attachment"
RARE = 0.1  # share of nodes of a class that the error rate hardly counts
BLIND = ("error", "accuracy", "micro_f1")  # to rare classes


class Baseline(NamedTuple):
    """What is reached without a model.

    Attributes
    ----------
    words : str
        What is predicted: the commonest class of the training nodes (with the shares of the classes
        as probabilities), the mean of their targets, or links by the product of degrees.
    score : float
        The measure, the mean over splits.
    """

    words: str
    score: float


def baseline_of(scores: Scores, how: Analysis) -> Baseline | None:
    """Return what is reached without a model.

    None where the measure is not defined for it, and where it is not known what models learned
    from: links that were handed in as scores, and classes of another network.
    """
    predictions, measure = scores.predictions, scores.measure
    links = predictions.task is LINKS
    if (links and "predictions" in how.settings) or how.design == "transfer":
        return None
    if links:
        name, words = DEGREE, BY_DEGREE
        made = predictions
        if name not in predictions.models:
            models = {name: as_link_predictor(name)}
            made = run(predictions.network, models, predictions.splits, progress=False)
    else:
        words = COMMONEST if predictions.network.targets is None else MEAN
        name = words
        made = _constant(predictions, name)
    try:
        parts = [
            measure.value(*made.task.handed(made, name, number, measure))
            for number in range(len(predictions.splits))
        ]
    except InputError:
        return None
    score = float(np.mean(parts))
    return None if math.isnan(score) else Baseline(words, score)


def _constant(predictions: Predictions, name: str) -> Predictions:
    """Return what is predicted without looking at the network."""
    network, tables = predictions.network, []
    for split in predictions.splits:
        if network.targets is not None:
            tables.append(np.full(split.test.size, network.targets[split.train].mean()))
            continue
        counts = np.bincount(network.labels[split.train], minlength=network.n_classes)
        shares = counts / max(counts.sum(), 1)
        tables.append(np.tile(shares, (split.test.size, 1)))
    return Predictions(network, predictions.splits, (name,), {name: tuple(tables)})


def baseline_notes(scores: Scores, baseline: Baseline | None) -> tuple[Warning, ...]:
    """Warn of models that are no better than the baseline, or predict one class only."""
    predictions, measure = scores.predictions, scores.measure
    if predictions.task is LINKS:
        return _not_better(scores, baseline, DEGREE)
    note = _not_better(scores, baseline, Prior.__name__.lower())
    if predictions.network.targets is not None:
        return note
    constant = [name for name in scores.models if _predicts_one_class(predictions, name)]
    if constant:
        predict = "predicts" if len(constant) == 1 else "predict"
        note = (
            AssumptionWarning(
                f"{listed(constant)} {predict} one class only on every split, and the "
                f"{noun(measure)} does not show what else it learned"
            ),
            *note,
        )
    return note + _rare(predictions.network, measure)


def _not_better(scores: Scores, baseline: Baseline | None, same: str) -> tuple[Warning, ...]:
    if baseline is None:
        return ()
    measure = scores.measure
    worse = [
        f"{name} ({mean_of(measure, score)})"
        for name, score in scores.mean.items()
        if name.lower() != same and measure.sign * (score - baseline.score) >= 0
    ]
    if not worse:
        return ()
    do = "does" if len(worse) == 1 else "do"
    return (
        AssumptionWarning(
            f"{listed(worse)} {do} not beat {baseline.words} ({mean_of(measure, baseline.score)}): "
            "a verdict says which model is better, not that either is of use"
        ),
    )


def _predicts_one_class(predictions: Predictions, model: str) -> bool:
    said = [predictions.predicted(model, number) for number in range(len(predictions.splits))]
    same = Prior.__name__.lower()
    return model.lower() != same and all(np.unique(each).size == 1 for each in said)


def _rare(network: Network, measure: Measure) -> tuple[Warning, ...]:
    """Suggest a measure that counts a rare class where one class holds most of the nodes."""
    counts = class_counts(network)
    shares = counts / counts.sum()
    if measure.is_custom or measure.name not in BLIND or shares.max() <= 0.5:
        return ()
    rarest = int(np.where(shares > 0, shares, 1.0).argmin())
    if not shares[rarest] < RARE:
        return ()
    better = "average_precision" if network.n_classes == 2 else "macro_f1"
    return (
        AssumptionWarning(
            f"{shares[rarest]:.1%} of the nodes are of the class {str(network.classes[rarest])!r}, "
            f"which the {noun(measure)} hardly counts; {option('measure', better)} does"
        ),
    )
