"""What classes and numbers of nodes have in common: splits of nodes, and models that see labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, unknown_choice
from ..core.option_names import option
from ..metrics.measures import Measure
from ..models.adapted import as_model, check_inductive, check_predicts, learned_from
from ..models.base import AnyModel
from ..models.link_predictors import is_link_predictor
from ..models.names import listed_name
from ..network.canonical_order import Order
from ..network.network import Network
from ..network.node_values import MISSING
from ..splits.base import Design, Split, splits_in_order
from ..splits.given import given_splits
from ..splits.names import by_name, listed_design, options
from .fitting import CrossLinks, fit_predict
from .task import Divided, Task, refuse_options

if TYPE_CHECKING:
    import pandas as pd


class NodeTask(Task):
    """What classes and numbers of nodes have in common."""

    batch: ClassVar[type[Any]]  # the models that run many splits in one call
    baseline_model = "prior"

    def takes(self, network: Any, model: Any) -> bool:
        """Return whether a model is one of nodes, and the network has what is predicted."""
        return not is_link_predictor(model) and self.of_splits(network, ())

    def model(self, given: Any) -> AnyModel:
        """Make a model of a name, a model, an estimator or a function."""
        return as_model(given)

    def listed(self, name: str) -> str:
        """Return the name of a model as it is listed."""
        return listed_name(name)

    def check(self, network: Network) -> None:
        """Refuse a network without links."""
        if network.n_links == 0:
            raise InputError(
                f"has {network.n_nodes:,} nodes but no links",
                parameter="network",
                hint="relational models need at least one",
            )

    def divide(self, network: Network, design: Any, given: dict[str, Any], entropy: int) -> Divided:
        """Split the nodes of a network."""
        name, found = named_design(design, given, entropy)
        splits = splits_of(found, network)
        return Divided(name, found, splits, getattr(found, "labeled", None))

    def fits(self, network: Network, split: Split) -> bool:
        """Return whether a split tests nodes that there are."""
        test = split.test
        return not test.size or bool(0 <= test.min() <= test.max() < network.n_nodes)

    def baseline(self, predictions: Any, known: bool) -> Any:
        """Return what is predicted without looking at the network."""
        tables = tuple(self._constant(predictions.network, each) for each in predictions.splits)
        name = self.baseline_model
        return replace(predictions, models=(name,), probabilities={name: tables}, decided={})

    def _constant(self, network: Network, split: Split) -> Any:
        raise NotImplementedError

    def check_models(self, network: Network, models: Mapping[str, AnyModel]) -> None:
        """Refuse models of classes where the network has targets, and the other way round."""
        check_predicts(network, models)

    def seen(
        self, network: Network, models: Mapping[str, AnyModel], cross_links: CrossLinks
    ) -> dict[str, Any]:
        """Return what models see of links and of other nodes; refuse what cannot be inductive."""
        inductive = cross_links == "inductive"
        if inductive:
            check_inductive(network, models)
        learned = {name: learned_from(model, inductive) for name, model in models.items()}
        times = {} if network.times is None else {"links_shown": "before the cut"}
        return {"cross_links": cross_links, "learned_from": learned, **times}

    def in_order(
        self, splits: Sequence[Split], order: Order
    ) -> list[tuple[Split, NDArray[np.intp]]]:
        """Return each split in another order of the nodes, and where its test nodes stood."""
        rows = [np.argsort(order.places(split.test)) for split in splits]
        return list(zip(splits_in_order(splits, order), rows))

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
        self.check_models(network, models)
        if cross_links == "inductive":
            check_inductive(network, models)
        for number, split in enumerate(splits):
            last = max(split.train.max(initial=-1), split.test.max(initial=-1))
            if last >= network.n_nodes:
                raise InputError(
                    f"run: split {number} names the node {last}, and the network has "
                    f"{network.n_nodes:,} nodes"
                )
            if (network.labels[split.test] == MISSING).any():
                raise InputError(f"run: split {number} tests nodes whose label is missing")
        return cross_links

    def in_batches(self, network: Network, model: AnyModel, cross_links: CrossLinks) -> bool:
        """Return whether a model runs many splits in one call."""
        known = network.times is None
        return known and isinstance(model, self.batch) and cross_links == "keep"

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

    def check_defined(self, network: Network, splits: Sequence[Split], measure: Measure) -> None:
        """Refuse a measure that is not defined on these test sets, whatever models predict."""
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
                hint=f"expected at least {measure.least_classes} classes, or a smaller number "
                "after @",
            )
        labels = [network.labels[split.test] for split in splits]
        if measure.needs_two_classes:
            _refuse(measure, [np.unique(part).size < 2 for part in labels], "of one class")
        if measure.needs_positive:
            _refuse(measure, [not (part == 1).any() for part in labels], "without a positive")
        if measure.least_nodes > 1:
            few = [part.size < measure.least_nodes for part in labels]
            _refuse(measure, few, f"of fewer than {measure.least_nodes} nodes")


def named_design(
    design: Any, given: dict[str, Any], entropy: int
) -> tuple[str, Design | Sequence[Split]]:
    """Return the name of a design and the design itself, or the splits that were given."""
    if isinstance(design, str):
        if "seed" in options(design):
            given = given | {"seed": entropy}
        return listed_design(design), by_name(design, **given)
    refuse_options(given)
    return type(design).__name__ if isinstance(design, Design) else "given", design


def splits_of(design: Design | Sequence[Split], network: Network) -> list[Split]:
    """Split a network, or take the splits that were given."""
    if isinstance(design, Design):
        splits = design.split_network(network)
    else:
        splits = given_splits(design, network)
    if len(splits) < 2:
        raise InputError(
            parameter="splits",
            expected="at least 2",
            got=f"{len(splits)}: one does not show how much the difference varies with the "
            "training set",
            hint=f"draw more ({option('design', 'rrs')}), or hand the predictions on this one "
            "to compare_predictions",
        )
    return splits


def hidden(network: Network) -> Network:
    """Return a network without any label."""
    return network.mask_labels(np.empty(0, dtype=np.intp))


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
