"""The units of work of a study, where their outcomes are kept, and what came of them."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.progress import Progress
from ..core.seeds import derive, named
from ..network.network import Network
from ..store.units import Unit
from .fitting import CrossLinks, ModelWork
from .parallel import complete, n_workers, work
from .records import MemoryRecord, Record
from .task import Task
from .tasks import task_of

BATCH = 16  # splits that one call of a built-in model takes; a cache line holds 16 floats

TIMED = 2  # splits that are timed one after the other: the first may load and compile

Found: TypeAlias = dict[str, tuple[NDArray[np.floating], ...]]
Heard: TypeAlias = dict[str, tuple[tuple[str, ...], ...]]
Timed: TypeAlias = dict[str, tuple[float, ...]]
T = TypeVar("T")


class Plan:
    """All units of work of a study, in blocks that are run in one go.

    Parameters
    ----------
    network : Network
    models : dict of str to model
    splits : tuple of splits
    entropy : int
        From it, the model's name and the split's number comes the seed of each unit.
    cross_links : {"keep", "drop"}
        Whether links between training nodes and others stay in the network of a split.
    task : Task, optional
        What is predicted, by default what the splits divide.
    first : int, optional
        Splits with which a study file was begun, by default all; the others may be new to it.

    Raises
    ------
    InputError
        Where there is no split or no model, or the splits do not fit the network or the models.
    """

    def __init__(
        self,
        network: Network,
        models: dict[str, Any],
        splits: tuple[Any, ...],
        entropy: int,
        cross_links: CrossLinks = "keep",
        task: Task | None = None,
        first: int | None = None,
    ) -> None:
        self.task = task_of(network, splits) if task is None else task
        # none where it is links that are divided
        self.cross_links = self.task.check_run(network, models, splits, cross_links)
        if not models:
            raise InputError(
                expected="at least one model", got="none", hint="give {name: model}", where="run"
            )
        if not splits:
            raise InputError(expected="at least one split", got="none", where="run")
        self.network, self.models, self.splits, self.entropy = network, models, splits, entropy
        self.first = len(splits) if first is None else first
        self.blocks: list[tuple[Unit, ...]] = []
        for place, model in enumerate(models.values()):
            units = [Unit(place, number) for number in range(len(splits))]
            size = BATCH if self.task.in_batches(network, model, self.cross_links) else 1
            self.blocks += [tuple(units[i : i + size]) for i in range(0, len(units), size)]

    def work(self, units: Sequence[Unit]) -> ModelWork:
        name, model = list(self.models.items())[units[0].model]
        splits = tuple(self.splits[unit.split] for unit in units)
        # by the model's name, so that it does not matter which others run, and in which order
        seeds = tuple(derive(self.entropy, named(name), unit.split) for unit in units)
        return ModelWork(tuple(units), name, model, splits, seeds, self.cross_links, self.task)

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
        from ..store.inputs import DRAWN, MORE, describe_inputs
        from ..store.splits import describe_splits

        first, more = self.splits[: self.first], self.splits[self.first :]
        found = describe_inputs(self.network, self.models, first, self.entropy, self.cross_links)
        found |= {MORE: describe_splits(more)} if more else {}
        return found | ({} if drawn is None else {DRAWN: drawn})

    def shorten(self, record: Record, n_jobs: int | None, number: Callable[[float], int]) -> None:
        """Run first splits, and leave out what there is no time for.

        `number` gives the number of splits to run by the seconds that one takes.
        """
        units = [unit for block in self.blocks for unit in block]
        for timed in range(1, min(TIMED, len(self.splits)) + 1):
            record.take([unit for b in self.blocks if b[0].split >= timed for unit in b])
            with contextlib.closing(
                work(self.network, self.work, self.blocks, record, n_jobs)
            ) as found:
                for outcomes in found:
                    record.keep(outcomes)
            record.free()
            took = record.seconds()
            seconds = [
                sum(took[Unit(place, n)] for place in range(len(self.models))) for n in range(timed)
            ]
            k = number(min(seconds) / n_workers(n_jobs))
            if k >= len(self.splits):
                return
        record.take([unit for unit in units if unit.split >= k])
        self.splits = self.splits[:k]
        self.blocks = [kept for b in self.blocks if (kept := tuple(u for u in b if u.split < k))]

    def complete(
        self, record: Record, n_jobs: int | None, progress: bool | None
    ) -> tuple[Found, Heard, Timed]:
        """Run what is open in a record; return all predictions, warnings of models, and times."""
        total = sum(map(len, self.blocks))
        with Progress("models x splits", total=total, enabled=progress) as bar:
            complete(self.network, self.work, self.blocks, record, n_jobs, bar)
        found, names = self.collect(record), tuple(self.models)
        heard = by_split(names, len(self.splits), record.warned(), ())
        return found, heard, by_split(names, len(self.splits), record.seconds(), math.nan)

    def collect(self, record: Record) -> Found:
        """Take the predictions of every model out of a record in which all units are done."""
        shapes = [self.task.shape(self.network, split) for split in self.splits]
        get = record.reader()
        return {
            name: tuple(get((Unit(place, number), shape) for number, shape in enumerate(shapes)))
            for place, name in enumerate(self.models)
        }


def by_split(
    models: Sequence[str], n_splits: int, found: Mapping[Unit, T], else_: T
) -> dict[str, tuple[T, ...]]:
    """Sort what units gave by model and split; `else_` where one gave nothing."""
    return {
        name: tuple(found.get(Unit(place, number), else_) for number in range(n_splits))
        for place, name in enumerate(models)
    }
