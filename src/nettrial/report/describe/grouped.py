"""What a report on models on grouped items says."""

from __future__ import annotations

from dataclasses import replace

from ...comparison.grouped import GroupedComparison
from ...comparison.grouped_items import ALONE, OTHER_GROUPS
from ...comparison.grouped_models import MultipleGroupedComparison
from ...core.wording import level, listed, plural
from ...metrics.amounts import amount_with_unit
from .. import cells
from ..document import Blocks, Document, Name, Paragraph
from ..document import cautions as all_cautions
from ..references import cite, of_test
from .base import describe
from .common import adjustment_cited, describe_df
from .margin import margin_cited
from .model_tables import models_table
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
from .several import Reach, models_and_pairs, pairs_of, verdict_of_several

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
                }
                | _settings(found)
                | {
                    "recommended test": f"the {found.test(found.recommended).method}",
                },
                {},
            ),
        ),
        sources=("dietterich1998",),
        brief=brief(found, _read(found), {}),
        paper=(two_tests(found),),
    )


@describe.register
def _models(found: MultipleGroupedComparison) -> Document:
    test = f"the {found.pairs.method}"
    reach = Reach("groups like these", OTHER_GROUPS, ALONE, test, {})
    models = models_table(found)
    pairs = list(map(cells.difference, found.pairs.first, found.pairs.second))
    below = ("Models that share a letter do not differ significantly.",) if found.letters else ()
    brief: Blocks = (
        Paragraph(f"Read: {_groups(found)}."),
        replace(models, title="", below=below),
    )
    return Document(
        kind=f"{len(found.scores):,} models on {plural(found.n_groups, 'group')} of items",
        verdict=verdict_of_several(found, reach),
        blocks=(
            *models_and_pairs(found, reach, models),
            Paragraph(
                f"{_groups(found)}. Intervals and p-values answer for other groups like these, by "
                f"{test}: {found.reason}",
                "What was compared",
            ),
            *prior_tests_table(found.prior_tests, found.confidence, found.measure, pairs),
            *all_cautions(found.warnings),
        ),
        methods=lambda name: _methods_of_models(found, name),
        details=lambda: (
            settings_table(
                {"models": ", ".join(found.scores), "control": found.control}
                | _settings(found)
                | {"test": test},
                {},
            ),
        ),
        brief=brief,
        paper=(models, pairs_of(found)),
    )


def _methods_of_models(found: MultipleGroupedComparison, name: Name) -> str:
    number, control = len(found.pairs.first), found.control
    family = f"all {number:,} pairs" if number > 1 else "the pair"
    if control is not None:
        family = f"the {number:,} comparisons with {name(control)}"
    letters = (
        ""
        if control is not None
        else (f" Models that share a letter {cite('piepho2004')} do not differ significantly.")
    )
    df = describe_df(found.pairs.df)
    return (
        f"We compared {listed([name(each) for each in found.scores])} on {_groups(found)}. "
        "Standard errors let the items of a group depend on each other in any way "
        f"{cite(*of_test(found.recommended))}. The {level(found.confidence)} intervals and "
        f"adjusted p-values of {family} are those of {adjustment_cited(found.pairs)}"
        f"{df and f', with {df}'}; Holm's adjustment {cite('holm1979')} is given as well.{letters} "
        f"{margin_cited(next(iter(found.endings), None), found.measure)}"
        f"{prior_tests_cited(found.prior_tests)}The seed was {found.seed}."
    )


def _settings(found: GroupedComparison | MultipleGroupedComparison) -> dict[str, object]:
    return {
        "items": found.n_items,
        "groups": found.n_groups,
        "effective number of groups": found.effective_groups,
        "better values": found.measure.better,
        "seed": found.seed,
        "confidence of intervals": found.confidence,
    }


def _groups(found: GroupedComparison | MultipleGroupedComparison) -> str:
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
