"""What a report says: the rows of its tables and the words beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..comparison.text import USUAL, pvalue_text
from ..inference.outcome import OTHER_NETWORKS
from ..results import show
from ..splits.names import described, splits_told
from ..summary import summarize

if TYPE_CHECKING:
    from ..comparison.result import Comparison
    from ..network import Network

LISTED_CLASSES = 20
ESTIMATE_WORDS = {
    "p": (
        "Error rate",
        "p",
        "The share of a test set that the model gets wrong, mean over splits.",
    ),
    "q": (
        "Error rate of error-prone nodes",
        "q",
        "How often the nodes fail that are prone to fail. Near p, errors fall on other nodes in "
        "every split; near 1, the same nodes fail each time, and more splits tell little.",
    ),
    "rho": (
        "Error correlation over links",
        "ρ",
        "How far the errors of two linked test nodes go together: 0 not at all, 1 always.",
    ),
    "effective_n": (
        "Effective test set size",
        "n / (1 + ρ|L|/n)",
        "How many independent nodes would tell as much as one test set.",
    ),
}
SHARED_WORDS = {
    "n": ("Test set size", "n", "Nodes on which the models are evaluated in a split, mean."),
    "m": ("Labelled nodes", "m", "Nodes whose class is known: all that a split can draw from."),
    "links": (
        "Links within a test set",
        "|L|",
        "Linked ordered pairs with both ends in the test set, mean over splits.",
    ),
    "autocorrelation": (
        "Autocorrelation of the classes",
        "",
        "How far linked nodes share their class: 1 always, 0 as by chance, below 0 less than that.",
    ),
}
SETTING_WORDS = {
    "cross_links": "links between training nodes and others",
    "positive": "class taken against all others",
    "communities": "communities by",
    "n_communities": "number of communities",
    "largest_community": "nodes in the largest community",
    "division": "giant community",
    "q": "estimator of q",
}
LEMMA_WORDS = (
    "Whether errors can be correlated by ρ along every link at once: on this network ρ must lie "
    "between {low} and {high}. Outside, the theory of RS-C does not hold, though it was seen to "
    "work; the other tests do not depend on it."
)
SUMMARY_WORDS = {
    "nodes": "nodes",
    "rows": "link rows as read",
    "links_simple_undirected": "linked pairs, without direction",
    "self_loops": "self loops, left out",
    "duplicate_rows": "repeated rows, merged",
    "dangling_rows": "rows that name an unknown node, left out",
    "zero_weight_rows": "rows of weight zero, left out",
    "isolates": "nodes without links",
    "components": "connected components",
    "classes": "classes",
    "unlabelled": "nodes without label",
    "autocorrelation": "autocorrelation of the classes",
    "directed": "directed links",
    "weighted": "weighted links",
}


def tests_table(comparison: Comparison) -> tuple[list[dict[str, Any]], list[str]]:
    """Give one row a test and the footnotes; equal warnings share a footnote."""
    notes: dict[str, int] = {}
    rows = []
    for test in comparison.tests:
        marks = sorted({notes.setdefault(text, len(notes) + 1) for text in map(str, test.warnings)})
        rows.append(
            {
                "test": test,
                "marks": marks,
                "networks": test.question == OTHER_NETWORKS,
                "answered": not math.isnan(test.pvalue),
                "recommended": test.name == comparison.recommended,
                "df": "–" if test.df is None or math.isnan(test.df) else f"{test.df:.3g}",
                "interval": not (math.isnan(test.ci_low) or math.isnan(test.ci_high)),
            }
        )
    return rows, list(notes)


def cautions(comparison: Comparison) -> list[str]:
    """Give every warning that touches the verdict, each once."""
    recommended = comparison.test(comparison.recommended)
    return list(dict.fromkeys(map(str, (*comparison.warnings, *recommended.warnings))))


def contrast(comparison: Comparison) -> str:
    """Say what the usual test would have said, and whether it would have misled."""
    usual, best = comparison.test(USUAL), comparison.test(comparison.recommended)
    if math.isnan(usual.pvalue):
        return "The paired t-test that most papers use has no answer on these predictions."
    said = f"The paired t-test that most papers use gives {pvalue_text(usual.pvalue)}."
    if math.isnan(best.pvalue):
        return said
    alpha = 1 - comparison.confidence
    claims = usual.pvalue < alpha, best.pvalue < alpha
    if claims == (True, False):
        return f"{said} It would have claimed a difference that is not shown for other networks."
    if claims == (False, True):
        return f"{said} It would have missed the difference."
    return f"{said} Here it comes to the same answer."


def estimate_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """Give name, symbol, meaning and the value of each model, or one value for both."""
    estimates, models = comparison.estimates, (comparison.a, comparison.b)
    rows = [
        _estimate(words, [_number(estimates[key][model]) for model in models])
        for key, words in ESTIMATE_WORDS.items()
    ]
    rows += [_estimate(words, [_number(estimates[key])]) for key, words in SHARED_WORDS.items()]
    lemma = [estimates["lemma1"][model] for model in models]
    low, high = (_number(lemma[0][bound]) for bound in ("rho_low", "rho_high"))
    words = ("Covariance of the errors", "Lemma 1", LEMMA_WORDS.format(low=low, high=high))
    return [*rows, _estimate(words, [show(found["verdict"]) for found in lemma])]


def _estimate(words: tuple[str, str, str], values: list[str]) -> dict[str, Any]:
    name, symbol, meaning = words
    return {"name": name, "symbol": symbol, "meaning": meaning, "values": values}


def _number(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else show(value).replace("-", "−")


def network_rows(network: Network) -> tuple[list[tuple[str, str]], list[tuple[str, int, float]]]:
    """Give what the network is like, and the nodes and share of each class."""
    summary = summarize(network)
    rows = []
    for field, words in SUMMARY_WORDS.items():
        value = getattr(summary, field)
        plain = isinstance(value, int) and not isinstance(value, bool)
        rows.append((words, f"{value:,}" if plain else show(value).replace("-", "−")))
    counts = list(summary.class_counts.items())
    if len(counts) > LISTED_CLASSES:
        counts.sort(key=lambda item: -item[1])
        others = counts[LISTED_CLASSES:]
        counts = counts[:LISTED_CLASSES]
        counts.append((f"the other {len(others):,} classes", sum(n for _, n in others)))
    total = max(1, sum(n for _, n in counts))
    return rows, [(name, n, n / total) for name, n in counts]


def setting_rows(comparison: Comparison) -> list[tuple[str, str]]:
    """Give every setting, and the versions, that the numbers depend on."""
    splits = comparison.predictions.splits
    sizes = {part: np.mean([getattr(s, part).size for s in splits]) for part in ("train", "test")}
    rows: dict[str, Any] = {
        "model A": comparison.a,
        "model B": comparison.b,
        "measure": f"{comparison.measure.title}, {comparison.measure.better} is better",
        "design": described(comparison.design),
        "splits": len(splits),
        "labeled proportion": comparison.labeled,
        "training nodes in a split, mean": float(sizes["train"]),
        "test nodes in a split, mean": float(sizes["test"]),
        "seed": comparison.seed,
        "confidence of intervals": comparison.confidence,
        "recommended test": comparison.recommended,
        "network fingerprint": comparison.predictions.network.fingerprint(),
    }
    return [(key, show(value)) for key, value in (*rows.items(), *_flat(comparison.settings))]


def _flat(settings: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in settings.items():
        name = before + SETTING_WORDS.get(key, str(key).replace("_", " "))
        if isinstance(value, Mapping):
            yield from _flat(value, "version of " if key == "versions" else f"{name}: ")
        else:
            yield name, value


def methods_sentence(comparison: Comparison) -> str:
    """Describe the comparison as a paper would."""
    network = comparison.predictions.network
    test = comparison.test(comparison.recommended)
    size = f"{network.n_nodes:,} nodes, {network.n_links:,} links"
    where = f"{network.name} ({size})" if network.name else f"a network of {size}"
    labeled = "" if comparison.labeled is None else f", {comparison.labeled:.0%} labeled"
    seed = "" if comparison.seed is None else f", seed {comparison.seed}"
    version = comparison.settings.get("versions", {}).get("nettrial", "")
    return (
        f"We compared {comparison.a} with {comparison.b} on {where} over "
        f"{splits_told(len(comparison.predictions.splits), comparison.design)}{labeled}{seed}, "
        f"using nettrial{' ' + version if version else ''}; verdict on the "
        f"{comparison.measure.title} by {test.method}."
    )
