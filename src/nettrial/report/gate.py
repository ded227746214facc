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
from ..comparison.options import not_used
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
CHECK = "check"  # the condition without a direction
CONDITIONS = ("worse", "not-better", "worse-by=MARGIN", CHECK)


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
def gate(
    found: Finding,
    conditions: Sequence[str],
    *,
    new: str | None = None,
    on_unsettled: Unsettled = "fail",
) -> Gate:
    """Hold a comparison against the conditions under which a build fails.

    Parameters
    ----------
    found : Comparison, GroupedComparison, MultipleComparison or MultipleGroupedComparison
        Of several models the control is the old one and every other one is new.
    conditions : sequence of str
        At least one. "worse" fails where the verdict is that the new model is worse, and is
        unsettled without a significant difference. "not-better" fails unless the verdict is that
        the new model is better. "worse-by=0.01" passes where the interval of the difference ends
        below a loss of 0.01, fails where it begins above it, and is unsettled in between. Margins
        are in the units of the measure. "check" fails where `nettrial.check` finds a problem.
    new : str, optional
        Which of two models is the new one, by default model a. It has no default where predictions
        were read, since the order of a file does not say it.
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
        measure, several models without control, predictions without `new`, or another kind of
        result.

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
        if condition == CHECK:
            reached.append(_checked(found))
        else:
            reached += [_judged(each, condition, on_unsettled) for each in _differences(found, new)]
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


def _differences(found: Finding, new: str | None) -> list[_Difference]:
    if isinstance(found, (Comparison, GroupedComparison)):
        test = found.test(found.recommended)
        worth = test if found.prior_tests is None else found.prior_tests.fixed
        numbers = found.difference, float(worth.ci_low), float(worth.ci_high), float(worth.pvalue)
        df = None if found.settled else test.df
        return [_difference(found, (found.a, found.b), _old_of_two(found, new), numbers, df)]
    if not isinstance(found, OfSeveral):
        raise _other_kind(found)
    check_gated(type(found), found.control)
    if new is not None:
        raise not_used("new", "several models", "gate")
    pairs, settled, differences = found.pairs, found.settled, []
    columns = pairs.estimate, pairs.ci_low, pairs.ci_high, pairs.adjusted_pvalue
    for i, both in enumerate(zip(pairs.first, pairs.second)):
        df = None if settled[i] or pairs.df is None else float(pairs.df[i])
        estimate, low, high, pvalue = (float(column[i]) for column in columns)
        numbers = estimate, low, high, pvalue
        differences.append(_difference(found, both, found.control, numbers, df))
    return differences


def _old_of_two(found: Comparison | GroupedComparison, new: str | None) -> str:
    """Return the old one of two models; refuse to take it from the order of a file."""
    if new is None and isinstance(found, Comparison) and found.settings.get("predictions"):
        raise InputError(
            parameter="new", expected=f"{shown(found.a)} or {shown(found.b)}", got="none",
            hint="the order of predictions does not say which model is new",
        )  # fmt: skip
    if new is not None and new not in (found.a, found.b):
        raise unknown_choice("new", new, (found.a, found.b))
    return found.a if new == found.b else found.b


def _difference(
    found: Comparison | GroupedComparison | OfSeveral,
    both: tuple[str, str],
    old: str | None,
    numbers: tuple[float, float, float, float],
    df: float | None,
) -> _Difference:
    """Return new minus old, from the estimate, interval and p-value of the first minus the second.

    `df` is None where the degrees of freedom settle the verdict.
    """
    estimate, low, high, pvalue = numbers
    if both[0] == old:
        both, estimate, low, high = (both[1], both[0]), -estimate, -high, -low
    lacks, same = _lacks(found.recommended, df, pvalue), _same(found, *both)
    about = *both, found.measure, estimate, low, high, pvalue, found.confidence
    return _Difference(*about, lacks, same, _tested(found))


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
        return _settled(d, True, f"{d.new} is not worse than {d.old} by {by} or more")
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
