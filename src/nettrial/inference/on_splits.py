"""Tests of the differences from split to split: the usual ones, and one corrected for overlap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..core.errors import AssumptionWarning, OverlappingTestSetsWarning
from ..stats.catalog import CATALOG
from ..stats.cross_validation import corrected_resampled_t_test
from ..stats.paired import paired_t_test, pooled_t_test
from ..stats.result import TestResult
from ..stats.signed_rank import wilcoxon_test
from .outcome import OTHER_NETWORKS, OTHER_SPLITS, NetworkTest
from .procedure import Procedure
from .scores import Evidence, Floats
from .trials import InTrials, Trials, on_rates

# what is predicted of: one of them, which of them share errors, and why splits depend on each other
ITEMS = {
    "nodes": ("node", "linked nodes", "their nodes are linked and inferred together"),
    "pairs": (
        "pair",
        "pairs with a common node",
        "their pairs have nodes in common and models learn from nearly the same links",
    ),
}
# why the correction of Nadeau and Bengio is in doubt, by what is predicted
DOUBTS = {
    "classes": "made for independent nodes; on networks with few labels it almost never detects a "
    "difference, real or not",
    # docs/lab/regression.csv
    "numbers": "made for independent nodes; on generated networks with numeric targets its Type I "
    "error with 30% labeled, instead of 5%, was 0% where models infer over links and up to 18% "
    "where they learn from features",
    "links": "made for independent items: pairs with a common node are not",
}


def _naive(e: Evidence) -> Warning:
    """Warn that a test takes the splits for independent samples."""
    what, share, how = ITEMS[e.scores.items]
    if e.scores.overlap > 1:
        return OverlappingTestSetsWarning(
            f"a {what} is in {e.scores.overlap:.1f} test sets on average, and {share} share "
            "errors: the p-value says nothing about other networks and is often far too small for "
            "that question"
        )
    return AssumptionWarning(
        f"the test sets are disjoint, but {how}: the p-value is somewhat too small for the "
        "question about other networks"
    )


def _maker(name: str, test: Callable[..., TestResult]) -> Callable[[Evidence], NetworkTest]:
    def make(e: Evidence) -> NetworkTest:
        found = test(e.scores_a, e.scores_b, confidence=e.confidence)
        return NetworkTest.of(name, found, OTHER_SPLITS, (_naive(e),))

    return make


def _wilcoxon(e: Evidence) -> NetworkTest:
    found = wilcoxon_test(e.scores_a, e.scores_b, confidence=e.confidence)
    # its own estimate is a correlation of ranks; beside the other tests the mean is meant
    nan = float("nan")
    details = dict(found.details) | {"rank_biserial": found.estimate}
    mean = replace(
        found, estimate=e.estimate, standard_error=nan, ci_low=nan, ci_high=nan, details=details
    )
    return NetworkTest.of("wilcoxon", mean, OTHER_SPLITS, (_naive(e),))


def _nadeau_bengio(e: Evidence) -> NetworkTest:
    n_test = float(sum(split.test.size for split in e.scores.predictions.splits))
    found = corrected_resampled_t_test(
        e.scores_a,
        e.scores_b,
        n_train=e.scores.n_train,
        n_test=n_test / e.scores_a.size,
        confidence=e.confidence,
    )
    doubt = DOUBTS.get(e.scores.predictions.task.name, "made for independent items")
    return NetworkTest.of("nadeau_bengio", found, OTHER_NETWORKS, (AssumptionWarning(doubt),))


def _nadeau_bengio_in_trials(trials: Trials) -> Floats:
    a, b = trials.rates[:, 0], trials.rates[:, 1]
    found = corrected_resampled_t_test(a, b, n_train=trials.n_train, n_test=trials.n)
    return np.asarray(found.pvalue)


NADEAU_BENGIO = Procedure(
    name="nadeau_bengio",
    question=OTHER_NETWORKS,
    make=_nadeau_bengio,
    words="the corrected resampled t-test",
    label="Nadeau-Bengio",
    items=("nodes", "pairs"),
    references=("nadeau2003",),
    table=CATALOG["corrected-resampled-t"],
    in_trials=InTrials(("rates",), _nadeau_bengio_in_trials),
)
PAIRED_T = Procedure(
    name="paired_t",
    question=OTHER_SPLITS,
    make=_maker("paired_t", paired_t_test),
    words="the paired t-test",
    label="paired t",
    items=("nodes", "pairs"),
    references=("dietterich1998",),
    table=CATALOG["paired-t"],
    on_groups=lambda a, b, _, confidence, __: paired_t_test(a, b, confidence=confidence),
    in_trials=on_rates(paired_t_test),
)
POOLED_T = Procedure(
    name="pooled_t",
    question=OTHER_SPLITS,
    make=_maker("pooled_t", pooled_t_test),
    words="the pooled t-test",
    label="unpaired t",
    items=("nodes", "pairs"),
    references=("dietterich1998",),
    table=CATALOG["pooled-t"],
    in_trials=on_rates(pooled_t_test),
)
WILCOXON = Procedure(
    name="wilcoxon",
    question=OTHER_SPLITS,
    make=_wilcoxon,
    words="Wilcoxon's signed-rank test",
    label="Wilcoxon",
    items=("nodes", "pairs"),
    references=("wilcoxon1945",),
    table=CATALOG["wilcoxon"],
    in_trials=on_rates(wilcoxon_test),
)
