"""The inputs of a study, as a table that tells whether and how they changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.wording import shorten
from ..network.network import Network
from .describe import describe_model, digest, own_code
from .splits import AnySplit, describe_splits

SHOWN = 6  # changes that a message lists
MISSING = "(none)"
DRAWING = ("replicates", "metrics", "splits")  # our packages that draw, measure and split them
MORE = "more splits"  # the part that a file may get later
DRAWN = "drawn networks"  # the part of the inputs on which only results on those depend


def describe_inputs(
    network: Network,
    models: Mapping[str, Any],
    splits: Sequence[AnySplit],
    entropy: int,
    cross_links: str | None,
) -> dict[str, Any]:
    """Describe all on which the predictions of a study depend.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=2, labels=["x", "y"])
    >>> facts = describe_inputs(net, {}, [], 7, "keep")
    >>> facts["seed"], facts["network"]["classes"]
    (7, ['x', 'y'])
    """
    return {
        "network": describe_network(network),
        "splits": describe_splits(splits),
        "seed": entropy,
        "seeds of units": "by the name of the model",
        # links are all of one kind where they are what is predicted
        **({} if cross_links is None else {"cross_links": cross_links}),
        "models": [
            {"name": name, **describe_model(model)} for name, model in models.items()
        ],
    }  # fmt: skip


def describe_drawing(
    design: Any, communities: NDArray[np.int32], measure: str, number: int | str, entropy: int
) -> dict[str, Any]:
    """Describe what else the results on networks depend on that are drawn from the network.

    How many there are counts, since the second set of them is drawn by the results on the first;
    or in words who sets their number.
    """
    return {
        "number": number,
        "design": describe_model(design),
        "communities": digest(communities),
        "measure": measure,
        "seed": entropy,
        "code": own_code(DRAWING),
    }


def describe_network(network: Network) -> dict[str, Any]:
    """Describe each part of a network by a digest."""
    links, features = network.links, network.features
    weights = links.weights
    if sp.issparse(features):
        rows = sp.csr_array(features)
        features = digest(rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data)
    elif features is not None:
        features = digest(features)
    return {
        "nodes": network.n_nodes,
        "directed": network.directed,
        "links": digest(links.indptr, links.indices),
        "weights": None if weights is None or np.all(weights == 1) else digest(weights),
        "labels": digest(network.labels),
        "classes": [str(name) for name in network.classes],
        "ids": digest(np.asarray(network.ids)),
        "features": features,
        "node columns": {key: digest(column) for key, column in network.attributes.items()},
        # only where there are some: study files of classes stay as they were
        **({} if network.targets is None else {"targets": digest(network.targets)}),
    }


def changes(before: Any, now: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Describe in words where two descriptions differ.

    Examples
    --------
    >>> list(changes({"seed": 1, "a": {"b": 2}}, {"seed": 3, "a": {"b": 2}}))
    ['seed was 1, is 3']
    """
    if isinstance(before, list) and isinstance(now, list):
        before, now = dict(enumerate(before)), dict(enumerate(now))
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in [*before, *(key for key in now if key not in before)]:
            name = (before.get(key) or now.get(key) or {}) if isinstance(key, int) else {}
            label = (
                f"{name['name']!r}" if isinstance(name, Mapping) and "name" in name else str(key)
            )
            yield from changes(before.get(key, MISSING), now.get(key, MISSING), (*path, label))
    elif before != now:
        yield f"{' '.join(path)} was {shortened(before)}, is {shortened(now)}"


def shortened(value: Any) -> str:
    return shorten(value, 60)


def describe_changes(before: Any, now: Any) -> str:
    """Describe the first few changes in one line; empty where there are none."""
    found = list(changes(before, now))
    rest = len(found) - SHOWN
    return "; ".join(found[:SHOWN]) + (f"; and {rest} more" if rest > 0 else "")
