"""Kill a study with signal 9 again and again, and check that nothing is lost or done twice.

    python benchmarks/crash_loop.py --kills 50
    python benchmarks/crash_loop.py --kills 50 --bootstrap

A study of 200 units (two models on 100 splits; or on 10 splits and on 180 halves of
the communities) is started, killed at a random moment and started again, until it was killed that
often; then it runs to its end. It is checked that every unit that was acknowledged is in the file
after each kill, that none of those is run again, and that the final JSON has the bytes of a run
that was never interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nettrial.comparison.compare import compare
from nettrial.network.network import Network
from nettrial.store import Outcome, StoredStudy, StudyFile, Unit
from nettrial.synth import latent_group_network

UNIT = 0.004  # seconds that a unit takes at least


class Study(NamedTuple):
    """How many units of each kind there are."""

    splits: int
    replicates: int = 0

    @property
    def units(self) -> list[str]:
        """Return all units in the order in which they are run."""
        plain = [f"{model} {split} 0" for model in range(2) for split in range(self.splits)]
        drawn = [f"-1 0 {k}" for k in range(2 * self.replicates)]
        return plain + drawn

    @property
    def fits(self) -> list[str]:
        """Return the unit of every fit."""
        return [u for u in self.units for _ in range(2 * self.splits if u.startswith("-1") else 1)]


PLAIN, BOOTSTRAP = Study(100), Study(10, 90)


class Logged:
    """A model that guesses at random, and writes down each fit."""

    def __init__(self, name: str, log: Path, pause: float) -> None:
        self.name = name
        self.log = log
        self.pause = pause

    def __getstate__(self) -> dict[str, str]:
        return {"name": self.name}

    def __deepcopy__(self, memo: dict[int, object]) -> Logged:
        return Logged(self.name, self.log, self.pause)

    def fit(self, network: Network, train: NDArray[np.intp], *, seed: int) -> Logged:
        """Write the fit down."""
        append(self.log, f"{self.name} {seed}")
        time.sleep(self.pause)
        self.seed = seed
        return self

    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float64]:
        """Guess."""
        guess = np.random.default_rng(self.seed).random(nodes.size)
        return np.column_stack([guess, 1 - guess])


def append(path: Path, line: str) -> None:
    with path.open("a") as stream:
        stream.write(line + "\n")


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def study(kind: Study, folder: Path, store: Path | None) -> str:
    """Run the study and give its JSON."""
    network = latent_group_network(60, seed=1)
    pause = UNIT * len(kind.units) / len(kind.fits)
    a, b = (Logged(name, folder / "fits", pause) for name in "ab")
    found = compare(
        network,
        a,
        b,
        n_splits=kind.splits,
        seed=4,
        store=store,
        progress=False,
        test="bootstrap" if kind.replicates else "cluster_robust_t",
        n_replicates=kind.replicates,
    )
    return found.to_json()


def acknowledging(folder: Path) -> None:
    """Write down each unit as soon as the study file has acknowledged it."""
    keep = StudyFile.keep

    def logged(self: StudyFile, outcomes: Iterable[Outcome]) -> None:
        outcomes = list(outcomes)
        keep(self, outcomes)
        for outcome in outcomes:
            append(folder / "acknowledged", named(outcome.unit))

    StudyFile.keep = logged  # type: ignore[method-assign]


def named(unit: Unit) -> str:
    return " ".join(map(str, unit))


def start(kind: Study, folder: Path, store: Path) -> int:
    """Run the study in a child process."""
    child = os.fork()
    if child:
        return child
    try:
        (folder / "json").write_text(study(kind, folder, store))
    except BaseException as error:  # noqa: BLE001 - whatever ends the child is reported
        append(folder / "errors", repr(error))
        os._exit(1)
    os._exit(0)


def done(store: Path) -> set[str]:
    if not store.exists():
        return set()
    records = StoredStudy(store).records()
    return {named(record.unit) for record in records if record.state == "done"}


def main() -> None:
    """Run the loop and print what was found; a check that fails ends it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bootstrap", action="store_true")
    options = parser.parse_args()
    kind = BOOTSTRAP if options.bootstrap else PLAIN
    units, per_unit = kind.units, Counter(kind.fits)
    rng = random.Random(options.seed)  # noqa: S311 - no secrets here
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = folder / "study.nettrial"
        expected = study(kind, folder, None)
        unit_of = dict(zip(lines(folder / "fits"), kind.fits))
        assert len(unit_of) == len(kind.fits)
        acknowledging(folder)
        kills = 0
        while kills < options.kills:
            (folder / "fits").unlink(missing_ok=True)
            before = done(store)
            left = sum(per_unit[unit] for unit in units if unit not in before)
            fits = rng.randint(0, int(1.5 * left / (options.kills - kills + 1)))
            child = start(kind, folder, store)
            while len(lines(folder / "fits")) < fits and not os.waitpid(child, os.WNOHANG)[0]:
                time.sleep(UNIT / 10)
            time.sleep(rng.uniform(0, 3 * UNIT if fits else 0.2))
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            assert os.WIFSIGNALED(status), lines(folder / "errors")
            kills += 1
            check(folder, store, before, unit_of)
        before = done(store)
        (folder / "fits").unlink(missing_ok=True)
        _, status = os.waitpid(start(kind, folder, store), 0)
        assert status == 0, lines(folder / "errors")
        check(folder, store, before, unit_of)
        left = sum(per_unit[unit] for unit in units if unit not in before)
        assert len(lines(folder / "fits")) == left
        assert done(store) == set(units)
        found, wanted = json.loads((folder / "json").read_text()), json.loads(expected)
        assert found | {"seconds": 0} == wanted | {"seconds": 0}, "the JSON differs"
        print(
            f"{kills} kills, {len(before)} units kept before the last start; nothing lost, "
            "nothing done twice, same JSON"
        )


def check(folder: Path, store: Path, before: set[str], unit_of: dict[str, str]) -> None:
    """Check what a killed run left."""
    now = done(store)
    lost = (before | set(lines(folder / "acknowledged"))) - now
    assert not lost, f"acknowledged units were lost: {lost}"
    twice = {unit_of[line] for line in lines(folder / "fits")} & before
    assert not twice, f"units were run twice: {twice}"


if __name__ == "__main__":
    sys.exit(main())
