"""Which file of a folder holds the links, and which the nodes: by one table of evidence.

Every reading of a folder names one file for the links and gives each other file the role that
suits it best. Its weight is the sum of what speaks for these roles. The heaviest reading is
taken, unless another comes near: then the user is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from ..core.option_names import option
from .column_looks import FEW
from .columns import is_number
from .file_looks import (
    BY_SHAPE,
    Look,
    is_node_file,
    listed,
    looks_in,
    refuse_unreadable,
)
from .guards import fail, is_table_file, note, read_head
from .headers import named_as_people
from .vocabulary import (
    ASIDE_FILES,
    DATA_SET,
    ID,
    LABEL_FILES,
    LINK_FILES,
    MODEL,
    NODE,
    NODE_FILES,
    PREDICTION,
    SPLIT,
    TRANSFER_FILES,
    VALUE,
    says,
    usual,
)

if TYPE_CHECKING:
    from .registry import Format

NO_LINKS = -2.0  # a file for which no more speaks is taken for the links where it is alone
NEAR = 1.5  # two readings of which the weights differ by less are as good as each other
SPOKEN = 1.0  # what must speak for links before node tables beside them do
PART = 2.0  # what a file adds to one of a format of its own that has the same name
USED = 2.0  # what must speak for a file to be read as a table of nodes
WIDE = 20  # columns from which on a table holds features
MATRIX = 3  # columns of zeros and ones from which on they are features
NAMED = 3  # files that a message names
SPARE = 0.2  # nodes without links, for one with some, that rows in node order may be of
FLAGS = {"0", "1", "0.0", "1.0"}
FITS, STRANGE = 0.9, 0.1  # shares of ids in common


NUMBERED = re.compile(r"[0-9]+(\.0)?")  # the id of a node that has a place in an order


class Sign(NamedTuple):
    """One kind of evidence: what is seen, and how much it speaks for each role."""

    words: str
    links: float
    nodes: float
    aside: float
    seen: Callable[[Look], bool]


def named(look: Look, words: Sequence[str]) -> bool:
    return not look.several_files and says(look.path.name, words)


def named_as_nodes(look: Look) -> bool:
    return not look.several_files and is_node_file(look.path) and not named_aside(look)


def named_aside(look: Look) -> bool:
    return named(look, ASIDE_FILES) and not named(look, LABEL_FILES)


def named_as_links(look: Look) -> bool:
    return named(look, LINK_FILES) and not named(look, NODE_FILES) and not named_aside(look)


def is_features(look: Look) -> bool:
    """Return whether rows are many zeros and ones, perhaps behind an id, and no square matrix."""
    first = look.rows[:FEW]
    start = int(look.width > WIDE)
    flags = look.width >= MATRIX and all({*row[start:]} <= FLAGS for row in first)
    return flags and bool(first) and not (look.whole and abs(len(look.rows) - look.width) < 2)


def is_results(look: Look) -> bool:
    """Return whether a header names predictions, or models and how good they are."""
    named = usual(look.titles, (*PREDICTION, *MODEL)) is not None
    return named and usual(look.titles, (*ID, *SPLIT, *VALUE, *DATA_SET)) is not None


def is_measured(look: Look) -> bool:
    """Return whether rows are many fractions, as those of an embedding."""
    first = [field for row in look.rows[:FEW] for field in row[1:]]
    return look.width > MATRIX and bool(first) and all("." in f and is_number(f) for f in first)


def one_row_a_node(look: Look) -> bool:
    """Return whether the first column differs in every row, and no later one does."""
    many = len(look.rows) >= FEW and look.width > 1
    return many and [len(set(c)) == len(c) for c in look.columns[:2]] == [True, False]


def shares_ids(look: Look) -> bool:
    """Return whether the first two columns hold ids of one kind, as the ends of links do."""
    if len(look.columns) < 2:
        return False
    first, second = (set(column) for column in look.columns[:2])
    return len(first & second) > STRANGE * min(len(first), len(second))


EVIDENCE = (
    Sign("its name speaks of links", 3, -2, 0, named_as_links),
    Sign("its name speaks of nodes or labels", -3, 3, 0, named_as_nodes),
    Sign("its name speaks of transfers", 2, -1, 0, lambda look: named(look, TRANSFER_FILES)),
    Sign("its name speaks of accounts or people", -1, 2, 0,
         lambda look: not look.several_files and named_as_people(look.path.name)),
    Sign("it is called edges.csv, as nettrial writes it", 3, 0, 0,
         lambda look: look.path.name.startswith("edges.csv")),
    Sign("it is called nodes.csv, as nettrial writes it", 0, 1.5, 0,
         lambda look: look.path.name.startswith("nodes.csv")),
    Sign("its name speaks of features or splits", -3, 0, 3, named_aside),
    Sign("it is a network in a format of its own", 5.5, 0, 0,
         lambda look: look.own_format and not look.several_files),
    Sign("it is one of the files of a known data set", 20, 0, 0, lambda look: look.several_files),
    Sign("its rows could be those of a matrix or of lists of neighbors", 0.5, 0, 0,
         lambda look: look.format is not None and look.format.name in BY_SHAPE),
    Sign("it is a table", 0.5, 0, 0,
         lambda look: look.format is not None and look.format.name == "table"),
    Sign("its header names the two ends of links", 3, -3, 0,
         lambda look: look.named_ends is not None),
    Sign("its header names an id, but no two ends", -1, 1, 0,
         lambda look: look.named_ends is None and not {*NODE}.isdisjoint(look.titles)),
    Sign("every line holds one word", -9, 1, 0,
         lambda look: bool(look.rows) and all(len(row) == 1 for row in look.rows)),
    Sign("its rows are zeros and ones", -4, -1, 3, is_features),
    Sign("its header names models or predictions", -3, -3, 3, is_results),
    Sign("its rows are fractions", -4, -3, 3, is_measured),
    Sign("it has one row per node", -1, 1, 0, one_row_a_node),
    Sign("its first two columns share ids", 1, 0, 0, shares_ids),
    Sign("it is no table", -9, 0, 0, lambda look: look.format is None),
)  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """One file as the links, those that are its nodes, and how much speaks for it."""

    links: Look
    nodes: tuple[Look, ...]
    rivals: tuple[Look, ...]
    weight: float


def weight(look: Look, role: str) -> float:
    """Add up what speaks for one role of a file."""
    return float(sum(getattr(sign, role) for sign in EVIDENCE if sign.seen(look)))


def reasons(look: Look) -> str:
    """Return what is seen of a file, in words."""
    return ", ".join(sign.words for sign in EVIDENCE if sign.seen(look)) or "nothing is known of it"


def fit(nodes: Look, links: Look) -> float | None:
    """Return the share of the ids of links that a table of nodes holds; None where not seen."""
    if not links.ends or not nodes.rows:
        return None
    if not (nodes.whole or links.whole):
        return None
    many = links.ends if nodes.whole else frozenset()
    shares = [len(links.ends & key) / len(many or key) for key in nodes.keys]
    ordered = nodes.width == 1 or named_as_nodes(nodes)
    if ordered and nodes.whole and links.whole and all(map(NUMBERED.fullmatch, links.ends)):
        # a row for each node, in their order
        shares.append(float(1 <= len(nodes.rows) / len(links.ends) <= 1 + SPARE))
    return max(shares, default=None if nodes.width == 1 else 0.0)


def as_nodes(look: Look, links: Look) -> float:
    """Add up what speaks for a file as the nodes of another: its own looks, and both together."""
    found = weight(look, "nodes")
    share = fit(look, links)
    if share is not None:
        found += 2 if share >= FITS else -3 if share <= STRANGE else 0
    if share == 1.0 and surplus(look, links) == 0:
        found += 0.5
    own, other = look.name_parts, links.name_parts
    if own and other:
        found += 1 if own <= other or other <= own else -1 if own.isdisjoint(other) else 0
    return found


def surplus(nodes: Look, links: Look) -> int:
    """Count the nodes of a table that no link names, where both are seen whole."""
    if not (nodes.whole and links.whole and links.ends):
        return 0
    if nodes.width == 1:
        return max(len(nodes.rows) - len(links.ends), 0)
    best = max(nodes.keys, key=lambda key: len(key & links.ends), default=frozenset())
    return len(best - links.ends)


def reading_of(links: Look, looks: Sequence[Look]) -> Reading:
    """Return the roles of all other files, where one file holds the links."""
    weights: dict[Look, float] = {}
    takes_nodes = links.format is not None and links.format.takes_nodes
    for look in looks if takes_nodes else ():
        if look is not links and may_be_nodes(look, links):
            weights[look] = as_nodes(look, links)
    able = [look for look in weights if weights[look] >= USED]
    chosen, rivals = apart(able, weights)
    others = [look for look in looks if look not in (links, *able)]
    rest = sum(max(weight(look, "aside"), 0.0) for look in others)
    rest += PART * sum(look.path.stem == links.path.stem for look in others if links.own_format)
    own = weight(links, "links")
    if own >= SPOKEN:
        rest += sum(weights[look] for look in chosen)
        rest += max((weights[look] for look in rivals), default=0.0)
    return Reading(links, tuple(chosen), tuple(rivals), own + rest)


def may_be_nodes(look: Look, links: Look) -> bool:
    """Return whether a file can be read as a table of nodes: text, or of the links' own format."""
    if look.format is None:
        return bool(look.head) and (named_as_nodes(look) or bool(look.rows))
    return look.format.name in ("table", *BY_SHAPE) or look.format is links.format


