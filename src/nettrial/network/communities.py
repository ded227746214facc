"""Communities: groups of nodes that are linked more among themselves than to others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Set
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from ..core import seeds
from ..core.errors import InputError, shown, unknown_choice
from ..numeric.checks import is_missing
from .arrays import frozen, object_array
from .canonical_order import Order, canonical_order
from .feature_links import with_similar
from .network import Network

Codes = NDArray[np.int32]
# beyond this share of one community among small ones the bootstrap's factor for few or unequal
# communities, 1 / (1 - share)^2, is greater than 2
GIANT = 0.3
LINKS_AND_FEATURES = "links_and_features"
BY_LOUVAIN = ("louvain", LINKS_AND_FEATURES)


def communities(network: Network, by: Any = "louvain", *, seed: seeds.Seed = 0) -> Codes:
    """Return every node's community.

    Parameters
    ----------
    network : Network
        The network.
    by : "louvain", "links_and_features", a node column's name, or array_like of shape (n_nodes,)
        Where the communities come from. Louvain's communities that hold more than 30% of the
        nodes are divided further (`divided_louvain`). "links_and_features" are those of Louvain
        on the network's links and on links between nodes of similar features. A node without a
        value (None or NaN) is a community of its own, and so is, with Louvain, one without links.
    seed : int, SeedSequence or Generator
        For Louvain.

    Returns
    -------
    ndarray of int, shape (n_nodes,)
        Codes 0, 1, ... by first appearance.

    Examples
    --------
    >>> net = Network([0, 1], [1, 2], n_nodes=4)
    >>> communities(net, ["x", None, "x", None]).tolist()
    [0, 1, 0, 2]
    """
    if isinstance(by, str):
        if by in network.attributes:
            return number(network.attributes[by])
        if by not in BY_LOUVAIN:
            raise unknown_choice("communities", by, [*BY_LOUVAIN, *network.attributes])
        order = canonical_order(network)
        if order is not None:  # Louvain visits nodes in an order that is drawn
            found = communities(order.network, by, seed=seed)
            return _renumber(found[order.back.nodes].astype(np.int64))
        return divided_louvain(searched(network, by), seed=seed)
    values = one_each(by)
    if values.shape != (network.n_nodes,):
        raise InputError(
            parameter="communities",
            expected=f"one value for each of the {network.n_nodes} nodes",
            got=f"shape {values.shape}",
        )
    return number(values)


def searched(network: Network, by: str) -> Network:
    """Return the network in which Louvain looks for communities."""
    return with_similar(network) if by == LINKS_AND_FEATURES else network


def one_each(by: Any) -> NDArray[Any]:
    """Take a partition as an array, without making its values those of one type.

    Examples
    --------
    >>> one_each(["x", float("nan"), 1]).tolist()
    ['x', nan, 1]
    """
    expected = "expected a list or array with one value for each node, in the order of the nodes"
    if np.ma.is_masked(by):
        raise InputError(
            f"{expected}, None where a node has none, got masked values", parameter="communities"
        )
    if isinstance(by, np.ndarray):
        return by
    if isinstance(by, (Mapping, Set)) or not isinstance(by, Iterable):
        raise InputError(f"{expected}, got {type(by).__name__}", parameter="communities")
    values: NDArray[Any] = object_array(np.asarray(by) if hasattr(by, "__array__") else by)
    for value in values.tolist():
        if not isinstance(value, Hashable):
            raise InputError(
                f"{expected}, got a {type(value).__name__} as a value", parameter="communities"
            )
    return values


def communities_in_order(by: Any, order: Order | None) -> Any:
    """Return where communities come from for a network in another order of its nodes.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=3, ids=["b", "c", "a"])
    >>> communities_in_order(["x", "y", None], canonical_order(net)).tolist()
    [None, 'x', 'y']
    """
    if order is None or isinstance(by, str):
        return by
    values = one_each(by)
    return values[order.nodes] if values.shape == order.nodes.shape else by


def divided_louvain(network: Network, *, seed: seeds.Seed = 0) -> Codes:
    """Find communities by the Louvain method, none of which holds more than 30% of the nodes.

    One giant community is worth few degrees of freedom, though it mostly stands for several that
    Louvain cannot tell apart in a network of that size. It is divided by `split_giant`; where
    that finds no parts, it stays.

    Examples
    --------
    >>> ends = [(i, j) for g in range(0, 8, 4) for i in range(g, g + 4) for j in range(i)]
    >>> net = Network(*zip(*ends), n_nodes=8)
    >>> divided_louvain(net).tolist()
    [0, 0, 0, 0, 0, 0, 0, 0]
    """
    entropy = seeds.freeze(seed)
    whole = louvain(network, seed=entropy)
    if largest_share(whole) <= GIANT:
        return whole

    def compute() -> Codes:
        return frozen(split_giant(network, whole, share=GIANT, seed=entropy))

    return network.cached(("divided louvain", entropy), compute)


def describe_division(network: Network, codes: Codes, *, seed: seeds.Seed = 0) -> str:
    """Describe whether Louvain's communities were divided further, why, and with what result."""
    before, after = largest_share(louvain(network, seed=seed)), largest_share(codes)
    if before <= GIANT:
        return ""
    found = f"Louvain's largest community held {before:.0%} of the nodes, more than {GIANT:.0%}"
    if after == before:
        return f"{found}; it has no parts that are linked less to each other, and stays"
    return f"{found}; it was divided by its inner links, the largest now holds {after:.0%}"


