"""Reference files 01 to 05: one error rate, and two from separate test sets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from nettrial.stats.beta import beta_posterior
from nettrial.stats.intervals import proportion_interval
from nettrial.stats.proportions import binomial_test, proportion_z_test, two_proportion_test
from nettrial.stats.result import ALTERNATIVES

Case = Mapping[str, Any]


def key(alternative: str) -> str:
    return alternative.replace("-", "_")


def binomial(i: Case) -> Case:
    def run(**options: Any) -> Any:
        return binomial_test(
            i["x"], i["n"], null_value=i["p0"], confidence=i["conf_level"], **options
        )

    results = {key(a): run(alternative=a) for a in ALTERNATIVES}
    first = results["two_sided"]
    return {
        "estimate": first.estimate,
        "prob_le": first.details["prob_at_most"],
        "prob_ge": first.details["prob_at_least"],
        "prob_eq": 2 * (results["less"].pvalue - run(alternative="less", two_sided="midp").pvalue),
        "two_sided_doubled": run(two_sided="doubled").pvalue,
        "two_sided_midp_doubled": run(two_sided="midp").pvalue,
        **{k: {"p_value": r.pvalue, "ci": (r.ci_low, r.ci_high)} for k, r in results.items()},
    }


def proportion_z(i: Case) -> Case:
    def run(**options: Any) -> Any:
        return proportion_z_test(
            i["x"], i["n"], null_value=i["p0"], confidence=i["conf_level"], **options
        )

    def wald(**options: Any) -> Any:
        return proportion_interval(
            i["x"], i["n"], method="wald", confidence=i["conf_level"], **options
        )

    plain, corrected = run(), run(continuity_correction=True)
    raw, cut = wald(clip=False), wald()
    level = i["conf_level"]
    return {
        "estimate": plain.estimate,
        "se_null": plain.standard_error,
        "z": plain.statistic,
        "p_value": {key(a): run(alternative=a).pvalue for a in ALTERNATIVES},
        # a unit standard error turns the half width into the critical value
        "critical_one_sided": critical(level, "greater"),
        "critical_two_sided": critical(level, "two-sided"),
        "wald": {
            "se": run(standard_error="sample").standard_error,
            "ci": (raw.ci_low, raw.ci_high),
            "ci_clipped": (cut.ci_low, cut.ci_high),
            "within_unit": raw.details["within_unit"],
        },
        "rule_np0_ge_5": plain.details["rule_np0_at_least_5"],
        "prop_test": {"chi2": plain.statistic**2, "p_value": plain.pvalue},
        "prop_test_with_correction": {
            "chi2": corrected.statistic**2,
            "p_value": corrected.pvalue,
        },
    }


def critical(level: float, alternative: Any) -> float:
    """Half width in standard errors of the Wald bound for 1 error in 2 cases."""
    bound = proportion_interval(
        1, 2, method="wald", clip=False, alternative=alternative, confidence=level
    )
    return (0.5 - bound.ci_low) / math.sqrt(0.125)


def intervals(i: Case) -> Case:
    def ends(method: Any, **options: Any) -> tuple[Any, Any]:
        r = proportion_interval(
            i["x"], i["n"], method=method, confidence=i["conf_level"], **options
        )
        return r.ci_low, r.ci_high

    ac = proportion_interval(i["x"], i["n"], method="agresti-coull", confidence=i["conf_level"])
    return {
        "estimate": ac.estimate,
        "wilson": ends("wilson"),
        "wilson_from_prop_test": ends("wilson"),
        "agresti_coull": ends("agresti-coull", clip=False),
        "agresti_coull_clipped": (ac.ci_low, ac.ci_high),
        "agresti_coull_center": ac.details["center"],
        "clopper_pearson": ends("exact"),
        "jeffreys_equal_tailed": ends("jeffreys-equal-tailed"),
        "jeffreys_boundary_fixed": ends("jeffreys"),
        "wald": ends("wald", clip=False),
    }


def posterior(i: Case) -> Case:
    r = beta_posterior(
        i["x"],
        i["n"],
        prior=(i["prior_a"], i["prior_b"]),
        null_value=i["theta0"],
        confidence=i["conf_level"],
    )
    return {
        "post_a": r.a,
        "post_b": r.b,
        "mean": r.mean,
        "variance": r.variance,
        "map": r.map,
        "equal_tailed": (r.ci_low, r.ci_high),
        "hpd": (r.hdi_low, r.hdi_high),
        "prob_below": r.prob_below,
        "prob_above": r.prob_above,
    }


def two_proportions(i: Case) -> Case:
    def run(**options: Any) -> Any:
        return two_proportion_test(
            i["x1"], i["n1"], i["x2"], i["n2"], confidence=i["conf_level"], **options
        )

    def block(kind: str) -> dict[str, Any]:
        results = {key(a): run(standard_error=kind, alternative=a) for a in ALTERNATIVES}
        r = results["two_sided"]
        z, p = r.statistic, {k: v.pvalue for k, v in results.items()}
        if r.degenerate:
            # The library: p = 1 for equal rates of 0 or 1. R divides by 0.
            assert all(v == 1 for v in p.values())
            z, p = math.nan, dict.fromkeys(p, math.nan)
        elif kind == "unpooled" and abs(r.estimate) == 1:
            # The library takes the pooled error for rates of 0 and 1. The formula divides by 0.
            assert r.standard_error == run(standard_error="pooled").standard_error
            z = math.copysign(math.inf, r.estimate)
            p = {"two_sided": 0.0, "less": float(z > 0), "greater": float(z < 0)}
            return {"se": 0.0, "z": z, "p_value": p}
        return {"se": r.standard_error, "z": z, "p_value": p}

    r, pooled = run(), block("pooled")
    half, ends = proportion_half_width(r), (r.ci_low, r.ci_high)
    newcombe = (r.details["newcombe_low"], r.details["newcombe_high"])
    if {r.details["rate_a"], r.details["rate_b"]} <= {0, 1}:
        # The library's interval is Newcombe's where Wald's has no width.
        assert ends == newcombe
        half, ends = 0.0, (r.estimate, r.estimate)
    return {
        "estimate": r.estimate,
        "unpooled": {**block("unpooled"), "ci": (r.estimate - half, r.estimate + half)},
        "pooled": pooled,
        "prop_test": {
            "chi2": pooled["z"] ** 2,
            "p_value": pooled["p_value"]["two_sided"],
            "ci": ends,
        },
        "newcombe_hybrid_score_ci": newcombe,
    }


def proportion_half_width(r: Any) -> float:
    """The uncut half width: the library cuts the interval to [-1, 1] as prop.test does."""
    return critical(r.confidence, "two-sided") * r.standard_error


ADAPTERS = {
    "binom_test": binomial,
    "prop_z_test": proportion_z,
    "prop_intervals": intervals,
    "beta_posterior": posterior,
    "two_proportions": two_proportions,
}
TOLERANCES = {("beta_posterior", "hpd"): (1e-8, 1e-12)}
