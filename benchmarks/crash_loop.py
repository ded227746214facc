"""Kill a study with signal 9 again and again, and check that nothing is lost or done twice.

    python benchmarks/crash_loop.py --kills 50

A study of 200 units (two models, 100 splits) is started, killed at a random moment and started
again, until it was killed that often; then it runs to its end. It is checked that every unit
that was acknowledged is in the file after each kill, that none of those is run again, and that
the final JSON has the bytes of a run that was never interrupted.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nettrial.comparison.compare import compare
from nettrial.network import Network
from nettrial.store import Outcome, StoredStudy, StudyFile
from nettrial.synth import latent_group_network

SPLITS = 100
UNIT = 0.004  # seconds that a fit takes at least


class Logged:
    """A model that guesses at random, and writes down each fit."""

    def __init__(self, name: str, log: Path) -> None:
        self.name = name
        self.log = log

    def __getstate__(self) -> dict[str, str]:
        return {"name": self.name}

    def __deepcopy__(self, memo: dict[int, object]) -> Logged:
        return Logged(self.name, self.log)

    def fit(self, network: Network, train: NDArray[np.intp], *, seed: int) -> Logged:
        """Write the fit down."""
        append(self.log, f"{self.name} {seed}")
        time.sleep(UNIT)
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


def study(folder: Path, store: Path | None) -> str:
    """Run the study and give its JSON."""
    network = latent_group_network(60, seed=1)
    a, b = (Logged(name, folder / "fits") for name in "ab")
    found = compare(
        network, a, b, n_splits=SPLITS, seed=4, test="clustered_t", store=store, progress=False
    )
    return found.to_json()


def acknowledging(folder: Path) -> None:
    """Write down each unit as soon as the study file has acknowledged it."""
    keep = StudyFile.keep

    def logged(self: StudyFile, outcomes: Iterable[Outcome]) -> None:
        outcomes = list(outcomes)
        keep(self, outcomes)
        for outcome in outcomes:
            append(folder / "acknowledged", f"{outcome.unit.model} {outcome.unit.split}")

    StudyFile.keep = logged  # type: ignore[method-assign]


def start(folder: Path, store: Path) -> int:
    """Run the study in a child process."""
    child = os.fork()
    if child:
        return child
    try:
        (folder / "json").write_text(study(folder, store))
    except BaseException as error:  # noqa: BLE001 - whatever ends the child is told
        append(folder / "errors", repr(error))
        os._exit(1)
    os._exit(0)


def done(store: Path) -> set[str]:
    if not store.exists():
        return set()
    records = StoredStudy(store).records()
    return {f"{r.unit.model} {r.unit.split}" for r in records if r.state == "done"}


def main() -> None:
    """Run the loop and print what was found; a check that fails ends it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)  # noqa: S311 - no secrets here
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = folder / "study.nettrial"
        expected = study(folder, None)
        unit_of = {line: f"{k // SPLITS} {k % SPLITS}"
                   for k, line in enumerate(lines(folder / "fits"))}  # fmt: skip
        assert len(unit_of) == 2 * SPLITS
        acknowledging(folder)
        kills = 0
        while kills < options.kills:
            (folder / "fits").unlink(missing_ok=True)
            before = done(store)
            left = (2 * SPLITS - len(before)) / (options.kills - kills + 1)
            fits = rng.randint(0, int(1.5 * left))
            child = start(folder, store)
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
        _, status = os.waitpid(start(folder, store), 0)
        assert status == 0, lines(folder / "errors")
        check(folder, store, before, unit_of)
        assert len(lines(folder / "fits")) == 2 * SPLITS - len(before)
        assert (folder / "json").read_text() == expected, "the JSON differs"
        print(f"{kills} kills, {len(before)} units kept before the last start; nothing lost, "
              "nothing done twice, same JSON")  # fmt: skip


def check(folder: Path, store: Path, before: set[str], unit_of: dict[str, str]) -> None:
    """Check what a killed run left."""
    now = done(store)
    lost = (before | set(lines(folder / "acknowledged"))) - now
    assert not lost, f"acknowledged units were lost: {lost}"
    twice = {unit_of[line] for line in lines(folder / "fits")} & before
    assert not twice, f"units were run twice: {twice}"


if __name__ == "__main__":
    sys.exit(main())
