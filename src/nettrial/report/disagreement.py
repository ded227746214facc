"""Where on the network two models disagree: by community and by degree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.errors import unknown_choice
from ..core.results import Result
from ..core.wording import plural
from ..metrics.measures import MEASURES, Measure
from ..network.network import Network
from ..numeric.checks import is_missing
from ..study.measured import contributions

if TYPE_CHECKING:
    from ..comparison.result import Comparison

Grouping: TypeAlias = Literal["community", "degree"]
Grouped: TypeAlias = tuple[NDArray[np.intp], list[str]]  # group of each node, names of groups
LARGEST = 12  # communities that are shown one by one
TOP_CLASS = 9  # degree classes are 0, 1, 2, 3-4, 5-8, ..., 65-128, and all above in class 9
EXAMPLES = 3
FEW = 20  # nodes of a group: classes of degrees with fewer are pooled, bars of others are pale


@dataclass(frozen=True, slots=True)
class NodeGroup(Result):
    """How two models fare on some of the nodes; each test of a node counts once.

    Attributes
    ----------
    name : str
        What the nodes have in common.
    nodes : int
        Nodes of the group that any split tests.
    tests : int
        How often they are tested, over all splits.
    error_a, error_b : float
        Error rates in these tests.
    only_a, only_b : float
        Share of these tests in which only A is wrong, and in which only B is.
    examples : tuple of object
        Ids of the nodes with most neighbors, three at most.
    """

    name: str
    nodes: int
    tests: int
    error_a: float
    error_b: float
    only_a: float
    only_b: float
    examples: tuple[object, ...]

    @property
    def difference(self) -> float:
        """Error rate of A minus that of B, which is `only_a` minus `only_b`."""
        return self.only_a - self.only_b


def disagreement(comparison: Comparison, by: Grouping) -> tuple[NodeGroup, ...]:
    """Return where on the network the two models disagree.

    Parameters
    ----------
    comparison : Comparison
        Its predictions are counted, test by test.
    by : {"community", "degree"}
        The 12 communities with most tested nodes and the rest together, or classes of the
        number of neighbors, without direction or weight.

    Returns
    -------
    tuple of NodeGroup
        Together they hold every tested node once. Their differences, weighted by their tests,
        add up to the difference over all tests.
    """
    if by not in GROUPINGS:
        raise unknown_choice("by", by, GROUPINGS)
    wrong_a, wrong_b = (comparison.predictions.errors(m) for m in (comparison.a, comparison.b))
    times = np.count_nonzero(wrong_a >= 0, axis=0)
    nodes = np.flatnonzero(times)
    network = comparison.predictions.network
    groups, names = GROUPINGS[by](comparison, nodes)
    counts = [
        times,
        np.count_nonzero(wrong_a == 1, axis=0),
        np.count_nonzero(wrong_b == 1, axis=0),
        np.count_nonzero((wrong_a == 1) & (wrong_b == 0), axis=0),
        np.count_nonzero((wrong_a == 0) & (wrong_b == 1), axis=0),
    ]
    totals = np.stack([np.bincount(groups, c[nodes], len(names)) for c in counts], axis=1)
    sizes = np.bincount(groups, minlength=len(names))
    best = _best_linked(network, nodes, groups, len(names))
    return tuple(
        _group(name, int(size), row, ids)
        for name, size, row, ids in zip(names, sizes, totals, best)
    )


@dataclass(frozen=True, slots=True)
class LossGroup(Result):
    """How far two models of numbers are off on some of the nodes; each test counts once.

    Attributes
    ----------
    name, nodes, tests, examples
        As for `NodeGroup`.
    loss_a, loss_b : float
        Mean losses in these tests.
    """

    name: str
    nodes: int
    tests: int
    loss_a: float
    loss_b: float
    examples: tuple[object, ...]


def loss_measure(comparison: Comparison) -> Measure:
    """Return the loss that is reported for groups: what is compared, or the squared error."""
    return comparison.measure if comparison.measure.is_mean else MEASURES["squared_error"]


def losses_by(comparison: Comparison, by: Grouping) -> tuple[LossGroup, ...]:
    """Return where on the network two models of numbers are how far off, see `disagreement`."""
    predictions, loss = comparison.predictions, loss_measure(comparison)
    network = predictions.network
    times, totals = np.zeros(network.n_nodes), np.zeros((2, network.n_nodes))
    for number, split in enumerate(predictions.splits):
        times[split.test] += 1
        for total, model in zip(totals, (comparison.a, comparison.b)):
            total[split.test] += contributions(predictions, model, number, loss)
    nodes = np.flatnonzero(times)
    groups, names = GROUPINGS[by](comparison, nodes)
    tests, *sums = (np.bincount(groups, row[nodes], len(names)) for row in (times, *totals))
    sizes = np.bincount(groups, minlength=len(names))
    best = _best_linked(network, nodes, groups, len(names))
    return tuple(
        LossGroup(name, int(size), int(n), float(a / n), float(b / n), ids)
        for name, size, n, a, b, ids in zip(names, sizes, tests, *sums, best)
    )


def _group(
    name: str, nodes: int, totals: NDArray[np.float64], examples: tuple[object, ...]
) -> NodeGroup:
    tests = int(totals[0])
    error_a, error_b, only_a, only_b = (totals[1:] / tests).tolist()
    return NodeGroup(name, nodes, tests, error_a, error_b, only_a, only_b, examples)


def degrees(network: Network) -> NDArray[np.int64]:
    """Count the neighbors of each node, without direction or weight, shape (n_nodes,)."""
    return np.diff(network.neighbors("both").indptr)


def _by_community(comparison: Comparison, nodes: NDArray[np.intp]) -> Grouped:
    _, first, groups, sizes = np.unique(
        comparison.communities[nodes], return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty(sizes.size, dtype=np.intp)
    rank[order] = np.arange(sizes.size)
    shown = order if sizes.size <= LARGEST + 1 else order[:LARGEST]
    names = _community_names(comparison, nodes[first[shown]])
    if shown.size < sizes.size:
        names.append(f"the other {sizes.size - shown.size:,} communities")
    return np.minimum(rank[groups], len(names) - 1), names


def _community_names(comparison: Comparison, members: NDArray[np.intp]) -> list[str]:
    """Return the names of these nodes' communities: their column's value, else a number."""
    column = comparison.settings.get("communities")
    attributes = comparison.predictions.network.attributes
    if not isinstance(column, str) or column not in attributes:
        return [f"community {code}" for code in comparison.communities[members]]
    values = attributes[column][members]
    return [f"no {column}" if is_missing(value) else f"{column} {value}" for value in values]


def degree_groups(network: Network, nodes: NDArray[np.intp], *, fewest: int = 1) -> Grouped:
    """Return the class of each node by its number of neighbors, and the classes' names.

    Neighboring classes of fewer nodes than `fewest` are pooled.
    """
    degree = degrees(network)[nodes]
    classes = np.ceil(np.log2(np.maximum(degree, 1))).astype(np.intp) + (degree > 0)
    classes = np.minimum(classes, TOP_CLASS)
    pooled: list[tuple[int, int, int]] = []  # first and last class of a group, and its nodes
    for level, size in zip(*(each.tolist() for each in np.unique(classes, return_counts=True))):
        if pooled and min(pooled[-1][2], size) < fewest:
            first, _, before = pooled.pop()
            pooled.append((first, level, before + size))
        else:
            pooled.append((level, level, size))
    groups = np.searchsorted([last for _, last, _ in pooled], classes)
    return groups, [_degree_name(first, last) for first, last, _ in pooled]


def _degree_name(first: int, last: int) -> str:
    low = first if first < 2 else 2 ** (first - 2) + 1
    if last == TOP_CLASS:
        return f"{low} neighbors or more"
    high = last if last < 2 else 2 ** (last - 1)
    if low != high:
        return f"{low}–{high} neighbors"
    return plural(low, "neighbor") if low else "no neighbors"


def _best_linked(
    network: Network, nodes: NDArray[np.intp], groups: NDArray[np.intp], n_groups: int
) -> list[tuple[object, ...]]:
    order = np.lexsort((nodes, -degrees(network)[nodes], groups))
    starts = np.searchsorted(groups[order], np.arange(n_groups + 1))
    return [
        tuple(network.ids[i] for i in nodes[order[low : min(low + EXAMPLES, high)]])
        for low, high in pairwise(starts)
    ]


GROUPINGS: Mapping[Grouping, Callable[[Comparison, NDArray[np.intp]], Grouped]] = {
    "community": _by_community,
    "degree": lambda comparison, nodes: degree_groups(
        comparison.predictions.network, nodes, fewest=FEW
    ),
}
