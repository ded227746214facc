"""Words that reports on several kinds of results share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.version import __version__
from ...core.wording import df_text, listed, plural
from ...inference.registry import PROCEDURES
from ...metrics.measures import Measure
from ...network.communities import BY_LOUVAIN, LINKS_AND_FEATURES, effective_number
from ...network.network import Network
from ...stats.comparisons import Comparisons
from ...study.tasks import task_of
from ..document import Blocks, Name, Paragraph
from ..references import cite, of_communities, of_test

SPELLED = {"python": "Python", "numpy": "NumPy", "scipy": "SciPy"}
MOST_NOTES = 8  # on reading; files of many columns that are not used have one for each
CLUSTERED = (
    "Standard errors let the errors of all nodes of a community depend on each other in any way "
    f"{cite('liang1986')} and take communities for independent; they treat the trained models as "
    "given."
)


def test_words(name: str) -> str:
    return PROCEDURES[name].words if name in PROCEDURES else f"the test {name}"


def labeled_note(labeled: float | None, settings: Mapping[str, Any]) -> str:
    """Return the share of labels, and whether models learned from the training nodes alone.

    Examples
    --------
    >>> labeled_note(0.3, {}), labeled_note(0.3, {"cross_links": "inductive"})
    (', 30% labeled', ', 30% labeled, inductive')
    """
    inductive = ", inductive" if settings.get("cross_links") == "inductive" else ""
    return ("" if labeled is None else f", {labeled:.0%} labeled") + inductive


def with_sources(words: str, *keys: str) -> str:
    """Return words with the citations of what they rest on, where there are any."""
    return f"{words} {cite(*keys)}" if keys else words


def errors_cited(test: str, replicates: int | None) -> str:
    """Return a methods sentence on where standard errors come from."""
    return how_found(test, replicates) or (
        f"Standard errors are those of {with_sources(test_words(test), *of_test(test))}."
    )


def how_found(test: str, replicates: int | None, splits: int | None = None) -> str:
    """Return methods sentences on what a test does beyond its name; empty where that says it.

    Parameters
    ----------
    test : str
        Its name.
    replicates : int or None
        Networks drawn, or halvings.
    splits : int, optional
        Splits of a halving, where that number is known.
    """
    if test == "cluster_robust_t":
        return CLUSTERED
    if test == "halves":
        ran = "the splits" if splits is None else f"{plural(splits, 'split')} a halving,"
        return (
            f"The communities were divided {replicates} times at random into two parts of about as "
            "many nodes, links between the communities of a part were drawn afresh at the rates of "
            f"their classes, and all models were run again on {ran} restricted to either part "
            f"(half samples {cite('mccarthy1969')}). Standard errors are from the differences "
            "between the two parts and between their means."
        )
    if test != "bootstrap":
        return ""
    return (
        f"All models were run again on {replicates} networks drawn from the communities of this "
        "one, with links between communities drawn afresh at the rates of their classes (a block "
        f"bootstrap over communities {cite('kunsch1989')}), and each two of them on as many more, "
        f"drawn by exponential tilting {cite('efron1981')} such that the two are equal. Both "
        "together give standard errors, the first also the correlation of several differences."
    )


def describe_df(df: ArrayLike | None) -> str:
    """Return the degrees of freedom of one test or several, empty where none are known.

    Examples
    --------
    >>> describe_df(9.76), describe_df([8.02, 9.1]), describe_df(float("nan"))
    ('9.76 degrees of freedom', '8.02 to 9.10 degrees of freedom', '')
    """
    known = np.atleast_1d(np.asarray(np.nan if df is None else df, dtype=float))
    known = known[np.isfinite(known)]
    if known.size == 0:  # no pair varies
        return ""
    low, high = df_text(known.min()), df_text(known.max())
    return f"{low if low == high else f'{low} to {high}'} degrees of freedom"


def adjustment_cited(pairs: Comparisons) -> str:
    """Return how the p-values of a family of pairs were adjusted."""
    if pairs.adjustment.startswith("Holm"):
        return f"Holm's procedure {cite('holm1979')}"
    return f"the single-step max-t procedure {cite('hothorn2008')}"


def what_was_read(settings: Mapping[str, Any]) -> Blocks:
    """Return what came of the network's files; nothing for one made in memory."""
    read = settings.get("read")
    if not read or not read["files"]:
        return ()
    notes = list(read.get("notes", ()))
    more = len(notes) - MOST_NOTES
    if more > 0:
        notes[MOST_NOTES:] = [f"{plural(more, 'further note')}, see `nettrial info`"]
    return (Paragraph(f"Read: {'; '.join([read['text'], *notes])}."),)


