"""A test of the catalog in plain words: what differs or does not, at which level, by how much."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from ..core.results import show
from ..core.wording import level, listed, pvalue_text
from ..stats._effects import EffectSize
from ..stats.adjusted import AdjustedPvalues
from ..stats.bayes_correlated import BayesianComparison
from ..stats.bayes_hierarchical import HierarchicalPosterior
from ..stats.bayes_signed_rank import RopePosterior
from ..stats.beta import BetaPosterior
from ..stats.catalog import TestSpecification, Words
from ..stats.comparisons import Comparisons
from ..stats.intervals import ProportionInterval
from ..stats.multiplicity import FALSE_DISCOVERY
from ..stats.omnibus import OmnibusResult
from ..stats.result import TestResult

LISTED = 6  # pairs that a verdict names
MANY = 12  # names that a sentence holds
SURE = 0.95  # probability from which a Bayesian answer is a decision


AMOUNTS = {
    "column_sums": "errors",
    "mean_difference": "mean differences of the criteria, first minus second,",
}


Answer: TypeAlias = (
    TestResult
    | OmnibusResult
    | Comparisons
    | BayesianComparison
    | HierarchicalPosterior
    | RopePosterior
    | ProportionInterval
    | BetaPosterior
    | AdjustedPvalues
    | EffectSize
)


def verdict(result: Answer, spec: TestSpecification, compared: Sequence[str]) -> str:
    """Return the answer to the question of a test, in one or two sentences.

    Examples
    --------
    >>> from nettrial.stats import paired_t_test
    >>> from nettrial.stats.catalog import CATALOG
    >>> found = paired_t_test([0.2, 0.3, 0.25, 0.3], [0.1, 0.1, 0.1, 0.15])
    >>> verdict(found, CATALOG["paired-t"], ["old", "new"])[:79]
    'old has a higher mean than new, at the 5% level: difference in mean 0.15 (old m'
    """
    if isinstance(result, TestResult):
        if "margin" in result.details or "margin_low" in result.details:
            return _margin(result, spec.words, compared)
        return _one_or_two(result, spec.words, compared)
    if isinstance(result, OmnibusResult):
        return _all_alike(result, spec.words, compared)
    if isinstance(result, Comparisons):
        return _pairs(result, spec.words, compared)
    if isinstance(result, BayesianComparison):
        return _posterior(result, compared, "on this data set", "mean difference")
    if isinstance(result, (ProportionInterval, BetaPosterior)):
        return _error_rate(result, compared[0])
    if isinstance(result, AdjustedPvalues):
        return _family(result)
    if isinstance(result, HierarchicalPosterior):
        where, what = "on another data set like these", "mean difference over data sets"
        return _posterior(result, compared, where, what)
    if isinstance(result, EffectSize):
        return _shift(result, compared)
    return f"{_believed(result, compared, 'over data sets like these')}."


def _shift(result: EffectSize, compared: Sequence[str]) -> str:
    a, b = compared
    ends = _interval(result.ci_low, result.ci_high, result.confidence)
    amount = f"shift {show(result.estimate)} ({a} minus {b}), {ends}"
    if result.degenerate and result.estimate != 0:
        return f"No answer whether there is a shift of {a}: {amount}."
    if result.degenerate or result.ci_low <= 0 <= result.ci_high:
        return f"No evidence at the {_alpha(result.confidence)} level of a shift of {a}: {amount}."
    way = "lower" if result.estimate < 0 else "higher"
    return f"{a} is {way} than {b}, at the {_alpha(result.confidence)} level: {amount}."


def _one_or_two(result: TestResult, words: Words, compared: Sequence[str]) -> str:
    estimate, p = float(result.estimate), float(result.pvalue)
    null = 0.5 if words.null == "half" else float(result.details.get(words.null, 0.0))
    parts: dict[str, Any] = {key: show(value) for key, value in result.details.items()}
    known = "undefined" if math.isnan(estimate) else show(estimate)
    parts |= {"a": compared[0], "b": compared[-1], "estimate": known, "null": show(null)}
    asked = {"less": "lower", "greater": "higher"}.get(result.alternative)
    seen = "lower" if estimate < null else "higher"
    ends = _interval(result.ci_low, result.ci_high, result.confidence)
    numbers = f"{words.amount.format(**parts)}, {ends}, {pvalue_text(p)}"
    if p < 1 - result.confidence:
        claim = words.directed.format(**parts, way=asked or seen)
    elif asked:
        claim = words.directed.format(**parts, way=asked)
    else:
        claim = words.undirected.format(**parts)
    return _judged(claim, p, result.confidence, numbers)


def _margin(result: TestResult, words: Words, compared: Sequence[str]) -> str:
    """Return the answer to whether a difference is smaller than a margin."""
    a, b = printable_pair(result, compared)
    parts: dict[str, Any] = {key: show(value) for key, value in result.details.items()}
    parts |= {"a": a, "b": b, "estimate": show(result.estimate)}
    low, high = float(result.ci_low), float(result.ci_high)
    if "margin" in result.details:
        claim = f"{a} is not worse than {b} by {show(result.details['margin'])} or more"
        ends = _interval(low, high, result.confidence)
        if low == -1.0:  # a bound of proportions
            ends = _interval(-math.inf, high, result.confidence)
    else:
        lower, upper = result.details["margin_low"], result.details["margin_high"]
        claim = f"{a} and {b} differ by less than {show(upper)}"
        if lower != -upper:
            claim = f"the difference of {a} and {b} lies within {show(lower)} to {show(upper)}"
        ends = _interval(low, high, result.confidence)
    amount = words.amount.format(**parts)
    numbers = f"{amount}, {ends}, {pvalue_text(float(result.pvalue))}"
    confidence = 1 - result.details.get("level", 1 - result.confidence)
    return _judged(claim, float(result.pvalue), confidence, numbers)


def printable_pair(result: TestResult, compared: Sequence[str]) -> tuple[str, str]:
    """Return the names of both sides; one sample has a given value on the other."""
    given = result.details.get("null_value", 0.0)
    return compared[0], compared[1] if len(compared) > 1 else show(given)


def _error_rate(result: ProportionInterval | BetaPosterior, name: str) -> str:
    ends = f"{show(result.ci_low)} to {show(result.ci_high)}"
    if isinstance(result, ProportionInterval):
        kind = f"{level(result.confidence)} interval ({result.method}) {ends}"
        return f"The error rate of {name} is {show(result.estimate)}, {kind}."
    densest = ""
    if not math.isnan(float(result.hdi_low)):
        densest = f", {show(result.hdi_low)} to {show(result.hdi_high)} that of highest density"
    below = f"{_share(float(result.prob_below))} that it is below {show(result.null_value)}"
    flat = ", which is flat" if result.prior == (1, 1) else ""
    prior = f"the prior is Beta({show(result.prior[0])}, {show(result.prior[1])}){flat}"
    return (
        f"The error rate of {name} lies within {ends} at a probability of "
        f"{level(result.confidence)}{densest}; posterior mean {show(result.mean)}, {below}; "
        f"{prior}."
    )


def _family(result: AdjustedPvalues) -> str:
    total = int((~np.isnan(result.pvalue)).sum())
    known = {name: float(p) for name, p in zip(result.names, result.adjusted_pvalue)}
    apart = [name for name, no in zip(result.names, result.rejected) if no]
    of = f"of {total:,} hypotheses" if total > 1 else "of 1 hypothesis"
    at, adjusted = _held(result.method, result.confidence, total)
    comma = "," * at.startswith("each")
    head = f"{len(apart):,} {of} rejected{comma} {at} ({result.method})"
    note = [f"{name} ({adjusted}{pvalue_text(known[name])})" for name in apart[:LISTED]]
    more = f", and {len(apart) - LISTED} more" if len(apart) > LISTED else ""
    return f"{head}: {', '.join(note)}{more}." if apart else f"{head}."


def _all_alike(result: OmnibusResult, words: Words, compared: Sequence[str]) -> str:
    what, key = words.what, words.amount
    confidence = SURE if math.isnan(result.confidence) else result.confidence
    p = float(result.pvalue)
    if p < 1 - confidence and len(compared) > 2:
        claim = f"not all of {_some(compared)} have the same {what}"
    else:
        claim = f"{_some(compared)} differ in {what}"
    amounts = f"{_values(key, result.details, compared)}; " if key else ""
    ends = _interval(result.ci_low, result.ci_high, confidence)
    size = float(result.effect_size)
    known = f"no {result.effect}" if math.isnan(size) else f"{result.effect} {show(size)}"
    effect = f"{known}, {ends}, {pvalue_text(p)}" if result.effect != "none" else pvalue_text(p)
    return _judged(claim, p, confidence, amounts + effect)


def _pairs(result: Comparisons, words: Words, compared: Sequence[str]) -> str:
    what, key = words.what, words.amount
    amounts = _values(key, result.details, compared)
    total = len(result.first)
    pairs = (
        f"any of the {total:,} pairs" if total > 1 else f"{result.first[0]} and {result.second[0]}"
    )
    at, adjusted = _held(result.adjustment, result.confidence, total)
    apart = [i for i in range(total) if result.adjusted_pvalue[i] < 1 - result.confidence]
    unknown = sum(math.isnan(p) for p in result.adjusted_pvalue.tolist())
    limits = f" {unknown} of the pairs have no p-value on these data." if unknown else ""
    if unknown == total:
        return f"No answer whether {pairs} differ in {what}: {amounts}.{limits}"
    if not apart:
        at = at.removeprefix("each ").replace("joint ", "")
        claim = f"No evidence {at} that {pairs} differ in"
        return f"{claim} {what}: {amounts}.{limits}"
    note = [
        f"{result.first[i]} has a {'lower' if result.estimate[i] < 0 else 'higher'} {what} than "
        f"{result.second[i]} (difference {show(result.estimate[i])}, {adjusted}"
        f"{pvalue_text(float(result.adjusted_pvalue[i]))})"
        for i in apart
    ]
    more = f", and {len(note) - LISTED} pairs more" if len(note) > LISTED else ""
    return (
        f"{len(apart):,} of {total:,} pair{'s' * (total > 1)} differ{'s' * (len(apart) == 1)} in "
        f"{what}, {at}: {'; '.join(note[:LISTED])}"
        f"{more}; {amounts}.{limits}"
    )


def _held(adjustment: str, confidence: float, total: int) -> tuple[str, str]:
    """Return the level that an adjustment holds, and what stands before its p-values."""
    alpha = _alpha(confidence)
    if adjustment in FALSE_DISCOVERY:
        return f"at a false discovery rate of {alpha}", "adjusted "
    if adjustment == "none":
        return f"{'each ' * (total > 1)}at the {alpha} level", ""
    return f"at the {'joint ' * (total > 1)}{alpha} level", "adjusted "


def _posterior(
    result: BayesianComparison | HierarchicalPosterior,
    compared: Sequence[str],
    where: str,
    what: str,
) -> str:
    ends = _interval(result.ci_low, result.ci_high, result.confidence)
    return (
        f"{_believed(result, compared, where)}; {what} {show(result.estimate)} "
        f"({compared[0]} minus {compared[1]}), {ends}."
    )


def _believed(
    result: BayesianComparison | HierarchicalPosterior | RopePosterior,
    compared: Sequence[str],
    where: str,
) -> str:
    a, b = compared
    size = show(result.rope)
    by, within = (f" by more than {size}", f" within {size}") if result.rope else ("", "")
    chances = {
        f"{a} is lower than {b}{by}": float(result.prob_less),
        f"{a} and {b} are equal{within}": float(result.prob_rope),
        f"{a} is higher than {b}{by}": float(result.prob_greater),
    }
    if any(map(math.isnan, chances.values())):
        return f"No answer on {a} and {b} {where}: the test has no probabilities on these data"
    likely = max(chances, key=lambda claim: chances[claim])
    head = f"{likely} {where}, at a probability of {100 * SURE:g}% or more"
    if chances[likely] < SURE:
        head = f"No decision on {a} and {b} {where}, none has a probability of {100 * SURE:g}%"
    if isinstance(result, RopePosterior) and result.n_data_sets == 1:
        head = f"No answer on {a} and {b} {where}, one does not show how they vary"
    note = [f"{_share(chance)} that {claim}" for claim, chance in chances.items()]
    return f"{head}: {', '.join(note)}"


def _judged(claim: str, p: float, confidence: float, numbers: str) -> str:
    if math.isnan(p):
        return f"No answer whether {claim}: {numbers}."
    if p < 1 - confidence:
        return f"{_first(claim)}, at the {_alpha(confidence)} level: {numbers}."
    return f"No evidence at the {_alpha(confidence)} level that {claim}: {numbers}."


def _alpha(confidence: float) -> str:
    return level(1 - confidence)


def _share(value: float) -> str:
    """Write a probability so that none is rounded to 0% or 100%."""
    if value < 1e-3:
        return "below 0.1%"
    return "above 99.9%" if value > 1 - 1e-3 else f"{100 * value:.1f}%"


def _first(text: str) -> str:
    """Return a text with a capital first letter, unless it begins with a name."""
    return text[:1].upper() + text[1:] if text.startswith(("the ", "not all ")) else text


def _values(key: str, details: Mapping[str, Any], compared: Sequence[str]) -> str:
    """Return the name of the value of each classifier (or of each criterion)."""
    values, words = details[key], AMOUNTS.get(key, key.replace("_", " "))
    if isinstance(values, Mapping):
        return f"{words} {', '.join(f'{one} {show(value)}' for one, value in values.items())}"
    values = values.tolist() if hasattr(values, "tolist") else list(values)
    if key == "mean_difference" or len(values) != len(compared):
        return f"{words} {show(values)}"
    if len(compared) > MANY:
        low, high = (values.index(f(values)) for f in (min, max))
        ends = [f"{show(values[i])} ({compared[i]})" for i in (low, high)]
        return f"{words} from {ends[0]} to {ends[1]}"
    return f"{words} {', '.join(f'{one} {show(v)}' for one, v in zip(compared, values))}"


def _some(names: Sequence[str]) -> str:
    """Join names for a sentence, the first of them where there are many."""
    if len(names) <= MANY:
        return listed(names)
    return f"{', '.join(names[:LISTED])} and {len(names) - LISTED} more"


def _interval(low: Any, high: Any, confidence: float) -> str:
    if math.isnan(low) or math.isnan(high) or (math.isinf(low) and math.isinf(high)):
        return "no interval"
    if math.isinf(low):
        return f"{level(confidence)} interval up to {show(high)}"
    if math.isinf(high):
        return f"{level(confidence)} interval from {show(low)} on"
    return f"{level(confidence)} interval {show(low)} to {show(high)}"
