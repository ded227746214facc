"""What a test is: its name and other names, its question, what it needs, and how it is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from ..core.errors import InputError
from ..metrics.measures import MEASURES, Measure, Predicted
from ..stats.catalog import TestSpecification
from ..stats.result import TestResult
from ..study.task import Items
from .outcome import FEWEST_DEGREES, OTHER_NETWORKS, OTHER_SPLITS, NetworkTest
from .scores import Evidence, Floats
from .trials import InTrials

Needs: TypeAlias = Literal["predictions", "models"]
OWN_NAME = re.compile(r"^\w+_test: ")
# the correlation matrix of the differences in several pieces of evidence
Correlation: TypeAlias = Callable[[Sequence[Evidence]], Floats]
OnGroups: TypeAlias = Callable[[Floats, Floats, Any, float, int], TestResult]


@dataclass(frozen=True, slots=True)
class Procedure:
    """A test of the difference between two models."""

    name: str  # its one name, in Python, on the command line, in tables and JSON
    question: str  # what its p-value answers
    # Evidence -> NetworkTest; raises InputError where the data leave it undefined
    make: Callable[[Evidence], NetworkTest]
    words: str  # its name in a sentence
    label: str  # its name in tables and figures of experiments
    # {"predictions", "models"}: whether predictions are enough, or the models are run again
    needs: Needs = "predictions"
    # tuple of {"nodes", "pairs"}: what it tests predictions of: classes and numbers of nodes, links
    # between pairs of nodes
    items: tuple[Items, ...] = ("nodes",)
    # names of the measures for which its formula holds; None for all
    measures: tuple[str, ...] | None = None
    aliases: tuple[str, ...] = ()  # other names that lead to it, beside those of `table`
    # largest Type I error measured at the 0.05 level by the error rate (docs/lab/calibration.csv),
    # by the proportion of labeled nodes; empty where it was not measured
    type_1_error: Mapping[float, float] = field(default_factory=dict)
    references: tuple[str, ...] = ()  # keys of its sources
    why: str = ""  # why its answer can be the verdict; empty where it cannot
    # a sequence of Evidence -> correlation matrix of their differences, by which a family of pairs
    # is judged together; None where Holm's adjustment must serve
    correlation: Correlation | None = None
    # whether its p-value, from predictions, depends on which nodes are in one community
    by_communities: bool = False
    one_model: bool = False  # whether it also gives an interval for the measure of one model alone
    # how `nettrial test` makes it of a table of numbers; None where a network is needed
    table: TestSpecification | None = None
    # values of A and of B, groups, confidence and seed -> TestResult: how `compare_grouped` makes
    # it of items in groups
    on_groups: OnGroups | None = None
    # how experiments make it of many trials at once; None where it needs what they do not keep
    in_trials: InTrials | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that leads to it, its own first."""
        listed = (self.table.name, *self.table.aliases) if self.table else ()
        words = (each.replace("-", "_") for each in (self.name, *self.aliases, *listed))
        return tuple(dict.fromkeys(words))

    @property
    def gives_verdict(self) -> bool:
        """Whether it answers for other networks, so that its answer can be the verdict."""
        return self.question == OTHER_NETWORKS

    @property
    def predicted(self) -> tuple[Predicted, ...]:
        """What it tests predictions of, by its items and measures.

        Examples
        --------
        >>> from nettrial.inference.registry import PROCEDURES
        >>> PROCEDURES["paired_t"].predicted, PROCEDURES["rsc_paired"].predicted
        (('classes', 'numbers', 'links'), ('classes',))
        """
        found: list[Predicted] = ["links"] if "pairs" in self.items else []
        if "nodes" in self.items:
            of = {each.of for each in MEASURES.values() if not self.unfit(each)}
            found[:0] = [each for each in ("classes", "numbers") if each in of]
        return tuple(found)

    @property
    def least_df(self) -> float:
        """Degrees of freedom that a verdict takes: 4 of predictions of nodes, 1 of re-runs."""
        if self.needs == "models":
            return 1.0
        return FEWEST_DEGREES if "nodes" in self.items and self.gives_verdict else 0.0

    def settles(self, df: float | None) -> bool:
        """Return whether its answer with so many degrees of freedom can be a verdict.

        Examples
        --------
        >>> from nettrial.inference.registry import PROCEDURES
        >>> [PROCEDURES[name].settles(2.5) for name in ("network_hac", "halves")]
        [False, True]
        """
        return not (df is not None and df < self.least_df)

    @property
    def takes_splits_for_independent(self) -> bool:
        """Whether it answers for other splits of the same network only."""
        return self.question == OTHER_SPLITS

    def run(self, evidence: Evidence) -> NetworkTest:
        """Make the test; where the data leave it undefined it has no p-value, and says why.

        Its interval ends where the values of the measure, or their differences, do.
        """
        obstacle = self.unfit(evidence.measure)
        if not obstacle:
            try:
                return _possible(self.make(evidence), evidence)
            except InputError as error:
                # the warning stands beside the test's name
                obstacle = OWN_NAME.sub("", str(error))
        return NetworkTest.missing(self.name, self.question, evidence.estimate, obstacle)

    def unfit(self, measure: Measure) -> str:
        """Return why the formula does not hold for a measure; nothing where it does."""
        if self.measures is None or measure.name in self.measures:
            return ""
        return (
            f"it is made for the {' and '.join(self.measures)} rate: its variance is that of right "
            f"and wrong answers, not of the {measure.words}"
        )


def _possible(test: NetworkTest, e: Evidence) -> NetworkTest:
    low, high = (-e.measure.reach, e.measure.reach) if e.b else e.measure.bounds
    ends = np.clip([test.ci_low, test.ci_high], low, high)
    return replace(test, ci_low=float(ends[0]), ci_high=float(ends[1]))
