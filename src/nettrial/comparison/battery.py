"""Every test of a difference that needs the predictions alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..errors import AssumptionWarning, InputError, OverlappingTestSetsWarning
from ..metrics.measures import MEASURES, Measure
from ..stats.cluster_flips import sign_flip_test
from ..stats.clustered import cluster_mean_test
from ..stats.cross_validation import corrected_resampled_t_test
from ..stats.network_hac import network_hac_test
from ..stats.paired import paired_t_test, pooled_t_test
from ..stats.result import TestResult
from ..stats.rsc import INCREASING, rsc_paired_t_test, rsc_unpaired_t_test
from ..stats.signed_rank import wilcoxon_test
from .evidence import Evidence
from .result import OTHER_NETWORKS, OTHER_SPLITS, NetworkTest
from .told import false_alarms

# Measured Type I error of RS-C paired at the 0.05 level on latent group networks of 300 nodes:
# proportion labelled -> number of splits -> rate; docs/methods.md says how.
RSC_LEVEL = {0.1: {10: 0.10, 30: 0.33, 100: 0.65}, 0.3: {10: 0.06, 30: 0.24, 100: 0.46}}

FEWEST_DEGREES = 2.0  # of freedom, below which network HAC hardly ever rejects
OWN_NAME = re.compile(r"^\w+_test: ")


class PredictionTest(NamedTuple):
    """A test that needs the predictions alone.

    Attributes
    ----------
    make : callable
        Evidence -> NetworkTest; raises InputError where the data leave it undefined.
    question : str
        What its p-value answers.
    measures : tuple of str
        Names of the measures for which its formula holds.
    """

    make: Callable[[Evidence], NetworkTest]
    question: str
    measures: tuple[str, ...] = tuple(MEASURES)


def run_battery(evidence: Evidence) -> tuple[NetworkTest, ...]:
    """Make every test; one that the data leave undefined is kept, without p-value, and says why."""
    return tuple(_guarded(name, test, evidence) for name, test in BATTERY.items())


def _guarded(name: str, test: PredictionTest, evidence: Evidence) -> NetworkTest:
    obstacle = f"it is {unfit}" if (unfit := _unfit(name, evidence.measure)) else ""
    if not obstacle:
        try:
            return test.make(evidence)
        except InputError as error:
            # the warning stands beside the test's name
            obstacle = OWN_NAME.sub("", str(error))
    nan = float("nan")
    return NetworkTest(
        name=name,
        method=name.replace("_", " "),
        question=test.question,
        estimate=float(np.mean(evidence.scores_a - evidence.scores_b)),
        standard_error=nan, ci_low=nan, ci_high=nan, df=None, pvalue=nan,
        warnings=(AssumptionWarning(f"could not be made: {obstacle}"),),
        details={},
    )  # fmt: skip


def check_holds(name: str, measure: Measure) -> None:
    """Refuse a test for a measure that its formula is not made for."""
    if unfit := _unfit(name, measure):
        raise InputError(f"test: {name} is {unfit}; use auto")


def _unfit(name: str, measure: Measure) -> str:
    """Say why the formula of a test does not hold for a measure; nothing where it does."""
    if name not in BATTERY or measure.name in BATTERY[name].measures:
        return ""
    return (
        f"made for the {' and '.join(BATTERY[name].measures)} rate: its variance is that of right "
        f"and wrong answers, not of the {measure.words}"
    )


def _naive(name: str, found: TestResult, evidence: Evidence) -> NetworkTest:
    """A test that takes the splits for independent samples."""
    if evidence.overlap > 1:
        warning: Warning = OverlappingTestSetsWarning(
            f"a node is in {evidence.overlap:.1f} test sets on average, and linked nodes share "
            "errors: the p-value says nothing of other networks and is often far too small for "
            "that question"
        )
    else:
        warning = AssumptionWarning(
            "the test sets are disjoint, but their nodes are linked and inferred together: the "
            "p-value is somewhat too small for the question about other networks"
        )
    return NetworkTest.of(name, found, OTHER_SPLITS, (warning,))


def _paired_t(e: Evidence) -> NetworkTest:
    return _naive("paired_t", paired_t_test(e.scores_a, e.scores_b, confidence=e.confidence), e)


def _pooled_t(e: Evidence) -> NetworkTest:
    return _naive("pooled_t", pooled_t_test(e.scores_a, e.scores_b, confidence=e.confidence), e)


def _wilcoxon(e: Evidence) -> NetworkTest:
    a, b = e.scores_a, e.scores_b
    found = wilcoxon_test(a, b, confidence=e.confidence)
    # its own estimate is a correlation of ranks; beside the other tests the mean is meant
    nan = float("nan")
    details = dict(found.details) | {"rank_biserial": found.estimate}
    told = replace(found, estimate=float(np.mean(a - b)), standard_error=nan, ci_low=nan,
                   ci_high=nan, details=details)  # fmt: skip
    return _naive("wilcoxon", told, e)


def _nadeau_bengio(e: Evidence) -> NetworkTest:
    found = corrected_resampled_t_test(
        e.scores_a, e.scores_b, n_train=e.n_train, n_test=e.estimates_a.n, confidence=e.confidence
    )
    warning = AssumptionWarning(
        "made for independent nodes; on networks with few labels it almost never finds a "
        "difference, real or not"
    )
    return NetworkTest.of("nadeau_bengio", found, OTHER_NETWORKS, (warning,))


def _rsc_arguments(e: Evidence) -> dict[str, Any]:
    a, b = e.estimates_a, e.estimates_b
    return {
        "n": a.n, "m": a.m, "links": a.links,
        "p_a": a.p, "q_a": a.q, "rho_a": a.rho,
        "p_b": b.p, "q_b": b.q, "rho_b": b.rho,
        "confidence": e.confidence,
    }  # fmt: skip


def _rsc_warnings(e: Evidence) -> tuple[Warning, ...]:
    k = e.scores_a.size
    if e.overlap <= 1:
        return (
            AssumptionWarning(
                "made for overlapping random resamples; these test sets are disjoint"
            ),
        )
    near = min(RSC_LEVEL, key=lambda labelled: abs(labelled - e.n_train / e.estimates_a.m))
    sizes = ", ".join(str(size) for size in RSC_LEVEL[near])
    levels = ", ".join(f"{level:.0%}" for level in RSC_LEVEL[near].values())
    return (
        OverlappingTestSetsWarning(
            f"takes the {k} overlapping test sets for independent ones, so false alarms grow with "
            f"their number: {levels} instead of 5% were measured with {sizes} splits at "
            f"{near:.0%} labelled"
        ),
    )


def _noted_once(found: TestResult) -> TestResult:
    """Leave out the note that `_rsc_warnings` gives with numbers."""
    return replace(found, notes=tuple(note for note in found.notes if note != INCREASING))


def _rsc_paired(e: Evidence) -> NetworkTest:
    found = _noted_once(rsc_paired_t_test(e.scores_a, e.scores_b, **_rsc_arguments(e)))
    return NetworkTest.of("rsc_paired", found, OTHER_NETWORKS, _rsc_warnings(e))


def _rsc_unpaired(e: Evidence) -> NetworkTest:
    found = _noted_once(rsc_unpaired_t_test(e.scores_a, e.scores_b, **_rsc_arguments(e)))
    return NetworkTest.of("rsc_unpaired", found, OTHER_NETWORKS, _rsc_warnings(e))


def _false_alarms(e: Evidence) -> tuple[Warning, ...]:
    """Tell of all three tests in the same words, so that they are printed once."""
    return false_alarms([e.n_train / e.estimates_a.m], ("clustered_t", "network_hac", "sign_flip"))


def _clustered_t(e: Evidence) -> NetworkTest:
    found = cluster_mean_test(
        e.differences, e.communities[e.nodes], weights=e.weights, df="joint",
        confidence=e.confidence,
    )  # fmt: skip
    return NetworkTest.of("clustered_t", found, OTHER_NETWORKS, _false_alarms(e))


def _network_hac(e: Evidence) -> NetworkTest:
    graph = e.network.adjacency("both")
    found = network_hac_test(
        e.differences, graph, nodes=e.nodes, weights=e.weights, confidence=e.confidence
    )
    return NetworkTest.of("network_hac", found, OTHER_NETWORKS, _false_alarms(e))


def _sign_flip(e: Evidence) -> NetworkTest:
    difference, weight = e.differences, e.weights
    # random flips meet the communities in an order that neither the nodes' order nor their
    # names nor a swap of the models changes
    groups = np.unique(e.communities[e.nodes], return_inverse=True)[1]
    sizes, sums = np.bincount(groups), np.abs(np.bincount(groups, difference * weight))
    rank = np.argsort(np.lexsort((sizes, np.round(sums, 9))))
    order = np.argsort(rank[groups], kind="stable")
    found = sign_flip_test(
        difference[order], 0.0, rank[groups][order], weights=weight[order],
        confidence=e.confidence, seed=e.seed,
    )  # fmt: skip
    return NetworkTest.of("sign_flip", found, OTHER_NETWORKS, _false_alarms(e))


# every test on predictions: whoever runs tests takes them from here
BATTERY: Mapping[str, PredictionTest] = {
    "clustered_t": PredictionTest(_clustered_t, OTHER_NETWORKS),
    "network_hac": PredictionTest(_network_hac, OTHER_NETWORKS),
    "sign_flip": PredictionTest(_sign_flip, OTHER_NETWORKS),
    "rsc_paired": PredictionTest(_rsc_paired, OTHER_NETWORKS, ("error",)),
    "rsc_unpaired": PredictionTest(_rsc_unpaired, OTHER_NETWORKS, ("error",)),
    "nadeau_bengio": PredictionTest(_nadeau_bengio, OTHER_NETWORKS),
    "paired_t": PredictionTest(_paired_t, OTHER_SPLITS),
    "pooled_t": PredictionTest(_pooled_t, OTHER_SPLITS),
    "wilcoxon": PredictionTest(_wilcoxon, OTHER_SPLITS),
}
NAIVE = tuple(name for name, test in BATTERY.items() if test.question == OTHER_SPLITS)


def best_on_predictions(tests: Sequence[NetworkTest]) -> tuple[str, str]:
    """Name the test on predictions that is to give the verdict, and say why.

    Network HAC came nearest to its level wherever it was measured (docs/methods.md). It is the test
    by communities where network HAC cannot be made, cannot follow the links as far as the errors
    depend on each other, as on large networks, or has next to no degrees of freedom, as on small
    networks whose nodes are all a few links apart.
    """
    hac = next(test for test in tests if test.name == "network_hac")
    answers = "it answers for other networks, does not depend on the number of splits, and"
    reach = hac.details.get("greatest_distance", 0), hac.details.get("bandwidth", 1) - 1
    if np.isnan(hac.pvalue):
        why = "network_hac has no answer"
    elif reach[0] < reach[1]:
        why = f"network_hac cannot follow so many links farther than {reach[0]}"
    elif hac.df is not None and hac.df < FEWEST_DEGREES:
        why = "network_hac can tell nothing where all nodes are so few links apart"
    else:
        return "network_hac", (
            f"Of the tests on predictions {answers} keeps nearest to its level: it lets the errors "
            "of two nodes depend on each other the less, the farther apart they are."
        )
    return "clustered_t", (
        f"Of the tests on predictions {answers} lets the errors within a community depend on each "
        f"other in any way; {why}."
    )
