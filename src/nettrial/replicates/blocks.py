"""A network taken apart into communities, ready to be put together anew."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InputError
from ..network.network import Network
from ..network.node_values import MISSING
from ..numeric.checks import as_array
from ..study.tasks import task_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class BootstrapError(InputError):
    """The bootstrap cannot be made of this network and these communities."""


class Blocks(NamedTuple):
    """Arrays that `nettrial.kernels.replicates.draw_replicate` takes, in its order."""

    sizes: Ints  # shape (n_communities,): nodes in each community
    # member_start, members: community g has the nodes ``members[member_start[g]:member_start[g +
    # 1]]``
    member_start: Ints
    members: Ints
    # inner_start, inner_s, inner_t, inner_w: links inside communities, sorted by community; ends by
    # their place among the members
    inner_start: Ints
    inner_s: Ints
    inner_t: Ints
    inner_w: Floats
    # shape (n_nodes,): class codes, or fifths of the targets by rank; a missing one is a class of
    # its own here
    kinds: Ints
    # sending, receiving: shape (n_nodes,): how active a node is in links between communities; equal
    # where links have no direction
    sending: Floats
    receiving: Floats
    # shape (n_kinds, n_kinds): links between a node of class y and one of class z in another
    # community, for each unit of the product of their activities; without direction only y <= z is
    # used
    rates: Floats
    # weight_start, outer_w: weights of the links between communities from class y to class z, from
    # ``weight_start[y * n_kinds + z]`` on
    weight_start: Ints
    outer_w: Floats
    directed: bool
    # shape (n_communities,): cumulated probabilities with which communities are drawn
    cumulative: Floats

    @property
    def community(self) -> Ints:
        """Community of each node, codes from 0 without gaps."""
        codes = np.empty(self.members.size, dtype=np.int64)
        codes[self.members] = np.repeat(np.arange(self.sizes.size), self.sizes)
        return codes


def take_apart(network: Network, communities: ArrayLike) -> Blocks:
    """Sort nodes and links by community, and fit the rates of the links between communities.

    Parameters
    ----------
    communities : array_like of int, shape (n_nodes,)
        Community of each node; a node with a negative code is a community of its own.

    Examples
    --------
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", "b", "a", "b"])
    >>> parts = take_apart(net, [5, 5, 9, 9])
    >>> parts.sizes.tolist(), parts.inner_s.tolist(), parts.inner_t.tolist()
    ([2, 2], [0, 0], [1, 1])
    """
    community = _codes(network, communities)
    sizes = np.bincount(community)
    member_start = np.concatenate([[0], np.cumsum(sizes)])
    members = np.argsort(community, kind="stable")
    place = np.empty(network.n_nodes, dtype=np.int64)
    place[members] = np.arange(network.n_nodes) - np.repeat(member_start[:-1], sizes)
    kinds, n_kinds = _kinds(network)
    source, target, weight = _link_rows(network)
    if not network.directed:
        turned = kinds[source] > kinds[target]
        source, target = np.where(turned, target, source), np.where(turned, source, target)
    inside = community[source] == community[target]
    order = np.flatnonzero(inside)
    order = order[np.argsort(community[source[order]], kind="stable")]
    inner = np.bincount(community[source[order]], minlength=sizes.size)
    s, t, w = source[~inside], target[~inside], weight[~inside]
    sending, receiving = _activities(s, t, community, sizes, network.directed)
    pair = kinds[s] * n_kinds + kinds[t]
    counts = np.bincount(pair, minlength=n_kinds * n_kinds)
    return Blocks(
        sizes=sizes,
        member_start=member_start,
        members=members,
        inner_start=np.concatenate([[0], np.cumsum(inner)]),
        inner_s=place[source[order]],
        inner_t=place[target[order]],
        inner_w=weight[order],
        kinds=kinds,
        sending=sending,
        receiving=receiving,
        rates=_rates(counts.reshape(n_kinds, n_kinds), sending, receiving, kinds, community),
        weight_start=np.concatenate([[0], np.cumsum(counts)]),
        outer_w=w[np.argsort(pair, kind="stable")],
        directed=network.directed,
        cumulative=np.arange(1.0, sizes.size + 1) / sizes.size,
    )


def _kinds(network: Network) -> tuple[Ints, int]:
    """Return what the rates of links depend on at each node, and the number of kinds."""
    codes, number = task_of(network).kinds(network)
    missing = network.labels == MISSING
    return np.where(missing, number, codes).astype(np.int64), number + 1


def _codes(network: Network, communities: ArrayLike) -> Ints:
    given = as_array("communities", communities)
    if given.shape != (network.n_nodes,) or not np.issubdtype(given.dtype, np.integer):
        raise InputError(
            parameter="communities",
            expected=f"one integer for each of the {network.n_nodes:,} nodes",
            got=f"{given.dtype} values of shape {given.shape}",
        )
    alone = given < 0
    codes = given.astype(np.int64)
    codes[alone] = np.arange(np.count_nonzero(alone)) + int(given.max(initial=0)) + 1
    check_several(codes)
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def check_several(communities: NDArray[np.integer]) -> None:
    """Refuse fewer than two communities."""
    number = np.unique(communities).size
    if number < 2:
        raise BootstrapError(
            parameter="communities",
            expected="at least two",
            got=f"{number}",
            hint="give a finer partition",
        )


def _link_rows(network: Network) -> tuple[Ints, Ints, Floats]:
    """Return every link once: source, target, weight."""
    indptr, indices, weights = network.links
    source = np.repeat(np.arange(network.n_nodes), np.diff(indptr))
    target = indices.astype(np.int64)
    weight = np.ones(indices.size) if weights is None else np.array(weights)
    if network.times is not None:  # which take the place of weights
        weight = np.array(network.times)
    once = np.ones(indices.size, dtype=bool) if network.directed else source < target
    return source[once], target[once], weight[once]


def _activities(
    s: Ints, t: Ints, community: Ints, sizes: Ints, directed: bool
) -> tuple[Floats, Floats]:
    out = np.bincount(s, minlength=community.size).astype(float)
    into = np.bincount(t, minlength=community.size).astype(float)
    if directed:
        return shrunk(out, community, sizes), shrunk(into, community, sizes)
    both = shrunk(out + into, community, sizes)
    return both, both


def shrunk(counts: Floats, community: Ints, sizes: Ints) -> Floats:
    """Shrink each node's number of links toward the mean of its community.

    Numbers of links that come about at equal rates inside a community vary as Poisson numbers
    do. Only the share of their variance that goes beyond that tells of lasting differences
    between nodes, and only that share of a node's deviation is kept (empirical Bayes).

    Examples
    --------
    >>> shrunk(np.array([0.0, 2, 1, 9]), np.array([0, 0, 1, 1]), np.array([2, 2])).round(1).tolist()
    [0.2, 1.8, 1.7, 8.3]
    """
    mean = (np.bincount(community, weights=counts) / sizes)[community]
    # a community of one node has no deviation, and no say
    freedom = np.where(sizes > 1, sizes / np.maximum(sizes - 1, 1), 0.0)[community]
    observed = float((freedom * (counts - mean) ** 2).sum())
    expected = float(mean[freedom > 0].sum())
    kept = max(0.0, 1 - expected / observed) if observed > 0 else 0.0
    return np.asarray(mean + kept * (counts - mean))


def _rates(
    counts: Ints, sending: Floats, receiving: Floats, kinds: Ints, community: Ints
) -> Floats:
    """Divide the links from class to class by the activity that could have made them."""
    n_kinds = counts.shape[0]
    cell = community * n_kinds + kinds
    shape = (int(community.max()) + 1, n_kinds)
    out = np.bincount(cell, weights=sending, minlength=shape[0] * n_kinds).reshape(shape)
    into = np.bincount(cell, weights=receiving, minlength=shape[0] * n_kinds).reshape(shape)
    possible = np.outer(out.sum(axis=0), into.sum(axis=0)) - out.T @ into
    found = counts > 0
    return np.asarray(np.divide(counts, possible, where=found, out=np.zeros(counts.shape)))