def largest_share(codes: Codes) -> float:
    """Return the share of the nodes that the largest community holds."""
    return float(np.bincount(codes).max(initial=0)) / max(codes.size, 1)


def agreement(network: Network, codes: ArrayLike, *, seed: seeds.Seed = 0) -> float:
    """Return how far Louvain finds the same communities again when it starts elsewhere.

    Parameters
    ----------
    codes : array_like of int, shape (n_nodes,)
        Communities that Louvain found.
    seed : int, SeedSequence or Generator
        Of two more runs.

    Returns
    -------
    float
        Mean adjusted Rand index of all three pairs of runs: 1 where they are the same, about 0
        where they agree as random ones would.

    References
    ----------
    Hubert and Arabie (1985), Comparing partitions, Journal of Classification 2, 193-218.

    Examples
    --------
    >>> ends = [(i, j) for g in range(0, 30, 5) for i in range(g, g + 5) for j in range(i)]
    >>> net = Network(*zip(*[(i, j) for i, j in ends if i // 5 == j // 5]), n_nodes=30)
    >>> agreement(net, louvain(net))
    1.0
    """
    entropy = seeds.freeze(seed)
    again = [divided_louvain(network, seed=seeds.derive(entropy, i)) for i in (1, 2)]
    first, second, third = np.asarray(codes), *again
    pairs = ((first, second), (first, third), (second, third))
    return float(np.mean([adjusted_rand(one, other) for one, other in pairs]))


def adjusted_rand(one: ArrayLike, other: ArrayLike) -> float:
    """Return the adjusted Rand index of two divisions of the same nodes.

    Examples
    --------
    >>> adjusted_rand([0, 0, 1, 1], [5, 5, 3, 3])
    1.0
    >>> round(adjusted_rand([0, 1, 2, 2], [0, 0, 0, 1]), 2)
    -0.33
    """

    def pairs(counts: NDArray[np.float64]) -> float:
        return float((counts * (counts - 1)).sum() / 2)

    a, b = (np.unique(codes, return_inverse=True)[1] for codes in (one, other))
    table = sp.coo_array((np.ones(a.size), (a, b))).tocsr()
    both = pairs(table.data)
    first, second = pairs(np.bincount(a).astype(float)), pairs(np.bincount(b).astype(float))
    expected = first * second / pairs(np.array([float(a.size)]))
    most = (first + second) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def effective_number(sizes: ArrayLike) -> float:
    """Return how many equal communities ones of these sizes are worth: (sum n)^2 / sum n^2.

    Examples
    --------
    >>> effective_number([5, 5, 5]), round(effective_number([8, 1, 1]), 2)
    (3.0, 1.52)
    """
    nodes = np.asarray(sizes, dtype=np.float64)
    return float(nodes.sum() ** 2 / (nodes**2).sum())


def conductance(network: Network, codes: ArrayLike) -> float:
    """Return the share of the link ends of a community that leave it, for the average node.

    With c_g links between community g and others, v_g link ends in it and n_g nodes, it is
    sum_g n_g (c_g / v_g) / n. Tests that take communities for independent need it to be low (Leung
    2023, Econometrica 91, 641-667). Weight and direction do not count; NaN without links.

    Examples
    --------
    >>> conductance(Network([0, 1, 2], [1, 2, 3], n_nodes=4), [0, 0, 1, 1])
    0.3333333333333333
    """
    groups = np.asarray(codes)
    source, target = network.simple_links()
    if not source.size:
        return float("nan")
    ends, count = np.concatenate([groups[source], groups[target]]), int(groups.max()) + 1
    leaves = np.tile(groups[source] != groups[target], 2)
    volume, cut = np.bincount(ends, minlength=count), np.bincount(ends, leaves, count)
    share = cut / np.maximum(volume, 1)
    return float(share[groups].mean())


