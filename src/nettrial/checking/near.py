"""Nodes that are nearly copies, nodes of the same text, and classes with few test nodes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from ..core.wording import listed
from ..network.network import Network
from ..network.node_values import MISSING
from ..splits.base import Split
from .nodes import BY_CHANCE, feature_codes, keys_of, of_groups
from .problem import Problem

BANDS = 6  # hashes; nodes that share half of their neighbors agree in one with 98%
WINDOW = 4  # nodes of one hash that each is held against, in the order of a mix of their features
LINKS = ((0.5, 1), (0.5, 2), (0.8, 3), (0.8, 10))  # share and number of neighbors, at least
LEVELS = tuple((*links, cosine) for links in LINKS for cosine in (0.9, 0.99))
APART = 0.25  # share of the neighbors below which nodes are no copies
PAIRS = 10  # nearly the same, from which they are more than chance
MOST = 20_000  # pairs whose rows are multiplied at once
WORDS = 4  # of a text
LETTERS = 15  # of the texts of a column, on average
SMALL = 10  # test nodes of a class

Pairs = NDArray[np.int64]


def _unit_rows(features: Any) -> sp.csr_array | NDArray[np.float64]:
    """Return the rows of features at length 1, those without any at 0."""
    rows = sp.csr_array(features, dtype=np.float64)
    if not sp.issparse(features) and (rows.nnz > features.size / 2 or rows.data.min() < 0):
        dense = rows.toarray()  # else 0 is "not there", and the cosine is of what is
        dense = (dense - dense.mean(axis=0)) / np.maximum(dense.std(axis=0), 1e-12)
        return dense / np.maximum(np.linalg.norm(dense, axis=1, keepdims=True), 1e-12)
    norms = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    return sp.csr_array(sp.diags_array(1 / np.maximum(norms, 1e-12)) @ rows)


def _cosines(rows: Any, pairs: Pairs) -> NDArray[np.float64]:
    """Return the sum of products of two rows, for each pair."""
    products = [
        rows[one].multiply(rows[two]) if sp.issparse(rows) else rows[one] * rows[two]
        for one, two in zip(*(np.array_split(each, 1 + each.size // MOST) for each in pairs))
    ]
    return np.concatenate([np.asarray(each.sum(axis=1)).ravel() for each in products])


def _candidates(network: Network, rows: Any) -> Pairs:
    """Return pairs of nodes with a common neighbor and features that may be alike, (2, n_pairs)."""
    links, n, rng = network.neighbors(), network.n_nodes, np.random.default_rng(0)
    fit = np.flatnonzero((np.diff(links.indptr) > 0) & (abs(rows).sum(axis=1) > 0))
    found = np.zeros(0, dtype=np.int64)
    for band in range(BANDS if fit.size else 0):
        keys = np.append(keys_of(n, 100 + band)[links.indices], np.uint64(0))
        least = np.minimum.reduceat(keys, links.indptr[fit])
        order = np.lexsort(((rows @ rng.normal(size=rows.shape[1]))[fit], least))
        for step in range(1, min(WINDOW, fit.size - 1) + 1):
            one, two = order[:-step], order[step:]
            ends = np.sort(fit[np.stack([one, two])[:, least[one] == least[two]]], axis=0)
            found = np.append(found, ends[0] * n + ends[1])
    return np.stack(np.divmod(np.unique(found), n))


def _shared(network: Network, pairs: Pairs) -> NDArray[np.float64]:
    """Return the share of the neighbors of two nodes that both have (Jaccard)."""
    links = (network.adjacency() != 0).astype(np.float64)
    both, degrees = _cosines(links, pairs), np.diff(links.indptr)
    found: NDArray[np.float64] = both / np.maximum(degrees[pairs].sum(axis=0) - both, 1)
    return found


def near_copies(network: Network) -> NDArray[np.int64]:
    """Return the group of near copies of each node, -1 without one.

    They share half of their neighbors, and the cosine of their features is above 0.9. The odds of
    such features must be ten times those of pairs that share some neighbor and few of all. Where
    they are not, it takes a cosine above 0.99, and more neighbors: two, or 80% of three or ten.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> ends = np.arange(40).repeat(4), rng.integers(40, 120, (20, 4)).repeat(2, axis=0).ravel()
    >>> features = rng.normal(size=(60, 8)).repeat(2, axis=0) + rng.normal(size=(120, 8)) / 50
    >>> near_copies(Network(*ends, n_nodes=120, features=features))[:6].tolist()
    [0, 0, 1, 1, 2, 2]
    """
    none, n = np.full(network.n_nodes, -1, dtype=np.int64), network.n_nodes
    rows = _unit_rows(network.features)
    pairs = _candidates(network, rows)
    shared, alike = _shared(network, pairs), _cosines(rows, pairs)
    neighbors = np.diff(network.neighbors().indptr)[pairs].min(axis=0)
    others = alike[shared < APART]
    for share, number, cosine in LEVELS:
        close = (shared >= share) & (neighbors >= number)
        near = pairs[:, close & (alike > cosine)]
        rate, least = (1 + (others > cosine).sum()) / (1 + others.size), near.shape[1]
        if least < PAIRS or least * (1 - rate) <= BY_CHANCE * rate * (close.sum() - least):
            continue
        joined = sp.coo_array((np.ones(least), near), shape=(n, n))
        _, group = connected_components(joined, directed=False)
        known = np.unique(near)
        none[known] = np.unique(group[known], return_inverse=True)[1]
        break
    return none


def check_near(network: Network, splits: Sequence[Split]) -> Problem | None:
    """Find test nodes of which the training set holds a near copy."""
    what = "a node with nearly the same features and neighbors"
    group = near_copies(network)
    exact = of_groups(group, network, splits, what, "likely")
    return exact if exact is None or _differ(network, group) else None


def _differ(network: Network, group: NDArray[np.int64]) -> bool:
    """Return whether groups hold more than exact copies, which NT101 reports."""
    codes = feature_codes(network.features)
    known = np.flatnonzero(group >= 0)
    pairs = np.unique(np.stack([group[known].astype(np.uint64), codes[known]]), axis=1)
    return int(pairs.shape[1]) > np.unique(group[known]).size


def text_columns(network: Network) -> tuple[str, ...]:
    """Return the node columns that hold texts, most of them different.

    Examples
    --------
    >>> texts = ["a long story of a cat", "a short tale of two dogs", "another one on birds"]
    >>> text_columns(Network([0], [1], n_nodes=3, attributes={"t": texts, "n": list("abc")}))
    ('t',)
    """
    found = []
    for name, column in network.attributes.items():
        if column.dtype.kind not in "OU":
            continue
        words = [str(value) for value in column.tolist() if value not in (None, "")]
        spaced = sum(" " in word.strip() for word in words)
        long = sum(map(len, words)) >= LETTERS * len(words)
        if words and long and 2 * spaced > len(words) and 2 * len(set(words)) > len(words):
            found.append(name)
    return tuple(found)


def check_texts(network: Network, splits: Sequence[Split]) -> Problem | None:
    """Find test nodes whose text, but for case and marks, a training node has."""
    for name in text_columns(network):
        seen: dict[str, int] = {}
        codes = np.full(network.n_nodes, -1, dtype=np.int64)
        for node, value in enumerate(network.attributes[name].tolist()):
            words = re.findall(r"\w+", str(value).lower()) if value is not None else []
            if len(words) >= WORDS:
                codes[node] = seen.setdefault(" ".join(words), len(seen))
        if problem := of_groups(codes, network, splits, f"a node with the same {name}"):
            return problem
    return None


def check_tiny_classes(network: Network, splits: Sequence[Split]) -> Problem | None:
    """Note classes with fewer than ten test nodes in a split."""
    labels = [network.labels[split.test] for split in splits]
    counts = np.array(
        [np.bincount(each[each != MISSING], minlength=network.n_classes) for each in labels]
    )
    means = counts.mean(axis=0)
    tiny = np.flatnonzero((means > 0) & (means < SMALL))
    if not tiny.size:
        return None
    names = [f"{network.classes[code]!s} ({means[code]:.3g})" for code in tiny[:SMALL]]
    more = [f"{tiny.size - SMALL} more"] if tiny.size > SMALL else []
    text = (
        f"classes with fewer than {SMALL} test nodes: {listed(names + more)}; what a model makes "
        "of them is luck"
    )
    return Problem(False, float(tiny.size), float((means > 0).sum()), "tested classes", text)
