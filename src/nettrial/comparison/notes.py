"""What every comparison notes beside its tests: communities, rare classes, bounds, versions."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.seeds import Stream, derive
from ..network.communities import conductance, describe_division, one_each, searched
from ..network.network import Network
from ..numeric.checks import is_missing


def as_list(communities: ArrayLike) -> list[Any]:
    """Return a partition as a list, which a study file can hold."""
    return [None if is_missing(item) else item for item in one_each(communities).tolist()]


def network_facts(network: Network) -> dict[str, Any]:
    """Return name and size of a network, as every result's `to_dict` begins."""
    return {
        "network": network.name,
        "n_nodes": network.n_nodes,
        "n_links": network.n_links,
        "n_classes": network.n_classes,
    }


def communities_note(
    by: str | ArrayLike,
    groups: NDArray[np.int32],
    network: Network,
    entropy: int,
    division: str | None = None,
) -> dict[str, Any]:
    """Describe which communities were used, and whether a giant one was divided.

    `division` says the latter where it is known already.
    """
    sizes = np.bincount(groups)
    found = {
        "communities": by if isinstance(by, str) else "given",
        "n_communities": int(np.count_nonzero(sizes)),
        "largest_community": int(sizes.max()),
        "conductance": round(conductance(network, groups), 6),
    }
    if not isinstance(by, str) or by in network.attributes:
        return found
    if division is None:
        within = searched(network, by)
        division = describe_division(within, groups, seed=derive(entropy, Stream.COMMUNITIES))
    return found | ({"division": division} if division else {})


def versions() -> dict[str, str]:
    from importlib.metadata import version

    from ..core.version import __version__

    packages = ("numpy", "scipy", "numba", "scikit-learn")
    own = {"nettrial": __version__, "python": platform.python_version()}
    return own | {package: version(package) for package in packages}
