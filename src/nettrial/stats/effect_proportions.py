"""Effect sizes of two proportions: risk difference and odds ratio."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Literal

import numpy as np
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..numeric.checks import count
from ._effects import EffectSize
from .intervals import newcombe
from .result import check_confidence


def _counts(**pairs: tuple[float, float]) -> None:
    for name, (x, n) in pairs.items():
        if count(f"x_{name}", x, 0) > count(f"n_{name}", n):
            raise InputError(parameter=name, expected="at most n", got=f"{shown(x)} of {shown(n)}")


@check_arguments
def risk_difference(
    x_a: int,
    n_a: int,
    x_b: int,
    n_b: int,
    *,
    confidence: float = 0.95,
    interval: Literal["newcombe", "wald"] = "newcombe",
) -> EffectSize:
    """Compute the difference of two independent proportions, x_a/n_a - x_b/n_b.

    Use it for error rates on two separate test sets. It assumes independent observations, and
    is not for two classifiers on one test set, whose errors are paired.

    Parameters
    ----------
    x_a, n_a, x_b, n_b : int
        Errors and observations of A and of B.
    confidence : float
        Level of the interval.
    interval : {"newcombe", "wald"}
        Hybrid of the two Wilson intervals (Newcombe 1998, method 10), always inside [-1, 1];
        or difference ± z·se with unpooled se, which has no width at 0 and 1.

    Raises
    ------
    InputError
        For impossible counts, a wrong level or an unknown interval.

    References
    ----------
    R. G. Newcombe (1998), Statistics in Medicine 17, 873-890.

    Examples
    --------
    >>> result = risk_difference(56, 70, 48, 80)
    >>> round(result.estimate, 4), round(result.ci_low, 4), round(result.ci_high, 4)
    (0.2, 0.0524, 0.3339)
    """
    _counts(a=(x_a, n_a), b=(x_b, n_b))
    z = float(special.ndtri((1 + check_confidence(confidence)) / 2))
    a, b = x_a / n_a, x_b / n_b
    if interval == "newcombe":
        xa, na, xb, nb = np.array([x_a, n_a, x_b, n_b], dtype=np.float64)
        low, high = (float(end) for end in newcombe(xa, na, xb, nb, confidence))
    else:
        half = z * math.sqrt(a * (1 - a) / n_a + b * (1 - b) / n_b)
        low, high = a - b - half, a - b + half
    details = {"proportion_a": a, "proportion_b": b, "n_a": n_a, "n_b": n_b}
    return EffectSize(
        "risk difference",
        a - b,
        low,
        high,
        confidence,
        interval,
        details=MappingProxyType(details),
    )


@check_arguments
def odds_ratio(
    x_a: int,
    n_a: int,
    x_b: int,
    n_b: int,
    *,
    confidence: float = 0.95,
    zero_cells: Literal["add_half", "leave"] = "add_half",
) -> EffectSize:
    """Compute the odds ratio of two independent proportions.

    Use it where a factor on the odds is more natural than a difference, such as for rare
    errors. It assumes independent observations; the interval is a large-sample one (Woolf).
    It is not the ratio of the proportions, unless both are small.

    Parameters
    ----------
    x_a, n_a, x_b, n_b : int
        Errors and observations of A and of B.
    confidence : float
        Level of the interval.
    zero_cells : {"add_half", "leave"}
        With an empty cell, add 1/2 to all four (Haldane 1956), or leave a ratio of 0, infinity
        or NaN without interval.

    Raises
    ------
    InputError
        For impossible counts, a wrong level or an unknown name.

    References
    ----------
    B. Woolf (1955), Annals of Human Genetics 19; J. B. S. Haldane (1956), ibid. 20.

    Examples
    --------
    >>> round(odds_ratio(10, 40, 5, 50).estimate, 4)
    3.0
    """
    _counts(a=(x_a, n_a), b=(x_b, n_b))
    z = float(special.ndtri((1 + check_confidence(confidence)) / 2))
    cells = np.array([x_a, n_a - x_a, x_b, n_b - x_b], dtype=np.float64)
    notes: tuple[str, ...] = ()
    if (cells == 0).any() and zero_cells == "add_half":
        cells = cells + 0.5
        notes = ("a cell is empty: 1/2 was added to all four",)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = float(cells[0] * cells[3] / (cells[1] * cells[2]))
        half = z * float(np.sqrt((1 / cells).sum()))
    low, high = math.nan, math.nan
    if math.isfinite(half):
        low, high = ratio * math.exp(-half), ratio * math.exp(half)
    else:
        notes = ("a cell is empty: no interval",)
    details = {"cells": cells}
    return EffectSize(
        "odds ratio",
        ratio,
        low,
        high,
        confidence,
        "Woolf",
        degenerate=math.isnan(ratio),
        details=MappingProxyType(details),
        notes=notes,
    )
