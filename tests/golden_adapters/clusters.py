"""Reference cases of the cluster-robust mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nettrial.stats.clustered import cluster_mean_test


def mean(i: Mapping[str, Any]) -> dict[str, Any]:
    def run(correction: str, alternative: str = "two-sided") -> Any:
        return cluster_mean_test(
            i["y"],
            i["cluster"],
            null_value=i["mu0"],
            confidence=i["conf_level"],
            correction=correction,
            alternative=alternative,
        )

    def block(correction: str) -> dict[str, Any]:
        got = run(correction)
        return {
            "variance": got.details["variance"],
            "se": got.standard_error,
            "t": got.statistic,
            "df": got.df,
            "p_value": {"two_sided": got.pvalue}
            | {side: run(correction, side).pvalue for side in ("less", "greater")},
            "ci": [got.ci_low, got.ci_high],
        }

    got = run("CR1")
    out = {
        "estimate": got.estimate,
        "n": got.details["n"],
        "n_clusters": got.details["clusters"],
        "constant": got.degenerate,
    }
    if got.details["clusters"] == 1:
        return out
    return out | {
        "cluster_sizes": got.details["cluster_sizes"],
        "cr0": block("CR0"),
        "cr1": block("CR1"),
        # Stata's further factor (n-1)/(n-k) is 1 for a mean
        "cr1_stata_variance": got.details["variance"],
        "cr2_variance": run("CR2").details["variance"],
        "iid_se": got.details["independent_standard_error"],
        "design_effect_cr1": got.details["design_effect"],
    }


ADAPTERS = {"cluster_mean": mean}
NOT_OFFERED = {
    ("cluster_mean", "error"): "the wording of R's refusal; here p is NaN, degenerate, with a note",
}
