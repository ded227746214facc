"""What a report on several models on one network says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...comparison.multiple import MultipleComparison
from ...core.wording import (
    level,
    listed,
    plural,
    pvalue_text,
)
from ...inference.on_communities import CLUSTER_ROBUST_T
from ...inference.outcome import OTHER_NETWORKS, OTHER_SPLITS
from ...inference.registry import PROCEDURES
from ...metrics.measures import MEASURES
from .. import cells
from ..document import Blocks, Document, Name, Paragraph
from ..document import cautions as cautions_of
from ..references import cite, of_models
from .base import describe
from .common import (
    adjustment_cited,
    describe_df,
    describe_given,
    describe_network,
    describe_seed,
    errors_cited,
    labeled_note,
    measure_cited,
    read_briefly,
    software,
    test_words,
    what_was_read,
)
from .items import words_of
from .margin import margin_cited
from .model_tables import labels_table, models_table, paper_table
from .prior_tests import prior_tests_cited, prior_tests_table
from .settings import (
    named_test,
    network_settings,
    settings_table,
)
from .several import Reach, models_and_pairs, pairs_of, verdict_of_several
from .sources import sources_of_variance


@describe.register
def _models(found: MultipleComparison) -> Document:
    network = found.predictions.network
    reach = Reach(
        "networks like this one",
        OTHER_NETWORKS,
        OTHER_SPLITS,
        test_words(found.recommended),
        found.settings,
    )
    learned, several = found.settings.get("learned_on"), found.multivariate is not None
    return Document(
        kind=f"{len(found.scores):,} models on {network.name or 'one network'}",
        verdict=verdict_of_several(found, reach),
        blocks=(
            *models_and_pairs(found, reach, models_table(found)),
            Paragraph(_about(found), "What was compared"),
            *what_was_read(found.settings),
            *([Paragraph(_elsewhere(learned))] if learned is not None else []),
            *labels_table(found),
            *sources_of_variance(found),
            *prior_tests_table(
                found.prior_tests,
                found.confidence,
                found.measure,
                list(map(cells.difference, found.pairs.first, found.pairs.second)),
            ),
            *([Paragraph(_at_once(found))] if several else []),
            *cautions_of(found.warnings),
        ),
        methods=lambda name: _methods(found, name),
        details=lambda: _details(found),
        sources=of_models(found.scores),
        brief=_brief(found),
        paper=(
            paper_table(found) if found.scores_by_split else models_table(found, timed=False),
            pairs_of(found),
        ),
    )


def learned_words(learned: Mapping[str, Any], name: Name = str) -> str:
    """Return where models learned that were tested on another network."""
    known = learned["known"]
    return f"{learned['n_labels']} labels of {name(learned['network'])}" + (
        f" and {known:.0%} of the labels of the test network"
        if known
        else ", and no label of the test network"
    )


def _elsewhere(learned: Mapping[str, Any]) -> str:
    return (
        f"Learned from {learned_words(learned)}. The communities of the test network are the "
        "units: the answer is for other networks like the test network, with the models as learned "
        f"on {learned['network']}. It does not say what learning on another network would change; "
        "for that, learn on several networks and test on several (independent pairs)."
    )


def _brief(found: MultipleComparison) -> Blocks:
    learned = found.settings.get("learned_on")
    read = _read(found) + (f"; learned from {learned_words(learned)}" if learned else "")
    below = ("Models that share a letter do not differ significantly.",) if found.letters else ()
    table = replace(models_table(found, timed=False), title="", below=below)
    return read_briefly(read, found.settings), table


def _read(found: MultipleComparison) -> str:
    labeled = words_of(found).labeled(labeled_note(found.labeled, found.settings))
    return f"{_size(found)}; {_splits(found)}{labeled}"


def _about(found: MultipleComparison) -> str:
    return (
        f"{_read(found)}{words_of(found).communities(found)}. Intervals and p-values answer for "
        f"other networks like this one, by {test_words(found.recommended)}: {found.reason}"
        f"{_alone(found)}"
    )


def _alone(found: MultipleComparison) -> str:
    """Return which test gives the intervals of single models, where the verdict's gives none."""
    procedure = PROCEDURES.get(found.recommended)
    if procedure is None or procedure.one_model:
        return ""
    return f". Intervals of one model are by {test_words(CLUSTER_ROBUST_T.name)}"


