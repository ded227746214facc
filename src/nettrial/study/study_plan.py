"""The units of work of a study, where their outcomes are kept, and what came of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.progress import Progress
from ..network.network import Network
from ..store.units import Unit
from .parallel import Task, complete
from .records import MemoryRecord, Record

Found: TypeAlias = dict[str, tuple[NDArray[np.floating], ...]]
Heard: TypeAlias = dict[str, tuple[tuple[str, ...], ...]]


class StudyPlan(ABC):
    """All units of work of a study, in blocks that are run in one go.

    Parameters
    ----------
    network : Network
    models : dict of str to model
    splits : tuple of splits
    entropy : int
        From it, the model's name and the split's number comes the seed of each unit.

    Raises
    ------
    InputError
        Where there is no split or no model.
    """

    cross_links: str | None = None  # what is done with links between training nodes and others

    def __init__(
        self, network: Network, models: dict[str, Any], splits: tuple[Any, ...], entropy: int
    ) -> None:
        if not models:
            raise InputError(
                expected="at least one model", got="none", hint="give {name: model}", where="run"
            )
        if not splits:
            raise InputError(expected="at least one split", got="none", where="run")
        self.network, self.models, self.splits, self.entropy = network, models, splits, entropy
        self.blocks: list[tuple[Unit, ...]] = []
        for place, model in enumerate(models.values()):
            units = [Unit(place, number) for number in range(len(splits))]
            size = self._at_once(model)
            self.blocks += [tuple(units[i : i + size]) for i in range(0, len(units), size)]

    def _at_once(self, model: Any) -> int:
        """Return how many splits a model takes in one call."""
        return 1

    @abstractmethod
    def task(self, units: Sequence[Unit]) -> Task:
        """Return the task of running units of one block."""

    @abstractmethod
    def shape(self, split: Any) -> tuple[int, ...]:
        """Return the shape of what a model predicts on a split."""

    def record(
        self,
        store: str | PathLike[str] | None,
        units: Sequence[Unit] = (),
        *,
        drawn: Mapping[str, Any] | None = None,
        analysis: Mapping[str, Any] | None = None,
        retry: bool = False,
    ) -> Record:
        """Open what keeps the outcomes: memory, a study file, or a shard.

        Without `units` they are those of this plan. With `units` of networks drawn from this one,
        `drawn` describes what else these depend on.
        """
        units = units or [unit for block in self.blocks for unit in block]
        if store is None:
            return MemoryRecord(units)
        from ..store.finished import open_study

        inputs = self.inputs(drawn)
        return open_study(
            store,
            network=self.network,
            splits=self.splits,
            models=tuple(self.models),
            units=units,
            inputs=inputs,
            analysis=analysis,
            retry=retry,
        )

    def inputs(self, drawn: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Describe all on which results depend; `drawn` as for `record`."""
        from ..store.inputs import DRAWN, describe_inputs

        found = describe_inputs(
            self.network, self.models, self.splits, self.entropy, self.cross_links
        )
        return found | ({} if drawn is None else {DRAWN: drawn})

    def complete(
        self, record: Record, n_jobs: int | None, progress: bool | None
    ) -> tuple[Found, Heard]:
        """Run what is open in a record; return all predictions, and what models warned of."""
        total = sum(map(len, self.blocks))
        with Progress("models x splits", total=total, enabled=progress) as bar:
            complete(self.network, self.task, self.blocks, record, n_jobs, bar)
        heard = by_split(tuple(self.models), len(self.splits), record.warned())
        return self.collect(record), heard

    def collect(self, record: Record) -> Found:
        """Take the predictions of every model out of a record in which all units are done."""
        shapes = [self.shape(split) for split in self.splits]
        get = record.reader()
        return {
            name: tuple(get((Unit(place, number), shape) for number, shape in enumerate(shapes)))
            for place, name in enumerate(self.models)
        }


def by_split(models: Sequence[str], n_splits: int, warned: Mapping[Unit, tuple[str, ...]]) -> Heard:
    """Sort what models warned of by model and split."""
    return {
        name: tuple(warned.get(Unit(place, number), ()) for number in range(n_splits))
        for place, name in enumerate(models)
    }
