"""Communities whose links are drawn pair by pair, so that every network of a domain differs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..network.network import Network

Floats = NDArray[np.float64]


def planted_network(
    n_nodes: int = 600,
    *,
    inside: float = 0.8,
    purity: float = 0.8,
    degree: float = 7.0,
    mean_size: float = 20.0,
    tail: float = 2.5,
    seed: seeds.Seed = 0,
) -> Network:
    """Draw a degree-corrected block network of three classes, every link by itself.

    Community sizes are geometric, a node's expected degree is proportional to a Pareto number
    (at most ten times its mean), each community has a main class. Unlike those of
    `nettrial.synth.blocks.block_network`, networks vary in their numbers of links and in their
    classes' shares, as networks of one domain do; the work is that of all pairs of nodes.

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

    Returns
    -------
    Network
        Classes 0, 1, 2.

    Examples
    --------
    >>> net = planted_network(200, seed=1)
    >>> net.n_nodes, net.classes, net.n_links != planted_network(200, seed=2).n_links
    (200, (0, 1, 2), True)
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
    """Draw a network whose links prefer the other class, in communities of different mixture.

    Nodes are put into communities uniformly; the share of class 1 in each is beta(4, 2.5).

    Parameters
    ----------
    n_nodes : int
        Number of nodes.
    mean_size : float
        Mean size of a community.
    alike, unlike : float
        Probability of a link between nodes of one community, of the same and of different class.
    outside : float
        Probability of a link between nodes of different communities.
    seed : int, SeedSequence or Generator
        Random seed.

    Returns
    -------
    Network
        Classes 0, 1.

    Examples
    --------
    >>> from nettrial.network.summary import autocorrelation
    >>> autocorrelation(heterophilous_network(300, seed=1)) < 0
    True
    """
    rng = seeds.generator(seeds.freeze(seed))
    group = rng.integers(round(n_nodes / mean_size), size=n_nodes)
    share = rng.beta(4, 2.5, size=int(group.max()) + 1)[group]
    label = (rng.random(n_nodes) < share).astype(np.intp)
    same = group[:, None] == group[None, :]
    equal = label[:, None] == label[None, :]
    probability = np.where(same, np.where(equal, alike, unlike), outside)
    return _of_probabilities(probability, label, rng, "heterophilous")


def core_network(n_nodes: int = 300, *, seed: seeds.Seed = 0) -> Network:
    """Draw a network of groups, half of which make a dense core.

    Nodes are put into groups of ten on average; a node is linked with a probability of 0.8 inside
    its group, of 0.4 to other groups of the core, of 0.002 elsewhere.

    Parameters
    ----------
    n_nodes : int
        Number of nodes.
    seed : int, SeedSequence or Generator
        Random seed.

    Examples
    --------
    >>> core_network(100, seed=1).n_classes
    2
    """
    rng = seeds.generator(seeds.freeze(seed))
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
        source,
        target,
        n_nodes=label.size,
        labels=label.tolist(),
        classes=range(int(label.max()) + 1),
        name=name,
    )
