"""Every test of a difference that needs the predictions alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AssumptionWarning, InputError, OverlappingTestSetsWarning
from ..estimates import ErrorEstimates
from ..stats.cluster_flips import sign_flip_test
from ..stats.clustered import cluster_mean_test
from ..stats.cross_validation import corrected_resampled_t_test
from ..stats.paired import paired_t_test, pooled_t_test
from ..stats.result import TestResult
from ..stats.rsc import INCREASING, rsc_paired_t_test, rsc_unpaired_t_test
from ..stats.signed_rank import wilcoxon_test
from ..study import NOT_TESTED
from .result import OTHER_NETWORKS, OTHER_SPLITS, NetworkTest

# Measured Type I error of RS-C paired at the 0.05 level on latent group networks of 300 nodes:
# proportion labelled -> number of splits -> rate; docs/methods.md says how.
RSC_LEVEL = {0.1: {10: 0.10, 30: 0.33, 100: 0.65}, 0.3: {10: 0.06, 30: 0.24, 100: 0.46}}


NAIVE = ("paired_t", "pooled_t", "wilcoxon")  # they take splits for independent samples


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the tests work on.

    Attributes
    ----------
    errors_a, errors_b : ndarray of int8, shape (n_splits, n_nodes)
        1 wrong, 0 right, -1 not tested; both models are tested on the same nodes.
    estimates_a, estimates_b : ErrorEstimates
        Parameters of the models' errors.
    communities : ndarray of int, shape (n_nodes,)
        Community of each node.
    n_train : float
        Mean size of a training set.
    confidence : float
        Level of the intervals.
    seed : int
        For tests that draw at random.
    """

    errors_a: NDArray[np.int8]
    errors_b: NDArray[np.int8]
    estimates_a: ErrorEstimates
    estimates_b: ErrorEstimates
    communities: NDArray[np.int32]
    n_train: float
    confidence: float
    seed: int

    @property
    def rates(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Error rate of each split, for A and for B."""
        sizes = (self.errors_a != NOT_TESTED).sum(axis=1)
        return (self.errors_a == 1).sum(axis=1) / sizes, (self.errors_b == 1).sum(axis=1) / sizes

    @property
    def tests_per_node(self) -> NDArray[np.int64]:
        """How many splits test each node."""
        return np.asarray((self.errors_a != NOT_TESTED).sum(axis=0), dtype=np.int64)

    @property
    def overlap(self) -> float:
        """Mean number of test sets that hold a node which is tested at all."""
        times = self.tests_per_node
        return float(times[times > 0].mean())

    def node_differences(self) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
        """Give the tested nodes, their mean difference over splits, and how much they count.

        A test counts as one over the size of its test set (times the mean size), so that the
        weighted mean over nodes is the mean over splits of the difference of the error rates.
        """
        difference, weight = np.zeros((2, self.errors_a.shape[1]))
        sizes = (self.errors_a != NOT_TESTED).sum(axis=1)
        # split by split: no second matrix, and the same rounding for any order of the nodes
        for share, a, b in zip(sizes.mean() / sizes, self.errors_a, self.errors_b):
            weight += share * (a != NOT_TESTED)
            difference += share * ((a == 1).astype(np.int8) - (b == 1))
        nodes = np.flatnonzero(weight)
        return nodes, difference[nodes] / weight[nodes], weight[nodes]


def run_battery(evidence: Evidence) -> tuple[NetworkTest, ...]:
    """Make every test; one that the data leave undefined is kept, without p-value, and says why."""
    return tuple(_guarded(name, make, evidence) for name, make in BATTERY.items())


def _guarded(name: str, make: Callable[[Evidence], NetworkTest], evidence: Evidence) -> NetworkTest:
    try:
        return make(evidence)
    except InputError as error:
        nan = float("nan")
        return NetworkTest(
            name=name,
            method=name.replace("_", " "),
            question=OTHER_SPLITS if name in NAIVE else OTHER_NETWORKS,
            estimate=float(np.mean(evidence.rates[0] - evidence.rates[1])),
            standard_error=nan, ci_low=nan, ci_high=nan, df=None, pvalue=nan,
            warnings=(AssumptionWarning(f"could not be made: {error}"),),
            details={},
        )  # fmt: skip


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
    return _naive("paired_t", paired_t_test(*e.rates, confidence=e.confidence), e)


def _pooled_t(e: Evidence) -> NetworkTest:
    return _naive("pooled_t", pooled_t_test(*e.rates, confidence=e.confidence), e)


def _wilcoxon(e: Evidence) -> NetworkTest:
    a, b = e.rates
    found = wilcoxon_test(a, b, confidence=e.confidence)
    # its own estimate is a correlation of ranks; beside the other tests the mean is meant
    nan = float("nan")
    details = dict(found.details) | {"rank_biserial": found.estimate}
    told = replace(found, estimate=float(np.mean(a - b)), standard_error=nan, ci_low=nan,
                   ci_high=nan, details=details)  # fmt: skip
    return _naive("wilcoxon", told, e)


def _nadeau_bengio(e: Evidence) -> NetworkTest:
    found = corrected_resampled_t_test(
        *e.rates, n_train=e.n_train, n_test=e.estimates_a.n, confidence=e.confidence
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
    k = e.errors_a.shape[0]
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
    found = _noted_once(rsc_paired_t_test(*e.rates, **_rsc_arguments(e)))
    return NetworkTest.of("rsc_paired", found, OTHER_NETWORKS, _rsc_warnings(e))


def _rsc_unpaired(e: Evidence) -> NetworkTest:
    found = _noted_once(rsc_unpaired_t_test(*e.rates, **_rsc_arguments(e)))
    return NetworkTest.of("rsc_unpaired", found, OTHER_NETWORKS, _rsc_warnings(e))


def _cluster_warnings(e: Evidence) -> tuple[Warning, ...]:
    labelled = e.n_train / e.estimates_a.m
    if labelled > 0.15:
        return ()
    return (
        AssumptionWarning(
            f"at {labelled:.0%} labelled, a test over communities cannot see the dependence that "
            "inference makes between them: 15% false alarms instead of 5% were measured at 10% "
            "labelled"
        ),
    )


def _clustered_t(e: Evidence) -> NetworkTest:
    nodes, difference, weight = e.node_differences()
    found = cluster_mean_test(
        difference, e.communities[nodes], weights=weight, df="joint", confidence=e.confidence
    )
    return NetworkTest.of("clustered_t", found, OTHER_NETWORKS, _cluster_warnings(e))


def _sign_flip(e: Evidence) -> NetworkTest:
    nodes, difference, weight = e.node_differences()
    # random flips meet the communities in an order that neither the nodes' order nor their
    # names nor a swap of the models changes
    groups = np.unique(e.communities[nodes], return_inverse=True)[1]
    sizes, sums = np.bincount(groups), np.abs(np.bincount(groups, difference * weight))
    rank = np.argsort(np.lexsort((sizes, np.round(sums, 9))))
    order = np.argsort(rank[groups], kind="stable")
    found = sign_flip_test(
        difference[order], 0.0, rank[groups][order], weights=weight[order],
        confidence=e.confidence, seed=e.seed,
    )  # fmt: skip
    return NetworkTest.of("sign_flip", found, OTHER_NETWORKS, _cluster_warnings(e))


BATTERY: Mapping[str, Callable[[Evidence], NetworkTest]] = {
    "clustered_t": _clustered_t,
    "sign_flip": _sign_flip,
    "rsc_paired": _rsc_paired,
    "rsc_unpaired": _rsc_unpaired,
    "nadeau_bengio": _nadeau_bengio,
    "paired_t": _paired_t,
    "pooled_t": _pooled_t,
    "wilcoxon": _wilcoxon,
}
