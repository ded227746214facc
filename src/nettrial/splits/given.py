"""Splits from objects: masks, index lists, PyTorch Geometric data, scikit-learn splitters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import InputError, shown
from ..network.canonical_order import canonical_order
from ..network.network import Network
from .base import Split, splits_in_order
from .checks import check_extent
from .files import read_sets, sets_of
from .forms import is_sets, is_whole, raw_sets
from .sets import Sets, checked

FORMS = (
    "splits, a scikit-learn splitter, dicts or pairs of masks or node numbers (train, test), data "
    "with train_mask and test_mask, or a path to a file of splits"
)
DESIGN = "design"


def given_splits(given: Any, network: Network, *, called: str = DESIGN) -> list[Split]:
    """Return the splits of a network that an object of another library describes.

    Parameters
    ----------
    given : object
        One of these; nodes are numbered as in the network, and validation nodes count as
        training nodes, since a model has used their labels.

        - Splits, or paths to files that `read_splits` reads.
        - A dict with ``train``, ``test`` and perhaps ``valid`` (or ``train_mask``, ``Test_idx``,
          ..., in any case), or a list of such dicts, as ``get_idx_split()`` of the Open Graph
          Benchmark gives one: lists of node numbers or of ids as text, or masks.
        - Pairs (train, test) or triples (train, valid, test) of the same.
        - Anything with ``train_mask`` and ``test_mask``, as PyTorch Geometric's ``Data``.
        - A scikit-learn splitter such as ``KFold(5)``, which divides the labeled nodes.

        Masks are bool or 0 and 1, of shape (n_nodes,), (n_splits, n_nodes) or (n_nodes,
        n_splits).
    called : str
        The argument that holds them, for errors.

    Warns
    -----
    AssumptionWarning
        Where numbers of nodes may be places in the network or its ids.

    Examples
    --------
    >>> from sklearn.model_selection import KFold
    >>> net = Network([0, 1], [1, 2], n_nodes=4, labels=["a", "b", "a", "b"])
    >>> [split.test.tolist() for split in given_splits(KFold(2), net)]
    [[0, 1], [2, 3]]
    >>> given_splits({"train_mask": [1, 1, 0, 0], "test_mask": [0, 0, 1, 1]}, net)[0].train.tolist()
    [0, 1]
    """
    return [
        sets if isinstance(sets, Split) else checked(place, network, number, sets)
        for place, number, sets in given_sets(given, network, called=called)
    ]


def given_sets(
    given: Any, network: Network, *, called: str = DESIGN
) -> Iterator[tuple[str | Path, int, Sets | Split]]:
    """Yield the sets of each split as they are, before anything is asked of them.

    Before each come the file or argument that holds it, and its number there.
    """
    if isinstance(given, type):
        raise InputError(
            expected="a splitter",
            got=f"the class {given.__name__}",
            hint=f"give {given.__name__}()",
            where=called,
        )
    if hasattr(given, "split") and hasattr(given, "get_n_splits"):
        yield from ((called, k, s) for k, s in enumerate(_of_splitter(given, network, called)))
        return
    number = 0
    items = list(given) if _is_several(given) else [given]
    yield from read_sets([Path(item) for item in items if isinstance(item, PathLike)], network)
    for item in items:
        if isinstance(item, Split):
            yield called, number, item
            number += 1
        elif not isinstance(item, PathLike):
            for sets in _sets(item, network, number, called):
                yield called, number, sets
                number += 1


def _is_several(given: Any) -> bool:
    """Return whether what is given is a sequence of splits, not the sets of one."""
    if isinstance(given, (str, PathLike, Mapping, range)) or hasattr(given, "shape"):
        return False
    if _described(given):
        return False
    return isinstance(given, Iterable) and not is_sets(given)


def _described(given: Any) -> bool:
    return hasattr(given, "get_idx_split") or getattr(given, "train_mask", None) is not None


def _sets(item: Any, network: Network, number: int, called: str) -> list[Sets]:
    """Return the sets of one or, where they are masks of several splits, of several."""
    if hasattr(item, "get_idx_split"):
        item = item.get_idx_split()
    if _described(item) and not isinstance(item, Mapping):
        masks = {key: getattr(item, key, None) for key in ("train_mask", "val_mask", "test_mask")}
        item = {key: mask for key, mask in masks.items() if mask is not None}
    raw = raw_sets(item, network.ids)
    if not raw or not all(map(is_whole, raw)):
        forms = f"the name of a design, a Design, {FORMS}" if called == DESIGN else FORMS
        raise InputError(expected=forms, got=_shown(item), where=called)
    return sets_of(called, raw, network, number=number)


def _shown(item: Any) -> str:
    if isinstance(item, Mapping):
        return f"a dict with {', '.join(map(str, list(item)[:8])) or 'nothing'}"
    if hasattr(item, "shape"):
        return f"one array of the shape {tuple(item.shape)}, which does not say what is trained on"
    return shown(item)


def _of_splitter(splitter: Any, network: Network, called: str) -> list[Split]:
    """Divide the labeled nodes by a scikit-learn splitter."""
    order = canonical_order(network)
    if order is not None:
        return splits_in_order(_of_splitter(splitter, order.network, called), order.back)
    nodes, name = network.labeled, type(splitter).__name__
    known = network.labels if network.targets is None else network.targets
    samples, labels = np.zeros((nodes.size, 1)), known[nodes]
    try:
        check_extent(name, int(splitter.get_n_splits(samples, labels)), nodes.size)
        pairs, again = (list(splitter.split(samples, labels)) for _ in range(2))
    except (TypeError, ValueError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{called}: {name} cannot split the {nodes.size:,} labeled nodes ({error}); a splitter "
            "that needs more than labels is given as list(splitter.split(X, y, groups)) over the "
            "nodes"
        ) from error
    if any(not np.array_equal(a, b) for one, two in zip(pairs, again) for a, b in zip(one, two)):
        raise InputError(
            f"{called}: {name} gives other splits each time; set its random_state to a number"
        )
    return [
        checked(name, network, number, {"train": nodes[train], "test": nodes[test]})
        for number, (train, test) in enumerate(pairs)
    ]
