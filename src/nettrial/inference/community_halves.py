"""Halves of the communities: models run again on parts of the network that hold no copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..bootstrap.blocks import Blocks
from ..bootstrap.budget import HalvingPlan
from ..bootstrap.halves import OnHalves
from ..bootstrap.parity import HalfSpread, spread_of_halves
from ..bootstrap.rerun import community_details
from ..bootstrap.test import finish
from ..errors import InputError
from .community_bootstrap import community_warnings
from .on_communities import correlation_of
from .outcome import OTHER_NETWORKS, NetworkTest
from .procedure import Procedure
from .scores import Evidence, Floats

NAME = "halves"


@dataclass(frozen=True, slots=True)
class Halved:
    """What models did on halves of the communities of one network.

    Attributes
    ----------
    blocks : Blocks
        The network taken apart into communities.
    plan : HalvingPlan
        How many halvings there are, and with how many splits.
    pairs : mapping of (str, str) to HalfSpread
    models : mapping of str to HalfSpread
        For the measure of each model alone.
    """

    blocks: Blocks
    plan: HalvingPlan
    pairs: Mapping[tuple[str, str], HalfSpread]
    models: Mapping[str, HalfSpread]

    @classmethod
    def of(
        cls,
        found: OnHalves,
        own: Floats,
        names: Sequence[str],
        pairs: Sequence[tuple[int, int]],
        blocks: Blocks,
        plan: HalvingPlan,
        *,
        independent: bool,
    ) -> Halved:
        """Judge every pair, and every model alone, by what they did on the parts.

        Parameters
        ----------
        found : OnHalves
        own : ndarray, shape (n_models, k)
            The measure of every model on every split of the network.
        names : sequence of str
        pairs : sequence of (int, int)
        blocks : Blocks
        plan : HalvingPlan
        independent : bool
            Whether the splits of the network are drawn independently of each other.
        """
        sizes = blocks.sizes.astype(float)

        def spread(on_parts: Floats, on_network: Floats) -> HalfSpread:
            return spread_of_halves(
                on_parts, found.shares, on_network, sizes, independent=independent
            )

        values = found.values
        return cls(
            blocks,
            plan,
            {
                (names[i], names[j]): spread(values[:, :, i] - values[:, :, j], own[i] - own[j])
                for i, j in pairs
            },
            {name: spread(values[:, :, i], own[i]) for i, name in enumerate(names)},
        )

    @property
    def n_replicates(self) -> int:
        """Number of halvings."""
        return self.plan.n_halvings


def _halved(e: Evidence) -> Halved:
    if not isinstance(e.reruns, Halved):
        raise InputError("the models were not run again on halves of the communities")
    return e.reruns


def _halves(e: Evidence) -> NetworkTest:
    halved = _halved(e)
    spread = halved.pairs[e.a, e.b] if e.b else halved.models[e.a]
    plan = halved.plan
    details: dict[str, Any] = community_details(halved.blocks) | {
        "n_halvings": plan.n_halvings,
        "n_splits": plan.n_splits,
        "fits": plan.fits(len(halved.models)),
        "variance_odd": spread.odd,
        "variance_even": spread.even,
        "variance_splits": spread.splits,
        "shift": spread.mean - e.estimate,
        "budget_seconds": plan.budget,
        "planned_seconds": plan.seconds,
        "df_at_twice_the_budget": plan.df_at_twice,
    }
    found = finish(
        "halves of the communities", e.estimate, spread.variance, spread.df, e.confidence, details
    )
    return NetworkTest.of(NAME, found, OTHER_NETWORKS, tuple(community_warnings(e.communities)))


def _correlation(found: Sequence[Evidence]) -> Floats:
    """Return how the differences vary together from part to part."""
    parts = [np.split(_halved(e).pairs[e.a, e.b].moves, 2) for e in found]
    # halvings of one network are the same; where time set their number, take those that all have
    number = min(odd.size for odd, _ in parts)
    moves = np.array([np.concatenate([odd[:number], even[:number]]) for odd, even in parts])
    return correlation_of(moves @ moves.T)


COMMUNITY_HALVES = Procedure(
    name=NAME,
    question=OTHER_NETWORKS,
    make=_halves,
    words="halves of the communities",
    label="halves",
    needs="models",
    aliases=("community_halves",),
    references=("blondel2008", "mccarthy1969", "satterthwaite1946"),
    why=(
        "it answers for other networks and holds no copies of a node, which a model that learns "
        "from features would recognize: all models were run again on random halves of the "
        "communities of this one."
    ),
    correlation=_correlation,
    one_model=True,
)
