"""Does `plan` by halves foresee the standard error on networks of twice the size?

    python benchmarks/planned.py --networks 20 --fresh 300

Plans are made from networks of 150 nodes in 10 groups whose features carry class and community
signal. The truth is the standard deviation of the mean difference over fresh networks of the same
kind, of that size and of twice that size (20 groups, as many links a node).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

import nettrial
from nettrial.experiments.featured import featured_network, nearest, ridge
from nettrial.splits import RandomResampling
from nettrial.splits.base import Split
from nettrial.study.node_study import run


class Plain:
    """A model of the features, of which a training seed may choose some."""

    def __init__(self, name: str, model: Any, columns: int | None = None) -> None:
        self.name, self.model, self.columns = name, model, columns

    def fit(self, network: nettrial.Network, train: np.ndarray, *, seed: int) -> Plain:
        number = network.features.shape[1]
        kept = np.random.default_rng(seed).permutation(number)[: self.columns]
        self.features, self.train = np.asarray(network.features)[:, kept], train
        return self

    def predict_proba(self, network: nettrial.Network, nodes: np.ndarray) -> np.ndarray:
        split = Split(self.train, nodes, nodes)
        found = self.model(self.features, sp.csr_array((1, 1)), network.labels, split)
        return np.eye(network.n_classes)[found]


PAIRS: dict[str, tuple[Any, Any, int]] = {
    "ridge - 1-nn": (Plain("ridge", ridge), Plain("1-nn", nearest), 1),
    "ridge - ridge on 8 columns by chance, 2 seeds": (
        Plain("ridge", ridge), Plain("some columns", ridge, 8), 2,
    ),
}  # fmt: skip
LABELED, N_SPLITS = 0.3, 10


def drawn(multiple: int, seed: int) -> nettrial.Network:
    return featured_network(
        150 * multiple, n_groups=10 * multiple, outside=0.008 / multiple, seed=seed
    )


def truth(models: Sequence[Any], n_seeds: int, multiple: int, number: int) -> float:
    """Return the standard deviation of the mean difference over fresh networks."""
    found = []
    for seed in range(100_000 * multiple, 100_000 * multiple + number):
        network = drawn(multiple, seed)
        splits = RandomResampling(n_splits=N_SPLITS, labeled=LABELED, seed=seed).split_network(
            network
        )
        named = {str(place): nettrial.models.as_model(m) for place, m in enumerate(models)}
        rates = []
        for again in range(n_seeds):
            kept = run(network, named, splits, seed=1000 * seed + again, progress=False)
            a, b = ([e[e >= 0].mean() for e in kept.errors(name)] for name in named)
            rates.append(np.mean(a) - np.mean(b))
        found.append(np.mean(rates))
    return float(np.std(found, ddof=1))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--networks", type=int, default=20)
    parser.add_argument("--fresh", type=int, default=300)
    parser.add_argument("--halvings", type=int, default=20)
    given = parser.parse_args()
    for name, (a, b, n_seeds) in PAIRS.items():
        begin = time.process_time()
        errors = []
        for seed in range(given.networks):
            found = nettrial.plan(
                drawn(1, seed), a, b, labeled=LABELED, n_splits=N_SPLITS, n_seeds=n_seeds,
                n_replicates=given.halvings, seed=seed, progress=False,
            )  # fmt: skip
            errors.append([found.spot(m, LABELED, N_SPLITS).standard_error for m in (1, 2)])
        known = [truth((a, b), n_seeds, multiple, given.fresh) for multiple in (1, 2)]
        for place, size in enumerate((150, 300)):
            own = np.array(errors)[:, place]
            print(
                f"{name}, {size} nodes: truth {100 * known[place]:.2f} points, "
                f"root mean square of the plans {100 * np.sqrt((own**2).mean()):.2f} "
                f"(ratio of variances {(own**2).mean() / known[place] ** 2:.2f}), "
                f"from {100 * own.min():.2f} to {100 * own.max():.2f}"
            )
        print(f"{time.process_time() - begin:.0f} s of processor time")


if __name__ == "__main__":
    main()
