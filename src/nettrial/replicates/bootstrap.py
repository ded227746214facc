"""Networks drawn with replacement from the communities of one, and what pairs of models do there.

Sets of two kinds are drawn: of the network as it is, and for each pair such that the two come out
equal. Sets of one kind are drawn from the same random numbers, so that the means of two pairs vary
together from network to network.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.clock import Clock
from ..core.errors import InputError
from ..core.seeds import Stream, derive
from ..kernels.keys import key_of
from ..network.network import Network
from ..splits.base import Design
from ..splits.checks import MOST, check_count
from ..splits.resampling import RandomResampling
from ..store.units import Outcome, Unit
from .base import DrawnSet, Replicates, Rerun, run_quietly, units_of
from .blocks import BootstrapError
from .bootstrap_variance import BootstrapVariance, spread_of
from .by_community import by_communities, totals_of, values_of
from .compiled_pair import CHUNK, LEAST_SPLITS, compiled_pair
from .halving_plan import FEWEST as FEWEST_HALVINGS
from .replicate import assemble
from .tilting import null_probabilities

Floats = NDArray[np.float64]
PLAIN, NULL = 0, 1  # the kinds of replicates: as the network is, and where two models are equal
FEWEST = 10  # replicates below which a variance is not worth having


class ReplicateScores(NamedTuple):
    """What models did on a set of replicates."""

    # shape (n_replicates, n_models, n_splits): the measure, for example the error rate
    values: Floats
    # shape (n_models, n_communities): what a copy of each community contributes to the measure (its
    # errors, for example), a test of each of its nodes taken once; the mean over the replicates.
    # Only differences between models have a meaning.
    totals: Floats

    def of(self, first: int, second: int) -> ReplicateScores:
        """Return what two of the models did."""
        both = [first, second]
        return ReplicateScores(self.values[:, both], self.totals[both])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicateSet(DrawnSet[ReplicateScores]):
    """A set of replicates."""

    adds_up: bool  # whether it is asked what communities contribute; else those numbers are 0
    compiled: bool  # whether a compiled loop runs the two models, which counts errors

    @property
    def at_once(self) -> int:
        """Networks that one call runs."""
        return CHUNK if self.compiled else 1

    @property
    def shape(self) -> tuple[int, ...]:
        """The measure of every model on every split, tests in each community, contributions."""
        return (self.n_models * self.n_splits + (1 + self.n_models) * self.blocks.sizes.size,)

    def name(self, number: int) -> str:
        """Return which network it was."""
        return f"drawn network {number}"

    def found(self, rows: Floats) -> ReplicateScores:
        """Return what models did; add up what communities contribute."""
        first = self.n_models * self.n_splits
        ends = first, first + self.blocks.sizes.size
        values, tests, parts = np.split(rows, ends, axis=1)
        unusable = int(np.isnan(values).any(axis=1).sum())
        if unusable:
            raise BootstrapError(
                f"bootstrap: {unusable:,} of {len(rows):,} drawn networks cannot be split, the "
                "models not be run on them, or the measure is not defined there (too few labeled "
                "nodes, or test nodes of one class?); use communities with more labels, a network "
                "with more of them, or another measure"
            )
        each = np.split(parts, self.n_models, axis=1)
        totals = np.array([totals_of(self.blocks, tests, part) for part in each])
        return ReplicateScores(values.reshape(len(rows), self.n_models, self.n_splits), totals)

    def outcomes(self, network: Network, units: Sequence[Unit]) -> list[Outcome]:
        """Run the models on some networks."""
        if not self.compiled:
            return DrawnSet.outcomes(self, network, units)
        clock = Clock()
        rows = self._compiled_rows(network, [unit.replicate for unit in units])
        seconds = clock.seconds() / len(units)
        return [Outcome(unit, seconds, row) for unit, row in zip(units, rows)]

    def _compiled_rows(self, network: Network, numbers: Sequence[int]) -> Floats:
        from ..kernels.trials import Replicating, run_replicates

        assert self.rerun is not None  # noqa: S101 - nothing runs what is read from a file
        design = self.rerun.divided
        pair = compiled_pair(network, tuple(self.rerun.models.values()))
        assert pair is not None  # noqa: S101 - is_compiled says so
        assert isinstance(design, RandomResampling)  # noqa: S101 - likewise
        task = Replicating(
            self.blocks,
            self.blocks.community,
            pair.row_form(network),
            network.labels,
            network.n_classes,
            design.labeled,
            self.n_splits,
            pair.models,
            np.zeros((1, 2)),
            key_of(self.seed),
        )
        rates, tests, excess = run_replicates(task, np.array(numbers))
        # the excess of errors of the first model stands for its errors: only differences are used
        values = rates[:, 0].reshape(len(numbers), -1)
        return np.hstack([values, tests, excess[:, 0], np.zeros_like(excess[:, 0])])

    def row(self, network: Network, rerun: Rerun, number: int) -> Floats:
        """Draw a network, split it as the first one was, and run the models on it."""
        blocks = self.blocks
        drawn = assemble(network, blocks, key_of(self.seed), number)
        again = copy.copy(rerun.divided)
        assert isinstance(again, Design)  # noqa: S101 - splits divide one network alone
        if hasattr(again, "seed"):
            again.seed = derive(self.seed, number, Stream.REPLICATE_SPLITS)
        seed = derive(self.seed, number, Stream.REPLICATE_MODELS)
        with run_quietly():
            try:
                found = rerun.on(drawn.network, again.split_network(drawn.network), seed)
            except InputError:
                return np.full(self.shape, np.nan)
        number_of, measure = blocks.sizes.size, rerun.measure
        if not self.adds_up:
            values = values_of(found, measure, drawn.origin)
            return np.concatenate([values.ravel(), np.zeros((1 + self.n_models) * number_of)])
        parts = by_communities(found, measure, blocks.community, drawn.origin, number_of)
        return np.concatenate([part.ravel() for part in parts])


@dataclass(frozen=True, slots=True)
class Bootstrap(Replicates[ReplicateScores]):
    """Networks drawn with replacement."""

    size: int  # networks in each set
    # for each pair whether a compiled loop runs it. The models of all other pairs run together on
    # set 0; a pair with a compiled loop has a set of its own.
    compiled: tuple[bool, ...]

    @property
    def n_replicates(self) -> int:
        return self.size

    @property
    def title(self) -> str:
        """What is run."""
        return "drawn networks"

    def places(self) -> list[tuple[int, int]]:
        """Return the numbers of the two sets of each pair, of the network as it is and of NULL.

        Set 0 serves all pairs that are not compiled.

        Examples
        --------
        >>> from types import SimpleNamespace as Like
        >>> Bootstrap.places(Like(pairs=[(0, 1)], compiled=[True]))
        [(0, 1)]
        >>> Bootstrap.places(Like(pairs=[(0, 1), (0, 2), (1, 2)], compiled=[True, False, False]))
        [(4, 1), (0, 2), (0, 3)]
        """
        number = len(self.pairs)
        return [
            (0 if number == 1 or not one else 1 + number + i, 1 + i)
            for i, one in enumerate(self.compiled)
        ]

    def together(self) -> dict[int, tuple[int, ...]]:
        """Return which models run on each set of replicates of the network as it is."""
        others = {i for pair, one in zip(self.pairs, self.compiled) if not one for i in pair}
        found: dict[int, tuple[int, ...]] = {0: tuple(sorted(others))} if others else {}
        for pair, one, (plain, _) in zip(self.pairs, self.compiled, self.places()):
            if one:
                found[plain] = tuple(pair)
        return found

    def rounds(self) -> tuple[list[Unit], ...]:
        """Return the units of replicates as the network is, then of those where pairs are equal."""
        rounds = list(self.together()), [null for _, null in self.places()]
        return tuple(
            [unit for place in places for unit in units_of(place, self.size)] for places in rounds
        )

    def sets(self, number: int, found: Mapping[int, ReplicateScores]) -> list[ReplicateSet]:
        if number == PLAIN:
            equal = np.full(self.blocks.sizes.size, 1 / self.blocks.sizes.size)
            loops = {plain: one for (plain, _), one in zip(self.places(), self.compiled)}
            return [
                self._set(place, models, equal, PLAIN, loops[place])
                for place, models in self.together().items()
            ]
        return [
            self._set(null, pair, where_equal(self.plain(pair, plain, found)), NULL, one)
            for pair, (plain, null), one in zip(self.pairs, self.places(), self.compiled)
        ]

    def plain(
        self, pair: tuple[int, int], place: int, found: Mapping[int, ReplicateScores]
    ) -> ReplicateScores:
        """Return what a pair did on replicates of the network as it is."""
        models = self.together()[place]
        return found[place].of(models.index(pair[0]), models.index(pair[1]))

    def _set(
        self, place: int, models: Sequence[int], chances: Floats, kind: int, compiled: bool
    ) -> ReplicateSet:
        return ReplicateSet(
            place=place,
            size=self.size,
            blocks=self.blocks._replace(cumulative=np.cumsum(chances)),
            n_models=len(models),
            n_splits=max(self.n_splits, LEAST_SPLITS) if compiled else self.n_splits,
            seed=derive(self.seed, Stream.BOOTSTRAP_REPLICATES, kind),
            rerun=None if self.rerun is None else self.rerun.only(models),
            adds_up=kind == PLAIN,
            compiled=compiled,
        )

    def variances(
        self, own: Floats, found: Mapping[int, ReplicateScores]
    ) -> dict[tuple[str, str], BootstrapVariance]:
        """Return the variance of every pair, and of every model alone."""
        sizes, variances = self.blocks.sizes.astype(float), {}
        for pair, (place, null), one in zip(self.pairs, self.places(), self.compiled):
            (i, j), plain, equal = pair, self.plain(pair, place, found), found[null].values
            spread = spread_of(
                plain.values[:, 0] - plain.values[:, 1],
                equal[:, 0] - equal[:, 1],
                own[i] - own[j],
                sizes,
                independent=self.independent,
            )
            means = plain.values.mean(axis=2)
            variances[self.names[i], self.names[j]] = spread._replace(
                communities_in_play=float(1 / (where_equal(plain) ** 2).sum()),
                means=means[:, 0] - means[:, 1],
                compiled=one,
            )
            for column, model in enumerate(pair):
                alone = self.names[model], ""
                if alone not in variances:  # it has no null hypothesis
                    values = plain.values[:, column]
                    variances[alone] = spread_of(
                        values, values, own[model], sizes, independent=self.independent
                    )
        return variances


def where_equal(plain: ReplicateScores) -> Floats:
    """Return the chances of drawing each community for replicates on which two models are equal."""
    return null_probabilities(plain.totals[0] - plain.totals[1])


def check_replicates(n_replicates: int, who: str, *, halves: bool = False) -> None:
    """Refuse a number of replicates that gives no variance worth having, or never ends."""
    check_count(who, "n_replicates", n_replicates, FEWEST_HALVINGS if halves else FEWEST, MOST)
