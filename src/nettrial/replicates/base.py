"""What networks drawn from one have in common, however they are drawn: sets, runs, variances."""

from __future__ import annotations

import contextlib
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.clock import Clock
from ..core.errors import InputError, ModelWarning
from ..core.progress import Progress
from ..metrics.measures import Measure
from ..models.base import AnyModel, is_ours
from ..network.communities import effective_number
from ..network.network import Network
from ..splits.base import Design, Split
from ..store.units import ALL, IncompleteStudyError, Outcome, Reader, Unit
from ..study.fitting import failure
from ..study.node_study import CrossLinks, Predictions, run
from ..study.parallel import complete, joblib_counts
from ..study.records import MemoryRecord, Record
from ..study.task import Task
from .blocks import Blocks, BootstrapError

Floats = NDArray[np.float64]
Pairs: TypeAlias = Sequence[tuple[int, int]]
Records: TypeAlias = Callable[[Sequence[Unit]], Record]  # gives what keeps the outcomes of units
Found = TypeVar("Found")  # what models did on a set of drawn networks
Kind = TypeVar("Kind", bound="Variance")


class Variance(Protocol):
    """The variance of a mean difference from network to network, with its degrees of freedom."""

    @property
    def variance(self) -> float: ...

    @property
    def df(self) -> float: ...

    @property
    def splits_that_pay(self) -> int: ...


class Rerun(NamedTuple):
    """What ran on a network and runs again on networks that are drawn from it."""

    models: Mapping[str, AnyModel]
    # how drawn networks are split, or the splits of the network itself
    divided: Design | Sequence[Split]
    cross_links: CrossLinks  # {"keep", "drop"}
    measure: Measure
    task: Task  # what is predicted
    n_seeds: int = 1  # training seeds for each split

    def only(self, places: Sequence[int]) -> Rerun:
        """Return the same with some of the models."""
        some = list(self.models.items())
        return self._replace(models=dict(some[i] for i in places))

    def on(self, drawn: Network, splits: Sequence[Split], seed: int) -> Predictions:
        """Run the models on a drawn network."""
        return run(
            drawn,
            self.models,
            splits,
            seed=seed,
            cross_links=self.cross_links,
            progress=False,
            task=self.task,
        )


@contextlib.contextmanager
def run_quietly() -> Iterator[None]:
    """Run models one after another; what they warn of is reported on the network itself."""
    from joblib import parallel_config

    with warnings.catch_warnings(), parallel_config(backend="sequential"):
        warnings.simplefilter("ignore", ModelWarning)
        yield


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSet(ABC, Generic[Found]):
    """A set of drawn networks; of each comes one row of numbers, which a study file can hold.

    A row of NaN stands for a network that cannot be used.
    """

    place: int  # number of the set in a study file
    size: int  # number of networks
    blocks: Blocks  # the network taken apart into communities
    # n_models, n_splits: that run on each
    n_models: int
    n_splits: int
    seed: int  # together with the number of a network it decides everything random
    rerun: Rerun | None  # what runs on them; None where rows are read from a file

    @property
    def units(self) -> list[Unit]:
        """Its networks as units of work."""
        return units_of(self.place, self.size)

    @property
    def at_once(self) -> int:
        """Networks that one call runs, more than one by a compiled loop with its own threads."""
        return 1

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """Of a row."""

    @abstractmethod
    def row(self, network: Network, rerun: Rerun, number: int) -> Floats:
        """Draw a network, and run the models on it."""

    @abstractmethod
    def name(self, number: int) -> str:
        """Return which network it was, for an error."""

    @abstractmethod
    def found(self, rows: Floats) -> Found:
        """Return what models did by all rows."""

    def work(self, units: Sequence[Unit]) -> SetWork:
        """Return the work on some of its networks."""
        return SetWork(self, tuple(units))

    def outcomes(self, network: Network, units: Sequence[Unit]) -> list[Outcome]:
        """Run the models on some networks; one that fails does not stop the others."""
        assert self.rerun is not None  # noqa: S101 - nothing runs what is read from a file
        found = []
        for unit in units:
            clock = Clock()
            try:
                result = self.row(network, self.rerun, unit.replicate)
            except Exception as error:  # noqa: BLE001 - a model may raise anything
                found.append(failure(unit, self.name(unit.replicate), error, clock.seconds()))
            else:
                found.append(Outcome(unit, clock.seconds(), result))
        return found

    def rows_from(self, reader: Reader) -> Floats:
        return np.array(list(reader((unit, self.shape) for unit in self.units)))


@dataclass(frozen=True, slots=True)
class SetWork:
    """Networks of a set that are run in one go."""

    drawn: DrawnSet[Any]
    units: tuple[Unit, ...]

    @property
    def is_ours(self) -> bool:
        """Whether all models are built in."""
        return self.drawn.rerun is not None and is_ours(self.drawn.rerun.models)

    def run(self, network: Network) -> list[Outcome]:
        return self.drawn.outcomes(network, self.units)


def units_of(place: int, size: int) -> list[Unit]:
    """Return the networks of a set as units of work."""
    return [Unit(ALL, place, number) for number in range(size)]


class Budget(NamedTuple):
    """What decides how many networks are drawn, where nobody said it.

    Attributes
    ----------
    seconds : float
        That the models on the network and on drawn networks may take together.
    spent : float
        Seconds that the models took on the network itself, each worker its part.
    per_split : float
        Seconds that they took there for one split, likewise.
    noise : float
        Variance between splits, in units of the variance of the mean difference.
    forced : bool
        Whether the fewest networks are run though they take longer.
    store : path or Shard or None
        The study file that keeps what was decided.
    """

    seconds: float
    spent: float
    per_split: float
    noise: float
    forced: bool
    store: Any


