"""What every comparison notes beside its tests: communities, rare classes, bounds, versions."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import AssumptionWarning
from ..core.seeds import Stream, derive
from ..io.report import what_was_read
from ..metrics.influence import SMALLEST
from ..metrics.measures import Measure
from ..network.communities import describe_division, one_each, searched
from ..network.network import Network
from ..network.network_parts import is_missing
from ..network.summary import check_classes
from ..study.measured import clipped
from ..study.node_study import Predictions


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


def notes_of_network(network: Network) -> tuple[Warning, ...]:
    """Return what is doubtful about a network, however its models are compared."""
    _, *doubts = what_was_read(network).lines()
    note = tuple(AssumptionWarning(text) for text in doubts)
    return note if network.targets is not None else note + check_classes(network)


def notes_of_links(network: Network) -> tuple[Warning, ...]:
    """Return what is doubtful about a network whose links are predicted, or was not used of it."""
    _, *note = what_was_read(network).lines()
    if network.directed:
        note.append("directions were not used: a pair counts as linked whichever way the link goes")
    if network.weighted:
        note.append("weights of links were not shown to the models, which see each link as one")
    return tuple(AssumptionWarning(text) for text in note)


def clipping_note(predictions: Predictions, measure: Measure) -> tuple[Warning, ...]:
    """Describe how many log losses are set by the bound on the probabilities."""
    if measure.name != "log_loss":
        return ()
    counts = {model: n for model, n in clipped(predictions).items() if n}
    if not counts:
        return ()
    total = sum(split.test.size for run in predictions.runs for split in run.splits)
    note = " and ".join(f"{n:,} of {total:,} tests ({model})" for model, n in counts.items())
    return (
        AssumptionWarning(
            f"the true class has a probability below {SMALLEST:.1e} in {note}; it was taken for "
            f"that, so that each costs {-np.log(SMALLEST):.1f}: the log loss depends on this bound"
        ),
    )


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
    }
    if not isinstance(by, str) or by in network.attributes:
        return found
    if division is None:
        within = searched(network, by)
        division = describe_division(within, groups, seed=derive(entropy, Stream.COMMUNITIES))
    return found | ({"division": division} if division else {})


def versions() -> dict[str, str]:
    """Return the versions on which the numbers depend."""
    from importlib.metadata import version

    from ..core.version import __version__

    packages = ("numpy", "scipy", "numba", "scikit-learn", "scikit-network")
    own = {"nettrial": __version__, "python": platform.python_version()}
    return own | {package: version(package) for package in packages}
