"""checklist(): what a paper should say about an experiment, filled in from a result.

The dimensions are those by which Neville, Gallagher and Eliassi-Rad (2009, table 5) surveyed 23
papers; many of these left open whether links between training and test nodes were kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..arguments import check_arguments
from ..errors import InputError
from ..finding import Finding
from ..inference.registry import PROCEDURES, canonical
from ..metrics.measures import MEASURES
from ..splits.names import described
from ..wording import level, listed

Values = Mapping[str, Any]
LINKS = {
    "keep": "Links between training nodes and others were kept.",
    "drop": "Links between training nodes and others were cut.",
}
DISJOINT = ("ncv", "5x2", "temporal")  # of 5x2 within each repetition


@check_arguments
def checklist(found: Finding | Mapping[str, Any]) -> str:
    """Return a reporting checklist in Markdown, filled in as far as a result tells.

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
    - [x] **Share labeled**: 30% of the labeled nodes.
    - [ ] **Splits**: say how nodes were drawn and whether test sets overlap.
    - [ ] **Number of splits**: say how many splits or folds there were.
    - [ ] **Test**: name the test and the question that it answers.
    - [ ] **Spread**: give an interval, and say of what.
    - [ ] **Measure**: say what is measured and which direction is better.
    - [ ] **Reproduction**: give the seed and the versions.
    """
    values = found.to_dict() if isinstance(found, Finding) else found
    if not isinstance(values, Mapping) or "kind" not in values:
        raise InputError(
            f"checklist: expected a result or its JSON, got {values!r:.60}; write one by "
            "nettrial compare ... --json > result.json"
        )
    lines = []
    for title, told, missing in ITEMS:
        try:
            text = told(values)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise InputError(
                f"checklist: {title.lower()}: expected what nettrial compare --json prints, got "
                f"something else ({error})"
            ) from error
        lines.append(f"- [{'x' if text else ' '}] **{title}**: {text or missing}")
    return "\n".join(lines)


def _data(values: Values) -> str:
    networks = values.get("networks")
    if isinstance(networks, Mapping):
        return f"{len(networks)} networks: {listed(list(networks))}."
    if "n_nodes" not in values:
        return ""
    return (
        f"{values.get('network') or 'a network'}, {values['n_nodes']:,} nodes, "
        f"{values['n_links']:,} links, {values['n_classes']} classes. Add where it is from."
    )


def _task(values: Values) -> str:
    if "learned_on" in _settings(values):
        return "across networks: learned on one, tested on another."
    tasks = {
        "Comparison": "within one partly labeled network.",
        "MultipleComparison": "within one partly labeled network.",
        "Sweep": "within one partly labeled network, at several proportions of labels.",
        "AcrossNetworks": "within each of several networks, which are the observations.",
        "GroupedComparison": "items in groups, without a network.",
    }
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
        return f"{listed([f'{rate:.0%}' for rate in rates])} of the labeled nodes."
    return f"{rates:.0%} of the labeled nodes."


def _splits(values: Values) -> str:
    design = _value(values, "design")
    if design is None:
        return ""
    if "learned_on" in _settings(values):
        return "the known labels of either network were drawn at random; test sets overlap."
    short = str(design).partition(":")[0]
    overlap = "are disjoint" if short in DISJOINT else "overlap"
    if short == "given":
        return "as given. Say how nodes were drawn and whether test sets overlap."
    return f"{described(str(design))}; test sets {overlap}."


def _number(values: Values) -> str:
    number = _value(values, "n_splits")
    return "" if number is None else f"{number}."


def _test(values: Values) -> str:
    if values["kind"] == "AcrossNetworks":
        return "tests of signs and ranks over the networks, which are the observations."
    name = _value(values, "recommended") or _value(values, "test")
    chosen = PROCEDURES.get(canonical(str(name)))
    return "" if chosen is None else f"{chosen.words}; it answers: {chosen.question}"


def _spread(values: Values) -> str:
    confidence = _value(values, "confidence")
    return "" if confidence is None else f"{level(confidence)} intervals of the difference."


def _measure(values: Values) -> str:
    measure = MEASURES.get(str(_value(values, "measure")))
    return "" if measure is None else f"{measure.title}, {measure.better} is better."


def _reproduction(values: Values) -> str:
    seed, versions = _value(values, "seed"), _settings(values).get("versions")
    if seed is None or not versions:
        return ""
    return f"seed {seed}; {', '.join(f'{name} {number}' for name, number in versions.items())}."


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
ITEMS: tuple[tuple[str, Callable[[Values], str], str], ...] = (
    ("Data", _data,
     "name the network, its numbers of nodes, links and classes, and where it is from."),
    ("Task", _task, "say whether it is within one network or across networks."),
    ("Links", _links, "say whether links between training nodes and others were kept or cut."),
    ("Share labeled", _labeled, "say what share of the nodes is labeled, and whether it varies."),
    ("Splits", _splits, "say how nodes were drawn and whether test sets overlap."),
    ("Number of splits", _number, "say how many splits or folds there were."),
    ("Test", _test, "name the test and the question that it answers."),
    ("Spread", _spread, "give an interval, and say of what."),
    ("Measure", _measure, "say what is measured and which direction is better."),
    ("Reproduction", _reproduction, "give the seed and the versions."),
)  # fmt: skip
