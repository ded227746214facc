"""Predictions scored once for all models, and the evidence on a difference of two of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..metrics.measures import Measure
from ..replicates.base import Kind, ReplicateResults
from ..study.measured import contributions, undefined
from ..study.node_study import Predictions
from ..study.task import Items
from .estimates import ErrorEstimates, QEstimator, estimate_errors

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scores:
    """What the models' predictions on one network are worth, split by split and node by node.

    Where links are predicted, the items are pairs of nodes, by their numbers in a `LinkSplit`.
    """

    predictions: Predictions  # of any number of models
    measure: Measure  # what is compared
    # shape (n_models, n_splits, n_seeds): the measure of each model on each split with each
    # training seed
    by_seed: Floats
    # shape (n_tested,): the nodes that any split tests; all models are tested on the same ones
    nodes: NDArray[np.intp]
    times: NDArray[np.int64]  # shape (n_tested,): number of splits that test each
    # shape (n_tested,): how much a node counts: a test counts as one over the size of its test set
    # (times the mean size), so that the weighted mean over nodes is the mean over splits
    weights: Floats
    # shape (n_models, n_tested): what each node contributes to the measure, the mean over its tests
    means: Floats
    _estimates: dict[tuple[str, str], ErrorEstimates] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, predictions: Predictions, measure: Measure) -> Scores:
        """Score predictions."""
        predictions.task.check_measurable(predictions, measure)

        def part(run: Any, model: str, number: int) -> Floats:
            return contributions(run, model, number, measure)

        return cls.of_parts(predictions, measure, part)

    @classmethod
    def of_parts(
        cls,
        predictions: Predictions,
        measure: Measure,
        part_of: Callable[[Any, str, int], Floats],
    ) -> Scores:
        """Score by what every test node contributes.

        `part_of` tells it from the predictions with one training seed, a model and the number of
        a split.
        """
        splits, models = predictions.splits, predictions.models
        runs = predictions.runs
        sizes = np.array([split.test.size for split in splits])
        numbers, places = predictions.task.tested(predictions.network, splits)
        by_seed = np.empty((len(models), len(splits), len(runs)))
        total, weight = np.zeros((len(models), numbers.size)), np.zeros(numbers.size)
        times = np.zeros(numbers.size, dtype=np.int64)
        # split by split: no second matrix, and the same rounding for any order of the nodes
        for number, (test, share) in enumerate(zip(places, sizes.mean() / sizes)):
            times[test] += 1
            weight[test] += share
            for place, model in enumerate(models):
                for seed, run in enumerate(runs):
                    part = part_of(run, model, number)
                    if np.isnan(part).any():
                        raise undefined(measure, model, number)
                    by_seed[place, number, seed] = part.mean()
                    total[place, test] += share * part / len(runs)
        some = np.flatnonzero(times)
        return cls(
            predictions=predictions,
            measure=measure,
            by_seed=by_seed,
            nodes=numbers[some],
            times=times[some],
            weights=weight[some],
            means=total[:, some] / weight[some],
        )

    @property
    def values(self) -> Floats:
        """The measure of each model on each split, the mean over seeds: (n_models, n_splits)."""
        return np.asarray(self.by_seed.mean(axis=2))

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in the order of the rows."""
        return tuple(self.predictions.models)

    @property
    def items(self) -> Items:
        """What predictions are made for."""
        return self.predictions.task.items

    @property
    def ends(self) -> NDArray[np.intp]:
        """The two nodes of each tested pair, shape (n_tested, 2)."""
        return np.stack(np.divmod(self.nodes, self.predictions.network.n_nodes), axis=1)

    @property
    def mean(self) -> dict[str, float]:
        """The measure of each model, the mean over splits."""
        return dict(zip(self.models, self.values.mean(axis=1).tolist()))

    @property
    def n_train(self) -> float:
        """Mean size of a training set."""
        return float(np.mean([split.train.size for split in self.predictions.splits]))

    @property
    def overlap(self) -> float:
        """Mean number of test sets that hold a node which is tested at all."""
        return float(self.times.mean())

    def row(self, model: str) -> int:
        return self.models.index(model)

    def over_communities(
        self, contributions: Floats, groups: NDArray[np.integer]
    ) -> tuple[float, int]:
        """Return the variance of a mean of tested nodes by sums over communities, and their number.

        It is that of `nettrial.stats.cluster_mean_test` with the correction CR0.

        Parameters
        ----------
        contributions : ndarray, shape (n_tested,)
        groups : ndarray of int, shape (n_tested,)
            Community of each tested node.
        """
        group = np.unique(groups, return_inverse=True)[1]
        weight = self.weights / self.weights.sum()
        sums = np.bincount(group, weights=weight * (contributions - weight @ contributions))
        return float((sums**2).sum()), sums.size

    def estimates(self, model: str, q: QEstimator = "moment") -> ErrorEstimates:
        """Estimate p, q and rho of a model's errors; found once."""
        if (model, q) not in self._estimates:
            self._estimates[model, q] = estimate_errors(
                self.predictions.network, self.predictions.errors(model), q=q
            )
        return self._estimates[model, q]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a test of one model, or of the difference of two, works on."""

    scores: Scores
    # a, b: the models; differences are a minus b. An empty `b` stands for the measure of a alone.
    a: str
    b: str
    communities: NDArray[np.int32]  # shape (n_nodes,): community of each node
    confidence: float = 0.95  # level of the intervals
    seed: int = 0  # for tests that draw at random
    q: QEstimator = "moment"  # estimator of q, see `estimate_q`
    # what the models did on networks drawn from this one, where they were run again
    reruns: ReplicateResults | None = None

    @property
    def measure(self) -> Measure:
        """What is compared."""
        return self.scores.measure

    @property
    def scores_a(self) -> Floats:
        """The measure of model a on each split, shape (n_splits,)."""
        return np.asarray(self.scores.values[self.scores.row(self.a)])

    @property
    def scores_b(self) -> Floats:
        """The measure of model b on each split; 0 where there is none."""
        if not self.b:
            return np.zeros(self.scores.values.shape[1])
        return np.asarray(self.scores.values[self.scores.row(self.b)])

    @property
    def estimate(self) -> float:
        """Mean over splits of the difference."""
        return float(np.mean(self.scores_a - self.scores_b))

    @property
    def differences(self) -> Floats:
        """What each tested node contributes to the difference, shape (n_tested,)."""
        own = self.scores.means[self.scores.row(self.a)]
        return np.asarray(own - self.scores.means[self.scores.row(self.b)] if self.b else own)

    @property
    def groups(self) -> NDArray[np.int32]:
        """Community of each tested node, shape (n_tested,)."""
        return np.asarray(self.communities[self.scores.nodes])

    def ran_again(self) -> ReplicateResults:
        """Return what the models did on drawn networks."""
        if self.reruns is None:
            raise InputError("the models were not run again")
        return self.reruns

    def variance(self, kind: type[Kind]) -> Kind:
        """Return the variance of the difference by drawn networks of one kind."""
        return self.ran_again().variance(kind, self.a, self.b)

    def of(self, a: str, b: str = "") -> Evidence:
        """Return the same evidence on other models."""
        return replace(self, a=a, b=b)


def scores_by_model(scores: Scores) -> Mapping[str, Floats]:
    """Return the measure of each model on each split."""
    return dict(zip(scores.models, scores.values))
