"""Links between nodes, by scores of pairs."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from ..metrics.measures import Measure
from ..models.link_predictors import LinkPredictor
from ..network.network import Network
from ..splits.link_designs import LinkSplit
from .fitting import ModelError
from .task import Task

if TYPE_CHECKING:
    import pandas as pd


class Links(Task):
    """Links between nodes: scores of pairs, of which some are hidden links."""

    name = "links"
    items = "pairs"

    def of_splits(self, network: Network, splits: Sequence[Any]) -> bool:
        """Return whether splits divide links."""
        return bool(splits) and isinstance(splits[0], LinkSplit)

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

    def shape(self, network: Network, split: LinkSplit) -> tuple[int, ...]:
        """Return one score per test pair."""
        return (split.test.size,)

    def checked(
        self, said: Any, network: Network, split: LinkSplit, name: str, where: str
    ) -> NDArray[np.floating]:
        """Refuse what is not a finite score for each pair."""
        if np.iscomplexobj(said):
            raise ModelError(
                f"model {shown(name)}, {where}: expected real scores, got complex numbers"
            )
        found = np.array(said, dtype=np.float64)  # a copy: the model may go on writing into its own
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

    def check_measurable(self, predictions: Any, measure: Measure) -> None:
        """Refuse nothing: test sets were checked before the models ran, scores are any numbers."""

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
