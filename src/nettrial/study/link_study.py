"""Run link predictors on splits and keep the scores of the pairs that are tested."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from ..core.seeds import derive, named
from ..models.link_predictors import LinkPredictor
from ..network.network import Network
from ..splits.link_designs import LinkSplit
from ..store.units import Outcome, Unit
from .fitting import ModelError, attempt_each
from .study_plan import StudyPlan

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
    warnings : mapping of str to tuple of tuple of str
        For each model and split what the model warned of while it ran.
    """

    network: Network
    splits: tuple[LinkSplit, ...]
    models: tuple[str, ...]
    scores: Mapping[str, tuple[NDArray[np.floating], ...]]
    warnings: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)

    @property
    def runs(self) -> tuple[LinkPredictions, ...]:
        """The predictions with each training seed: link predictors have one."""
        return (self,)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per split and test pair: split, source, target, label, and the models."""
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


class LinkPlan(StudyPlan):
    """All units of work of link predictors."""

    def task(self, units: Sequence[Unit]) -> LinkTask:
        """Return the task of running units of one model."""
        name, model = list(self.models.items())[units[0].model]
        splits = tuple(self.splits[unit.split] for unit in units)
        # by the model's name, so that it does not matter which others run, and in which order
        seeds = tuple(derive(self.entropy, named(name), unit.split) for unit in units)
        return LinkTask(tuple(units), name, model, splits, seeds)

    def shape(self, split: LinkSplit) -> tuple[int, ...]:
        """Return the shape of the scores on a split."""
        return (split.test.size,)


@dataclass(frozen=True, slots=True)
class LinkTask:
    """Units of one link predictor that are run in one go.

    Attributes
    ----------
    units : tuple of Unit
    name : str
        The model's.
    model : LinkPredictor
    splits : tuple of LinkSplit
        One for each unit.
    seeds : tuple of int
        Likewise.
    """

    units: tuple[Unit, ...]
    name: str
    model: LinkPredictor
    splits: tuple[LinkSplit, ...]
    seeds: tuple[int, ...]

    def run(self, network: Network) -> list[Outcome]:
        """Run the units; one that fails does not stop the others."""

        def fit(place: int) -> Any:
            return fit_score(network, self.model, self.splits[place], self.seeds[place])

        def check(place: int, scores: Any, where: str) -> NDArray[np.floating]:
            return checked_scores(scores, self.splits[place].test.size, self.name, where)

        return attempt_each(network, self, fit, check)


def fit_score(network: Network, model: LinkPredictor, split: LinkSplit, seed: int) -> Any:
    """Fit a fresh copy of a link predictor on the links that are seen, and score the test pairs."""
    own = deepcopy(model)  # nothing that one split teaches may reach the next
    takes_seed = "seed" in inspect.signature(own.fit).parameters
    options: dict[str, Any] = {"seed": seed} if takes_seed else {}
    own.fit(seen_network(network, split), **options)
    return own.score(split.pairs(network.n_nodes))


def checked_scores(scores: Any, number: int, name: str, where: str) -> NDArray[np.float64]:
    """Refuse what is not a finite score for each pair."""
    if np.iscomplexobj(scores):
        raise ModelError(f"model {shown(name)}, {where}: expected real scores, got complex numbers")
    found = np.array(scores, dtype=np.float64)  # a copy: the model may go on writing into its own
    if found.shape != (number,) or not np.isfinite(found).all():
        raise ModelError(
            f"model {shown(name)}, {where}: expected a finite score for each of {number} pairs, "
            f"got shape {found.shape} with {np.count_nonzero(~np.isfinite(found))} that are not "
            "finite"
        )
    return found


def run_links(
    network: Network,
    models: Mapping[str, LinkPredictor],
    splits: Sequence[LinkSplit],
    *,
    seed: int = 0,
    n_jobs: int | None = None,
    store: str | PathLike[str] | None = None,
    retry: bool = False,
    analysis: Mapping[str, Any] | None = None,
    progress: bool | None = None,
) -> LinkPredictions:
    """Run every link predictor on every split, see `nettrial.study.node_study.run`.

    Raises
    ------
    ModelError
        Where a model fails, or gives anything but a finite score for each pair, and there is no
        study file.
    IncompleteStudyError
        Where units failed and are recorded in the study file, when all others have ended.
    """
    plan = LinkPlan(network, dict(models), tuple(splits), seed)
    with plan.record(store, analysis=analysis, retry=retry) as record:
        scores, heard = plan.complete(record, n_jobs, progress)
    return LinkPredictions(network, plan.splits, tuple(plan.models), scores, heard)


def seen_network(network: Network, split: LinkSplit) -> Network:
    """Return the network with the links that models see in a split, and no others."""
    source, target = network.simple_links()
    return network.with_links(source[split.train], target[split.train])
