"""What a plan found: power by size, proportion labeled and number of splits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..comparison.notes import network_facts
from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.finding import Finding
from ..core.option_names import option
from ..inference.choice import HALVES
from ..inference.procedure import Procedure
from ..inference.registry import PROCEDURES
from ..inference.variance_sources import Sources
from ..metrics.measures import Measure
from ..network.network import Network
from ..study.tasks import task_of

if TYPE_CHECKING:
    import pandas as pd


class PlanPoint(NamedTuple):
    """Power of the test for one size, proportion of labels, number of splits and of seeds.

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
    detectable : float
        The smallest difference that is seen with the wanted power.
    n_seeds : int
        Training seeds for each split.
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
    detectable: float
    n_seeds: int = 1

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
    n_seeds : int
        Number of training seeds for each split that is planned from.
    seed : int
        The frozen seed.
    test : str
        Whose power it is: "bootstrap", found on larger networks that were drawn with replacement,
        or "halves", found on halves of the communities.
    spots : tuple of PlanPoint
        All combinations of size, proportion of labels, number of splits, and of seeds.
    nodes : float or None
        Nodes that it takes with the given proportion of labels and number of splits, by
        interpolation between the sizes tried; None where the largest does not suffice. Here and
        below a plan suffices where the lower end of its power's interval reaches `wanted`:
        `PlanPoint.suffices`.
    rate : float or None
        The smallest proportion of labels tried that suffices at the network's size.
    splits, seeds : int or None
        The smallest number of splits, and of seeds, tried that suffices at the network's size.
    ceiling : float
        Power at the network's size with infinitely many splits, an estimate.
    detectable : float
        The smallest difference that is seen with the wanted power as things are.
    n_replicates : int
        Networks drawn for each size and proportion of labels, or halvings of the communities.
    sources : tuple of Sources
        Where the variance comes from, by halves: that of each model and of the difference. Empty
        for other plans, and with one training seed, whose share is not known then.
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
    n_seeds: int
    seed: int
    test: str
    spots: tuple[PlanPoint, ...]
    nodes: float | None
    rate: float | None
    splits: int | None
    seeds: int | None
    ceiling: float
    detectable: float
    n_replicates: int
    sources: tuple[Sources, ...]
    warnings: tuple[Warning, ...]
    settings: Mapping[str, Any]

    @property
    def now(self) -> PlanPoint:
        """The network as it is, with the given labels, splits and seeds."""
        return self.spot(1, self.labeled, self.n_splits)

    @property
    def procedure(self) -> Procedure:
        """The test whose power it is."""
        return PROCEDURES[self.test]

    @property
    def by_halves(self) -> bool:
        """Whether it was found on halves of the communities."""
        return self.test == HALVES

    @property
    def measure(self) -> Measure:
        """What is compared: the error rate, or the squared error."""
        return task_of(self.network).measure("error")

    @check_arguments
    def spot(
        self, multiple: int, labeled: float, n_splits: int, n_seeds: int | None = None
    ) -> PlanPoint:
        """Return one combination; with the given number of seeds where none is named.

        Raises
        ------
        InputError
            Where it was not tried.
        """
        n_seeds = self.n_seeds if n_seeds is None else n_seeds
        wanted = (multiple, labeled, n_splits, n_seeds)
        for found in self.spots:
            if (found.multiple, found.labeled, found.n_splits, found.n_seeds) == wanted:
                return found
        raise InputError(
            f"plan: {multiple} times the size, {option('labeled', labeled)}, {n_splits} splits and "
            f"{n_seeds} seeds were not tried; see to_frame() for what was"
        )

    @property
    def together(self) -> PlanPoint | None:
        """The smallest network that suffices with more labels, splits and seeds, the fewest."""
        enough = [
            spot
            for spot in self.spots
            if spot.suffices(self.wanted)
            and spot.labeled >= self.labeled
            and spot.n_splits >= self.n_splits
            and spot.n_seeds >= self.n_seeds
        ]
        order = [(spot.multiple, spot.n_splits, spot.n_seeds, spot.labeled) for spot in enough]
        return enough[order.index(min(order))] if enough else None

    def to_frame(self) -> pd.DataFrame:
        """Return one row per combination."""
        import pandas as pd

        return pd.DataFrame([spot._asdict() for spot in self.spots])

    def _values(self) -> dict[str, Any]:
        plain = (
            "models", "difference", "wanted", "labeled", "n_splits", "n_seeds", "seed", "nodes",
            "rate", "splits", "seeds", "ceiling", "detectable", "n_replicates", "settings",
        )  # fmt: skip
        return {
            "test": self.test,
            **network_facts(self.network),
            **{name: getattr(self, name) for name in plain},
            "sources": [each.to_dict() for each in self.sources],
            "together": None if self.together is None else self.together._asdict(),
            "spots": self.to_frame().to_dict("records"),
        }
