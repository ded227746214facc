"""What a report on two models on grouped items says."""

from __future__ import annotations

from ...comparison.grouped import GroupedComparison
from ...core.wording import level, plural
from ...metrics.amounts import amount_with_unit
from ..document import Document, Name, Paragraph
from ..references import cite, of_test
from .base import describe
from .margin import margin_cited
from .pair import (
    all_tests,
    brief,
    cautions_of,
    describe_means,
    intervals_figure,
    two_tests,
    verdict_of,
)
from .prior_tests import prior_tests_cited, prior_tests_table
from .settings import settings_table

# what tests on groups answer for
GROUPS = ("other groups like these", "other items, each alone")


@describe.register
def _grouped(found: GroupedComparison) -> Document:
    cautions = cautions_of(found)
    means = (found.mean_a, found.mean_b)
    return Document(
        kind=f"{found.a} against {found.b} on {plural(found.n_groups, 'group')} of items",
        verdict=verdict_of(found, means, "groups like these", "these data"),
        blocks=(
            intervals_figure(found, *GROUPS),
            Paragraph(_about(found), "What was compared"),
            *all_tests(found, cautions, *GROUPS),
            *prior_tests_table(found.prior_tests, found.confidence, found.measure),
            *cautions,
        ),
        methods=lambda name: _methods(found, name),
        details=lambda: (
            settings_table(
                {
                    "model A": found.a,
                    "model B": found.b,
                    "items": found.n_items,
                    "groups": found.n_groups,
                    "effective number of groups": found.effective_groups,
                    "better values": found.measure.better,
                    "seed": found.seed,
                    "confidence of intervals": found.confidence,
                    "recommended test": f"the {found.test(found.recommended).method}",
                },
                {},
            ),
        ),
        sources=("dietterich1998",),
        brief=brief(found, _read(found), {}),
        paper=(two_tests(found),),
    )


def _groups(found: GroupedComparison) -> str:
    return (
        f"{plural(found.n_items, 'item')} in {plural(found.n_groups, 'group')} (effective number "
        f"{found.effective_groups:.3g})"
    )


def _read(found: GroupedComparison) -> str:
    return f"{_groups(found)}; {describe_means(found, (found.mean_a, found.mean_b))}"


def _about(found: GroupedComparison) -> str:
    method = found.test(found.recommended).method
    return f"{_read(found)}. Verdict by the {method}: {found.reason}{_reach(found)}"


def _reach(found: GroupedComparison) -> str:
    """Describe what as many groups can show; nothing where the difference does not vary."""
    smallest = found.smallest_detectable
    if not smallest > 0:
        return ""
    half = found.groups_needed(smallest / 2)
    return (
        f" With as many groups a true difference of {amount_with_unit(found.measure, smallest)} is "
        f"found in 80 of 100 studies; half of it takes {half} groups."
    )


def _methods(found: GroupedComparison, name: Name) -> str:
    test = found.test(found.recommended)
    # Louvain is how communities are found; here the groups are given
    sources = cite(*of_test(test.name))
    return (
        f"We compared {name(found.a)} with {name(found.b)} on {_groups(found)}. The verdict is "
        f"that of one test, {name(test.method)}{sources and f' {sources}'}, with a "
        f"{level(found.confidence)} interval. Its clusters are the groups, whose items "
        "may depend on each other in any way. "
        f"{margin_cited(found.ending, found.measure)}"
        f"{prior_tests_cited(found.prior_tests)}The seed was {found.seed}."
    )
