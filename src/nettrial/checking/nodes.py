"""Nodes on both sides of a split: twins, repeated, unlabeled, of classes that no training set has.

Twins follow Platonov et al. (2023), who found that over half of the nodes of two benchmarks are
copies of others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.wording import listed, plural
from ..network.network import Network
from ..network.node_values import MISSING
from ..splits.base import Split
from .problem import Problem, Sure

Codes = NDArray[np.uint64]
FEW = 0.01  # share of the tests up to which twins and absent classes are a note
BY_CHANCE = 10.0  # times that features may agree more often between nodes of the same neighbors
RARE = 3  # nodes of the same features, up to which these tell nodes apart
DRAWS = 20_000  # pairs of nodes that share a neighbor
NAMED = 4  # classes that a sentence names


def keys_of(size: int, seed: int) -> Codes:
    return np.random.default_rng(seed).integers(0, 2**64, size, dtype=np.uint64)


def row_sums(keys: Codes, indptr: NDArray[Any]) -> Codes:
    """Return the sum of each row's keys, modulo 2^64."""
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(keys, dtype=np.uint64)])
    found: Codes = sums[indptr[1:]] - sums[indptr[:-1]]
    return found


def feature_codes(features: Any) -> Codes:
    """Return a code of each row, equal for equal rows (for others with probability 2^-64); 0 for 0.

    Examples
    --------
    >>> codes = feature_codes(np.array([[1, 0], [0, 1], [1, 0], [0, 0]]))
    >>> bool(codes[0] == codes[2]), bool(codes[0] == codes[1]), int(codes[3])
    (True, False, 0)
    """
    rows = sp.csr_array(features, dtype=np.float64, copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    bits = np.ascontiguousarray(rows.data).view(np.uint64)
    mixed = (bits ^ (bits >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15) | np.uint64(1)
    return row_sums(mixed * (keys_of(rows.shape[1], 0)[rows.indices] | np.uint64(1)), rows.indptr)


def twins(network: Network) -> NDArray[np.int64]:
    """Return the group of twins of each node, -1 without one: same features, same neighbors.

    Two twins may be linked with each other. Nodes without link, and with no feature but zeros,
    have none. There are none where nodes with other neighbors agree in their features so often
    that agreement says little.

    Examples
    --------
    >>> features = np.array([[1.5, 2], [3, 4], [1.5, 2], [0.1, 9], [7, 1], [8, 3]])
    >>> net = Network([0, 1, 1, 3, 4], [1, 2, 3, 4, 5], n_nodes=6, features=features)
    >>> twins(net).tolist()
    [0, -1, 0, -1, -1, -1]
    """
    links, n = network.neighbors(), network.n_nodes
    own, features = keys_of(n, 1), feature_codes(network.features)
    around = row_sums(own[links.indices], links.indptr)
    fit = (np.diff(links.indptr) > 0) & (features != 0)
    found = np.full(n, -1, dtype=np.int64)
    _, code, often = np.unique(features, return_inverse=True, return_counts=True)
    rare = fit & (often[code.ravel()] <= RARE)  # tells nodes apart where other features do not
    for signature in (around, around + own):  # the second for twins that are linked
        several = np.stack([signature, features])
        able = next((each for each in (fit, rare) if _beyond_chance(several[:, each])), None)
        if able is not None:
            found = np.maximum(found, grouped(several, able))
    return found


def _beyond_chance(both: Codes) -> bool:
    """Return whether nodes of the same neighbors agree in features far more than others do."""
    n, alike, near = both.shape[1], _pairs(both), _pairs(both[:1])
    rate = (_pairs(both[1:]) - alike) / max(1.0, n * (n - 1) / 2 - near)
    return bool(alike > BY_CHANCE * rate * near)


def grouped(signatures: Codes, fit: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the first node of the same signatures of each node; -1 of those that have none."""
    found = np.full(fit.size, -1, dtype=np.int64)
    places = np.flatnonzero(fit)
    if places.size:
        _, group, sizes = np.unique(
            signatures[:, fit], axis=1, return_inverse=True, return_counts=True
        )
        group = group.ravel()
        first = np.full(sizes.size, fit.size)
        np.minimum.at(first, group, places)
        several = sizes[group] > 1
        found[places[several]] = first[group[several]]
    return found


def _pairs(signatures: Codes) -> float:
    """Return how many pairs of nodes have the same signature."""
    _, sizes = np.unique(signatures, axis=1, return_counts=True)
    return float((sizes * (sizes - 1) / 2).sum())


def check_twins(network: Network, splits: Sequence[Split]) -> Problem | None:
    """Find test nodes of which the training set holds a copy: same features, same neighbors."""
    what = "a node with the same features and the same neighbors"
    return of_groups(twins(network), network, splits, what)


def same_links(network: Network) -> NDArray[np.int64]:
    """Return the group of nodes of the same two or more neighbors of each node, -1 without one.

    Examples
    --------
    >>> same_links(Network([0, 0, 1, 1, 2], [2, 3, 2, 3, 4], n_nodes=5)).tolist()
    [0, 0, -1, -1, -1]
    """
    links = network.neighbors()
    around = row_sums(keys_of(network.n_nodes, 1)[links.indices], links.indptr)
    return grouped(around[None], np.diff(links.indptr) > 1)


def check_copies(network: Network, splits: Sequence[Split]) -> Problem | None:
    """Find nodes that are copies by their links: of the same neighbors, and nearly all one class.

    Where links are homophilous, nodes of the same neighbors are mostly of one class. So they must
    differ ten times more rarely than nodes that share some neighbor.
    """
    group, labels = same_links(network), network.labels
    known = np.flatnonzero((group >= 0) & (labels != MISSING))
    order = known[np.argsort(group[known], kind="stable")]
    pairs = np.stack([order[:-1], order[1:]])[:, group[order[:-1]] == group[order[1:]]]
    different, n_pairs = (labels[pairs[0]] != labels[pairs[1]]).sum(), pairs.shape[1]
    likely = _neighbors_differ(network, group) if n_pairs else 0.0
    if BY_CHANCE * (1 + different) > likely * (1 + n_pairs):
        return None
    differ = float(different / n_pairs)
    what = f"a node with the same neighbors, and such nodes are of one class in {1 - differ:.1%}"
    return of_groups(group, network, splits, what, "likely")


def _neighbors_differ(network: Network, group: NDArray[np.int64]) -> float:
    """Return how often two neighbors of a node, not all of whose neighbors are the same, differ."""
    links, rng = network.neighbors(), np.random.default_rng(0)
    degrees = np.diff(links.indptr)
    middle = rng.choice(np.flatnonzero(degrees > 1), DRAWS)
    first, second = (
        links.indices[links.indptr[middle] + rng.integers(0, degrees[middle])] for _ in range(2)
    )
    labels = network.labels
    fit = (first != second) & (labels[first] != MISSING) & (labels[second] != MISSING)
    fit &= (group[first] != group[second]) | (group[first] < 0)
    return float((labels[first] != labels[second])[fit].mean()) if fit.any() else 0.0


def of_groups(
    group: NDArray[np.int64],
    network: Network,
    splits: Sequence[Split],
    what: str,
    sure: Sure = "certain",
) -> Problem | None:
    """Report how many test nodes, or without splits labeled nodes, have another of their group.

    Without splits it is a note: a split may keep every group on one side.
    """
    labels = network.labels
    nodes: tuple[NDArray[np.intp], ...] = ()
    if not splits:
        mine = group[network.labeled]
        mine = mine[mine >= 0]
        size = float((np.bincount(mine, minlength=1)[mine] > 1).sum())
        of, unit = float(network.labeled.size), "labeled nodes"
        text = f"{size:,.0f} of {of:,.0f} labeled nodes have a twin"
    else:
        counts = [_across(split, group, labels) for split in splits]
        size, same, of = (float(each) for each in np.mean(counts, axis=0))
        nodes = tuple(split.test[_others(group, split) > 0] for split in splits)
        unit, digits = "test nodes", int(len(counts) > 1 and size < 10)
        text = (
            f"of {of:,.0f} test nodes {size:,.{digits}f} have a twin in the training set"
            f"{', mean over splits' * (len(counts) > 1)}, {same / max(size, 1e-9):.0%} of them "
            "one of their class"
        )
    if not size:
        return None
    serious = bool(splits) and size / of >= FEW
    return Problem(serious, size, of, unit, f"{text}: {what}", sure, nodes=nodes)


def _others(codes: NDArray[np.int64], split: Split) -> NDArray[np.intp]:
    """Return how many training nodes beside itself have the code of each test node; 0 for -1."""
    train, test = np.unique(split.train), codes[split.test]
    known, counts = np.unique(codes[train], return_counts=True)
    place = np.searchsorted(known, test).clip(max=max(0, known.size - 1))
    same = counts[place] * (known[place] == test) if known.size else np.zeros_like(place)
    return np.where(test >= 0, same - np.isin(split.test, train), 0)


def _across(
    split: Split, group: NDArray[np.int64], labels: NDArray[np.int32]
) -> tuple[int, int, int]:
    """Return how many test nodes have a twin in training, one of their class, and how many are."""
    of_class = np.where(group >= 0, group * (labels.max() + 2) + labels + 1, -1)
    has, same = _others(group, split) > 0, _others(of_class, split) > 0
    return int(has.sum()), int(same.sum()), split.test.size


def check_both_sides(splits: Sequence[Split]) -> Problem | None:
    """Find nodes in the training and the test set of one split."""
    nodes = tuple(np.intersect1d(split.train, split.test) for split in splits)
    shared = [each.size for each in nodes]
    if not any(shared):
        return None
    tests = [split.test.size for split in splits]
    wrong = sum(map(bool, shared))
    text = (
        f"{plural(wrong, 'split')} of {len(shared):,} {'has' if wrong == 1 else 'have'} test nodes "
        f"that are in the training or validation set, {max(shared):,} in one"
    )
    size, of = float(np.mean(shared)), float(np.mean(tests))
    return Problem(True, size, of, "test nodes", text, nodes=nodes)


def check_overlap(splits: Sequence[Split]) -> Problem | None:
    """Note how often a node is tested."""
    times = _counted(split.test for split in splits)
    tested = times[times > 0]
    again = int((tested > 1).sum())
    if not again:
        return None
    text = (
        f"{again:,} of {tested.size:,} nodes are tested more than once, {tested.mean():.1f} times "
        "on average, so that splits are not independent"
    )
    return Problem(False, float(again), float(tested.size), "tested nodes", text)


def _counted(sets: Iterable[NDArray[np.intp]]) -> NDArray[np.intp]:
    return np.bincount(np.concatenate([np.unique(each) for each in sets]))


def check_absent_classes(network: Network, splits: Sequence[Split]) -> Problem | None:
    """Find test classes of which a training set has no node."""
    absent: set[int] = set()
    concerned = nodes = 0
    for split in splits:
        test = network.labels[split.test]
        new = np.setdiff1d(test[test != MISSING], network.labels[split.train])
        absent |= set(new.tolist())
        concerned += new.size > 0
        nodes += int(np.isin(test, new).sum())
    if not absent:
        return None
    names = [str(network.classes[code]) for code in sorted(absent)]
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    text = (
        f"{concerned:,} of {plural(len(splits), 'split')} test classes of which the training "
        f"set has no node ({listed(names[:NAMED] + more)})"
    )
    tested = sum(split.test.size for split in splits)
    return Problem(nodes >= FEW * tested, float(nodes), float(tested), "tests of nodes", text)


def check_unlabeled(network: Network, splits: Sequence[Split]) -> Problem | None:
    """Find test nodes whose class is not known."""
    tested = np.unique(np.concatenate([split.test for split in splits]))
    unknown = int((network.labels[tested] == MISSING).sum())
    if not unknown:
        return None
    text = f"{unknown:,} of {tested.size:,} tested nodes have no label"
    return Problem(True, float(unknown), float(tested.size), "tested nodes", text)