def apart(able: list[Look], weights: dict[Look, float]) -> tuple[list[Look], list[Look]]:
    """Return the tables to read, and those among which only the user can choose.

    Tables of different nodes, or of different columns, are read together. Of others the heaviest
    is taken, where it is ahead of the rest.
    """
    chosen: list[Look] = []
    rivals: list[Look] = []
    for look in sorted(able, key=lambda each: (-weights[each], each.path.name)):
        same = [other for other in chosen if overlap(look, other)]
        if not same or all(adds_columns(look, other) for other in same):
            chosen.append(look)
        elif weights[same[0]] - weights[look] < 1:
            rivals += [*same, look]
    kept = [look for look in chosen if look not in rivals]
    return sorted(kept, key=lambda each: each.path.name), list(dict.fromkeys(rivals))


def adds_columns(look: Look, other: Look) -> bool:
    """Return whether two tables of the same nodes have a header each, and share the ids alone."""
    titles = {*look.titles}, {*other.titles}
    alike = titles[0] & titles[1]
    named = all(titles) and len(alike) < min(map(len, titles)) and alike <= {*NODE}
    return named and look.width < WIDE and not named_aside(look)


def overlap(first: Look, second: Look) -> bool:
    """Return whether two tables list the same nodes."""
    if 1 in (first.width, second.width):
        return True
    pairs = [(a, b) for a in first.keys for b in second.keys]
    return any(len(a & b) > FITS * min(len(a), len(b)) for a, b in pairs)


