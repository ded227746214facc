"""The test of the node differences by their distances over links."""

from __future__ import annotations

from dataclasses import replace

from ..core.errors import AssumptionWarning
from ..core.wording import df_text, plural
from ..stats.network_hac import network_hac_test
from .false_alarms import TYPE_1_ERRORS
from .on_communities import alarms_of, correlation_over_communities
from .outcome import FEWEST_DEGREES, OTHER_NETWORKS, NetworkTest
from .procedure import Procedure
from .scores import Evidence
from .training_sets import with_training_sets

NAME = "network_hac"


def _hac(e: Evidence) -> NetworkTest:
    graph = e.scores.predictions.network.adjacency("both")
    found = network_hac_test(
        e.differences,
        graph,
        nodes=e.scores.nodes,
        weights=e.scores.weights,
        confidence=e.confidence,
    )
    warned = alarms_of(e)
    made = NetworkTest.of(NAME, with_training_sets(e, found), OTHER_NETWORKS, warned)
    df = NetworkTest.of(NAME, found, OTHER_NETWORKS).df  # of the variance between nodes
    if df is None or not df < FEWEST_DEGREES:
        return made
    weak = AssumptionWarning(
        f"with {df_text(df)} degrees of freedom the test can detect next to nothing: the errors "
        f"depend on each other over {plural(found.details['correlated_distances'], 'link')}, and "
        "few nodes are farther apart; let nettrial run the models again"
    )
    return replace(made, warnings=(*made.warnings, weak))


NETWORK_HAC = Procedure(
    name=NAME,
    question=OTHER_NETWORKS,
    make=_hac,
    words="the network HAC test",
    label="network HAC",
    type_1_error=TYPE_1_ERRORS[NAME],
    references=("kojevnikov2021", "politis2003", "imbens2016"),
    why=(
        "of the tests on predictions it answers for other networks, does not depend on the number "
        "of splits, and keeps closest to its level: it lets the errors of two nodes depend on each "
        "other the less, the farther apart they are."
    ),
    correlation=correlation_over_communities,
    one_model=True,
)
