"""Features, links and an order of the nodes that hold the answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy import stats

from ..core.wording import listed, plural
from ..network.network import Network
from .problem import Problem

IS_THE_CLASS, NEARLY = 0.99, 0.9  # of |2 AUC - 1|
SMALLEST = 10  # nodes of a class, and of all others
DENSE = 500  # columns up to which sparse features are looked at value by value
MOST = 5_000  # nodes whose values are ranked
ALIKE = 0.999  # share of links within classes from which links hold the answer
LINKS = 50
VALUES = 50  # different values of a column, up to which each has a rule
SORTED = 0.1  # changes of class from node to node, of those expected by chance


def separation(features: Any, labels: NDArray[np.int32]) -> NDArray[np.float64]:
    r"""Return how well each column alone separates each class from all others, :math:`|2 A - 1|`.

    A is the AUC of the column's values; of wide sparse features, of whether they are 0.

    Parameters
    ----------
    features : ndarray or scipy sparse array, shape (n, n_features)
    labels : ndarray of int, shape (n,)

    Returns
    -------
    ndarray of float, shape (n_classes, n_features)
        NaN for classes of fewer than 10 nodes, or with fewer than 10 others.

    Examples
    --------
    >>> labels = np.repeat([0, 1], 10)
    >>> separation(np.stack([-labels, np.arange(20) % 2], axis=1), labels).tolist()
    [[1.0, 0.0], [1.0, 0.0]]
    """
    member = np.arange(labels.max() + 1)[:, None] == labels
    inside = member.sum(axis=1, keepdims=True).astype(float)
    outside = labels.size - inside
    if sp.issparse(features) and features.shape[1] > DENSE:
        marked = (sp.csr_array(features) != 0).astype(np.float64)
        hits = (marked.T @ member.T.astype(np.float64)).T
        others = np.asarray(marked.sum(axis=0)).ravel() - hits
        with np.errstate(invalid="ignore", divide="ignore"):
            found = np.abs(hits / inside - others / outside)
    else:
        dense = features.toarray() if sp.issparse(features) else np.asarray(features)
        ranks = stats.rankdata(dense, axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            auc = (member @ ranks - inside * (inside + 1) / 2) / (inside * outside)
            found = np.abs(2 * auc - 1)
    small = (inside < SMALLEST) | (outside < SMALLEST)
    return np.where(small, np.nan, found)


def one_rule(features: Any, labels: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return how well each column gives the class by one rule: each value its commonest class.

    It is the share of nodes that the rule has right beyond those of the commonest class of all.
    0 for columns of more than 50 values, or of more than a tenth as many as nodes.

    Examples
    --------
    >>> columns = np.stack([np.tile([3, 1, 7, 5], 30), np.repeat([0, 1], 60)], axis=1)
    >>> one_rule(columns, np.tile([0, 1, 0, 1], 30)).tolist()
    [1.0, 0.0]
    """
    base, n = np.bincount(labels).max(), labels.size
    found = np.zeros(features.shape[1])
    for column, values in enumerate(np.asarray(features).T):
        _, codes = np.unique(values, return_inverse=True)
        if 0 < codes.max() < min(VALUES, n / SMALLEST) and base < n:
            table = np.zeros((codes.max() + 1, labels.max() + 1), dtype=np.intp)
            np.add.at(table, (codes, labels), 1)
            found[column] = (table.max(axis=1).sum() - base) / (n - base)
    return found


