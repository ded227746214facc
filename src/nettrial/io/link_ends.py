"""Which two columns of a link table are its ends: by their names, then by their values."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

from ..core.errors import InputError
from ..core.option_names import NAME, option, written
from .column_looks import FEW, Column, overlap, shared
from .columns import HEAD, Columns, called
from .evidence import why_not
from .vocabulary import (
    ENTITIES,
    NEIGHBORS,
    PAIRS,
    SOURCE,
    TARGET,
    TWO_MODES,
    WORD_PAIRS,
    plain,
    words,
)

ACTING, ACTED_ON = re.compile("(?<=..)(er|or|ing)$"), re.compile("(?<=..)(ee|ed)$")
WIDE = 10  # columns without a header beyond which a table is a matrix or a table of features
ENDS_ALIKE = 0.1  # share of ids that two columns of ends have in common at least


def how_ends() -> str:
    """Return how the columns of the ends are named."""
    return f"{option('columns', {'source': NAME, 'target': NAME})} names the ends"


def refuse(table: Columns, message: str, hint: str | None = None) -> NoReturn:
    raise InputError(message, where=table.where, hint=how_ends() if hint is None else hint)


@dataclass(eq=False)
class Ends:
    """Two columns as the ends of links, beside all others of their table that could be ends."""

    table: Columns
    a: Column
    b: Column
    others: Sequence[Column] = ()
    whole: bool = True
    two_modes: bool = False
    c: Column = field(default_factory=lambda: Column([]))  # one of the others, looked at by itself
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    @cached_property
    def common(self) -> int:
        return shared(self.a, self.b)

    @cached_property
    def alike(self) -> float:
        return overlap(self.a, self.b)

    @cached_property
    def with_c(self) -> int:
        return max(shared(self.a, self.c), shared(self.b, self.c))

    @property
    def rows(self) -> int:
        return len(self.a)

    @cached_property
    def ids(self) -> set[str]:
        return self.a.ids | self.b.ids

    @cached_property
    def listed(self) -> str:
        return " and ".join(map(written, sorted(self.ids)[:2]))

    @cached_property
    def left(self) -> list[Column]:
        """Return the others that could be an end by their values."""
        return [column for column in self.others if not (column.constant or column.fractions)]

    @cached_property
    def several_modes(self) -> bool:
        """Whether the names of the columns are those of two kinds of nodes."""
        kinds = [
            {TWO_MODES[word] for word in end.words if word in TWO_MODES} for end in (self.a, self.b)
        ]
        return self.table.header and all(kinds) and not kinds[0] & kinds[1]

    @property
    def file_of_modes(self) -> bool:
        """Whether a file without header is called after two kinds, as author_paper.txt."""
        stem = words(self.table.where.replace("\\", "/").rpartition("/")[2])
        kinds = {TWO_MODES[word] for word in stem if word in TWO_MODES}
        return not self.table.header and kinds == {"people", "things"}

    @cached_property
    def nodes(self) -> tuple[Column, Column] | None:
        """Return ids and classes where these could be those of a table of nodes, one a row."""
        modes = self.several_modes or (self.two_modes and not self.table.header)
        if self.rows < FEW or not self.whole or modes:
            return None
        pairs = ((self.a, self.b), (self.b, self.a))
        return next(
            (p for p in pairs if p[0].differs and 2 * len(p[1].distinct) <= self.rows), None
        )


class Against(NamedTuple):
    """What speaks against two columns as the ends: refused or, where it is less, a doubt.

    The words name the columns `e.a` and `e.b` and, of what is seen of one more, that one, `e.c`.
    """

    words: str
    seen: Callable[[Ends], bool]
    hint: Callable[[], str] = how_ends
    refused: bool = True


def _nodes_beside() -> str:
    return f"give the links, and this file as {option('nodes')}"


def _apart() -> str:
    return f"{option('two_modes', True)} keeps them apart"


def _rivals(ends: Ends) -> bool:
    """Return whether two other columns look more like the ends than the chosen two."""
    for one, two in itertools.combinations([c for c in ends.others if not c.fractions], 2):
        alike = overlap(one, two)
        text = not (one.numeric or two.numeric)
        if (text and alike > 0) or (len(one) >= FEW and alike > ends.alike):
            return True
    return False


NODES = (
    "{e.nodes[0].called} differs in every row and {e.nodes[1].called} has few values, as in a "
    "table of nodes and their classes"
)
OF_ANOTHER: tuple[Against, ...] = (
    Against("rows differ in length, as in an adjacency list",
            lambda e: not e.c.name and "" in e.c.ids),
    Against("{e.a.called} and {e.b.called} share no id, but {e.c.called} shares some with one of "
            "them",
            lambda e: not e.common and e.with_c > 0),
    Against("{e.c.called} holds ids of nodes too, as in an adjacency list or a list of relations",
            lambda e: not e.c.numeric and e.with_c > 0),
    Against("{e.a.called} looks like running row numbers, and {e.c.called} can be an end too",
            lambda e: e.a.running and overlap(e.b, e.c) > ENDS_ALIKE),
    Against("{e.c.called} shares more ids with another column than {e.a.called} and "
            "{e.b.called} do",
            lambda e: e.rows >= FEW and max(overlap(end, e.c) for end in (e.a, e.b)) > e.alike),
    Against("{e.a.called} looks like {e.a.times}",
            lambda e: not e.common and bool(e.a.times)),
    Against("{e.a.called} holds numbers, {e.b.called} and {e.c.called} text",
            lambda e: e.a.numeric and not (e.b.numeric or e.c.numeric)),
)  # fmt: skip
OF_TWO: tuple[Against, ...] = (
    Against("two others of its columns share ids, too", _rivals),
    Against("no value occurs twice in either of the first two columns, and there are more columns",
            lambda e: sum(not c.constant for c in e.others) > 1 and e.a.differs and e.b.differs),
    Against("one of the columns of the ends holds nothing but one value",
            lambda e: bool(e.others) and (e.a.constant or e.b.constant)),
    Against("{e.a.called} and {e.b.called} share no id, so they are taken for two kinds of nodes",
            lambda e: len(e.table.names) > 2 and not e.common, refused=False),
    Against("{e.a.called} and {e.b.called} name two kinds of nodes but share {e.common} ids, so "
            "that different nodes would be merged",
            lambda e: e.several_modes and not e.two_modes and e.common > 0,
            lambda: f"{_apart()}; name the ends with {option('columns')} if they are of one kind"),
    Against("the name of the file speaks of two kinds of nodes, and its columns share {e.common} "
            "ids, which are taken for the same nodes",
            lambda e: not e.two_modes and e.file_of_modes and e.common > 0, _apart, refused=False),
    Against("the rows look like tuples or lists",
            lambda e: all(str(value).startswith(("(", "[")) for value in e.a.values[:HEAD]),
            lambda: "write them without brackets"),
    Against("no id occurs twice in {e.a.called} and {e.b.called}, so the rows look like text and "
            "not like links",
            lambda e: not (e.a.numeric and e.b.numeric) and len(e.ids) == 2 * e.rows),
    Against("{e.a.called} and {e.b.called} hold nothing but {e.listed} in {e.rows} rows, so they "
            "do not look like ids",
            lambda e: e.whole and e.rows >= FEW and e.a.two and e.b.two and len(e.ids) <= 2),
    Against(NODES, lambda e: e.nodes is not None and not e.common, _nodes_beside),
    Against(NODES, lambda e: e.nodes is not None and 4 * len(e.nodes[1].distinct) <= e.rows,
            lambda: f"if it is one, {_nodes_beside()}", refused=False),
)  # fmt: skip


def ends_by_name(table: Columns) -> Ends | None:
    """Find the ends by the usual names, or by two names that differ in one usual word."""
    if not table.header:
        return None
    lower = {plain(name): name for name in reversed(table.names)}
    for first, second in (*PAIRS, *itertools.product(SOURCE, TARGET)):
        if first in lower and second in lower:
            return _ends(table, lower[first], lower[second])
    found = list(dict.fromkeys(word_pairs(table.names)))
    for pair in found:
        refuse_numbered(table, *pair)
    ids = [pair for pair in found if "id" in words(pair[0])]
    found = ids if len(ids) == 1 else found
    if len(found) > 1:
        pairs = "; ".join(f"{a!r} and {b!r}" for a, b in found)
        refuse(table, f"several pairs of columns can be the ends ({pairs})")
    return _ends(table, *found[0]) if found else None


def _ends(table: Columns, first: str, second: str, **more: Any) -> Ends:
    return Ends(table, Column.of(table, first), Column.of(table, second), **more)


def refuse_numbered(table: Columns, first: str, second: str) -> None:
    """Refuse numbered columns of the neighbors that a row's node names, or of what it counts.

    ``id, friend1, friend2`` is a survey, and ``user_id, likes_1, likes_2`` is a table of nodes;
    ``id, person_1, person_2`` is a table of links.
    """
    parts = words(first)
    place = next(k for k, word in enumerate(parts) if word != words(second)[k])
    if (parts[place], words(second)[place]) != ("1", "2"):
        return
    third = [*parts[:place], "3", *parts[place + 1 :]]
    row = [name for name in table.names if words(name) == third]
    if row or NEIGHBORS & set(parts):
        refuse(
            table,
            f"columns {', '.join(map(written, (first, second, *row)))} look like the neighbors of "
            "one node each, not like the two ends of a link; write one row per link "
            "(pandas.wide_to_long or melt)",
        )
    key = Column.of(table, table.names[0])
    entity = {*ENTITIES} & key.words and not {*ENTITIES} & set(parts) and not key.is_index
    if parts[-1] == "1" and entity and key.name != first and len(key) >= FEW and key.differs:
        refuse(
            table,
            f"{key.called} differs in every row, and {called(table, first)} and "
            f"{called(table, second)} do not name nodes, as in a table of nodes; {_nodes_beside()}",
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


def ends_by_position(table: Columns, *, whole: bool = True, two_modes: bool = False) -> Ends:
    """Take the first two columns that can be ends; refuse where their values say otherwise."""
    if not table.header and len(table.names) > WIDE:
        refuse(
            table,
            f"{len(table.names)} columns without a header look like a matrix or a table "
            "of features, not like links",
        )
    if table.header and sum(map(str.isdecimal, table.names)) > WIDE:
        refuse(table, "columns that are called by numbers look like a matrix, not like links")
    columns = [Column.of(table, name) for name in table.names]
    by_name = True if len(columns) == 2 else None  # of two, values do not count
    left_out = {c: why for c in columns if (why := why_not(c, "end", by_name=by_name))}
    able = [column for column in columns if column not in left_out]
    notes = [f"{column.called} {why}" for column, why in left_out.items()]
    if len(able) < 2:
        refuse(table, f"expected two columns with the ids of the two ends, but {'; '.join(notes)}")
    a, b, *others = able
    if table.header and points_to(b.name, a.name):
        a, b = b, a
    found = Ends(table, a, b, others, whole, two_modes)
    for c in found.left:
        found.doubts += against(OF_ANOTHER, replace(found, c=c))
    found.doubts += against(OF_TWO, found)
    found.notes += [f"{note}, so it is no end" for note in notes]
    if found.several_modes and not two_modes:
        found.notes.append(f"two kinds of nodes: {a.called} and {b.called} share no id")
    if table.header:
        found.notes.append(
            f"ends from {a.called} and {b.called}, the first two columns that can be ends"
        )
    return found


def against(signs: Sequence[Against], ends: Ends) -> list[str]:
    """Return the doubts among what speaks against two ends; refuse them where that is more."""
    doubts = []
    for sign in signs:
        if sign.seen(ends):
            what = sign.words.format(e=ends)
            if sign.refused:
                refuse(ends.table, what, sign.hint())
            doubts.append(f"{what}; {sign.hint()}")
    return doubts