def _size(found: MultipleComparison) -> str:
    """Return how large the network is: its classes, or its labels where nodes have several."""
    network, labels = found.predictions.network, found.settings.get("labels")
    return (
        words_of(found).size(network)
        if labels is None
        else (
            f"{plural(network.n_nodes, 'node')}, {plural(network.n_links, 'link')}, "
            f"{len(labels)} labels, of which a node may have several"
        )
    )


def _splits(found: MultipleComparison) -> str:
    return words_of(found).splits(len(found.predictions.splits), found.design, found.settings)


def _at_once(found: MultipleComparison) -> str:
    assert found.multivariate is not None  # noqa: S101 - asked only where there is one
    test = found.multivariate
    note = listed(_titles(found))
    return (
        f"{note[:1].upper()}{note[1:]} at once: {test.method}, {pvalue_text(float(test.pvalue))}."
    )


def _titles(found: MultipleComparison) -> list[str]:
    return [MEASURES[each].title for each in found.settings["measures"]]


def _details(found: MultipleComparison) -> Blocks:
    own = {
        "models": ", ".join(found.scores),
        "control": found.control,
        "measure": f"{found.measure.title}, {found.measure.better} is better",
        "design": words_of(found).design(found.design),
        "splits": len(found.predictions.splits),
        "labeled proportion": found.labeled,
        "seed": found.seed,
        "confidence of intervals": found.confidence,
        "test": named_test(found.recommended),
    }
    return (settings_table(own | network_settings(found.predictions.network), found.settings),)


def _methods(found: MultipleComparison, name: Name) -> str:
    names, pairs = list(found.scores), len(found.pairs.first)
    family = f"all {pairs} pairs" if pairs > 1 else "the pair"
    if found.control is not None:
        family = f"the {pairs} comparisons with {name(found.control)}"
    letters = (
        f" Models that share a letter {cite('piepho2004')} do not differ significantly."
        if found.control is None
        else ""
    )
    several = ""
    if found.multivariate is not None:
        several = (
            f" {listed(_titles(found)).capitalize()} together were "
            f"tested on means within communities ({name(found.multivariate.method)})."
        )
    df = describe_df(found.pairs.df)
    df = df and f", with {df}"
    how = f"The {level(found.confidence)} interval and the p-value are those of one pair{df}"
    if cells.are_family(found.pairs):
        how = (
            f"The {level(found.confidence)} intervals and adjusted p-values of {family} are those "
            f"of {adjustment_cited(found.pairs)}{df}; Holm's adjustment {cite('holm1979')} is "
            "given as well"
        )
    return (
        f"We compared {listed([name(n) for n in names])} on "
        f"{describe_network(found.predictions.network, name, _size(found))}. "
        f"{how_learned(found, name)} {describe_seed(found.seed, found.settings)}"
        f"{measure_cited(found.measure)}{words_of(found).cited(found)}"
        f"{errors_cited(found.recommended, found.settings.get('n_replicates'))} "
        f"{how}.{letters}{several} "
        f"{prior_tests_cited(found.prior_tests)}"
        f"{margin_cited(next(iter(found.endings), None), found.measure)}"
        f"{software(found.settings, name)}"
    )


def how_learned(found: MultipleComparison, name: Name, of_each: str = "") -> str:
    """Return a methods sentence on the splits, or on the network that models learned on."""
    learned, number = found.settings.get("learned_on"), len(found.predictions.splits)
    if learned is not None:
        return f"All models learned from {learned_words(learned, name)}, drawn {number} times."
    ran = "predicted" if found.settings.get("predictions") else "ran on"
    known = "" if found.labeled is None else f", with {found.labeled:.0%} of the labels known"
    labeled = words_of(found).labeled(known)
    cited = cite(*words_of(found).sources(found.design))
    return (
        f"All models {ran} the same {name(_splits(found))}"
        f"{describe_given(found.settings)}{of_each}{labeled}"
        f"{cited and ' ' + cited}."
    )
