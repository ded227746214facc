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
from ..network.network_parts import MISSING
from ..splits.base import Split
from .nodes import BY_CHANCE, DRAWS, feature_codes, keys_of, of_groups
from .problem import Problem

BANDS = 12  # pairs of hashes; nodes that share 80% of their neighbors agree in one with 99.99%
WINDOW = 4  # nodes of one band that each is held against
NEIGHBORS, FEATURES = 0.8, 0.9  # of the neighbors shared; cosine of the features
LINKED = 3  # neighbors of a node, from which it can be a near copy
PAIRS = 10  # nearly the same, from which they are more than chance
WORDS = 4  # of a text
LETTERS = 15  # of the texts of a column, on average
SMALL = 10  # test nodes of a class

Pairs = NDArray[np.int64]


def _candidates(network: Network) -> Pairs:
    """Return pairs of nodes that agree in some band of hashes of their neighbors, (2, n_pairs)."""
    links = network.neighbors()
    degrees = np.diff(links.indptr)
    fit = np.flatnonzero(degrees >= LINKED)
    found = []
    for band in range(BANDS if fit.size else 0):
        least = [
            np.minimum.reduceat(
                np.append(keys_of(network.n_nodes, 100 + 2 * band + k)[links.indices], 0),
                links.indptr[fit],
            )
            for k in range(2)
        ]
        order = np.lexsort((least[1], least[0]))
        for step in range(1, min(WINDOW, fit.size - 1) + 1):
            one, two = order[:-step], order[step:]
            same = (least[0][one] == least[0][two]) & (least[1][one] == least[1][two])
            found.append(np.sort(fit[np.stack([one[same], two[same]])], axis=0))
    if not found:
        return np.zeros((2, 0), dtype=np.int64)
    return np.unique(np.concatenate(found, axis=1), axis=1).astype(np.int64)


def _shared(network: Network, pairs: Pairs) -> NDArray[np.float64]:
    """Return the share of the neighbors of two nodes that both have (Jaccard)."""
    rows = (network.adjacency() != 0).astype(np.float64)
    both = np.asarray(rows[pairs[0]].multiply(rows[pairs[1]]).sum(axis=1)).ravel()
    degrees = np.diff(rows.indptr)
    either = degrees[pairs[0]] + degrees[pairs[1]] - both
    return np.asarray(both / np.maximum(either, 1))


def _alike(features: Any, pairs: Pairs) -> NDArray[np.bool_]:
    """Return whether the features of two nodes are nearly the same, those of no node all 0."""
    if sp.issparse(features):
        rows = sp.csr_array(features, dtype=np.float64)
        dots = np.asarray(rows[pairs[0]].multiply(rows[pairs[1]]).sum(axis=1)).ravel()
        squares = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    else:
        dense = np.asarray(features, dtype=np.float64)
        if dense.min(initial=0) < 0:  # else 0 is "not there", and the cosine is of what is
            dense = (dense - dense.mean(axis=0)) / np.maximum(dense.std(axis=0), 1e-12)
        dots = (dense[pairs[0]] * dense[pairs[1]]).sum(axis=1)
        squares = (dense**2).sum(axis=1)
    norms = np.sqrt(squares[pairs[0]] * squares[pairs[1]])
    return np.asarray((norms > 0) & (dots > FEATURES * norms))


def near_copies(network: Network) -> NDArray[np.int64]:
    """Return the group of near copies of each node, -1 without one.

    They share 80% of three or more neighbors, and the cosine of their features is above 0.9.
    There are none where other nodes of a common neighbor have such features nearly as often.

    Examples
    --------
    >>> ends = np.repeat(np.arange(40), 4), 40 + (np.arange(160) // 8 * 4 + np.arange(160) % 4)
    >>> features = np.repeat(np.random.default_rng(0).normal(size=(60, 8)), 2, axis=0)
    >>> features += np.random.default_rng(1).normal(size=(120, 8)) / 50
    >>> near_copies(Network(*ends, n_nodes=120, features=features))[:6].tolist()
    [0, 0, 1, 1, 2, 2]
    """
    none = np.full(network.n_nodes, -1, dtype=np.int64)
    pairs = _candidates(network)
    pairs = pairs[:, _shared(network, pairs) >= NEIGHBORS]
    if pairs.shape[1] < PAIRS:
        return none
    alike = _alike(network.features, pairs)
    others = _of_a_common_neighbor(network)
    others = others[:, _shared(network, others) < NEIGHBORS / 2]
    by_chance = float(_alike(network.features, others).mean()) if others.size else 0.0
    near = pairs[:, alike]
    if near.shape[1] < PAIRS or alike.mean() <= BY_CHANCE * by_chance:
        return none
    n = network.n_nodes
    joined = sp.coo_array((np.ones(near.shape[1]), (near[0], near[1])), shape=(n, n))
    _, group = connected_components(joined, directed=False)
    known = np.unique(near)
    none[known] = np.unique(group[known], return_inverse=True)[1]
    return none


def _of_a_common_neighbor(network: Network) -> Pairs:
    links, rng = network.neighbors(), np.random.default_rng(0)
    degrees = np.diff(links.indptr)
    middle = rng.choice(np.flatnonzero(degrees > 1), DRAWS)
    first, second = (
        links.indices[links.indptr[middle] + rng.integers(0, degrees[middle])] for _ in range(2)
    )
    return np.stack([first, second])[:, first != second].astype(np.int64)


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
