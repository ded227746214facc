"""checklist(): what a paper should say about an experiment, filled in from a result.

The dimensions are those by which Neville, Gallagher and Eliassi-Rad (2009, table 5) surveyed 23
papers; many of these left open whether links between training and test nodes were kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..comparison.grouped_items import OTHER_GROUPS
from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.finding import Finding
from ..core.wording import level, listed
from ..inference.procedure import Procedure
from ..inference.registry import PROCEDURES, canonical
from ..metrics.measures import MEASURES
from ..splits.names import described
from .questions import answers_for

Values = Mapping[str, Any]


class ChecklistItem(NamedTuple):
    """What a result says of an item, and what the author must add to it."""

    text: str
    lacking: str = ""


ACROSS, GROUPED = "AcrossNetworks", ("GroupedComparison", "MultipleGroupedComparison")
LINKS = {
    "keep": "Links between training nodes and others were kept.",
    "drop": "Links between training nodes and others were cut.",
    "inductive": "Models learned from the training nodes and the links among them alone.",
}
DISJOINT = ("ncv", "5x2", "temporal")  # of 5x2 within each repetition


@check_arguments
def checklist(found: Finding | Mapping[str, Any]) -> str:
    """Return a reporting checklist in Markdown, filled in as far as a result allows.

    Parameters
    ----------
    found : Finding or mapping
        A result, or what its `to_dict` or ``--json`` gave.

    Returns
    -------
    str
        One item a line: ticked where the result says it, with the sentence to print; open where
        the author must add it.

    Raises
    ------
    InputError
        For what is neither.

    References
    ----------
    Neville, Gallagher and Eliassi-Rad (2009), Evaluating statistical tests for within-network
    classifiers of relational data, ICDM.

    Examples
    --------
    >>> known = {"kind": "Comparison", "labeled": 0.3, "settings": {"cross_links": "keep"}}
    >>> print(checklist(known))
    - [ ] **Data**: name the network, its numbers of nodes, links and classes, and where it is from.
    - [x] **Task**: within one partly labeled network.
    - [x] **Links**: Links between training nodes and others were kept.
    - [x] **Share labeled**: 30% of the labeled nodes, not varied.
    - [ ] **Splits**: say how nodes were drawn and whether test sets overlap.
    - [ ] **Number of splits**: say how many splits or folds there were.
    - [ ] **Test**: name the test and the question that it answers.
    - [ ] **Spread**: give an interval, and say of what: other networks, or other splits.
    - [ ] **Measure**: say what is measured and which direction is better.
    - [ ] **Reproduction**: give the seed and the versions.
    """
    values = found.to_dict() if isinstance(found, Finding) else found
    if not isinstance(values, Mapping) or "kind" not in values:
        raise InputError(
            expected="a result or its JSON",
            got=shown(values),
            hint="write one by nettrial compare ... --json > result.json",
            where="checklist",
        )
    lines = []
    for title, note, missing in ITEMS:
        try:
            said = note(values)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise InputError(
                expected="what nettrial compare --json prints",
                got=f"something else ({error})",
                where=f"checklist: {title.lower()}",
            ) from error
        text, lacking = said if isinstance(said, ChecklistItem) else ChecklistItem(said)
        whole = bool(text) and not lacking
        words = f"{text} {lacking}".rstrip() if text else missing
        lines.append(f"- [{'x' if whole else ' '}] **{title}**: {words}")
    return "\n".join(lines)


def _data(values: Values) -> str | ChecklistItem:
    networks = values.get("networks")
    if isinstance(networks, Mapping):
        sizes = [f"{name}{_size(one, ' (')}" for name, one in networks.items()]
        return ChecklistItem(
            f"{len(networks):,} networks: {listed(sizes)}.", "Add where they are from."
        )
    if "n_nodes" not in values:
        return ""
    name = values.get("network") or "a network"
    return ChecklistItem(f"{name}{_size(values, ', ')}.", "Add where it is from.")


def _size(values: Values, before: str) -> str:
    """Return what is known of how large a network is, in brackets that `before` may open."""
    counts = {word: values.get(f"n_{word}") for word in ("nodes", "links", "classes")}
    known = [f"{number:,} {word}" for word, number in counts.items() if number]
    return f"{before}{', '.join(known)}{')' * ('(' in before)}" if known else ""


def _task(values: Values) -> str:
    if "learned_on" in _settings(values):
        return "across networks: learned on one, tested on another."
    tasks = {
        "Comparison": "within one partly labeled network.",
        "MultipleComparison": "within one partly labeled network.",
        "Sweep": "within one partly labeled network, at several proportions of labels.",
        "AcrossNetworks": "within each of several networks, which are the observations.",
    } | dict.fromkeys(GROUPED, "items in groups, without a network.")
    return tasks.get(str(values["kind"]), "")


def _links(values: Values) -> str:
    return LINKS.get(str(_settings(values).get("cross_links")), "")


def _labeled(values: Values) -> str:
    rates, learned = _value(values, "labeled"), _settings(values).get("learned_on")
    if rates is None:
        return ""
    if learned is not None:
        return (
            f"{learned['labeled']:.0%} of the labels of the training network, "
            f"{learned['known']:.0%} of those of the test network."
        )
    if isinstance(rates, (list, tuple)):
        return f"varied: {listed([f'{rate:.0%}' for rate in rates])} of the labeled nodes."
    return f"{rates:.0%} of the labeled nodes, not varied."


def _splits(values: Values) -> str | ChecklistItem:
    design = _value(values, "design")
    if design is None:
        return ""
    if "learned_on" in _settings(values):
        return "the known labels of either network were drawn at random; test sets overlap."
    short = str(design).partition(":")[0]
    overlap = "are disjoint" if short in DISJOINT else "overlap"
    if short == "given":
        known = _settings(values).get("test_sets")
        if known is None:
            return ChecklistItem(
                "as given.", "Say how nodes were drawn and whether test sets overlap."
            )
        return ChecklistItem(f"as given; test sets {known}.", "Say how nodes were drawn.")
    return f"{described(str(design))}; test sets {overlap}."


def _number(values: Values) -> str:
    number = _value(values, "n_splits")
    return "" if number is None else f"{number}."


def _test(values: Values) -> str:
    if values["kind"] == ACROSS:
        return "tests of signs and ranks over the networks, which are the observations."
    chosen = _chosen(values)
    if chosen is None:
        return ""
    words = chosen.words.replace("communities", "groups") if _grouped(values) else chosen.words
    return f"{words}; it answers: {_question(values, chosen)}"


def _grouped(values: Values) -> bool:
    return values["kind"] in GROUPED


def _question(values: Values, chosen: Procedure) -> str:
    return OTHER_GROUPS if _grouped(values) and chosen.gives_verdict else chosen.question


def _chosen(values: Values) -> Procedure | None:
    """Return the test that gave the verdict."""
    name = _value(values, "recommended") or _value(values, "test")
    return PROCEDURES.get(canonical(str(name)))


def _spread(values: Values) -> str | ChecklistItem:
    confidence, chosen = _value(values, "confidence"), _chosen(values)
    if confidence is None:
        return ""
    text = f"{level(confidence)} intervals of the difference"
    if values["kind"] == ACROSS:
        return f"{text} over other networks of the kind."
    if chosen is None:
        return ChecklistItem(f"{text}.", "Say of what: over other networks, or over other splits.")
    return f"{text} over {answers_for(_question(values, chosen))}."


def _measure(values: Values) -> str:
    measure = MEASURES.get(str(_value(values, "measure")))
    return "" if measure is None else f"{measure.title}, {measure.better} is better."


def _reproduction(values: Values) -> str | ChecklistItem:
    seed, versions = _value(values, "seed"), _settings(values).get("versions")
    if seed is None or not versions:
        return ""
    note = ", ".join(f"{name} {number}" for name, number in versions.items())
    if _settings(values).get("predictions"):
        return ChecklistItem(
            f"seed {seed} of communities and tests; {note}.",
            "The predictions were made before: add the seeds and versions that made them.",
        )
    return f"seed {seed}; {note}."


def _first(values: Values) -> Values:
    """Return what was found on the first of several networks."""
    networks = values.get("networks")
    if not isinstance(networks, Mapping) or not networks:
        return {}
    first = next(iter(networks.values()))
    return first if isinstance(first, Mapping) else {}


def _value(values: Values, key: str) -> Any:
    return values.get(key, _first(values).get(key))


def _settings(values: Values) -> Values:
    found = _value(values, "settings")
    return found if isinstance(found, Mapping) else {}


# what it is about, what a result says of it, what to do where it says nothing
ITEMS: tuple[tuple[str, Callable[[Values], str | ChecklistItem], str], ...] = (
    ("Data", _data,
     "name the network, its numbers of nodes, links and classes, and where it is from."),
    ("Task", _task, "say whether it is within one network or across networks."),
    ("Links", _links, "say whether links between training nodes and others were kept or cut."),
    ("Share labeled", _labeled, "say what share of the nodes is labeled, and whether it varies."),
    ("Splits", _splits, "say how nodes were drawn and whether test sets overlap."),
    ("Number of splits", _number, "say how many splits or folds there were."),
    ("Test", _test, "name the test and the question that it answers."),
    ("Spread", _spread, "give an interval, and say of what: other networks, or other splits."),
    ("Measure", _measure, "say what is measured and which direction is better."),
    ("Reproduction", _reproduction, "give the seed and the versions."),
)  # fmt: skip
