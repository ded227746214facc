"""A replicate as a Network, for models of any kind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import seeds
from ..kernels.streams import key_of, stream
from ..kernels.replicates import draw_replicate
from ..network import Network
from ..network_parts import MISSING, object_array
from .blocks import Blocks, take_apart

DRAW, SPLIT, FLIP = 0, 1, 2  # what the streams of a replicate are for


@dataclass(frozen=True, slots=True)
class Replicate:
    """A network drawn out of another one's communities.

    Attributes
    ----------
    network : Network
        Labels, features and node columns are carried along; node i has the id i.
    origin : ndarray of int, shape (n_nodes,)
        The node of the first network that each node copies.
    community : ndarray of int, shape (n_nodes,)
        The draw that each node belongs to; two draws of one community are two communities.
    """

    network: Network
    origin: NDArray[np.int32]
    community: NDArray[np.int32]


def replicate_network(
    network: Network, communities: ArrayLike, *, seed: seeds.Seed = 0, number: int = 0
) -> Replicate:
    """Draw a network of the same kind and size: communities with replacement.

    Communities are drawn until their nodes number ``network.n_nodes``, or as nearly as can be,
    and keep their inner links. Of a link between communities every copy of either end keeps
    its half. As many halves as can be are joined with a copy of the half that they belonged
    to; the others are joined with each other such that the classes of both ends stay what they
    were, as far as possible. So a node keeps its number of links and the classes at their
    other ends, and two copies of one community become linked as different communities are.

    Parameters
    ----------
    network : Network
        Directed or not, weighted or not, labels missing or not.
    communities : array_like of int, shape (n_nodes,)
        Community of each node; a node with a negative code is a community of its own.
    seed : int, SeedSequence or Generator
        Together with `number` it decides the replicate.
    number : int
        Number of the replicate.

    Raises
    ------
    InputError
        Where there are fewer than two communities.

    Examples
    --------
    >>> from nettrial.synth.latent_groups import latent_group_network
    >>> net = latent_group_network(100, seed=1)
    >>> drawn = replicate_network(net, net.groups("group")[0], seed=1)
    >>> drawn.network
    <Network 'latent groups': 103 nodes, 397 undirected links, 2 classes>
    """
    blocks = take_apart(network, communities)
    return assemble(network, blocks, key_of(seeds.freeze(seed)), number)


def assemble(network: Network, blocks: Blocks, key: np.uint64, number: int) -> Replicate:
    """Draw replicate `number` of a network that was taken apart."""
    state = stream(key, number, DRAW)
    origin, slot, source, target, weight = draw_replicate(*blocks, state)
    names = object_array([*network.classes, None])
    codes = network.labels[origin]
    features = network.features
    copy = Network(
        source,
        target,
        n_nodes=origin.size,
        weight=weight if network.weighted else None,
        directed=network.directed,
        labels=names[np.where(codes == MISSING, network.n_classes, codes)],
        classes=network.classes,
        features=None if features is None else features[origin],
        attributes={name: column[origin] for name, column in network.attributes.items()},
        name=network.name,
    )
    return Replicate(copy, origin, slot)
