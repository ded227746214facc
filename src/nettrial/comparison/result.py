"""What a comparison found: the verdict in words, every test, every estimate."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ..errors import AssumptionWarning
from ..finding import Finding
from ..metrics.measures import MEASURES, Measure
from ..results import Result, plain_table
from ..stats.result import TestResult
from ..study import Predictions

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

OTHER_NETWORKS = "Does the difference hold on other networks like this one?"
OTHER_SPLITS = "Does the difference hold on other splits of this same network?"
CODE = re.compile(r"cluster \(\d+\)")
COMMUNITY_WORDS = ("community", "communities")


def noted(notes: Sequence[str], clusters: tuple[str, str] = COMMUNITY_WORDS) -> tuple[Warning, ...]:
    """Turn what a test on arrays notes into warnings, its clusters called by the words given."""
    return tuple(
        # codes of clusters mean nothing to those who did not make them
        AssumptionWarning(
            CODE.sub("cluster", note).replace("clusters", clusters[1])
            .replace("cluster", clusters[0])
        )
        for note in notes
    )  # fmt: skip


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
        The test statistic (t, z, ...); NaN where the test gives none.
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
    statistic: float = math.nan

    @classmethod
    def of(
        cls,
        name: str,
        found: TestResult,
        question: str,
        warnings: tuple[Warning, ...] = (),
        clusters: tuple[str, str] = COMMUNITY_WORDS,
    ) -> NetworkTest:
        """Take the numbers of a test on arrays; what it notes becomes a warning.

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

    def to_dict(self) -> dict[str, Any]:
        """Return the test as plain Python values; warnings as text."""
        table = {field.name: getattr(self, field.name) for field in fields(self)}
        table["warnings"] = [str(warning) for warning in self.warnings]
        return plain_table(table)


def tests_frame(tests: Sequence[NetworkTest]) -> pd.DataFrame:
    """Return tests as a table, one row a test, with their t statistics."""
    import pandas as pd

    order = ["name", "method", "question", "estimate", "standard_error", "statistic", "df",
             "pvalue", "ci_low", "ci_high", "warnings"]  # fmt: skip
    return pd.DataFrame([test.to_dict() for test in tests])[order]


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Finding):
    """The outcome of comparing model `a` with model `b`; differences are always a minus b.

    Attributes
    ----------
    a, b : str
        Names of the models.
    predictions : Predictions
        What was predicted, split by split; holds the network and the splits.
    design : str
        How the splits were drawn.
    labeled : float or None
        Proportion of labeled nodes in training; None where the splits were given.
    seed : int or None
        The frozen seed; None where the splits were given.
    confidence : float
        Level of the intervals.
    communities : ndarray of int, shape (n_nodes,)
        Community of each node.
    tests : tuple of NetworkTest
        Every test that was made.
    recommended : str
        Name of the test whose answer is the verdict.
    reason : str
        Why that test.
    estimates : mapping
        p, q, rho, effective_n of each model's errors; links, n, m, autocorrelation, lemma1.
    warnings : tuple of Warning
        What touches the verdict.
    settings : mapping
        Further settings, and versions.
    scores : mapping of str to ndarray, each (n_splits,)
        The measure of each model on each split.
    measure : Measure
        What is compared; by default error rates.
    """

    a: str
    b: str
    predictions: Predictions
    design: str
    labeled: float | None
    seed: int | None
    confidence: float
    communities: NDArray[np.int32]
    tests: tuple[NetworkTest, ...]
    recommended: str
    reason: str
    estimates: Mapping[str, Any]
    warnings: tuple[Warning, ...]
    settings: Mapping[str, Any]
    scores: Mapping[str, NDArray[np.float64]]
    measure: Measure = MEASURES["error"]

    @property
    def error_a(self) -> float:
        """Error rate of model a, the mean over splits."""
        return float(self.estimates["p"][self.a])

    @property
    def error_b(self) -> float:
        """Error rate of model b, the mean over splits."""
        return float(self.estimates["p"][self.b])

    @property
    def score_a(self) -> float:
        """The measure of model a, the mean over splits."""
        return float(self.scores[self.a].mean())

    @property
    def score_b(self) -> float:
        """The measure of model b, the mean over splits."""
        return float(self.scores[self.b].mean())

    @property
    def difference(self) -> float:
        """The measure of a minus that of b."""
        return self.score_a - self.score_b

    @property
    def a_is_better(self) -> bool:
        """Whether a has the better measure, or the same."""
        return self.measure.sign * self.difference <= 0

    def test(self, name: str) -> NetworkTest:
        """Return one test by name."""
        from ..errors import unknown_choice

        for test in self.tests:
            if test.name == name:
                return test
        raise unknown_choice("test", name, [test.name for test in self.tests])

    def _values(self) -> dict[str, Any]:
        network = self.predictions.network
        return {
            "a": self.a,
            "b": self.b,
            "network": network.name,
            "n_nodes": network.n_nodes,
            "n_links": network.n_links,
            "n_classes": network.n_classes,
            "design": self.design,
            "labeled": self.labeled,
            "n_splits": len(self.predictions.splits),
            "seed": self.seed,
            "confidence": self.confidence,
            "measure": self.measure.name,
            "better": self.measure.better,
            "score_a": self.score_a,
            "score_b": self.score_b,
            "error_a": self.error_a,
            "error_b": self.error_b,
            "difference": self.difference,
            "recommended": self.recommended,
            "reason": self.reason,
            "tests": [test.to_dict() for test in self.tests],
            "estimates": self.estimates,
            "settings": self.settings,
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the tests as a table, one row a test."""
        return tests_frame(self.tests)
