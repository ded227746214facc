"""Analysis of variance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from golden_adapters import by_formula
from nettrial.core.errors import InputError
from nettrial.stats.anova import oneway_anova, repeated_measures_anova


def oneway(inputs: Mapping[str, Any]) -> dict[str, Any]:
    groups = inputs["groups"]
    fisher = oneway_anova(groups)
    df1, df2 = fisher.df
    f, p = by_formula(fisher, apart=fisher.details["ss_between"] > 0)
    try:
        result = oneway_anova(groups, method="welch")
        welch = {
            "f": result.statistic,
            "df1": result.df[0],
            "df2": result.df[1],
            "p_value": result.pvalue,
        }
    except InputError as error:
        welch = {"error": str(error)}
    return {
        "ss_between": fisher.details["ss_between"],
        "ss_within": fisher.details["ss_within"],
        "df_between": df1,
        "df_within": df2,
        "f": f,
        "p_value": p,
        "welch": welch,
        "eta_squared": fisher.effect_size,
    }


def repeated(inputs: Mapping[str, Any]) -> dict[str, Any]:
    x = np.array(inputs["x"], dtype=float)
    plain = repeated_measures_anova(x, correction="none")
    details = plain.details
    f, p = by_formula(plain, apart=details["ss_algorithm"] > 0)
    return {
        "ss_algorithm": details["ss_algorithm"],
        "ss_error": details["ss_error"],
        "ss_subject": details["ss_subject"],
        "df_algorithm": plain.df[0],
        "df_error": plain.df[1],
        "f": f,
        "p_value": p,
        "gg_epsilon": details["greenhouse_geisser_epsilon"],
        "hf_epsilon": details["huynh_feldt_epsilon"],
        "p_gg": repeated_measures_anova(x, correction="greenhouse-geisser").pvalue,
        "p_hf": repeated_measures_anova(x, correction="huynh-feldt").pvalue,
    }


ADAPTERS: dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {
    "oneway_anova": oneway,
    "rm_anova": repeated,
}
NOT_OFFERED = {
    ("oneway_anova", "oneway_test"): (
        "R's second route to the same F and p, which alone refuses a group of one; "
        "the library follows aov, compared under f and p_value"
    ),
}
