"""What models did on networks made of the communities of one, for the tests that ask for it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.option_names import option
from ..core.wording import duration, plural
from .blocks import Blocks
from .bootstrap_variance import Spread
from .half_sample_variance import HalfSpread, spread_of_halves
from .half_samples import OnHalves
from .halving_plan import HalvingPlan
from .pair_results import OnReplicates, PairOnReplicates

Floats = NDArray[np.float64]
Kind = TypeVar("Kind", "Reruns", "Halved")
WORTH = 1.1  # degrees of freedom that are worth telling of, as a multiple


@dataclass(frozen=True, slots=True)
class Reruns:
    """What models did on replicates of one network.

    Attributes
    ----------
    blocks : Blocks
        The network taken apart into communities.
    n_replicates : int
        In each set.
    pairs : mapping of (str, str) to PairOnReplicates
    spreads : mapping of str to Spread
        For the measure of each model alone.
    agreement : float
        How far Louvain finds the same communities again; 1 for communities that were given.
    by_features : bool
        Whether communities are those of links and features.
    """

    ON: ClassVar = "replicates of the network"

    blocks: Blocks
    n_replicates: int
    pairs: Mapping[tuple[str, str], PairOnReplicates]
    spreads: Mapping[str, Spread]
    agreement: float = 1.0
    by_features: bool = False

    @property
    def note(self) -> str:
        """Nothing: the bootstrap has no plan."""
        return ""

    @classmethod
    def of(
        cls,
        found: OnReplicates,
        names: Sequence[str],
        pairs: Sequence[tuple[int, int]],
        blocks: Blocks,
        n_replicates: int,
    ) -> Reruns:
        """Name the models of every pair."""
        return cls(
            blocks,
            n_replicates,
            {(names[i], names[j]): one for (i, j), one in zip(pairs, found.pairs)},
            {names[i]: spread for i, spread in found.spreads.items()},
        )


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
    agreement : float
        As for `Reruns`.
    by_features : bool
        Whether communities are those of links and features.
    """

    ON: ClassVar = "halves of the communities"

    blocks: Blocks
    plan: HalvingPlan
    pairs: Mapping[tuple[str, str], HalfSpread]
    models: Mapping[str, HalfSpread]
    agreement: float = 1.0
    by_features: bool = False

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
    def note(self) -> str:
        """What was run, and what twice the budget would bring."""
        plan = self.plan
        fits = plan.fits(len(self.models))
        splits = plural(plan.n_splits, "split")
        done = f"{plan.n_halvings:,} halvings with {splits} each ({fits:,} fits)"
        if math.isnan(plan.budget):
            return f"{done}."
        budget = f"the budget of {duration(plan.budget)}"
        if plan.seconds > plan.budget:
            return f"{done}, the fewest that are run, took longer than {budget}."
        if plan.df_at_twice <= WORTH * plan.df:
            return f"{done} fitted into {budget}."
        workers = (
            f", or {plan.more_workers} worker processes ({option('n_jobs')}) on cores that were "
            "idle,"
            if plan.more_workers
            else ""
        )
        return (
            f"{done} were planned for {budget}; twice the budget{workers} would bring about "
            f"{plan.df_at_twice:.0f} degrees of freedom for {plan.df:.0f}."
        )

    @property
    def n_replicates(self) -> int:
        """Number of halvings."""
        return self.plan.n_halvings
