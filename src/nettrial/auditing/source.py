"""Networks like the user's own, with both models on each."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..comparison.setup import named_models
from ..comparison.setup_checks import check_comparable
from ..core import seeds
from ..core.errors import InputError, ModelWarning
from ..core.progress import Progress
from ..core.seeds import Stream
from ..inference.scores import Scores
from ..kernels.keys import key_of
from ..metrics.measures import Measure
from ..models.base import AnyModel
from ..network.canonical_order import canonical_order
from ..network.communities import communities as find_communities
from ..network.communities import communities_in_order
from ..network.network import Network
from ..replicates.blocks import Blocks, take_apart
from ..replicates.compiled_pair import CHUNK, LEAST_SPLITS, CompiledPair, compiled_pair
from ..replicates.halving import halve, may_see_copies, part_network
from ..replicates.handicaps import enlarged, run_handicapped
from ..replicates.replicate import Replicate, assemble
from ..splits.base import Design
from ..splits.cross_validation import NetworkCrossValidation
from ..splits.resampling import RandomResampling
from ..study.node_study import Predictions, run
from ..study.tasks import task_of
from .handicaps import turned

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Source:
    """Networks drawn from the communities of one network, and two models to run on them."""

    network: Network  # the user's own, in canonical order
    # it, taken apart; see `nettrial.replicates.handicaps.enlarged` for larger replicates
    blocks: Blocks
    by: Any  # where the communities come from
    models: dict[str, AnyModel]  # two
    pair: CompiledPair | None  # the models for the compiled path, where it serves them
    entropy: int  # decides everything random
    # whether networks are drawn with replacement; else each is one half of the communities, since a
    # model may notice copies of a node
    copies: bool = True

    @classmethod
    def of(
        cls,
        network: Network,
        a: str | AnyModel,
        b: str | AnyModel,
        by: str | ArrayLike,
        seed: seeds.Seed,
    ) -> Source:
        """Split the network into its parts and build the models."""
        models = named_models((a, b))  # first: link predictors, which it refuses, need no labels
        check_comparable(network)
        order = canonical_order(network)
        if order is not None:
            network, by = order.network, communities_in_order(by, order)
        entropy = seeds.freeze(seed)
        first, second = models.values()
        group = find_communities(
            network, by=by, seed=seeds.derive(entropy, Stream.AUDIT_COMMUNITIES)
        )
        blocks = take_apart(network, group)
        pair = compiled_pair(network, (first, second))
        copies = all(may_see_copies(model) for model in models.values())
        return cls(network, blocks, by, models, pair, entropy, copies)

    @property
    def measure(self) -> Measure:
        """The loss by which true differences are made: the error rate, or the squared error."""
        return task_of(self.network).measure("error")

    def draw(self, number: int, blocks: Blocks | None = None) -> Replicate:
        entropy, blocks = seeds.derive(self.entropy, Stream.AUDIT_NETWORK), blocks or self.blocks
        if self.copies:
            return assemble(self.network, blocks, key_of(entropy), number)
        part = halve(blocks.sizes, entropy, number)[0]
        return part_network(self.network, blocks, part, entropy, number)

    def groups(self, drawn: Replicate) -> NDArray[np.int32]:
        """Find communities on a replicate the way that the user finds them on the network.

        A partition that is given, or a node column, becomes that of the draws: two copies of a
        community are two communities.
        """
        if isinstance(self.by, str) and self.by not in self.network.attributes:
            seed = seeds.derive(self.entropy, Stream.AUDIT_COMMUNITIES)
            return find_communities(drawn.network, by=self.by, seed=seed)
        return drawn.community

    def splits(self, name: str, labeled: float, n_splits: int, number: int) -> Design:
        """Return the design "rrs" or "ncv" for one replicate."""
        kind = {"rrs": RandomResampling, "ncv": NetworkCrossValidation}[name]
        seed = seeds.derive(self.entropy, Stream.AUDIT_SPLITS, number)
        return kind(n_splits=n_splits, labeled=labeled, seed=seed)

    def predict(self, network: Network, design: Design, number: int) -> Predictions:
        """Run both models on the splits of a network."""
        try:
            splits = design.split_network(network)
        except InputError as error:
            raise InputError(
                f"a network drawn from them cannot be split ({str(error).split(';')[0]})",
                parameter="communities",
                hint="use communities with more labels, or a network with more of them",
            ) from error
        with warnings.catch_warnings():
            # of the models on drawn networks nothing is left but their errors
            warnings.simplefilter("ignore", ModelWarning)
            return run(
                network,
                self.models,
                splits,
                seed=seeds.derive(self.entropy, Stream.AUDIT_MODELS, number),
                progress=False,
            )

    def turn(self, predictions: Predictions, chances: Floats, number: int) -> list[Predictions]:
        """Handicap the models on one replicate, in several ways."""
        return turned(predictions, chances, seeds.derive(self.entropy, Stream.AUDIT_TURNS, number))

    def rates(
        self,
        chances: Floats,
        place: int,
        *,
        labeled: float,
        n_splits: int,
        n_replicates: int,
        multiple: int = 1,
        progress: Progress | None = None,
    ) -> Floats:
        """Run handicapped models on many replicates.

        Parameters
        ----------
        chances : ndarray, shape (n_handicaps, 2)
        place : int
            Names a set of replicates; those of two places are independent.
        labeled, n_splits
            Of the random splits; the compiled path makes at least 16.
        multiple : int
            Size of the replicates, in networks.
        progress : Progress, optional
            Counts replicates.

        Returns
        -------
        ndarray, shape (n_replicates, n_handicaps, 2, n_splits)
            Error rates, or squared errors.
        """
        blocks = self.blocks if multiple == 1 else enlarged(self.blocks, multiple)
        other = replace(
            self, blocks=blocks, entropy=seeds.derive(self.entropy, Stream.AUDIT_NETWORK, place)
        )
        parts = []
        for first in range(0, n_replicates, CHUNK):
            size = min(CHUNK, n_replicates - first)
            parts.append(other._some(chances, first, size, labeled, n_splits))
            if progress is not None:
                progress.advance(size)
        rates = np.concatenate(parts)
        if np.isnan(rates).any():
            raise InputError(
                "a network drawn from them has fewer than two labeled nodes",
                parameter="communities",
                hint="use communities with more labels, or a network with more of them",
            )
        return rates

    def _some(
        self, chances: Floats, first: int, size: int, labeled: float, n_splits: int
    ) -> Floats:
        if self.pair is not None:
            return run_handicapped(
                self.network,
                self.blocks,
                self.pair,
                chances,
                labeled=labeled,
                n_splits=max(n_splits, LEAST_SPLITS),
                n_replicates=size,
                entropy=self.entropy,
                first=first,
            ).rates
        rows = []
        for number in range(first, first + size):
            drawn = self.draw(number).network
            design = self.splits("rrs", labeled, n_splits, number)
            found = self.predict(drawn, design, number)
            rows.append(
                [Scores.of(one, self.measure).values for one in self.turn(found, chances, number)]
            )
        return np.array(rows)
