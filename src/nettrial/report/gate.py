"""Whether a model may ship: a result against a condition, for builds that one exit status ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from ..checking.check import check
from ..checking.identical import same_predictions
from ..comparison.grouped import GroupedComparison
from ..comparison.grouped_models import MultipleGroupedComparison
from ..comparison.multiple import MultipleComparison
from ..comparison.result import Comparison, OfSeveral
from ..core.arguments import check_arguments
from ..core.errors import InputError, shown, unknown_choice
from ..core.finding import Finding
from ..core.option_names import option
from ..core.wording import plural
from ..inference.registry import PROCEDURES
from ..metrics.amounts import amount_with_unit, interval, noun
from ..metrics.measures import measure_named
from ..study.node_study import Predictions
from .describe.claims import too_few

if TYPE_CHECKING:
    from ..metrics.measures import Measure, MeasureLike

Unsettled: TypeAlias = Literal["fail", "pass"]
KINDS = (Comparison, MultipleComparison, GroupedComparison, MultipleGroupedComparison)
CONDITIONS = ("worse", "not-better", "worse-by=MARGIN", "check")


class Gate(NamedTuple):
    """What a result says of a condition.

    Attributes
    ----------
    settled : bool
        Whether the data decided; False where `on_unsettled` did.
    sentence : str
        Why.
    """

    passed: bool
    settled: bool
    sentence: str


class _Difference(NamedTuple):
    """New minus old."""

    new: str
    old: str
    measure: Measure
    estimate: float
    low: float
    high: float
    pvalue: float
    confidence: float
    lacks: str  # why the test has no answer that can be a verdict; empty where it has one
    same: str  # what the two share, so that nothing varies and no test has an answer; else empty
    tested: str  # on how many nodes, links or items

    @property
    def ends(self) -> tuple[float, float]:
        """The interval of how much worse the new model is."""
        ends = self.measure.sign * self.low, self.measure.sign * self.high
        return min(ends), max(ends)

    @property
    def says(self) -> Literal["worse", "better", ""]:
        """What the test of the verdict claims of the new model."""
        if self.lacks or not self.pvalue < 1 - self.confidence:
            return ""
        return "worse" if self.measure.sign * self.estimate > 0 else "better"


def check_conditions(conditions: Sequence[str], measure: Measure | None = None) -> None:
    """Refuse conditions that do not exist, before any model runs.

    Margins as large as the range of a measure are refused where it is known.

    Examples
    --------
    >>> check_conditions(["worse-by=0.01"])
    >>> check_conditions(["wors"])
    Traceback (most recent call last):
    nettrial.InputError: fail_if: unknown 'wors'; did you mean 'worse'? (one of worse, not-better,
    worse-by=MARGIN, check)
    """
    if not conditions:
        raise InputError(parameter="fail_if", expected="at least one condition", got="none")
    for condition in conditions:
        if condition.startswith("worse-by"):
            _margin(condition, measure)
        elif condition not in CONDITIONS:
            raise unknown_choice("fail_if", condition, CONDITIONS)


def known_measure(asked: MeasureLike | None) -> Measure | None:
    """Return the measure that is asked for where nodes have it; None where it is not known yet.

    Measures of links have the names and ranges of those of nodes. What is no measure is refused
    where the models are.
    """
    try:
        return None if asked is None else measure_named(asked)
    except InputError:
        return None


def _margin(condition: str, measure: Measure | None) -> float:
    try:
        margin = float(condition.removeprefix("worse-by="))
    except ValueError:
        margin = math.nan
    if not 0 < margin < math.inf:
        raise InputError(
            parameter="fail_if",
            expected="a margin above 0 in the units of the measure, such as worse-by=0.01",
            got=shown(condition),
        )
    if measure is not None and margin >= measure.reach:
        raise InputError(
            parameter="fail_if",
            expected=f"a margin below {measure.reach:g}, the range of the {noun(measure)}"
            + "; 0.01 is one percentage point" * measure.shares,
            got=shown(condition),
        )
    return margin


@check_arguments
def gate(found: Finding, conditions: Sequence[str], *, on_unsettled: Unsettled = "fail") -> Gate:
    """Hold a comparison against the conditions under which a build fails.

    Parameters
    ----------
    found : Comparison, GroupedComparison, MultipleComparison or MultipleGroupedComparison
        Model a is the new one and b the old one; of several models the control is the old one and
        every other one is new.
    conditions : sequence of str
        At least one. "worse" fails where the verdict is that the new model is worse, and is
        unsettled without a significant difference. "not-better" fails unless the verdict is that
        the new model is better. "worse-by=0.01" passes where the interval of the difference ends
        below a loss of 0.01, fails where it begins above it, and is unsettled in between. Margins
        are in the units of the measure. "check" fails where `nettrial.check` finds a problem.
    on_unsettled : {"fail", "pass"}
        What follows where the data cannot decide, also where the test has too few degrees of
        freedom for a verdict, or no p-value. Models that predict the same or, under the error
        rate, make the same errors are decided: neither worse nor better.

    Returns
    -------
    Gate
        It passes where every condition passes for every new model. Its sentence is that of the
        first failure that the data decided, else of the first failure, else of the first pass
        that they did not decide. Where they decided all, it names every new model and condition.

    Raises
    ------
    InputError
        For no condition or one that does not exist, a margin as large as the range of the
        measure, several models without control, or another kind of result.

    Examples
    --------
    >>> import nettrial
    >>> found = nettrial.compare_grouped([1, 0, 1, 1, 0, 1], [0, 0, 1, 1, 0, 1], list("ppqqrr"))
    >>> gate(found, ["worse"]).settled
    False
    """
    check_conditions(conditions)
    reached = []
    for condition in conditions:
        if condition == "check":
            reached.append(_checked(found))
        else:
            reached += [_judged(each, condition, on_unsettled) for each in _differences(found)]
    failed = [each for each in reached if not each.passed]
    if failed:
        return next((each for each in failed if each.settled), failed[0])
    unsettled = next((each for each in reached if not each.settled), None)
    if unsettled is not None:
        return unsettled
    said = dict.fromkeys(each.sentence.removeprefix("passed: ") for each in reached)
    return Gate(True, True, f"passed: {'; '.join(said)}")


def _checked(found: Finding) -> Gate:
    if not isinstance(found, KINDS):
        raise _other_kind(found)
    made = check(found)
    word = "failed" if made.problems else "passed"
    return Gate(not made.problems, True, f"{word}: {made.verdict}")


def _other_kind(found: Finding) -> InputError:
    expected = "the result of a comparison on one network"
    return InputError(expected=expected, got=type(found).__name__, where="gate")


def check_gated(found: type, control: str | None) -> None:
    """Refuse several models of which none is the old one."""
    if issubclass(found, OfSeveral) and control is None:
        raise InputError(
            f"of several models {option('fail_if')} needs {option('control')}, the model that the "
            "others are held against"
        )


def _differences(found: Finding) -> list[_Difference]:
    if isinstance(found, (Comparison, GroupedComparison)):
        test = found.test(found.recommended)
        worth = test if found.prior_tests is None else found.prior_tests.fixed
        numbers = float(worth.ci_low), float(worth.ci_high), float(worth.pvalue)
        same = _same(found, found.a, found.b)
        about = found.a, found.b, found.measure, found.difference
        lacks = _lacks(found.recommended, None if found.settled else test.df, numbers[2])
        return [_Difference(*about, *numbers, found.confidence, lacks, same, _tested(found))]
    if not isinstance(found, OfSeveral):
        raise _other_kind(found)
    check_gated(type(found), found.control)
    pairs, settled, differences = found.pairs, found.settled, []
    for i, (first, second) in enumerate(zip(pairs.first, pairs.second)):
        numbers = float(pairs.ci_low[i]), float(pairs.ci_high[i]), float(pairs.adjusted_pvalue[i])
        estimate = float(pairs.estimate[i])
        if first == found.control:
            first, second, estimate = second, first, -estimate
            numbers = -numbers[1], -numbers[0], numbers[2]
        same = _same(found, first, second)
        about = first, second, found.measure, estimate
        df = None if pairs.df is None else float(pairs.df[i])
        lacks = _lacks(found.recommended, None if settled[i] else df, numbers[2])
        differences.append(
            _Difference(*about, *numbers, found.confidence, lacks, same, _tested(found))
        )
    return differences


def _same(found: Comparison | GroupedComparison | OfSeveral, first: str, second: str) -> str:
    """Return what two models that never differ share; empty where they differ anywhere."""
    if isinstance(found, MultipleGroupedComparison):
        pairs = list(zip(found.pairs.first, found.pairs.second))
        row = pairs.index((first, second) if (first, second) in pairs else (second, first))
        still = found.pairs.degenerate[row] and found.pairs.pvalue[row] == 1
        return "scores the same in every group as" if still else ""
    if isinstance(found, GroupedComparison):
        spread = next((t.standard_error for t in found.tests if t.name == "paired_t"), math.nan)
        return "has the same scores as" if found.difference == 0 == spread else ""
    assert isinstance(found, (Comparison, MultipleComparison))  # noqa: S101 - what else there is
    if same_predictions(found.predictions, first, second):
        return "predicts the same as"
    if found.measure.name != "error" or not isinstance(found.predictions, Predictions):
        return ""
    both = found.predictions.errors(first), found.predictions.errors(second)
    return "makes the same errors as" if np.array_equal(*both) else ""


def _lacks(test: str, df: float | None, pvalue: float) -> str:
    """Return why the test of a verdict settles nothing; empty where it can."""
    if test in PROCEDURES and not PROCEDURES[test].settles(df):
        return f"too few degrees of freedom, as {too_few(test, df)}"
    return "the test of the verdict has no p-value" if math.isnan(pvalue) else ""


def _tested(found: Comparison | GroupedComparison | OfSeveral) -> str:
    """Return how many test nodes, links or items there are."""
    if isinstance(found, (GroupedComparison, MultipleGroupedComparison)):
        return f"{plural(found.n_items, 'item')} in {plural(found.n_groups, 'group')}"
    assert isinstance(found, (Comparison, MultipleComparison))  # noqa: S101 - what else there is
    splits = found.predictions.splits
    tested = np.unique(np.concatenate([split.test for split in splits])).size
    return plural(tested, f"test {found.predictions.task.items.removesuffix('s')}")


def _judged(d: _Difference, condition: str, on_unsettled: Unsettled) -> Gate:
    if d.same:
        passed = condition != "not-better"
        word = "passed" if passed else "failed"
        return Gate(passed, True, f"{word}: {d.new} {d.same} {d.old}")
    claimed = d.says
    if condition == "worse":
        if claimed:
            return _settled(d, claimed == "better", f"{d.new} is {claimed} than {d.old}")
        return _open(d, f"whether {d.new} is worse than {d.old}", "0", on_unsettled)
    if condition == "not-better":
        if not d.lacks:
            shown_better = "is better" if claimed == "better" else "is not shown to be better"
            return _settled(d, claimed == "better", f"{d.new} {shown_better} than {d.old}")
        return _open(d, f"whether {d.new} is better than {d.old}", "0", on_unsettled)
    margin, (low, high) = _margin(condition, d.measure), d.ends
    by = amount_with_unit(d.measure, margin)
    if not d.lacks and high < margin:
        return _settled(d, True, f"{d.new} is worse than {d.old} by less than {by}")
    if not d.lacks and low > margin:
        return _settled(d, False, f"{d.new} is worse than {d.old} by more than {by}")
    return _open(d, f"whether {d.new} is worse than {d.old} by {by}", by, on_unsettled)


def _settled(d: _Difference, passed: bool, what: str) -> Gate:
    return Gate(passed, True, f"{'passed' if passed else 'failed'}: {what} ({_numbers(d)})")


def _open(d: _Difference, what: str, bound: str, on_unsettled: Unsettled) -> Gate:
    passed = on_unsettled == "pass"
    how = f"{'passed' if passed else 'failed'}, as {option('on_unsettled', on_unsettled)} says"
    small = "a difference of this size" if bound == "0" else "this margin"
    why = d.lacks or f"{d.tested} are too few for {small}, as the interval holds {bound}"
    return Gate(passed, False, f"{how}: cannot tell {what}: {why} ({_numbers(d)})")


def _numbers(d: _Difference) -> str:
    return (
        f"{noun(d.measure)} difference "
        f"{amount_with_unit(d.measure, d.estimate, (d.low, d.high))}, {d.measure.better} is "
        f"better, {interval(d.low, d.high, d.confidence, d.measure)}"
    )
