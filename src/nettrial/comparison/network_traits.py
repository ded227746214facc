"""What several networks are like, and which of them may be one and the same."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning
from ..network.network import Network
from ..network.summary import autocorrelation
from ..study.tasks import task_of

SHARED = 0.5  # of the smaller network's nodes and links, beyond which two networks are one


def traits_of(network: Network) -> dict[str, Any]:
    """Return the size of a network, its features, and how its labels lie.

    Examples
    --------
    >>> net = Network([0, 2], [1, 3], n_nodes=4, labels=["a", "a", "b", "b"])
    >>> [traits_of(net)[name] for name in ("n_nodes", "labeled_share", "autocorrelation")]
    [4, 1.0, 1.0]
    """
    return {
        "n_nodes": network.n_nodes,
        "n_links": network.n_links,
        "n_classes": network.n_classes,
        "n_features": 0 if network.features is None else int(network.features.shape[1]),
        "labeled_share": network.labeled.size / max(network.n_nodes, 1),
        "autocorrelation": None if task_of(network).name == "links" else autocorrelation(network),
    }


def repeated(networks: Mapping[str, Network]) -> tuple[Warning, ...]:
    """Warn of networks that are one graph in two files, or parts or years of one.

    Two networks have the same links where as many nodes have each degree and each sum of their
    neighbors' degrees, whatever the nodes are called.

    Examples
    --------
    >>> one = Network([0, 1, 2], [1, 2, 3], n_nodes=4, ids=list("abcd"))
    >>> two = Network([3, 2, 1], [2, 1, 0], n_nodes=4, ids=list("stuv"))
    >>> print(repeated({"one": one, "two": two})[0])
    one and two have the same links, whatever their nodes are called: one network that counts \
twice makes p-values over networks too small; keep one of them
    """
    shapes = {name: _shape(network) for name, network in networks.items()}
    codes: dict[str, int] = {}
    linked = {name: _linked(network, codes) for name, network in networks.items()}
    found = []
    for one, two in combinations(networks, 2):
        if networks[one].n_links and shapes[one] == shapes[two]:
            said = (
                "the same links, whatever their nodes are called: one network that counts twice "
                "makes"
            )
        else:
            nodes, links = map(_common, linked[one], linked[two])
            if min(nodes, links) < SHARED:
                continue
            said = (
                f"{nodes:.0%} of their node ids and {links:.0%} of their links in common: parts or "
                "years of one network are not independent and make"
            )
        note = f"{one} and {two} have {said} p-values over networks too small; keep one of them"
        found.append(AssumptionWarning(note))
    return tuple(found)


def _shape(network: Network) -> tuple[int, bytes]:
    source, target = network.simple_links()
    n = network.n_nodes
    degree = np.bincount(np.concatenate([source, target]), minlength=n).astype(float)
    around = np.bincount(source, degree[target], n) + np.bincount(target, degree[source], n)
    return n, np.sort(degree + 1j * around).tobytes()


def _linked(
    network: Network, codes: dict[str, int]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return nodes and links by the ids, which get numbers that all networks share."""
    ids = [codes.setdefault(str(each), len(codes)) for each in network.ids.tolist()]
    known = np.array(ids, dtype=np.int64)
    ends = np.sort(known[np.array(network.simple_links(), dtype=np.intp)], axis=0)
    return known, np.unique(ends[0] + 1j * ends[1])


def _common(one: NDArray[Any], two: NDArray[Any]) -> float:
    """Return the share of the smaller set that is in the other one too."""
    return np.intersect1d(one, two).size / max(min(one.size, two.size), 1)
