"""Small random networks with everything that goes wrong in real ones."""

from __future__ import annotations

import numpy as np

import dense_models as dense
from nettrial.network.network import Network


def random_case(seed):
    """A raw link list with loops, repeats, isolates, and 1 to 4 label sets with gaps."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 14)), int(rng.integers(2, 7))
    rows = int(rng.integers(0, 3 * n))
    source, target = rng.integers(0, n, rows), rng.integers(0, n, rows)
    weight = None if rng.random() < 0.4 else rng.choice([0.25, 0.5, 1.0, 2.5, 3.0], rows)
    labels = rng.integers(-1, k, (int(rng.integers(1, 5)), n))
    labels[:, 0] = rng.integers(0, k, len(labels))
    return {
        "n": n, "k": k, "source": source, "target": target, "weight": weight,
        "directed": bool(rng.random() < 0.5), "labels": labels.astype(np.int32),
        "direction": str(rng.choice(["both", "out", "in"])),
    }  # fmt: skip


def build(case, **options):
    return Network(
        case["source"],
        case["target"],
        n_nodes=case["n"],
        weight=case["weight"],
        directed=case["directed"],
        classes=range(case["k"]),
        labels=[None] * case["n"],
        **options,
    )


def adjacency(case):
    keys = ("source", "target", "weight", "n", "directed", "direction")
    return dense.dense_weights(*(case[key] for key in keys))


def learn(name, A, labels, k, smoothing=1.0):
    """The dense classifier of that name: its estimate and what it learnt."""
    if name == "nbc":
        learnt = (dense.class_prior(labels, k), dense.bayes_table(A, labels, k, smoothing))
        return dense.nbc_estimate, learnt
    return {
        "wvrn": (dense.wvrn_estimate, None),
        "nlb": (dense.nlb_estimate, dense.nlb_learn(A, labels, k)),
        "cdrn": (dense.cdrn_estimate, dense.cdrn_learn(A, labels, k)),
    }[name]
