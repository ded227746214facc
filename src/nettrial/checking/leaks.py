"""Features made from the labels of test nodes, and times and links after the cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.errors import InputError, shown, unknown_choice
from ..core.wording import plural
from ..network.feature_columns import numbers_or_days
from ..network.network import Network
from ..network.node_values import MISSING
from ..splits.base import Split
from ..splits.link_designs import LinkSplit
from .answers import column_called
from .problem import Problem

SAME = 0.995  # correlation from which a column is what was computed, but for rounding
WEIGHT = "weight"  # in place of a node column: the weights of links are their times
Floats = NDArray[np.float64]


def of_neighbors(network: Network, labels: NDArray[np.int32]) -> Floats:
    """Return how many neighbors of each node have each class, and their shares of those labeled.

    Parameters
    ----------
    labels : ndarray of int, shape (n_nodes,)
        -1 where the class is hidden.

    Returns
    -------
    ndarray of float, shape (n_nodes, 2 * n_classes)

    Examples
    --------
    >>> net = Network([0, 0], [1, 2], n_nodes=3, labels=["a", "a", "b"])
    >>> of_neighbors(net, net.labels)[0].tolist()
    [1.0, 1.0, 0.5, 0.5]
    """
    member = (labels[:, None] == np.arange(network.n_classes)).astype(np.float64)
    counts = (network.adjacency() != 0).astype(np.float64) @ member
    return np.hstack([counts, counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)])


def correlations(features: Any, computed: Floats) -> Floats:
    """Return the correlation of each column of features with each computed one, 0 of constants.

    Examples
    --------
    >>> found = correlations(np.array([[1.0, 5], [2, 5], [4, 5]]), np.array([[2.0], [4], [8]]))
    >>> found.round(9).tolist()
    [[1.0], [0.0]]
    """
    sparse = sp.issparse(features)
    x: Any = sp.csr_array(features, dtype=np.float64) if sparse else np.asarray(features)
    y = computed - computed.mean(axis=0)
    means = np.asarray(x.mean(axis=0)).ravel()
    squares = np.asarray((x.multiply(x) if sparse else x * x).mean(axis=0)).ravel()
    spread = np.sqrt(np.maximum(squares - means**2, 0))[:, None] * y.std(axis=0)
    products = np.asarray(x.T @ y) / y.shape[0]
    found: Floats = np.divide(products, spread, out=np.zeros_like(products), where=spread > 1e-9)
    return found


def check_made_of_labels(network: Network, splits: Sequence[Split]) -> Problem | None:
    """Find columns that are the classes of the neighbors, those of test nodes among them."""
    nodes = network.labeled
    rows = network.features[nodes]
    found = np.abs(correlations(rows, of_neighbors(network, network.labels)[nodes]))
    columns = np.flatnonzero(found.max(axis=1) > SAME)
    fair = []
    for split in splits:
        hidden = network.labels.copy()
        hidden[np.setdiff1d(nodes, split.train)] = MISSING
        again = np.abs(correlations(rows[:, columns], of_neighbors(network, hidden)[nodes]))
        fair.append(again.max(axis=1))
    least = np.min(fair, axis=0) if fair else np.zeros(columns.size)
    columns, least = columns[least <= SAME], least[least <= SAME]
    if not columns.size:
        return None
    classes = found[columns[0]].argmax() % network.n_classes
    called = column_called(network, int(columns[0]))
    text = (
        f"{plural(columns.size, 'column')} of the features; {called} is, computed again, how "
        f"many or which share of a node's neighbors have class "
        f"{network.classes[classes]!s}, the labels of test nodes included"
    )
    if fair:
        text += f" (from training labels alone the correlation is {least[0]:.2f}, not 1)"
    return Problem(True, float(columns.size), float(rows.shape[1]), "columns", text, "likely")


def times_of(network: Network, column: str) -> Floats:
    """Return the place of each node's time among all, NaN without one."""
    if column not in network.attributes and column == getattr(network.reading, "label", None):
        raise InputError(
            parameter="times", expected="a column of times", got=f"{shown(column)}, the class"
        )
    if not network.attributes:
        raise InputError(
            parameter="times", expected="a node column", got=shown(column),
            hint="the network has none",
        )  # fmt: skip
    if column not in network.attributes:
        raise unknown_choice("times", column, network.attributes)
    known = network.groups(column)[0] >= 0
    times = numbers_or_days(network.attributes[column][known]) if known.any() else np.zeros(0)
    if times is None:
        raise InputError(
            parameter="times", expected="a column of numbers or dates", got=shown(column),
            hint="write dates as 2020-01-31",
        )  # fmt: skip
    found = np.full(network.n_nodes, np.nan)
    found[known] = times
    return found