@dataclass(frozen=True, slots=True)
class Replicates(ABC, Generic[Found]):
    """Networks made of the communities of one, and the variance that models show on them."""

    blocks: Blocks  # the network taken apart into communities
    names: tuple[str, ...]  # of the models
    pairs: Pairs  # places of the models of each pair
    n_splits: int  # splits of the network itself
    independent: bool  # whether these are drawn independently of each other
    seed: int
    rerun: Rerun | None  # what runs on drawn networks; None where what it did is read from a file

    @property
    @abstractmethod
    def n_replicates(self) -> int:
        """Networks in a set, or halvings."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What is run, for a progress bar."""

    @property
    def note(self) -> str:
        """What was run, and what more time would bring; nothing where nothing was planned."""
        return ""

    @abstractmethod
    def rounds(self) -> tuple[list[Unit], ...]:
        """Return all units; those of a round depend on what came of the rounds before it."""

    @abstractmethod
    def sets(self, number: int, found: Mapping[int, Found]) -> Sequence[DrawnSet[Found]]:
        """Return the sets of a round, by what models did on the sets before it."""

    @abstractmethod
    def variances(
        self, own: Floats, found: Mapping[int, Found]
    ) -> Mapping[tuple[str, str], Variance]:
        """Return the variance of every pair, and of every model alone as that of (name, "").

        Parameters
        ----------
        own : ndarray, shape (n_models, n_splits)
            The measure of every model on every split of the network.
        """

    def planned(self, budget: Budget, network: Network, n_jobs: int | None) -> Self:
        """Return the same with as many networks as a budget allows, where nobody said how many."""
        return self

    def as_stored(self, store: Any) -> Self:
        """Return the same with as many networks as a study file holds, where a budget set them."""
        return self

    def shortfall(self, least: float) -> str:
        """Return what to do where fewer degrees of freedom are expected; nothing where not."""
        return ""

    def results(self, own: Floats, rows: Callable[[DrawnSet[Found]], Floats]) -> ReplicateResults:
        """Run all sets, or read what came of them, and judge every pair as if it were alone.

        `rows` gives the rows of a set, as a `ReplicateRunner` does; `own` is as for `variances`.
        """
        found: dict[int, Found] = {}
        for number in range(len(self.rounds())):
            for each in self.sets(number, found):
                found[each.place] = each.found(rows(each))
        return ReplicateResults(self, self.variances(own, found), found=found)

    def run_share(self, rows: Callable[[DrawnSet[Found]], Floats]) -> None:
        """Run what is this process's share, round by round.

        A round ends it where results of other shares are missing, or what is drawn cannot be
        used, which the comparison reports as it would in a run in one piece.
        """
        found: dict[int, Found] = {}
        for number in range(len(self.rounds())):
            sets = self.sets(number, found)
            for each in sets:
                with contextlib.suppress(IncompleteStudyError, BootstrapError):
                    found[each.place] = each.found(rows(each))
            if any(each.place not in found for each in sets):
                return


@dataclass(frozen=True, slots=True)
class ReplicateRunner:
    """Runs the models on a set of drawn networks, or reads what others ran."""

    network: Network
    progress: Progress  # counts drawn networks
    n_jobs: int | None = None  # worker processes; compiled loops have threads of their own instead
    records: Records = MemoryRecord  # gives what keeps the outcomes of units

    def __call__(self, drawn: DrawnSet[Any]) -> Floats:
        units, size = drawn.units, drawn.at_once
        together = [units[i : i + size] for i in range(0, len(units), size)]
        with contextlib.ExitStack() as stack:
            record, n_jobs = stack.enter_context(self.records(units)), self.n_jobs
            if size > 1:
                n_jobs = None
                if joblib_counts():
                    from joblib import parallel_config

                    stack.enter_context(parallel_config(backend="sequential"))
            complete(self.network, drawn.work, together, record, n_jobs, self.progress)
            return drawn.rows_from(record.reader())


@dataclass(frozen=True, slots=True)
class ReplicateResults:
    """What models did on networks drawn from one, for the tests that ask for it."""

    replicates: Replicates[Any]
    # of every pair, and of every model alone as that of (name, "")
    variances: Mapping[tuple[str, str], Variance]
    # how far Louvain finds the same communities again; 1 for communities that were given
    agreement: float = 1.0
    by_features: bool = False  # whether communities are those of links and features
    found: Mapping[int, Any] = field(default_factory=dict)

    def with_own(self, own: Floats) -> ReplicateResults:
        """Return the same for other splits of the network; `own` as for `Replicates.variances`."""
        return replace(self, variances=self.replicates.variances(own, self.found))

    def splits_that_pay(self) -> int:
        """Return how many splits the neediest pair asks for."""
        return max(each.splits_that_pay for (_, b), each in self.variances.items() if b)

    def variance(self, kind: type[Kind], a: str, b: str = "") -> Kind:
        """Return the variance of a pair or of a model alone by networks of one kind."""
        found = self.variances[a, b]
        if not isinstance(found, kind):
            raise InputError("the models were not run again as this test does")
        return found


def community_details(blocks: Blocks) -> dict[str, Any]:
    """Describe how many communities there are and how unequal they are."""
    nodes = blocks.sizes.astype(float)
    return {
        "communities": int(nodes.size),
        "effective_communities": effective_number(nodes),
        "largest_share": float(nodes.max() / nodes.sum()),
    }
