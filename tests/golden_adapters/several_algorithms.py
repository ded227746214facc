"""Rank tests of several algorithms, Cochran's Q, and adjustment of p-values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from golden_adapters import by_formula
from nettrial.stats.cochran import cochran_q_test
from nettrial.stats.friedman import friedman_test, iman_davenport_test
from nettrial.stats.kruskal import kruskal_wallis_test
from nettrial.stats.multiplicity import adjust
from nettrial.stats.nemenyi import control_comparisons, critical_difference, nemenyi_test
from nettrial.stats.omnibus import OmnibusResult


def kruskal(inputs: Mapping[str, Any]) -> dict[str, Any]:
    result = kruskal_wallis_test(inputs["groups"])
    h, p = by_formula(result, apart=False)
    return {
        "h": h,
        "df": result.df,
        "p_value": p,
        "h_no_tie_correction": kruskal_wallis_test(inputs["groups"], ties="uncorrected").statistic,
        "tie_factor": result.details["tie_factor"],
        "mean_ranks": result.details["mean_ranks"],
    }


def f_form(result: OmnibusResult) -> dict[str, Any]:
    df1, df2 = result.df
    f, p = result.statistic, result.pvalue
    if result.details["n_data_sets"] > 1 and math.isnan(f):
        f, p = by_formula(result, apart=result.details["tie_factor"] > 0)
    return {"f": f, "df1": df1, "df2": df2, "p_value": p}


def square(k: int, values: np.ndarray, diagonal: float, sign: int) -> np.ndarray:
    """Put the values of the pairs into a k by k table."""
    table = np.full((k, k), diagonal)
    upper = np.triu_indices(k, 1)
    table[upper] = values
    table.T[upper] = sign * values
    return table


def ranks(inputs: Mapping[str, Any]) -> dict[str, Any]:
    x = np.array(inputs["x"], dtype=float)
    n, k = x.shape
    result, plain = friedman_test(x), friedman_test(x, ties="uncorrected")
    pairs = nemenyi_test(x)
    factor = result.details["tie_factor"]
    chi2, p = result.statistic, result.pvalue
    if n > 1:
        chi2, p = by_formula(result, apart=False)
    with np.errstate(invalid="ignore"):
        without_ties = np.divide(plain.statistic, factor)
    values: dict[str, Any] = {
        "mean_ranks": result.details["mean_ranks"],
        "chi2": chi2,
        "df": result.df,
        "p_value": p,
        "tie_sum": (1 - factor) * n * (k**3 - k),
        "chi2_tie_corrected_formula": without_ties,
        "chi2_no_tie_correction": plain.statistic,
        "p_no_tie_correction": plain.pvalue,
        "iman_davenport_tie_corrected": f_form(iman_davenport_test(x)),
        "iman_davenport_no_tie_correction": f_form(iman_davenport_test(x, ties="uncorrected")),
        "kendall_w": result.effect_size,
        "nemenyi_se": pairs.standard_error[0],
        "nemenyi_p": square(k, pairs.adjusted_pvalue, 1.0, 1),
        "pairwise_z": square(k, pairs.statistic, 0.0, -1),
        "pairwise_p_unadjusted": square(k, pairs.pvalue, 1.0, 1),
    }
    if n == 1:
        values["error"] = result.notes[0]
    return values


def cd(inputs: Mapping[str, Any]) -> dict[str, Any]:
    k, n, level = inputs["k"], inputs["n_datasets"], 1 - inputs["alpha"]
    table = np.tile(np.arange(1.0, k + 1), (n, 1))
    all_pairs = nemenyi_test(table, ranked=True, confidence=level)
    control = control_comparisons(table, ranked=True, confidence=level)
    limit = critical_difference(k, n, method="bonferroni-dunn", confidence=level)
    assert control.details["critical_difference"] == limit
    q, difference = all_pairs.details["q_alpha"], critical_difference(k, n, confidence=level)
    return {
        "q_alpha": q,
        "q_alpha_qtukey": q,
        "cd": difference,
        "cd_qtukey": difference,
        "bonferroni_dunn_q": limit / all_pairs.standard_error[0],
        "bonferroni_dunn_cd": limit,
    }


def family(inputs: Mapping[str, Any]) -> dict[str, Any]:
    names = {"bh": "benjamini-hochberg", "by": "benjamini-yekutieli"}
    methods = ("bonferroni", "holm", "hochberg", "hommel", "bh", "by", "sidak")
    return {name: adjust(inputs["p"], method=names.get(name, name)) for name in methods}


def cochran(inputs: Mapping[str, Any]) -> dict[str, Any]:
    result = cochran_q_test(inputs["x"])
    q, p = by_formula(result, apart=False)
    return {
        "column_sums": result.details["column_sums"],
        "n_informative_rows": result.details["n_informative_cases"],
        "q": q,
        "df": result.df,
        "p_value": p,
    }


ADAPTERS: dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {
    "kruskal": kruskal,
    "friedman": ranks,
    "nemenyi_cd": cd,
    "p_adjust": family,
    "cochran_q": cochran,
}
TOLERANCES = {
    ("friedman", "nemenyi_p"): (1e-9, 1e-9),
    ("nemenyi_cd", "q_alpha_qtukey"): (1e-6, 0.0),
    ("nemenyi_cd", "cd_qtukey"): (1e-6, 0.0),
}
