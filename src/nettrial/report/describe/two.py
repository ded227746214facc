"""What a report on two models on one network says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...comparison.result import Comparison
from ...core.results import show
from ...core.wording import capitalized, level, shorten, shorten_apart, shorten_name
from ...metrics.amounts import amount, noun, says_nothing
from ...splits.names import describe_splits
from .. import cells
from ..disagreement import FEW, Grouping, NodeGroup, disagreement, loss_measure, losses_by
from ..document import Blocks, Document, Figure, Name, Paragraph, Table, rows
from ..drawing import NetworkDisplay, caption
from ..pair_displays import GroupsDisplay, SplitsDisplay
from ..plots import sure_of
from ..references import of_communities, of_comparison, of_design, of_models, of_test
from .base import describe
from .common import (
    communities_of,
    describe_df,
    describe_given,
    describe_network,
    describe_seed,
    how_found,
    labeled_note,
    measure_cited,
    size_of,
    software,
    test_words,
    what_was_read,
    with_sources,
)
from .links import document_of_links
from .margin import margin_cited
from .model_tables import paper_table, seconds_table
from .network import network_tables
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
from .settings import describe_design, named_test, settings_table
from .sources import sources_of_variance

ESTIMATES = {
    "p": ("error rate p", "The share of a test set that the model gets wrong, mean over splits."),
    "q": (
        "error rate of error-prone nodes, q",
        "How often the nodes fail that are prone to fail. Near p, errors fall on other nodes in "
        "every split; near 1, the same nodes fail each time, and more splits tell little.",
    ),
    "rho": (
        "error correlation over links, ρ",
        "How far the errors of two linked test nodes go together: 0 not at all, 1 always.",
    ),
    "effective_n": (
        "effective test set size, n / (1 + ρ|L|/n)",
        "How many independent nodes would tell as much as one test set.",
    ),
}
SHARED = {
    "n": ("test set size n", "Nodes on which the models are evaluated in a split, mean."),
    "m": ("nodes whose class is known, m", "All that a split can draw from."),
    "links": (
        "links within a test set, |L|",
        "Linked ordered pairs with both ends in the test set, mean over splits.",
    ),
    "autocorrelation": (
        "autocorrelation of the classes",
        "How far linked nodes share their class: 1 always, 0 as by chance, below 0 less than that.",
    ),
}
FORMS = {"effective_n": ",.1f", **dict.fromkeys(("n", "m", "links"), ",.0f")}
SHARED_OF = {
    "numbers": {
        "m": ("nodes with a target, m", "All that a split can draw from."),
        "autocorrelation": (
            "autocorrelation of the target",
            "Correlation of the targets of linked nodes.",
        ),
    }
}


@describe.register
def _comparison(found: Comparison) -> Document:
    return DOCUMENTS[found.predictions.task.items](found)


def _of_nodes(found: Comparison) -> Document:
    cautions, network = cautions_of(found), found.predictions.network
    means = (found.scores[found.a], found.scores[found.b])
    on = f" on {network.name}" if network.name else ""
    return Document(
        kind=f"{found.a} against {found.b}{on}",
        verdict=verdict_of(found, means, "networks like this one", "these predictions"),
        blocks=(
            intervals_figure(found, *ANSWERED),
            Paragraph(_about(found), "What was compared"),
            *what_was_read(found.settings),
            *_next_network(found),
            *all_tests(found, cautions, *ANSWERED),
            *sources_of_variance(found),
            *prior_tests_table(found.prior_tests, found.confidence, found.measure),
            *BY_TASK.get(found.predictions.task.name, TaskBlocks()).estimates(found),
            *_shared(found),
            *seconds_table(found),
            *cautions,
        ),
        methods=lambda name: _methods(found, name),
        details=lambda: _details(found),
        sources=_sources(found),
        brief=brief(found, _read(found), found.settings),
        paper=(paper_table(found), two_tests(found)),
    )


# what was predicted of -> what a report on two models says
DOCUMENTS = {"nodes": _of_nodes, "pairs": document_of_links}


def _sources(found: Comparison) -> tuple[str, ...]:
    estimates = BY_TASK.get(found.predictions.task.name, TaskBlocks()).sources
    models = of_models((found.a, found.b))
    return (*models, *estimates, "newman2003", *of_comparison(found))


def _labeled(found: Comparison) -> str:
    return labeled_note(found.labeled, found.settings)


def _splits(found: Comparison) -> str:
    return describe_splits(len(found.predictions.splits), found.design)


def _split_noise(found: Comparison) -> str:
    """Return what splits have of the variance, where the models were run again."""
    share = found.test(found.recommended).details.get("share_splits", np.nan)
    return "" if np.isnan(share) else f", split noise {share:.0%} of the variance"


def _read(found: Comparison) -> str:
    return (
        f"{size_of(found.predictions.network)}; {_splits(found)}{_labeled(found)}"
        f"{_split_noise(found)}; "
        f"{describe_means(found, (found.scores[found.a], found.scores[found.b]))}"
    )


def _about(found: Comparison) -> str:
    return (
        f"{_read(found)}; {communities_of(found.communities, found.settings)}. Verdict "
        f"by {test_words(found.recommended)}: {found.reason}"
    )


ROUGH = (
    "That is rough: on generated networks such 95% intervals held 90 to 97% of the differences, "
    "and the better model won on 12 percentage points more of the networks than expected."
)


def _next_network(found: Comparison) -> Blocks:
    """Return how likely the better model is to be better on one more network."""
    coming, measure = found.next_network, found.measure
    if coming is None or not found.settled:
        return ()
    better = found.a if found.a_is_better else found.b
    share = coming.a_better if found.a_is_better else 1 - coming.a_better
    ends = ""
    if not says_nothing(measure, coming.low, coming.high):
        low, high = (
            amount(measure, end, (coming.low, coming.high)) for end in (coming.low, coming.high)
        )
        ends = f", and the difference between {low} and {high} ({level(found.confidence)} of them)"
    return (
        Paragraph(
            f"On networks like this one {better} is expected to have the {measure.better} "
            f"{noun(measure)} on about {share:.0%}{ends}. {ROUGH}"
        ),
    )


def _estimates(found: Comparison) -> Table:
    estimates, models = found.estimates, (found.a, found.b)
    body = [
        [
            cells.words(text, small=meaning),
            *(_estimate(key, estimates[key][model]) for model in models),
        ]
        for key, (text, meaning) in ESTIMATES.items()
    ]
    lemma = [estimates["lemma1"][model] for model in models]
    low, high = (cells.number(lemma[0][bound]).text for bound in ("rho_low", "rho_high"))
    meaning = (
        "Whether errors can be correlated by ρ along every link at once: on this network ρ must "
        f"lie between {low} and {high}. Outside, the theory of RS-C does not hold, though it was "
        "seen to work; the other tests do not depend on it."
    )
    body.append(
        [
            cells.words("variance model (Lemma 1)", small=meaning),
            *(cells.words(show(each["verdict"])) for each in lemma),
        ]
    )
    return Table("Estimates for the models", ("quantity", *models), rows(body), fold=True)


def _estimate(key: str, value: float) -> cells.Cell:
    """Return an estimate; rates as the page has them, in percent."""
    if key in ("p", "q") and not np.isnan(value):
        return cells.share(value, 1)
    return cells.number(value, FORMS.get(key, ".2f"))


def _shared(found: Comparison) -> Blocks:
    """Return what was estimated for the network; nothing where its task estimates nothing."""
    body = [
        [cells.words(text, small=meaning), _estimate(key, found.estimates[key])]
        for key, (text, meaning) in (SHARED | SHARED_OF.get(found.measure.of, {})).items()
        if key in found.estimates
    ]
    if not body:
        return ()
    return (Table("Estimates for the network", ("quantity", "value"), rows(body), fold=True),)


def _methods(found: Comparison, name: Name) -> str:
    network, test = found.predictions.network, found.test(found.recommended)
    made = with_sources(name(test.method), *of_test(test.name))
    df = describe_df(test.df)
    how = how_found(test.name, found.settings.get("n_replicates"), test.details.get("n_splits"))
    communities = with_sources(
        name(communities_of(found.communities, found.settings)),
        *of_communities(found.settings.get("communities", "given")),
    )
    drawn = f"{name(_splits(found))}{describe_given(found.settings)}{_labeled(found)}"
    splits = with_sources(drawn, *of_design(found.design))
    return (
        f"We compared {name(found.a)} with {name(found.b)} on "
        f"{describe_network(network, name)} over "
        f"{splits}. {describe_seed(found.seed, found.settings)}{measure_cited(found.measure)}"
        f"The network has {communities}. The verdict on the {found.measure.title} is that of one "
        f"test, {made}, with "
        f"{level(found.confidence)} intervals{df and f' and {df}'}. {how and f'{how} '}"
        f"{prior_tests_cited(found.prior_tests)}"
        f"{margin_cited(found.ending, found.measure)}"
        f"{software(found.settings, name)}"
    )


def _details(found: Comparison) -> Blocks:
    measure = found.measure
    title = f"{capitalized(measure.title)}"
    where = "Where on the network they disagree"
    own = BY_TASK.get(found.predictions.task.name, TaskBlocks())
    return (
        Figure(
            f"{title} of both models on the test nodes of each split; a line joins the two on the "
            "same split, dashed lines are the means. Splits that share test nodes are not "
            "independent, so agreement among many splits is weaker evidence than it looks.",
            SplitsDisplay(found),
            "Split by split",
        ),
        *own.before(found, where),
        *own.by_group(found, "community", f"{where}: by community"),
        *own.by_group(found, "degree", f"{where}: by number of neighbors"),
        *network_tables(found.predictions.network),
        settings_table(_settings(found), found.settings),
    )


def _drawn(found: Comparison) -> Blocks:
    """Return the network, with the nodes that one model gets wrong more often than the other."""
    display = NetworkDisplay(found.predictions.network, found.communities, found)
    a, b = shorten_apart((found.a, found.b), 40)
    return (
        Figure(
            f"{caption(display)} Marks compare how often {a} and {b} err on a "
            "node, over all its tests.",
            display,
            "Where on the network they disagree",
        ),
    )


def _where(found: Comparison, by: Grouping, title: str) -> Blocks:
    groups = disagreement(found, by)
    pale = "" if sure_of(groups).all() else f" Groups of fewer than {FEW} nodes are pale."
    a, b = shorten_apart((found.a, found.b), 20)
    first, second = shorten_apart((found.a, found.b), 40)
    return (
        Figure(
            f"How often only one of {first} and {second} is wrong, by {by}. "
            f"Bars show how often one model alone is right, dots and numbers the difference "
            f"in error rate in percentage points.{pale}",
            GroupsDisplay(found, groups),
            title,
        ),
        Table(
            "",
            (by, "nodes", "tests", f"error {a}", f"error {b}", f"only {a} wrong",
             f"only {b} wrong", "difference", "best-linked nodes"),
            rows([_group(group) for group in groups]),
            below=(
                "Every test of a node counts once: a node that five splits test counts five times. "
                "The difference of a group with few nodes is mostly chance.",
            ),
            fold=True,
        ),
    )  # fmt: skip


def _losses(found: Comparison, by: Grouping, title: str) -> Blocks:
    """Return how far two models of numbers are off in parts of the network."""
    loss, (a, b) = loss_measure(found), shorten_apart((found.a, found.b), 20)
    groups = losses_by(found, by)
    largest = [value for group in groups for value in (group.loss_a, group.loss_b)]
    body = [
        [
            cells.words(shorten(group.name, 60)),
            cells.count(group.nodes),
            cells.count(group.tests),
            *(
                cells.value(loss, value, beside=largest)
                for value in (group.loss_a, group.loss_b, group.loss_a - group.loss_b)
            ),
            cells.words(", ".join(shorten_name(node, 24) for node in group.examples)),
        ]
        for group in groups
    ]
    return (
        Table(
            title,
            (by, "nodes", "tests", a, b, "difference", "best-linked nodes"),
            rows(body),
            below=(
                f"Means of the {loss.title}, in {loss.unit}. Every test of a node counts once. The "
                "difference of a group with few nodes is mostly chance.",
            ),
        ),
    )


class TaskBlocks(NamedTuple):
    """What a report on two models shows of what was predicted of nodes; nothing by default."""

    estimates: Callable[[Comparison], Blocks] = lambda _: ()  # what is estimated of the models
    sources: tuple[str, ...] = ()  # of these estimates
    # what precedes the groups, by the result and their title
    before: Callable[[Comparison, str], Blocks] = lambda *_: ()
    # where on the network the models disagree, by the result, a grouping and a title
    by_group: Callable[[Comparison, Grouping, str], Blocks] = lambda *_: ()


def _counted(found: Comparison, title: str) -> Blocks:
    """Return the network, and that groups count errors where the measure is another one."""
    if found.measure.name == "error":
        return _drawn(found)
    text = "The next two sections count right and wrong predictions, whatever the measure of the "
    return (Paragraph(f"{text}verdict.", title), *_drawn(found))


BY_TASK = {
    "classes": TaskBlocks(lambda found: (_estimates(found),), ("wang2011",), _counted, _where),
    "numbers": TaskBlocks(by_group=_losses),
}


def _group(group: NodeGroup) -> list[cells.Cell]:
    rates = (group.error_a, group.error_b, group.only_a, group.only_b)
    return [
        cells.words(shorten(group.name, 60)),
        cells.count(group.nodes),
        cells.count(group.tests),
        *(cells.share(rate, 1) for rate in rates),
        cells.difference_of_shares(group.difference),
        cells.words(", ".join(shorten_name(node, 24) for node in group.examples)),
    ]


def _settings(found: Comparison) -> dict[str, Any]:
    splits = found.predictions.splits
    train, test = (
        float(np.mean([getattr(split, part).size for split in splits]))
        for part in ("train", "test")
    )
    return {
        "model A": found.a,
        "model B": found.b,
        "measure": f"{found.measure.title}, {found.measure.better} is better",
        "design": describe_design(found.design),
        "splits": len(splits),
        "labeled proportion": found.labeled,
        "training nodes in a split, mean": train,
        "test nodes in a split, mean": test,
        "seed": found.seed,
        "confidence of intervals": found.confidence,
        "recommended test": named_test(found.recommended),
        "network fingerprint": found.predictions.network.fingerprint(),
    }
