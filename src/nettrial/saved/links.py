"""Scores of pairs of nodes that were made elsewhere, read from one table and checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import not_found, shown
from ..core.wording import plural
from ..io.columns import as_numbers
from ..io.guards import fail
from ..io.vocabulary import CONFIDENCE, IS_LINK, MODEL, PAIRS, PREDICTION, SPLIT, plain, usual
from ..network.ids import natural_order
from ..network.network import Network
from ..splits.link_designs import LinkSplit
from ..splits.places import places_of
from ..study.node_study import Predictions
from .names import text
from .roles import NODES, chosen_rows
from .sources import Part, table_of

ENDS = PAIRS[:11]
SCORE = ("score", "scores", *PREDICTION, *CONFIDENCE)
YES, NO = frozenset({"1", "true", "yes"}), frozenset({"0", "false", "no"})
LISTED = 4


@check_arguments
def link_table(source: Any) -> Part | None:
    """Return the table of scores of pairs that a source holds; None where it holds none.

    It has a column for each end of a pair, and one that says whether the pair is a link.
    """
    part = table_of(source)
    if part is None:
        return None
    if _columns_of(part) is None and usual(part.columns, NODES) is None:
        written = {plain(name) for name in part.columns}
        if any({*ends} <= written for ends in ENDS):
            fail(
                part.name,
                "has pairs of nodes, but does not say which are links; expected a column label "
                "with 1 for a link and 0 for a pair without",
            )
    return part if _columns_of(part) is not None else None


def _columns_of(part: Part) -> tuple[str, str, str] | None:
    """Return the names of the columns of both ends and of the truth."""
    written = {plain(name): name for name in part.columns}
    truth = usual(part.columns, IS_LINK)
    for first, second in ENDS:
        if first in written and second in written and truth is not None:
            return written[first], written[second], truth
    return None


def read_link_predictions(
    source: Part,
    network: Network | None = None,
    *,
    models: Sequence[str] | None = None,
    where: Mapping[str, object] | None = None,
) -> tuple[Predictions, tuple[str, ...]]:
    """Read the scores of any number of models and check them.

    `source` is what `link_table` returned; ``model`` and ``score`` may be columns, too, in place of
    one for each model. Without `network` the nodes are those that the table names, and the links
    those that it tests. All links that a split does not test are taken for those that models saw
    there. The notes say what was left out or assumed.
    """
    notes: list[str] = []
    part = chosen_rows(source, where or {}, network)
    first, second, truth = _required(part)
    if not len(part.columns[truth]):
        fail(part.name, "holds no pairs")
    is_link = _truth(part, truth)
    if network is None:
        network = _named_nodes(part, first, second, is_link)
    pairs = _pairs(part, network, first, second)
    split, names = _splits(part)
    blocks = {
        name: (rows, scores) for name, rows, scores in _scored(part, (first, second, truth), notes)
    }
    if not blocks:
        fail(part.name, "has no column of scores; expected one per model, or model and score")
    for name in models or ():
        if name not in blocks:
            raise not_found("model", name, blocks, part.name)
    blocks = {name: blocks[name] for name in models or blocks}
    numbers = pairs[:, 0].astype(np.int64) * network.n_nodes + pairs[:, 1]
    orders = {
        name: rows[np.lexsort((numbers[rows], split[rows]))] for name, (rows, _) in blocks.items()
    }
    own = next(iter(orders.values()))
    _check_once(part, split[own], numbers[own])
    for name, order in orders.items():
        same = order.size == own.size and all(
            (column[order] == column[own]).all() for column in (split, numbers, is_link)
        )
        if not same:
            fail(
                part.name,
                f"expected scores of {name} for the same {own.size:,} pairs and labels as of "
                f"{next(iter(orders))}, got {order.size:,} rows",
            )
    cuts = np.searchsorted(split[own], np.arange(1, len(names)))
    scores = {}
    for name, (rows, values) in blocks.items():
        column = np.full(split.size, np.nan)
        column[rows] = values
        scores[name] = tuple(np.split(column[orders[name]], cuts))
    tests, truths = np.split(numbers[own], cuts), np.split(is_link[own], cuts)
    splits = tuple(_split(network, test, yes) for test, yes in zip(tests, truths))
    notes += _odd_links(network, splits)
    return Predictions(network, splits, tuple(blocks), scores), tuple(notes)


def _required(part: Part) -> tuple[str, str, str]:
    found = _columns_of(part)
    if found is None:
        raise not_found("column", "source, target or label", part.columns, part.name)
    return found


def _truth(part: Part, column: str) -> NDArray[np.bool_]:
    """Return whether each row is of a link."""
    words = np.array([word.lower() for word in text(part.columns[column]).tolist()], dtype=object)
    yes = np.isin(words, [*YES])
    odd = ~yes & ~np.isin(words, [*NO])
    if odd.any():
        fail(
            part.name,
            f"expected 1 for a link and 0 for a pair without in {shown(column)}, got "
            f"{shown(words[odd][0])} and others in {plural(int(odd.sum()), 'row')}",
        )
    return yes


def _named_nodes(part: Part, first: str, second: str, is_link: NDArray[np.bool_]) -> Network:
    """Return the network of the links that a table tests."""
    ends = [text(part.columns[name]) for name in (first, second)]
    ids, places = np.unique(np.concatenate(ends).astype(str), return_inverse=True)
    source, target = np.split(places, 2)
    return Network(source[is_link], target[is_link], n_nodes=ids.size, ids=ids.tolist())


def _pairs(part: Part, network: Network, first: str, second: str) -> NDArray[np.intp]:
    """Return the places of the two nodes of each row, the smaller first."""
    ends = [places_of(part.name, network, part.columns[name]) for name in (first, second)]
    pairs = np.sort(np.stack(ends, axis=1), axis=1)
    alike = int((pairs[:, 0] == pairs[:, 1]).sum())
    if alike:
        fail(part.name, f"expected two different nodes in a row, got {plural(alike, 'row')} of one")
    return pairs


def _splits(part: Part) -> tuple[NDArray[np.intp], list[str]]:
    """Return the number of the split of each row, and the names of the splits."""
    name = usual(part.columns, SPLIT)
    if name is None:
        return np.zeros(len(next(iter(part.columns.values()))), dtype=np.intp), ["0"]
    words = text(part.columns[name])
    blank = int((words == "").sum())
    if blank:
        fail(part.name, f"{plural(blank, 'row')} have no value in {shown(name)}")
    names = sorted(set(words.tolist()), key=natural_order)
    place = {word: number for number, word in enumerate(names)}
    return np.array([place[word] for word in words.tolist()], dtype=np.intp), names


def _scored(
    part: Part, used: tuple[str, ...], notes: list[str]
) -> Iterator[tuple[str, NDArray[np.intp], NDArray[np.float64]]]:
    """Return for each model its rows and their scores."""
    model, every = usual(part.columns, MODEL), np.arange(len(part.columns[used[0]]))
    if model is not None:
        column = usual(part.columns, SCORE)
        if column is None:
            raise not_found("column", "score", part.columns, part.name)
        words = text(part.columns[model])
        for name in dict.fromkeys(words.tolist()):
            rows = np.flatnonzero(words == name)
            yield name, rows, _numbers(part, column, rows)
        return
    others = [name for name in part.columns if name not in (*used, usual(part.columns, SPLIT))]
    left_out = [name for name in others if as_numbers(part.columns[name]) is None]
    if left_out and len(others) - len(left_out) < 2:
        fail(
            part.name,
            "expected a number in every row of a column for each of at least two models, got "
            f"missing scores or text in {', '.join(left_out[:LISTED])}; fill in or leave out these "
            "columns",
        )
    if left_out:
        notes.append(f"columns without numbers were left out: {', '.join(left_out[:LISTED])}")
    for name in others:
        if name not in left_out:
            yield name, every, _numbers(part, name, every)


def _numbers(part: Part, column: str, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    found = as_numbers(part.columns[column][rows])
    if found is None or not np.isfinite(found).all():
        bad = rows.size if found is None else int((~np.isfinite(found)).sum())
        fail(
            part.name,
            f"expected a finite score in every row of {shown(column)}, got {bad} that are missing "
            "or no finite numbers",
        )
    return found


def _check_once(part: Part, split: NDArray[np.intp], numbers: NDArray[np.int64]) -> None:
    """Refuse pairs that repeat, given in the order of splits and pairs."""
    again = int(((np.diff(split) == 0) & (np.diff(numbers) == 0)).sum())
    if again:
        fail(
            part.name,
            f"{plural(again, 'row')} repeat split and pair of another; a pair has no direction",
        )


def _split(network: Network, test: NDArray[np.int64], is_link: NDArray[np.bool_]) -> LinkSplit:
    source, target = network.simple_links()
    links = source.astype(np.int64) * network.n_nodes + target
    train = np.flatnonzero(~np.isin(links, test[is_link]))
    return LinkSplit(train, test, is_link)


def _odd_links(network: Network, splits: Sequence[LinkSplit]) -> list[str]:
    """Describe labels that the network does not bear out."""
    source, target = network.simple_links()
    links = source.astype(np.int64) * network.n_nodes + target
    tested = np.concatenate([split.test for split in splits])
    said, true = np.concatenate([split.is_link for split in splits]), np.isin(tested, links)
    note = []
    if (said & ~true).any():
        note.append(
            f"{plural(int((said & ~true).sum()), 'pair')} of label 1 have no link in the network"
        )
    if (true & ~said).any():
        note.append(
            f"{plural(int((true & ~said).sum()), 'pair')} of label 0 have a link in the network"
        )
    return note
