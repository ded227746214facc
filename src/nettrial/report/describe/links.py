"""What a report on two link predictors says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...comparison.result import Comparison
from ...core.wording import capitalized, level, plural
from ...network.network import Network
from ...splits.link_designs import NEGATIVE_WORDS, links_described
from ..document import Document, Figure, Name, Paragraph
from ..pair_displays import SplitsDisplay
from ..references import cite, of_comparison, of_models, of_test
from .common import (
    describe_network,
    describe_seed,
    measure_cited,
    software,
    test_words,
    what_was_read,
)
from .margin import margin_cited
from .model_tables import paper_table, seconds_table
from .pair import (
    ANSWERED,
    all_tests,
    brief,
    cautions_of,
    describe_means,
    intervals_figure,
    two_tests,
    verdict_of,
)
from .prior_tests import prior_tests_cited, prior_tests_table
from .settings import describe_link_design, named_test, network_settings, settings_table


def document_of_links(found: Comparison) -> Document:
    """Return what a report on two link predictors says."""
    cautions = cautions_of(found)
    name = found.predictions.network.name
    return Document(
        kind=f"{found.a} against {found.b} in predicting links{f' of {name}' if name else ''}",
        verdict=verdict_of(
            found,
            (found.scores[found.a], found.scores[found.b]),
            "networks like this one",
            "these scores",
        ),
        blocks=(
            intervals_figure(found, *ANSWERED),
            Paragraph(_about(found), "What was compared"),
            *what_was_read(found.settings),
            *all_tests(found, cautions, *ANSWERED),
            *prior_tests_table(found.prior_tests, found.confidence, found.measure),
            *seconds_table(found),
            *cautions,
        ),
        methods=lambda name: _methods(found, name),
        details=lambda: (
            Figure(
                f"{capitalized(found.measure.title)} of both models on the "
                "test pairs of each split; a line joins the two on the same split, dashed lines "
                "are the means. Splits that share links are not independent, so agreement among "
                "many splits is weaker evidence than it looks.",
                SplitsDisplay(found),
                "Split by split",
            ),
            settings_table(
                {
                    "model A": found.a,
                    "model B": found.b,
                    "measure": f"{found.measure.title}, {found.measure.better} is better",
                    "design": describe_link_design(found.design),
                    "splits": len(found.predictions.splits),
                    "proportion of the links that models see": found.labeled,
                    "seed": found.seed,
                    "confidence of intervals": found.confidence,
                    "recommended test": named_test(found.recommended),
                    **network_settings(found.predictions.network),
                },
                found.settings,
            ),
        ),
        sources=(*of_models((found.a, found.b)), *of_comparison(found)),
        brief=brief(found, _read(found), found.settings),
        paper=(paper_table(found), two_tests(found)),
    )


def links_of(network: Network) -> str:
    """Return how many nodes and links a network has."""
    return f"{plural(network.n_nodes, 'node')}, {plural(network.simple_links()[0].size, 'link')}"


def splits_of_links(number: int, design: str, settings: Mapping[str, Any]) -> str:
    """Return how many splits there are, what they hide, and what stands beside the links."""
    hidden, without = settings["links_hidden"], settings["pairs_without_link"]
    drawn = design.partition("+")[2].partition(":")[0] or "uniform"
    how = "" if design == "given" else f", {NEGATIVE_WORDS[drawn]}"
    return (
        f"{plural(number, 'split')} ({links_described(design)}), on average {hidden:,.0f} hidden "
        f"links against {without:,.0f} pairs without link{how}"
    )


def _splits(found: Comparison) -> str:
    return splits_of_links(len(found.predictions.splits), found.design, found.settings)


def _read(found: Comparison) -> str:
    return (
        f"{links_of(found.predictions.network)}; {_splits(found)}; "
        f"{describe_means(found, (found.scores[found.a], found.scores[found.b]))}"
    )


def _about(found: Comparison) -> str:
    return f"{_read(found)}. Verdict by {test_words(found.recommended)}: {found.reason}"


def _methods(found: Comparison, name: Name) -> str:
    network, test = found.predictions.network, found.test(found.recommended)
    of = describe_network(network, name, links_of(network))
    sources = cite(*of_test(test.name))
    a, b = (f"{name(each)} {cite(*of_models([each]))}".rstrip() for each in (found.a, found.b))
    return (
        f"We compared {a} with {b} in predicting the links of {of}, over {_splits(found)}. "
        f"{describe_seed(found.seed, found.settings)}{measure_cited(found.measure)}"
        f"The verdict is that of one test, {name(test.method)}{sources and f' {sources}'}, with a "
        f"{level(found.confidence)} interval: pairs depend on each other through both ends. The "
        f"trained models are taken as given. {prior_tests_cited(found.prior_tests)}"
        f"{margin_cited(found.ending, found.measure)}"
        f"{software(found.settings, name)}"
    )
