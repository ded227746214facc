"""Published statements beside what was measured, and whether the two agree.

One rule for all, by the 95% interval of the measured number: it agrees where the whole interval
lies in what the statement allows, does not contradict where only a part does, and differs where
nothing does. What words allow is one table for both directions (`WORDS`). A statement
that the source makes of other data, or that is ours, has a mark and no verdict.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypedDict

import numpy as np

from .records import DIFFERENCE, REJECTIONS
from .tables import beside, quantile, value

if TYPE_CHECKING:
    import pandas as pd

READING = 0.05  # how exactly a number is known that was printed as a figure or in words
TWO_DIGITS = 0.005  # and what was printed as a property of the networks themselves
MUCH, TREND, LEVEL = 2.0, 1.1, 0.05
ONE_IN_A_MILLION = 4.9  # standard errors
Take: TypeAlias = Literal["min", "max"]
Mark: TypeAlias = Literal["", "own result", "other data"]
AGREES, POSSIBLE, DIFFERS, NOT_RUN = "agrees", "not contradicted", "differs", "not run"


class Bounds(TypedDict, total=False):
    """What a statement allows."""

    at_least: float
    at_most: float


# of a ratio of two numbers
MUCH_LOWER, MUCH_HIGHER = Bounds(at_most=1 / MUCH), Bounds(at_least=MUCH)
LOWER, HIGHER = Bounds(at_most=1.0), Bounds(at_least=1.0)
FALLS, RISES = Bounds(at_most=1 / TREND), Bounds(at_least=TREND)
SLIGHTLY_LOWER = Bounds(at_least=1 / MUCH, at_most=1.0)
COMPARABLE = Bounds(at_least=1 / MUCH, at_most=MUCH)
# of a Type I error
LOW, HIGH = Bounds(at_most=LEVEL), Bounds(at_least=2 * LEVEL)
ELEVATED = Bounds(at_least=LEVEL, at_most=4 * LEVEL)
# of a correlation
SOME = Bounds(at_least=0.0)
# of the largest distance of many cells from a theorem, in standard errors
THEOREM = Bounds(at_most=ONE_IN_A_MILLION)
WORDS: tuple[tuple[str, str, Bounds | None], ...] = (  # words, what they allow, as bounds
    ("a number, printed or in words", f"that number ± {READING}", None),
    ("a property of the networks themselves, to two digits", f"that number ± {TWO_DIGITS}", None),
    ("at most, at least, more than, less than, larger than a number", "up to, or from, that number",
     None),
    ("lower, errs less, even less, less affected, more reasonable", "a ratio of at most 1", LOWER),
    ("higher, highest, enough less", "a ratio of at least 1", HIGHER),
    ("falls", f"a ratio of at most 1/{TREND:g}", FALLS),
    ("rises, grows", f"a ratio of at least {TREND:g}", RISES),
    ("much lower, substantially lower", f"a ratio of at most 1/{MUCH:g}", MUCH_LOWER),
    ("much higher", f"a ratio of at least {MUCH:g}", MUCH_HIGHER),
    ("comparable, similar, no substantive difference", f"a ratio from 1/{MUCH:g} to {MUCH:g}",
     COMPARABLE),
    ("slightly lower, slightly below", f"a ratio from 1/{MUCH:g} to 1", SLIGHTLY_LOWER),
    ("low, acceptable, below 0.05 (a Type I error)", f"at most {LEVEL:g}", LOW),
    ("high (a Type I error)", f"at least {2 * LEVEL:g}", HIGH),
    ("somewhat elevated (a Type I error)", f"{LEVEL:g} to {4 * LEVEL:g}", ELEVATED),
    ("some correlation, goes with", "a correlation of at least 0", SOME),
    ("holds (a theorem)", f"in no cell more than {ONE_IN_A_MILLION:g} standard errors away, which "
     "chance alone exceeds in one of a million cells", THEOREM),
)  # fmt: skip


class Measured(NamedTuple):
    """A number and its 95% interval."""

    number: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Statement:
    """What was published."""

    text: str  # the statement, in our words, the same in every reading
    measure: Callable[[pd.DataFrame], Measured]  # from the table to the measured number
    what: str  # what the measured number is, in words
    # at_least, at_most: what the statement allows
    at_least: float = -math.inf
    at_most: float = math.inf
    # {"", "own result", "other data"}: why there is no verdict: nothing was published, or it was
    # published about other data
    mark: Mark = ""
    reading: str = ""  # how it is read, where it can be read in several ways

    @property
    def full(self) -> str:
        """The statement and how it is read."""
        return f"{self.text} ({self.reading})" if self.reading else self.text

    @property
    def allowed(self) -> str:
        """What the statement allows, in words; "" where it allows everything."""
        if math.isinf(self.at_least) and math.isinf(self.at_most):
            return ""
        if math.isinf(self.at_most):
            return f"at least {self.at_least:.3g}"
        if math.isinf(self.at_least):
            return f"at most {self.at_most:.3g}"
        return f"{self.at_least:.3g} to {self.at_most:.3g}"

    def judge(self, table: pd.DataFrame) -> tuple[Measured, str]:
        """Return the measured number and the verdict, "not run" without a number."""
        found = self.measure(table)
        return found, self.verdict(found)

    def verdict(self, found: Measured) -> str:
        """Return what a measured number says of the statement.

        Examples
        --------
        >>> slightly_below = Statement("slightly below", cell(), "ratio", **SLIGHTLY_LOWER)
        >>> slightly_below.verdict(Measured(1.07, 0.968, 1.16))
        'not contradicted'
        """
        if math.isnan(found.number):
            return NOT_RUN
        if self.mark:
            return self.mark
        if found.high < self.at_least or found.low > self.at_most:
            return DIFFERS
        inside = found.low >= self.at_least and found.high <= self.at_most
        return AGREES if inside else POSSIBLE


def about(number: float, known: float = READING) -> Bounds:
    """Return the bounds for a number that was printed, by how exactly it is known."""
    return {"at_least": number - known, "at_most": number + known}


def rows(table: pd.DataFrame, measure: str = REJECTIONS, **where: Any) -> pd.DataFrame:
    """Select rows by the values of columns; a tuple allows several."""
    found = table[table["measure"] == measure]
    for column, wanted in where.items():
        if column not in found:
            return found.iloc[:0]
        allowed = wanted if isinstance(wanted, tuple) else (wanted,)
        same = found[column].isin(allowed)
        found = found[same]
    return found


def cell(measure: str = REJECTIONS, **where: Any) -> Callable[[pd.DataFrame], Measured]:
    return extreme("max", measure, **where)


def extreme(
    take: Take, measure: str = REJECTIONS, **where: Any
) -> Callable[[pd.DataFrame], Measured]:
    """Measure the smallest or largest of some cells."""

    def find(table: pd.DataFrame) -> Measured:
        found = rows(table, measure, **where)
        numbers = value(found)
        if found.empty or numbers.isna().all():
            return NOTHING
        at = numbers.argmax() if take == "max" else numbers.argmin()
        return _of(found.iloc[int(at)])

    return find


def ratio(above: dict[str, Any], below: dict[str, Any]) -> Callable[[pd.DataFrame], Measured]:
    """Measure the ratio of two rates, each the mean over its cells.

    The interval is by the delta method: between blocks of trials where cells share networks, else
    that of independent cells.
    """

    def find(table: pd.DataFrame) -> Measured:
        parts = [rows(table, **where) for where in (above, below)]
        if any(part.empty for part in parts):
            return NOTHING
        x, y = (float(value(part).mean()) for part in parts)
        if y == 0:
            return NOTHING
        if x > 0 and all(map(len, (blocks for part in parts for blocks in part["blocks"]))):
            half = _between_blocks(parts[0], parts[1], x / y) / y
        else:
            dx, dy = map(_independent, parts)
            half = math.hypot(dx / y, x * dy / y**2)
        return Measured(x / y, x / y - half, x / y + half)

    return find


def _independent(cells: pd.DataFrame) -> float:
    """Return half the interval of the mean over independent cells."""
    spread = (cells["high"] - cells["low"]).astype(float) / 2
    return float(np.sqrt((spread**2).sum())) / len(cells)


def _between_blocks(above: pd.DataFrame, below: pd.DataFrame, number: float) -> float:
    """Return half the interval of the mean above less `number` times that below."""
    sums: dict[int, float] = {}
    for cells, weight in ((above, 1 / len(above)), (below, -number / len(below))):
        for mean, trials, blocks in zip(value(cells), cells["trials"], cells["blocks"]):
            for block, (size, total) in blocks.items():
                away = weight * (total - mean * size) / trials
                sums[block] = sums.get(block, 0.0) + away
    n = len(sums)
    if n < 2:
        return math.nan
    return quantile(n - 1) * math.sqrt(n / (n - 1) * sum(x * x for x in sums.values()))


def at_difference(difference: float, **where: Any) -> Callable[[pd.DataFrame], Measured]:
    """Measure power where the measured mean difference is `difference`, by interpolation.

    Trials in which the test has no p-value count as no rejection.
    """

    def find(table: pd.DataFrame) -> Measured:
        found = rows(table, **where)
        if found.empty:
            return NOTHING
        x = beside(table, DIFFERENCE)[found.index].astype(float).to_numpy()
        order = np.argsort(x)
        if not x[order[0]] <= difference <= x[order[-1]]:
            return NOTHING
        columns = [value(found), found["low"], found["high"]]
        return Measured(
            *(
                float(np.interp(difference, x[order], c.astype(float).to_numpy()[order]))
                for c in columns
            )
        )

    return find


NOTHING = Measured(math.nan, math.nan, math.nan)


def _of(row: pd.Series) -> Measured:
    number = float(row["rate"] if row["measure"] == REJECTIONS else row["mean"])
    if row["trials"] == 1:  # measured once: no Monte Carlo error
        return Measured(number, number, number)
    return Measured(number, float(row["low"]), float(row["high"]))
