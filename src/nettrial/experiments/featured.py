"""Networks with features that carry class and community signal, and plain models of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core import seeds
from ..models import by_name
from ..models.decide import predict_labels
from ..network.network import Network
from ..splits.base import Split
from ..study.node_study import run as run_models

Floats = NDArray[np.float64]
Ints = NDArray[np.integer]
Wrong = NDArray[np.bool_]
# features, links, labels, split -> predicted classes of the test nodes
PlainModel: TypeAlias = Callable[[Floats, sp.csr_array, Ints, Split], Ints]
# network, features, splits -> predicted classes of the test nodes of each split
Predictor: TypeAlias = Callable[[Network, Floats, Sequence[Split]], list[Ints]]
DIRECTIONS = 9  # seed of the classes' directions, which all networks of a domain share


def featured_network(
    n_nodes: int = 300,
    *,
    n_groups: int = 20,
    n_classes: int = 2,
    n_features: int = 20,
    effect: float = 0.7,
    signal: float = 0.35,
    inside: float = 0.25,
    outside: float = 0.004,
    purity: float = 0.85,
    seed: seeds.Seed = 0,
) -> Network:
    """Draw groups of nodes with a class of their own, a feature vector of their own, and links.

    The features of a node are the sum of its group's effect, its class's direction and noise.
    The first and the second half of the features are exchangeable, so that one model on either
    half makes two models of equal error.

    Parameters
    ----------
    n_nodes, n_groups, n_classes, n_features : int
        Nodes are put into groups uniformly; half of the features are for either model.
    effect : float
        Standard deviation of a group's effect on each feature; that of the noise is 1.
    signal : float
        Size of the classes' directions.
    inside, outside : float
        Probability of a link between nodes of one group, and of different ones.
    purity : float
        Probability that a node has its group's class.
    seed : int, SeedSequence or Generator
        Random seed.

    Examples
    --------
    >>> net = featured_network(100, n_groups=5, seed=1)
    >>> net.n_nodes, net.features.shape, net.classes
    (100, (100, 20), (0, 1))
    """
    rng = seeds.generator(seeds.freeze(seed))
    half = n_features // 2
    directions = np.where(np.arange(n_classes)[:, None] > 0, 1.0, -1.0) * np.ones(half)
    if n_classes > 2:
        directions = seeds.generator(DIRECTIONS).normal(size=(n_classes, half))
    group = rng.integers(n_groups, size=n_nodes)
    main = rng.integers(n_classes, size=n_groups)[group]
    other = (main + rng.integers(1, n_classes, size=n_nodes)) % n_classes
    label = np.where(rng.random(n_nodes) < purity, main, other)
    features = (
        rng.normal(size=(n_nodes, 2 * half))
        + effect * rng.normal(size=(n_groups, 2 * half))[group]
        + signal * np.tile(directions, 2)[label]
    )
    chance = np.where(group[:, None] == group, inside, outside)
    source, target = np.nonzero(np.triu(rng.random((n_nodes, n_nodes)) < chance, 1))
    return Network(
        source,
        target,
        n_nodes=n_nodes,
        labels=label.tolist(),
        classes=range(n_classes),
        features=features,
        name="features",
    )


DOMAINS: dict[str, Callable[..., Network]] = {
    "two classes": featured_network,
    "small effects": partial(
        featured_network, 450, n_groups=30, effect=0.5, signal=0.5, inside=0.3
    ),
    "mixed groups": partial(featured_network, purity=0.6, effect=1.0, signal=0.3),
    "three classes": partial(featured_network, n_classes=3, inside=0.2, signal=0.5),
    "four classes": partial(
        featured_network, 400, n_groups=25, n_classes=4, inside=0.3, signal=0.6
    ),
    "weak communities": partial(
        featured_network, n_classes=3, inside=0.12, outside=0.006, signal=0.5
    ),
}


def nearest(features: Floats, _: sp.csr_array, labels: Ints, split: Split) -> Ints:
    """Predict the class of the nearest training node."""
    train, test = features[split.train], features[split.test]
    away = (train**2).sum(axis=1) - 2 * test @ train.T
    return np.asarray(labels[split.train[away.argmin(axis=1)]])


def ridge(features: Floats, _: sp.csr_array, labels: Ints, split: Split) -> Ints:
    """Predict by least squares on the classes' indicators, with a penalty of 1."""
    train = features[split.train]
    wanted = (labels[split.train][:, None] == np.arange(labels.max() + 1)).astype(float)
    center, mean = train.mean(axis=0), wanted.mean(axis=0)
    moved = train - center
    weights = np.linalg.solve(moved.T @ moved + np.eye(moved.shape[1]), moved.T @ (wanted - mean))
    return np.asarray(np.argmax((features[split.test] - center) @ weights + mean, axis=1))


def simplified_convolution(
    features: Floats, links: sp.csr_array, labels: Ints, split: Split
) -> Ints:
    """Predict by `ridge` on features that were propagated twice (Wu et al. 2019, SGC)."""
    size = 1 / np.sqrt(links.sum(axis=1) + 1)
    for _ in range(2):
        scaled = features * size[:, None]
        features = (links @ scaled + scaled) * size[:, None]
    return ridge(features, links, labels, split)


def plain(model: PlainModel) -> Predictor:
    """Run a model one split at a time."""

    def predict(network: Network, features: Floats, splits: Sequence[Split]) -> list[Ints]:
        links = sp.csr_array(network.adjacency("both"))
        return [model(features, links, network.labels, split) for split in splits]

    return predict


def shipped(name: str) -> Predictor:
    """Run one of the package's own models, with its defaults."""

    def predict(network: Network, features: Floats, splits: Sequence[Split]) -> list[Ints]:
        own = Network(
            *network.simple_links(),
            n_nodes=network.n_nodes,
            labels=network.labels.tolist(),
            classes=range(network.n_classes),
            features=features,
        )
        found = run_models(own, {name: by_name(name)}, splits, progress=False)
        return [predict_labels(each) for each in found.probabilities[name]]

    return predict


PLAIN: dict[str, Predictor] = {
    "1-nn": plain(nearest),
    "ridge": plain(ridge),
    "SGC": plain(simplified_convolution),
}
SHIPPED: dict[str, Predictor] = {name: shipped(name) for name in ("gcn", "sgc", "mlp")}
MODELS = PLAIN | SHIPPED


def errors_of_halves(network: Network, splits: Sequence[Split], model: Predictor) -> list[Wrong]:
    """Return the errors of a model on either half of the features on the test nodes of each split.

    A split without training or test nodes has none: an array of shape (2, 0).
    """
    labels = network.labels
    usable = [split for split in splits if split.train.size and split.test.size]
    halves = np.split(np.asarray(network.features, dtype=float), 2, axis=1)
    made = iter(zip(*(model(network, half, usable) for half in halves)))
    return [
        np.array([each != labels[split.test] for each in next(made)])
        if split.train.size and split.test.size
        else np.zeros((2, 0), dtype=bool)
        for split in splits
    ]


def error_rates(errors: Sequence[Wrong]) -> Floats:
    """Return the error rates of both halves, shape (2, n_splits); NaN where there are no errors."""
    return np.array([each.mean(axis=1) if each.size else [np.nan, np.nan] for each in errors]).T
