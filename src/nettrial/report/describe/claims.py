"""What a headline on several models says: what holds, or that nothing does and what is excluded."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from ...core.option_names import option
from ...core.wording import df_text, listed
from ...inference.margins import Ending, detectable_difference
from ...inference.registry import PROCEDURES
from ...metrics.amounts import amount_with_unit, margin_with_unit, says_nothing
from ...metrics.measures import MEASURES, Measure
from ...stats.comparisons import Comparisons

Wins: TypeAlias = Sequence[tuple[str, str]]  # the better model first
MOST = 3  # claims that a headline holds
NAMED = 5  # models that a claim names, if there are many more
POWER = 0.8


def wins_of(
    pairs: Comparisons, measure: Measure, rows: slice = slice(None)
) -> list[tuple[str, str]]:
    """Return who is significantly better than whom, of all pairs or some rows of them."""
    return [
        (a, b) if measure.sign * difference < 0 else (b, a)
        for a, b, difference, yes in zip(
            pairs.first[rows], pairs.second[rows], pairs.estimate[rows], pairs.significant[rows]
        )
        if yes
    ]


def unbeaten(names: Iterable[str], wins: Wins) -> list[str]:
    """Return the models that may be the best: none is significantly better."""
    beaten = {loser for _, loser in wins}
    return [name for name in names if name not in beaten]


def beats(wins: Wins) -> list[str]:
    """Return who beats whom, with one claim for all winners that beat the same ones.

    Examples
    --------
    >>> beats([("a", "c"), ("b", "c"), ("a", "d")])
    ['a beats c and d', 'b beats c']
    >>> beats([("a", "c"), ("b", "c")])
    ['a and b beat c']
    """
    losers: dict[str, list[str]] = {}
    for winner, loser in wins:
        losers.setdefault(winner, []).append(loser)
    winners: dict[frozenset[str], list[str]] = {}
    for winner, beaten in losers.items():
        winners.setdefault(frozenset(beaten), []).append(winner)
    return [
        f"{_some(group)} beat{'s' * (len(group) == 1)} {_some(losers[group[0]])}"
        for group in winners.values()
    ]


def claim(names: Sequence[str], wins: Wins) -> str:
    """Return what holds of models, the best first; empty where no two differ.

    Examples
    --------
    >>> claim(["a", "b", "c"], [("a", "b"), ("a", "c"), ("b", "c")])
    'a beats all others'
    >>> claim(["a", "b", "c"], [("a", "c"), ("b", "c")])
    'a and b beat c'
    >>> claim(["a", "b", "c", "d"], [("a", "c"), ("a", "d"), ("b", "d")])
    'a beats c and d; b beats d'
    >>> claim("abcdef", [("a", "c"), ("b", "d"), ("b", "e"), ("c", "d"), ("d", "f")])
    'a or b is best; c, d, e and f are each beaten by another model'
    """
    if not wins:
        return ""
    best, said = unbeaten(names, wins), beats(wins)
    losers = {loser for winner, loser in wins if winner == best[0]}
    if len(names) > 2 and {best[0]} | losers == set(names):
        return f"{best[0]} beats all others"
    if len(said) < MOST:
        return "; ".join(said)
    rest = [name for name in names if name not in best]
    are = f"{_some(rest)} {'is' if len(rest) == 1 else 'are each'} beaten by another model"
    return f"{_some(best, 'or')} is best; {are}"


def _some(names: Sequence[str], before_last: str = "and") -> str:
    """Return names for a sentence, of many the first and how many more there are."""
    more = len(names) - NAMED
    return listed(names if more < 2 else [*names[:NAMED], f"{more:,} more"], before_last)


def claim_of_two(
    better: str,
    worse: str,
    where: str,
    *,
    supported: bool,
    ending: Ending | None = None,
    measure: Measure = MEASURES["error"],
) -> str:
    """Return what is said of two models, whatever they were compared by.

    Examples
    --------
    >>> claim_of_two("gcn", "mlp", "networks like this one", supported=False)
    'No evidence that gcn beats mlp on networks like this one'
    >>> ending = Ending("equivalent", 0.01, -0.004, 0.006, 0.9)
    >>> claim_of_two("gcn", "mlp", "networks like this one", supported=False, ending=ending)
    'gcn and mlp are equivalent on networks like this one, within the margin of 1 percentage point'
    """
    claim = f"{better} beats {worse} on {where}"
    if ending is None:
        return claim if supported else f"No evidence that {claim}"
    margin = f"the margin of {margin_with_unit(measure, ending.margin)}"
    return {
        "better_by_more": f"{claim}, by more than {margin}",
        "better": f"{claim}, perhaps by less than {margin}",
        "better_by_less": f"{claim}, but by less than {margin}",
        "equivalent": f"{better} and {worse} are equivalent on {where}, within {margin}",
        "cannot_tell": f"No evidence that {claim}, nor that they differ by less than {margin}",
    }[ending.name]


def shown_pair(names: Sequence[str], wins: Wins) -> tuple[str, str]:
    """Return the pair whose numbers stand beside a claim: of the narrowest win of the best model.

    Where no two differ they are the first two.
    """
    for name in unbeaten(names, wins):
        losers = {loser for winner, loser in wins if winner == name}
        if losers:
            return name, next(each for each in names if each in losers)
    return names[0], names[1]


def excluded(pairs: Comparisons, measure: Measure) -> str:
    """Return which differences no pair can have; empty where that cannot be said."""
    ends = list(zip(pairs.ci_low.tolist(), pairs.ci_high.tolist()))
    known = [(low, high) for low, high in ends if not math.isnan(low)]
    if not known or any(says_nothing(measure, low, high) for low, high in known):
        return ""
    most = max(max(abs(low), abs(high)) for low, high in known)
    of = "any two" if len(ends) > 1 else "the two"
    return f"a difference of more than {amount_with_unit(measure, most)} between {of} is excluded"


def detectable(measure: Measure, error: float, df: float | None, confidence: float) -> str:
    """Return the smallest difference that a test had 80% power for; empty without one."""
    smallest = detectable_difference(error, df, confidence, POWER)
    if not smallest > 0 or not math.isfinite(smallest) or smallest >= measure.reach:
        return ""
    return f"a true difference of {amount_with_unit(measure, smallest)} had {POWER:.0%} power"


def uneven(names: Sequence[str], wins: Wins) -> str:
    """Return, of models by their measure, the best first, why a better one beats fewer.

    Examples
    --------
    >>> uneven(["a", "b", "c"], [("b", "c")])
    'b beats c and a, which has the better value, does not: its difference from c is less certain'
    """
    won = set(wins)
    for place, name in enumerate(names):
        for worse in names[place + 1 :]:
            for loser in names[names.index(worse) + 1 :]:
                if (worse, loser) in won and (name, loser) not in won:
                    return (
                        f"{worse} beats {loser} and {name}, which has the better value, does not: "
                        f"its difference from {loser} is less certain"
                    )
    return ""


def cannot_settle(better: str, worse: str, where: str, test: str) -> str:
    """Return what is said of two models where the test has too few degrees of freedom.

    Examples
    --------
    >>> cannot_settle("gcn", "mlp", "networks like this one", "network_hac")
    'These predictions cannot settle whether gcn beats mlp on networks like this one'
    """
    what = f"{without_power(test)} cannot settle whether"
    return f"{what} {better} beats {worse} on {where}"


def without_power(test: str) -> str:
    """Return what has too few degrees of freedom for a verdict by a test."""
    return "So few re-runs" if PROCEDURES[test].needs == "models" else "These predictions"


def too_few(test: str, df: float | None) -> str:
    """Return how many degrees of freedom a test has, and how many a verdict takes.

    Examples
    --------
    >>> too_few("network_hac", 1.02)
    'the network HAC test has 1.02 degrees of freedom, and a verdict takes 4'
    """
    found = PROCEDURES[test]
    return f"{found.words} has {df_text(df)} degrees of freedom, and a verdict takes " + (
        f"{found.least_df:g}"
    )


def how_to_settle(test: str, settings: Mapping[str, Any]) -> str:
    """Return what to hand in, or to change, where a test settles nothing."""
    if settings.get("predictions") == "made elsewhere" and PROCEDURES[test].needs == "models":
        return "To settle it, train on more halvings, or on more splits of each"
    if PROCEDURES[test].needs == "models":
        return f"To settle it, give a larger {option('budget')}"
    if "predictions" in settings:
        return (
            "To settle it, hand in the models themselves, which nettrial then runs again on other "
            "networks, or train on halves of the communities (nettrial split --halves)"
        )
    if settings.keys() & {"learned_on", "labels"}:  # whose models cannot be run again
        return "To settle it, compare the models on several networks"
    return f"To settle it, let nettrial run the models again: {option('test', 'auto')}"
