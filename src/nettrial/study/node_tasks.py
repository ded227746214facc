"""Classes and numbers of nodes."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown, unknown_choice
from ..core.option_names import option
from ..metrics.measures import Measure
from ..metrics.regression import LARGEST
from ..models.adapted import check_predicts
from ..models.base import AnyModel, BatchModel, BatchRegressor
from ..models.decide import predict_labels
from ..network.network import Network
from ..network.network_parts import MISSING
from ..splits.base import Split
from .fitting import CrossLinks, ModelError, fit_predict
from .task import Task

if TYPE_CHECKING:
    import pandas as pd

NOT_TESTED = -1  # in an error matrix: the split does not test the node


class NodeTask(Task):
    """What classes and numbers of nodes have in common."""

    batch: type[Any]  # the models that run many splits in one call

    def check_run(
        self,
        network: Network,
        models: Mapping[str, AnyModel],
        splits: Sequence[Split],
        cross_links: CrossLinks,
    ) -> CrossLinks:
        """Refuse models of another kind, and test nodes without label."""
        if cross_links not in get_args(CrossLinks):
            raise unknown_choice("cross_links", cross_links, get_args(CrossLinks))
        check_predicts(network, models)
        for number, split in enumerate(splits):
            if (network.labels[split.test] == MISSING).any():
                raise InputError(f"run: split {number} tests nodes whose label is missing")
        return cross_links

    def in_batches(self, network: Network, model: AnyModel, cross_links: CrossLinks) -> bool:
        """Return whether a model runs many splits in one call."""
        return isinstance(model, self.batch) and cross_links == "keep"

    def predict(
        self, network: Network, model: AnyModel, split: Split, seed: int, cross_links: CrossLinks
    ) -> Any:
        """Fit a fresh copy of a model on training nodes, and predict the test nodes."""
        return fit_predict(network, model, split.train, split.test, seed, cross_links)

    def frame(self, predictions: Any) -> pd.DataFrame:
        """Return one row per split, test node and model."""
        import pandas as pd

        network, blocks = predictions.network, []
        for model in predictions.models:
            for number, split in enumerate(predictions.splits):
                known = {
                    "split": number,
                    "node": [network.ids[i] for i in split.test],
                    "model": model,
                }
                blocks.append(pd.DataFrame(known | self._columns(predictions, model, number)))
        return pd.concat(blocks, ignore_index=True)

    def _columns(self, predictions: Any, model: str, number: int) -> dict[str, Any]:
        raise NotImplementedError


class Classes(NodeTask):
    """Classes of nodes, by their probabilities."""

    name = "classes"
    batch = BatchModel

    def of_splits(self, network: Network, splits: Sequence[Any]) -> bool:
        """Return whether the network has classes."""
        return network.targets is None

    def shape(self, network: Network, split: Split) -> tuple[int, ...]:
        """Return one row per test node, one column per class."""
        return split.test.size, network.n_classes

    def checked(
        self, said: Any, network: Network, split: Split, name: str, where: str
    ) -> NDArray[np.floating]:
        """Refuse what is no table of class probabilities."""
        _refuse_complex(said, name, where)
        shape = self.shape(network, split)
        array = np.array(said, dtype=np.float32)  # a copy: the model may go on writing into its own
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
        return own.predict_proba_batch(_hidden(network), labels, seeds)

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
        """Refuse a measure that needs probabilities of labels alone, or classes that are not there.

        Raises
        ------
        InputError
            Where it needs probabilities and a model gives 0 and 1 only, or as `check_defined`.
        """
        if measure.needs_probabilities:
            for model, tables in predictions.probabilities.items():
                if all(((table == 0) | (table == 1)).all() for table in tables):
                    raise InputError(
                        f"{measure.name} needs probabilities, but {model} gives every class 0 or "
                        "1, that is labels alone",
                        parameter="measure",
                        hint="use error, mcc or macro_f1, or predictions with probabilities",
                    )
        check_defined(predictions.network, predictions.splits, measure)


class Numbers(NodeTask):
    """Numbers of nodes."""

    name = "numbers"
    batch = BatchRegressor

    def of_splits(self, network: Network, splits: Sequence[Any]) -> bool:
        """Return whether the network has numeric targets."""
        return network.targets is not None

    def shape(self, network: Network, split: Split) -> tuple[int, ...]:
        """Return one number per test node."""
        return (split.test.size,)

    def checked(
        self, said: Any, network: Network, split: Split, name: str, where: str
    ) -> NDArray[np.floating]:
        """Refuse what is not a number for each node whose square can be added up."""
        _refuse_complex(said, name, where)
        array, shape = np.array(said, dtype=np.float64), self.shape(network, split)
        if array.shape != shape:
            raise ModelError(
                f"model {shown(name)}, {where}: expected predictions of shape {shape}, one number "
                f"for each node asked for, got {array.shape}"
            )
        bad = np.count_nonzero(~(np.abs(array) <= LARGEST))
        if bad:
            raise ModelError(
                f"model {shown(name)}, {where}: expected numbers from predict, got {bad} of "
                f"{array.size} that are missing or infinite, or beyond {LARGEST:g}"
            )
        return array

    def predict_batch(
        self,
        network: Network,
        model: AnyModel,
        splits: Sequence[Split],
        seeds: Sequence[int],
    ) -> Any:
        """Fit and predict with every set of training targets."""
        assert network.targets is not None  # noqa: S101 - its targets are what is predicted
        targets = np.full((len(splits), network.n_nodes), np.nan)
        for known, split in zip(targets, splits):
            known[split.train] = network.targets[split.train]
        own: Any = copy.deepcopy(model)
        return own.predict_batch(_hidden(network), targets, seeds)

    def handed(
        self, predictions: Any, model: str, number: int, measure: Measure, origin: Any = None
    ) -> tuple[Any, Any, Any, Any]:
        """Return targets, predictions and nodes."""
        nodes, said = predictions.splits[number].test, predictions.probabilities[model][number]
        return predictions.network.targets[nodes], said, said, nodes

    def _columns(self, predictions: Any, model: str, number: int) -> dict[str, Any]:
        target = predictions.network.targets[predictions.splits[number].test]
        return {"target": target, "prediction": predictions.probabilities[model][number]}

    def check_measurable(self, predictions: Any, measure: Measure) -> None:
        """Refuse a measure that is not defined on the test sets."""
        check_defined(predictions.network, predictions.splits, measure)


def _hidden(network: Network) -> Network:
    return network.mask_labels(np.empty(0, dtype=np.intp))


def _refuse_complex(values: Any, name: str, where: str) -> None:
    if np.iscomplexobj(values):  # of which NumPy would keep the real parts
        raise ModelError(
            f"model {shown(name)}, {where}: expected real numbers, got complex ones; give "
            "probabilities, or their real parts on purpose"
        )


def check_defined(network: Network, splits: Sequence[Split], measure: Measure) -> None:
    """Refuse a measure that is not defined on these test sets, whatever models predict.

    Raises
    ------
    InputError
        Where it needs a positive class and none is given, more classes than there are, a test set
        of two classes, one with a positive, or larger test sets than there are.
    """
    if measure.needs_positive and not network.is_one_against_rest:
        listed = ", ".join(str(c) for c in network.classes[:8])
        more = ", ..." * (network.n_classes > 8)
        raise InputError(
            f"{measure.title} judges one class against all others",
            parameter="measure",
            hint=f"expected {option('positive')} as one of {listed}{more}; "
            "mean_average_precision, macro_precision and macro_f1 are means over all "
            "classes",
        )
    if network.n_classes < measure.least_classes:
        raise InputError(
            f"{measure.name} is 100% for every model of {network.n_classes} classes",
            parameter="measure",
            hint=f"expected at least {measure.least_classes} classes, or a smaller number after @",
        )
    labels = [network.labels[split.test] for split in splits]
    if measure.needs_two_classes:
        _refuse(measure, [np.unique(part).size < 2 for part in labels], "of one class")
    if measure.needs_positive:
        _refuse(measure, [not (part == 1).any() for part in labels], "without a positive")
    if measure.least_nodes > 1:
        few = [part.size < measure.least_nodes for part in labels]
        _refuse(measure, few, f"of fewer than {measure.least_nodes} nodes")


def _refuse(measure: Measure, undefined: Sequence[bool], what: str) -> None:
    """Refuse a measure that some test sets do not define."""
    alone = [number for number, bad in enumerate(undefined) if bad]
    if alone:
        raise InputError(
            f"{measure.title} is not defined on a test set {what}, and {len(alone):,} of "
            f"{len(undefined):,} test sets are that (splits "
            f"{', '.join(map(str, alone[:8]))}{', ...' * (len(alone) > 8)})",
            parameter="measure",
            hint="use more test nodes, splits stratified by class, or another measure",
        )