def _strongest(network: Network) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return the best separation of each column, and of which class it is: -1 of all, by a rule."""
    nodes = network.labeled
    if nodes.size > MOST:
        nodes = np.sort(np.random.default_rng(0).choice(nodes, MOST, replace=False))
    if not nodes.size:
        return np.zeros(0), np.zeros(0, dtype=np.intp)
    features = network.features
    rows = sp.csr_array(features)[nodes] if sp.issparse(features) else features[nodes]
    found = np.nan_to_num(separation(rows, network.labels[nodes]), nan=0.0)
    best, of = found.max(axis=0), found.argmax(axis=0)
    if features.shape[1] <= DENSE:
        dense = rows.toarray() if sp.issparse(rows) else rows
        rules = one_rule(dense, network.labels[nodes])
        of = np.where((rules >= IS_THE_CLASS) & (rules > best), -1, of)
        best = np.where(of < 0, rules, best)
    return best, of


def column_called(network: Network, column: int) -> str:
    """Return the name of a column of features, else its number."""
    taken = network.feature_columns
    return f"column {column}" if taken is None else f"{taken.names[column]}"


def check_recoded(network: Network) -> Problem | None:
    """Find columns that are the class in other words; note those that nearly are."""
    best, of = _strongest(network)
    serious = bool((best >= IS_THE_CLASS).any())
    concerned = int((best >= (IS_THE_CLASS if serious else NEARLY)).sum())
    if not concerned:
        return None
    worst = int(best.argmax())
    how = (
        f"separates class {str(network.classes[of[worst]])!r} from all others with an AUC of "
        f"{(1 + best[worst]) / 2:.3f}"
        if of[worst] >= 0
        else f"gives the class by one rule, with {best[worst]:.1%} of what the commonest class has "
        "wrong"
    )
    called = column_called(network, worst)
    text = f"{plural(concerned, 'column')} of the features; {called} {how}"
    return Problem(serious, float(concerned), float(best.size), "columns", text, "likely")


def check_node_columns(network: Network) -> Problem | None:
    """Note node columns from whose values the class follows."""
    nodes, found = network.labeled, []
    for name in network.attributes:
        codes, _ = network.groups(name)
        known = nodes[codes[nodes] >= 0]
        pairs = np.unique(np.stack([codes[known], network.labels[known]]), axis=1)
        values = np.unique(pairs[0]).size
        follows = pairs.shape[1] == values and np.unique(pairs[1]).size > 1
        if follows and known.size > nodes.size / 2 and values <= known.size / SMALLEST:
            found.append(name)
    if not found:
        return None
    text = f"each value of {listed(found)} goes with one class"
    return Problem(False, float(len(found)), float(len(network.attributes)), "node columns", text)


def check_order(network: Network) -> Problem | None:
    """Note that nodes are listed class by class."""
    labels = network.labels[network.labeled]
    shares = np.bincount(labels) / max(1, labels.size)
    changes = int((labels[1:] != labels[:-1]).sum())
    expected = (labels.size - 1) * (1 - (shares**2).sum())
    if expected < SMALLEST or changes > SORTED * expected:
        return None
    text = (
        f"from one node to the next the class changes {changes:,} times, where {expected:,.0f} are "
        "expected by chance"
    )
    return Problem(False, float(labels.size), float(labels.size), "labeled nodes", text)


def check_links(network: Network) -> Problem | None:
    """Find links that join nodes of one class only; note classes without links to others."""
    ends = np.stack(network.simple_links())
    classes = network.labels[ends]
    classes = classes[:, (classes >= 0).all(axis=0)]
    within = int((classes[0] == classes[1]).sum())
    n = classes.shape[1]
    shares = np.bincount(classes.ravel(), minlength=2) / max(1, classes.size)
    if n < LINKS or (shares**2).sum() > NEARLY:
        return None
    if within < ALIKE * n:
        return _classes_apart(network, classes)
    text = f"{within:,} of {n:,} links between labeled nodes join nodes of one class"
    return Problem(True, float(within), float(n), "links", text)


def _classes_apart(network: Network, classes: NDArray[np.int32]) -> Problem | None:
    """Note classes with 50 or more links, none of them to another class."""
    same, k = classes[0] == classes[1], network.n_classes
    own = np.bincount(classes[0][same], minlength=k)
    apart = np.flatnonzero(
        (own >= LINKS) & (np.bincount(classes[:, ~same].ravel(), minlength=k) == 0)
    )
    if not apart.size:
        return None
    size = float(own[apart].sum())
    names = listed([str(network.classes[code]) for code in apart])
    text = f"all {size:,.0f} links of {names} stay in the class"
    return Problem(False, size, float(classes.shape[1]), "links", text)
