"""The community bootstrap: models run again on networks drawn from the communities of this one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning
from ..metrics.measures import Measure
from ..network.communities import effective_number
from ..replicates.bootstrap_test import conclude, size_of
from ..replicates.bootstrap_variance import BootstrapVariance
from ..stats.max_t import correlation_of
from .false_alarms import SAME_AS_ERROR, is_measured_as
from .outcome import OTHER_NETWORKS, NetworkTest
from .procedure import Procedure
from .scores import Evidence, Floats

NAME = "bootstrap"
FEW_COMMUNITIES = 10
WEAK = 0.55  # agreement of Louvain runs; docs/lab/replicates.md
LEVEL = "up to 9% instead of 5%"  # where communities are weak; docs/user/bootstrap.md


def community_warnings(communities: NDArray[np.int32]) -> list[Warning]:
    """Warn where a standard error from communities rests on few, on one giant, or on none."""
    sizes = np.unique(communities, return_counts=True)[1]
    share, effective = sizes.max() / sizes.sum(), effective_number(sizes)
    if sizes.size < FEW_COMMUNITIES:
        number = (
            "is only 1 community" if sizes.size == 1 else f"are only {sizes.size:,} communities"
        )
        which = f"there {number}"
        if effective < sizes.size - 0.5:
            which += f" (effective number {effective:.1f})"
    elif effective < FEW_COMMUNITIES:
        which = (
            f"by all their nodes, the {sizes.size:,} communities have an effective number of only "
            f"{effective:.1f}"
        )
    elif sizes.size > sizes.sum() / 2:
        which = (
            f"the {sizes.sum():,} nodes are in {sizes.size:,} communities, so that most nodes "
            "count as independent of the others; the p-value is too small if their errors are not"
        )
        return [AssumptionWarning(which)]
    elif share > 0.3:
        which = f"the largest community holds {share:.0%} of the nodes"
    else:
        return []
    unsure = "the standard error, and hence the p-value, is unreliable; compare on more networks"
    return [AssumptionWarning(f"{which}: {unsure}")]


def weak_communities(agreement: float, level: str, measure: Measure) -> list[Warning]:
    """Warn where Louvain hardly finds the same communities again.

    Parameters
    ----------
    level : str
        What the Type I error by the error rate was on generated networks of this kind, which
        should be 5%.
    measure : Measure
        What is compared; of others than the error rate no level is reported.
    """
    if agreement >= WEAK:
        return []
    note = f", and on generated networks of this kind the Type I error was {level}"
    if not is_measured_as(measure, SAME_AS_ERROR):
        note = ""
    return [
        AssumptionWarning(
            "Louvain hardly finds the same communities again when it starts elsewhere (adjusted "
            f"Rand index {agreement:.2f}, 1 is the same): errors may depend on each other across "
            f"them{note}; name a node column with the true groups if there is one"
        )
    ]


def _bootstrap(e: Evidence) -> NetworkTest:
    variance, ran = e.variance(BootstrapVariance), e.ran_again()
    own = np.array([e.scores_a, e.scores_b])
    found = conclude(
        own,
        variance,
        ran.replicates.blocks,
        n_replicates=ran.replicates.n_replicates,
        confidence=e.confidence,
        size=size_of(own, e.measure),
    )
    warned = community_warnings(e.communities) + weak_communities(ran.agreement, LEVEL, e.measure)
    return NetworkTest.of(NAME, found, OTHER_NETWORKS, tuple(warned))


def _correlation(found: Sequence[Evidence]) -> Floats:
    """Return how the mean differences vary together from replicate to replicate."""
    means = np.array([e.variance(BootstrapVariance).means for e in found])
    return correlation_of(np.atleast_2d(np.cov(means)))


COMMUNITY_BOOTSTRAP = Procedure(
    name=NAME,
    question=OTHER_NETWORKS,
    make=_bootstrap,
    words="the community bootstrap",
    label="bootstrap",
    needs="models",
    aliases=("community_bootstrap",),
    references=("kunsch1989", "efron1981", "satterthwaite1946"),
    why=(
        "it answers for other networks and sees all that varies between them: all models were run "
        "again on networks drawn from the communities of this one."
    ),
    correlation=_correlation,
    one_model=True,
)
