"""Block networks: communities, heavy-tailed degrees, classes that attract or repel each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..core.errors import InputError, shown
from ..network.network import Network
from .pairs import Indices, check_probability

Propose: TypeAlias = Callable[[int], tuple[Indices, Indices]]
MOST_ROUNDS = 200


def block_network(
    n_nodes: int = 1000,
    *,
    n_classes: int = 2,
    n_blocks: int = 20,
    mean_degree: float = 8.0,
    tail: float | None = 2.5,
    inside: float = 0.8,
    purity: float = 0.9,
    same_class: float = 1.0,
    shares: Sequence[float] | None = None,
    seed: seeds.Seed = 0,
) -> Network:
    """Draw a degree-corrected block network.

    Every node is in one of the blocks, uniformly. Each block has a class, and a node has its
    block's class with probability `purity`, else one of the others. A link's first end is
    drawn in proportion to the nodes' expected degrees; with probability `inside` its second end
    is drawn likewise from the same block, else from the other blocks. It is then kept with a
    probability in the ratio `same_class` to 1 for ends of the same and of different classes.
    This goes on until there are n_nodes * mean_degree / 2 different links without loops.

    Parameters
    ----------
    n_nodes : int
        Number of nodes.
    n_classes : int
        Number of classes.
    n_blocks : int
        Number of blocks (communities).
    mean_degree : float
        Mean number of links of a node.
    tail : float, optional
        Exponent of the power law of expected degrees, above 2; they are cut off where a node
        would have more than sqrt(n_nodes * mean_degree) links. None for equal ones.
    inside : float
        Strength of the communities: share of the links that stay in a block, before
        `same_class` acts. About 1 / n_blocks is no community at all.
    purity : float
        How well blocks and classes agree.
    same_class : float
        Odds of a link between nodes of one class against different classes, other things
        equal; below 1 the network is heterophilous.
    shares : sequence of float, optional
        Probability of each class for a block, by default equal.
    seed : int, SeedSequence or Generator
        Random seed.

    Returns
    -------
    Network
        Classes 0, 1, ...; the node column "block".

    References
    ----------
    Karrer and Newman (2011), Stochastic blockmodels and community structure in networks,
    Phys. Rev. E 83, 016107.

    Examples
    --------
    >>> net = block_network(200, n_classes=3, mean_degree=6, seed=1)
    >>> net.n_links, net.classes
    (600, (0, 1, 2))
    """
    for option, value in (("inside", inside), ("purity", purity)):
        check_probability("block_network", option, value)
    n_links = _check(n_nodes, n_classes, n_blocks, mean_degree, tail)
    if not 0 <= same_class < np.inf:
        raise InputError(
            parameter="same_class",
            expected="odds of 0 or more",
            got=shown(same_class),
            where="block_network",
        )
    rng = seeds.generator(seeds.freeze(seed))
    # nodes in order of their block, so that a block is an interval of the cumulated degrees
    block = np.sort(rng.integers(n_blocks, size=n_nodes))
    label = _classes(block, n_blocks, n_classes, purity, shares, rng)
    degree = _expected_degrees(n_nodes, mean_degree, tail, rng)
    keep = np.array([1.0, same_class]) / max(1.0, same_class)

    ends = np.concatenate([[0.0], np.cumsum(degree)])
    first_node = np.searchsorted(block, np.arange(n_blocks + 1))
    low, high, total = ends[first_node[block]], ends[first_node[block + 1]], ends[-1]

    def locate(place: NDArray[np.float64]) -> Indices:
        return np.minimum(np.searchsorted(ends, place, side="right") - 1, n_nodes - 1)

    def propose(size: int) -> tuple[Indices, Indices]:
        # in ascending order, which proposals may be in, most places lie near each other
        s = locate(np.sort(rng.random(size)) * total)
        within = low[s] + rng.random(size) * (high[s] - low[s])
        # a place in the rest of the line, which begins where the block ends and wraps around
        around = (high[s] + rng.random(size) * (total - high[s] + low[s])) % total
        stay = (rng.random(size) < inside) | (high[s] - low[s] >= total)
        t = locate(np.where(stay, within, around))
        kept = rng.random(size) < keep[(label[s] == label[t]).astype(np.intp)]
        return s[kept], t[kept]

    s, t = distinct_links(n_links, n_nodes, propose)
    # the order of the nodes must not give the blocks away
    name = rng.permutation(n_nodes)
    order = np.argsort(name)
    return Network(
        name[s],
        name[t],
        n_nodes=n_nodes,
        labels=label[order].tolist(),
        classes=range(n_classes),
        attributes={"block": block[order].tolist()},
        name="blocks",
    )


def distinct_links(n_links: int, n_nodes: int, propose: Propose) -> tuple[Indices, Indices]:
    """Take proposed links until there are `n_links` different ones without loops.

    Parameters
    ----------
    n_links, n_nodes : int
        Links wanted, and nodes.
    propose : callable
        Gives the two ends of at most as many links as it is asked for.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> s, t = distinct_links(3, 3, lambda size: (rng.integers(3, size=size),
    ...                                           rng.integers(3, size=size)))
    >>> list(zip(s.tolist(), t.tolist()))
    [(0, 1), (0, 2), (1, 2)]
    """
    found = np.empty(0, dtype=np.int64)
    for _ in range(MOST_ROUNDS):
        if found.size == n_links:
            return found // n_nodes, found % n_nodes
        s, t = propose(n_links - found.size)
        # sorted by hand: np.unique goes through a hash table, which takes ten times as long
        new = np.sort((np.minimum(s, t) * n_nodes + np.maximum(s, t))[s != t])
        new = new[np.diff(new, prepend=-1) > 0]
        if found.size:
            place = np.minimum(np.searchsorted(found, new), found.size - 1)
            new = new[found[place] != new]
        # a stable sort merges two sorted runs in one pass
        found = np.sort(np.concatenate([found, new]), kind="stable")
    raise InputError(
        f"block_network: found only {found.size} of {n_links} different links; lower mean_degree, "
        "or take a weaker tail, weaker communities or same_class nearer to 1"
    )


def _check(
    n_nodes: int, n_classes: int, n_blocks: int, mean_degree: float, tail: float | None
) -> int:
    if n_nodes < 2 or n_classes < 1 or not 1 <= n_blocks <= n_nodes:
        raise InputError(
            expected="at least 2 nodes, 1 class, and 1 to n_nodes blocks",
            got=f"n_nodes={n_nodes}, n_classes={n_classes}, n_blocks={n_blocks}",
            where="block_network",
        )
    if not 0 <= mean_degree <= n_nodes - 1:
        raise InputError(
            parameter="mean_degree",
            expected=f"0 to {n_nodes - 1} for {n_nodes} nodes",
            got=shown(mean_degree),
            where="block_network",
        )
    if tail is not None and not tail > 2:
        raise InputError(
            parameter="tail",
            expected="an exponent above 2 (below, the mean is not finite), or None",
            got=shown(tail),
            where="block_network",
        )
    return round(n_nodes * mean_degree / 2)


def _classes(
    block: NDArray[np.intp],
    n_blocks: int,
    n_classes: int,
    purity: float,
    shares: Sequence[float] | None,
    rng: np.random.Generator,
) -> NDArray[np.intp]:
    weights = np.full(n_classes, 1 / n_classes) if shares is None else np.asarray(shares, float)
    if weights.shape != (n_classes,) or not (weights >= 0).all() or abs(weights.sum() - 1) > 1e-9:
        raise InputError(
            parameter="shares",
            expected=f"{n_classes} probabilities that add up to 1",
            got=shown(shares),
            where="block_network",
        )
    # systematic sampling: every class has its share of blocks, up to one
    places = (np.arange(n_blocks) + rng.random()) / n_blocks
    dealt = np.minimum(np.searchsorted(np.cumsum(weights), places, side="right"), n_classes - 1)
    label = rng.permutation(dealt)[block]
    if n_classes > 1:
        other = rng.random(block.size) >= purity
        step = rng.integers(1, n_classes, size=block.size)
        label = np.where(other, (label + step) % n_classes, label)
    return label


def _expected_degrees(
    n_nodes: int, mean_degree: float, tail: float | None, rng: np.random.Generator
) -> NDArray[np.float64]:
    if tail is None:
        return np.ones(n_nodes)
    drawn = (1 - rng.random(n_nodes)) ** (-1 / (tail - 1))
    most = float(drawn.mean()) * float(np.sqrt(n_nodes / max(mean_degree, 1.0)))
    return np.asarray(np.minimum(drawn, most))
