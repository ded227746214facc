"""Reference file 07: sign test and McNemar's test."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from nettrial.stats.mcnemar import mcnemar_test
from nettrial.stats.result import ALTERNATIVES
from nettrial.stats.sign import sign_test, sign_test_counts

Case = Mapping[str, Any]


def sign(i: Case) -> Case:
    def run(**options: Any) -> Any:
        options["confidence"] = i["conf_level"]
        if "wins" in i:
            return sign_test_counts(i["wins"], i["losses"], i["ties"], **options)
        return sign_test(i["a"], i["b"], **options)

    def block(r: Any) -> dict[str, Any]:
        # The library: p = 1 if all pairs are tied. The reference leaves it undefined.
        assert not r.degenerate or r.pvalue == 1
        return {"p_value": math.nan if r.degenerate else r.pvalue, "ci": (r.ci_low, r.ci_high)}

    r, split = run(), run(ties="split")
    return {
        "n_positive": r.details["n_larger"],
        "n_negative": r.details["n_smaller"],
        "n_ties": r.details["n_ties"],
        "n_used": r.details["n_used"],
        "undefined": r.degenerate,
        "demsar": {
            "n": split.details["n_used"],
            "wins": split.statistic,
            "z": split.details["z"],
        },
        **{a.replace("-", "_"): block(run(alternative=a)) for a in ALTERNATIVES},
    }


def mcnemar(i: Case) -> Case:
    table = [[i["e00"], i["e01"]], [i["e10"], i["e11"]]]

    def run(method: Any, alternative: Any = "two-sided") -> Any:
        r = mcnemar_test(table, method=method, alternative=alternative)
        if r.degenerate:
            # The library: p = 1 without discordant cases. R divides by 0.
            assert r.pvalue == 1
            return math.nan, math.nan
        return r.statistic, r.pvalue

    def chi2(method: Any) -> dict[str, float]:
        statistic, p = run(method)
        if math.isnan(p) and method == "edwards":
            statistic, p = math.inf, 0.0  # the formula as it stands: 1 / 0
        return {"chi2": statistic, "p_value": p}

    details = mcnemar_test(table).details
    return {
        "n_discordant": details["n_discordant"],
        "uncorrected": chi2("uncorrected"),
        "corrected_r": chi2("corrected"),
        "corrected_slide": chi2("edwards"),
        "signed_z": details["signed_z"],
        "exact": {
            "p_value": run("exact")[1],
            "p_less": run("exact", "less")[1],
            "p_greater": run("exact", "greater")[1],
        },
        "midp": {"p_value": run("midp")[1]},
        "odds_ratio": details["odds_ratio"],
    }


ADAPTERS = {"sign_test": sign, "mcnemar": mcnemar}
