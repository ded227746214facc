"""Networks with a number for each node that varies smoothly, and features that vary as it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..network.network import Network

Floats = NDArray[np.float64]
# nodes, random numbers -> chance of a link for each pair, and what draws a smooth number for each
Place: TypeAlias = Callable[[int, np.random.Generator], tuple[Floats, Callable[[], Floats]]]
HALF = 5  # features of either model
WAVES = 40  # that a smooth field is a sum of


def in_communities(n: int, rng: np.random.Generator) -> tuple[Floats, Callable[[], Floats]]:
    """Put nodes into 25 groups; a smooth number is that of the group."""
    group = rng.integers(25, size=n)
    chance = np.where(group[:, None] == group, 0.3, 0.004)
    return chance, lambda: np.asarray(rng.normal(size=25)[group])


def in_latent_space(n: int, rng: np.random.Generator) -> tuple[Floats, Callable[[], Floats]]:
    """Draw 3 latent traits a node, normal ones; a smooth number is a field with a range of 0.6."""
    return _in_space(rng.normal(size=(n, 3)), rng, nearby=0.4, links=0.7, far=0.0, field=0.6)


def on_a_map(n: int, rng: np.random.Generator) -> tuple[Floats, Callable[[], Floats]]:
    """Put nodes on a map of length 1, uniformly; a smooth number is a field of range 0.12."""
    return _in_space(rng.random((n, 2)), rng, nearby=0.045, links=0.8, far=0.001, field=0.12)


def _in_space(
    places: Floats,
    rng: np.random.Generator,
    *,
    nearby: float,
    links: float,
    far: float,
    field: float,
) -> tuple[Floats, Callable[[], Floats]]:
    """Link nodes by the distances of their places, and let numbers be smooth over these."""
    apart = ((places[:, None] - places) ** 2).sum(axis=2)
    chance = links * np.exp(-apart / (2 * nearby**2)) + far

    def draw() -> Floats:
        # a sum of waves whose covariance is Gaussian in the distance (Rahimi and Recht 2007)
        waves = rng.normal(size=(places.shape[1], WAVES)) / field
        phase = rng.uniform(0, 2 * np.pi, WAVES)
        heights = rng.normal(size=WAVES) * np.sqrt(2 / WAVES)
        return np.asarray(np.cos(places @ waves + phase) @ heights)

    return chance, draw


DOMAINS: dict[str, Place] = {
    "communities": in_communities,
    "latent space": in_latent_space,
    "map": on_a_map,
}


def smooth_network(
    place: Place, n_nodes: int = 300, *, own: float = 0.5, seed: seeds.Seed = 0
) -> Network:
    """Draw a network whose target and features are smooth over it, and noise beside.

    The target of a node is a smooth number and noise of variance `own`. Each of ten features is
    0.4 times the target, another smooth number of its own and noise of variance 1. The first and
    the second half of the features are exchangeable, so that one model on either half makes two
    models of equal error; and so are links out of and into a node, whose direction is drawn by a
    fair coin. Nothing is drawn once for a whole network that one network could not show: fields
    have a short range, so that a network holds many patches of them.

    Parameters
    ----------
    place : callable
        One of `DOMAINS`.
    own : float
        Variance of what is the node's own in the target.

    Examples
    --------
    >>> net = smooth_network(on_a_map, 100, seed=1)
    >>> net.n_nodes, net.features.shape, net.directed
    (100, (100, 10), True)
    """
    rng = seeds.generator(seeds.freeze(seed))
    chance, draw = place(n_nodes, rng)
    targets = draw() + np.sqrt(own) * rng.normal(size=n_nodes)
    features = np.column_stack(
        [0.4 * targets + draw() + rng.normal(size=n_nodes) for _ in range(2 * HALF)]
    )
    one, other = np.nonzero(np.triu(rng.random((n_nodes, n_nodes)) < chance, 1))
    turned = rng.random(one.size) < 0.5
    return Network(
        np.where(turned, other, one),
        np.where(turned, one, other),
        n_nodes=n_nodes,
        directed=True,
        targets=targets,
        features=features,
        name="smooth",
    )
