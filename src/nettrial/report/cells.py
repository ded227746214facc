"""Cells of a table: each knows its value and how it is written, whatever renders it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..core.results import counted
from ..core.wording import bare_p, df_text, points
from ..metrics.amounts import NO_USE, amount, mean_of, says_nothing
from ..metrics.measures import Measure
from ..stats.comparisons import Comparisons

Kind: TypeAlias = Literal["words", "code", "measure", "interval", "p", "count", "share", "number"]
NONE = "-"  # what a cell without a value holds; renderers write the dash of their kind


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell."""

    text: str  # as it is written in plain text; "-" where there is no value
    # what it holds. Words and code may hold names, which renderers escape; all other kinds are
    # numbers, which they set flush right with true minus signs.
    kind: Kind = "words"
    value: Any = None  # what the text was made from
    best: bool = False  # whether it is the best of its kind, or looks as good as it
    small: str = ""  # an explanation below it, on pages
    notes: tuple[int, ...] = ()  # numbers of the document's warnings that concern it, from 1
    sign: str = ""  # a symbol before it, the one of a figure

    @property
    def is_number(self) -> bool:
        """Whether it holds a number or several."""
        return self.kind not in ("words", "code")

    @property
    def typeset(self) -> str:
        """Its text with the minus sign between the names of a difference."""
        names = self.kind == "words" and isinstance(self.value, tuple)
        return " − ".join(self.value) if names else self.text


def words(text: object, *, small: str = "", sign: str = "") -> Cell:
    return Cell(str(text), "words", text, small=small, sign=sign)


def difference(a: str, b: str) -> Cell:
    """Make a cell of two models' names, whose difference stands beside it.

    Examples
    --------
    >>> difference("gcn", "my-mlp").text, difference("gcn", "my-mlp").typeset
    ('gcn - my-mlp', 'gcn − my-mlp')
    """
    return Cell(f"{a} - {b}", "words", (a, b))


def code(text: object, *, small: str = "", notes: tuple[int, ...] = ()) -> Cell:
    """Make a cell of a name that users type."""
    return Cell(str(text), "code", text, small=small, notes=notes)


def value(
    measure: Measure, number: float, *, best: bool = False, beside: Sequence[float] = ()
) -> Cell:
    """Make a cell of a value or difference of a measure; shares in percentage points.

    For `beside` see `amount`: with the values of a column its cells have as many decimals.

    Examples
    --------
    >>> from nettrial.metrics.measures import MEASURES
    >>> value(MEASURES["error"], -0.0123).text
    '-1.2'
    """
    return Cell(amount(measure, float(number), beside), "measure", number, best=best)


def mean(measure: Measure, number: float) -> Cell:
    """Make a cell of a mean with its unit."""
    return Cell(mean_of(measure, float(number)), "measure", number)


def mean_and_sd(measure: Measure, scores: ArrayLike, *, beside: Sequence[float] = ()) -> Cell:
    """Make a cell of the mean of some splits with their standard deviation, as papers print it.

    Examples
    --------
    >>> from nettrial.metrics.measures import MEASURES
    >>> mean_and_sd(MEASURES["error"], [0.2, 0.22]).text
    '21.0 ± 1.4'
    """
    values = np.asarray(scores, dtype=float)
    center, several = float(values.mean()), values.size > 1
    spread = float(values.std(ddof=1)) if several else math.nan
    text = amount(measure, center, beside)
    if several:
        text += f" ± {amount(measure, spread, (center, *beside))}"
    return Cell(text, "measure", (center, spread))


def interval(measure: Measure, low: float, high: float, *, beside: Sequence[float] = ()) -> Cell:
    """Make a cell of an interval, whose ends have as many decimals.

    Examples
    --------
    >>> from nettrial.metrics.measures import MEASURES
    >>> interval(MEASURES["error"], -0.01, 0.02).text
    '-1.0 to 2.0'
    >>> interval(MEASURES["error"], -1.0, 1.0).text
    'no usable interval'
    """
    low, high = float(low), float(high)
    if says_nothing(measure, low, high):
        return Cell(NO_USE, "interval", (low, high))
    text = " to ".join(amount(measure, end, beside or (low, high)) for end in (low, high))
    return Cell(NONE if math.isnan(low) or math.isnan(high) else text, "interval", (low, high))


def pvalue(p: float) -> Cell:
    return Cell(bare_p(float(p)), "p", p)


def df(number: float | None, *, beside: Sequence[float | None] = ()) -> Cell:
    """Make a cell of degrees of freedom, with as many decimals as those `beside` it.

    Examples
    --------
    >>> df(3.9).text, df(9.0).text, df(9.0, beside=[3.9]).text, df(None).text
    ('3.90', '9', '9.00', '-')
    """
    text = df_text(number)
    if text.isdecimal() and any("." in df_text(each) for each in beside):
        text += ".00"
    return Cell(text, "number", number)


def count(number: int) -> Cell:
    return Cell(f"{number:,}", "count", number)


def share(number: float, digits: int = 0) -> Cell:
    """Make a cell of a share in percent.

    Examples
    --------
    >>> share(0.3).text, share(0.125, 1).text
    ('30%', '12.5%')
    """
    return Cell(f"{number:.{digits}%}", "share", number)


def difference_of_shares(number: float) -> Cell:
    """Make a cell of a difference of shares, in percentage points."""
    return Cell(points(float(number)), "measure", number)


def number(value: float | None, form: str = "") -> Cell:
    """Make a cell of any other number: four significant digits, or in the form given.

    Zeros at the end count as digits; whole numbers stay whole.

    Examples
    --------
    >>> number(0.123456).text, number(float("nan")).text, number(2.0, ".3f").text
    ('0.1235', '-', '2.000')
    >>> number(0.54).text, number(137.0).text, number(1065.3).text
    ('0.5400', '137', '1,065')
    """
    if value is None or math.isnan(value):
        return Cell(NONE, "number", value)
    if not form and abs(value) < 1000 and not float(value).is_integer():
        form = "#.4g"
    text = format(float(value), form).rstrip(".") if form else counted("", value)
    return Cell(text, "number", value)


def numbers(text: str, value: Any = None, *, best: bool = False) -> Cell:
    """Make a cell of several numbers that are written already."""
    return Cell(text, "number", value, best=best)


def of_pairs(pairs: Comparisons) -> list[float]:
    """Return the numbers whose decimals all pairs have: estimates, and the narrowest interval."""
    width = pairs.ci_high - pairs.ci_low
    known = np.flatnonzero(np.isfinite(width))
    ends = [] if not known.size else [pairs.ci_low, pairs.ci_high]
    narrow = [float(end[known[np.argmin(width[known])]]) for end in ends]
    return [*pairs.estimate.tolist(), *narrow]


def are_family(pairs: Comparisons) -> bool:
    """Return whether p-values and intervals are adjusted: for other pairs or earlier tests."""
    return len(pairs.first) > 1 or ", times " in pairs.adjustment
