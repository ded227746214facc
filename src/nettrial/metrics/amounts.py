"""Values of a measure as text: with its unit, its decimals, its better direction."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..core.results import show
from ..core.wording import level, points
from .measures import MEASURES, Measure


def amount(measure: Measure, value: float, beside: Sequence[float] = ()) -> str:
    """Write a value of a measure, or a difference, without its unit.

    Shares are in percentage points, other bounded measures have four decimals, unbounded ones
    four significant digits, or the decimals that the largest of the values `beside` it has so.

    Examples
    --------
    >>> amount(MEASURES["auc"], 0.0123), amount(MEASURES["log_loss"], -0.01234)
    ('1.2', '-0.0123')
    >>> squared = MEASURES["squared_error"]
    >>> amount(squared, 5.4671), amount(squared, 5.4671, (-22.35,)), amount(squared, 1234567.8)
    ('5.467', '5.47', '1,234,568')
    """
    if measure.shares or not math.isfinite(value):
        return points(value)
    if math.isinf(measure.largest):
        known = (abs(each) for each in beside or (value,) if math.isfinite(each))
        largest = max(known, default=0.0)
        if not (beside or largest >= 1e3) or not 1e-4 <= largest < 1e9:
            return show(float(value))
        decimals = max(3 - math.floor(math.log10(largest)), 0)
        return f"{round(value, decimals) + 0.0:,.{decimals}f}"
    return f"{round(value, 4) + 0.0:.4f}"


def amount_with_unit(measure: Measure, value: float, beside: Sequence[float] = ()) -> str:
    """Write a difference of a measure with its unit, see `amount`.

    Examples
    --------
    >>> amount_with_unit(MEASURES["error"], 0.01), amount_with_unit(MEASURES["log_loss"], 0.01)
    ('1.0 percentage points', '0.0100')
    >>> amount_with_unit(MEASURES["absolute_error"], 0.5)
    '0.5 units of the target'
    """
    unit = "percentage points" if measure.shares else measure.unit
    return f"{amount(measure, value, beside)} {unit}".rstrip()


def margin_with_unit(measure: Measure, margin: float) -> str:
    """Write a margin of a measure as it was given, with its unit.

    Examples
    --------
    >>> margin_with_unit(MEASURES["error"], 0.01), margin_with_unit(MEASURES["auc"], 0.005)
    ('1 percentage point', '0.5 percentage points')
    >>> margin_with_unit(MEASURES["log_loss"], 0.05)
    '0.05'
    """
    if not measure.shares:
        return f"{margin:g} {measure.unit}".rstrip()
    number = f"{100 * margin:g}"
    return f"{number} percentage point{'s' * (number != '1')}"


def mean_of(measure: Measure, value: float) -> str:
    """Write the mean of a measure with its unit.

    Examples
    --------
    >>> mean_of(MEASURES["error"], 0.1234), mean_of(MEASURES["log_loss"], 0.5)
    ('12.3%', '0.5000')
    """
    return f"{value:.1%}" if measure.shares else amount(measure, value)


def unit(measure: Measure) -> str:
    """Return the name of what is compared, with its unit, for the head of a table.

    Examples
    --------
    >>> unit(MEASURES["error"]), unit(MEASURES["log_loss"])
    ('error rate in percentage points; lower is better', 'log loss; lower is better')
    """
    named = "percentage points" if measure.shares else measure.unit
    return f"{measure.title}{named and f' in {named}'}; {measure.better} is better"


def noun(measure: Measure) -> str:
    """Return the name of what is compared, in a sentence.

    Examples
    --------
    >>> noun(MEASURES["error"]), noun(MEASURES["squared_loss"])
    ('error rate', 'squared loss')
    """
    return measure.title.partition(" (")[0]


def column_head(measure: Measure) -> str:
    """Return the head a column of values of a measure.

    Examples
    --------
    >>> column_head(MEASURES["error"]), column_head(MEASURES["log_loss"])
    ('error rate (%)', 'log loss')
    """
    return f"{noun(measure)}{' (%)' * measure.shares}"


def best_words(measure: Measure) -> str:
    """Return the name of the value that the best model has.

    Examples
    --------
    >>> best_words(MEASURES["error"]), best_words(MEASURES["auc"])
    ('lowest error rate', 'highest AUC')
    """
    return f"{'lowest' if measure.better == 'lower' else 'highest'} {noun(measure)}"


def best_marked(
    measure: Measure, values: Sequence[float], beside: Sequence[float] = ()
) -> list[bool]:
    """Return which values look as good as the best one where they are printed.

    Examples
    --------
    >>> best_marked(MEASURES["error"], [0.12342, 0.12338, 0.2])
    [True, True, False]
    """
    best = amount(measure, measure.sign * min(measure.sign * value for value in values), beside)
    return [amount(measure, value, beside) == best for value in values]


NO_USE = "no usable interval"


def says_nothing(measure: Measure, low: float, high: float) -> bool:
    """Return whether an interval is as wide as all the values that a measure can take.

    Examples
    --------
    >>> error = MEASURES["error"]
    >>> says_nothing(error, -1.0, 1.0), says_nothing(error, -0.3, 0.2)
    (True, False)
    """
    return high - low >= measure.reach * (1 - 1e-9)


def interval(
    low: float,
    high: float,
    confidence: float,
    measure: Measure = MEASURES["error"],
    beside: Sequence[float] = (),
) -> str:
    """Write the interval of a difference, of shares in percentage points, or that there is none.

    One that holds as many values as the measure has is of no use.

    Its ends have the same number of decimals, that of the largest of them or of what is `beside`.

    Examples
    --------
    >>> interval(-1.0, 1.0, 0.95)
    'no usable interval'
    >>> interval(-0.01, 0.02, 0.95), interval(float("nan"), float("nan"), 0.95)
    ('95% confidence interval -1.0 to 2.0', 'no interval')
    """
    if math.isnan(low) or math.isnan(high):
        return "no interval"
    if says_nothing(measure, low, high):
        return NO_USE
    around = beside or (low, high)
    ends = " to ".join(amount(measure, end, around) for end in (low, high))
    return f"{level(confidence)} confidence interval {ends}"


def signed(value: float, measure: Measure = MEASURES["error"], beside: Sequence[float] = ()) -> str:
    """Write a value of a measure, or a difference, with a true minus sign; see `amount`.

    Examples
    --------
    >>> signed(-0.0123), signed(float("nan")), signed(-0.0123, MEASURES["log_loss"])
    ('−1.2', '–', '−0.0123')
    """
    text = amount(measure, value, beside)
    return "–" if text == "-" else text.replace("-", "−")
