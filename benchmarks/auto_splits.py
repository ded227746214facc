"""What does a number of splits that follows the variance bring: level, power, and steadiness?

    python benchmarks/auto_splits.py --networks 150     # the cells below, 20 minutes of one core
    python benchmarks/auto_splits.py --steady 5         # 20 seeds on 5 networks of three cells

wvRN against nBC by the bootstrap with 10 splits, and with as many as `n_splits="auto"` takes, on
the same networks and replicates; question and rule stand in docs/lab/replicates.md.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, NamedTuple

import numpy as np

from nettrial.core import seeds
from nettrial.experiments.calibration import PAIR, CalibrationCell, handicaps, training_size
from nettrial.experiments.domains import draw
from nettrial.kernels.small_graphs import graph_of
from nettrial.kernels.split_counts import split_rates
from nettrial.kernels.streams import key_of, stream
from nettrial.kernels.trials import FLIP, SPLIT, run_resampled
from nettrial.network.communities import divided_louvain
from nettrial.network.network import Network
from nettrial.replicates.blocks import take_apart
from nettrial.replicates.bootstrap_test import details_of_chance, finish
from nettrial.replicates.bootstrap_variance import MOST_SPLITS, BootstrapVariance, spread_of
from nettrial.replicates.compiled_pair import CompiledPair
from nettrial.replicates.handicaps import run_both_kinds

CELLS = (
    ("lgm300", 0.2), ("lgm300", 0.3), ("lgm300", 0.4),
    ("hetero600", 0.1), ("blocks600", 0.2), ("weak600", 0.2),
)  # fmt: skip
STEADY = (("lgm300", 0.3), ("lgm300", 0.4), ("blocks600", 0.2))
DIFFERENCES = (0.0, 0.04, -0.04)
FIRST = 10  # splits
ROUND = 15  # networks


class Found(NamedTuple):
    """What the test with some number of splits says; a row of numbers."""

    n_splits: float
    pvalue: float
    variance: float
    error: float  # of the p-value
    estimate: float
    df: float
    noise: float  # part of the variance that comes from splits


def outcomes(
    network: Network, chances: Any, labeled: float, n_replicates: int, entropy: int
) -> list[list[Found]]:
    """Return what is found for every handicap: with 10 splits, and with auto."""
    key, links = key_of(entropy), network.links
    graph = graph_of(links.indptr, links.indices, np.empty(0))
    n_train = training_size(network.n_nodes, labeled)
    test, wrong = run_resampled(
        graph, network.labels, network.n_classes, n_train, MOST_SPLITS, PAIR, chances,
        stream(key, 1, SPLIT), stream(key, 1, FLIP),
    )  # fmt: skip
    rates = split_rates(test, wrong, 0, MOST_SPLITS)
    group = divided_louvain(network, seed=entropy)
    sizes = np.bincount(group).astype(float)
    drawn = run_both_kinds(
        network, take_apart(network, group), CompiledPair(PAIR, "both"), chances, labeled=labeled,
        n_splits=16, n_replicates=n_replicates, entropies=(entropy + 1, entropy + 2),
    )  # fmt: skip

    def judged(h: int, k: int) -> tuple[BootstrapVariance, Found]:
        own = (rates[h, 0] - rates[h, 1])[:k]
        spread = spread_of(drawn.plain[:, h], drawn.null[:, h], own, sizes, independent=True)
        test = finish("", float(own.mean()), spread.variance, spread.df, 0.95, {})
        error = details_of_chance(test.estimate, spread, spread.noise)["pvalue_error"]
        numbers = test.pvalue, spread.variance, error, test.estimate, spread.df, spread.noise
        return spread, Found(k, *numbers)

    found = []
    for h in range(len(chances)):
        spread, first = judged(h, FIRST)
        found.append([first, judged(h, spread.splits_that_pay)[1]])
    return found


def level_and_power(n_networks: int, seed: int) -> None:
    """Run rounds of a few networks of every cell, and show after each what was found so far."""
    used, chances = dict.fromkeys(CELLS, 0.0), {}
    found: dict[Any, list[Any]] = {cell: [] for cell in CELLS}
    while len(found[CELLS[-1]]) < n_networks:
        for world, labeled in CELLS:
            begin, here = time.process_time(), found[world, labeled]
            if not here:
                cell = CalibrationCell(world, labeled, 1, 100, DIFFERENCES)
                chances[world, labeled] = handicaps(cell, n_networks=400, seed=seed)
            for number in range(len(here), min(len(here) + ROUND, n_networks)):
                entropy = seeds.derive(seed, 77, number)
                network = draw(world, entropy)
                here.append(outcomes(network, chances[world, labeled], labeled, 100, entropy))
            used[world, labeled] += time.process_time() - begin
        show(found, used)


def show(found: dict[Any, list[Any]], used: dict[Any, float]) -> None:
    print("cell  networks  splits    level 10, auto   power at 4: 10, auto   at -4: 10, auto")
    powers = []
    for (world, labeled), rows in found.items():
        here = np.array(rows)
        rates = (here[..., 1] < 0.05).mean(axis=0)  # handicap, then 10 and auto
        powers.append(rates[1:].mean(axis=0))
        shown = "      ".join(f"{first:.3f}, {auto:.3f}" for first, auto in rates)
        print(
            f"{world:10} {labeled:4.0%} {len(here):4} {np.median(here[:, :, 1, 0]):4.0f}      "
            f"{shown}   {used[world, labeled]:.0f} s"
        )
    first, auto = np.mean(powers, axis=0)
    print(f"mean power {first:.3f}, {auto:.3f}", flush=True)


def steadiness(n_networks: int, n_seeds: int, seed: int) -> None:
    every = []
    for world, labeled in STEADY:
        cell = CalibrationCell(world, labeled, 1, 200, (0.0, 0.04))
        chances = handicaps(cell, n_networks=400, seed=seed)[1:]
        for number in range(n_networks):
            network = draw(world, seeds.derive(seed, 78, number))
            every.append([
                outcomes(network, chances, labeled, 200, seeds.derive(seed, 79, number, again))[0]
                for again in range(n_seeds)
            ])  # fmt: skip
    found = np.array(every)  # network, seed, 10 and auto, (k, p, variance)
    for place, name in enumerate(("10 splits", "auto")):
        p, variance, error = (found[:, :, place, i] for i in (1, 2, 3))
        spread = np.log10(p).std(axis=1, ddof=1)
        moved = np.log(variance).std(axis=1, ddof=1)
        print(
            f"{name}: {np.median(found[:, :, place, 0]):.0f} splits in the median; standard "
            f"deviation of log10 p {np.mean(spread):.2f} on average, of log V {moved.mean():.2f}"
        )
        both = np.sqrt(p.var(axis=1, ddof=1).mean()), np.sqrt((error**2).mean())
        print("  p within a network: sd {:.3f}, Monte Carlo error {:.3f}".format(*both))
        near = abs(p - 0.05) < 2 * error
        print(f"  within two errors of 0.05: {near.mean():.2f} of the runs")
        for low, high in ((0, 0.01), (0.01, 0.05), (0.05, 1.01)):
            others = [
                (row[np.arange(row.size) != i] < 0.05) != (row[i] < 0.05)
                for row in p for i in range(row.size) if low <= row[i] < high
            ]  # fmt: skip
            share = np.mean(others) if others else float("nan")
            print(f"  p from {low:g} to {high:g}: {len(others)} runs, another verdict {share:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--networks", type=int, default=0)
    parser.add_argument("--steady", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.networks:
        level_and_power(given.networks, given.seed)
    if given.steady:
        steadiness(given.steady, given.seeds, given.seed)


if __name__ == "__main__":
    main()
