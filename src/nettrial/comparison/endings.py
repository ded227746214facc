"""How the verdicts of a judgment end against a margin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..inference.margins import Ending, ending_of, one_sided_level
from ..inference.outcome import NetworkTest
from .judge import Judgement, judged_at
from .prior_tests import PriorTests


def ending_of_pair(judgment: Judgement, prior: PriorTests | None) -> Ending | None:
    """Return how the verdict on two models ends against the margin; None without one."""
    worth = judgment.tests[0] if prior is None else prior.fixed
    differs = np.atleast_1d(worth.pvalue) < 1 - judgment.analysis.confidence
    ends = np.atleast_1d(worth.ci_low), np.atleast_1d(worth.ci_high)
    return next(iter(endings_of([judgment], differs, *ends)), None)


def endings_of(
    judgments: Sequence[Judgement],
    differs: NDArray[np.bool_],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> tuple[Ending, ...]:
    """Return how the verdict on every pair of a study ends against the margin; none without one.

    Two one-sided tests of each pair, by Bonferroni over all pairs and earlier comparisons.
    """
    how = judgments[0].analysis
    if how.margin is None:
        return ()
    number = sum(len(each.tests) for each in judgments) * ((how.n_prior_tests or 0) + 1)
    level = one_sided_level(how.confidence, number)
    tests = [test for each in judgments for test in judged_at(each, level).tests]
    settled = [judgments[0].procedure.settles(test.df) for test in tests]
    return endings_of_tests(how.margin, level, tests, settled, differs, low, high)


def endings_of_tests(
    margin: float,
    level: float,
    tests: Sequence[NetworkTest],
    settled: Sequence[bool],
    differs: NDArray[np.bool_],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> tuple[Ending, ...]:
    """Return how verdicts end against a margin by tests with intervals of a one-sided level."""
    return tuple(
        ending_of(margin, ends, (test.ci_low, test.ci_high), level, differs=yes, settled=settles)
        for yes, ends, test, settles in zip(
            differs.tolist(), zip(low.tolist(), high.tolist()), tests, settled
        )
    )
