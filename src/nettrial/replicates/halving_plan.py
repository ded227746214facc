"""How many halvings, with how many splits each, a stretch of time is best spent on."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from ..core.errors import InputError, shown
from ..core.option_names import option
from ..core.wording import duration, plural

FEWEST, MOST = 6, 40  # halvings
FEWEST_SPLITS = 3  # of the network, where a budget says how many
NOISE = 1.0  # variance between splits in units of that of their mean, as it often is
NARROWER = 0.95  # of an interval: what fewer splits of the network must bring
WORTH = 1.1  # degrees of freedom that are worth mentioning, as a multiple
ENOUGH = 0.95  # of the most degrees of freedom that can be had: more fits are not worth it
UNITS = {"": 1.0, "s": 1.0, "sec": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}
AMOUNT = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-z]*)\s*")


class HalvingPlan(NamedTuple):
    """What is run on halves of the communities."""

    n_halvings: int
    n_splits: int  # splits that each halving uses
    # degrees of freedom that were expected; NaN where the number was given
    df: float = float("nan")
    seconds: float = float("nan")  # time that it was expected to take; NaN where no fit was timed
    # seconds that the whole comparison may take; NaN where the number was given
    budget: float = float("nan")
    df_at_twice: float = float("nan")  # degrees of freedom that twice the budget would bring
    n_seeds: int = 1  # training seeds for each split
    # twice as many worker processes as ran, where there are idle cores for them; else 0
    more_workers: int = 0

    def note(self) -> str:
        """Describe what is planned.

        Examples
        --------
        >>> HalvingPlan(12, 2, 6.1, 150.0, 300.0).note()
        '12 halvings x 2 splits (about 2.5 minutes)'
        """
        many = f"{plural(self.n_halvings, 'halving')} x {plural(self.n_splits, 'split')}"
        return many if math.isnan(self.seconds) else f"{many} (about {duration(self.seconds)})"

    def fits(self, n_models: int) -> int:
        return 2 * self.n_halvings * self.n_splits * self.n_seeds * n_models

    def account(self, n_models: int) -> str:
        """Return what was run, and what twice the budget would bring."""
        halvings, splits = plural(self.n_halvings, "halving"), plural(self.n_splits, "split")
        done = f"{halvings} with {splits} each ({self.fits(n_models):,} fits)"
        if math.isnan(self.budget):
            return f"{done}."
        budget = f"the budget of {duration(self.budget)}"
        if self.seconds > self.budget:
            return f"{done}, the fewest that are run, took longer than {budget}."
        if self.df_at_twice <= WORTH * self.df:
            return f"{done} fitted into {budget}."
        workers = (
            f", or {self.more_workers} worker processes ({option('n_jobs')}) on cores that were "
            "idle,"
            if self.more_workers
            else ""
        )
        return (
            f"{done} were planned for {budget}; twice the budget{workers} would bring about "
            f"{plural(round(self.df_at_twice), 'degree')} of freedom in place of {self.df:.0f}."
        )


def seconds_of_budget(budget: str | float) -> float:
    """Return a budget in seconds.

    Parameters
    ----------
    budget : str or float
        Seconds, or a text such as "90s", "10min" or "2h".

    Examples
    --------
    >>> seconds_of_budget("90s"), seconds_of_budget(600), seconds_of_budget("2h")
    (90.0, 600.0, 7200.0)
    """
    seconds = 0.0
    if not isinstance(budget, str):
        seconds = float(budget)
    elif (found := AMOUNT.fullmatch(budget.lower())) and found[2] in UNITS:
        seconds = float(found[1]) * UNITS[found[2]]
    if not 0 < seconds < math.inf:
        raise InputError(
            parameter="budget",
            expected="seconds, or a text such as 90s, 10min or 2h",
            got=shown(budget),
        )
    return seconds


def plan_halvings(
    left: float,
    per_split: float,
    *,
    k: int,
    communities: float,
    noise: float,
    budget: float,
    whole: bool = False,
) -> HalvingPlan:
    """Plan halvings such that the standard error gets as many degrees of freedom as it can.

    Both parts of a halving together have the nodes of the network, so that one with r splits
    takes the time of r splits of the network. Of all numbers of splits, each with as many
    halvings as the time allows (40 at most), those with the fewest fits are taken that bring 95%
    of the most degrees of freedom. Fewer than 6 halvings are never planned, though they take
    longer than is left.

    Parameters
    ----------
    left : float
        Seconds that are left of the budget.
    per_split : float
        Seconds that all models together took for one split of the network.
    k : int
        Splits of the network.
    communities : float
        Effective number of communities.
    noise : float
        Variance between splits, in units of the variance of the mean difference.
    budget : float
        The whole budget in seconds.
    whole : bool
        Whether each halving must use all splits, because they are not independent.

    Examples
    --------
    >>> plan = plan_halvings(290, 1.0, k=10, communities=15, noise=1.0, budget=300)
    >>> plan.n_halvings, plan.n_splits, round(plan.df, 1), round(plan.seconds)
    (40, 6, 9.7, 240)
    >>> plan_halvings(10, 1.0, k=10, communities=15, noise=1.0, budget=20)[:2]
    (10, 1)
    """

    fits, more = ((seconds / max(per_split, 1e-9)) for seconds in (left, left + budget))
    number, r, df = _best(fits, k, communities, noise, whole=whole)
    twice = _best(more, k, communities, noise, whole=whole)
    return HalvingPlan(number, r, df, number * r * per_split, budget, twice[2])


def plan_splits(fits: float, *, k: int, communities: float) -> int:
    """Plan on how many splits of the network itself models run before they run on halvings.

    Fewer splits make the standard error larger, and leave time for halvings that bring it degrees
    of freedom. Of all numbers from 3 to k the one is taken whose interval is expected to be the
    narrowest, but k unless another one is at least 5% narrower.

    Parameters
    ----------
    fits : float
        Splits for which the whole budget has time, of the network or of halvings.
    k : int
        Splits of the network where there is time enough.
    communities : float
        Effective number of communities.

    Examples
    --------
    >>> [plan_splits(fits, k=10, communities=20) for fits in (1000, 60, 23, 5)]
    [10, 10, 3, 10]
    """
    from scipy.special import stdtrit

    widths = {}
    for number in range(FEWEST_SPLITS, k + 1):
        variance = 1 - NOISE / k + NOISE / number
        halvings, r, df = _best(fits - number, number, communities, NOISE / variance)
        if number == k or number + halvings * r <= fits:
            widths[number] = float(stdtrit(df, 0.975)) * math.sqrt(variance)
    best = min(widths, key=lambda number: widths[number])
    return best if widths[best] < NARROWER * widths[k] else k


def _best(
    fits: float, k: int, communities: float, noise: float, *, whole: bool = False
) -> tuple[int, int, float]:
    """Return halvings, splits of each and degrees of freedom of the best plan of so many fits."""
    options = []
    for r in (k,) if whole else range(1, k + 1):
        number = int(min(MOST, max(FEWEST, fits / r)))
        options.append((number, r, expected_df(number, r, k, communities, noise)))
    allowed = [each for each in options if each[0] * each[1] <= fits]
    # where nothing fits, the least work
    options = allowed or [min(options, key=lambda each: each[0] * each[1])]
    enough = ENOUGH * max(df for _, _, df in options)
    return min((each for each in options if each[2] >= enough), key=lambda e: e[0] * e[1])


def expected_df(n_halvings: int, r: int, k: int, communities: float, noise: float) -> float:
    """Return the degrees of freedom that halvings with r of k splits are expected to bring.

    Examples
    --------
    >>> round(expected_df(20, 10, 10, 21, 1.0), 1)
    10.0
    """
    inflation = 1 + 2 * noise * (1 / r - 1 / k)
    return 1 / (1 / max(communities - 1, 1.0) + inflation**2 / n_halvings)
