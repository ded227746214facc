"""Classes of nodes, by their probabilities."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning, InputError, shown
from ..core.option_names import option
from ..core.wording import listed
from ..metrics._check import class_places
from ..metrics.amounts import noun
from ..metrics.influence import SMALLEST
from ..metrics.measures import Measure
from ..models.base import AnyModel, BatchModel
from ..models.decide import predict_labels
from ..network.arrays import object_array
from ..network.network import Network
from ..network.node_values import MISSING
from ..network.summary import check_classes, class_counts
from ..numeric.input_alignment import column_names
from ..splits.base import Split
from .fitting import ModelError, numbers_said
from .node_task import NodeTask, hidden

NOT_TESTED = -1  # in an error matrix: the split does not test the node
RARE = 0.1  # share of nodes of a class that the error rate hardly counts
BLIND = ("error", "accuracy", "micro_f1")  # to rare classes


class Classes(NodeTask):
    """Classes of nodes, by their probabilities."""

    name = "classes"
    checked_parts: ClassVar[tuple[str, ...]] = ("splits", "link_splits", "predictions", "runs")
    batch = BatchModel
    baseline_words = "always the commonest class"

    def of_splits(self, network: Network, splits: Sequence[Any]) -> bool:
        return network.targets is None

    def shape(self, network: Network, split: Split) -> tuple[int, ...]:
        """Return one row per test node, one column per class."""
        return split.test.size, network.n_classes

    def checked(
        self, said: Any, network: Network, split: Split, name: str, where: str
    ) -> NDArray[np.floating]:
        """Refuse what is no table of class probabilities."""
        shape, names = self.shape(network, split), column_names(said)
        given = numbers_said(said, name, where)
        if names is not None:
            given = given[:, class_places(f"model {shown(name)}, {where}", names, network.classes)]
        array = np.array(
            given, dtype=np.float32
        )  # a copy: the model may go on writing into its own
        if array.shape != shape:
            raise ModelError(
                f"model {shown(name)}, {where}: expected probabilities of shape {shape}, "
                f"got {array.shape}: a row for each node asked for, a column for each class"
            )
        totals = array.sum(axis=1)
        within = np.isfinite(array).all() and (array >= -1e-6).all()
        if not (within and (abs(totals - 1) < 1e-3).all()):
            raise ModelError(
                f"model {shown(name)}, {where}: rows of predict_proba must be probabilities that "
                f"add up to 1; got values from {array.min()} to {array.max()} and row sums from "
                f"{totals.min()} to {totals.max()}"
            )
        return array

    def predict_batch(
        self,
        network: Network,
        model: AnyModel,
        splits: Sequence[Split],
        seeds: Sequence[int],
    ) -> Any:
        """Fit and predict with every set of training labels."""
        labels = np.full((len(splits), network.n_nodes), MISSING, dtype=np.int32)
        for row, split in zip(labels, splits):
            row[split.train] = network.labels[split.train]
        own: Any = copy.deepcopy(model)
        return own.predict_proba_batch(hidden(network), labels, seeds)

    def handed(
        self, predictions: Any, model: str, number: int, measure: Measure, origin: Any = None
    ) -> tuple[Any, Any, Any, Any]:
        """Return labels, probabilities, predicted classes and nodes."""
        nodes = predictions.splits[number].test
        proba = predictions.probabilities[model][number].astype(np.float64)
        known = nodes if origin is None else origin[nodes].astype(np.intp)
        labels = predictions.network.labels[nodes]
        return labels, proba, predictions.predicted(model, number), known

    def predicted(self, predictions: Any, model: str, number: int) -> NDArray[np.int32]:
        """Return the most probable classes, or those that were decided."""
        if predictions.decided:
            return np.asarray(predictions.decided[model][number])
        return predict_labels(predictions.probabilities[model][number])

    def errors(self, predictions: Any, model: str) -> NDArray[np.int8]:
        """Return 1 for wrong, 0 for right, -1 for not tested, shape (n_splits, n_nodes)."""
        network, splits = predictions.network, predictions.splits
        matrix = np.full((len(splits), network.n_nodes), NOT_TESTED, dtype=np.int8)
        for number, (row, split) in enumerate(zip(matrix, splits)):
            row[split.test] = predictions.predicted(model, number) != network.labels[split.test]
        return matrix

    def _columns(self, predictions: Any, model: str, number: int) -> dict[str, Any]:
        network, test = predictions.network, predictions.splits[number].test
        classes = np.array([str(name) for name in network.classes], dtype=object)
        proba = predictions.probabilities[model][number]
        return {
            "label": classes[network.labels[test]],
            "prediction": classes[predictions.predicted(model, number)],
        } | {f"p_{name}": proba[:, c] for c, name in enumerate(classes)}

    def check_measurable(self, predictions: Any, measure: Measure) -> None:
        """Refuse a measure that needs probabilities, or classes, that are not there."""
        if measure.needs_probabilities:
            for model, tables in predictions.probabilities.items():
                if all(((table == 0) | (table == 1)).all() for table in tables):
                    raise InputError(
                        f"{measure.name} needs probabilities, but {model} gives every class 0 or "
                        "1, that is labels alone",
                        parameter="measure",
                        hint="use error, mcc or macro_f1, or predictions with probabilities",
                    )
        self.check_defined(predictions.network, predictions.splits, measure)

    def check(self, network: Network) -> None:
        """Refuse a network without links, labels or a second class."""
        super().check(network)
        present = np.unique(network.labels[network.labeled])
        if present.size == 0:
            column, number = option("label"), option("target")
            here = " of read, from_frames or from_networkx; from_adjacency takes labels="
            raise InputError(
                "no node has a label",
                parameter="network",
                hint=f"name the column that holds the classes with {column}, or one that holds "
                f"numbers to predict with {number}{here * (column == 'label=')}",
            )
        if present.size == 1:
            raise InputError(
                f"all labeled nodes have the class {shown(network.classes[present[0]])}",
                parameter="network",
                hint="expected at least two classes",
            )
        check_classes(network)

    def known(self, network: Network, nodes: NDArray[np.integer[Any]]) -> dict[str, Any]:
        """Return the labels of nodes, as `Network` takes them."""
        names, codes = object_array([*network.classes, None]), network.labels[nodes]
        return {"labels": names[codes], "classes": network.classes}  # None is the last of them

    def truth(self, network: Network) -> NDArray[np.float64]:
        """Return who is of the commonest class."""
        commonest = class_counts(network).argmax()
        return np.asarray(network.labels[network.labeled] == commonest, dtype=np.float64)

    def doubts(self, network: Network) -> tuple[Warning, ...]:
        """Return what is doubtful about a network, and its rare classes."""
        return super().doubts(network) + check_classes(network)

    def cautions(self, predictions: Any, measure: Measure) -> tuple[Warning, ...]:
        """Describe how many log losses are set by the bound on the probabilities."""
        if measure.name != "log_loss":
            return ()
        counts = {model: n for model, n in clipped(predictions).items() if n}
        if not counts:
            return ()
        total = sum(split.test.size for run in predictions.runs for split in run.splits)
        note = " and ".join(f"{n:,} of {total:,} tests ({model})" for model, n in counts.items())
        return (
            AssumptionWarning(
                f"the true class has a probability below {SMALLEST:.1e} in {note}; it was taken "
                f"for that, so that each costs {-np.log(SMALLEST):.1f}: the log loss depends on "
                "this bound"
            ),
        )

    def _constant(self, network: Network, split: Split) -> NDArray[np.float64]:
        counts = np.bincount(network.labels[split.train], minlength=network.n_classes)
        return np.tile(counts / max(counts.sum(), 1), (split.test.size, 1))

    def blind_spots(
        self, predictions: Any, measure: Measure, worse: tuple[Warning, ...]
    ) -> tuple[Warning, ...]:
        """Warn of models that predict one class only, and of a class that hardly counts."""
        constant = [name for name in predictions.models if self._one_class(predictions, name)]
        if constant:
            predict = "predicts" if len(constant) == 1 else "predict"
            only = AssumptionWarning(
                f"{listed(constant)} {predict} one class only on every split, and the "
                f"{noun(measure)} does not show what else it learned"
            )
            worse = (only, *worse)
        return worse + _rare(predictions.network, measure)

    def _one_class(self, predictions: Any, model: str) -> bool:
        said = [predictions.predicted(model, number) for number in range(len(predictions.splits))]
        same = model.lower() == self.baseline_model
        return not same and all(np.unique(each).size == 1 for each in said)


class OneOfSeveral(Classes):
    """Classes that are one of several labels: what is measured is of all of them together."""

    name = "labels"
    checked_parts = ()

    def of_splits(self, network: Network, splits: Sequence[Any]) -> bool:
        """Return that a network alone does not show it."""
        return False

    def baseline(self, predictions: Any, known: bool) -> None:
        """Return nothing: several labels have no common one."""

    def blind_spots(
        self, predictions: Any, measure: Measure, worse: tuple[Warning, ...]
    ) -> tuple[Warning, ...]:
        """Return nothing that is of one label alone."""
        return worse


def clipped(predictions: Any) -> dict[str, int]:
    """Count for every model the tests whose true class has a probability below eps.

    Their log loss depends on that bound alone.
    """
    labels = predictions.network.labels
    found = {}
    for model in predictions.models:
        found[model] = sum(
            int((table[np.arange(split.test.size), labels[split.test]] < SMALLEST).sum())
            for run in predictions.runs
            for split, table in zip(run.splits, run.probabilities[model])
        )
    return found


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
