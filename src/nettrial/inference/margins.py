"""What a study of its size can show, how a verdict ends against a margin, and the next network."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from ..core.errors import InputError, shown
from ..core.option_names import option
from ..metrics.measures import Measure

EndingName: TypeAlias = Literal[
    "better_by_more", "better", "better_by_less", "equivalent", "cannot_tell"
]
ENDINGS = {  # in words
    "better_by_more": "better by more",
    "better": "better",
    "better_by_less": "better by less",
    "equivalent": "equivalent",
    "cannot_tell": "cannot tell",
}
Ends: TypeAlias = tuple[float, float]
Parts: TypeAlias = tuple[float, float, float]  # p-value and the ends of the interval


def detectable_difference(error: float, df: float | None, confidence: float, power: float) -> float:
    """Return the difference that a test would detect in a share of all studies.

    With t the quantiles of the t distribution, ``(t(1 - alpha / 2) + t(power)) error``.

    Parameters
    ----------
    error : float
        Standard error of the difference.
    df : float or None
        Its degrees of freedom; None for the normal distribution.
    confidence : float
        One less the level of the test.
    power : float
        In which share of studies.

    Returns
    -------
    float
        NaN without a standard error.

    Examples
    --------
    >>> round(detectable_difference(0.01, 9.0, 0.95, 0.8), 4)
    0.0315
    """
    from scipy import special

    if not error > 0 or (df is not None and not df > 0):
        return math.nan
    degrees = math.inf if df is None else df
    ends = special.stdtrit(degrees, [(1 + confidence) / 2, power])
    return float(ends.sum() * error)


def check_margin(margin: float | None, measure: Measure, confidence: float) -> None:
    if margin is None:
        return
    if not 0 < margin < measure.reach:
        most = f" and below {measure.reach:g}" if math.isfinite(measure.reach) else ""
        example = "; 0.01 is one percentage point" if measure.shares else ""
        raise InputError(
            parameter="margin",
            expected=f"a difference in {measure.title} above 0{most}{example}",
            got=shown(margin),
        )
    if confidence <= 0.5:
        raise InputError(
            parameter="confidence",
            expected=f"a proportion above 0.5 with {option('margin')}",
            got=shown(confidence),
        )


class Ending(NamedTuple):
    """How a verdict on two models ends against a margin.

    Attributes
    ----------
    name : {"better_by_more", "better", "better_by_less", "equivalent", "cannot_tell"}
        One model is better: by more than the margin, by an amount on either side of it, or by less
        than it; the two differ by less than the margin; or none of these.
    margin : float
        In units of the measure.
    low, high : float
        The interval that two one-sided tests make.
    confidence : float
        Its level.
    """

    name: EndingName
    margin: float
    low: float
    high: float
    confidence: float


def one_sided_level(confidence: float, tests: int) -> float:
    """Return the level of the interval that two one-sided tests make, of one of so many pairs.

    It is 1 - 2 alpha / tests (Bonferroni).

    Examples
    --------
    >>> one_sided_level(0.95, 1), one_sided_level(0.95, 5)
    (0.9, 0.98)
    """
    return round(1 - 2 * (1 - confidence) / tests, 12)


def ending_of(
    margin: float, ends: Ends, one_sided: Ends, confidence: float, *, differs: bool, settled: bool
) -> Ending:
    """Return how a verdict ends against a margin (Schuirmann 1987; Lakens 2017).

    Parameters
    ----------
    ends : tuple of float
        The interval of the verdict.
    one_sided : tuple of float
        That of two one-sided tests; inside the margin exactly where both reject.
    confidence : float
        Level of the latter.
    differs : bool
        Whether the verdict is that the two differ.
    settled : bool
        Whether the test has the degrees of freedom that a verdict takes.

    Examples
    --------
    >>> ending_of(0.05, (-0.03, 0.02), (-0.02, 0.01), 0.9, differs=False, settled=True).name
    'equivalent'
    """
    low, high = min(ends[0], one_sided[0]), max(ends[1], one_sided[1])
    within = -margin < one_sided[0] <= one_sided[1] < margin
    name: EndingName = "equivalent" if within else "cannot_tell"
    if differs:
        name = "better_by_less" if within else "better"
        if low > margin or high < -margin:
            name = "better_by_more"
    return Ending(name if settled else "cannot_tell", margin, *one_sided, confidence)


def ending_at(
    margin: float | None,
    parts: Callable[[float], Parts],
    confidence: float,
    tests: int = 1,
    *,
    settled: bool = True,
) -> Ending | None:
    """Return how one of so many tests, each at its share of the level, ends against a margin.

    Parameters
    ----------
    margin : float or None
        Without one there is no ending.
    parts : callable
        Level -> p-value and interval of the test.
    confidence : float
        One less the level of all tests together.
    settled : bool
        As for `ending_of`.

    Examples
    --------
    >>> ending_at(0.05, t_parts(-0.01, 0.01, 9.0), 0.95).name
    'equivalent'
    """
    if margin is None:
        return None
    level, within = 1 - (1 - confidence) / tests, one_sided_level(confidence, tests)
    p, *ends = parts(level)
    one_sided = parts(within)[1:]
    return ending_of(
        margin, (ends[0], ends[1]), one_sided, within, differs=p < 1 - level, settled=settled
    )


def t_parts(estimate: float, error: float, df: float) -> Callable[[float], Parts]:
    """Return level -> p-value and interval of a t test; NaN without a standard error.

    Examples
    --------
    >>> [round(part, 3) for part in t_parts(-0.02, 0.01, 9.0)(0.95)]
    [0.077, -0.043, 0.003]
    """
    from scipy import special

    if not error > 0:
        return lambda _: (math.nan, math.nan, math.nan)
    p = float(2 * special.stdtr(df, -abs(estimate / error)))

    def parts(level: float) -> Parts:
        half = float(special.stdtrit(df, (1 + level) / 2)) * error
        return p, estimate - half, estimate + half

    return parts


def with_endings(rows: Sequence[dict[str, Any]], endings: Sequence[Ending]) -> list[dict[str, Any]]:
    """Return rows of a table with the endings beside them; without endings as they are."""
    named = [{"ending": ending.name} for ending in endings] or [{}] * len(rows)
    return [row | ending for row, ending in zip(rows, named)]


class NextNetwork(NamedTuple):
    """What the difference is expected to be on one more network of the kind.

    Attributes
    ----------
    a_better : float
        Probability that the first model is the better one there.
    low, high : float
        Prediction interval of the difference there, at the level of the intervals.
    """

    a_better: float
    low: float
    high: float


def next_network(
    estimate: float,
    error: float,
    df: float,
    splits: float,
    confidence: float,
    sign: int,
) -> NextNetwork:
    r"""Predict the difference on one more network.

    With V the variance of the mean difference, S / k the part of it that is splits, and
    N = max(V - S / k, 0) the variance between networks, the difference on the next network is taken
    to be t distributed around the estimate with variance V + N.

    Parameters
    ----------
    estimate, error : float
        The difference and its standard error.
    df : float
        Degrees of freedom of the standard error.
    splits : float
        Variance of the mean that is between splits, S / k.
    confidence : float
        Of the prediction interval.
    sign : int
        1 where lower values of the measure are better, else -1.

    Examples
    --------
    >>> found = next_network(-0.03, 0.01, 9.0, 0.00002, 0.95, 1)
    >>> round(found.a_better, 3), round(found.low, 3), round(found.high, 3)
    (0.974, -0.06, 0.0)
    """
    from scipy import special

    variance = error**2
    spread = math.sqrt(variance + max(variance - splits, 0.0))
    half = float(special.stdtrit(df, (1 + confidence) / 2)) * spread
    better = float(special.stdtr(df, -sign * estimate / spread))
    return NextNetwork(better, estimate - half, estimate + half)
