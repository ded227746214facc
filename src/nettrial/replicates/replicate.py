"""A replicate as a Network, for models of any kind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core import seeds
from ..core.arguments import check_arguments
from ..kernels.keys import key_of
from ..network.network import Network
from ..study.tasks import task_of
from .blocks import Blocks, take_apart


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


@check_arguments
def replicate_network(
    network: Network, communities: ArrayLike, *, seed: seeds.Seed = 0, number: int = 0
) -> Replicate:
    """Draw a network of the same kind and size: communities with replacement.

    Communities are drawn until their nodes number ``network.n_nodes``, or as nearly as can be,
    and keep their inner links. Links between different draws are drawn afresh, as many as
    between communities of the network: a node of class y and one of class z are linked at a
    rate proportional to the activities of the two and to the rate of links from y to z (a
    degree-corrected block model of the classes). An activity is the node's number of links to
    other communities, pulled toward the mean of its community by empirical Bayes. So networks
    of another mixture of communities get other numbers of links, as they would in the domain.

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
    <Network 'latent groups': 104 nodes, 274 undirected links, 2 classes>
    """
    blocks = take_apart(network, communities)
    return assemble(network, blocks, key_of(seeds.freeze(seed)), number)


def assemble(
    network: Network,
    blocks: Blocks,
    key: np.uint64,
    number: int,
    communities: NDArray[np.int32] | None = None,
) -> Replicate:
    """Draw replicate `number` of a network that was taken apart.

    By default communities are drawn with replacement; `communities` names those to take instead.
    """
    from ..kernels.replicates import draw_replicate
    from ..kernels.streams import stream
    from ..kernels.trials import DRAW

    state = stream(key, number, DRAW)
    timed = network.times is not None
    # the loop adds weights of a pair that is drawn twice, and leaves those of 1 as they are
    weighed = blocks._replace(outer_w=np.ones(blocks.outer_w.size)) if timed else blocks
    origin, slot, source, target, weight = draw_replicate(weighed, state, communities)
    if timed:
        outer = slot[source] != slot[target]
        ends = origin[source[outer]], origin[target[outer]]
        weight[outer] = _drawn_times(blocks, *ends, seeds.generator(int(key), number))
    features = network.features
    copy = Network(
        source,
        target,
        n_nodes=origin.size,
        weight=weight if network.weighted else None,
        times=weight if timed else None,
        directed=network.directed,
        **task_of(network).known(network, origin),
        features=None if features is None else features[origin],
        attributes={name: column[origin] for name, column in network.attributes.items()},
        name=network.name,
    )
    return Replicate(copy, origin, slot)


def _drawn_times(
    blocks: Blocks,
    source: NDArray[np.integer],
    target: NDArray[np.integer],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw times of links between communities from those of links between the same classes."""
    kind = blocks.kinds[source] * blocks.rates.shape[0] + blocks.kinds[target]
    many = np.diff(blocks.weight_start)[kind]
    places = blocks.weight_start[kind] + (rng.random(kind.size) * many).astype(int)
    return np.asarray(blocks.outer_w[places])
