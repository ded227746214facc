"""One order of nodes and classes for whatever draws: by id and by name, however they came."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from .arrays import frozen, frozen_matrix
from .feature_columns import FeatureColumns
from .ids import natural_order
from .link_arrays import compressed_rows
from .link_storage import LinkStorage
from .network import Network
from .node_values import MISSING

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Order:
    """The nodes and classes of a network in another order."""

    # given, network: the network in its own order, and in the other one
    given: Network
    network: Network
    nodes: Places  # shape (n_nodes,): for each node of `network` its place in `given`
    classes: Places  # shape (n_classes,): for each class of `network` its place in `given`

    @property
    def back(self) -> Order:
        """The way back, from `network` to `given`."""
        return Order(self.network, self.given, np.argsort(self.nodes), np.argsort(self.classes))

    def places(self, nodes: NDArray[np.integer[Any]]) -> Places:
        """Return the places in `network` of nodes of `given`, in their order."""
        place = np.empty(self.nodes.size, dtype=np.intp)
        place[self.nodes] = np.arange(self.nodes.size)
        return np.asarray(place[nodes])

    def ascending(self, nodes: NDArray[np.integer[Any]]) -> Places:
        """Return the places in `network` of nodes of `given`, ascending."""
        inside = np.zeros(self.nodes.size, dtype=bool)
        inside[nodes] = True
        return np.flatnonzero(inside[self.nodes])


def canonical_order(network: Network) -> Order | None:
    """Return the canonical order of a network; None where it has that order already.

    Nodes stand by their ids, and so do those without ids of their own, whose ids are their places:
    numbers as numbers, also where they came as text, and other text after them. Classes stand by
    their names likewise, but for those of `Network.one_against_rest`, and columns of named features
    by their names. What is drawn in that order does not depend on the order in which nodes, links,
    classes and columns came.

    Examples
    --------
    >>> net = Network([0, 1], [1, 2], n_nodes=3, ids=["10", "9", "a"], labels=["x", "y", "y"])
    >>> order = canonical_order(net)
    >>> order.network.ids.tolist(), order.nodes.tolist(), order.classes.tolist()
    (['9', '10', 'a'], [1, 0, 2], [0, 1])
    >>> canonical_order(order.network) is None
    True
    """
    nodes = network.cached("canonical order", lambda: _by_id(network.ids))
    classes = _classes(network)
    columns = _columns(network.feature_columns)
    if nodes is None and columns is None and (np.diff(classes) > 0).all():
        return None
    if nodes is None:
        nodes = np.arange(network.n_nodes)
    # without labels, on which what is kept must not depend
    bare = network.cached("canonical network", lambda: _turned(network, nodes, columns))
    labels, targets = network.labels[nodes], network.targets
    if targets is None:
        labels = np.append(np.argsort(classes), MISSING).astype(np.int32)[labels]
    made = bare._with_labels(labels, tuple(network.classes[code] for code in classes))
    made._set(
        targets=None if targets is None else frozen(targets[nodes]),
        name=network.name,
        reading=network.reading,
    )
    return Order(network, made, nodes, classes)


def _by_id(ids: NDArray[Any]) -> Places | None:
    """Return the order of ids; None where they are in order."""
    if ids.dtype.kind in "iu":
        order = np.argsort(ids, kind="stable")
    else:
        import pandas as pd  # slow to import

        texts = [str(each) for each in ids.tolist()]
        numbers = pd.to_numeric(pd.Series(texts, dtype=object), errors="coerce")
        values = numbers.astype(np.float64).fillna(np.inf).to_numpy()
        order = np.argsort(values, kind="stable")
        ranked = values[order]
        if not (ranked[1:] > ranked[:-1]).all():  # other text, and one number in two spellings
            first = np.array(sorted(range(ids.size), key=texts.__getitem__), dtype=np.intp)
            order = first[np.argsort(values[first], kind="stable")]
    return None if (np.diff(order) > 0).all() else frozen(order)


def _classes(network: Network) -> Places:
    if network.is_one_against_rest:
        return np.arange(2)
    names = network.classes
    return np.array(sorted(range(len(names)), key=lambda c: natural_order(names[c])), dtype=np.intp)


def _columns(taken: FeatureColumns | None) -> list[int] | None:
    """Return the order of named features; None where they are in order, or have no names."""
    if taken is None:
        return None
    order = sorted(range(len(taken.names)), key=taken.names.__getitem__)
    return None if order == list(range(len(order))) else order


def _turned(network: Network, nodes: Places, columns: list[int] | None) -> Network:
    features, taken = network.features, network.feature_columns
    if features is not None:
        features = features[nodes]
    if columns is not None and taken is not None:
        features = features[:, columns]
        taken = FeatureColumns(tuple(taken.names[i] for i in columns), taken.note)
    rows = network._matrix()[nodes]
    place = np.argsort(nodes).astype(np.int32)
    links = sp.csr_array((rows.data, place[rows.indices], rows.indptr), shape=rows.shape)
    copy = network._with_labels(network.labels[nodes])
    copy._set(
        _storage=LinkStorage(compressed_rows(links, weighted=network.weighted)),
        ids=frozen(network.ids[nodes]),
        features=None if features is None else frozen_matrix(features),
        feature_columns=taken,
        attributes=MappingProxyType(
            {name: frozen(column[nodes]) for name, column in network.attributes.items()}
        ),
        _derived={},
    )
    return copy
