"""What a plan found: power by size, proportion labeled and number of splits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..arguments import check_arguments
from ..comparison.notes import network_facts
from ..errors import InputError
from ..finding import Finding
from ..inference.community_bootstrap import COMMUNITY_BOOTSTRAP
from ..network import Network

if TYPE_CHECKING:
    import pandas as pd


class PlanPoint(NamedTuple):
    """Power of the bootstrap for one size, proportion of labels and number of splits.

    Attributes
    ----------
    multiple : int
        Size of the network, in networks like the user's.
    n_nodes : int
    labeled : float
    n_splits : int
    standard_error, df : float
        Of the mean difference from network to network, and its degrees of freedom.
    power, low, high : float
        Probability of p < 0.05 at the difference planned for; 95% interval for the Monte Carlo
        error of the standard error.
    """

    multiple: int
    n_nodes: int
    labeled: float
    n_splits: int
    standard_error: float
    df: float
    power: float
    low: float
    high: float

    def suffices(self, wanted: float) -> bool:
        """Return whether the power is at least `wanted` over its whole interval."""
        return self.low >= wanted


@dataclass(frozen=True, slots=True, repr=False)
class Plan(Finding):
    """What it takes to see a difference between two models on networks like the user's own.

    Attributes
    ----------
    network : Network
        The user's own.
    models : tuple of str
        Names of A and B.
    difference, wanted : float
        The true difference of the error rates, of predicted numbers that of the squared errors as
        a share of the larger one; the power wanted.
    labeled : float
        Proportion of labeled nodes that is planned from.
    n_splits : int
        Number of splits that is planned from.
    seed : int
        The frozen seed.
    spots : tuple of PlanPoint
        All combinations of size, proportion of labels, and number of splits.
    nodes : float or None
        Nodes that it takes with the given proportion of labels and number of splits, by
        interpolation between the sizes tried; None where the largest does not suffice. Here and
        below a plan suffices where the whole interval of its power does: `PlanPoint.suffices`.
    rate : float or None
        The smallest proportion of labels tried that suffices at the network's size.
    splits : int or None
        The smallest number of splits tried that suffices at the network's size.
    ceiling : float
        Power at the network's size with infinitely many splits, an estimate.
    detectable : float
        The smallest difference that is seen with the wanted power as things are.
    n_replicates : int
        Networks drawn for each size and proportion of labels.
    warnings : tuple of Warning
        Caveats: what makes the plan uncertain.
    settings : mapping
        Further settings, and versions.
    """

    network: Network
    models: tuple[str, str]
    difference: float
    wanted: float
    labeled: float
    n_splits: int
    seed: int
    spots: tuple[PlanPoint, ...]
    nodes: float | None
    rate: float | None
    splits: int | None
    ceiling: float
    detectable: float
    n_replicates: int
    warnings: tuple[Warning, ...]
    settings: Mapping[str, Any]

    @property
    def now(self) -> PlanPoint:
        """The network as it is, with the given labels and splits."""
        return self.spot(1, self.labeled, self.n_splits)

    @check_arguments
    def spot(self, multiple: int, labeled: float, n_splits: int) -> PlanPoint:
        """Return one combination.

        Raises
        ------
        InputError
            Where it was not tried.
        """
        for found in self.spots:
            if (found.multiple, found.labeled, found.n_splits) == (multiple, labeled, n_splits):
                return found
        raise InputError(
            f"plan: {multiple} times the size, labeled={labeled:g} and {n_splits} splits were not "
            "tried; see to_frame() for what was"
        )

    @property
    def together(self) -> PlanPoint | None:
        """The smallest network that suffices with more labels and splits, the fewest of them."""
        enough = [
            spot
            for spot in self.spots
            if spot.suffices(self.wanted)
            and spot.labeled >= self.labeled
            and spot.n_splits >= self.n_splits
        ]
        order = [(spot.multiple, spot.n_splits, spot.labeled) for spot in enough]
        return enough[order.index(min(order))] if enough else None

    def to_frame(self) -> pd.DataFrame:
        """Return one row a combination."""
        import pandas as pd

        return pd.DataFrame([spot._asdict() for spot in self.spots])

    def _values(self) -> dict[str, Any]:
        plain = (
            "models", "difference", "wanted", "labeled", "n_splits", "seed", "nodes", "rate",
            "splits", "ceiling", "detectable", "n_replicates", "settings",
        )  # fmt: skip
        return {
            "test": COMMUNITY_BOOTSTRAP.name,
            **network_facts(self.network),
            **{name: getattr(self, name) for name in plain},
            "together": None if self.together is None else self.together._asdict(),
            "spots": self.to_frame().to_dict("records"),
        }
