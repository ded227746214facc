"""Models on one network, ready to be run again on networks that are drawn from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.progress import Progress
from ..core.seeds import Stream, derive
from ..metrics.measures import Measure
from ..models.base import AnyModel
from ..network.communities import effective_number
from ..network.network import Network
from ..splits.base import Design
from ..splits.checks import MOST, check_count
from ..study.node_study import CrossLinks
from ..study.records import MemoryRecord
from .blocks import Blocks
from .bootstrap_variance import Spread, spread_of
from .replicate_runs import (
    ERROR,
    Records,
    ReplicateScores,
    Trial,
    is_compiled,
    run_on_replicates,
    splits_of_replicates,
)
from .tilting import null_probabilities

Floats = NDArray[np.float64]
PLAIN, NULL = 0, 1  # the kinds of replicates: as the network is, and where two models are equal
# places of models, chances of drawing each community, number of the set in a study file, kind
Draw: TypeAlias = Callable[[Sequence[int], Floats, int, int], ReplicateScores]
FEWEST = 10  # replicates below which a variance is not worth having


class PairResult(NamedTuple):
    """Two models on drawn networks.

    Attributes
    ----------
    spread : Spread
        Standard error of their difference and its degrees of freedom.
    mean_at_estimate, mean_at_null : float
        Mean difference on replicates of the network as it is, and on those that were drawn
        such that the two come out equal.
    communities_in_play : float
        Number of communities that would weigh equally as the second kind weighs them.
    """

    spread: Spread
    mean_at_estimate: float
    mean_at_null: float
    communities_in_play: float


def judge(
    pair: tuple[int, int],
    plain: ReplicateScores,
    draw: Draw,
    place: int,
    own: Floats,
    blocks: Blocks,
) -> PairResult:
    """Run two of the models where they are equal, and put both kinds of replicates together.

    Parameters
    ----------
    pair : tuple of int
        Places of the two among the models.
    plain : ReplicateScores
        These two on replicates of the network as it is.
    draw : callable
        Runs models on set `place` of the replicates.
    place : int
    own : ndarray, shape (k,)
        Their difference on every split of the network.
    blocks : Blocks
        The network taken apart.
    """
    chances = where_equal(plain)
    null = draw(pair, chances, place, NULL)
    at_estimate = plain.values[:, 0] - plain.values[:, 1]
    at_null = null.values[:, 0] - null.values[:, 1]
    spread = spread_of(
        at_estimate, at_null, own, blocks.sizes.astype(float), independent=plain.independent
    )
    return PairResult(
        spread,
        float(at_estimate.mean()),
        float(at_null.mean()),
        float(1 / (chances**2).sum()),
    )


def as_it_is(blocks: Blocks) -> Floats:
    """Return the chances of drawing each community for replicates of the network as it is."""
    return np.full(blocks.sizes.size, 1 / blocks.sizes.size)


def where_equal(plain: ReplicateScores) -> Floats:
    """Return the chances of drawing each community for replicates on which two models are equal."""
    return null_probabilities(plain.totals[0] - plain.totals[1])


def community_details(blocks: Blocks) -> dict[str, Any]:
    """Describe how many communities there are and how unequal they are."""
    nodes = blocks.sizes.astype(float)
    return {
        "communities": int(nodes.size),
        "effective_communities": effective_number(nodes),
        "largest_share": float(nodes.max() / nodes.sum()),
    }


@dataclass(frozen=True, slots=True)
class Rerun:
    """What is drawn, and what runs on it.

    Attributes
    ----------
    network : Network
    blocks : Blocks
        The network taken apart into communities.
    models : mapping of str to Model
    design : Design
    n_splits : int
        Splits of the network.
    n_replicates : int
        In each set.
    cross_links : {"keep", "drop"}
    measure : Measure
    entropy : int
        The frozen seed of the test.
    progress : Progress
        Counts replicates.
    n_jobs : int, optional
    records : callable
        Gives what keeps the outcomes of units.
    """

    network: Network
    blocks: Blocks
    models: Mapping[str, AnyModel]
    design: Design
    n_splits: int
    n_replicates: int
    cross_links: CrossLinks
    entropy: int
    progress: Progress
    measure: Measure = ERROR
    n_jobs: int | None = None
    records: Records = MemoryRecord

    def is_compiled(self, places: Sequence[int]) -> bool:
        """Return whether some of the models are run together in one compiled loop."""
        return is_compiled(
            self.network, self._some(places)[1], self.design, self.cross_links, self.measure
        )

    def draw(
        self, places: Sequence[int], chances: Floats, place: int, kind: int
    ) -> ReplicateScores:
        """Run some of the models on a set of replicates, see `judge`.

        Sets of one kind are drawn from the same random numbers, whatever models run on them.
        """
        names, models = self._some(places)
        compiled = self.is_compiled(places)
        trial = Trial(
            self.blocks._replace(cumulative=np.cumsum(chances)),
            models,
            names,
            self.design,
            self.cross_links,
            self.measure,
            derive(self.entropy, Stream.BOOTSTRAP_REPLICATES, kind),
            splits_of_replicates(self.n_splits, compiled),
            adds_up=kind == PLAIN,
        )
        return run_on_replicates(
            self.network,
            trial,
            place,
            n_replicates=self.n_replicates,
            records=self.records,
            n_jobs=self.n_jobs,
            progress=self.progress,
        )

    def _some(self, places: Sequence[int]) -> tuple[tuple[str, ...], tuple[AnyModel, ...]]:
        names = tuple(self.models)
        some = tuple(names[i] for i in places)
        return some, tuple(self.models[name] for name in some)


def check_replicates(n_replicates: int, who: str) -> None:
    """Refuse a number of replicates that gives no variance worth having, or never ends."""
    check_count(who, "n_replicates", n_replicates, FEWEST, MOST)