def choose_in_folder(
    folder: Path, format: str | None
) -> tuple[Path, Format, tuple[Path, ...], list[str]]:
    """Return the file with the links, its format, the node tables beside it, and doubts."""
    folder = folder_of_files(folder)
    looks = looks_in(folder)
    able = candidates(looks, format)
    for look in looks:
        if not able or look.format is None:
            refuse_unreadable(look.path)
    if not able:
        fail(folder, "holds no network in a known format")
    readings = sorted((reading_of(look, looks) for look in able), key=lambda r: -r.weight)
    best, *rest = readings
    near = [r for r in rest if best.weight - r.weight < NEAR or as_good(r.links, best.links)]
    if near or (rest and weight(best.links, "links") <= NO_LINKS):
        ask(folder, [best, *(near or rest)])
    unread = [look for look in looks if look not in (best.links, *best.nodes, *best.rivals)]
    for look in unread:
        if look.format is not None and not best.links.several_files:
            note(f"{look.path.name} is not read: {reasons(look)}")
    chosen = candidates([best.links], format)[best.links]
    return best.links.path, chosen, tuple(look.path for look in best.nodes), doubts_of(best)


def as_good(look: Look, best: Look) -> bool:
    """Return whether a file by itself looks as much like links as the best one."""
    return weight(look, "links") > weight(best, "links") - 1


