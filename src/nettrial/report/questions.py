"""What the tests of two models answer for, in short words and symbols."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..comparison.grouped_items import ALONE, OTHER_GROUPS
from ..inference.outcome import OTHER_NETWORKS, OTHER_SPLITS, NetworkTest

if TYPE_CHECKING:
    from ..comparison.grouped import GroupedComparison
    from ..comparison.result import Comparison

# question -> (what it answers for, whether that is what users ask)
QUESTIONS = {
    OTHER_NETWORKS: ("other networks", True),
    OTHER_SPLITS: ("other splits", False),
    OTHER_GROUPS: ("other groups", True),
    ALONE: ("other items", False),
}


def answers_for(question: str) -> str:
    """Return what the answer of a test with this question holds for.

    Examples
    --------
    >>> answers_for(OTHER_NETWORKS)
    'other networks'
    """
    return QUESTIONS.get(question, ("other splits", False))[0]


def generalizes(test: NetworkTest) -> bool:
    """Return whether a test answers for other networks or groups, not only for other splits."""
    return QUESTIONS.get(test.question, ("", False))[1]


def has_answer(test: NetworkTest) -> bool:
    """Return whether a test could be made and has a p-value."""
    return not math.isnan(test.pvalue)


def symbol(test: NetworkTest) -> str:
    """Return the symbol of a test in figures and tables."""
    return "×" if not has_answer(test) else "●" if generalizes(test) else "□"


def worth(found: Comparison | GroupedComparison) -> tuple[float, float, float]:
    """Return p-value and interval of the verdict: after other comparisons, as one of so many."""
    worth = found.test(found.recommended) if found.prior_tests is None else found.prior_tests.fixed
    return float(worth.pvalue), float(worth.ci_low), float(worth.ci_high)
