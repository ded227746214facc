"""Reference files 09 and 10: tests over folds and splits of one data set."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from nettrial.stats.bayes_correlated import bayesian_correlated_t_test
from nettrial.stats.cross_validation import (
    corrected_repeated_kfold_t_test,
    corrected_resampled_t_test,
    cv5x2_f_test,
    cv5x2_t_test,
)
from nettrial.stats.paired import paired_t_test
from nettrial.stats.result import ALTERNATIVES

Case = Mapping[str, Any]


def t_block(run: Callable[..., Any]) -> dict[str, Any]:
    results = {a.replace("-", "_"): run(alternative=a) for a in ALTERNATIVES}
    r = results["two_sided"]
    t, p, ci = r.statistic, {k: v.pvalue for k, v in results.items()}, (r.ci_low, r.ci_high)
    if r.degenerate:
        # The library: p = 1 if all differences are zero, nan if they are constant, and no
        # interval. The reference divides by 0.
        assert all(v == 1 if r.estimate == 0 else math.isnan(v) for v in p.values())
        assert r.notes
        t = math.copysign(math.inf, r.estimate) if r.estimate else math.nan
        p = dict.fromkeys(p, math.nan)
        if r.estimate:
            p = {"two_sided": 0.0, "less": float(t > 0), "greater": float(t < 0)}
        ci = (r.estimate, r.estimate)
    return {"t": t, "df": r.df, "p_value": p, "ci": ci}


def cv5x2(i: Case) -> Case:
    r, f = cv5x2_t_test(i["d"]), cv5x2_f_test(i["d"])
    value, p = f.statistic, f.pvalue
    if f.degenerate:
        assert p == 1 if f.estimate == 0 else math.isnan(p)
        value, p = (math.inf, 0.0) if f.estimate else (math.nan, math.nan)
    return {
        "means": r.details["means"],
        "s2": r.details["variances"],
        "t": t_block(lambda **o: cv5x2_t_test(i["d"], **o)),
        "f": {"f": value, "df1": f.df[0], "df2": f.df[1], "p_value": p},
    }


def head(r: Any) -> dict[str, Any]:
    return {
        "mean": r.estimate,
        "variance": r.details["sd"] ** 2,
        "ratio": r.details["ratio"],
        "se": r.standard_error,
    }


def resampled(i: Case) -> Case:
    def run(**options: Any) -> Any:
        return corrected_resampled_t_test(
            i["d"],
            n_train=i["n_train"],
            n_test=i["n_test"],
            confidence=i["conf_level"],
            **options,
        )

    plain = t_block(lambda **o: paired_t_test(i["d"], **o))
    return (
        head(run())
        | t_block(run)
        | {
            "uncorrected_t": plain["t"],
            "uncorrected_p_two_sided": plain["p_value"]["two_sided"],
        }
    )


def repeated(i: Case) -> Case:
    def run(**options: Any) -> Any:
        return corrected_repeated_kfold_t_test(i["d"], confidence=i["conf_level"], **options)

    return head(run()) | t_block(run) | {"k": len(i["d"][0]), "r": len(i["d"])}


def bayes(i: Case) -> Case:
    r = bayesian_correlated_t_test(i["d"], rho=i["rho"], rope=i["rope"], confidence=i["conf_level"])
    return {
        "location": r.estimate,
        "scale": r.scale,
        "df": r.df,
        "degenerate": r.degenerate,
        "p_left": r.prob_less,
        "p_rope": r.prob_rope,
        "p_right": r.prob_greater,
        "p_negative": r.prob_negative,
        "p_positive": r.prob_positive,
        "hdi": (r.ci_low, r.ci_high),
    }


ADAPTERS = {
    "cv5x2": cv5x2,
    "corrected_resampled_t": resampled,
    "corrected_repeated_kfold_t": repeated,
    "bayes_correlated_t": bayes,
}
NOT_OFFERED = {("cv5x2", "wrong_t_with_plus_signs"): "a misprint's value, which must not come out"}
