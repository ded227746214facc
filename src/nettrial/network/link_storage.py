"""A network's links, kept once, in whichever order of the nodes they were last needed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .arrays import frozen
from .link_arrays import Neighbors


class LinkStorage:
    """Compressed rows in the network's own order of the nodes, or in another one.

    Large networks are swept in an order of their own. A second copy of the links would take a
    third of the memory of a run, so they are turned over and back, which costs less than one
    sweep. Arrays that are mapped from a file stay as they are: they take no memory of their own.

    Parameters
    ----------
    links : Neighbors
        In the network's own order.

    Examples
    --------
    >>> links = Neighbors(np.array([0, 1, 2, 2]), np.array([1, 0], dtype=np.int32), None)
    >>> stored = LinkStorage(links)
    >>> stored.in_order(np.array([2, 0, 1], dtype=np.int32)).indices.tolist()
    [2, 1]
    >>> stored.links.indices.tolist()
    [1, 0]
    """

    __slots__ = ("_kept", "_mapped")

    def __init__(self, links: Neighbors) -> None:
        self._mapped = links if _mapped(links.indices) else None
        # one reference, replaced at once: threads at work together may turn the links twice
        self._kept: tuple[NDArray[np.int32] | None, Neighbors] = (None, links)

    def __reduce__(self) -> tuple[type[LinkStorage], tuple[Neighbors]]:
        return LinkStorage, (self.links,)

    @property
    def links(self) -> Neighbors:
        """The links in the network's own order."""
        order, links = self._kept
        if order is None:
            return links
        if self._mapped is not None:
            return self._mapped
        back = np.empty_like(order)
        back[order] = np.arange(order.size, dtype=order.dtype)
        links = _turned(links, back)
        self._kept = None, links
        return links

    def in_order(self, order: NDArray[np.int32]) -> Neighbors:
        """Return the links with node `order[i]` in place i, its neighbors in the order they had."""
        kept, links = self._kept
        if kept is order:
            return links
        links = _turned(self.links, order)
        self._kept = order, links
        return links


def _turned(links: Neighbors, order: NDArray[np.int32]) -> Neighbors:
    from ..kernels.reorder import permute

    indptr, indices, weights = permute(*links, frozen(order))  # one type, one compiled loop
    given = links.weights is not None
    return Neighbors(frozen(indptr), frozen(indices), frozen(weights) if given else None)


def _mapped(array: NDArray[np.int32]) -> bool:
    base: object = array
    while isinstance(base, np.ndarray):
        if isinstance(base, np.memmap):
            return True
        base = base.base
    return False
