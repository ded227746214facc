"""A half of a network's communities as a network of its own: a replicate without copies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..core.seeds import Stream, derive, generator
from ..kernels.keys import key_of
from ..models.base import AnyModel
from ..models.cdrn import CDRN
from ..models.nbc import NBC
from ..models.prior import Prior
from ..models.regressors import Mean, RelationalMean
from ..models.wvrn import WVRN
from ..network.network import Network
from ..splits.base import Split
from .blocks import Blocks
from .replicate import Replicate, assemble

Slots = NDArray[np.int32]
# they see the classes or targets of neighbors only, so that a copy elsewhere in a network tells
# them nothing
BLIND_TO_COPIES = (WVRN, NBC, CDRN, Prior, RelationalMean, Mean)


def may_see_copies(model: AnyModel) -> bool:
    """Return whether a model may run on a network that holds copies of a community.

    A model that learns from features finds the copy of a training node among the test nodes and
    has its label. Only models that are known not to notice may, without a local model.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from ..models.adapted import as_model
    >>> may_see_copies(WVRN()), may_see_copies(as_model(KNeighborsClassifier()))
    (True, False)
    """
    # not a class derived from them, which may do anything
    return type(model) in BLIND_TO_COPIES and getattr(model, "local", None) is None


def halve(sizes: NDArray[np.integer], entropy: int, number: int) -> tuple[Slots, Slots]:
    """Divide communities at random into two parts of about as many nodes.

    They are put in random order and cut where the first part is nearest to half of the nodes.

    Parameters
    ----------
    sizes : ndarray of int, shape (n_communities,)
        Nodes in each community, at least two of them.
    entropy, number : int
        Decide the halving together.

    Returns
    -------
    two ndarrays of int32
        The communities of either part.

    Examples
    --------
    >>> first, second = halve(np.array([5, 9, 4, 2]), 1, 0)
    >>> sorted(np.concatenate([first, second]).tolist())
    [0, 1, 2, 3]
    """
    rng = generator(derive(entropy, number, Stream.REPLICATE_HALVES))
    order = rng.permutation(sizes.size).astype(np.int32)
    reached = np.cumsum(sizes[order])[:-1]
    cut = 1 + int(np.argmin(np.abs(2 * reached - sizes.sum())))
    return order[:cut], order[cut:]


def part_network(
    network: Network, blocks: Blocks, part: Slots, entropy: int, number: int
) -> Replicate:
    """Return the communities of a part as a network.

    Their inner links stay; links between them are drawn at the rates of the whole network
    divided by the part's share of the nodes, so that a node keeps about its expected number of
    links: what a node cannot have, links drawn to its own community, is a greater share of a part.

    Parameters
    ----------
    network, blocks
        The network, and it taken apart.
    part : ndarray of int32
        Communities, each at most once.
    entropy, number : int
        Decide the links together.
    """
    share = blocks.sizes[part].sum() / network.n_nodes
    fewer = blocks._replace(rates=blocks.rates / share)
    return assemble(network, fewer, key_of(entropy), number, part)


def restricted(splits: Sequence[Split], origin: NDArray[np.integer], n_nodes: int) -> list[Split]:
    """Return splits without the nodes outside a part.

    Parameters
    ----------
    origin : ndarray of int
        The node of the whole network that each node of the part is.
    n_nodes : int
        Of the whole network.

    Examples
    --------
    >>> whole = Split(np.array([0, 3]), np.array([1, 2]), np.array([1, 2]))
    >>> part = restricted([whole], np.array([2, 3]), 4)[0]
    >>> part.train.tolist(), part.test.tolist()
    ([1], [0])
    """
    place = np.full(n_nodes, -1, dtype=np.intp)
    place[origin] = np.arange(origin.size)

    def left(nodes: NDArray[np.intp]) -> NDArray[np.intp]:
        found = place[nodes]
        return np.sort(found[found >= 0])

    return [Split(left(each.train), left(each.inference), left(each.test)) for each in splits]
