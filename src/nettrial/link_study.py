"""Run link predictors on splits and keep the scores of the pairs that are tested."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import NettrialError
from .fitting import ModelError
from .isolation import seeded
from .models.links import LinkPredictor
from .network import Network
from .progress import Progress
from .seeds import derive, named
from .splits.links import LinkSplit

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class LinkPredictions:
    """The scores that each link predictor gives the test pairs of each split.

    Attributes
    ----------
    network : Network
        The network with all its links.
    splits : tuple of LinkSplit
        The divisions that were used.
    models : tuple of str
        Names of the models.
    scores : mapping of str to tuple of ndarray, each (n_test,)
        For each model and split the scores of the test pairs.
    """

    network: Network
    splits: tuple[LinkSplit, ...]
    models: tuple[str, ...]
    scores: Mapping[str, tuple[NDArray[np.float64], ...]]

    @property
    def runs(self) -> tuple[LinkPredictions, ...]:
        """The predictions with each training seed: link predictors have one."""
        return (self,)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a split and test pair: split, source, target, label, a column a model."""
        import pandas as pd

        ids, n = self.network.ids, self.network.n_nodes
        blocks = []
        for number, split in enumerate(self.splits):
            first, second = split.pairs(n).T
            block: dict[str, Any] = {
                "split": number,
                "source": ids[first],
                "target": ids[second],
                "label": split.is_link.astype(int),
            }
            block |= {model: self.scores[model][number] for model in self.models}
            blocks.append(pd.DataFrame(block))
        return pd.concat(blocks, ignore_index=True)


def run_links(
    network: Network,
    models: Mapping[str, LinkPredictor],
    splits: Sequence[LinkSplit],
    *,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> LinkPredictions:
    """Run every link predictor on every split.

    Raises
    ------
    ModelError
        Where a model fails, or gives anything but a finite score for each pair.
    """
    from joblib import Parallel, delayed

    units = [(name, number) for name in models for number in range(len(splits))]
    # by the model's name, so that it does not matter which others run, and in which order
    seeds = [derive(seed, named(name), number) for name, number in units]
    work = Parallel(n_jobs=n_jobs, return_as="generator")
    found: dict[str, list[NDArray[np.float64]]] = {name: [] for name in models}
    with Progress("links", total=len(units), enabled=progress) as bar:
        scored = work(
            delayed(_fit_score)(network, name, models[name], number, splits[number], own)
            for (name, number), own in zip(units, seeds)
        )
        for (name, _), scores in zip(units, scored):
            found[name].append(scores)
            bar.advance()
    kept = {name: tuple(scores) for name, scores in found.items()}
    return LinkPredictions(network, tuple(splits), tuple(models), kept)


def seen_network(network: Network, split: LinkSplit) -> Network:
    """Return the network with the links that models see in a split, and no others."""
    source, target = network.simple_links()
    return network.with_links(source[split.train], target[split.train])


def _fit_score(
    network: Network, name: str, model: LinkPredictor, number: int, split: LinkSplit, seed: int
) -> NDArray[np.float64]:
    def work() -> Any:
        own = deepcopy(model)  # nothing that one split teaches may reach the next
        takes_seed = "seed" in inspect.signature(own.fit).parameters
        options: dict[str, Any] = {"seed": seed} if takes_seed else {}
        own.fit(seen_network(network, split), **options)
        return own.score(split.pairs(network.n_nodes))

    try:
        given, _ = seeded(seed, work)
        scores = np.asarray(given, dtype=np.float64)
    except NettrialError:
        raise
    except Exception as error:
        raise ModelError(
            f"model {name} failed on split {number}: {type(error).__name__}: {error}"
        ) from error
    if scores.shape != split.test.shape or not np.isfinite(scores).all():
        raise ModelError(
            f"model {name} on split {number}: expected a finite score for each of "
            f"{split.test.size} pairs, got shape {scores.shape} with "
            f"{np.count_nonzero(~np.isfinite(scores))} that are not finite"
        )
    return scores
