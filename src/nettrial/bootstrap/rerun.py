"""Models on one network, ready to be run again on networks that are drawn from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..models.base import Model
from ..network import Network
from ..progress import Progress
from ..seeds import derive
from ..splits.base import Design
from ..study import CrossLinks
from .blocks import Blocks
from .reference import Spread, spread_of
from .runs import Drawn, run_on_replicates
from .tilting import null_probabilities

Floats = NDArray[np.float64]
REPLICATES = 3  # what a seed derived from the test's seed is for
FEWEST = 10  # replicates below which a variance is not worth having


class Judged(NamedTuple):
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
    compiled : bool
        Whether the second kind took the compiled path.
    """

    spread: Spread
    mean_at_estimate: float
    mean_at_null: float
    communities_in_play: float
    compiled: bool


@dataclass(frozen=True, slots=True)
class Rerun:
    """What is drawn, and what runs on it.

    Attributes
    ----------
    network : Network
    blocks : Blocks
        The network taken apart into communities.
    models : tuple of Model
    design : Design
    n_replicates : int
        Of either kind.
    cross_links : {"keep", "drop"}
    entropy : int
        The frozen seed of the test.
    """

    network: Network
    blocks: Blocks
    models: tuple[Model, ...]
    design: Design
    n_replicates: int
    cross_links: CrossLinks
    entropy: int

    def as_it_is(self, progress: Progress) -> Drawn:
        """Run all models on replicates of the network as it is."""
        number = self.blocks.sizes.size
        return self._draw(self.models, np.full(number, 1 / number), 0, progress)

    def judge(self, first: int, second: int, plain: Drawn, own: Floats, bar: Progress) -> Judged:
        """Run two of the models where they are equal, and put both kinds of replicates together.

        Parameters
        ----------
        first, second : int
            Places of the models.
        plain : Drawn
            What `as_it_is` gave.
        own : ndarray, shape (k,)
            Their difference on every split of the network.
        bar : Progress
            Counts replicates.
        """
        chances = null_probabilities(plain.totals[first] - plain.totals[second])
        null = self._draw((self.models[first], self.models[second]), chances, 1, bar)
        at_estimate = plain.rates[:, first] - plain.rates[:, second]
        at_null = null.rates[:, 0] - null.rates[:, 1]
        spread = spread_of(
            at_estimate, at_null, own, self.blocks.sizes.astype(float),
            independent=plain.independent,
        )  # fmt: skip
        return Judged(
            spread,
            float(at_estimate.mean()),
            float(at_null.mean()),
            float(1 / (chances**2).sum()),
            null.compiled,
        )

    def community_details(self) -> dict[str, Any]:
        """Say how many communities there are and how unequal they are."""
        nodes = self.blocks.sizes.astype(float)
        return {
            "communities": int(nodes.size),
            "effective_communities": float(nodes.sum() ** 2 / (nodes**2).sum()),
            "largest_share": float(nodes.max() / nodes.sum()),
        }

    def _draw(self, models: tuple[Model, ...], chances: Floats, place: int, bar: Progress) -> Drawn:
        return run_on_replicates(
            self.network, self.blocks._replace(cumulative=np.cumsum(chances)), models, self.design,
            n_replicates=self.n_replicates, cross_links=self.cross_links,
            entropy=derive(self.entropy, REPLICATES, place), progress=bar,
        )  # fmt: skip


def check_replicates(n_replicates: int, who: str) -> None:
    """Refuse a number of replicates that gives no variance worth having."""
    if isinstance(n_replicates, bool) or n_replicates < FEWEST:
        raise InputError(
            f"{who}: n_replicates={n_replicates!r}, allowed is an integer of at least "
            f"{FEWEST}; 200 is a good number"
        )
