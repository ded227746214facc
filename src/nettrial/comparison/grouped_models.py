"""Several models on grouped items: all pairs as one family, with standard errors by groups."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ..core.errors import InputError, unknown_choice
from ..core.seeds import Stream, derive
from ..core.wording import plural
from ..inference.data_sets import OverDataSets, over_data_sets
from ..inference.family import family_of_tests
from ..inference.margins import Ending, one_sided_level
from ..inference.on_communities import CLUSTER_ROBUST_T
from ..inference.on_splits import PAIRED_T
from ..inference.outcome import NetworkTest, noted
from ..metrics.measures import Measure
from ..network.arrays import object_array
from ..stats.clustered import cluster_mean_test
from ..stats.comparisons import Comparisons, all_pairs
from ..stats.contributions import cluster_contributions
from ..stats.letters import compact_letters
from ..stats.max_t import correlation_of
from .endings import endings_of_tests
from .grouped_items import REASON, Floats, GroupedItems, grouped_test
from .options import not_used
from .prior_tests import Parts, PriorTests, adjusted, prior_tests_note, with_prior_tests
from .result import OfSeveral
from .unit_mismatch import other_scales


@dataclass(frozen=True, slots=True, repr=False)
class MultipleGroupedComparison(OfSeveral):
    """The outcome of comparing several models on grouped items.

    Attributes
    ----------
    n_items, n_groups : int
    effective_groups : float
        Number of groups of equal size that would weigh as these do.
    seed : int
        The frozen seed.
    confidence : float
        Level of the intervals.
    control : str or None
        The model with which each other one was compared; None for all pairs.
    scores : mapping of str to float
        Mean of each model's values over the items; the best first.
    score_intervals : mapping of str to (float, float)
        Interval of each model's mean on other groups like these, pointwise (not simultaneous).
    pairs : Comparisons
        The differences of these with simultaneous intervals and adjusted p-values;
        ``details["holm_pvalue"]`` has Holm's, ``details["usual_pvalue"]`` those of paired t-tests
        over items.
    letters : mapping of str to str
        Models that share a letter do not differ significantly; empty beside a control.
    recommended : str
        Which test gave the intervals and p-values.
    reason : str
        Why that test.
    warnings : tuple of Warning
        Warnings that bear on the verdict.
    measure : Measure
        What is compared: the mean of the values.
    prior_tests : PriorTests or None
        What the verdicts are worth after other comparisons on these items, where `n_prior_tests`
        says how many.
    endings : tuple of Ending
        How the verdict on each pair ends against the margin; empty without one.
    """

    n_items: int
    n_groups: int
    effective_groups: float
    seed: int
    confidence: float
    control: str | None
    scores: Mapping[str, float]
    score_intervals: Mapping[str, tuple[float, float]]
    pairs: Comparisons
    letters: Mapping[str, str]
    recommended: str
    reason: str
    warnings: tuple[Warning, ...]
    measure: Measure
    prior_tests: PriorTests | None = None
    endings: tuple[Ending, ...] = ()

    @property
    def baseline(self) -> None:
        """Nothing is known of what is reached without a model."""

    @property
    def settled(self) -> tuple[bool, ...]:
        """True of each pair: groups settle what they can, and few of them are warned of."""
        return (True,) * len(self.pairs.first)

    def _values(self) -> dict[str, Any]:
        names = ("n_items", "n_groups", "effective_groups", "confidence", "seed", "control",
                 "recommended", "reason", "may_be_best")  # fmt: skip
        own = {name: getattr(self, name) for name in names}
        prior = {} if self.prior_tests is None else {"prior_tests": self.prior_tests}
        measured = {"measure": self.measure.name, "better": self.measure.better}
        return own | measured | {"models": self._models(), **self._pairs()} | prior


class Asked(NamedTuple):
    """How models are to be compared."""

    control: str | None
    confidence: float
    margin: float | None
    n_prior_tests: int | None
    seed: int


def models_on_groups(items: GroupedItems, asked: Asked) -> MultipleGroupedComparison:
    """Compare several models on grouped items."""
    names, what = items.names, items.measure
    places = _places(names, asked.control)
    tests = _tests(items, places, asked.confidence, asked.seed)
    pairs = _family(items, places, tests, asked)

    def parts(found: Comparisons) -> Parts:
        return found.adjusted_pvalue, found.ci_low, found.ci_high

    def at(level: float) -> Parts:
        again = asked._replace(confidence=level)
        return parts(_family(items, places, _tests(items, places, level, asked.seed), again))

    prior = adjusted(asked.n_prior_tests, asked.confidence, parts(pairs), at)
    pairs = with_prior_tests(pairs, prior)
    mean = dict(zip(names, items.values.mean(axis=1).tolist()))
    ranked = sorted(names, key=lambda name: what.sign * mean[name])
    alone = cluster_mean_test(items.values, items.groups, df="joint", confidence=asked.confidence)
    ends = np.clip([alone.ci_low, alone.ci_high], *what.bounds).T.tolist()
    limits = {name: (low, high) for name, (low, high) in zip(names, ends)}
    differing = [(a, b) for a, b, yes in zip(pairs.first, pairs.second, pairs.significant) if yes]
    details = tests[0].details
    return MultipleGroupedComparison(
        n_items=items.groups.size,
        n_groups=int(details["clusters"]),
        effective_groups=float(details.get("effective_clusters", details["clusters"])),
        seed=asked.seed,
        confidence=asked.confidence,
        control=asked.control,
        scores={name: mean[name] for name in ranked},
        score_intervals={name: limits[name] for name in ranked},
        pairs=pairs,
        letters={} if asked.control is not None else compact_letters(ranked, differing),
        recommended=CLUSTER_ROBUST_T.name,
        reason=REASON,
        warnings=prior_tests_note(prior) + _scales(items) + _warnings(tests, pairs),
        measure=what,
        prior_tests=prior,
        endings=_endings(items, places, pairs, asked),
    )


def models_on_data_sets(
    items: GroupedItems, data_sets: Iterable[Hashable], asked: Asked
) -> OverDataSets:
    """Compare several models over data sets, each with its own items and groups."""
    for name in ("control", "n_prior_tests"):
        if getattr(asked, name) is not None:
            raise not_used(name, "several data sets", "compare_grouped")
    of = np.array([str(each) for each in object_array(data_sets)])
    rows = list(dict.fromkeys(of.tolist()))
    if of.size != items.groups.size or len(rows) < 2:
        raise InputError(
            parameter="data_sets",
            expected=f"at least two data sets, one for each of {items.groups.size:,} items",
            got=f"{plural(len(rows), 'data set')}, {of.size:,} given",
            where="compare_grouped",
        )
    places = _places(items.names, None)
    found = [items._replace(values=items.values[:, of == row], groups=items.groups[of == row])
             for row in rows]  # fmt: skip
    errors = [[test.standard_error for test in _tests(each, places, asked.confidence, asked.seed)]
              for each in found]  # fmt: skip
    return over_data_sets(
        [each.values.mean(axis=1) for each in found],
        models=items.names,
        data_sets=rows,
        standard_errors=errors,
        rope=0.01 if items.measure.shares else None,
        measure=items.measure,
        confidence=asked.confidence,
        margin=asked.margin,
        seed=derive(asked.seed, Stream.POSTERIOR),
    )


def _places(names: Sequence[str], control: str | None) -> list[tuple[int, int]]:
    """Return the places of the models of each pair."""
    if control is None:
        first, second = all_pairs(len(names))
        return list(zip(first.tolist(), second.tolist()))
    if control not in names:
        raise unknown_choice("control", control, names)
    place = list(names).index(control)
    return [(i, place) for i in range(len(names)) if i != place]


def _tests(
    items: GroupedItems, places: Sequence[tuple[int, int]], confidence: float, seed: int
) -> list[NetworkTest]:
    """Return the test of the verdict of every pair."""
    values = items.values
    return [
        grouped_test(CLUSTER_ROBUST_T, (values[i], values[j]), items.groups, confidence, seed)
        for i, j in places
    ]


def _family(
    items: GroupedItems,
    places: Sequence[tuple[int, int]],
    tests: Sequence[NetworkTest],
    asked: Asked,
) -> Comparisons:
    def correlation(live: list[int]) -> Floats:
        apart = [items.values[i] - items.values[j] for i, j in (places[row] for row in live)]
        return correlation_of(cluster_contributions(apart, items.groups).covariance)

    found = family_of_tests(
        tests,
        [(items.names[i], items.names[j]) for i, j in places],
        correlation,
        reach=np.full(len(tests), items.measure.reach),
        settled=np.ones(len(tests), dtype=bool),
        confidence=asked.confidence,
        seed=derive(asked.seed, Stream.DIRECTIONS),
    )
    usual = [grouped_test(PAIRED_T, (items.values[i], items.values[j]), items.groups,
                          asked.confidence, asked.seed).pvalue for i, j in places]  # fmt: skip
    details = MappingProxyType({**found.details, "usual_pvalue": np.array(usual)})
    return replace(found, details=details)


def _endings(
    items: GroupedItems, places: Sequence[tuple[int, int]], pairs: Comparisons, asked: Asked
) -> tuple[Ending, ...]:
    if asked.margin is None:
        return ()
    number = len(places) * ((asked.n_prior_tests or 0) + 1)
    level = one_sided_level(asked.confidence, number)
    tests = _tests(items, places, level, asked.seed)
    settled = [True] * len(tests)
    return endings_of_tests(
        asked.margin, level, tests, settled, pairs.significant, pairs.ci_low, pairs.ci_high
    )


def _warnings(tests: Sequence[NetworkTest], pairs: Comparisons) -> tuple[Warning, ...]:
    """Return what the tests of all pairs warn of, and what the family notes."""
    texts = [set(map(str, test.warnings)) for test in tests]
    common = set.intersection(*texts)
    shared = tuple(each for each in tests[0].warnings if str(each) in common)
    return shared + noted(pairs.notes)


def _scales(items: GroupedItems) -> tuple[Warning, ...]:
    """Return the first two models in the order given whose values are of other scales."""
    for (a, one), (b, other) in pairwise(zip(items.names, items.values)):
        if found := other_scales((a, b), (one, other)):
            return found
    return ()
