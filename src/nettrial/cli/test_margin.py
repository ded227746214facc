"""`nettrial test --equivalence` and `--noninferiority`: a difference judged against a margin."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..core.errors import InputError, shown
from ..stats.equivalence import equivalence_test, noninferiority_test
from ..stats.proportion_score import proportion_equivalence_test, two_proportion_score_test
from ..stats.result import TestResult

PROPORTIONS = ("two-proportions", "two-proportions-score")


@dataclass(frozen=True, slots=True)
class Margin:
    """The margin of equivalence or of non-inferiority, None where there is none."""

    equivalence: float | None = None
    noninferiority: float | None = None
    higher_is_better: bool = False


def against_margin(
    name: str, result: Any, values: Sequence[Any], margin: Margin, *, confidence: float = 0.95
) -> Any:
    """Turn the result of a test of a difference into one against a margin, if one is given.

    Two proportions take their score tests, which hold for few errors too.
    """
    equivalence, noninferiority = margin.equivalence, margin.noninferiority
    if equivalence is None and noninferiority is None:
        return result
    if equivalence is not None and noninferiority is not None:
        raise InputError(
            parameter=("equivalence", "noninferiority"), expected="one of them", got="both"
        )
    if not isinstance(result, TestResult):
        raise InputError(
            parameter=name,
            expected="a test of one difference for a margin",
            got="one with another answer",
            hint="use a t test, two-proportions, delong or cluster-robust-t",
        )
    if equivalence is not None:
        if name in PROPORTIONS:
            return proportion_equivalence_test(*values, margin=equivalence, confidence=confidence)
        return equivalence_test(result, margin=equivalence, confidence=confidence)
    assert noninferiority is not None  # noqa: S101 - one of both is given
    if name not in PROPORTIONS:
        return noninferiority_test(
            result,
            margin=noninferiority,
            higher_is_better=margin.higher_is_better,
            confidence=confidence,
        )
    if margin.higher_is_better:
        raise InputError(
            parameter="higher_is_better", expected="errors for two proportions, not successes"
        )
    if not 0 < noninferiority < 1:
        raise InputError(
            parameter="noninferiority", expected="a margin in (0, 1)", got=shown(noninferiority)
        )
    found = two_proportion_score_test(
        *values, null=noninferiority, alternative="less", confidence=confidence
    )
    return dataclasses.replace(
        found,
        method="two-proportion score test of non-inferiority",
        details={**found.details, "margin": noninferiority, "higher_is_better": False},
    )
