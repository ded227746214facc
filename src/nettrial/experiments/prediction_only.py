"""Type I error and power of the tests on predictions, on fresh networks of known domains.

The tests are those of `compare`, on what random resampling gives for every node; the table is
docs/prediction_only.csv.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import seeds
from ..communities import divided_louvain
from ..kernels.small_graphs import graph_of
from ..kernels.split_counts import node_counts
from ..kernels.streams import key_of, stream
from ..kernels.trials import FLIP, SPLIT, run_resampled
from .calibration import PAIR, TRIAL, Cell, handicaps, prediction_tests, training_size
from .calibration_tests import LEVEL
from .worlds import draw

SPLITS = (10, 30)
DRAWN = 100  # splits that are drawn of every network; the first ones are used
DIFFERENCES = (0.0, 0.04)


def run_trials(
    world: str, labeled: float, n_trials: int, *, seed: int = 0, n_networks: int = 500
) -> Iterator[dict[str, Any]]:
    """Apply every test to fresh networks, with no true difference and with one of 4 points.

    Parameters
    ----------
    world : str
        Name of the domain.
    labeled : float
        Proportion of labelled nodes.
    n_trials : int
        Fresh networks.
    seed : int
        Random seed.
    n_networks : int
        Networks on which the handicaps are found that make the true differences.

    Yields
    ------
    dict
        One for each network, number of splits, test and true difference: p-value and estimate.
    """
    cell = Cell(world, labeled, n_trials, 0, DIFFERENCES)
    chances = handicaps(cell, n_networks=n_networks, seed=seed)
    for number in range(n_trials):
        entropy = seeds.derive(seed, TRIAL, number)
        network = draw(world, entropy)
        key = key_of(entropy)
        test, wrong = run_resampled(
            graph_of(network.links.indptr, network.links.indices, np.empty(0)), network.labels,
            network.n_classes, training_size(network.n_nodes, labeled), DRAWN, *PAIR, chances,
            stream(key, 1, SPLIT), stream(key, 1, FLIP),
        )  # fmt: skip
        links, group = network.adjacency("both"), divided_louvain(network, seed=entropy)
        for k in SPLITS:
            times, errors = node_counts(test, wrong, 0, k)
            for difference, row in zip(DIFFERENCES, errors[:, 0] - errors[:, 1]):
                for name, found in prediction_tests(links, group, times, row, number).items():
                    yield {
                        "world": world, "labeled": labeled, "n_splits": k, "test": name,
                        "trial": number, "difference": difference,
                        "pvalue": float(found.pvalue), "estimate": float(found.estimate),
                    }  # fmt: skip


def tabulate(trials: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    """Count rejections: one row a domain, number of splits and test, as in the docs.

    Examples
    --------
    >>> row = tabulate(run_trials("lgm300", 0.3, 2, n_networks=2))[0]
    >>> row["test"], row["n_trials"]
    ('clustered_t', 2)
    """
    cells: dict[tuple[Any, ...], list[tuple[float, float, float]]] = {}
    for trial in trials:
        place = tuple(trial[name] for name in ("world", "labeled", "n_splits", "test"))
        entry = (trial["difference"], trial["pvalue"], trial["estimate"])
        cells.setdefault(place, []).append(entry)
    table = []
    for (world, labeled, k, test), found in cells.items():
        null, real = (np.array([e[1:] for e in found if e[0] == d]) for d in DIFFERENCES)
        size, power = (float((part[:, 0] < LEVEL).mean()) for part in (null, real))
        n = len(null)
        table.append(
            {
                "world": world, "labeled": labeled, "n_splits": k, "test": test, "n_trials": n,
                "null_difference": float(null[:, 1].mean()), "type_1_error": size,
                "type_1_error_mc": (size * (1 - size) / n) ** 0.5,
                "difference": float(real[:, 1].mean()), "power": power,
                "power_mc": (power * (1 - power) / n) ** 0.5,
                "size_adjusted_power": float((real[:, 0] < np.quantile(null[:, 0], LEVEL)).mean()),
            }
        )  # fmt: skip
    return table
