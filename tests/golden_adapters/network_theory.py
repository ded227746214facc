"""Reference files 18 and 19: variance theory, RS-C, phi and Lemma 1."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from nettrial.stats.paired import paired_t_test, pooled_t_test
from nettrial.stats.result import ALTERNATIVES
from nettrial.stats.rsc import rsc_paired_t_test, rsc_unpaired_t_test
from nettrial.stats.theory import variance_terms
from oracles.theory import lemma1, phi_coefficient, smallest_covariance_eigenvalue

Case = Mapping[str, Any]
PARAMETERS = ("n", "m", "p_a", "p_b", "q_a", "q_b", "rho_a", "rho_b")


def rsc_variance(i: Case) -> Case:
    t = variance_terms(i["p"], i["q"], i["rho"], n=i["n"], m=i["m"], links=i["L"])
    v1, v3 = t.variance_correlated, t.variance_observed
    return {
        "valid_type0_probability": t.c_squared >= 0,
        "c_squared": t.c_squared,
        "base": t.base,
        "var_theorem1": v1,
        "var_theorem2": t.variance_resampled,
        "bracket": t.bracket,
        "linked_factor": t.linked_factor,
        "var_theorem3": v3,
        "delta": t.variance_correction,
        "ratio_sd_new_to_obs": math.sqrt(v1 / v3) if v1 >= 0 and v3 > 0 else math.nan,
        "var_by_enumeration": v3,
    }


def t_block(run: Callable[..., Any]) -> dict[str, Any]:
    results = {a.replace("-", "_"): run(alternative=a) for a in ALTERNATIVES}
    r = results["two_sided"]
    return {
        "t": r.statistic,
        "df": r.df,
        "p_value": {k: v.pvalue for k, v in results.items()},
    }


def rsc_unpaired(i: Case) -> Case:
    def run(**options: Any) -> Any:
        model = {name: i[name] for name in PARAMETERS}
        return rsc_unpaired_t_test(i["za"], i["zb"], links=i["L"], **model, **options)

    d = run().details
    return {
        "delta_a": d["delta_a"],
        "delta_b": d["delta_b"],
        "var_obs": (d["variance_observed_a"], d["variance_observed_b"]),
        "var_new": (d["variance_new_a"], d["variance_new_b"]),
        "uncorrected": t_block(lambda **o: pooled_t_test(i["za"], i["zb"], **o)),
        "corrected": t_block(run),
    }


def rsc_paired(i: Case) -> Case:
    def run(**options: Any) -> Any:
        model = {name: i[name] for name in PARAMETERS}
        return rsc_paired_t_test(i["za"], i["zb"], links=i["L"], **model, **options)

    def block(variance: str) -> dict[str, Any]:
        r = run(variance=variance)
        stretches = {"ratio_a": r.details["stretch_a"], "ratio_b": r.details["stretch_b"]}
        mean = r.estimate
        if r.degenerate:
            # The library: a constant series has no stretch and the test no p-value; the means
            # are still known. The reference divides by 0 and carries NaN on.
            assert math.isnan(r.pvalue)
            assert r.notes
            mean = math.nan
            stretches = {k: math.inf if math.isnan(v) else v for k, v in stretches.items()}
        return stretches | {
            "rescaled_a": r.details["rescaled_a"],
            "rescaled_b": r.details["rescaled_b"],
            "mean_difference": mean,
            "sd_difference": r.details["sd_difference"],
            **t_block(lambda **o: run(variance=variance, **o)),
        }

    d = run().details
    return {
        "delta_a": d["delta_a"],
        "delta_b": d["delta_b"],
        "var_obs": (d["variance_observed_a"], d["variance_observed_b"]),
        "uncorrected": t_block(lambda **o: paired_t_test(i["za"], i["zb"], **o)),
        "corrected_sample_variance": block("sample"),
        "corrected_theoretical_variance": block("theoretical"),
    }


def phi(i: Case) -> Case:
    counts = [i[name] for name in ("n11", "n10", "n01", "n00")]
    value = phi_coefficient(*counts)
    return {
        "phi": value,
        "phi_by_correlation": value,
        "chi2": sum(counts) * value**2,
        "phi_both_directions": phi_coefficient(*counts, both_directions=True),
    }


def lemma(i: Case) -> Case:
    edges, sigma = i["edges"], i["sigma"]
    r = lemma1(edges, sigma, i["rho"])
    at_rho = [
        {
            "rho": rho,
            "lambda_min": smallest_covariance_eigenvalue(edges, sigma, rho),
            "weyl_bound": bound,
        }
        for rho, bound in zip(i["rho"], r.weyl_bound)
    ]
    for entry, verdict in zip(at_rho, r.positive_definite):
        assert verdict == (entry["lambda_min"] > 1e-12)
    return {
        "n_edges": r.n_edges,
        "nu_min": r.nu_min,
        "nu_max": r.nu_max,
        "psi_min": r.psi_min,
        "printed_bound": r.printed_bound,
        "sufficient_lower": r.sufficient_low,
        "sufficient_upper": r.sufficient_high,
        "exact_lower": r.exact_low,
        "exact_upper": r.exact_high,
        "at_rho": at_rho,
    }


ADAPTERS = {
    "rsc_variance": rsc_variance,
    "rsc_unpaired": rsc_unpaired,
    "rsc_paired": rsc_paired,
    "phi": phi,
    "lemma1": lemma,
}
NOT_OFFERED = {
    ("lemma1", "adjacency_eigenvalues"): (
        "the whole spectrum; the lemma needs its two ends, compared as exact_lower and exact_upper"
    ),
    ("rsc_variance", "digits30"): (
        "300-bit arithmetic of the reference; the same numbers are compared as doubles"
    ),
}
TOLERANCES = {("rsc_variance", "delta"): (1e-9, 1e-40)}