def read_briefly(what: str, settings: Mapping[str, Any]) -> Paragraph:
    """Return what was read in a line, with the number of notes on the files."""
    notes = len((settings.get("read") or {}).get("notes", ()))
    said = f"; {plural(notes, 'note')} on the files" if notes else ""
    short = re.sub(r" by [^;,(]+ \((\w+)\)", r" by \1", what)  # "by RRS"
    short = re.sub(r", (?:lower|higher) is better$", "", short)  # the verdict says it, or the name
    return Paragraph(f"Read: {short}{said}.")


def describe_network(network: Network, name: Name, size: str = "") -> str:
    """Return the name of a network, if it has one, and how large it is; the size in other words."""
    size = size or size_of(network)
    return f"{name(network.name)} ({size})" if network.name else f"a network of {size}"


def size_of(network: Network) -> str:
    """Return how large a network is."""
    of = task_of(network).extent(network)
    return f"{plural(network.n_nodes, 'node')}, {plural(network.n_links, 'link')}, {of}"


def communities_words(number: int, by: str, effective: float | None = None) -> str:
    """Return how many communities there are, and how many equal ones would weigh as much.

    Examples
    --------
    >>> communities_words(12, "louvain", 10.46)
    '12 Louvain communities (effective number 10.5)'
    >>> communities_words(3, "school")
    '3 communities by school'
    >>> communities_words(12, "links_and_features")
    '12 Louvain communities of links and similar features'
    """
    kind = {"given": "given "} | dict.fromkeys(BY_LOUVAIN, "Louvain ")
    column = "" if by in kind else f" by {by}"
    if by == LINKS_AND_FEATURES:
        column = " of links and similar features"
    effect = "" if effective is None else f" (effective number {effective:.1f})"
    noun = "communities" if number != 1 else "community"
    return f"{number:,} {kind.get(by, '')}{noun}{column}{effect}"


def communities_of(communities: NDArray[np.int32], settings: Mapping[str, Any]) -> str:
    """Return how many communities there are, and whether a giant one was divided."""
    sizes = np.unique(communities, return_counts=True)[1]
    by = settings.get("communities", "given")
    line = communities_words(sizes.size, by, effective_number(sizes))
    division = settings.get("division", "")
    return f"{line} ({division})" if division else line


def communities_cited(settings: Mapping[str, Any]) -> str:
    """Return a methods sentence on the communities."""
    how = f"found by the Louvain method {cite(*of_communities(settings['communities']))}"
    if settings["communities"] == LINKS_AND_FEATURES:
        how += " on its links and on as many between nodes of similar features"
    elif settings["communities"] != "louvain":
        how = "given"
    return f"The network has {settings['n_communities']} communities, {how}."


def measure_cited(measure: Measure) -> str:
    """Return a methods sentence on what was compared, where it was not the error rate."""
    if measure.name == "error":
        return ""
    how = "" if measure.is_mean else ", which enters by its influence values"
    return f"The measure is the {measure.title} ({measure.better} is better){how}. "


def describe_seed(seed: int | None, settings: Mapping[str, Any]) -> str:
    """Return a methods sentence on the seed: predictions made before did not come of it."""
    if settings.get("predictions"):
        return (
            "The models' predictions were made before; the seed of communities and tests was "
            f"{seed}. "
        )
    return "" if seed is None else f"The seed was {seed}. "


def describe_given(settings: Mapping[str, Any]) -> str:
    """Return whether the test sets of given splits overlap, in brackets, where that is known."""
    return f" (test sets {settings['test_sets']})" if "test_sets" in settings else ""


def software(settings: Mapping[str, Any], name: Name) -> str:
    """Return a methods sentence on the software."""
    versions = {"nettrial": __version__} | dict(settings.get("versions", {}))
    others = [f"{SPELLED[each]} {name(versions[each])}" for each in SPELLED if each in versions]
    beside = f", with {listed(others)}" if others else ""
    return f"Computed with nettrial {name(versions['nettrial'])} {cite('nettrial')}{beside}."
