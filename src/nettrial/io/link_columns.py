"""Which columns of a link table are the ends and the weight: by name, then by their values."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

import numpy as np

from ..core.errors import InputError, not_found, shown
from ..core.option_names import NAME, option, written
from .columns import (
    FEW,
    HEAD,
    Columns,
    as_numbers,
    called,
    distinct,
    has_fractions,
    holds_dates,
    is_constant,
    is_index_name,
    is_running,
    is_time_name,
    shared,
    starts_with_numbers,
    time_like,
)
from .vocabulary import (
    ENTITIES,
    NEIGHBORS,
    NO_WEIGHT,
    PAIRS,
    SOURCE,
    TARGET,
    TWO_MODES,
    WEIGHT,
    WEIGHT_WORDS,
    WORD_PAIRS,
    plain,
    words,
)

ACTING, ACTED_ON = re.compile("(?<=..)(er|or|ing)$"), re.compile("(?<=..)(ee|ed)$")
WIDE = 10  # columns without a header beyond which a table is a matrix or a table of features
ENDS_ALIKE = 0.1  # share of ids that two columns of ends have in common at least
ROLES = ("source", "target", "weight", "id")


def how_ends() -> str:
    """Return how the columns of the ends are named."""
    return f"{option('columns', {'source': NAME, 'target': NAME})} names the ends"


@dataclass(slots=True)
class LinkColumns:
    """The columns that a link table is read from.

    Attributes
    ----------
    source, target : str
        The ends.
    weight : str or None
        The weight.
    unused : tuple of str
        All others.
    notes, doubts : list of str
        What was decided, and what of it may be wrong.
    """

    source: str
    target: str
    weight: str | None = None
    unused: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


def choose_link_columns(
    table: Columns,
    asked: Mapping[str, str] | None = None,
    *,
    whole: bool = True,
    two_modes: bool = False,
) -> LinkColumns:
    """Choose the ends and the weight of a link table.

    What is asked for wins, then the usual names, then position: there only columns that can be
    ends are taken, and where the values contradict the choice the table is refused. Of the first
    rows of a large file, which is not `whole`, not all can be asked.
    """
    asked = asked or {}
    check_roles(table, asked)
    if len(table.names) < 2:
        refuse(
            table,
            f"expected two columns with the ids of the two ends, got {listed(table, table.names)}",
            "",
        )
    if "source" in asked or "target" in asked:
        if not {"source", "target"} <= asked.keys():
            refuse(table, "columns: source and target must be named together")
        source, target = (find_column(table, asked[role]) for role in ("source", "target"))
        if source == target:
            refuse(table, f"columns: {called(table, source)} is named for both ends")
        found = LinkColumns(source, target)
    else:
        found = by_name(table) or by_position(table, whole=whole, two_modes=two_modes)
    rest = tuple(name for name in table.names if name not in (found.source, found.target))
    if "weight" in asked:
        wanted = asked["weight"]
        found.weight = None if wanted.lower() == "none" else find_column(table, wanted)
        if found.weight in (found.source, found.target):
            refuse(table, f"columns: {called(table, found.weight or '')} is an end and the weight")
    else:
        choose_weight(table, rest, found)
    found.unused = tuple(name for name in rest if name != found.weight)
    return found


def refuse(table: Columns, message: str, hint: str | None = None) -> NoReturn:
    raise InputError(message, where=table.where, hint=how_ends() if hint is None else hint)


def listed(table: Columns, names: Sequence[str]) -> str:
    return ", ".join(repr(name) if table.header else str(int(name) + 1) for name in names)


def check_roles(table: Columns, asked: Mapping[str, str]) -> None:
    unknown = [role for role in asked if role not in ROLES]
    if unknown:
        refuse(
            table, f"columns: expected the roles {', '.join(ROLES)}, got {shown(unknown[0])}", ""
        )


def find_column(table: Columns, name: str) -> str:
    """Find a column by its name, whatever its case, or by its number where there is no header."""
    if not table.header:
        if name.isdecimal() and 1 <= int(name) <= len(table.names):
            return table.names[int(name) - 1]
        refuse(
            table,
            f"column {shown(name)} not found; the file has no header and "
            f"{len(table.names)} columns, numbered from 1",
            "",
        )
    if name in table.names:
        return name
    alike = [each for each in table.names if each.lower() == name.lower()]
    if len(alike) == 1:
        return alike[0]
    raise not_found("column", name, table.names, table.where)


def by_name(table: Columns) -> LinkColumns | None:
    """Find the ends by the usual names, or by two names that differ in one usual word."""
    if not table.header:
        return None
    lower = {plain(name): name for name in reversed(table.names)}
    for first, second in PAIRS:
        if first in lower and second in lower:
            return LinkColumns(lower[first], lower[second])
    firsts = [lower[name] for name in SOURCE if name in lower]
    seconds = [lower[name] for name in TARGET if name in lower]
    if firsts and seconds:
        return LinkColumns(firsts[0], seconds[0])
    found = list(dict.fromkeys(word_pairs(table.names)))
    refuse_lists(table, found)
    refuse_counts(table, found)
    ids = [pair for pair in found if "id" in words(pair[0])]
    found = ids if len(ids) == 1 else found
    if len(found) > 1:
        pairs = "; ".join(f"{a!r} and {b!r}" for a, b in found)
        refuse(table, f"several pairs of columns can be the ends ({pairs})")
    return LinkColumns(*found[0]) if found else None


def refuse_lists(table: Columns, pairs: Sequence[tuple[str, str]]) -> None:
    """Refuse numbered columns of the neighbors that a row's node names, as in a survey."""
    parts = {name: words(name) for name in table.names}
    for first, second in pairs:
        place = next(k for k, word in enumerate(parts[first]) if word != parts[second][k])
        if (parts[first][place], parts[second][place]) != ("1", "2"):
            continue
        third = [*parts[first][:place], "3", *parts[first][place + 1 :]]
        row = [name for name in table.names if parts[name] == third]
        if row or NEIGHBORS & set(parts[first]):
            shown = ", ".join(map(written, (first, second, *row)))
            refuse(
                table,
                f"columns {shown} look like the neighbors of one node each, not like the two ends "
                "of a link; write one row per link (pandas.wide_to_long or melt)",
            )


