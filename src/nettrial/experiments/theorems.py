"""Theorems 1 to 4 of the variance theory against Monte Carlo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from ..core import seeds
from ..kernels.streams import key_of
from ..kernels.variance_trials import sample_means
from ..stats.theory import variance_terms
from .base import Experiment, Figure, Unit
from .records import Record, Settings, measured
from .simulated import ECML
from .statements import NOTHING, THEOREM, Measured, Statement, rows
from .tables import beside, quantile, value

MODELS = ((0.2, 0.2), (0.2, 0.6), (0.4, 0.4), (0.4, 0.7))  # p, q: correlations of 0.1 exist
LINKS = ((0.0, 4), (0.1, 4), (0.1, 10))  # rho, nodes in a group of linked nodes
PAPER = (0.1, 0.9)  # p, q of the paper's simulation, where correlations up to 0.011 exist
PAPER_LINKS = ((0.0, 4), (0.01, 4), (0.01, 10))
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)  # n / m
SIZES = (100, 300)
VARIANCE, THEORY = "variance", "theory"
NAMES = ("1: correlated", "2: resampled", "3: resampled and correlated", "4: correction")


def run(unit: Unit) -> list[Record]:
    """Draw samples and measure their variance, in units of p(1-p)/n."""
    cell = unit.cell
    p, q, rho = (float(cell[name]) for name in ("p", "q", "rho"))
    n, m, size = (int(cell[name]) for name in ("n", "m", "group"))
    means = np.empty((unit.trials, 3))
    key = key_of(seeds.derive(unit.seed, unit.number))
    sample_means(n, m, p, q, rho, size, unit.first, key, means)
    # ordered linked pairs in a sample: all pairs of the population, thinned
    links = m * (size - 1) * n * (n - 1) / (m * (m - 1))
    terms = variance_terms(p, q, rho, n=n, m=m, links=links)
    base = p * (1 - p) / n
    squares = (means - p) ** 2 / base
    found = [*squares.T, squares[:, 0] - squares[:, 2]]
    expected = [
        terms.variance_correlated,
        terms.variance_resampled,
        terms.variance_observed,
        terms.variance_correction,
    ]
    records = []
    for name, values, theory in zip(NAMES, found, expected):
        where = {"theorem": name, **cell, "links": round(links, 6)}
        records.append(measured(where, VARIANCE, values))
        if unit.first == 0:
            records.append(measured(where, THEORY, float(theory) / base))
    return records


def _cells(_options: Mapping[str, Any]) -> Iterable[Settings]:
    return [
        {"p": p, "q": q, "rho": rho, "group": group, "m": m, "n": round(share * m)}
        for models, links in ((MODELS, LINKS), ((PAPER,), PAPER_LINKS))
        for p, q in models for rho, group in links for m in SIZES for share in SHARES
    ]  # fmt: skip


def _worst(theorem: str) -> Any:
    """Measure the largest distance from the theory in standard errors."""

    def find(table: pd.DataFrame) -> Measured:
        found = rows(table, VARIANCE, theorem=theorem)
        if found.empty:
            return NOTHING
        reach = np.array([quantile(n - 1) for n in found["trials"]])
        error = (found["high"] - found["low"]) / (2 * reach)
        distance = (value(found) - beside(table, THEORY)[found.index]).abs() / error
        worst = float(distance.max())
        return Measured(worst, worst, worst)

    return find


EXPERIMENTS = {
    "theory": Experiment(
        name="theory",
        title="The variance theorems against Monte Carlo",
        source=f"{ECML}, theorems 1 to 4",
        about="Populations of m nodes in groups in which all pairs are linked. A group has a "
        "common sign that moves the error probability of its nodes, so that the errors of "
        "linked nodes have correlation rho exactly, also between the two kinds of node. "
        "Variances of the mean error of n nodes are in units of p(1-p)/n; 4 is the "
        "difference of 1 and 3.",
        trials=10_000,
        chunk=10_000,
        cells=_cells,
        run=run,
        lacks="variances are measured, no models are compared",
        figure=Figure(
            THEORY,
            "theory, in p(1-p)/n",
            "measured, in p(1-p)/n",
            VARIANCE,
            lines=("m",),
            panels="theorem",
            panel_title="Theorem {}",
            reference=THEORY,
            points=True,
        ),
        statements=tuple(
            Statement(
                f"Theorem {name.replace(': ', ' (')}) holds",
                _worst(name),
                "largest distance of 150 cells, in standard errors",
                **THEOREM,
            )
            for name in NAMES
        ),
    )
}
