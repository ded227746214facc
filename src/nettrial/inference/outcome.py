"""The outcome of one test of the difference between two models."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from ..core.errors import AssumptionWarning
from ..core.results import Result, plain_table
from ..stats.result import TestResult

OTHER_NETWORKS = "Does the difference hold on other networks like this one?"
OTHER_SPLITS = "Does the difference hold on other splits of this same network?"
CODE = re.compile(r"cluster \(\d+\)")
COMMUNITY_WORDS = ("community", "communities")
FEWEST_DEGREES = 4.0  # of freedom, below which predictions alone give no verdict


def noted(notes: Sequence[str], clusters: tuple[str, str] = COMMUNITY_WORDS) -> tuple[Warning, ...]:
    """Turn what a test on arrays notes into warnings, its clusters called by the words given."""
    return tuple(
        # codes of clusters mean nothing to those who did not make them
        AssumptionWarning(
            CODE.sub("cluster", note)
            .replace("clusters", clusters[1])
            .replace("cluster", clusters[0])
        )
        for note in notes
    )


@dataclass(frozen=True, slots=True)
class NetworkTest(Result):
    """One test of the difference between two models, in error rates or another measure.

    Attributes
    ----------
    name : str
        Its name in tables and JSON.
    method : str
        Its name in words.
    question : str
        What its p-value answers.
    estimate, standard_error, ci_low, ci_high : float
        The measure of A minus that of B; NaN where the test gives none.
    df : float or None
        Degrees of freedom.
    pvalue : float
        Two-sided.
    warnings : tuple of Warning
        Assumptions that the design or the network breaks, by kind.
    details : mapping
        Inputs and by-products of the test.
    statistic : float
        The statistic that the p-value belongs to; NaN where there is none.
    """

    name: str
    method: str
    question: str
    estimate: float
    standard_error: float
    ci_low: float
    ci_high: float
    df: float | None
    pvalue: float
    warnings: tuple[Warning, ...]
    details: Mapping[str, Any]
    statistic: float = float("nan")

    @classmethod
    def of(
        cls,
        name: str,
        found: TestResult,
        question: str,
        warnings: tuple[Warning, ...] = (),
        clusters: tuple[str, str] = COMMUNITY_WORDS,
    ) -> NetworkTest:
        """Take over the numbers of a test on arrays; what it notes becomes a warning.

        Its clusters are called by the words in `clusters`.
        """
        return cls(
            name=name,
            method=found.method,
            question=question,
            estimate=float(found.estimate),
            standard_error=float(found.standard_error),
            ci_low=float(found.ci_low),
            ci_high=float(found.ci_high),
            df=None if found.df is None else float(found.df),  # type: ignore[arg-type]
            pvalue=float(found.pvalue),
            warnings=warnings + noted(found.notes, clusters),
            details=dict(found.details),
            statistic=float(found.statistic),
        )

    @classmethod
    def missing(cls, name: str, question: str, estimate: float, why: str) -> NetworkTest:
        """Return a test that the data leave undefined; the warning says why."""
        nan = float("nan")
        return cls(
            name=name,
            method=name.replace("_", " "),
            question=question,
            estimate=estimate,
            standard_error=nan,
            ci_low=nan,
            ci_high=nan,
            df=None,
            pvalue=nan,
            warnings=(AssumptionWarning(f"could not be computed: {why}"),),
            details={},
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the test as plain Python values; warnings as text."""
        table = {field.name: getattr(self, field.name) for field in fields(self)}
        table["warnings"] = [str(warning) for warning in self.warnings]
        return plain_table(table)
