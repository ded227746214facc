"""What tests that need predictions alone work on: each node's part in the difference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..estimates import ErrorEstimates
from ..measured import check_measurable, contributions
from ..metrics.measures import Measure
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
