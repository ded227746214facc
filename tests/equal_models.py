"""Five equally good models on latent group networks: the family-wise error of max-t, and power.

Every model is wvRN on its own random 70% of the links: equally good over networks, yet each with
its own strengths on the one network at hand. What a model sees depends on a node column, which
networks that are drawn from communities carry along, so that its strengths stay with the
communities. A handicap turns a model's predictions round on a share of the nodes.

The full forms, one process each:

    python tests/equal_models.py --test cluster_robust_t --trials 1000
    python tests/equal_models.py --test bootstrap --trials 300 --replicates 60
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from nettrial import compare_models, latent_group_network
from nettrial.core.seeds import generator
from nettrial.models import WVRN
from nettrial.network.network import Network

KEPT = 0.7
NULL, TWO_WORSE = (0.0,) * 5, (0.0, 0.0, 0.0, 0.06, 0.06)


def uniform(key: int, *parts: np.ndarray) -> np.ndarray:
    """Give numbers in [0, 1) that depend on the key and the parts alone (splitmix64)."""
    z = np.full(parts[0].shape, key, dtype=np.uint64)
    for part in parts:
        z = (z ^ part.astype(np.uint64)) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * 2.0**-53


class ThinnedWVRN:
    """wvRN on a part of the links."""

    def __init__(self, number: int, handicap: float) -> None:
        self.name, self.number, self.handicap = f"m{number}", number, handicap

    def fit(self, network: Network, train: np.ndarray) -> ThinnedWVRN:
        raise AssertionError("only whole batches are run")

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        raise AssertionError("only whole batches are run")

    def predict_proba_batch(
        self, network: Network, labels: np.ndarray, seeds: Sequence[int]
    ) -> np.ndarray:
        mark = network.attributes["mark"].astype(np.int64)
        ends = np.array(network.simple_links())
        marks = np.sort(mark[ends], axis=0)
        kept = ends[:, uniform(2 * self.number, *marks) < KEPT]
        thin = Network(
            *kept,
            n_nodes=network.n_nodes,
            classes=network.classes,
            labels=[network.classes[0]] * network.n_nodes,
        )
        proba = WVRN().predict_proba_batch(thin, labels, seeds)
        turned = uniform(2 * self.number + 1, mark) < self.handicap
        proba[:, turned] = proba[:, turned][..., ::-1]
        return np.asarray(proba)


def marked_network(seed: int) -> Network:
    """Give a latent group network whose nodes have random marks, by which models see links."""
    plain = latent_group_network(300, seed=seed)
    return Network(
        *plain.simple_links(),
        n_nodes=plain.n_nodes,
        classes=plain.classes,
        labels=[plain.classes[code] for code in plain.labels],
        attributes={"mark": generator(seed, 77).integers(2**62, size=plain.n_nodes)},
    )


def rejections(
    first_seed: int, trials: int, handicaps: Sequence[float], **options: object
) -> np.ndarray:
    """Say for each trial which pairs max-t and Holm reject, shape (trials, 2, n_pairs)."""
    models = [ThinnedWVRN(number, handicap) for number, handicap in enumerate(handicaps)]
    found = []
    for seed in range(first_seed, first_seed + trials):
        pairs = compare_models(
            marked_network(seed),
            models,
            n_splits=10,
            labeled=0.3,
            seed=seed,
            progress=False,
            **options,
        ).pairs
        found.append([pairs.adjusted_pvalue, pairs.details["holm_pvalue"]])
    return np.array(found) <= 0.05


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=300_000)
    parser.add_argument("--test", default="cluster_robust_t")
    parser.add_argument("--replicates", type=int, default=60)
    given = parser.parse_args()
    for name, handicaps in (("equal", NULL), ("two worse", TWO_WORSE)):
        found = rejections(
            given.seed, given.trials, handicaps, test=given.test, n_replicates=given.replicates
        )
        any_pair, each = found.any(axis=2).mean(axis=0), found.mean(axis=(0, 2))
        print(  # noqa: T201
            f"{name}: any pair rejected, max-t {any_pair[0]:.3f}, Holm {any_pair[1]:.3f}; "
            f"mean over pairs, max-t {each[0]:.4f}, Holm {each[1]:.4f}"
        )


if __name__ == "__main__":
    main()
