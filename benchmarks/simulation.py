"""How much faster the compiled experiments are than the script that a researcher would write.

    python benchmarks/simulation.py [--quick] [--json]

The script draws splits and errors with numpy, fold by fold, and calls scipy's t test once a
trial; for the networks it multiplies sparse matrices, one split at a time. It is timed on a part
of the trials and scaled up. Both sides run in one process on one thread and are measured in
process CPU time; the wall time on two threads stands beside them. Compilation is left out.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy import stats

from nettrial.experiments import experiment, run_experiment
from nettrial.experiments.model_pairs import arrays, pair
from nettrial.kernels.network_trials import Runs, network_trial
from nettrial.synth import latent_group_network

PIPELINE = "split, learn, infer, evaluate"
GOAL_RATIO = {"icdm09-fig1a": 100.0, PIPELINE: 200.0}
GOAL_SECONDS = {"icdm09-fig1a": 3.0, "icdm09-fig1b": 8.0, "icdm09-fig1c": 10.0,
                "icdm09-fig1d": 10.0, "icdm09-fig1e": 10.0}  # fmt: skip
M, GROUPS, P, CORRELATION = 300, 10, 0.1, 0.9
LABELED = (0.1, 0.3, 0.5, 0.7, 0.9)
N_SPLITS, N_FOLDS = 10, 10
PROPORTIONS = (0.1, 0.2, 0.3, 0.4)  # of figure 1(c)


def test_sets(design: str, labeled: float, k: int, rng: np.random.Generator) -> list[Any]:
    """Draw test sets as the paper's tables 2 to 4 do."""
    size = round((1 - labeled) * M)
    if design == "NCV":
        return list(np.array_split(rng.permutation(M), k))
    if design == "RRS":
        return [rng.permutation(M)[:size] for _ in range(k)]
    held = np.zeros((k, M), dtype=bool)
    filled = np.zeros(k)
    copies = np.full(M, k * size // M)
    copies[rng.permutation(M)[: k * size % M]] += 1
    for node in range(M):
        # each copy to the smallest test set that does not hold the node yet, ties at random
        chosen = np.lexsort((rng.random(k), filled))[: copies[node]]
        held[chosen, node] = True
        filled[chosen] += 1
    return [np.flatnonzero(row) for row in held]


def script_trial(design: str, labeled: float, rng: np.random.Generator) -> bool:
    """Simulate one trial of figure 1(a) with numpy and scipy."""
    group = rng.integers(GROUPS, size=M)
    high = P + CORRELATION * (1 - P)
    low = P * (1 - high) / (1 - P)
    rates = []
    for test in test_sets(design, labeled, 10 if design == "NCV" else 30, rng):
        row = []
        for first in (0, GROUPS // 2):
            failing = first + rng.choice(GROUPS // 2, round(GROUPS * P), replace=False)
            limit = np.where(np.isin(group[test], failing), high, low)
            row.append(float((rng.random(test.size) < limit).mean()))
        rates.append(row)
    a, b = np.array(rates).T
    return bool(stats.ttest_rel(a, b).pvalue < 0.05)


def script_network_split(network: Any, labeled: float, rng: np.random.Generator) -> list[float]:
    """Return the errors of wvRN and nBC on one split, with scipy's sparse product."""
    adjacency = sp.csr_matrix(network.adjacency("both"))
    y, n = network.labels, network.n_nodes
    train = np.zeros(n, dtype=bool)
    train[rng.permutation(n)[: round(labeled * n)]] = True
    prior = np.bincount(y[train], minlength=2) / train.sum()
    start = np.where(train[:, None], np.eye(2)[y], prior)
    degree = np.maximum(adjacency.sum(axis=1).A1, 1)[:, None]
    counts = np.ones((2, 2))
    known = np.eye(2)[y] * train[:, None]
    counts += known.T @ (adjacency @ known)
    table = counts / counts.sum(axis=1, keepdims=True)
    errors = []
    for model in ("wvrn", "nbc"):
        proba, beta = start.copy(), 1.0
        for _ in range(99):
            beta *= 0.99
            if model == "wvrn":
                said = (adjacency @ proba) / degree
            else:
                logs = np.log(np.maximum(prior, 1e-300)) + adjacency @ np.log(proba @ table.T)
                said = np.exp(logs - logs.max(axis=1, keepdims=True))
                said /= said.sum(axis=1, keepdims=True)
            proba = np.where(train[:, None], start, beta * said + (1 - beta) * proba)
        errors.append(float((proba.argmax(axis=1) != y)[~train].mean()))
    return errors


def cpu(work: Callable[[], Any]) -> float:
    """Measure process CPU seconds."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def wall(name: str, first_seed: int) -> float:
    """Measure wall seconds at full size on two threads, the best of three runs.

    Every run has a seed of its own, since a handicap that was found before is not found again.
    """
    found = []
    for seed in range(first_seed, first_seed + 3):
        begin = time.perf_counter()
        run_experiment(name, seed=seed, n_jobs=2)
        found.append(time.perf_counter() - begin)
    return min(found)


def script_seconds(part: int) -> float:
    """Time the script for figure 1(a) on a part and scale it to the full size."""
    rng = np.random.default_rng(0)
    total = 0.0
    for design in ("RRS", "ERS", "NCV"):
        for labeled in LABELED:
            seconds = cpu(
                lambda d=design, x=labeled: [script_trial(d, x, rng) for _ in range(part)]
            )
            total += seconds / part * experiment("icdm09-fig1a").trials
    return total


def compiled_trials(networks: list[Any], proportions: tuple[float, ...], number: int) -> Any:
    """Run a trial on each network; gives the error rates of the resamples."""
    group, chances = np.zeros(M, dtype=np.int64), np.zeros((len(proportions), 1, 2))
    keys = np.full(len(proportions), number, dtype=np.uint64)
    return [
        network_trial(
            Runs(*arrays(network, proportions), N_SPLITS, N_FOLDS, pair(1.0), keys, 0),
            chances,
            group,
            1,
            False,
        )[0][:, 0]
        for network in networks
    ]


def pipeline(n_networks: int) -> dict[str, float]:
    """Compare a split with both models, on networks as figure 1(c) uses them."""
    rng = np.random.default_rng(0)
    networks = [latent_group_network(seed=i) for i in range(n_networks)]
    compiled_trials(networks, PROPORTIONS, 0)
    repeats = 10
    seconds, ours = {}, []
    for proportions in (PROPORTIONS, PROPORTIONS[2:3]):
        trials: list[Any] = []
        spent = cpu(
            lambda p=proportions, t=trials: [
                t.append(compiled_trials(networks, p, i)) for i in range(repeats)
            ]
        )
        splits = repeats * n_networks * len(proportions) * (N_SPLITS + N_FOLDS)
        seconds[proportions] = spent / splits
        ours.append(np.mean(trials, axis=(0, 1, 2, 4)))
    theirs: list[Any] = []
    script = cpu(
        lambda: theirs.extend(
            script_network_split(network, labeled, rng)
            for network in networks
            for labeled in PROPORTIONS
            for _ in range(N_SPLITS)
        )
    )
    script /= len(theirs)
    expected = np.mean(theirs, axis=0)
    packed, alone = seconds.values()
    return {"cpu": packed, "script_cpu": script, "ratio": script / packed,
            "goal_ratio": GOAL_RATIO[PIPELINE], "cpu_one_proportion": alone,
            "error_wvrn": ours[0][0], "error_nbc": ours[0][1],
            "script_error_wvrn": expected[0], "script_error_nbc": expected[1]}  # fmt: skip


def main() -> None:
    """Print the table, or one JSON object with the goals."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="time the script on fewer trials")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    part = 5 if given.quick else 50
    found: dict[str, dict[str, float]] = {}
    for number, name in enumerate(GOAL_SECONDS):
        run_experiment(name, trials=2, seed=99)  # compile
        row = {"wall_two_threads": wall(name, 3 * number), "goal_seconds": GOAL_SECONDS[name]}
        if name in GOAL_RATIO:
            ours = cpu(lambda n=name: run_experiment(n))
            script = script_seconds(part)
            row |= {"cpu": ours, "script_cpu": script, "ratio": script / ours,
                    "goal_ratio": GOAL_RATIO[name]}  # fmt: skip
        found[name] = row
    found[PIPELINE] = pipeline(part)
    if given.json:
        print(json.dumps(found))
        return
    for name, row in found.items():
        print(name, ", ".join(f"{key} {value:.3g}" for key, value in row.items()))


if __name__ == "__main__":
    main()
