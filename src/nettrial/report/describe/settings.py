"""The table of settings and versions on pages, in words; JSON has the names of options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...core.results import counted, show
from ...inference.registry import PROCEDURES
from ...metrics.measures import MEASURES
from ...network.communities import LINKS_AND_FEATURES
from ...network.network import Network
from ...splits.link_designs import links_described
from ...splits.names import described
from .. import cells
from ..document import Table, rows

SETTINGS = "Settings and versions"
SETTING_WORDS = {
    "cross_links": "links between training nodes and others",
    "learned_from": "learned from",
    "links_shown": "links that models see, by their times",
    "positive": "class taken against all others",
    "n_communities": "number of communities",
    "conductance": "share of link ends that leave a community",
    "largest_community": "nodes in the largest community",
    "effective_communities": "effective number of communities",
    "division": "giant community",
    "n_replicates": "replicates of the bootstrap, of either kind, or halvings of the communities",
    "n_seeds": "training seeds for each split",
    "n_calibration": "networks from which the handicap was found",
    "n_labels": "number of labels",
    "n_halvings": "number of halvings",
    "splits_of_a_halving": "splits of a halving",
    "fits": "fits",
    "links_seen": "links seen, mean",
    "links_hidden": "links hidden, mean",
    "pairs_without_link": "pairs without link, mean",
    "budget_seconds": "budget in seconds",
    "compiled": "models run by the compiled path",
    "halves": "drawn networks are halves of the communities",
    "q": "estimator of q",
    "known": "share of the labels of the test network",
    "labeled": "share of the labels",
}
CODES: dict[str, Mapping[str, str]] = {
    "cross_links": {
        "keep": "kept",
        "drop": "left out",
        "inductive": "hidden while models learn",
    },
    "links_shown": {
        "before the cut": "none later than the first link of the last node that is tested"
    },
    "communities": {
        "given": "given",
        "louvain": "Louvain method",
        LINKS_AND_FEATURES: "Louvain method, on links and similar features",
    },
    "q": {
        "moment": "method of moments",
        "mean_of_failing": "mean over nodes that err at least half the time",
        "mean_of_erring": "mean over nodes that err at all",
    },
}


def settings_table(own: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Return every setting, and the versions, that the numbers depend on.

    Parameters
    ----------
    own : mapping
        What the result itself holds, by the words of its row.
    settings : mapping
        What it keeps as ``settings``, by the names of JSON. Those that a user added stay as given.
        What was read and the scores by label stand elsewhere on a page.
    """
    first = ((words, _written(words, value)) for words, value in own.items())
    shown = {key: value for key, value in settings.items() if key not in ("read", "labels")}
    note = [
        [cells.words(words), cells.words(value)]
        for words, value in (*first, *_flat(shown))
        if value != cells.NONE
    ]
    return Table(SETTINGS, (), rows(note), fold=True)


def network_settings(network: Network) -> dict[str, Any]:
    """Return the rows of a settings table that say which network it was."""
    return {
        "network": network.name or "-",
        "nodes": network.n_nodes,
        "links": network.n_links,
        "network fingerprint": network.fingerprint(),
    }


def describe_design(name: str) -> str:
    """Return a design of splits of nodes in words.

    Examples
    --------
    >>> describe_design("rrs"), describe_design("kfold"), describe_design("given")
    ('random resampling (RRS)', 'repeated k-fold cross-validation', 'given')
    """
    return described(name)


def describe_link_design(name: str) -> str:
    """Return a design of splits of links in words.

    Examples
    --------
    >>> describe_link_design("kfold+degree:2")
    'links dealt into folds'
    """
    return links_described(name)


def named_test(name: str) -> str:
    """Return a test in words.

    Examples
    --------
    >>> named_test("network_hac")
    'the network HAC test'
    """
    return PROCEDURES[name].words if name in PROCEDURES else name


def _flat(settings: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in settings.items():
        plain = re.sub("^n ", "number of ", str(key).replace("_", " "))
        name = before + SETTING_WORDS.get(key, plain)
        if isinstance(value, Mapping):
            yield from _flat(value, "version of " if key == "versions" else f"{name}: ")
        else:
            yield name, _kept(key, value)


def _kept(key: str, value: Any) -> str:
    """Write a value that is kept under a name of JSON; a user's own settings stay as given."""
    if key in CODES and isinstance(value, str):
        column = f"node column {value}" if key == "communities" else value
        return CODES[key].get(value, column)
    if key == "measures" and isinstance(value, list):
        return ", ".join(MEASURES[each].title if each in MEASURES else each for each in value)
    return _written(SETTING_WORDS[key], value) if key in SETTING_WORDS else show(value)


def _written(words: str, value: Any) -> str:
    """Write a value, a share in percent."""
    share = re.match(r"share|confidence|(?:labeled )?proportion", words)
    if share and isinstance(value, (list, tuple, np.ndarray)):
        return ", ".join(_written(words, each) for each in value)
    is_number = isinstance(value, (float, np.floating)) and not np.isnan(value)
    return f"{100 * value:.3g}%" if share and is_number else counted(words, value)
