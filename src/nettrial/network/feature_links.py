"""A network whose nodes are also linked to those with similar features."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.errors import InputError
from ..kernels.threads import one_blas_thread
from .network import Network

Floats = NDArray[np.float64]
BLOCK = 1_000  # nodes that are held against all others at a time
MOST_WORK = 3e11  # products of features: about a minute
DIGITS = 9  # to which similarities are compared, so that rounding decides nothing


def allows_similarity(network: Network) -> bool:
    """Return whether nodes have features, and are few enough to be held against each other."""
    features = network.features
    if features is None or not features.shape[1]:
        return False
    stored = features.nnz if sp.issparse(features) else features.size
    return network.n_links > 0 and network.n_nodes * stored <= MOST_WORK


def with_similar(network: Network) -> Network:
    """Return a network with links between nodes of similar features beside its own.

    Every node is linked to as many of the nodes that are most like it as a node has neighbors on
    average; direction is lost. Both kinds of links have the same total weight. Nodes are alike
    where the cosine between their features is large, each feature with mean 0 and variance 1.

    Examples
    --------
    >>> net = Network([0, 2], [1, 3], n_nodes=4, features=[[0.0], [1.0], [0.1], [1.1]])
    >>> with_similar(net).adjacency("both").toarray().astype(int).tolist()
    [[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]]
    """
    if not allows_similarity(network):
        raise InputError(
            "links_and_features needs links and features, and no more than about 20,000 nodes "
            "with 500 features",
            parameter="communities",
            hint="use louvain",
        )

    def compute() -> Network:
        own = sp.csr_array(network.adjacency("both")).astype(np.float64)
        many = min(max(1, round(own.nnz / network.n_nodes)), network.n_nodes - 1)
        near = _nearest(network.features, many)
        start = np.repeat(np.arange(network.n_nodes), many)
        alike = sp.csr_array((np.ones(start.size), (start, near.ravel())), shape=own.shape)
        alike = alike + alike.T
        joined = sp.coo_array(sp.triu(own + alike * (own.sum() / alike.sum()), 1))
        source, target = joined.coords
        return Network(source, target, n_nodes=network.n_nodes, weight=joined.data)

    return network.cached("similar", compute)


def _nearest(features: Any, many: int) -> NDArray[np.intp]:
    """Return the nodes most like each node, shape (n_nodes, many)."""
    scaled, center = _standardized(features)
    shift = scaled @ center  # of the products, since sparse features cannot be centered
    lengths = np.sqrt(np.maximum(_squares(scaled) - 2 * shift + center @ center, 0.0))
    lengths[lengths == 0] = 1.0
    n = lengths.size
    found = np.empty((n, many), dtype=np.intp)
    order = np.arange(n) * 10.0 ** -(DIGITS + 3) / n  # among equals the first ones
    for first in range(0, n, BLOCK):
        rows = slice(first, min(first + BLOCK, n))
        with one_blas_thread():
            products = scaled[rows] @ scaled.T
        products = products.toarray() if sp.issparse(products) else np.asarray(products)
        products += center @ center - shift[rows, None] - shift
        products /= lengths[rows, None] * lengths
        near = order - products.round(DIGITS)
        near[np.arange(near.shape[0]), np.arange(n)[rows]] = np.inf  # not itself
        found[rows] = np.argpartition(near, many - 1, axis=1)[:, :many]
    return found


def _standardized(features: Any) -> tuple[Any, Floats]:
    """Return features divided by their standard deviations, and the means of the results.

    Missing ones take the mean; those that do not vary are left out.
    """
    if sp.issparse(features):
        table = sp.csr_array(features).astype(np.float64)
        mean = np.asarray(table.mean(axis=0)).ravel()
        square = np.asarray((table * table).mean(axis=0)).ravel()
        deviation = np.sqrt(np.maximum(square - mean**2, 0.0))
        varies = deviation > 1e-12 * np.abs(mean).max(initial=1.0)
        scale = np.where(varies, 1 / np.where(varies, deviation, 1.0), 0.0)
        return sp.csr_array(table @ sp.diags_array(scale)), mean * scale
    table = np.asarray(features, dtype=np.float64)
    if np.isnan(table).any():
        known = np.nanmean(np.where(np.isnan(table).all(axis=0), 0.0, table), axis=0)
        table = np.where(np.isnan(table), known, table)
    mean, deviation = table.mean(axis=0), table.std(axis=0)
    varies = deviation > 1e-12 * np.abs(mean).max(initial=1.0)
    return (table[:, varies] - mean[varies]) / deviation[varies], np.zeros(int(varies.sum()))


def _squares(table: Any) -> Floats:
    """Return the squared length of each row."""
    return np.asarray((table * table).sum(axis=1), dtype=np.float64).ravel()