def candidates(looks: Sequence[Look], format: str | None) -> dict[Look, Format]:
    """Return the files that may hold the links; of several files of one format the first."""
    found = {}
    for look in reversed(looks):
        if look.format is not None and format in (None, look.format.name):
            found[look.format.name, look.format.anchor(look.path)] = look, look.format
    return dict(reversed(found.values()))


def ask(folder: Path, readings: Sequence[Reading]) -> NoReturn:
    shown = readings[:NAMED]
    seen = "; ".join(f"{r.links.path.name}: {reasons(r.links)}" for r in shown)
    names = ", ".join(r.links.path.name for r in readings)
    fail(
        folder,
        f"which of {names} is the link table? Give its path, such as {readings[0].links.path}, and "
        f"those of the node tables as {option('nodes')} ({seen})",
    )


def doubts_of(reading: Reading) -> list[str]:
    """Return what of a reading may be wrong: tables that fit as well, or were not named so."""
    links = reading.links.path.name
    found = []
    if reading.rivals:
        names = ", ".join(look.path.name for look in reading.rivals[:NAMED])
        found.append(
            f"{names} beside {links} may hold the nodes; "
            f"{option('nodes', str(reading.rivals[0].path))} reads it"
        )
    for look in reading.nodes:
        titled = not {*NODE}.isdisjoint(look.titles)
        if not (named_as_nodes(look) or named_as_people(look.path.name) or titled):
            found.append(
                f"{look.path.name} is taken for the nodes of {links} ({reasons(look)}); name "
                f"{str(reading.links.path)!r} alone to leave it out"
            )
    return found


def unused_tables(path: Path) -> list[str]:
    """Return which files beside a network without node columns may hold them, the best first."""
    if len(listed(path.parent)) < 2:
        return []
    looks = looks_in(path.parent)
    links = next((look for look in looks if look.path.name == path.name), None)
    if links is None:
        return []
    able = {
        look: as_nodes(look, links)
        for look in looks
        if look is not links and may_be_nodes(look, links) and not named_as_links(look)
    }
    best = sorted((k for k in able if able[k] >= USED), key=lambda k: (-able[k], k.path.name))
    if not best:
        return []
    kept = [look for look in best if able[best[0]] - able[look] < 1][:NAMED]
    names = ", ".join(look.path.name for look in kept)
    how = option("nodes", str(kept[0].path))
    return [f"{names} beside {path.name} may hold the nodes; {how} reads it"]


def better_table(path: Path, given: Path) -> list[str]:
    """Return a doubt where another table beside a network fits it clearly better."""
    from .registry import recognize

    if given.parent != path.parent or not is_node_file(given):
        return []
    beside = [file for file in listed(path.parent) if is_node_file(file) and file.is_file()]
    links, *looks = (Look(file, recognize(file, read_head(file))) for file in (path, *beside))
    own = next((look for look in looks if look.path == given), None)
    if own is None or ((fit(own, links) or 0) >= FITS and not surplus(own, links)):
        return []
    weights = {look.path.name: as_nodes(look, links) for look in looks if look.path != path}
    best = max(weights, key=lambda name: weights[name])
    if weights[best] - weights[given.name] < 1:
        return []
    return [f"{best} beside {path.name} fits its links better than {given.name}"]


def folder_of_files(folder: Path) -> Path:
    """Go where the files are: as they were downloaded they often lie in ``raw``, or one deeper."""
    files = listed(folder)
    if (folder / "raw").is_dir() and not any(map(is_table_file, files)):
        return folder / "raw"
    deeper = [path for path in files if path.is_dir() and path.name[0] not in "._"]
    return deeper[0] if len(deeper) == 1 and not looks_in(folder) else folder
