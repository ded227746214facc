"""Differences of several pairs as one family: joint intervals and adjusted p-values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ..core.option_names import option
from ..stats.comparisons import Comparisons
from ..stats.max_t import max_t_comparisons
from ..stats.multiplicity import adjust_known
from ..stats.result import check_confidence
from .outcome import NetworkTest
from .procedure import Procedure
from .scores import Evidence, Floats

MAX_T, HOLM = "single-step max-t", "Holm"


def family(
    procedure: Procedure,
    evidence: Sequence[Evidence],
    *,
    confidence: float,
    seed: int,
    tests: Sequence[NetworkTest] | None = None,
) -> Comparisons:
    """Test several differences, each as if it were alone, and judge them together.

    Estimates, standard errors, degrees of freedom and unadjusted p-values are those of the
    procedure on each piece of evidence. Where it has standard errors and a correlation between
    the differences, p-values are adjusted and intervals widened by the single-step max-t
    procedure; elsewhere by Holm's procedure, and the intervals stay pointwise.

    Parameters
    ----------
    evidence : sequence of Evidence
        One piece a difference.
    confidence : float
        Level of the intervals.
    seed : int
        Of the directions of integration.
    tests : sequence of NetworkTest, optional
        The tests, if they were made before.

    Returns
    -------
    Comparisons
        ``details`` has `holm_pvalue`, and the pointwise intervals as `pointwise_low` and
        `pointwise_high`; with max-t the `critical_value` of each pair.
    """
    made = [procedure.run(each) for each in evidence] if tests is None else list(tests)
    correlation = procedure.correlation

    def of_live(live: list[int]) -> Floats | None:
        return None if correlation is None else correlation([evidence[i] for i in live])

    settled = np.array([procedure.settles(test.df) for test in made])
    found = family_of_tests(
        made,
        [(e.a, e.b) for e in evidence],
        of_live,
        reach=np.array([e.measure.reach for e in evidence]),
        settled=settled,
        confidence=confidence,
        seed=seed,
    )
    if settled.all():
        return found
    return replace(found, notes=(*found.notes, *_unsettled(procedure, settled)))


def family_of_tests(
    made: Sequence[NetworkTest],
    pairs: Sequence[tuple[str, str]],
    correlation: Callable[[list[int]], Floats | None],
    *,
    reach: Floats,
    settled: NDArray[np.bool_],
    confidence: float,
    seed: int,
) -> Comparisons:
    """Judge tests together that were made before, each of one pair, as `family` does.

    Parameters
    ----------
    made : sequence of NetworkTest
    pairs : sequence of (str, str)
        The models of each.
    correlation : callable
        Places of the pairs that vary -> correlation matrix of their differences; None for Holm.
    reach : ndarray, shape (n_pairs,)
        No difference is larger.
    settled : ndarray of bool, shape (n_pairs,)
        Whether a test has the degrees of freedom that a verdict takes.
    """
    check_confidence(confidence)
    first, second = tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
    estimate, error, alone, low, high, statistic = (
        np.array([getattr(test, name) for test in made], dtype=float)
        for name in ("estimate", "standard_error", "pvalue", "ci_low", "ci_high", "statistic")
    )
    df = np.array([np.nan if test.df is None else test.df for test in made], dtype=float)
    holm = adjust_known(np.where(settled, alone, np.nan), "holm")
    found = Comparisons(
        method=made[0].method,
        question="do the two differ, when all pairs of the family are looked at together?",
        first=first,
        second=second,
        estimate=estimate,
        standard_error=error,
        statistic=statistic,
        df=None if all(test.df is None for test in made) else df,
        pvalue=alone,
        adjusted_pvalue=holm,
        ci_low=low,
        ci_high=high,
        confidence=confidence,
        adjustment=HOLM,
        interval="one pair",
        degenerate=~(error > 0),
        details=MappingProxyType(
            {"holm_pvalue": holm, "pointwise_low": low, "pointwise_high": high}
        ),
        notes=_notes(error),
    )
    live = np.flatnonzero((error > 0) & (df > 0) & settled).tolist()
    joint = correlation(live) if live else None
    if joint is None:
        return found
    found = _joint(found, live, joint, seed)
    low, high = np.maximum(found.ci_low, -reach), np.minimum(found.ci_high, reach)
    return replace(found, ci_low=low, ci_high=high)


def _joint(found: Comparisons, live: list[int], correlation: Floats, seed: int) -> Comparisons:
    """Adjust the pairs that vary together by max-t; leave the others as they are."""
    assert found.df is not None  # noqa: S101 - pairs that vary have degrees of freedom
    joint = max_t_comparisons(
        found.estimate[live],
        correlation * np.outer(found.standard_error[live], found.standard_error[live]),
        first=[found.first[i] for i in live],
        second=[found.second[i] for i in live],
        df=found.df[live],
        confidence=found.confidence,
        seed=seed,
    )
    # a pair outside the family is the same, or has no answer
    adjusted = np.where(found.adjusted_pvalue == 1, 1.0, np.nan)
    low, high = found.ci_low.copy(), found.ci_high.copy()
    adjusted[live] = np.maximum(joint.adjusted_pvalue, found.pvalue[live])
    low[live], high[live] = joint.ci_low, joint.ci_high
    critical = np.full(found.estimate.size, np.nan)
    critical[live] = joint.details["critical_value"]
    return replace(
        found,
        method=f"{found.method}, {MAX_T}",
        adjusted_pvalue=adjusted,
        ci_low=low,
        ci_high=high,
        adjustment=MAX_T,
        interval="simultaneous",
        details=MappingProxyType({**found.details, "critical_value": critical}),
    )


def _unsettled(procedure: Procedure, settled: NDArray[np.bool_]) -> tuple[str, ...]:
    """Return what becomes of pairs with too few degrees of freedom; verdicts say it of one."""
    number = int((~settled).sum())
    if settled.size == 1:
        return ()
    pairs = "1 pair has" if number == 1 else f"{number:,} pairs have"
    more = "predictions alone cannot settle them; hand in the models themselves"
    if procedure.needs == "models":
        more = f"a larger {option('budget')} brings more"
    few = f"{pairs} fewer than {procedure.least_df:g} degrees of freedom and no verdict"
    return (f"{few}: {more}",)


def _notes(error: Floats) -> tuple[str, ...]:
    still = int((error == 0).sum())
    if not still:
        return ()
    pairs = (
        "1 pair does not vary at all and is"
        if still == 1
        else (f"{still} pairs do not vary at all and are")
    )
    return (f"{pairs} not in the family",)
