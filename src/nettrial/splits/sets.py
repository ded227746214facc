"""The sets of a split as others write them, masks or node numbers, turned into checked splits."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from ..io.guards import check_range, fail
from ..network.network import Network
from .base import Split

NEEDED = ("train", "test")
WORDS = {"train": "training", "valid": "validation", "test": "test"}
USED = tuple(WORDS)
Sets = dict[str, NDArray[np.intp]]
Place = Path | str


def is_mask(array: NDArray[Any], n_nodes: int) -> bool:
    """Return whether an array has a truth value for each node, of one split or of several."""
    if n_nodes not in array.shape or array.ndim > 2:
        return False
    if array.dtype == bool:
        return True
    # node numbers do not repeat, so that 0 and 1 alone can only be truth values
    return n_nodes > 2 and array.dtype.kind in "iuf" and bool(np.isin(array, (0, 1)).all())


def of_arrays(
    place: Place, arrays: Mapping[str, NDArray[Any]], nodes: NDArray[np.intp], number: int = 0
) -> list[Sets]:
    """Return the sets of one split, or of several where they are masks of several.

    Parameters
    ----------
    place : path or str
        What errors name.
    arrays : mapping of str to ndarray
        By set: node numbers; or masks, bool or 0 and 1, each of shape (n_nodes,), (n_splits,
        n_nodes) or (n_nodes, n_splits), where one without an axis for the splits counts for all.
    nodes : ndarray of int
        The node that each number means.
    number : int
        The number of the split, for errors.
    """
    given = {part: array for part, array in arrays.items() if array.size or part != "valid"}
    if any(is_mask(array, nodes.size) or array.dtype == bool for array in given.values()):
        return [
            {part: nodes[indices] for part, indices in sets.items()}
            for sets in _of_masks(place, given, nodes.size)
        ]
    sets = {}
    for part, array in given.items():
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            fail(
                place,
                f"{part} of split {number} must be a list of node indices, or a mask of "
                f"bool or 0 and 1 for each of {nodes.size:,} nodes",
            )
        indices = check_range(
            Path(place), array.astype(np.int64), nodes.size, f"{part} of split {number}"
        )
        sets[part] = nodes[indices]
    return [sets]


def _of_masks(place: Place, masks: Mapping[str, NDArray[Any]], n_nodes: int) -> list[Sets]:
    rows: dict[str, NDArray[Any]] = {}
    for part, array in masks.items():
        if not is_mask(array, n_nodes):
            fail(
                place,
                f"{WORDS[part]} mask: expected bool or 0 and 1 for each of {n_nodes:,} nodes, got "
                f"{array.dtype} of the shape {array.shape}",
            )
        if array.shape == (n_nodes, n_nodes):
            fail(place, "masks of as many splits as nodes; give lists of node numbers instead")
        rows[part] = np.atleast_2d(array.T if array.shape[0] == n_nodes else array)
    counts = {len(mask) for mask in rows.values()} - {1}
    if len(counts) > 1:
        fail(place, f"the masks have different numbers of splits: {sorted(counts)}")
    return [
        {part: np.flatnonzero(mask[k if len(mask) > 1 else 0]) for part, mask in rows.items()}
        for k in range(next(iter(counts), 1))
    ]


def check_once(place: Place, number: int, part: str, nodes: NDArray[Any]) -> None:
    """Refuse a set that has a node twice."""
    if np.unique(nodes).size != nodes.size:
        fail(place, f"the {WORDS[part]} set of split {number} has a node twice")


def checked(place: Place, network: Network, number: int, sets: Sets) -> Split:
    """Return the split with these sets; validation nodes count as training nodes."""
    for part in NEEDED:
        if part not in sets:
            fail(place, f"split {number} has no {WORDS[part]} set")
    for part, nodes in sets.items():
        if part in NEEDED and nodes.size == 0:
            fail(place, f"the {WORDS[part]} set of split {number} is empty")
        check_once(place, number, part, nodes)
        bare = np.count_nonzero(network.labels[nodes] < 0)
        if bare:
            fail(place, f"the {WORDS[part]} set of split {number} has {bare} nodes without label")
    for one, other in itertools.combinations(sets, 2):
        both = np.intersect1d(sets[one], sets[other])
        if both.size:
            fail(
                place,
                f"{both.size:,} nodes are in {WORDS[one]} and {WORDS[other]} set of split "
                f"{number}, for example {shown(network.ids[both[0]])}; nettrial check counts them "
                "in all splits (NT102)",
            )
    train = np.concatenate([sets["train"], sets.get("valid", sets["train"][:0])])
    inference = np.setdiff1d(np.arange(network.n_nodes), train)
    return Split(train=np.sort(train), inference=inference, test=np.sort(sets["test"]))
