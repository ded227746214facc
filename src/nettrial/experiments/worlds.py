"""Domains that networks are drawn from, to see what a test does on other networks of one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .. import seeds
from ..communities import GIANT, largest_share, louvain
from ..errors import unknown_choice
from ..network import Network
from ..synth.latent_groups import latent_group_network

Floats = NDArray[np.float64]


def _lgm(n_nodes: int) -> Callable[[int], Network]:
    return lambda seed: latent_group_network(n_nodes, seed=seed)


def block_network(
    n_nodes: int = 600,
    *,
    inside: float = 0.8,
    purity: float = 0.8,
    degree: float = 7.0,
    mean_size: float = 20.0,
    tail: float = 2.5,
    seed: seeds.Seed = 0,
) -> Network:
    """Draw a degree-corrected block network of three classes.

    Community sizes are geometric, a node's expected degree is proportional to a Pareto number
    (at most ten times its mean), each community has a main class.

    Parameters
    ----------
    n_nodes : int
        Number of nodes.
    inside : float
        Share of the links that stay inside communities.
    purity : float
        Probability that a node has its community's main class.
    degree : float
        Mean number of links of a node.
    mean_size : float
        Mean size of a community.
    tail : float
        Exponent of the Pareto distribution.
    seed : int, SeedSequence or Generator
        Random seed.
    """
    rng = seeds.generator(seeds.freeze(seed))
    group = np.repeat(np.arange(n_nodes), rng.geometric(1 / mean_size, size=n_nodes))[:n_nodes]
    main = rng.choice(3, p=[0.5, 0.3, 0.2], size=int(group[-1]) + 1)[group]
    other = (main + rng.integers(1, 3, size=n_nodes)) % 3
    label = np.where(rng.random(n_nodes) < purity, main, other)
    theta = np.minimum((1 - rng.random(n_nodes)) ** (-1 / tail), 10.0)
    theta /= theta.mean()
    share = np.bincount(group, weights=theta)[group]
    same = group[:, None] == group[None, :]
    rate = np.outer(theta, theta) * degree
    probability = (1 - inside) * rate / n_nodes
    probability[same] += (inside * rate / share[:, None])[same]
    return _of_probabilities(probability, label, rng, "degree-corrected blocks")


def heterophilous_network(
    n_nodes: int = 600,
    *,
    mean_size: float = 12.0,
    alike: float = 0.28,
    unlike: float = 0.5,
    outside: float = 0.004,
    seed: seeds.Seed = 0,
) -> Network:
    """Draw a network whose links prefer the other class, in communities of different mixture."""
    rng = seeds.generator(seeds.freeze(seed))
    group = rng.integers(round(n_nodes / mean_size), size=n_nodes)
    share = rng.beta(4, 2.5, size=int(group.max()) + 1)[group]
    label = (rng.random(n_nodes) < share).astype(np.intp)
    same = group[:, None] == group[None, :]
    equal = label[:, None] == label[None, :]
    probability = np.where(same, np.where(equal, alike, unlike), outside)
    return _of_probabilities(probability, label, rng, "heterophilous")


def core_network(n_nodes: int = 300, *, seed: seeds.Seed = 0) -> Network:
    """Draw a network in which Louvain takes a dense core of several groups for one community.

    Of groups of ten nodes each, half make the core: a node is linked with a probability of 0.8
    inside its group, of 0.4 to other groups of the core, of 0.002 elsewhere. Networks whose
    largest community by Louvain holds 30% of the nodes or less are drawn again.
    """
    entropy = seeds.freeze(seed)
    attempt = 0
    while True:
        network = _core(n_nodes, seeds.generator(seeds.derive(entropy, attempt)))
        if largest_share(louvain(network, seed=entropy)) > GIANT:
            return network
        attempt += 1


def _core(n_nodes: int, rng: np.random.Generator) -> Network:
    n_groups = round(n_nodes / 10)
    group = rng.integers(n_groups, size=n_nodes)
    main = (rng.random(n_groups) < 0.6).astype(np.intp)[group]
    label = np.where(rng.random(n_nodes) < 0.85, main, 1 - main)
    inside = group < 0.5 * n_groups
    core = inside[:, None] & inside[None, :]
    probability = np.where(core, 0.4, 0.002)
    probability[group[:, None] == group[None, :]] = 0.8
    return _of_probabilities(probability, label, rng, "core")


def _of_probabilities(
    probability: Floats, label: NDArray[np.intp], rng: np.random.Generator, name: str
) -> Network:
    linked = np.triu(rng.random(probability.shape) < probability, 1)
    source, target = np.nonzero(linked)
    return Network(
        source, target, n_nodes=label.size, labels=label.tolist(),
        classes=range(int(label.max()) + 1), name=name,
    )  # fmt: skip


WORLDS: dict[str, Callable[[int], Network]] = {
    "lgm300": _lgm(300),
    "lgm600": _lgm(600),
    "blocks600": lambda seed: block_network(seed=seed),
    "weak600": lambda seed: block_network(inside=0.6, purity=0.75, seed=seed),
    "hetero600": lambda seed: heterophilous_network(seed=seed),
}


# for questions of their own, not part of the calibration grid
OTHERS: dict[str, Callable[[int], Network]] = {"core300": lambda seed: core_network(seed=seed)}


def draw(world: str, seed: int) -> Network:
    """Draw one network of a world."""
    known = WORLDS | OTHERS
    if world not in known:
        raise unknown_choice("world", world, known)
    return known[world](seed)
