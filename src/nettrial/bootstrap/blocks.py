"""A network taken apart into communities, ready to be put together anew."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..network import Network
from ..network_parts import MISSING

Ints = NDArray[np.int64]


class Blocks(NamedTuple):
    """Arrays that `nettrial.kernels.replicates.draw_replicate` takes, in its order.

    Attributes
    ----------
    sizes : ndarray of int, shape (n_communities,)
        Nodes in each community.
    member_start, members : ndarray of int
        Community g has the nodes ``members[member_start[g]:member_start[g + 1]]``.
    rank : ndarray of int, shape (n_nodes,)
        Place of each node among the members of its community.
    community : ndarray of int, shape (n_nodes,)
        Codes from 0 without gaps.
    inner_start, inner_s, inner_t, inner_w : ndarray
        Links inside communities, sorted by community.
    outer_s, outer_t, outer_w : ndarray
        Links between communities.
    kinds : ndarray of int, shape (n_nodes,)
        Class codes; a missing label is a class of its own.
    n_kinds : int
    directed : bool
    """

    sizes: Ints
    member_start: Ints
    members: Ints
    rank: Ints
    community: Ints
    inner_start: Ints
    inner_s: Ints
    inner_t: Ints
    inner_w: NDArray[np.float64]
    outer_s: Ints
    outer_t: Ints
    outer_w: NDArray[np.float64]
    kinds: Ints
    n_kinds: int
    directed: bool


def take_apart(network: Network, communities: ArrayLike) -> Blocks:
    """Sort nodes and links by community.

    Parameters
    ----------
    network : Network
    communities : array_like of int, shape (n_nodes,)
        Community of each node; a node with a negative code is a community of its own.

    Raises
    ------
    InputError
        Where there is not one integer for each node, or fewer than two communities.

    Examples
    --------
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", "b", "a", "b"])
    >>> parts = take_apart(net, [5, 5, 9, 9])
    >>> parts.sizes.tolist(), parts.inner_s.tolist(), parts.outer_s.tolist()
    ([2, 2], [0, 2], [1])
    """
    given = np.asarray(communities)
    if given.shape != (network.n_nodes,) or not np.issubdtype(given.dtype, np.integer):
        raise InputError(
            f"communities: received {given.dtype} values of shape {given.shape}, needed is one "
            f"integer for each of the {network.n_nodes} nodes"
        )
    alone = given < 0
    codes = given.astype(np.int64)
    codes[alone] = np.arange(np.count_nonzero(alone)) + int(given.max(initial=0)) + 1
    community = np.unique(codes, return_inverse=True)[1].astype(np.int64)
    sizes = np.bincount(community)
    if sizes.size < 2:
        raise InputError(
            f"communities: received {sizes.size} of them, needed are at least two; give a finer "
            "partition"
        )
    member_start = np.concatenate([[0], np.cumsum(sizes)])
    members = np.argsort(community, kind="stable")
    rank = np.empty(network.n_nodes, dtype=np.int64)
    rank[members] = np.arange(network.n_nodes) - np.repeat(member_start[:-1], sizes)
    source, target, weight = link_rows(network)
    inside = community[source] == community[target]
    order = np.flatnonzero(inside)
    order = order[np.argsort(community[source[order]], kind="stable")]
    inner = np.bincount(community[source[order]], minlength=sizes.size)
    missing = network.labels == MISSING
    return Blocks(
        sizes=sizes,
        member_start=member_start,
        members=members,
        rank=rank,
        community=community,
        inner_start=np.concatenate([[0], np.cumsum(inner)]),
        inner_s=source[order],
        inner_t=target[order],
        inner_w=weight[order],
        outer_s=source[~inside],
        outer_t=target[~inside],
        outer_w=weight[~inside],
        kinds=np.where(missing, network.n_classes, network.labels).astype(np.int64),
        n_kinds=network.n_classes + 1,
        directed=network.directed,
    )


def link_rows(network: Network) -> tuple[Ints, Ints, NDArray[np.float64]]:
    """Give every link once: source, target, weight."""
    indptr, indices, weights = network.links
    source = np.repeat(np.arange(network.n_nodes), np.diff(indptr))
    target = indices.astype(np.int64)
    weight = np.ones(indices.size) if weights is None else np.array(weights)
    once = np.ones(indices.size, dtype=bool) if network.directed else source < target
    return source[once], target[once], weight[once]
