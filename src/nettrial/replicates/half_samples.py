"""Running models on the halves of a network's communities, on the network's own splits."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, ModelWarning
from ..core.progress import Progress
from ..core.seeds import Stream, derive
from ..metrics.measures import Measure
from ..models.base import AnyModel
from ..network.network import Network
from ..splits.base import Split
from ..store.units import Expected, Outcome, Reader, Unit
from ..study.measured import check_defined
from ..study.node_study import CrossLinks, run
from ..study.parallel import complete
from .blocks import Blocks, BootstrapError
from .halving import halve, part_network, restricted
from .replicate_runs import Records, attempted, units_of, values_of

Floats = NDArray[np.float64]
SET = 0  # the one set of drawn networks in a study file


class OnHalves(NamedTuple):
    """What models did on both parts of every halving.

    Attributes
    ----------
    values : ndarray, shape (n_halvings, 2, n_models, n_splits)
        The measure; NaN where a split leaves a part without training or test nodes.
    shares : ndarray, shape (n_halvings,)
        Share of the nodes in the first part.
    """

    values: Floats
    shares: Floats


@dataclass(frozen=True, slots=True)
class HalvesTrial:
    """What is halved, and what runs on the parts.

    Attributes
    ----------
    blocks : Blocks
        The network taken apart into communities.
    models : tuple of Model
    names : tuple of str
    splits : tuple of Split
        Of the whole network.
    n_splits : int
        Splits that each halving uses; they take turns.
    cross_links : {"keep", "drop"}
    measure : Measure
    entropy : int
        Together with the number of a part it decides everything random.
    n_seeds : int
        Training seeds for each split.
    """

    blocks: Blocks
    models: tuple[AnyModel, ...]
    names: tuple[str, ...]
    splits: tuple[Split, ...]
    n_splits: int
    cross_links: CrossLinks
    measure: Measure
    entropy: int
    n_seeds: int = 1

    def task(self, units: Sequence[Unit]) -> Parts:
        """Return the task of running some parts."""
        return Parts(self, tuple(units))

    def splits_of(self, halving: int) -> list[Split]:
        """Return the splits that a halving uses."""
        first = halving * self.n_splits
        return [self.splits[i % len(self.splits)] for i in range(first, first + self.n_splits)]


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts that are run in one go; part 2 h + s is side s of halving h."""

    trial: HalvesTrial
    units: tuple[Unit, ...]

    def run(self, network: Network) -> list[Outcome]:
        """Run the models on them; a part that fails does not stop the others."""
        return attempted(
            self.units,
            lambda number: part_values(network, self.trial, number).ravel(),
            lambda number: f"halving {number // 2}, part {number % 2}",
        )


def part_values(network: Network, trial: HalvesTrial, number: int) -> Floats:
    """Return the measure of every model on every split of one part, (n_models, n_splits).

    With several training seeds for each split it is the mean over them.
    """
    from joblib import parallel_config

    halving, side = divmod(number, 2)
    part = halve(trial.blocks.sizes, trial.entropy, halving)[side]
    drawn = part_network(network, trial.blocks, part, trial.entropy, number)
    splits = restricted(trial.splits_of(halving), drawn.origin, network.n_nodes)
    usable = [i for i, each in enumerate(splits) if _is_usable(drawn.network, each, trial.measure)]
    found = np.full((len(trial.models), len(splits)), np.nan)
    if not usable:
        return found
    with warnings.catch_warnings(), parallel_config(backend="sequential"):
        # whoever runs the models on the network itself is reported there
        warnings.simplefilter("ignore", ModelWarning)
        runs = [
            run(
                drawn.network,
                dict(zip(trial.names, trial.models)),
                [splits[i] for i in usable],
                seed=derive(trial.entropy, number, Stream.REPLICATE_MODELS, *more),
                cross_links=trial.cross_links,
                progress=False,
            )
            for more in [(), *((seed,) for seed in range(1, trial.n_seeds))]
        ]
    values = [values_of(each, trial.measure, drawn.origin) for each in runs]
    found[:, usable] = np.mean(values, axis=0)
    return found


def _is_usable(network: Network, split: Split, measure: Measure) -> bool:
    if not split.train.size or not split.test.size:
        return False
    try:
        check_defined(network, [split], measure)
    except InputError:
        return False
    return True


def run_on_halves(
    network: Network,
    trial: HalvesTrial,
    *,
    n_halvings: int,
    records: Records,
    n_jobs: int | None,
    progress: Progress,
) -> OnHalves:
    """Run all models on both parts of some halvings.

    Parameters
    ----------
    network : Network
    trial : HalvesTrial
    n_halvings : int
    records : callable
        Gives what keeps the outcomes of units.
    n_jobs : int, optional
        Worker processes.
    progress : Progress
        Counts parts.
    """
    units = units_of_halves(n_halvings)
    with contextlib.ExitStack() as stack:
        record = stack.enter_context(records(units))
        complete(network, trial.task, [[unit] for unit in units], record, n_jobs, progress)
        return halves_from(
            record.reader(),
            trial.blocks,
            trial.entropy,
            n_models=len(trial.models),
            n_halvings=n_halvings,
            n_splits=trial.n_splits,
        )


def units_of_halves(n_halvings: int) -> list[Unit]:
    """Name the parts of halvings as units of work."""
    return units_of(SET, 2 * n_halvings)


def halves_from(
    reader: Reader,
    blocks: Blocks,
    entropy: int,
    *,
    n_models: int,
    n_halvings: int,
    n_splits: int,
) -> OnHalves:
    """Read what models did on the parts.

    Raises
    ------
    BootstrapError
        Where no split of some halving can be used in both parts.
    """
    wanted: list[Expected] = [
        (unit, (n_models * n_splits,)) for unit in units_of_halves(n_halvings)
    ]
    values = np.array(list(reader(wanted))).reshape(n_halvings, 2, n_models, n_splits)
    # what cannot be used in one part is not used in the other one either
    values = np.where(np.isnan(values).any(axis=(1, 2), keepdims=True), np.nan, values)
    unusable = int(np.isnan(values).all(axis=(1, 2, 3)).sum())
    if unusable:
        raise BootstrapError(
            f"halves: {unusable:,} of {n_halvings:,} halvings of the communities leave a part "
            "without training or test nodes (or test nodes of two classes) in every split; use "
            "communities with more labels, a network with more of them, or more labeled nodes "
            "for training"
        )
    shares = np.array(
        [
            blocks.sizes[halve(blocks.sizes, entropy, number)[0]].sum() / blocks.sizes.sum()
            for number in range(n_halvings)
        ]
    )
    return OnHalves(values, shares)
