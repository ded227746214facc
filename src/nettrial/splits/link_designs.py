"""Designs that hide links, and draw pairs without a link to distinguish them from."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..core.arguments import check_arguments
from ..core.errors import InputError, shown, unknown_choice
from ..core.option_names import NAME, option
from ..core.plain_text import listed
from ..network.canonical_order import Order, canonical_order
from ..network.network import Network
from .base import ShowsOptions
from .checks import check_count, check_labeled, round_half_up
from .names import ALIASES
from .structure import past_and_next

Negatives: TypeAlias = Literal["uniform", "degree", "ends", "all"]
NEGATIVES: tuple[Negatives, ...] = ("uniform", "degree", "ends", "all")
Keys = NDArray[np.int64]
MOST_PAIRS = 2_000_000  # of nodes, where all those without a link are tested
MOST_TESTS = 50_000_000  # pairs in all test sets together; each takes some 50 bytes
ROUNDS = 200  # of drawing pairs without a link, before a network is too dense for it


@check_arguments
@dataclass(frozen=True, slots=True)
class LinkSplit:
    """One division of the links of a network, with pairs that have no link.

    A pair of nodes u < v has the number ``u * n_nodes + v``.

    Attributes
    ----------
    train : ndarray of int
        Places in ``network.simple_links()`` of the links that models see.
    test : ndarray of int
        Numbers of the pairs on which models are evaluated, ascending.
    is_link : ndarray of bool, shape (n_test,)
        Whether each of them is a hidden link, or a pair without link.
    """

    train: NDArray[np.intp]
    test: Keys
    is_link: NDArray[np.bool_]

    @check_arguments
    def pairs(self, n_nodes: int) -> NDArray[np.intp]:
        """Return the two nodes of each test pair, shape (n_test, 2)."""
        return np.stack(np.divmod(self.test, n_nodes), axis=1).astype(np.intp)


def link_numbers(network: Network) -> Keys:
    """Return the numbers of the linked pairs, ascending; see `LinkSplit`."""
    source, target = network.simple_links()
    return source.astype(np.int64) * network.n_nodes + target


def link_split_in_order(split: LinkSplit, order: Order) -> tuple[LinkSplit, NDArray[np.intp]]:
    """Return the same division of the links in another order of the nodes.

    Returns
    -------
    rows : ndarray of int, shape (n_test,)
        Where each of its test pairs stood.

    Examples
    --------
    >>> net, other = (Network(*ends, n_nodes=3) for ends in (([0, 0], [1, 2]), ([0, 1], [2, 2])))
    >>> order = Order(net, other, np.array([1, 2, 0]), np.array([], dtype=int))
    >>> split = LinkSplit(np.array([0]), np.array([2, 5]), np.array([True, False]))
    >>> found, rows = link_split_in_order(split, order)
    >>> found.train.tolist(), found.test.tolist(), rows.tolist()
    ([0], [1, 5], [1, 0])
    """
    n = order.given.n_nodes

    def moved(pairs: Keys) -> Keys:
        ends = np.sort(order.places(np.stack(np.divmod(pairs, n), axis=1)), axis=1)
        return np.asarray(ends[:, 0] * n + ends[:, 1], dtype=np.int64)

    test = moved(split.test)
    rows = np.argsort(test)
    seen = np.sort(moved(link_numbers(order.given)[split.train]))
    train = np.searchsorted(link_numbers(order.network), seen)
    return LinkSplit(train, test[rows], split.is_link[rows]), rows


class LinkDesign(ShowsOptions, ABC):
    """A design of splits for link prediction: which links are hidden, and which pairs stand beside.

    Parameters
    ----------
    n_splits : int
        At least 1.
    negatives : {"uniform", "degree", "ends", "all"}
        The pairs without link in a test set: drawn with equal chances; drawn by the degrees of
        their nodes, so that they are as well linked as those of links (Aiyappa et al. 2025); drawn
        at the ends of hidden links, each by keeping one of the two nodes, as "mrr" needs; or all
        there are, the same in every split.
    per_link : int
        How many are drawn for each hidden link; those drawn twice at the ends count once.
    seed : int, SeedSequence or Generator
    """

    short: ClassVar[str]

    @check_arguments
    def __init__(
        self,
        *,
        n_splits: int = 10,
        negatives: Negatives = "uniform",
        per_link: int = 1,
        seed: seeds.Seed = 0,
    ) -> None:
        self.n_splits = n_splits
        self.negatives = negatives
        self.per_link = per_link
        self.seed = seeds.freeze(seed)

    @abstractmethod
    def _hidden(self, network: Network) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
        """Return for every split which links are seen, and which are tested."""

    @check_arguments
    def split_links(self, network: Network) -> list[LinkSplit]:
        """Split the links of a network.

        Parameters
        ----------
        network : Network
            Directions and weights of its links do not count.

        Returns
        -------
        list of LinkSplit
            The same for every call.

        Raises
        ------
        InputError
            Where the options do not fit the network, or it has too few pairs without link.
        """
        if self.negatives not in NEGATIVES:
            raise unknown_choice("negatives", self.negatives, NEGATIVES)
        check_count(self.short, "n_splits", self.n_splits, 1)
        check_count(self.short, "per_link", self.per_link, 1)
        own = canonical_order(network)
        if own is not None:
            there = self.split_links(own.network)
            return [link_split_in_order(split, own.back)[0] for split in there]
        n, links = network.n_nodes, link_numbers(network)
        source, target = network.simple_links()
        pool = _Pool(self.short, n, links)
        degrees = np.bincount(source, minlength=n) + np.bincount(target, minlength=n)
        splits, total = [], 0
        everything = pool.all() if self.negatives == "all" else None
        for number, (seen, tested) in enumerate(self._hidden(network)):
            hidden = links[tested]
            wanted = hidden.size * self.per_link
            total += hidden.size + (wanted if everything is None else everything.size)
            if total > MOST_TESTS:
                raise InputError(
                    f"{self.short}: more than {MOST_TESTS:,} test pairs in all; use fewer splits, "
                    "fewer pairs without link, or hide fewer links"
                )
            if everything is None:
                # each split has a stream of its own for its pairs without link
                stream = seeds.generator(self.seed, number, 1)
                if self.negatives == "ends":
                    drawn = pool.at_ends(stream, hidden, self.per_link)
                else:
                    chances = degrees if self.negatives == "degree" else None
                    drawn = pool.draw(stream, wanted, chances)
            else:
                drawn = everything
            test = np.concatenate([hidden, drawn])
            order = np.argsort(test, kind="stable")
            is_link = np.arange(test.size) < hidden.size
            splits.append(LinkSplit(np.flatnonzero(seen), test[order], is_link[order]))
        return splits

    @property
    def name(self) -> str:
        """Its name with what is drawn beside the links, as `link_design` takes it."""
        number = f":{self.per_link}" if self.negatives != "all" else ""
        return f"{self.short}+{self.negatives}{number}"


class RandomLinks(LinkDesign):
    """Hide links at random, anew for every split.

    Parameters
    ----------
    labeled : float
        Proportion of the links that models see.
    n_splits, negatives, per_link, seed
        As for every `LinkDesign`.

    Examples
    --------
    >>> net = Network([0, 1, 2, 3], [1, 2, 3, 0], n_nodes=6)
    >>> split = RandomLinks(n_splits=1, labeled=0.5).split_links(net)[0]
    >>> split.train.size, split.test.size, int(split.is_link.sum())
    (2, 4, 2)
    """

    short: ClassVar[str] = "rrs"

    @check_arguments
    def __init__(
        self,
        *,
        n_splits: int = 10,
        labeled: float = 0.9,
        negatives: Negatives = "uniform",
        per_link: int = 1,
        seed: seeds.Seed = 0,
    ) -> None:
        super().__init__(n_splits=n_splits, negatives=negatives, per_link=per_link, seed=seed)
        self.labeled = labeled

    def _hidden(self, network: Network) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
        n = network.simple_links()[0].size
        size = round_half_up((1 - check_labeled(self.short, self.labeled, "links")) * n)
        if not 0 < size < n:
            raise InputError(
                f"{self.short}: of {n} links with {option('labeled', self.labeled)} {size} would "
                "be hidden; expected at least one that is hidden and one that is seen"
            )
        for number in range(self.n_splits):
            tested = np.zeros(n, dtype=bool)
            tested[seeds.generator(self.seed, number, 0).permutation(n)[:size]] = True
            yield ~tested, tested


class LinkFolds(LinkDesign):
    """Deal the links into as many folds as there are splits, and hide one at a time.

    Examples
    --------
    >>> net = Network([0, 1, 2, 3], [1, 2, 3, 0], n_nodes=6)
    >>> [int(split.is_link.sum()) for split in LinkFolds(n_splits=2).split_links(net)]
    [2, 2]
    """

    short: ClassVar[str] = "kfold"

    def _hidden(self, network: Network) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
        n = network.simple_links()[0].size
        k = check_count(self.short, "n_splits", self.n_splits, 2)
        if k > n:
            raise InputError(
                expected=f"at most {n} splits, one per link", got=f"{k}", where=f"{self.short}"
            )
        fold = np.empty(n, dtype=np.intp)
        fold[seeds.generator(self.seed, 0).permutation(n)] = np.arange(n) % k
        for number in range(k):
            yield fold != number, fold == number


class TemporalLinks(LinkDesign):
    """Learn from the past, predict the links that come next.

    Links have times, or these are their weights. The links are put in that order and divided into
    n_splits + 1 blocks of nearly equal size that do not divide links of one time. Split i sees
    blocks 0 to i and is tested on block i + 1. Pairs that are linked later stand in no test set.

    Examples
    --------
    >>> net = Network([0, 1, 2, 3], [1, 2, 3, 0], n_nodes=6, weight=[2001, 2003, 2002, 2001])
    >>> splits = TemporalLinks(n_splits=2).split_links(net)
    >>> [(split.train.tolist(), int(split.is_link.sum())) for split in splits]
    [([0, 1], 1), ([0, 1, 3], 1)]
    """

    short: ClassVar[str] = "temporal"

    @check_arguments
    def __init__(
        self,
        *,
        n_splits: int = 5,
        negatives: Negatives = "uniform",
        per_link: int = 1,
        seed: seeds.Seed = 0,
    ) -> None:
        super().__init__(n_splits=n_splits, negatives=negatives, per_link=per_link, seed=seed)

    def _hidden(self, network: Network) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
        if not network.weighted and network.times is None:
            raise InputError(
                expected="times of the links, but this network has none",
                hint=f"name their column by {option('columns', {'time': NAME})}",
                where=f"{self.short}",
            )
        if network.times is None and network.tally.duplicate_rows:
            raise InputError(
                expected="each link once, with its time as its weight",
                got=f"{network.tally.duplicate_rows} repeated rows, whose weights were added",
                hint="keep the first row of each",
                where=f"{self.short}",
            )
        source, target = network.simple_links()
        rows = network.adjacency("out")
        if network.times is not None:  # made positive: 0 stands for no link
            rows.data = network.times - network.times.min() + 1
        there, back = (_entries(rows, *ends) for ends in ((source, target), (target, source)))
        # of a link in both directions the earlier one counts
        time = np.where((there > 0) & (back > 0), np.minimum(there, back), np.maximum(there, back))
        yield from past_and_next(time, self.n_splits, "the links have")


class _Pool:
    """The pairs without link of a network."""

    def __init__(self, design: str, n: int, links: Keys) -> None:
        self._design, self._n, self._links = design, n, links
        self.size = n * (n - 1) // 2 - links.size

    def all(self) -> Keys:
        pairs = self._n * (self._n - 1) // 2
        if pairs > MOST_PAIRS:
            raise InputError(
                f"{self._design}: {pairs:,} pairs of nodes are too many to test all those without "
                f"link; expected at most {MOST_PAIRS:,}; use negatives='uniform'"
            )
        if not self.size:
            raise self._too_dense(1)
        first, second = np.triu_indices(self._n, 1)
        keys = first.astype(np.int64) * self._n + second
        return keys[~_among(keys, self._links)]

    def draw(
        self, rng: np.random.Generator, wanted: int, chances: NDArray[np.integer[Any]] | None
    ) -> Keys:
        """Draw different ones, the nodes with the given chances; ascending."""
        if wanted > self.size:
            raise self._too_dense(wanted)
        if (
            chances is None
            and 3 * wanted > self.size
            and self.size + self._links.size <= MOST_PAIRS
        ):
            return np.sort(rng.choice(self.all(), wanted, replace=False))
        cumulated = None if chances is None else np.cumsum(chances)
        found = np.empty(0, dtype=np.int64)
        for _ in range(ROUNDS):
            first, second = (
                self._nodes(rng, 2 * (wanted - found.size) + 16, cumulated) for _ in "uv"
            )
            keys = np.minimum(first, second) * self._n + np.maximum(first, second)
            keys = keys[(first != second) & ~_among(keys, self._links) & ~_among(keys, found)]
            # in the order of drawing, each once
            keys = keys[np.sort(np.unique(keys, return_index=True)[1])]
            found = np.sort(np.concatenate([found, keys[: wanted - found.size]]))
            if found.size == wanted:
                return found
        raise self._too_dense(wanted)

    def at_ends(self, rng: np.random.Generator, hidden: Keys, per_link: int) -> Keys:
        """Draw pairs that have one of the nodes of a link and another one; ascending, each once."""
        ends = np.repeat(np.stack(np.divmod(hidden, self._n), axis=1), per_link, axis=0)
        found = np.empty(0, dtype=np.int64)
        for _ in range(ROUNDS):
            kept = ends[np.arange(len(ends)), rng.integers(2, size=len(ends))]
            other = rng.integers(self._n, size=len(ends))
            keys = np.minimum(kept, other) * self._n + np.maximum(kept, other)
            good = (kept != other) & ~_among(keys, self._links)
            found = np.concatenate([found, keys[good]])
            ends = ends[~good]
            if not len(ends):
                return np.unique(found)
        raise self._too_dense(hidden.size * per_link)

    def _nodes(self, rng: np.random.Generator, size: int, cumulated: NDArray[Any] | None) -> Keys:
        if cumulated is None:
            return rng.integers(self._n, size=size)
        place = rng.integers(int(cumulated[-1]), size=size)
        return np.searchsorted(cumulated, place, side="right").astype(np.int64)

    def _too_dense(self, wanted: int) -> InputError:
        return InputError(
            expected=f"{wanted:,} pairs without link, of which the network has {self.size:,}",
            hint="hide fewer links, draw fewer pairs, or use negatives='all'",
            where=f"{self._design}",
        )


def _entries(rows: Any, source: NDArray[Any], target: NDArray[Any]) -> NDArray[np.float64]:
    found = rows[source, target]
    return np.asarray(found.toarray() if hasattr(found, "toarray") else found).ravel()


def _among(keys: Keys, others: Keys) -> NDArray[np.bool_]:
    """Return which keys are among others, which ascend."""
    place = np.searchsorted(others, keys)
    place[place == others.size] = 0
    return np.asarray(others[place] == keys) if others.size else np.zeros(keys.size, dtype=bool)


LINK_DESIGNS: MappingProxyType[str, type[LinkDesign]] = MappingProxyType(
    {"rrs": RandomLinks, "kfold": LinkFolds, "temporal": TemporalLinks}
)
LINK_WORDS: MappingProxyType[str, str] = MappingProxyType(
    {
        "rrs": "links hidden at random",
        "kfold": "links dealt into folds",
        "temporal": "the links that come next in time",
        "given": "as given",
    }
)
NEGATIVE_WORDS: MappingProxyType[str, str] = MappingProxyType(
    {
        "uniform": "drawn with equal chances",
        "degree": "drawn by the degrees of their nodes",
        "ends": "drawn at the ends of the hidden links",
        "all": "all there are",
    }
)


def links_described(name: str) -> str:
    """Describe which links a design hides.

    Examples
    --------
    >>> links_described("kfold+degree")
    'links dealt into folds'
    """
    return LINK_WORDS.get(name.partition("+")[0], name)


def listed_link_design(name: str) -> str:
    """Return a name of a design of links as it is listed, whatever its capitals and separators.

    Examples
    --------
    >>> listed_link_design("K-Fold+All"), listed_link_design("RS")
    ('kfold+all', 'rrs')
    """
    short, plus, rest = name.lower().partition("+")
    return f"{listed(short, LINK_DESIGNS, ALIASES)}{plus}{rest}"


@check_arguments
def link_design(name: str, **given: Any) -> LinkDesign:
    """Make the design of splits of links with a short name.

    Parameters
    ----------
    name : str
        ``"rrs"``, ``"kfold"`` or ``"temporal"``; after a plus sign the pairs without link, as in
        ``"rrs+degree"`` or ``"kfold+all"``, and after a colon how many are drawn for each hidden
        link, as in ``"rrs+uniform:20"``.
    **given
        The design's own options.

    Raises
    ------
    InputError
        For an unknown name, or an option that the design does not have.

    Examples
    --------
    >>> link_design("kfold+degree:2", n_splits=5)
    LinkFolds(n_splits=5, negatives='degree', per_link=2, seed=0)
    """
    short, plus, rest = listed_link_design(str(name)).partition("+")
    kind, colon, number = rest.partition(":")
    if short not in LINK_DESIGNS:
        raise unknown_choice("design of links", name, LINK_DESIGNS)
    if plus:
        if kind not in NEGATIVES:
            raise unknown_choice(f"pairs without link of the design {shown(name)}", kind, NEGATIVES)
        given["negatives"] = kind
    if colon:
        if not number.isdecimal() or not 0 < int(number) < 10**6 or kind == "all":
            raise InputError(
                expected="the number of pairs for each hidden link after the colon",
                got=shown(number),
                where=f"design {shown(name)}",
            )
        given["per_link"] = int(number)
    design = LINK_DESIGNS[short]
    allowed = tuple(inspect.signature(design).parameters)
    for name in given:
        if name not in allowed:
            raise unknown_choice(f"option of the design {shown(short)}", name, allowed)
    return design(**given)
