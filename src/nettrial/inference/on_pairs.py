"""Tests of differences on pairs of nodes, which depend on each other through both ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.errors import AssumptionWarning, InputError
from ..network.communities import effective_number
from ..stats._dyadic import (
    Totals,
    block_bootstrap_test,
    block_sums,
    cluster_ends_test,
    dyadic_robust_test,
    node_jackknife_test,
)
from ..stats.max_t import correlation_of
from ..stats.result import TestResult
from ..study.task import Items
from .outcome import OTHER_NETWORKS, NetworkTest
from .procedure import Procedure
from .scores import Evidence, Floats

PAIRS: tuple[Items, ...] = ("pairs",)

# Type I errors of the node jackknife with fewer than three communities (docs/lab/links.md)
BY_NODES, BY_COMMUNITIES = "2%", "35%"
FEWEST_OF_ENDS = 2.0  # of freedom of communities, below which cluster_ends_t hardly ever rejects
MUCH = 1.5  # times as large a standard error over communities as over nodes is reported


def correlation_over_nodes(found: Sequence[Evidence]) -> Floats:
    """Return the correlation matrix of differences by how each moves where a node is left out."""
    moved = np.array(
        [Totals.of(e.differences, e.scores.ends, e.scores.weights).left_out for e in found]
    )
    moved -= moved.mean(axis=1, keepdims=True)
    return correlation_of(moved @ moved.T)


def correlation_over_ends(found: Sequence[Evidence]) -> Floats:
    """Return the correlation matrix of differences by sums over the pairs of each community."""
    sums = np.array(
        [
            block_sums(
                Totals.of(e.differences, e.scores.ends, e.scores.weights),
                e.scores.weights,
                e.communities[e.scores.ends],
            )[0]
            for e in found
        ]
    )
    return correlation_of(sums @ sums.T)


def _over_communities(e: Evidence) -> TestResult:
    blocks = e.communities[e.scores.ends]
    return cluster_ends_test(e.differences, e.scores.ends, e.scores.weights, blocks, e.confidence)


def _ends(e: Evidence) -> NetworkTest:
    return NetworkTest.of(CLUSTER_ENDS_T.name, _over_communities(e), OTHER_NETWORKS)


def _jackknife(e: Evidence) -> NetworkTest:
    found = node_jackknife_test(e.differences, e.scores.ends, e.scores.weights, e.confidence)
    warned = (*_few_communities(e), *_by_communities(e, found))
    return NetworkTest.of(NODE_JACKKNIFE.name, found, OTHER_NETWORKS, warned)


def _few_communities(e: Evidence) -> tuple[Warning, ...]:
    """Warn, with the measured Type I errors, where communities are too few to be tested by."""
    number = effective_number(np.unique(e.communities, return_counts=True)[1])
    if number - 1 >= FEWEST_OF_ENDS:
        return ()
    return (
        AssumptionWarning(
            f"the communities weigh as {number:.2f} of equal size, so that nodes are taken for "
            "exchangeable: on generated networks of two or three communities the test rejected "
            f"up to {BY_NODES} of true null hypotheses where models err node by node, and up to "
            f"{BY_COMMUNITIES} where they err by whole communities, instead of 5%"
        ),
    )


def _by_communities(e: Evidence, found: TestResult) -> tuple[Warning, ...]:
    """Warn where the difference varies more from community to community than from node to node."""
    over = _over_communities(e)
    ratio = float(over.standard_error) / float(found.standard_error or 1)
    if not ratio > MUCH:
        return ()
    return (
        AssumptionWarning(
            f"over communities the standard error is {ratio:.1f} times as large as over single "
            "nodes: how much better one model is depends on the community; for networks with "
            "other communities read cluster_ends_t"
        ),
    )


def _dyadic(e: Evidence) -> NetworkTest:
    found = dyadic_robust_test(e.differences, e.scores.ends, e.scores.weights, e.confidence)
    return NetworkTest.of(DYADIC_ROBUST_T.name, found, OTHER_NETWORKS)


def _blocks(e: Evidence) -> NetworkTest:
    blocks = e.communities[e.scores.ends]
    if np.unique(blocks).size < 2:
        raise InputError(
            expected="at least 2 communities of nodes", got="1", where="node_bootstrap"
        )
    found = block_bootstrap_test(
        e.differences, e.scores.ends, e.scores.weights, blocks, e.confidence, e.seed
    )
    return NetworkTest.of(NODE_BOOTSTRAP.name, found, OTHER_NETWORKS)


SHARED_NODES = (
    "it answers for other networks, and lets pairs that share a node depend on each other in any "
    "way."
)
CLUSTER_ENDS_T = Procedure(
    name="cluster_ends_t",
    question=OTHER_NETWORKS,
    make=_ends,
    words="the cluster-robust t-test over the communities of both ends",
    label="clustered ends",
    items=PAIRS,
    references=("davezies2021",),
    why=(
        "it answers for other networks, lets pairs depend on each other in any way that have nodes "
        "of one community, and of the tests of pairs keeps closest to its level."
    ),
    correlation=correlation_over_ends,
    one_model=True,
    by_communities=True,
)
NODE_JACKKNIFE = Procedure(
    name="node_jackknife",
    question=OTHER_NETWORKS,
    make=_jackknife,
    words="the node jackknife, which leaves out one node at a time with all its pairs",
    label="node jackknife",
    items=PAIRS,
    references=("lin2020", "snijders1999"),
    why=SHARED_NODES,
    correlation=correlation_over_nodes,
    one_model=True,
)
DYADIC_ROBUST_T = Procedure(
    name="dyadic_robust_t",
    question=OTHER_NETWORKS,
    make=_dyadic,
    words="the dyadic cluster-robust t-test",
    label="dyadic t",
    items=PAIRS,
    references=("fafchamps2007", "aronow2015"),
    why=SHARED_NODES,
    correlation=correlation_over_nodes,
    one_model=True,
)
NODE_BOOTSTRAP = Procedure(
    name="node_bootstrap",
    question=OTHER_NETWORKS,
    make=_blocks,
    words="the node-block bootstrap over communities",
    label="node blocks",
    items=PAIRS,
    references=("snijders1999", "kunsch1989"),
    why=(
        "it answers for other networks, and lets pairs depend on each other that have nodes of "
        "one community."
    ),
    correlation=correlation_over_nodes,
    one_model=True,
    by_communities=True,
)
