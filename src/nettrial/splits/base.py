"""The three sets of a split and the contract of a design."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..network.canonical_order import Order
from ..network.network import Network


@check_arguments
@dataclass(frozen=True, slots=True)
class Split:
    """One division of a network; all three are node indices, ascending.

    Attributes
    ----------
    train : ndarray of int
        Nodes whose labels the model sees.
    inference : ndarray of int
        All nodes outside `train`, those whose label is missing included; the model predicts
        them together.
    test : ndarray of int
        The labeled nodes of `inference` on which the model is evaluated.
    """

    train: NDArray[np.intp]
    inference: NDArray[np.intp]
    test: NDArray[np.intp]


def splits_in_order(splits: Sequence[Split], order: Order) -> list[Split]:
    """Return the same divisions of the network in another order of its nodes.

    Examples
    --------
    >>> net = Network([0, 1], [1, 2], n_nodes=3, ids=["b", "c", "a"])
    >>> order = Order(net, net, np.array([2, 0, 1]), np.array([], dtype=int))
    >>> found = splits_in_order([Split(np.array([0]), np.array([1, 2]), np.array([2]))], order)[0]
    >>> found.train.tolist(), found.inference.tolist(), found.test.tolist()
    ([1], [0, 2], [0])
    """
    found = []
    for split in splits:
        inference = order.ascending(split.inference)
        # one array serves both where they are equal: large networks need the memory
        alike = split.test is split.inference
        test = inference if alike else order.ascending(split.test)
        found.append(Split(order.ascending(split.train), inference, test))
    return found


class ShowsOptions:
    """Base of designs, whose attributes are their options."""

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({options})"


@runtime_checkable
class Design(Protocol):
    """A way of splitting; asked twice, it gives the same splits."""

    def split_network(self, network: Network) -> list[Split]:
        """Split a network; only labeled nodes enter training and test sets."""
        ...

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yield training and test indices, as scikit-learn's splitters do."""
        ...

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits."""
        ...