def number(values: ArrayLike) -> Codes:
    """Number values by first appearance; a missing one gets a number of its own.

    Examples
    --------
    >>> number(["b", "a", "b", None, None]).tolist()
    [0, 1, 0, 2, 3]
    """
    seen: dict[Hashable, int] = {}
    codes = np.empty(np.size(values), dtype=np.int32)
    for i, value in enumerate(np.asarray(values).tolist()):
        key = ("no value", i) if is_missing(value) else ("value", value)
        codes[i] = seen.setdefault(key, len(seen))
    return codes


def louvain(network: Network, *, seed: seeds.Seed = 0, resolution: float = 1.0) -> Codes:
    """Find communities by the Louvain method.

    Links count without direction (the weights of both directions are added). Nodes are visited
    in an order drawn from the seed. A node without links is a community of its own.

    Parameters
    ----------
    network : Network
        The network.
    seed : int, SeedSequence or Generator
        The same seed gives the same communities.
    resolution : float
        Above 1 for smaller communities, below 1 for larger ones.

    Returns
    -------
    ndarray of int, shape (n_nodes,)
        Codes 0, 1, ... by first appearance; read-only, kept for the next call.

    References
    ----------
    Blondel, Guillaume, Lambiotte and Lefebvre (2008), Fast unfolding of communities in large
    networks, J. Stat. Mech. P10008; Reichardt and Bornholdt (2006) for the resolution.

    Examples
    --------
    >>> net = Network([0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3], n_nodes=7)
    >>> louvain(net).tolist()
    [0, 0, 0, 1, 1, 1, 2]
    """
    if not (np.isfinite(resolution) and resolution > 0):
        raise InputError(
            parameter="resolution",
            expected="a positive number, 1 by default",
            got=shown(resolution),
            where="louvain",
        )
    entropy = seeds.freeze(seed)

    def compute() -> Codes:
        return frozen(_louvain(network.adjacency("both"), entropy, float(resolution)))

    return network.cached(("louvain", entropy, float(resolution)), compute)


def _louvain(adjacency: sp.csr_array, entropy: int, resolution: float) -> Codes:
    n = adjacency.shape[0]
    if adjacency.nnz == 0:
        return np.arange(n, dtype=np.int32)
    from .louvain import find_groups

    order = np.random.RandomState(seeds.derive(entropy)).permutation(n)
    found = find_groups(adjacency, order, resolution).astype(np.int64)
    isolated = np.flatnonzero(np.diff(adjacency.indptr) == 0)
    found[isolated] = found.max() + 1 + np.arange(isolated.size)
    return _renumber(found)


def _renumber(codes: NDArray[np.int64]) -> Codes:
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int32)
    rank[np.argsort(first)] = np.arange(first.size)
    return rank[inverse]


def split_giant(
    network: Network, codes: ArrayLike, *, share: float = 0.1, seed: seeds.Seed = 0
) -> Codes:
    """Divide communities that hold more than a share of the nodes.

    Louvain cannot find communities below a size that grows with the whole network (its
    resolution limit), so it runs again on the links inside each community that is too large,
    and on the parts, until they are small enough or do not divide any further.

    Parameters
    ----------
    network : Network
        The network.
    codes : array_like of int, shape (n_nodes,)
        Communities.
    share : float
        Largest share of the nodes that a community should hold, above 0 and at most 1.
    seed : int, SeedSequence or Generator
        For Louvain.

    Returns
    -------
    ndarray of int, shape (n_nodes,)
        Codes 0, 1, ... by first appearance.

    Examples
    --------
    >>> net = Network([0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3], n_nodes=6)
    >>> split_giant(net, [0] * 6, share=0.5).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    if not 0 < share <= 1:
        raise InputError(
            parameter="share",
            expected="a proportion above 0 and at most 1",
            got=shown(share),
            where="split_giant",
        )
    entropy = seeds.freeze(seed)
    result = communities(network, np.asarray(codes)).astype(np.int64)
    adjacency = network.adjacency("both")
    n_codes = int(result.max(initial=-1)) + 1
    pending = [np.flatnonzero(result == c) for c in _large(result, share)]
    while pending:
        nodes = pending.pop()
        parts = _louvain(adjacency[nodes][:, nodes], entropy, 1.0)
        if parts.max() == 0:
            continue
        result[nodes[parts > 0]] = n_codes + parts[parts > 0] - 1
        n_codes += int(parts.max())
        pending += [
            nodes[parts == part]
            for part in np.flatnonzero(np.bincount(parts) > share * network.n_nodes)
        ]
    return _renumber(result)


def _large(codes: NDArray[np.int64], share: float) -> NDArray[np.intp]:
    return np.flatnonzero(np.bincount(codes) > share * codes.size)
