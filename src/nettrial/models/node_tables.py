"""What is known of nodes without any label, as a table: features, degrees, neighbors' means."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.errors import InputError, shown, unknown_choice
from ..core.option_names import option
from ..network.arrays import frozen_matrix
from ..network.network import Direction, Network

SHOWN = 5  # node columns that an error names
TOGETHER = 16  # columns of a table that are standardized at a time
Use: TypeAlias = Literal["features", "neighbors", "both", "graph"]


def node_table(network: Network, use: Use, direction: Direction = "both") -> Any:
    """Return one row per node; kept with the network, so that further splits find it ready.

    Parameters
    ----------
    use : {"features", "neighbors", "both", "graph"}
        "features": the network's node features. "neighbors": the columns of `degrees`, and the
        mean of each feature over the neighbors, weighted by the links, where the network has
        features; a node without neighbors has means of 0. "both": all of these. "graph": the
        same, or as "neighbors" on a network without features.
    direction : {"both", "out", "in"}
        Which links of a directed network make a neighbor.

    Returns
    -------
    ndarray or scipy.sparse.csr_array of float, shape (n_nodes, n_columns)
        Sparse where the features are.

    Examples
    --------
    >>> net = Network([0, 0], [1, 2], n_nodes=3, features=np.array([[1.0], [2.0], [4.0]]))
    >>> node_table(net, "neighbors").round(2).tolist()
    [[1.1, 0.69, 3.0], [0.69, 1.1, 1.0], [0.69, 1.1, 1.0]]
    """
    if use not in get_args(Use):
        raise unknown_choice("use", use, get_args(Use))
    if use == "graph":
        use = "both" if network.features is not None else "neighbors"
    if use != "neighbors" and network.features is None:
        raise no_features(network, f"use={shown(use)}", "take use='graph', as logistic+graph does")
    if use == "features":
        return network.features
    return network.cached(
        ("node table", use, direction),
        lambda: frozen_matrix(_with_neighbors(network, use, direction)),
    )


def no_features(network: Network, who: str, instead: str) -> InputError:
    """Build the error for a network without the features that a model needs.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=2, attributes={"age": [20, 30]})
    >>> print(no_features(net, "mlp", "take gcn"))
    mlp needs node features, and the network has none; features='all', or names of some, makes
    features of its node columns (age); or take gcn
    """
    columns = list(network.attributes)
    some = f"({', '.join(columns[:SHOWN])}{', ...' * (len(columns) > SHOWN)})"
    how = (
        f"{option('features', 'all')}, or names of some, makes features of its node columns {some}"
        if columns
        else "add a feature matrix (Network(..., features=...))"
    )
    return InputError(f"{who} needs node features, and the network has none; {how}; or {instead}")


def degrees(network: Network, direction: Direction = "both") -> NDArray[np.float64]:
    """Return log(1 + degree), the mean of it over the neighbors, and log(1 + sum of weights).

    The last column stands only where links have weights.

    Returns
    -------
    ndarray of float, shape (n_nodes, 2 or 3)

    Examples
    --------
    >>> degrees(Network([0], [1], n_nodes=3)).round(2).tolist()
    [[0.69, 0.69], [0.69, 0.69], [0.0, 0.0]]
    """
    links = network.adjacency(direction)
    degree = np.log1p(np.diff(links.indptr))
    columns = [degree, averaging(links) @ degree]
    if network.weighted:
        columns.append(np.log1p(links.sum(axis=1)))
    return np.column_stack(columns)


def class_shares(
    network: Network, labels: NDArray[np.int32], direction: Direction = "both"
) -> NDArray[np.float64]:
    """Return the share of each class among a node's labeled neighbors, and how many these are.

    Parameters
    ----------
    labels : ndarray of int, shape (n_nodes,)
        Class codes of the training nodes, -1 elsewhere. A node's own label has no say.
    direction : {"both", "out", "in"}

    Returns
    -------
    ndarray of float, shape (n_nodes, n_classes + 1)
        Shares weighted by the links; without labeled neighbors those among all labels. The last
        column is log(1 + number of labeled neighbors).

    Examples
    --------
    >>> net = Network([0, 0, 0], [1, 2, 3], n_nodes=5, labels=["a", "a", "b", "b", "b"])
    >>> class_shares(net, np.array([-1, 0, 1, -1, -1])).round(2).tolist()
    [[0.5, 0.5, 1.1], [0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.5, 0.5, 0.0]]
    """
    links = network.adjacency(direction)
    known = np.flatnonzero(labels >= 0)
    shape = (network.n_nodes, network.n_classes)
    classes = sp.csr_array((np.ones(known.size), (known, labels[known])), shape=shape)
    sums = (links @ classes).toarray()
    links.data[:] = 1.0
    counts = np.asarray((links @ classes).sum(axis=1), dtype=float).ravel()
    total = sums.sum(axis=1, keepdims=True)
    overall = np.bincount(labels[known], minlength=shape[1]) / max(known.size, 1)
    shares = np.where(total > 0, sums / np.where(total > 0, total, 1.0), overall)
    return np.column_stack([shares, np.log1p(counts)])


def joined_tables(parts: list[Any]) -> Any:
    """Put tables side by side; sparse where one of them is."""
    if not any(map(sp.issparse, parts)):
        return np.hstack(parts)
    joined = sp.hstack([sp.csr_array(part) for part in parts], format="csr")
    if joined.nnz < 2**31:  # all that many a classifier takes
        joined.indices = joined.indices.astype(np.int32)
        joined.indptr = joined.indptr.astype(np.int32)
    return joined


def averaging(links: sp.csr_array) -> sp.csr_array:
    """Return the matrix that takes the weighted mean over the neighbors."""
    total = links.sum(axis=1)
    scale = np.divide(1.0, total, out=np.zeros(total.size), where=total > 0)
    return sp.csr_array(sp.diags_array(scale) @ links)


def _with_neighbors(network: Network, use: Use, direction: Direction) -> Any:
    own = degrees(network, direction)
    features = network.features
    if features is None:
        return own
    means = averaging(network.adjacency(direction)) @ features
    return joined_tables([own, means] if use == "neighbors" else [features, own, means])


def check_finite(x: Any, who: str) -> None:
    """Refuse features that are NaN or infinite."""
    bad = ~np.isfinite(x.data if sp.issparse(x) else x)
    if bad.any():
        raise InputError(
            f"{who}: {np.count_nonzero(bad)} feature values are missing or not finite; fill them "
            "in first (network.imputed(train) fills in missing ones)"
        )


def scaled(x: Any) -> Any:
    """Divide rows without negative values by their sum; standardize other tables by column.

    Dense tables come back in float32, computed in float64 a few columns at a time.
    """
    if x.min() >= 0:
        total = np.asarray(x.sum(axis=1), dtype=float).ravel()
        scale = np.divide(1.0, total, out=np.zeros(total.size), where=total > 0)
        if sp.issparse(x):
            return sp.diags_array(scale) @ x
        out = np.empty(x.shape, dtype=np.float32)
        return np.multiply(scale[:, None], x, out=out, casting="unsafe")
    out = np.empty(x.shape, dtype=np.float32)
    # two columns at least, since numpy adds the numbers of one up in another order
    for some in np.array_split(np.arange(x.shape[1]), -(-x.shape[1] // TOGETHER)):
        part = x[:, some[0] : some[-1] + 1]
        part = np.asarray(part.toarray() if sp.issparse(x) else part, dtype=float)
        spread = part.std(axis=0)
        out[:, some] = (part - part.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return out
