"""Whether a model may ship: a result against a condition, for builds that one exit status ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from ..checking.check import check
from ..checking.identical import same_predictions
from ..comparison.grouped import GroupedComparison
from ..comparison.multiple import MultipleComparison
from ..comparison.result import Comparison
from ..core.arguments import check_arguments
from ..core.errors import InputError, shown, unknown_choice
from ..core.finding import Finding
from ..core.option_names import option
from ..inference.registry import PROCEDURES
from ..metrics.amounts import amount_with_unit, interval, noun

if TYPE_CHECKING:
    from ..metrics.measures import Measure

Unsettled: TypeAlias = Literal["fail", "pass"]
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
    settled: bool  # the test has an answer, and the degrees of freedom that a verdict takes
    same: bool  # the two predict the same, so that nothing varies and no test has an answer

    @property
    def ends(self) -> tuple[float, float]:
        """The interval of how much worse the new model is."""
        ends = self.measure.sign * self.low, self.measure.sign * self.high
        return min(ends), max(ends)

    @property
    def says(self) -> Literal["worse", "better", ""]:
        """What the test of the verdict claims of the new model."""
        if not self.settled or not self.pvalue < 1 - self.confidence:
            return ""
        return "worse" if self.measure.sign * self.estimate > 0 else "better"


def check_conditions(conditions: Sequence[str]) -> None:
    """Refuse conditions that do not exist, before any model runs.

    Examples
    --------
    >>> check_conditions(["worse-by=0.01"])
    >>> check_conditions(["wors"])
    Traceback (most recent call last):
    nettrial.InputError: fail_if: unknown 'wors'; did you mean 'worse'? (one of worse, not-better,
    worse-by=MARGIN, check)
    """
    for condition in conditions:
        if condition.startswith("worse-by"):
            _margin(condition)
        elif condition not in CONDITIONS:
            raise unknown_choice("fail_if", condition, CONDITIONS)


def _margin(condition: str) -> float:
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
    return margin


@check_arguments
def gate(found: Finding, conditions: Sequence[str], *, on_unsettled: Unsettled = "fail") -> Gate:
    """Hold a comparison against the conditions under which a build fails.

    Parameters
    ----------
    found : Comparison, GroupedComparison or MultipleComparison
        Model a is the new one and b the old one; of several models the control is the old one and
        every other one is new.
    conditions : sequence of str
        "worse" fails where the verdict is that the new model is worse, and is unsettled without a
        significant difference. "not-better" fails unless the verdict is that the new model is
        better. "worse-by=0.01" passes where the interval of the difference ends below a loss of
        0.01, fails where it begins above it, and is unsettled in between. Margins are in the units
        of the measure. "check" fails where `nettrial.check` finds a problem.
    on_unsettled : {"fail", "pass"}
        What follows where the data cannot decide, also where the test has too few degrees of
        freedom for a verdict, or no p-value. Models that predict the same are decided.

    Returns
    -------
    Gate
        With the sentence of the first failure, or of the last condition.

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
    unsettled = [each for each in reached if not each.settled]
    return (failed or unsettled or reached)[0]


def _checked(found: Finding) -> Gate:
    if not isinstance(found, (Comparison, MultipleComparison, GroupedComparison)):
        raise _other_kind(found)
    made = check(found)
    word = "failed" if made.problems else "passed"
    return Gate(not made.problems, True, f"{word}: {made.verdict}")


def _other_kind(found: Finding) -> InputError:
    expected = "the result of a comparison on one network"
    return InputError(expected=expected, got=type(found).__name__, where="gate")


def check_gated(found: type, control: str | None) -> None:
    """Refuse several models of which none is the old one."""
    if issubclass(found, MultipleComparison) and control is None:
        raise InputError(
            f"of several models {option('fail_if')} needs {option('control')}, the model that the "
            "others are held against"
        )


def _differences(found: Finding) -> list[_Difference]:
    if isinstance(found, (Comparison, GroupedComparison)):
        test = found.test(found.recommended)
        worth = test if found.prior_tests is None else found.prior_tests.fixed
        numbers = float(worth.ci_low), float(worth.ci_high), float(worth.pvalue)
        same = not isinstance(found, GroupedComparison) and same_predictions(
            found.predictions, found.a, found.b
        )
        about = found.a, found.b, found.measure, found.difference
        settled = found.settled and not math.isnan(numbers[2])
        return [_Difference(*about, *numbers, found.confidence, settled, same)]
    if not isinstance(found, MultipleComparison):
        raise _other_kind(found)
    check_gated(type(found), found.control)
    pairs, differences = found.pairs, []
    procedure = PROCEDURES.get(found.recommended)
    for i, (first, second) in enumerate(zip(pairs.first, pairs.second)):
        numbers = float(pairs.ci_low[i]), float(pairs.ci_high[i]), float(pairs.adjusted_pvalue[i])
        estimate = float(pairs.estimate[i])
        if first == found.control:
            first, second, estimate = second, first, -estimate
            numbers = -numbers[1], -numbers[0], numbers[2]
        same = same_predictions(found.predictions, first, second)
        about = first, second, found.measure, estimate
        df = None if pairs.df is None else float(pairs.df[i])
        settled = not math.isnan(numbers[2]) and (procedure is None or procedure.settles(df))
        differences.append(_Difference(*about, *numbers, found.confidence, settled, same))
    return differences


def _judged(d: _Difference, condition: str, on_unsettled: Unsettled) -> Gate:
    if d.same:
        passed = condition != "not-better"
        word = "passed" if passed else "failed"
        return Gate(passed, True, f"{word}: {d.new} predicts the same as {d.old}")
    claimed = d.says
    if condition == "worse":
        if claimed:
            return _settled(d, claimed == "better", f"{d.new} is {claimed} than {d.old}")
        return _open(d, f"whether {d.new} is worse than {d.old}", on_unsettled)
    if condition == "not-better":
        if d.settled:
            shown_better = "is better" if claimed == "better" else "is not shown to be better"
            return _settled(d, claimed == "better", f"{d.new} {shown_better} than {d.old}")
        return _open(d, f"whether {d.new} is better than {d.old}", on_unsettled)
    margin, (low, high) = _margin(condition), d.ends
    by = amount_with_unit(d.measure, margin)
    if d.settled and high < margin:
        return _settled(d, True, f"{d.new} is worse than {d.old} by less than {by}")
    if d.settled and low > margin:
        return _settled(d, False, f"{d.new} is worse than {d.old} by more than {by}")
    return _open(d, f"whether {d.new} is worse than {d.old} by {by}", on_unsettled)


def _settled(d: _Difference, passed: bool, what: str) -> Gate:
    return Gate(passed, True, f"{'passed' if passed else 'failed'}: {what} ({_numbers(d)})")


def _open(d: _Difference, what: str, on_unsettled: Unsettled) -> Gate:
    passed = on_unsettled == "pass"
    how = f"{'passed' if passed else 'failed'}, as {option('on_unsettled', on_unsettled)} says"
    return Gate(passed, False, f"{how}: cannot tell {what} ({_numbers(d)})")


def _numbers(d: _Difference) -> str:
    return (
        f"{noun(d.measure)} difference "
        f"{amount_with_unit(d.measure, d.estimate, (d.low, d.high))}, {d.measure.better} is "
        f"better, {interval(d.low, d.high, d.confidence, d.measure, (d.estimate,))}"
    )
