"""Hotelling's T2 and multivariate analysis of variance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from nettrial.core.errors import InputError
from nettrial.stats.manova import manova_test
from nettrial.stats.multivariate import hotelling_paired_test, hotelling_two_sample_test
from nettrial.stats.omnibus import OmnibusResult


def hotelling(result: OmnibusResult) -> dict[str, Any]:
    df1, df2 = result.df
    return {
        "t2": result.statistic,
        "f": result.details["f"],
        "df1": df1,
        "df2": df2,
        "p_value": result.pvalue,
    }


def means(rows: list[list[float]]) -> np.ndarray:
    """For the cases that are refused: their means are R's only other value."""
    return np.mean(np.array(rows, dtype=float), axis=0)


def paired(inputs: Mapping[str, Any]) -> dict[str, Any]:
    a, b = inputs["a"], inputs["b"]
    try:
        result = hotelling_paired_test(a, b)
    except InputError as error:
        return {"mean": means(a) - means(b), "error": str(error)}
    if result.degenerate:  # R refuses a singular matrix; that nothing differs is no error here
        assert result.pvalue == 1
        return {"mean": result.details["mean_difference"], "error": result.notes[0]}
    return hotelling(result) | {
        "mean": result.details["mean_difference"],
        "covariance": result.details["covariance"],
        "manova_intercept_f": result.details["f"],
        "manova_intercept_p": result.pvalue,
    }


def two(inputs: Mapping[str, Any]) -> dict[str, Any]:
    a, b = inputs["a"], inputs["b"]
    try:
        result = hotelling_two_sample_test(a, b)
    except InputError as error:
        return {"mean_difference": means(a) - means(b), "error": str(error)}
    return hotelling(result) | {
        "mean_difference": result.details["mean_difference"],
        "pooled_covariance": result.details["covariance"],
    }


FORMS = {
    "pillai": ("pillai", "mckeon"),
    "wilks": ("wilks", "mckeon"),
    "hotelling_lawley": ("hotelling-lawley", "pillai-samson"),
    "hotelling_lawley_mckeon": ("hotelling-lawley", "mckeon"),
    "roy": ("roy", "mckeon"),
}


def several(inputs: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, (statistic, approximation) in FORMS.items():
        try:
            result = manova_test(
                inputs["y"],
                inputs["group"],
                blocks=inputs.get("block"),
                statistic=statistic,
                approximation=approximation,
            )
        except InputError as error:
            values[name], values["error"] = {"error": str(error)}, str(error)
            continue
        df1, df2 = result.df
        values[name] = {
            "statistic": result.statistic,
            "f": result.details["f"],
            "df1": df1,
            "df2": df2,
            "p_value": result.pvalue,
        }
        values["sscp_hypothesis"] = result.details["sscp_hypothesis"]
        values["sscp_error"] = result.details["sscp_error"]
        values["eigenvalues"] = result.details["eigenvalues"]
    return values


ADAPTERS: dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {
    "hotelling_paired": paired,
    "hotelling_two": two,
    "manova": several,
}
