"""Reference file 08: Wilcoxon's signed-rank test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.stats import rankdata

from nettrial.stats.result import ALTERNATIVES
from nettrial.stats.signed_rank import wilcoxon_test

Case = Mapping[str, Any]


def wilcoxon(i: Case) -> Case:
    a, b = (i["d"], 0.0) if "d" in i else (i["a"], i["b"])
    # R ranks doubles as they are: where noise breaks ties, hand over the ranks that it gives
    raw = np.subtract(a, b)
    ranked = np.sign(raw) * rankdata(np.abs(raw))

    def run(**options: Any) -> Any:
        return wilcoxon_test(ranked, **options)

    def tails(**options: Any) -> dict[str, float]:
        return {x.replace("-", "_"): run(alternative=x, **options).pvalue for x in ALTERNATIVES}

    def normal(method: str) -> dict[str, Any]:
        d = run(method=method).details
        head = {"mean": d["mean_w"], "sd": d["sd_w"], "z": d["z"]}
        return head | {"p_value": tails(method=method)}

    def coin(zeros: str) -> dict[str, Any]:
        z = run(method="normal", zeros=zeros).details["z"]
        return {"z": z, "p_value": tails(method="normal", zeros=zeros)}

    d = run().details
    pratt = run(zeros="pratt").details
    demsar = run(method="normal", zeros="demsar", tie_correction=False).details
    rounded = wilcoxon_test(a, b, method="normal", digits=7)
    assert rounded.pvalue == wilcoxon_test(a, b, method="normal").pvalue
    untied = run(method="normal", tie_correction=False)
    return {
        **{key: d[key] for key in ("n_total", "n_zero", "n_used", "has_ties")},
        "w_plus": d["w_plus"],
        "w_minus": d["w_minus"],
        "undefined": run().degenerate and run().pvalue == 1,
        "exact_drop_zeros_no_ties": tails(method="exact"),
        "normal_no_correction": normal("normal"),
        "normal_with_correction": normal("normal-corrected"),
        "normal_no_tie_correction_z": untied.details["z"],
        "coin_wilcoxon_asymptotic": coin("drop"),
        "coin_pratt_asymptotic": coin("pratt"),
        "coin_wilcoxon_exact": {"p_value": tails(method="exact")},
        "coin_pratt_exact": {"p_value": tails(method="exact", zeros="pratt")},
        "pratt": {"w_plus": pratt["w_plus"], "w_minus": pratt["w_minus"]},
        "ranks_of_differences_at_7_digits": {
            "w_plus": rounded.details["w_plus"],
            "normal_no_correction_p_two_sided": rounded.pvalue,
        },
        "demsar": {
            "n": demsar["n_ranked"],
            "r_plus": demsar["w_plus"],
            "r_minus": demsar["w_minus"],
            "T": min(demsar["w_plus"], demsar["w_minus"]),
            # Demsar's z belongs to the smaller sum
            "z": -abs(demsar["z"]),
        },
    }


ADAPTERS = {"wilcoxon": wilcoxon}
