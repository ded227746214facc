"""What tests that need predictions alone work on: each node's part in the difference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..estimates import ErrorEstimates
from ..metrics.measures import SMALLEST, Measure
from ..models.decide import predict_labels
from ..network import Network
from ..study import Predictions

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the tests work on.

    Attributes
    ----------
    network : Network
        Its links tell how far nodes are from each other.
    measure : Measure
        What is compared.
    scores_a, scores_b : ndarray, shape (n_splits,)
        The measure of each model on each split.
    nodes : ndarray of int, shape (n_tested,)
        The nodes that any split tests; both models are tested on the same ones.
    times : ndarray of int, shape (n_tested,)
        How many splits test each.
    differences : ndarray, shape (n_tested,)
        Mean over these splits of what the node contributes to the measure of A minus that of B.
    weights : ndarray, shape (n_tested,)
        How much a node counts: a test counts as one over the size of its test set (times the
        mean size), so that the weighted mean of `differences` is the mean over splits of the
        difference of the measures.
    estimates_a, estimates_b : ErrorEstimates
        Parameters of the models' errors.
    communities : ndarray of int, shape (n_nodes,)
        Community of each node.
    n_train : float
        Mean size of a training set.
    confidence : float
        Level of the intervals.
    seed : int
        For tests that draw at random.
    """

    network: Network
    measure: Measure
    scores_a: Floats
    scores_b: Floats
    nodes: NDArray[np.intp]
    times: NDArray[np.int64]
    differences: Floats
    weights: Floats
    estimates_a: ErrorEstimates
    estimates_b: ErrorEstimates
    communities: NDArray[np.int32]
    n_train: float
    confidence: float
    seed: int

    @property
    def overlap(self) -> float:
        """Mean number of test sets that hold a node which is tested at all."""
        return float(self.times.mean())


def evidence_of(
    predictions: Predictions,
    measure: Measure,
    estimates: tuple[ErrorEstimates, ErrorEstimates],
    communities: NDArray[np.int32],
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> Evidence:
    """Collect what the tests of a difference need of two models' predictions.

    Raises
    ------
    InputError
        Where the measure needs probabilities that a model does not give, or is not defined on
        the test set of some split.
    """
    check_measurable(predictions, measure)
    splits = predictions.splits
    sizes = np.array([split.test.size for split in splits])
    scores = np.empty((2, len(splits)))
    difference, weight = np.zeros((2, predictions.network.n_nodes))
    times = np.zeros(predictions.network.n_nodes, dtype=np.int64)
    # split by split: no second matrix, and the same rounding for any order of the nodes
    for number, (split, share) in enumerate(zip(splits, sizes.mean() / sizes)):
        parts = [contributions(predictions, m, number, measure) for m in predictions.models]
        scores[:, number] = [part.mean() for part in parts]
        times[split.test] += 1
        weight[split.test] += share
        difference[split.test] += share * (parts[0] - parts[1])
    nodes = np.flatnonzero(times)
    return Evidence(
        network=predictions.network,
        measure=measure,
        scores_a=scores[0],
        scores_b=scores[1],
        nodes=nodes,
        times=times[nodes],
        differences=difference[nodes] / weight[nodes],
        weights=weight[nodes],
        estimates_a=estimates[0],
        estimates_b=estimates[1],
        communities=communities,
        n_train=float(np.mean([split.train.size for split in splits])),
        confidence=confidence,
        seed=seed,
    )


def contributions(
    predictions: Predictions, model: str, number: int, measure: Measure
) -> NDArray[np.float64]:
    """Give what every test node of one split contributes to the measure of one model."""
    proba = predictions.probabilities[model][number]
    labels = predictions.network.labels[predictions.splits[number].test]
    return measure.contributions(labels, proba.astype(np.float64), predict_labels(proba))


def check_measurable(predictions: Predictions, measure: Measure) -> None:
    """Refuse a measure that the predictions do not allow.

    Raises
    ------
    InputError
        Where it needs probabilities and a model gives 0 and 1 only, or it needs test nodes of
        two classes and a test set has one.
    """
    if measure.needs_probabilities:
        for model, tables in predictions.probabilities.items():
            if all(((table == 0) | (table == 1)).all() for table in tables):
                raise InputError(
                    f"measure: {measure.name} needs probabilities, but {model} gives every class "
                    "0 or 1, that is labels alone; use error or macro_f1, or predictions with "
                    "probabilities"
                )
    if measure.name != "auc":
        return
    labels = predictions.network.labels
    alone = [
        number
        for number, split in enumerate(predictions.splits)
        if np.unique(labels[split.test]).size < 2
    ]
    if alone:
        raise InputError(
            f"measure: AUC is not defined on a test set of one class, and {len(alone)} of "
            f"{len(predictions.splits)} test sets are that (splits "
            f"{', '.join(map(str, alone[:8]))}{', ...' * (len(alone) > 8)}); use more test nodes, "
            "splits stratified by class, or another measure"
        )


def clipped(predictions: Predictions) -> dict[str, int]:
    """Count for every model the tests whose true class has a probability outside [eps, 1 - eps].

    The log loss of a probability of 0 depends on the bound alone.
    """
    labels = predictions.network.labels
    found = {}
    for model, tables in predictions.probabilities.items():
        found[model] = sum(
            int((table[np.arange(split.test.size), labels[split.test]] < SMALLEST).sum())
            for split, table in zip(predictions.splits, tables)
        )
    return found
