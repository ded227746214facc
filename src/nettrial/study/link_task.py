"""Links between nodes, by scores of pairs."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning, InputError, shown
from ..core.option_names import option
from ..metrics.measures import Measure
from ..models.link_predictors import (
    LinkPredictor,
    as_link_predictor,
    is_link_predictor,
    listed_predictor,
)
from ..network.canonical_order import Order
from ..network.network import Network
from ..splits.link_designs import (
    LinkDesign,
    LinkSplit,
    TemporalLinks,
    link_design,
    link_split_in_order,
    listed_link_design,
)
from .fitting import ModelError, numbers_said
from .task import Divided, Task, refuse_options

if TYPE_CHECKING:
    import pandas as pd


class Links(Task):
    """Links between nodes: scores of pairs, of which some are hidden links."""

    name = "links"
    checked_parts = ("link_splits",)
    items = "pairs"
    models = "link predictors"
    without = MappingProxyType(
        {
            "positive": "there are no classes",
            "cross_links": "links are divided, and no nodes",
            "setting": "links are divided, and no nodes",
            "q": "no errors of classes are estimated",
            "measures": "they are for errors of nodes",
            "n_replicates": "no test of pairs runs the models again",
            "budget": "no test of pairs runs the models again",
            "n_seeds": "a model is run once on each split, with a seed of its own",
        }
    )
    not_asked = MappingProxyType(
        {
            "sweep": "the proportion of links that they see also decides which links are tested, "
            "so that there is no learning curve; compare them at one proportion",
            "transfer": "they learn from the links that a network keeps, and from no other network",
            "several labels": "they predict links, which have no labels",
        }
    )
    baseline_model = "preferential_attachment"
    baseline_words = "by degree"

    def takes(self, network: Any, model: Any) -> bool:
        """Return whether a model is a link predictor."""
        return is_link_predictor(model)

    def model(self, given: Any) -> LinkPredictor:
        """Make a link predictor of a name, an object or a function."""
        return as_link_predictor(given)

    def listed(self, name: str) -> str:
        """Return the name of a link predictor as it is listed."""
        return listed_predictor(name)

    def check(self, network: Network) -> None:
        """Refuse a network with fewer than two links."""
        if network.n_links < 2:
            raise InputError(
                expected="a network with at least 2 links",
                got=f"{network.n_links}",
                where="compare",
            )

    def check_models(self, network: Network, models: Mapping[str, Any]) -> None:
        """Refuse nothing: whatever is made a link predictor scores pairs of any network."""

    def divide(self, network: Network, design: Any, given: dict[str, Any], entropy: int) -> Divided:
        """Hide links of a network."""
        if isinstance(design, str):
            made = link_design(design, seed=entropy, **given)
            name, splits = listed_link_design(design), made.split_links(network)
            return Divided(name, made, splits, getattr(made, "labeled", None))
        refuse_options(given)
        if isinstance(design, LinkDesign):
            seen = getattr(design, "labeled", None)
            return Divided(design.name, design, design.split_links(network), seen)
        listed = isinstance(design, Sequence)
        splits = [each for each in design if isinstance(each, LinkSplit)] if listed else []
        if not splits or len(splits) < len(design):
            raise InputError(
                parameter="design",
                expected="one of links, such as 'rrs', 'kfold' or 'temporal', a LinkDesign, or "
                "LinkSplits",
                got=shown(design),
            )
        return Divided("given", splits, splits, None)

    def linked(self, network: Network, design: str) -> Network:
        """Return the network without times of links, which are no weights."""
        timed = design.startswith(TemporalLinks.short)
        return network.with_links(*network.simple_links()) if timed else network

    def of_splits(self, network: Network, splits: Sequence[Any]) -> bool:
        """Return whether splits divide links."""
        return bool(splits) and isinstance(splits[0], LinkSplit)

    def in_order(
        self, splits: Sequence[LinkSplit], order: Order
    ) -> list[tuple[LinkSplit, NDArray[np.intp]]]:
        """Return each split in another order of the nodes, and where its test pairs stood."""
        return [link_split_in_order(split, order) for split in splits]

    def predict(
        self, network: Network, model: LinkPredictor, split: LinkSplit, seed: int, cross_links: Any
    ) -> Any:
        """Fit a fresh copy of a link predictor on the links that are seen; score the test pairs."""
        own = deepcopy(model)  # nothing that one split teaches may reach the next
        takes_seed = "seed" in inspect.signature(own.fit).parameters
        options: dict[str, Any] = {"seed": seed} if takes_seed else {}
        source, target = network.simple_links()
        own.fit(network.with_links(source[split.train], target[split.train]), **options)
        return own.score(split.pairs(network.n_nodes))

    def fits(self, network: Network, split: LinkSplit) -> bool:
        """Return whether a split tests pairs of nodes that there are."""
        first, second = split.pairs(network.n_nodes).T
        return bool(((first >= 0) & (first < second) & (second < network.n_nodes)).all())

    def shape(self, network: Network, split: LinkSplit) -> tuple[int, ...]:
        """Return one score per test pair."""
        return (split.test.size,)

    def checked(
        self, said: Any, network: Network, split: LinkSplit, name: str, where: str
    ) -> NDArray[np.floating]:
        """Refuse what is not a finite score for each pair."""
        # a copy: the model may go on writing into its own
        found = np.array(numbers_said(said, name, where))
        if found.shape != self.shape(network, split) or not np.isfinite(found).all():
            raise ModelError(
                f"model {shown(name)}, {where}: expected a finite score for each of "
                f"{split.test.size} pairs, got shape {found.shape} with "
                f"{np.count_nonzero(~np.isfinite(found))} that are not finite"
            )
        return found

    def tested(
        self, network: Network, splits: Sequence[LinkSplit]
    ) -> tuple[NDArray[np.int64], list[NDArray[np.intp]]]:
        """Return the numbers of all pairs that are tested, and which of them each split tests."""
        tests = [split.test for split in splits]
        numbers, place = np.unique(np.concatenate(tests), return_inverse=True)
        return numbers, np.split(place, np.cumsum([test.size for test in tests])[:-1])

    def handed(
        self, predictions: Any, model: str, number: int, measure: Measure, origin: Any = None
    ) -> tuple[Any, Any, Any, Any]:
        """Return which pairs are links, a table whose second column ranks them, and the pairs."""
        scores, split = predictions.probabilities[model][number], predictions.splits[number]
        said = scores if measure.is_custom else np.empty(0, dtype=np.int32)
        pairs = split.pairs(predictions.network.n_nodes)
        return split.is_link.astype(np.int32), np.stack([-scores, scores], axis=1), said, pairs

    def check_defined(
        self, network: Network, splits: Sequence[LinkSplit], measure: Measure
    ) -> None:
        """Refuse a measure that is not defined on these test sets, whatever models predict."""
        for number, split in enumerate(splits):
            hidden, size = int(split.is_link.sum()), split.test.size
            note = f"{hidden} hidden links and {size - hidden} pairs without link"
            if not 0 < hidden < size:
                raise InputError(f"compare: split {number} tests {note}; expected some of each")
            if measure.is_custom:
                continue  # what the function makes of even scores says nothing
            labels, even = split.is_link.astype(np.int32), np.zeros((size, 2))
            empty = np.empty(0, dtype=np.int32)
            psi = measure.contributions(labels, even, empty, split.pairs(network.n_nodes))
            if np.isnan(psi).any():
                how = (
                    "it ranks each hidden link among the pairs without link that share a node with "
                    "it, and some link has none; draw them there, as with "
                    f"{option('design', 'rrs+ends:50')}"
                    if measure.name == "mrr"
                    else f"it has {note}; use larger test sets or a smaller number"
                )
                raise InputError(
                    f"{measure.title} is not defined on split {number}: {how}", parameter="measure"
                )

    def check_measurable(self, predictions: Any, measure: Measure) -> None:
        """Refuse nothing: test sets were checked before the models ran, scores are any numbers."""

    def baseline(self, predictions: Any, known: bool) -> Any:
        """Return the products of degrees; None where it is not known which links were seen."""
        if not known or self.baseline_model in predictions.models:
            return predictions if known else None
        network, model = predictions.network, as_link_predictor(self.baseline_model)
        tables = []
        for number, split in enumerate(predictions.splits):
            said = self.predict(network, model, split, 0, None)
            tables.append(
                self.checked(said, network, split, self.baseline_model, f"split {number}")
            )
        name = self.baseline_model
        return replace(predictions, models=(name,), probabilities={name: tuple(tables)})

    def settings(self, predictions: Any) -> dict[str, Any]:
        """Return how large the test sets are, the mean over splits."""
        splits = predictions.splits
        hidden = float(np.mean([split.is_link.sum() for split in splits]))
        return {
            "links_seen": float(np.mean([split.train.size for split in splits])),
            "links_hidden": hidden,
            "pairs_without_link": float(np.mean([split.test.size for split in splits])) - hidden,
        }

    def doubts(self, network: Network) -> tuple[Warning, ...]:
        """Return what is doubtful about a network, or was not used of it."""
        note = []
        if network.directed:
            note.append(
                "directions were not used: a pair counts as linked whichever way the link goes"
            )
        if network.weighted:
            note.append("weights of links were not shown to the models, which see each link as one")
        return super().doubts(network) + tuple(map(AssumptionWarning, note))

    def frame(self, predictions: Any) -> pd.DataFrame:
        """Return one row per split and test pair: split, source, target, label, and the models."""
        import pandas as pd

        ids, n, blocks = predictions.network.ids, predictions.network.n_nodes, []
        for number, split in enumerate(predictions.splits):
            first, second = split.pairs(n).T
            block: dict[str, Any] = {
                "split": number,
                "source": ids[first],
                "target": ids[second],
                "label": split.is_link.astype(int),
            }
            scores = predictions.probabilities
            block |= {model: scores[model][number] for model in predictions.models}
            blocks.append(pd.DataFrame(block))
        return pd.concat(blocks, ignore_index=True)