def are_dated(network: Network | None, splits: Sequence[Any], times: str | None) -> bool:
    """Return whether some split of nodes has times on both sides."""
    if network is None or times in (None, WEIGHT):
        return False
    known = ~np.isnan(times_of(network, str(times)))
    return any(known[s.train].any() and known[s.test].any() for s in splits if isinstance(s, Split))


def are_links_dated(network: Network | None, splits: Sequence[Any], times: str | None) -> bool:
    """Return whether links can be held against a cut: hidden links by weight, nodes by time."""
    if times == WEIGHT:
        return bool(splits) and all(isinstance(split, LinkSplit) for split in splits)
    return are_dated(network, splits, times)


def _first(times: Floats) -> float:
    return float(np.min(times[~np.isnan(times)], initial=np.inf))


def check_times(network: Network, splits: Sequence[Split], times: str) -> Problem | None:
    """Find training nodes that are later than the first test node."""
    when = times_of(network, times)
    late = [int((when[s.train] >= _first(when[s.test])).sum()) for s in splits]
    if not any(late):
        return None
    sizes = [split.train.size for split in splits]
    text = (
        f"{plural(int(np.count_nonzero(late)), 'split')} of {len(splits):,} train on nodes that "
        f"are not earlier than the first test node by {times}, {max(late):,} in one"
    )
    return Problem(True, float(np.mean(late)), float(np.mean(sizes)), "training nodes", text)


def check_link_times(
    network: Network, splits: Sequence[Split | LinkSplit], times: str
) -> Problem | None:
    """Find links that are seen although they are later than what is tested."""
    if times != WEIGHT:
        return _links_to_later_nodes(network, splits, times)
    ends = network.simple_links()
    weights = np.asarray(network.adjacency()[ends]).ravel()
    late, seen = 0.0, 0.0
    for split in splits:
        assert isinstance(split, LinkSplit)  # noqa: S101 - as `are_links_dated` made sure
        pairs = split.pairs(network.n_nodes)[split.is_link].T
        cut = np.asarray(network.adjacency()[pairs[0], pairs[1]]).ravel().min()
        late += float((weights[split.train] >= cut).sum())
        seen += split.train.size
    if not late:
        return None
    text = f"models see {late:,.0f} links that are not earlier than the first tested one"
    return Problem(True, late / len(splits), seen / len(splits), "links that are seen", text)


def _links_to_later_nodes(network: Network, splits: Sequence[Any], times: str) -> Problem | None:
    """Note links from the past to nodes that are later than the last training node."""
    when, ends = times_of(network, times), np.stack(network.simple_links())
    crossing = []
    for split in splits:
        seen = when[split.train]
        cut = np.max(seen[~np.isnan(seen)], initial=-np.inf)
        crossing.append(
            int(((when[ends] <= cut).any(axis=0) & (when[ends] > cut).any(axis=0)).sum())
        )
    if not any(crossing):
        return None
    size, of = float(np.mean(crossing)), float(ends.shape[1])
    text = (
        f"{size:,.0f} of {of:,.0f} links lead from nodes of the past to nodes after the cut, and "
        "models see them while they train"
    )
    return Problem(False, size, of, "links", text)
