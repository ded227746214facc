"""Numbers of nodes."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning, InputError, shown
from ..core.option_names import option
from ..metrics.measures import Measure
from ..metrics.regression import LARGEST
from ..models.base import AnyModel, BatchRegressor
from ..network.network import Network
from ..splits.base import Split
from .fitting import ModelError, numbers_said
from .node_task import NodeTask, hidden

PARTS = 5  # of the range of targets, each with as many nodes
FAR = 20  # times that predictions are spread more widely than targets, in another unit
ALIKE = 0.5  # rank correlation of predictions with targets that says that they mean them


class Numbers(NodeTask):
    """Numbers of nodes."""

    name = "numbers"
    label = "target"
    checked_parts = ("splits", "link_splits")
    batch = BatchRegressor
    baseline_words = "always the mean"

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
        # a copy: the model may go on writing into its own
        array, shape = np.array(numbers_said(said, name, where)), self.shape(network, split)
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
        targets = np.full((len(splits), network.n_nodes), np.nan)
        for known, split in zip(targets, splits):
            known[split.train] = _of(network)[split.train]
        own: Any = copy.deepcopy(model)
        return own.predict_batch(hidden(network), targets, seeds)

    def handed(
        self, predictions: Any, model: str, number: int, measure: Measure, origin: Any = None
    ) -> tuple[Any, Any, Any, Any]:
        """Return targets, predictions and nodes."""
        nodes, said = predictions.splits[number].test, predictions.probabilities[model][number]
        return predictions.network.targets[nodes], said, said, nodes

    def _columns(self, predictions: Any, model: str, number: int) -> dict[str, Any]:
        target = predictions.network.targets[predictions.splits[number].test]
        return {"target": target, "prediction": predictions.probabilities[model][number]}

    def check(self, network: Network) -> None:
        """Refuse a network without links, and targets that are all alike or too large to square."""
        super().check(network)
        targets = _of(network)
        known = targets[~np.isnan(targets)]
        if known.size == 0:
            raise InputError(
                "no node has a target",
                parameter="network",
                hint=f"name a column of numbers with {option('target')}",
            )
        spread = known.max() - known.min()
        if spread == 0:
            note = f"all {known.size:,} targets are" if known.size > 1 else "the only target is"
            raise InputError(
                f"{note} {known[0]:g}", parameter="network", hint="expected at least two values"
            )
        if np.abs(known).max() > LARGEST or spread < 1 / LARGEST:
            raise InputError(
                f"targets lie between {known.min():g} and {known.max():g}",
                parameter="network",
                hint=f"expected numbers up to {LARGEST:g} that differ by {1 / LARGEST:g} or more, "
                "whose squares can be added up; give them in another unit",
            )

    def known(self, network: Network, nodes: NDArray[np.integer[Any]]) -> dict[str, Any]:
        """Return the targets of nodes, as `Network` takes them."""
        return {"targets": _of(network)[nodes]}

    def kinds(self, network: Network) -> tuple[NDArray[np.integer[Any]], int]:
        """Return which fifth of the targets each node is in, by rank."""
        cuts = np.nanquantile(_of(network), np.arange(1, PARTS) / PARTS)
        return np.searchsorted(cuts, _of(network), side="right").astype(np.int32), PARTS

    def extent(self, network: Network) -> str:
        return "a numeric target"

    def truth(self, network: Network) -> NDArray[np.float64]:
        return np.asarray(_of(network)[network.labeled], dtype=np.float64)

    def _constant(self, network: Network, split: Split) -> NDArray[np.float64]:
        return np.full(split.test.size, _of(network)[split.train].mean())

    def other_units(self, predictions: Any, measure: Measure) -> tuple[Warning, ...]:
        """Warn of models whose numbers go along with the targets, but are spread in another unit.

        None by rank correlation, which is the same in every unit.
        """
        if measure.name == "spearman":
            return ()
        from scipy.stats import spearmanr  # slow to load

        targets = predictions.network.targets
        own = np.concatenate([targets[split.test] for split in predictions.splits])
        found = []
        for model in predictions.models:
            said = np.concatenate(predictions.probabilities[model])
            if not np.ptp(said) or not np.ptp(own):
                continue
            times = float(said.std() / own.std())
            if not 1 / FAR < times < FAR and spearmanr(own, said).statistic > ALIKE:
                found.append(
                    AssumptionWarning(
                        f"the predictions of {model} go along with the targets, but are spread "
                        f"{times:.3g} times as widely; give them in the unit of the targets, since "
                        f"{measure.title} depends on it"
                    )
                )
        return tuple(found)


def _of(network: Network) -> NDArray[np.float64]:
    assert network.targets is not None  # noqa: S101 - they are what is predicted
    return network.targets
