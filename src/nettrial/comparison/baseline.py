"""What a model must beat: always the commonest class, the mean, or the degrees of the two ends."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..core.errors import AssumptionWarning, InputError
from ..core.wording import listed
from ..inference.scores import Scores
from ..metrics.amounts import mean_of
from .analysis import Analysis


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
    if how.design == "transfer":
        return None
    task = predictions.task
    made = task.baseline(predictions, known="predictions" not in how.settings)
    if made is None:
        return None
    try:
        parts = [
            measure.value(*task.handed(made, task.baseline_model, number, measure))
            for number in range(len(predictions.splits))
        ]
    except InputError:
        return None
    score = float(np.mean(parts))
    return None if math.isnan(score) else Baseline(task.baseline_words, score)


def baseline_notes(scores: Scores, baseline: Baseline | None) -> tuple[Warning, ...]:
    """Warn of models that are no better than the baseline, or predict one class only."""
    predictions, task = scores.predictions, scores.predictions.task
    worse = _not_better(scores, baseline, task.baseline_model)
    return task.blind_spots(predictions, scores.measure, worse)


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
            "a verdict says which model is better, not that either helps; report the baseline too"
        ),
    )
