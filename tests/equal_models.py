"""Five equally good models on latent group networks: the family-wise error of max-t, and power.

Every model is wvRN on its own random 70% of the links, drawn anew for every network: equally good
over networks, yet each with its own strengths on the one network at hand. A handicap turns a share
of a model's predictions round.

The full form, 1,000 networks:

    python tests/equal_models.py --trials 1000
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from nettrial import latent_group_network
from nettrial.comparison.many import compare_many_predictions
from nettrial.models import WVRN
from nettrial.network import Network
from nettrial.seeds import generator
from nettrial.splits import RandomResampling
from nettrial.study import run

KEPT = 0.7


class ThinnedWVRN:
    """wvRN on a part of the links."""

    def __init__(self, network: Network, rng: np.random.Generator, handicap: float) -> None:
        source, target = network.simple_links()
        kept = rng.random(source.size) < KEPT
        self.links = source[kept], target[kept]
        self.turned = rng.random(network.n_nodes) < handicap

    def fit(self, network: Network, train: np.ndarray) -> ThinnedWVRN:
        raise AssertionError("only whole batches are run")

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        raise AssertionError("only whole batches are run")

    def predict_proba_batch(
        self, network: Network, labels: np.ndarray, seeds: Sequence[int]
    ) -> np.ndarray:
        thin = Network(
            *self.links, n_nodes=network.n_nodes, classes=network.classes,
            labels=[network.classes[0]] * network.n_nodes,
        )  # fmt: skip
        proba = WVRN().predict_proba_batch(thin, labels, seeds)
        proba[:, self.turned] = proba[:, self.turned][..., ::-1]
        return np.asarray(proba)


def adjusted_pvalues(seed: int, handicaps: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Give the max-t and the Holm p-values of all pairs on one network."""
    network, rng = latent_group_network(300, seed=seed), generator(seed, 77)
    models = {f"m{i}": ThinnedWVRN(network, rng, h) for i, h in enumerate(handicaps)}
    splits = RandomResampling(n_splits=10, labeled=0.3, seed=seed).split_network(network)
    predictions = run(network, models, splits, progress=False)
    pairs = compare_many_predictions(predictions, seed=seed).pairs
    return pairs.adjusted_pvalue, pairs.details["holm_pvalue"]


def rejections(first_seed: int, trials: int, handicaps: Sequence[float]) -> np.ndarray:
    """Say for each trial which pairs max-t and Holm reject, shape (trials, 2, n_pairs)."""
    seeds = range(first_seed, first_seed + trials)
    return np.array([adjusted_pvalues(seed, handicaps) for seed in seeds]) <= 0.05


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=300_000)
    given = parser.parse_args()
    for name, handicaps in (("equal", (0.0,) * 5), ("two worse", (0.0, 0.0, 0.0, 0.06, 0.06))):
        found = rejections(given.seed, given.trials, handicaps)
        any_pair, each = found.any(axis=2).mean(axis=0), found.mean(axis=(0, 2))
        print(f"{name}: any pair rejected, max-t {any_pair[0]:.3f}, Holm {any_pair[1]:.3f}; "  # noqa: T201
              f"mean over pairs, max-t {each[0]:.4f}, Holm {each[1]:.4f}")  # fmt: skip


if __name__ == "__main__":
    main()
