"""Reference file 06: t and z tests of means."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from nettrial.core.errors import InputError
from nettrial.stats.paired import (
    one_sample_t_test,
    paired_t_test,
    paired_z_test,
    pooled_t_test,
    welch_t_test,
)
from nettrial.stats.result import ALTERNATIVES

Case = Mapping[str, Any]
NAN3 = dict.fromkeys(("two_sided", "less", "greater"), math.nan)


def by_alternative(run: Callable[..., Any]) -> dict[str, Any]:
    return {a.replace("-", "_"): run(alternative=a) for a in ALTERNATIVES}


def tails(run: Callable[..., Any]) -> dict[str, float]:
    return {k: r.pvalue for k, r in by_alternative(run).items()}


def block(r: Any) -> dict[str, Any]:
    """R's answer to degenerate data is nan (all zero) or an error (constant)."""
    if r.degenerate:
        constant = not (r.estimate == 0 and r.standard_error == 0)
        null = r.details.get("null_value", 0.0)
        assert r.pvalue == 1 if r.estimate == null else math.isnan(r.pvalue)
        if constant:
            return {"error": "data are essentially constant"}
        return {"t": math.nan, "df": r.df, "p_value": math.nan, "ci": (math.nan, math.nan)}
    return {"t": r.statistic, "df": r.df, "p_value": r.pvalue, "ci": (r.ci_low, r.ci_high)}


def one_mean(run: Callable[..., Any], values: Any) -> Case:
    try:
        results = by_alternative(run)
    except InputError:
        error = {"error": "not enough 'x' observations"}
        n = len(values)
        assert n < 2
        return {"n": n, "mean": values[0], "sd": math.nan, "se": math.nan} | dict.fromkeys(
            NAN3, error
        )
    r = results["two_sided"]
    head = {"n": r.details["n"], "mean": r.estimate, "sd": r.details["sd"], "se": r.standard_error}
    return head | {k: block(v) for k, v in results.items()}


def one_sample(i: Case) -> Case:
    return one_mean(
        lambda **o: one_sample_t_test(i["x"], null_value=i["mu"], confidence=i["conf_level"], **o),
        i["x"],
    )


def paired(i: Case) -> Case:
    return one_mean(
        lambda **o: paired_t_test(i["a"], i["b"], confidence=i["conf_level"], **o), i["a"]
    )


def two_means(test: Callable[..., Any]) -> Callable[[Case], Case]:
    def adapter(i: Case) -> Case:
        def run(**options: Any) -> Any:
            return test(i["a"], i["b"], confidence=i["conf_level"], **options)

        try:
            results = by_alternative(run)
        except InputError:
            short = "x" if len(i["a"]) < 2 else "y"
            means = {"mean_a": np.mean(i["a"]), "mean_b": np.mean(i["b"])}
            error = {"error": f"not enough '{short}' observations"}
            return (
                means | {"estimate": means["mean_a"] - means["mean_b"]} | dict.fromkeys(NAN3, error)
            )
        r = results["two_sided"]
        head = {"estimate": r.estimate} | dict(r.details)
        return head | {k: block(v) for k, v in results.items()}

    return adapter


def paired_z(i: Case) -> Case:
    def run(**options: Any) -> Any:
        return paired_z_test(i["a"], i["b"], confidence=i["conf_level"], **options)

    r, p, ci = run(), tails(run), (run().ci_low, run().ci_high)
    if r.degenerate:
        # The library: p = 1 and no interval. R: 0/0, and an interval of width 0.
        assert r.estimate == 0
        assert set(p.values()) == {1.0}
        p, ci = NAN3, (0.0, 0.0)
    return {
        "n": r.details["n"],
        "mean": r.estimate,
        "sd": r.details["sd"],
        "se": r.standard_error,
        "z": r.statistic,
        "p_value": p,
        "ci": ci,
    }


ADAPTERS = {
    "t_one_sample": one_sample,
    "t_paired": paired,
    "t_pooled": two_means(pooled_t_test),
    "t_welch": two_means(welch_t_test),
    "z_paired": paired_z,
}
