"""Compare models on grouped items, without any network: answers by source document."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.seeds import Seed, freeze
from ..inference.data_sets import OverDataSets
from ..inference.margins import Ending, check_margin, detectable_difference, ending_at
from ..inference.on_communities import CLUSTER_ROBUST_T
from ..inference.outcome import NetworkTest
from ..inference.registry import PROCEDURES
from ..metrics.measures import Measure
from ..saved.evaluations import Evaluation
from ..stats.result import check_confidence
from .grouped_items import (
    REASON,
    GroupedItems,
    columns_of,
    grouped_test,
    items_of,
    mean_of_items,
)
from .grouped_models import (
    Asked,
    MultipleGroupedComparison,
    models_on_data_sets,
    models_on_groups,
)
from .options import not_used, takes_options
from .prior_tests import PriorTests, adjusted, check_prior_tests, prior_tests_note
from .result import OfTwo, against_margin
from .unit_mismatch import other_scales

if TYPE_CHECKING:
    import pandas as pd

MOST_GROUPS = 10**12


@dataclass(frozen=True, slots=True, repr=False)
class GroupedComparison(OfTwo):
    """The outcome of comparing two models on grouped items; differences are a minus b.

    Attributes
    ----------
    a, b : str
        Names of the models.
    mean_a, mean_b : float
        Mean of each model's values over the items.
    errors : bool
        Whether lower values are better.
    n_items, n_groups : int
    effective_groups : float
        Number of groups of equal size that would weigh as these do.
    confidence : float
        Level of the intervals.
    seed : int
        The frozen seed.
    tests : tuple of NetworkTest
        Every test that was made.
    recommended : str
        Name of the test whose answer is the verdict.
    reason : str
        Why that test.
    shares : bool
        Whether all values, or all answers of which they are means, are 0 or 1, so that means are
        shares.
    prior_tests : PriorTests or None
        What the verdict is worth after other comparisons on these items, where `n_prior_tests`
        says how many.
    scales : tuple of Warning
        That the values of the two are of other scales, where they are.
    ending : Ending or None
        How the verdict ends against the margin, where there is one.
    """

    a: str
    b: str
    mean_a: float
    mean_b: float
    errors: bool
    n_items: int
    n_groups: int
    effective_groups: float
    confidence: float
    seed: int
    tests: tuple[NetworkTest, ...]
    recommended: str
    reason: str
    shares: bool
    prior_tests: PriorTests | None = None
    scales: tuple[Warning, ...] = ()
    ending: Ending | None = None

    @property
    def difference(self) -> float:
        """Mean of a minus mean of b."""
        return self.mean_a - self.mean_b

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """Warnings that bear on the verdict."""
        return (
            prior_tests_note(self.prior_tests) + self.scales + self.test(self.recommended).warnings
        )

    @property
    def measure(self) -> Measure:
        """What is compared: the mean of the values, as a measure."""
        return mean_of_items(errors=self.errors, shares=self.shares)

    def _values(self) -> dict[str, Any]:
        names = ("a", "b", "mean_a", "mean_b", "difference", "errors", "n_items", "n_groups",
                 "effective_groups", "confidence", "seed", "recommended", "reason")  # fmt: skip
        own = {name: getattr(self, name) for name in names}
        prior = {} if self.prior_tests is None else {"prior_tests": self.prior_tests}
        tests = [test.to_dict() for test in self.tests]
        return own | {"tests": tests, **against_margin(self.ending)} | prior

    @property
    def smallest_detectable(self) -> float:
        """The difference that as many groups like these would show in 80 of 100 studies.

        With t the quantiles of the t distribution of the recommended test and se its standard
        error, ``(t(1 - alpha / 2) + t(0.8)) se``; NaN where there is no standard error.
        """
        test = self.test(self.recommended)
        return detectable_difference(test.standard_error, test.df, self.confidence, 0.8)

    @check_arguments
    def groups_needed(self, difference: float, *, power: float = 0.8) -> int:
        """Return the number of groups like these that would show a difference.

        The variance of the difference falls as one over the number of groups.

        Parameters
        ----------
        difference : float
            The difference of the means to be shown, not 0; its sign does not matter.
        power : float, default: 0.8
            In which share of studies.

        Raises
        ------
        InputError
            For a difference of 0, a power outside (0.5, 1), or where nothing varies.

        Examples
        --------
        >>> found = compare_grouped([1, 1, 0, 1, 1, 0], [0, 1, 0, 0, 1, 0], list("ppqqrr"))
        >>> found.groups_needed(0.1) > found.n_groups
        True
        """
        wanted = abs(float(difference))
        if not 0 < wanted < math.inf:
            raise InputError(
                parameter="difference", expected="a number other than 0", got=shown(difference)
            )
        if not 0.5 < power < 1:
            raise InputError(
                parameter="power", expected="a share above 0.5 and below 1", got=shown(power)
            )
        error = self.test(self.recommended).standard_error
        if not error > 0:
            raise InputError(
                "groups_needed: the difference does not vary between groups, so no number of them "
                "follows from these data"
            )
        scale = error * math.sqrt(self.n_groups)

        def shown_by(groups: int) -> float:
            least = scale / math.sqrt(groups)
            return detectable_difference(least, groups - 1, self.confidence, power)

        low, high = 2, 4
        while shown_by(high) > wanted:
            if high > MOST_GROUPS:
                raise InputError(
                    f"{shown(difference)} takes more than {MOST_GROUPS} groups to show",
                    parameter="difference",
                )
            low, high = high, 2 * high
        while high - low > 1:  # the smallest number that does
            middle = (low + high) // 2
            low, high = (low, middle) if shown_by(middle) <= wanted else (middle, high)
        return high


@overload
def compare_grouped(
    a: ArrayLike | Evaluation,
    b: ArrayLike | Evaluation,
    groups: Iterable[Hashable] | None = None,
    *,
    names: tuple[str, str] = ("A", "B"),
    errors: bool = False,
    confidence: float = 0.95,
    margin: float | None = None,
    n_prior_tests: int | None = None,
    seed: Seed = 0,
) -> GroupedComparison: ...
@overload
def compare_grouped(
    a: Mapping[str, Any] | pd.DataFrame,
    b: None = None,
    groups: str | Iterable[Hashable] | None = None,
    *,
    models: Sequence[str] | None = None,
    data_sets: None = None,
    errors: bool = False,
    control: str | None = None,
    confidence: float = 0.95,
    margin: float | None = None,
    n_prior_tests: int | None = None,
    seed: Seed = 0,
) -> MultipleGroupedComparison: ...
@overload
def compare_grouped(
    a: Mapping[str, Any] | pd.DataFrame,
    b: None = None,
    groups: str | Iterable[Hashable] | None = None,
    *,
    models: Sequence[str] | None = None,
    data_sets: str | Iterable[Hashable],
    errors: bool = False,
    confidence: float = 0.95,
    margin: float | None = None,
    seed: Seed = 0,
) -> OverDataSets: ...
@takes_options
def compare_grouped(
    a: Any,
    b: ArrayLike | Evaluation | None = None,
    groups: str | Iterable[Hashable] | None = None,
    *,
    names: tuple[str, str] = ("A", "B"),
    models: Sequence[str] | None = None,
    data_sets: str | Iterable[Hashable] | None = None,
    errors: bool = False,
    control: str | None = None,
    confidence: float = 0.95,
    margin: float | None = None,
    n_prior_tests: int | None = None,
    seed: Seed = 0,
) -> GroupedComparison | MultipleGroupedComparison | OverDataSets:
    """Compare models on items in groups, such as questions on one document.

    For answers by source document, pages by site, images by patient: the groups stand for
    others like them, and the difference within a group may depend on itself in any way. Each pair
    of several models has the estimate, standard error, degrees of freedom and unadjusted p-value
    that it has alone. The differences of all pairs, or with a control, are one family: its
    intervals hold simultaneously and its p-values are adjusted by the single-step max-t procedure.

    Parameters
    ----------
    a, b : array_like of float, shape (n_items,), or Evaluation
        Score, correctness or error of each model on each item; or what `read_evaluation` read
        of the logs of an evaluation, paired by item. Of several models, `a` alone: a data frame
        or a mapping of names to columns, or of names to evaluations, as `read_evaluations`
        reads them.
    groups : sequence of hashable, length n_items, or str
        The group of each item, or the column that holds it; evaluations bring their own.
    names : tuple of str
        Names of two models.
    models : sequence of str, optional
        Of several models, which columns or evaluations; by default all.
    data_sets : sequence of hashable, length n_items, or str, optional
        Of several models, the data set of each item, or the column that holds it. The data sets
        are then the observations, as for `compare_across`.
    errors : bool
        Whether lower values are better; by default higher ones are.
    control : str, optional
        Of several models, compare only each other one with this one.
    margin : float, optional
        The smallest difference of the means that matters, as for `compare`.
    n_prior_tests : int, optional
        How many comparisons were made on these items before this one, as for `compare`.
    seed : int, SeedSequence or Generator
        For what draws at random.

    Returns
    -------
    GroupedComparison, MultipleGroupedComparison or OverDataSets
        For two models, several models, several data sets.

    Raises
    ------
    InputError
        Where lengths differ, a value is missing or not finite, a group is missing, or there are
        fewer than two items, models or data sets.

    References
    ----------
    K.-Y. Liang, S. Zeger (1986), Biometrika 73: standard errors from sums of clusters.
    T. Hothorn, F. Bretz, P. Westfall (2008), Biometrical Journal 50: simultaneous intervals.

    Examples
    --------
    >>> right_a = [1, 1, 0, 1, 1, 1, 0, 1, 1, 0]
    >>> right_b = [0, 1, 0, 0, 1, 0, 0, 1, 0, 0]
    >>> found = compare_grouped(right_a, right_b, list("ppqqrrsstt"), names=("new", "old"))
    >>> round(found.difference, 2), found.n_groups, found.recommended
    (0.4, 5, 'cluster_robust_t')
    >>> table = {"new": right_a, "old": right_b, "none": [0] * 10, "page": list("ppqqrrsstt")}
    >>> compare_grouped(table, groups="page").may_be_best
    ('new', 'old')
    """
    check_confidence(confidence)
    check_prior_tests(n_prior_tests)
    entropy = freeze(seed)
    if b is None:
        if names != ("A", "B"):
            raise not_used("names", "several models", "compare_grouped")
        columns = columns_of(a, models, groups, data_sets)
        several = items_of(
            [*columns.models], [*columns.models.values()], columns.groups, errors=errors
        )
        check_margin(margin, several.measure, confidence)
        asked = Asked(control, confidence, margin, n_prior_tests, entropy)
        if columns.data_sets is None:
            return models_on_groups(several, asked)
        return models_on_data_sets(several, columns.data_sets, asked)
    for name, given in (("models", models), ("data_sets", data_sets), ("control", control)):
        if given is not None:
            raise not_used(name, "two models", "compare_grouped")
    items = items_of(names, (a, b), groups, errors=errors)
    check_margin(margin, items.measure, confidence)
    tests = _tests(items, confidence, entropy)
    verdict = next(test for test in tests if test.name == CLUSTER_ROBUST_T.name)
    details = verdict.details

    def at(level: float) -> tuple[float, float, float]:
        again = _tests(items, level, entropy)
        test = next(each for each in again if each.name == verdict.name)
        return test.pvalue, test.ci_low, test.ci_high

    return GroupedComparison(
        a=names[0],
        b=names[1],
        mean_a=float(items.values[0].mean()),
        mean_b=float(items.values[1].mean()),
        errors=errors,
        n_items=items.groups.size,
        n_groups=int(details["clusters"]),
        effective_groups=float(details.get("effective_clusters", details["clusters"])),
        confidence=confidence,
        seed=entropy,
        tests=tests,
        recommended=CLUSTER_ROBUST_T.name,
        reason=REASON,
        shares=items.measure.shares,
        scales=other_scales(names, (items.values[0], items.values[1])),
        prior_tests=adjusted(
            n_prior_tests, confidence, (verdict.pvalue, verdict.ci_low, verdict.ci_high), at
        ),
        ending=ending_at(margin, at, confidence, (n_prior_tests or 0) + 1),
    )


def _tests(items: GroupedItems, confidence: float, seed: int) -> tuple[NetworkTest, ...]:
    """Return every test that can be made of two models."""
    pair = items.values[0], items.values[1]
    return tuple(
        grouped_test(each, pair, items.groups, confidence, seed)
        for each in PROCEDURES.values()
        if each.on_groups is not None
    )
