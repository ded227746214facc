"""What a network is like: sizes, components, class balance, autocorrelation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import AssumptionWarning, InputError
from ..core.option_names import option
from ..core.results import Result
from .ids import natural_order
from .network import Network
from .node_values import MISSING

SINGLES = 0.1  # share of nodes that are the only ones of their class, beyond which it is none
MANY_NUMBERS = 20  # classes that numbers may name
RARE = 5  # nodes of a class below which some splits have none of them to learn from
LISTED = 10  # classes that a warning lists
LARGE = 2**20  # stored links from which on components are found without a copy of them
WORDS = {
    "nodes": "nodes",
    "rows": "link rows as read",
    "links_simple_undirected": "linked pairs, without direction",
    "self_loops": "self loops, left out",
    "duplicate_rows": "repeated rows, merged",
    "dangling_rows": "rows that name an unknown node, left out",
    "zero_weight_rows": "rows of weight zero, left out",
    "isolates": "nodes without links",
    "components": "connected components",
    "classes": "classes",
    "unlabeled": "nodes without label",
    "autocorrelation": "autocorrelation of the classes",
    "directed": "directed links",
    "weighted": "weighted links",
}


@dataclass(frozen=True, slots=True)
class Summary(Result):
    """Counts and measures of one network.

    Attributes
    ----------
    nodes, rows, links_simple_undirected : int
        Nodes, link rows as read, and distinct linked pairs without direction.
    self_loops, duplicate_rows, dangling_rows, zero_weight_rows : int
        Rows that were left out or merged, as `Tally` says.
    isolates, components : int
        Nodes without links; connected components without direction, isolates included.
    classes : int
        Number of classes.
    class_counts : dict
        Nodes of each class.
    unlabeled : int
        Nodes whose class or target is not known.
    autocorrelation : float or None
        Assortativity of the label or target over distinct linked pairs with both ends labeled;
        None where there is no such pair or only one class or number on them.
    directed, weighted : bool
        What the links carry.
    """

    # of classes or of numbers
    _words: ClassVar[Mapping[str, str]] = WORDS | {
        "unlabeled": "nodes without label or target",
        "autocorrelation": "autocorrelation",
    }

    nodes: int
    rows: int
    links_simple_undirected: int
    self_loops: int
    duplicate_rows: int
    dangling_rows: int
    zero_weight_rows: int
    isolates: int
    components: int
    classes: int
    class_counts: dict[str, int]
    unlabeled: int
    autocorrelation: float | None
    directed: bool
    weighted: bool


@check_arguments
def summarize(network: Network) -> Summary:
    """Count and measure a network.

    Examples
    --------
    >>> net = Network([0, 1], [1, 2], n_nodes=4, labels=["a", "a", "b", "b"])
    >>> summarize(net).components, summarize(net).isolates
    (2, 1)
    """
    source, _ = network.simple_links()
    counts = class_counts(network)
    tally = network.tally
    return Summary(
        nodes=network.n_nodes,
        rows=tally.rows,
        links_simple_undirected=int(source.size),
        self_loops=tally.self_loops,
        duplicate_rows=tally.duplicate_rows,
        dangling_rows=tally.dangling_rows,
        zero_weight_rows=tally.zero_weight_rows,
        isolates=int(np.count_nonzero(np.diff(network.neighbors("both").indptr) == 0)),
        components=int(components(network).max(initial=-1)) + 1,
        classes=network.n_classes,
        class_counts={str(name): int(n) for name, n in zip(network.classes, counts)},
        unlabeled=int(np.count_nonzero(network.labels == MISSING)),
        autocorrelation=autocorrelation(network),
        directed=network.directed,
        weighted=network.weighted,
    )


def class_counts(network: Network) -> NDArray[np.int64]:
    """Count the labeled nodes of each class, shape (n_classes,)."""
    return np.bincount(
        network.labels[network.labels != MISSING], minlength=network.n_classes
    ).astype(np.int64)


def check_classes(network: Network) -> tuple[Warning, ...]:
    """Refuse classes on which no verdict can stand, and return warnings of doubtful ones.

    To be called before any model runs.

    Returns
    -------
    tuple of AssumptionWarning
        Of classes with fewer than five nodes, and of numbers that look like the target of a
        regression.

    Examples
    --------
    >>> net = Network([0, 1], [1, 2], n_nodes=7, labels=["a"] * 5 + ["b"] * 2)
    >>> print(*check_classes(net))
    1 of 2 classes has fewer than 5 nodes ('b' (2)): some splits have none of them to learn from
    """
    counts = class_counts(network)
    kept = np.flatnonzero(counts)
    k, n, single = kept.size, int(counts.sum()), int(np.count_nonzero(counts == 1))
    if k < 2:
        raise InputError(
            expected="at least 2 classes",
            got=f"{k} on {network.n_nodes} nodes",
            hint=f"name the node column with the class as {option('label')}",
        )
    if 2 * single > k and single > SINGLES * n:
        raise InputError(
            f"{single} of {k} classes have one node each, as names and measurements do; name "
            f"another node column as {option('label')}"
        )
    warnings: list[Warning] = []
    rare = [c for c in kept if counts[c] < RARE]
    if rare:
        shown = ", ".join(f"{str(network.classes[c])!r} ({counts[c]})" for c in rare[:LISTED])
        have = "has" if len(rare) == 1 else "have"
        warnings.append(
            AssumptionWarning(
                f"{len(rare)} of {k} classes {have} fewer than {RARE} nodes ({shown}"
                f"{', ...' if len(rare) > LISTED else ''}): some splits have none of them to learn "
                "from"
            )
        )
    numbers = [natural_order(network.classes[c]) for c in kept]
    if all(kind == 0 for kind, *_ in numbers) and (
        k > max(MANY_NUMBERS, n / 5) or any(value != int(value) for _, value, _ in numbers)
    ):
        warnings.append(
            AssumptionWarning(
                f"the {k} classes are numbers on {n} nodes, which look like measurements (the "
                "target of a regression) rather than classes"
            )
        )
    return tuple(warnings)


def components(network: Network) -> NDArray[np.int32]:
    """Number the connected components of the network without direction, shape (n_nodes,)."""

    def compute() -> NDArray[np.int32]:
        indptr, indices, _ = network.neighbors("both")
        if indices.size <= LARGE:
            return connected_by_arrays(indptr, indices)
        from ..kernels.components import connected

        return np.asarray(connected(indptr, indices))

    return network.cached("components", compute)


def connected_by_arrays(
    indptr: NDArray[np.integer], indices: NDArray[np.integer]
) -> NDArray[np.int32]:
    """Number the components of rows that hold each link at both ends, by first appearance.

    The function of scipy takes 0.1 s to be imported, which is most of what a command on a small
    network takes.
    """
    root = np.arange(indptr.size - 1)
    rows = np.repeat(root, np.diff(indptr))
    while True:
        ends = root[rows], root[indices]
        apart = ends[0] > ends[1]  # of two linked roots the smaller number stays
        if not apart.any():
            return np.unique(root, return_inverse=True)[1].astype(np.int32)
        np.minimum.at(root, ends[0][apart], ends[1][apart])
        while (further := root[root]).tobytes() != root.tobytes():
            root = further


def autocorrelation(network: Network) -> float | None:
    """Measure how alike linked nodes are: the assortativity coefficient of the label or target.

    With e the symmetric matrix of the shares of linked pairs by their two classes and a its
    row sums, it is (tr e - a'a) / (1 - a'a) (Newman 2003, Phys. Rev. E 67, 026126, eq. 2). For
    two classes this is the phi coefficient over both orders of every pair. Of numeric targets it
    is Pearson's correlation over both orders of every pair (eq. 21 there). Weight and direction
    do not count, nor pairs with an unlabeled end.

    Returns
    -------
    float or None
        In [-1, 1]; None where no pair is labeled or all labeled ends have one class or number.

    Examples
    --------
    >>> autocorrelation(Network([0, 2], [1, 3], n_nodes=4, labels=["a", "a", "b", "b"]))
    1.0
    """
    source, target = network.simple_links()
    ends = network.labels[source], network.labels[target]
    known = (ends[0] != MISSING) & (ends[1] != MISSING)
    if not known.any():
        return None
    if network.targets is not None:
        return _correlation(*(network.targets[side[known]] for side in (source, target)))
    k = network.n_classes
    counts = np.bincount(ends[0][known].astype(np.int64) * k + ends[1][known], minlength=k * k)
    e = counts.reshape(k, k) + counts.reshape(k, k).T
    e = e / e.sum()
    shares = e.sum(axis=1)
    if np.count_nonzero(shares) < 2:
        return None
    chance = float(shares @ shares)
    return (float(np.trace(e)) - chance) / (1 - chance)


def _correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float | None:
    """Return Pearson's correlation over both orders of pairs; None where all numbers are alike."""
    mean = (one.mean() + other.mean()) / 2
    one, other = one - mean, other - mean
    spread = float(one @ one + other @ other)
    return 2 * float(one @ other) / spread if spread > 0 else None
