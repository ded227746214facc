"""What reports say of predictions of nodes, and of pairs of nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...comparison.multiple import MultipleComparison
from ...network.network import Network
from ...splits.names import describe_splits
from ..references import of_design
from .common import communities_cited, communities_of, size_of
from .links import links_of, splits_of_links
from .settings import describe_design, describe_link_design


class ItemWords(NamedTuple):
    """Words for results on predictions of one kind of items."""

    size: Callable[[Network], str]  # a network -> how large it is
    # number, design and settings of a result -> how many splits there are, and of which kind
    splits: Callable[[int, str, Mapping[str, Any]], str]
    # design, sources: the name of a design -> it in words, and the keys of its sources
    design: Callable[[str], str]
    sources: Callable[[str], tuple[str, ...]]
    # what is said of the share of labels that models see -> the same, or nothing
    labeled: Callable[[str], str]
    # communities, cited: a result -> its communities; the same in its methods
    communities: Callable[[MultipleComparison], str]
    cited: Callable[[MultipleComparison], str]


WORDS = {
    "nodes": ItemWords(
        size_of,
        lambda number, design, _: describe_splits(number, design),
        describe_design,
        of_design,
        lambda words: words,
        lambda found: f"; {communities_of(found.communities, found.settings)}",
        lambda found: f"{communities_cited(found.settings)} ",
    ),
    "pairs": ItemWords(
        links_of,
        splits_of_links,
        describe_link_design,
        lambda _: (),
        lambda _: "",
        lambda _: "",
        lambda _: "",
    ),
}


def words_of(found: MultipleComparison) -> ItemWords:
    return WORDS[found.predictions.task.items]
