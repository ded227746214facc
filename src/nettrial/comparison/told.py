"""What every comparison tells beside its tests: communities, rare classes, bounds, versions."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..communities import division_told, one_each
from ..errors import AssumptionWarning
from ..measured import clipped
from ..metrics.measures import SMALLEST, Measure
from ..network import Network
from ..network_parts import is_missing
from ..seeds import Stream, derive
from ..stats.comparisons import Comparisons
from ..study import Predictions
from ..summary import class_counts
from . import many_text
from .result import noted

# Measured Type I error at the 0.05 level by the proportion labelled, the largest over five domains
# and four numbers of splits: docs/calibration.csv
LEVEL = {
    0.1: {"clustered_t": 0.289, "network_hac": 0.123, "sign_flip": 0.307},
    0.2: {"clustered_t": 0.207, "network_hac": 0.09, "sign_flip": 0.228},
    0.3: {"clustered_t": 0.177, "network_hac": 0.109, "sign_flip": 0.213},
    0.4: {"clustered_t": 0.145, "network_hac": 0.08, "sign_flip": 0.161},
}


def listed(communities: ArrayLike) -> list[Any]:
    """Give a partition as a list, which a study file can hold."""
    return [None if is_missing(item) else item for item in one_each(communities).tolist()]


def false_alarms(labelled: Sequence[float], tests: Sequence[str]) -> tuple[Warning, ...]:
    """Say how often tests on predictions raised false alarms with such proportions labelled.

    Several tests are told in one sentence, so that what holds for all of them is read once.

    Examples
    --------
    >>> print(*false_alarms([0.3], ["clustered_t", "network_hac"]))
    a test on predictions cannot see ... it raised false alarms in up to 18% (clustered_t) and
    11% (network_hac) with 30% labelled, instead of 5%
    """
    near = sorted({min(LEVEL, key=lambda known: abs(known - share)) for share in labelled})
    measured = []
    for share in near:
        # rounded up, since they are bounds
        rates = [
            f"{_percent_up(LEVEL[share][test])}%" + f" ({test})" * (len(tests) > 1)
            for test in tests
        ]
        measured.append(f"{many_text.listed(rates)} with {share:.0%} labelled")
    beyond = not all(min(LEVEL) <= share <= max(LEVEL) for share in labelled)
    nearest = " (the nearest that was measured)" if beyond else ""
    return (
        AssumptionWarning(
            "a test on predictions cannot see the dependence that inference makes across the "
            "network: on generated networks it raised false alarms in up to "
            f"{many_text.listed(measured)}{nearest}, instead of 5%"
        ),
    )


def _percent_up(share: float) -> int:
    return int(np.ceil(round(100 * share, 6)))


def clustered_told(pairs: Comparisons, runs: Sequence[Predictions]) -> tuple[Warning, ...]:
    """Say what weakens the test over communities of many pairs, as `compare` does of one."""
    shares = [
        float(np.mean([split.train.size for split in each.splits])) / each.network.labelled.size
        for each in runs
    ]
    return false_alarms(shares, ("clustered_t",)) + noted(pairs.notes)


def rare_classes(network: Network) -> tuple[Warning, ...]:
    counts = class_counts(network)
    rare = [str(network.classes[c]) for c in np.flatnonzero((counts > 0) & (counts < 5))]
    if not rare:
        return ()
    names = ", ".join(repr(name) for name in rare[:5]) + (", ..." if len(rare) > 5 else "")
    return (
        AssumptionWarning(
            f"{len(rare)} of {network.n_classes} classes have fewer than 5 nodes ({names}); some "
            "splits have none of them to learn from"
        ),
    )


def clipping_told(predictions: Predictions, measure: Measure) -> tuple[Warning, ...]:
    """Say how many log losses are what the bound on the probabilities makes them."""
    if measure.name != "log_loss":
        return ()
    counts = {model: n for model, n in clipped(predictions).items() if n}
    if not counts:
        return ()
    total = sum(split.test.size for split in predictions.splits)
    told = " and ".join(f"{n} of {total} tests ({model})" for model, n in counts.items())
    return (
        AssumptionWarning(
            f"the true class has a probability below {SMALLEST:.1e} in {told}; it was taken for "
            f"that, so that each costs {-np.log(SMALLEST):.1f}: the log loss depends on this bound"
        ),
    )


def communities_told(
    by: str | ArrayLike, groups: NDArray[np.int32], network: Network, entropy: int
) -> dict[str, Any]:
    """Say which communities were taken, and whether a giant one was divided."""
    sizes = np.bincount(groups)
    found = {
        "communities": by if isinstance(by, str) else "given",
        "n_communities": int(np.count_nonzero(sizes)),
        "largest_community": int(sizes.max()),
    }
    if not isinstance(by, str) or by in network.attributes:
        return found
    division = division_told(network, groups, seed=derive(entropy, Stream.COMMUNITIES))
    return found | ({"division": division} if division else {})


def versions() -> dict[str, str]:
    """Give the versions on which the numbers depend."""
    from importlib.metadata import version

    from ..version import __version__

    packages = ("numpy", "scipy", "numba", "scikit-learn", "scikit-network")
    own = {"nettrial": __version__, "python": platform.python_version()}
    return own | {package: version(package) for package in packages}
