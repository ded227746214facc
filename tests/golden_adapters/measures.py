"""Reference cases of precision, recall, average precision, MAP, AUC and the DeLong test."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from nettrial import metrics
from nettrial.stats.delong import delong_test

TIES = {"stable": "input", "best": "best", "worst": "worst"}
TIES |= {"grouped": "grouped", "expected": "expected"}


def rates(i: Mapping[str, Any]) -> dict[str, Any]:
    counts = (i["tp"], i["fp"], i["fn"], i["tn"])
    got = metrics.binary_rates(*counts, beta=i["beta"])
    one = metrics.binary_rates(*counts)
    names = ("precision", "recall", "accuracy", "specificity", "false_positive_rate", "mcc")
    return {name: float(getattr(got, name)) for name in names} | {
        "f1_from_counts": float(one.f_beta),
        "fbeta_from_counts": float(got.f_beta),
        "f1_from_pr": float(metrics.binary_rates(*counts, f_formula="ratios").f_beta),
        "fbeta_from_pr": float(
            metrics.binary_rates(*counts, beta=i["beta"], f_formula="ratios").f_beta
        ),
    }


def average_precision(i: Mapping[str, Any]) -> dict[str, Any]:
    labels, scores = i["labels"], i["scores"]
    return {
        f"ap_{key}": metrics.average_precision(labels, scores, ties=rule)
        for key, rule in TIES.items()
    } | {"has_ties": len(set(scores)) < len(scores), "n_pos": sum(labels)}


def mean_average_precision(i: Mapping[str, Any]) -> dict[str, Any]:
    queries = [(q["labels"], q["scores"]) for q in i["queries"]]
    return {
        f"map_{key}": {
            "per_query": [metrics.average_precision(*q, ties=TIES[key]) for q in queries],
            "skip_queries_without_positives": metrics.mean_average_precision(
                queries, ties=TIES[key]
            ),
            "zero_for_queries_without_positives": metrics.mean_average_precision(
                queries, ties=TIES[key], without_positives="zero"
            ),
        }
        for key in ("stable", "grouped", "expected")
    }


def auc(i: Mapping[str, Any]) -> dict[str, Any]:
    normal, clipped, logit = (
        metrics.auc(i["labels"], i["scores"], confidence=i["conf_level"], interval=kind)
        for kind in ("normal", "clipped", "logit")
    )
    # R's interval is a point where the variance is 0; the library has none
    point = [normal.auc] * 2 if normal.variance == 0 else None
    if point:
        assert all(
            math.isnan(end) for one in (normal, clipped) for end in (one.ci_low, one.ci_high)
        )
    return {
        "n_pos": normal.n_positive,
        "n_neg": normal.n_negative,
        "auc": normal.auc,
        "u_statistic": normal.u_statistic,
        "delong_variance": normal.variance,
        "delong_ci": point or [normal.ci_low, normal.ci_high],
        "proc_ci_clipped": point or [clipped.ci_low, clipped.ci_high],
        "logit_ci": point if point and 0 < normal.auc < 1 else [logit.ci_low, logit.ci_high],
        "hanley_mcneil_se": normal.hanley_mcneil_standard_error,
    }


def delong_paired(i: Mapping[str, Any]) -> dict[str, Any]:
    got = delong_test(i["labels"], i["scores1"], i["scores2"], confidence=i["conf_level"])
    equal = got.degenerate and got.pvalue == 1
    if got.degenerate:  # R's z and interval are 0 where the AUCs are equal; the library has none
        assert all(map(math.isnan, (got.statistic, got.ci_low, got.ci_high)))
    return {
        "auc1": got.details["auc_a"],
        "auc2": got.details["auc_b"],
        "difference": got.estimate,
        "variance1": got.details["variance_a"],
        "variance2": got.details["variance_b"],
        "covariance": got.details["covariance"],
        "variance_difference": got.details["variance_difference"],
        "ci_difference": [0.0, 0.0] if equal else [got.ci_low, got.ci_high],
        "z": 0.0 if equal else got.statistic,
        "p_value": got.pvalue,
    }


ADAPTERS = {
    "prf": rates,
    "average_precision": average_precision,
    "map": mean_average_precision,
    "auc": auc,
    "delong_paired": delong_paired,
}
NOT_OFFERED = {
    ("auc", "error"): "the wording of R's refusal; here the AUC is NaN and a note says why",
}
