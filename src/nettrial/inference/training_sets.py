"""What other training sets change, for tests that take predictions as given."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import numpy as np

from ..metrics.measures import Measure
from ..replicates.bootstrap_test import finish, size_of
from ..stats.result import TestResult
from .scores import Evidence


def moves_at_once(measure: Measure) -> bool:
    """Return whether a measure counts predicted classes, but not simply those that are right.

    Where all probabilities shift a little with the training set, many nodes cross the threshold to
    another class together. What is gained in one class is lost in others, so that the share of
    right answers hardly moves; recall, F1, means over classes and Matthews' correlation do.

    Examples
    --------
    >>> from ..metrics.measures import MEASURES
    >>> [name for name, measure in MEASURES.items() if moves_at_once(measure)]
    ['macro_f1', 'balanced_accuracy', 'weighted_f1', 'macro_precision', 'mcc', 'precision', \
'recall', 'f1']
    """
    return measure.of == "classes" and not (measure.is_mean or measure.needs_probabilities)


def with_training_sets(e: Evidence, found: TestResult) -> TestResult:
    """Add what other training sets change to the variance that a test finds between nodes.

    The mean of k splits has the variance s^2 / k, s^2 being that of the difference between the
    splits, beside the one between nodes; degrees of freedom are those of Satterthwaite (1946) for
    a sum of two. Part of s^2 is between nodes too, which makes the test careful. Measures that do
    not move at once stay as they are (docs/lab/measures.md).
    """
    k = e.scores_a.size
    if not moves_at_once(e.measure) or k < 2:
        return found
    between = float((e.scores_a - e.scores_b).var(ddof=1)) / k
    nodes = float(found.standard_error) ** 2
    if not between > 0:
        return found
    total = nodes + between
    df_nodes = np.inf if found.df is None else float(found.df)  # type: ignore[arg-type]
    df = total**2 / (nodes**2 / df_nodes + between**2 / (k - 1))
    size = size_of(np.array([e.scores_a, e.scores_b]), e.measure)
    made = finish(
        found.method, float(found.estimate), total, df, found.confidence, found.details, size=size
    )
    return replace(
        made,
        question=found.question,
        details=MappingProxyType(
            {**found.details, "variance_nodes": nodes, "variance_training_sets": between}
        ),
        notes=found.notes,
    )
