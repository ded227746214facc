"""How often a test rejected where there was no difference, as a warning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.errors import AssumptionWarning
from ..core.wording import listed
from ..metrics.amounts import noun
from ..metrics.measures import MEASURES, Measure, measure_named

# Largest Type I error at the 0.05 level by the error rate over five domains and four numbers of
# splits, by the proportion of labeled nodes: docs/lab/calibration.csv
TYPE_1_ERRORS = {
    "cluster_robust_t": {0.1: 0.289, 0.2: 0.207, 0.3: 0.177, 0.4: 0.145},
    "network_hac": {0.1: 0.123, 0.2: 0.09, 0.3: 0.109, 0.4: 0.08},
    "cluster_sign_flip": {0.1: 0.31, 0.2: 0.225, 0.3: 0.212, 0.4: 0.161},
}
# the same of numeric targets by the squared error, over three domains and two pairs of models:
# docs/lab/regression.csv
OF_NUMBERS = {
    "cluster_robust_t": {0.3: 0.13},
    "network_hac": {0.3: 0.11},
    "cluster_sign_flip": {0.3: 0.155},
}
NAMES = {
    "cluster_robust_t": "cluster-robust t",
    "network_hac": "network HAC",
    "cluster_sign_flip": "sign flips",
}
SAME_AS_ERROR = ("error", "accuracy", "micro_f1")  # have the same p-values
# Likewise by other measures with 30% labeled, cluster_robust_t first and then network_hac:
# docs/lab/measures.csv
MEASURED_WITH = 0.3
BY_MEASURE = {
    "hits@1": (0.085, 0.06),
    "hits@2": (0.1, 0.045),
    "mrr": (0.085, 0.07),
    "squared_loss": (0.14, 0.07),
    "log_loss": (0.19, 0.09),
    "auc": (0.15, 0.08),
    "average_precision": (0.14, 0.065),
    "mean_average_precision": (0.15, 0.095),
    "precision@20": (0.13, 0.065),
    "recall@0.2": (0.1, 0.04),
    "ece": (0.115, 0.065),
    "weighted_f1": (0.175, 0.09),
    "balanced_accuracy": (0.18, 0.09),
    "mcc": (0.15, 0.085),
    "macro_f1": (0.19, 0.09),
    "macro_precision": (0.16, 0.075),
    "precision": (0.12, 0.075),
    "recall": (0.125, 0.05),
    "f1": (0.165, 0.08),
}


def false_alarms(
    labeled: Sequence[float], measure: Measure = MEASURES["error"]
) -> tuple[Warning, ...]:
    """Return the measured Type I errors of the tests on predictions as one warning.

    All of them are named in one sentence, so that it is read once beside several tests. No level
    of one measure is reported for another.

    Parameters
    ----------
    labeled : sequence of float
        Proportions of labeled nodes.
    measure : Measure
        What is compared.

    Examples
    --------
    >>> print(*false_alarms([0.3]))
    a test on predictions cannot detect dependence that collective inference spreads; if p is near
    5%, let nettrial run the models again. On generated networks its Type I error was up to 18%
    (cluster-robust t), 11% (network HAC) and 22% (sign flips) with 30% labeled, instead of 5%
    >>> print(*false_alarms([0.3], measure_named("hits@7")))
    a test on predictions cannot detect dependence that collective inference spreads; if p is near
    5%, let nettrial run the models again. Its Type I error by hits among the 7 most probable
    classes was not measured with such models
    """
    return (
        AssumptionWarning(
            "a test on predictions cannot detect dependence that collective inference spreads; if "
            "p is near 5%, let nettrial run the models again. "
            f"{_levels(labeled, measure)}"
        ),
    )


def measured_level(test: str, labeled: float, measure: Measure) -> str:
    """Return how often a test on predictions rejected by mistake, in words; empty if not known.

    Examples
    --------
    >>> measured_level("cluster_robust_t", 0.1, MEASURES["error"])
    'up to 29%'
    >>> measured_level("cluster_robust_t", 0.1, measure_named("hits@7"))
    ''
    """
    if is_measured_as(measure, (*SAME_AS_ERROR, "squared_error")):
        rates = (OF_NUMBERS if measure.of == "numbers" else TYPE_1_ERRORS).get(test, {})
        near = min(rates, key=lambda each: abs(each - labeled), default=None)
        return "" if near is None else f"up to {_percent_up(rates[near])}%"
    columns = ("cluster_robust_t", "network_hac")
    if test in columns and is_measured_as(measure, tuple(BY_MEASURE)):
        return f"up to {_percent_up(BY_MEASURE[measure.name][columns.index(test)])}%"
    return ""


def is_measured_as(measure: Measure, names: Sequence[str]) -> bool:
    """Return whether a measure is one of these: neither a user's function nor of several labels."""
    return (
        not measure.is_custom
        and measure.name in names
        and measure.title == measure_named(measure.name).title
    )


def _levels(labeled: Sequence[float], measure: Measure) -> str:
    found = "On generated networks{} its Type I error{} was up to"
    if is_measured_as(measure, (*SAME_AS_ERROR, "squared_error")):
        of_numbers = measure.of == "numbers"
        table = OF_NUMBERS if of_numbers else TYPE_1_ERRORS
        known = sorted(table["network_hac"])
        near = sorted({min(known, key=lambda each: abs(each - share)) for share in labeled})
        note = []
        for share in near:
            # rounded up, since they are bounds
            rates = [
                f"{_percent_up(rates[share])}% ({NAMES[name]})" for name, rates in table.items()
            ]
            note.append(f"{listed(rates)} with {share:.0%} labeled")
        beyond = not all(known[0] <= share <= known[-1] for share in labeled)
        nearest = " (the nearest that was measured)" if beyond else ""
        targets = " with numeric targets" if of_numbers else ""
        return f"{found.format(targets, '')} {listed(note)}{nearest}, instead of 5%"
    if is_measured_as(measure, tuple(BY_MEASURE)):
        clustered, hac = map(_percent_up, BY_MEASURE[measure.name])
        as_measured = all(round(share, 2) == MEASURED_WITH for share in labeled)
        only = "," if as_measured else ", which alone was measured,"
        return (
            f"{found.format('', f' by {measure.words}')} {clustered}% (cluster-robust t) and "
            f"{hac}% (network HAC) with {MEASURED_WITH:.0%} labeled{only} instead of 5%"
        )
    return f"Its Type I error by {noun(measure)} was not measured with such models"


def _percent_up(share: float) -> int:
    return int(np.ceil(round(100 * share, 6)))
