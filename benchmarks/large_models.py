"""What surrounds a fit, and models at the size that people have: times beside their goals.

    python benchmarks/large_models.py                    # a few minutes
    python benchmarks/large_models.py --nodes 170000     # one size of networks, with its memory
    python benchmarks/large_models.py --only start unit  # some of the rows

Times are processor time, of children too, the least of three unless a row says otherwise; memory
is the peak of a process of its own. Every row has the goal beside it. Networks are random, with 7
neighbors a node, 128 dense features and 40 classes.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import nettrial
from nettrial.models import GCN
from nettrial.replicates.halving_plan import plan_halvings, plan_splits
from nettrial.splits import RandomResampling
from nettrial.study.node_study import run

GOAL_OF_FIT = {3_000: 0.27, 30_000: 3.7, 170_000: 24.0}  # seconds; a third of those at a6818b9
Row = tuple[str, float, str, float]  # what, how much, of what, the goal


def network_of(n_nodes: int, n_features: int = 128, n_classes: int = 40) -> nettrial.Network:
    """Return a random network whose features say something of the class."""
    rng = np.random.default_rng(0)
    label = rng.integers(n_classes, size=n_nodes)
    centers = rng.normal(size=(n_classes, n_features)).astype(np.float32)
    features = rng.normal(size=(n_nodes, n_features)).astype(np.float32) + centers[label] / 4
    ends = rng.integers(n_nodes, size=(2, 7 * n_nodes // 2))
    return nettrial.Network(*ends, n_nodes=n_nodes, labels=label, features=features)


def used(*words: str, **env: str) -> float:
    """Return the processor time of a command in a process of its own, which has its bytecode."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, env=kept | env, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def timed(work: Callable[[], object]) -> float:
    """Return the processor time of a piece of work."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def nettrial_command(*words: str, **env: str) -> float:
    """Return the processor time of a command of nettrial."""
    return used(sys.executable, "-m", "nettrial", *words, **env)


def start(place: Path) -> Iterator[Row]:
    """Time the README's command."""
    words = ("compare", "--example", "--report", str(place / "page.html"))
    nettrial_command(*words)
    yield "compare --example --report, warm", min(nettrial_command(*words) for _ in "123"), "s", 3.0
    empty = place / "empty"
    yield "the same, cold", nettrial_command(*words, NUMBA_CACHE_DIR=str(empty)), "s", 10.0


def warm(place: Path) -> Iterator[Row]:
    """Compile everything, once."""
    yield "nettrial warm", nettrial_command("warm", NUMBA_CACHE_DIR=str(place / "all")), "s", 45.0


class Nearest:
    """The nearest neighbor by features, in a few lines."""

    name = "1-nn"

    def fit(self, network: nettrial.Network, train: np.ndarray) -> Nearest:
        self.train, self.labels = train, network.labels[train]
        return self

    def predict_proba(self, network: nettrial.Network, nodes: np.ndarray) -> np.ndarray:
        x = np.asarray(network.features)
        a, b = x[nodes], x[self.train]
        far = (b**2).sum(axis=1) - 2 * a @ b.T
        return np.eye(network.n_classes)[self.labels[far.argmin(axis=1)]]


def unit(_: Path) -> Iterator[Row]:
    """Time what surrounds a fit of a model that is not ours."""
    network = network_of(300, 16, 3)
    splits = RandomResampling(n_splits=500, labeled=0.3, seed=0).split_network(network)
    seen = [network.mask_labels(split.train) for split in splits]

    def alone() -> None:
        for each, split in zip(seen, splits):
            Nearest().fit(each, split.train).predict_proba(each, split.test)

    def inside() -> None:
        run(network, {"1-nn": Nearest()}, splits, progress=False)

    inside()
    own, both = (min(timed(work) for _ in "123") for work in (alone, inside))
    yield "a unit of a model of one's own, less its fit", 1e3 * (both - own) / 500, "ms", 0.3


def again(place: Path) -> Iterator[Row]:
    """Time a finished study that is asked for again."""
    words = ("compare", "--example", "--store", str(place / "study.nettrial"))
    nettrial_command(*words)
    found = min(nettrial_command(*words) for _ in "123")
    yield "a finished study asked for again", found, "s", 1.5


def jobs(_: Path) -> Iterator[Row]:
    """Time two workers against one on a short job, by the clock."""

    def took(*more: str) -> float:
        begin = time.perf_counter()
        nettrial_command(
            "compare", "--example", "--a", "wvrn", "--b", "gcn", "--replicates", "10", *more
        )
        return time.perf_counter() - begin

    took()
    one, two = (min(took(*more) for _ in "123") for more in ((), ("--jobs", "2")))
    yield "--jobs 2 on a short job / one, by the clock", two / one, "times", 1.0


def fits(_: Path, sizes: tuple[int, ...] = (3_000, 30_000)) -> Iterator[Row]:
    """Time a GCN of 200 epochs, and plan the comparison with an MLP in five minutes."""
    for n_nodes in sizes:
        code = f"import large_models as b; b.fit_once({n_nodes})"
        env = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | env,
            check=True,
            capture_output=True,
            text=True,
        )
        seconds, memory = map(float, done.stdout.split())
        goal = GOAL_OF_FIT.get(n_nodes, float("nan"))
        yield f"gcn, 200 epochs, {n_nodes:,} nodes", seconds, "s", goal
        yield f"memory, {n_nodes:,} nodes", memory, "GB", 0.5
        k = plan_splits(300 / seconds, k=10, communities=20.0)
        for number in sorted({k, 10}):
            plan = plan_halvings(
                300 - number * seconds, seconds, k=number, communities=20.0, noise=1.0, budget=300
            )
            name = (
                f"degrees of freedom in 5 min, {n_nodes:,} nodes, {number} splits and {plan.note()}"
            )
            yield name, plan.df, "", 4.0


def fit_once(n_nodes: int) -> None:
    """Fit in a process of its own; print seconds and peak memory."""
    network = network_of(n_nodes)
    train = RandomResampling(n_splits=2, labeled=0.5, seed=0).split_network(network)[0].train
    model = GCN(epochs=200, patience=200)
    GCN(epochs=2).fit(network_of(300), np.arange(150), seed=0)  # loads the loops
    seconds = timed(lambda: model.fit(network, train, seed=0).predict_proba(network, train[:5]))
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)


ROWS = {"start": start, "unit": unit, "again": again, "jobs": jobs, "fits": fits, "warm": warm}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, nargs="*")
    parser.add_argument("--only", nargs="*", choices=ROWS)
    given = parser.parse_args()
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True
    )
    print(f"at {commit.stdout.strip()}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    print("| | now | goal |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if given.nodes:
            found = fits(place, tuple(given.nodes))
        else:
            found = (row for name in given.only or ROWS for row in ROWS[name](place))
        for what, value, of, goal in found:
            print(f"| {what} | {value:.2g} {of} | {goal:g} |", flush=True)


if __name__ == "__main__":
    main()
