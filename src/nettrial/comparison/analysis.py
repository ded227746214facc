"""How predictions are judged: what a comparison is asked for beside the runs themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.seeds import Stream, derive
from ..inference.choice import BOOTSTRAP, HALVES, TestChoice
from ..inference.estimates import QEstimator
from ..metrics.measures import Measure
from ..network.canonical_order import Order
from ..network.communities import LINKS_AND_FEATURES, agreement, describe_division, searched
from ..network.communities import communities as find_communities
from ..network.feature_links import allows_similarity
from ..network.network import Network
from ..replicates.base import Replicates, Rerun
from ..replicates.blocks import Blocks
from ..replicates.bootstrap import Bootstrap
from ..replicates.half_samples import HalfSamples
from ..replicates.halving_plan import HalvingPlan
from ..stats.comparisons import all_pairs
from .joint_measures import Loss
from .notes import as_list


class Similar(NamedTuple):
    """What is reported for communities by links and features, beside the communities themselves.

    A study file keeps it, since it does not hold the features.
    """

    agreement: float  # how far Louvain finds the same communities again
    division: str  # whether a giant community was divided


@dataclass(frozen=True, slots=True)
class Analysis:
    """How predictions are judged: all that a study file keeps of a comparison."""

    design: str  # how the splits were drawn
    # proportion of labeled nodes in training; None where the splits bring their own
    labeled: float | None
    communities: str | ArrayLike  # where the communities come from
    groups: NDArray[np.int32]  # shape (n_nodes,): community of each node
    measure: Measure
    measures: tuple[Loss, ...]  # measures that are tested at once; ("error",) for none
    control: str | None  # the model with which each other one is compared
    q: QEstimator  # estimator of q
    confidence: float
    choice: TestChoice  # the test that gives the verdict
    entropy: int  # the frozen seed
    settings: Mapping[str, Any] = field(default_factory=dict)  # further settings, for the result
    # what is reported for communities by links and features; None for others
    similar: Similar | None = None
    # comparisons on the test set before this one; None where that is not known
    n_prior_tests: int | None = None
    margin: float | None = None  # the smallest difference that matters, in units of the measure
    # how the network that is judged stands to the one that was given, see `canonical_order`; None
    # where that was in canonical order
    order: Order | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what a study file keeps."""
        by = self.communities
        return {
            "design": self.design, "labeled": self.labeled, "q": self.q,
            "confidence": self.confidence, "seed": self.entropy, "settings": dict(self.settings),
            "communities": by if isinstance(by, str) else as_list(by),
            "similar": None if self.similar is None else
                {"groups": self.groups.tolist(), **self.similar._asdict()},
            "measure": self.measure.name, "measures": list(self.measures), "control": self.control,
            "n_prior_tests": self.n_prior_tests, "margin": self.margin,
            "verdict": {
                name: getattr(self.choice, name) for name in
                ("name", "reason", "forced", "n_replicates", "independent", "compiled", "n_splits")
            },
        }  # fmt: skip

    def with_features(self, network: Network) -> Analysis:
        """Return the same with communities by links and features.

        What models learn from features makes nodes with similar ones err together.
        """
        groups = communities_for(network, LINKS_AND_FEATURES, self.entropy)
        within = searched(network, LINKS_AND_FEATURES)
        seed = derive(self.entropy, Stream.COMMUNITIES)
        similar = Similar(
            agreement(within, groups, seed=seed), describe_division(within, groups, seed=seed)
        )
        return replace(self, communities=LINKS_AND_FEATURES, groups=groups, similar=similar)

    def other_groups(self, network: Network, number: int) -> list[NDArray[np.int32]]:
        """Return the communities that Louvain finds from so many other starts.

        None where it did not find those of the study, or found them by features, which a study
        file does not hold. The starts are the first of `nettrial.network.communities.agreement`.
        """
        if not isinstance(self.communities, str) or self.communities in network.attributes:
            return []
        if self.communities != "louvain" or self.similar is not None:
            return []
        first = derive(self.entropy, Stream.COMMUNITIES)
        return [find_communities(network, seed=derive(first, i + 1)) for i in range(number)]

    def replicates(
        self, blocks: Blocks, names: tuple[str, ...], n_splits: int, rerun: Rerun | None = None
    ) -> Replicates[Any]:
        """Return the networks on which the test of the verdict has models run again.

        Parameters
        ----------
        blocks : Blocks
            The network taken apart.
        names : tuple of str
            Of the models.
        n_splits : int
            Of the network.
        rerun : Rerun, optional
            What runs there; None where what it did is read from a study file.
        """
        choice, seed = self.choice, derive(self.entropy, Stream.REPLICATES)
        k = choice.n_splits or n_splits
        given = blocks, names, self.pairs(names), k, choice.independent, seed, rerun
        if choice.name == BOOTSTRAP:
            return Bootstrap(*given, choice.n_replicates, choice.compiled)
        n_seeds = 1 if rerun is None else rerun.n_seeds
        return HalfSamples(*given, HalvingPlan(choice.n_replicates, n_splits, n_seeds=n_seeds))

    def pairs(self, names: Sequence[str]) -> list[tuple[int, int]]:
        """Return the places of the models of each pair."""
        if self.control is None:
            first, second = all_pairs(len(names))
            return list(zip(first.tolist(), second.tolist()))
        place = list(names).index(self.control)
        return [(i, place) for i in range(len(names)) if i != place]


def are_by_features(network: Network, communities: str | ArrayLike, choice: TestChoice) -> bool:
    """Return whether communities are those of links and features."""
    if not isinstance(communities, str) or communities in network.attributes:
        return False
    if communities == "louvain":
        return choice.name == HALVES and allows_similarity(network)
    return communities == LINKS_AND_FEATURES


def communities_for(
    network: Network, communities: str | ArrayLike, entropy: int
) -> NDArray[np.int32]:
    """Return the community of each node."""
    return find_communities(network, by=communities, seed=derive(entropy, Stream.COMMUNITIES))
