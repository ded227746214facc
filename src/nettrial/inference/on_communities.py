"""Tests of the node differences summed within communities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..stats.catalog import CATALOG
from ..stats.cluster_flips import sign_flip_test
from ..stats.clustered import cluster_mean_test, cluster_paired_test
from ..stats.contributions import cluster_contributions
from ..stats.max_t import correlation_of
from ..stats.result import TestResult
from .false_alarms import TYPE_1_ERRORS, false_alarms
from .outcome import OTHER_NETWORKS, NetworkTest
from .procedure import Procedure
from .scores import Evidence, Floats
from .training_sets import with_training_sets
from .trials import on_communities

NAME, FLIPS = "cluster_robust_t", "cluster_sign_flip"


def labeled_share(evidence: Evidence) -> float:
    """Return the mean proportion of the labeled nodes in a training set."""
    network = evidence.scores.predictions.network
    return float(evidence.scores.n_train / network.labeled.size)


def correlation_over_communities(found: Sequence[Evidence]) -> Floats:
    """Return the correlation matrix of differences by what each community contributes to them."""
    n_nodes = found[0].scores.predictions.network.n_nodes
    values, weights = np.zeros((2, len(found), n_nodes))
    for row, weight, each in zip(values, weights, found):
        row[each.scores.nodes], weight[each.scores.nodes] = each.differences, each.scores.weights
    tested = weights.any(axis=0)
    parts = cluster_contributions(
        values[:, tested], found[0].communities[tested], weights=weights[:, tested]
    )
    return correlation_of(parts.covariance)


def alarms_of(evidence: Evidence) -> tuple[Warning, ...]:
    """Return what was measured of the tests on predictions with as many labels."""
    return false_alarms([labeled_share(evidence)], evidence.measure)


def _clustered(
    differences: Floats, groups: NDArray[np.integer], weights: Floats, confidence: float = 0.95
) -> TestResult:
    return cluster_mean_test(
        differences, groups, weights=weights, df="joint", confidence=confidence
    )


def _flipped(
    differences: Floats,
    groups: NDArray[np.integer],
    weights: Floats,
    confidence: float = 0.95,
    seed: int = 0,
) -> TestResult:
    # random flips meet the communities in an order that neither the nodes' order nor their
    # names nor a swap of the models changes
    groups = np.unique(groups, return_inverse=True)[1]
    sizes, sums = np.bincount(groups), np.abs(np.bincount(groups, differences * weights))
    rank = np.argsort(np.lexsort((sizes, np.round(sums, 9))))
    order = np.argsort(rank[groups], kind="stable")
    return sign_flip_test(
        differences[order],
        0.0,
        rank[groups][order],
        weights=weights[order],
        confidence=confidence,
        seed=seed,
    )


def _t(e: Evidence) -> NetworkTest:
    found = _clustered(e.differences, e.groups, e.scores.weights, e.confidence)
    found = with_training_sets(e, found)
    return NetworkTest.of(NAME, found, OTHER_NETWORKS, alarms_of(e))


def _sign_flip(e: Evidence) -> NetworkTest:
    found = _flipped(e.differences, e.groups, e.scores.weights, e.confidence, e.seed)
    return NetworkTest.of(FLIPS, found, OTHER_NETWORKS, alarms_of(e))


CLUSTER_ROBUST_T = Procedure(
    name=NAME,
    question=OTHER_NETWORKS,
    make=_t,
    words="the cluster-robust t-test over communities",
    label="clustered t",
    type_1_error=TYPE_1_ERRORS[NAME],
    references=("liang1986",),
    table=CATALOG["cluster-robust-t"],
    on_groups=lambda a, b, groups, confidence, _: cluster_paired_test(
        a, b, groups, df="joint", confidence=confidence
    ),
    in_trials=on_communities(_clustered),
    why=(
        "it answers for other networks, and lets the errors within a community depend on each "
        "other in any way."
    ),
    correlation=correlation_over_communities,
    one_model=True,
    by_communities=True,
)
CLUSTER_SIGN_FLIP = Procedure(
    name=FLIPS,
    question=OTHER_NETWORKS,
    make=_sign_flip,
    words="random sign flips of communities",
    label="sign flips",
    type_1_error=TYPE_1_ERRORS[FLIPS],
    references=("canay2017",),
    table=CATALOG["cluster-sign-flip"],
    on_groups=lambda a, b, groups, confidence, seed: sign_flip_test(
        a, b, groups, confidence=confidence, seed=seed
    ),
    in_trials=on_communities(_flipped),
    why="it answers for other networks, and takes the sign of a community for as good as random.",
    by_communities=True,
)