def refuse_counts(table: Columns, pairs: Sequence[tuple[str, str]]) -> None:
    """Refuse numbered columns of a table of nodes: another column is their id, one row per node.

    ``user_id, likes_1, likes_2`` is no link; ``id, person_1, person_2`` is one.
    """
    for first, second in pairs:
        if words(first)[-1:] != ["1"] or {*ENTITIES} & set(words(first)) or table.names[0] == first:
            continue
        key = table.names[0]
        values = table[key]
        named = {*ENTITIES} & set(words(key)) and not is_index_name(key)
        if named and len(values) >= FEW and len(distinct(values)) == len(values):
            refuse(
                table,
                f"{called(table, key)} differs in every row, and {called(table, first)} and "
                f"{called(table, second)} do not name nodes, as in a table of nodes; give the "
                f"links, and this file as {option('nodes')}",
            )


def names_ends(table: Columns) -> bool:
    """Return whether the usual names of the two ends stand in a header."""
    lower = {plain(name) for name in table.names} if table.header else set()
    return any({first, second} <= lower for first, second in PAIRS)


def word_pairs(names: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Yield pairs of names that differ in nothing but one word: source_id and target_id."""
    parts = {name: words(name) for name in names}
    for first, second in itertools.permutations(names, 2):
        a, b = parts[first], parts[second]
        if len(a) != len(b) or len(a) < 2:
            continue
        differing = [(x, y) for x, y in zip(a, b) if x != y]
        if len(differing) == 1 and differing[0] in WORD_PAIRS:
            yield first, second


def by_position(table: Columns, *, whole: bool = True, two_modes: bool = False) -> LinkColumns:
    """Take the first two columns that can be ends; refuse where their values say otherwise."""
    if not table.header and len(table.names) > WIDE:
        refuse(
            table,
            f"{len(table.names)} columns without a header look like a matrix or a table "
            "of features, not like links",
        )
    if table.header and sum(map(str.isdecimal, table.names)) > WIDE:
        refuse(table, "columns that are called by numbers look like a matrix, not like links")
    left_out = {name: why for name in table.names if (why := no_end(table, name))}
    able = [name for name in table.names if name not in left_out]
    if len(able) < 2:
        note = "; ".join(f"{called(table, name)} is {why}" for name, why in left_out.items())
        refuse(table, f"expected two columns with the ids of the two ends, but {note}")
    found = in_direction(table, LinkColumns(able[0], able[1]))
    if len(table.names) > 2:
        check_position(table, found, able[2:], left_out)
    modes = check_modes(table, found, two_modes)
    check_pairs(table, found)
    if whole:
        check_number(table, found)
    if whole and not modes:
        check_classes(table, found)
    if table.header:
        found.notes.append(
            f"ends from {called(table, found.source)} and {called(table, found.target)}, the "
            "first two columns that can be ends"
        )
    return found


def in_direction(table: Columns, found: LinkColumns) -> LinkColumns:
    """Turn two ends of which the first is called as targets are, and the second as sources."""
    if table.header and points_to(found.target, found.source):
        return replace(found, source=found.target, target=found.source)
    return found


def points_to(first: str, second: str) -> bool:
    """Return whether two names are of a source and of its target, by a usual pair or their ends.

    Examples
    --------
    >>> points_to("from_user", "to_user"), points_to("user_to", "user_from")
    (True, False)
    >>> [points_to("follower_id", "followed_id"), points_to("citer", "citee"), points_to("a", "a")]
    [True, True, False]
    """
    a, b = words(first), words(second)
    if any(one in a and other in b for one, other in PAIRS):
        return True
    acting = {ACTING.sub("", word) for word in a if ACTING.search(word)}
    return bool(acting & {ACTED_ON.sub("", word) for word in b if ACTED_ON.search(word)})


def no_end(table: Columns, name: str) -> str:
    """Return why a column cannot be an end of links; empty where it can."""
    if table.header:
        lower = name.lower()
        if is_index_name(name):
            return "a column of row numbers or names by its name"
        if lower in WEIGHT:
            return "the weight by its name"
        if is_time_name(name):
            return "a time by its name"
    if len(table.names) == 2:
        return ""
    if holds_dates(table[name]):
        return "a column of dates or times"
    if has_fractions(table[name]):
        return "a column of fractions"
    if table.header and is_running(table[name]):
        return "a running number"
    return ""


def check_position(
    table: Columns, found: LinkColumns, others: Sequence[str], left_out: Mapping[str, str]
) -> None:
    """Refuse a choice by position that the values of the columns contradict."""
    source, target = found.source, found.target
    ends = distinct(table[source]), distinct(table[target])
    common = shared(*ends)
    times = time_like(table[source])
    for name in others:
        if is_constant(table[name]) or has_fractions(table[name]):
            continue
        third = distinct(table[name])
        if not table.header and "" in third:
            refuse(table, "rows differ in length, as in an adjacency list")
        with_third = max(shared(end, third) for end in ends)
        if common == 0 and with_third:
            refuse(
                table,
                f"{called(table, source)} and {called(table, target)} share no id, but "
                f"{called(table, name)} shares {with_third} with one of them",
            )
        if with_third and not starts_with_numbers(table[name]):
            refuse(
                table,
                f"{called(table, name)} holds ids of nodes too ({with_third}), as in an "
                "adjacency list or a list of relations",
            )
        if is_running(table[source]) and overlap(ends[1], third) > ENDS_ALIKE:
            refuse(
                table,
                f"{called(table, source)} looks like running row numbers, and "
                f"{called(table, name)} can be an end too",
            )
        closest = max(overlap(end, third) for end in ends)
        if len(table[name]) >= FEW and closest > overlap(*ends):
            refuse(
                table,
                f"{called(table, name)} shares more ids with another column than "
                f"{called(table, source)} and {called(table, target)} do",
            )
        if times and common == 0:
            refuse(table, f"{called(table, source)} looks like {times}")
        if starts_with_numbers(table[source]) and not (
            starts_with_numbers(table[target]) or starts_with_numbers(table[name])
        ):
            refuse(
                table,
                f"{called(table, source)} holds numbers, {called(table, target)} and "
                f"{called(table, name)} text",
            )
    check_others(table, ends, others)
    for name in (source, target):
        if is_constant(table[name]) and others:
            value = next(iter(distinct(table[name])))
            refuse(table, f"{called(table, name)} holds nothing but {shown(value)}")
    if common == 0:
        found.doubts.append(
            f"{called(table, source)} and {called(table, target)} share no id, so they are taken "
            f"for two kinds of nodes; {how_ends()}"
        )
    found.notes += [f"{called(table, name)} is no end: {why}" for name, why in left_out.items()]


def check_others(table: Columns, ends: tuple[set[str], set[str]], others: Sequence[str]) -> None:
    """Refuse where two other columns look more like the ends than the chosen two."""
    ids = {name: distinct(table[name]) for name in others if not has_fractions(table[name])}
    for first, second in itertools.combinations(ids, 2):
        text = not (starts_with_numbers(table[first]) or starts_with_numbers(table[second]))
        alike = overlap(ids[first], ids[second])
        if (text and alike > 0) or (len(table[first]) >= FEW and alike > overlap(*ends)):
            refuse(table, f"{called(table, first)} and {called(table, second)} share ids, too")
    several = [name for name in others if not is_constant(table[name])]
    if len(several) > 1 and all(len(end) == len(table[several[0]]) for end in ends):
        refuse(
            table,
            "no value occurs twice in either of the first two columns, and there are "
            f"{len(table.names)} columns",
        )


def check_number(table: Columns, found: LinkColumns) -> None:
    """Refuse many rows between the same two ids: these are no nodes but flags, as 0 and 1 are."""
    ids = distinct(table[found.source]) | distinct(table[found.target])
    if len(ids) <= 2 and len(table[found.source]) >= FEW:
        refuse(
            table,
            f"{called(table, found.source)} and {called(table, found.target)} hold nothing but "
            f"{' and '.join(map(written, sorted(ids)))} in {len(table[found.source])} rows, so "
            "they do not look like ids",
        )


def check_classes(table: Columns, found: LinkColumns) -> None:
    """Refuse a table of nodes and their classes: one id a row, and few other values."""
    n = len(table[found.source])
    ends = {name: distinct(table[name]) for name in (found.source, found.target)}
    for ids, values in ((found.source, found.target), (found.target, found.source)):
        few = len(ends[values])
        if n < FEW or len(ends[ids]) < n or 2 * few > n:
            continue
        what = (
            f"{called(table, ids)} differs in every row and {called(table, values)} has {few} "
            "values, as in a table of nodes and their classes"
        )
        if not shared(*ends.values()):
            refuse(table, f"{what}; give the links, and this file as {option('nodes')}")
        if 4 * few <= n:
            found.doubts.append(
                f"{what}; if it is one, give the links, and this file as {option('nodes')}"
            )


def check_pairs(table: Columns, found: LinkColumns) -> None:
    """Refuse text of which no word occurs twice: that is prose, and no network worth a trial."""
    if all(str(value).startswith(("(", "[")) for value in table[found.source][:HEAD]):
        refuse(table, "the rows look like tuples or lists; write them without brackets", "")
    ends = distinct(table[found.source]) | distinct(table[found.target])
    text = not (
        starts_with_numbers(table[found.source]) and starts_with_numbers(table[found.target])
    )
    if text and len(ends) == 2 * len(table[found.source]):
        refuse(
            table,
            f"no id occurs twice in {called(table, found.source)} and "
            f"{called(table, found.target)}, so the rows look like text and not like links",
        )


def overlap(first: set[str], second: set[str]) -> float:
    """Return the share of two sets' members that are in both."""
    return len(first & second) / max(len(first | second), 1)


def check_modes(table: Columns, found: LinkColumns, two_modes: bool) -> bool:
    """Return whether two kinds of nodes are named; refuse them where they have the same ids."""
    if not table.header:
        doubt_modes(table, found, two_modes)
        return two_modes
    kinds = [
        {TWO_MODES[word] for word in words(name) if word in TWO_MODES}
        for name in (found.source, found.target)
    ]
    if not all(kinds) or kinds[0] & kinds[1]:
        return False
    common = shared(distinct(table[found.source]), distinct(table[found.target]))
    if common and not two_modes:
        refuse(
            table,
            f"{called(table, found.source)} and {called(table, found.target)} name two kinds of "
            f"nodes but share {common} ids, so that different nodes would be merged",
            f"{option('two_modes', True)} keeps them apart; name the ends with {option('columns')} "
            "if they are of one kind",
        )
    if not two_modes:
        found.notes.append(
            f"two kinds of nodes: {called(table, found.source)} and {called(table, found.target)} "
            "share no id"
        )
    return True


def doubt_modes(table: Columns, found: LinkColumns, two_modes: bool) -> None:
    """Doubt that ids are of one kind where the file is named after two: author_paper.txt."""
    stem = words(table.where.replace("\\", "/").rpartition("/")[2])
    if two_modes or {TWO_MODES[word] for word in stem if word in TWO_MODES} != {"people", "things"}:
        return
    common = shared(distinct(table[found.source]), distinct(table[found.target]))
    if common:
        found.doubts.append(
            f"the name of the file speaks of two kinds of nodes, and its columns share {common} "
            f"ids, which are taken for the same nodes; {option('two_modes', True)} keeps them apart"
        )


def choose_weight(table: Columns, rest: tuple[str, ...], found: LinkColumns) -> None:
    """Choose the column of weights: by name, else the only one that can be it."""
    if table.header:
        lower = {name.lower(): name for name in reversed(rest)}
        named = next((lower[name] for name in WEIGHT if name in lower), None)
        if named is not None:
            found.weight = named
            return
        able = [name for name in rest if starts_with_numbers(table[name]) and not names_other(name)]
    else:
        able = [name for name in rest[:1] if starts_with_numbers(table[name])]
    looks = {name: no_weight(table, name) for name in able}
    doubtful = {name: why for name, why in looks.items() if why}
    able = [name for name in able if not looks[name]]
    if len(able) > 1:
        found.doubts.append(
            f"{listed(table, able)} hold numbers, and none is used as weight; "
            f"{option('columns', {'weight': NAME})} chooses one, "
            f"{option('columns', {'weight': 'none'})} none"
        )
    elif able:
        found.weight = able[0]
        if table.header and not names_weight(table, able[0]):
            found.doubts.append(
                f"{called(table, able[0])} is taken for the weight; "
                f"{option('columns', {'weight': 'none'})} leaves it out"
            )
    for name, why in doubtful.items():
        found.doubts.append(
            f"{called(table, name)} looks like {why} and is not used as weight; "
            f"{option('columns', {'weight': NAME})} chooses it, "
            f"{option('columns', {'weight': 'none'})} leaves it out"
        )


def names_other(name: str) -> bool:
    return is_index_name(name) or is_time_name(name) or bool(NO_WEIGHT & set(words(name)))


def names_weight(table: Columns, name: str) -> bool:
    """Return whether a header says that a column holds weights."""
    return table.header and bool(WEIGHT_WORDS & set(words(name)))


def no_weight(table: Columns, name: str) -> str:
    numbers = as_numbers(table[name])
    values = set() if numbers is None else set(np.unique(numbers).tolist())
    if {0.0} <= values <= {0.0, 1.0} and not names_weight(table, name):
        return "a flag of 0 and 1"
    return "running row numbers" if is_running(table[name]) else time_like(table[name])
