"""The options of reading, each declared once.

Signatures, documentation, checks, command-line options and the keys of ``network.toml`` come from
`ReadOptions`; `Reading` says the same to editors and type checkers, which read no code.
"""

# ruff: noqa: RUF009 - declare() is dataclasses.field() in other words
from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, fields
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict, get_type_hints

from ..core.declared import Face, declare, taking
from ..core.errors import InputError
from .guards import fail, is_there
from .missing import Codes

PathLikes: TypeAlias = str | PathLike[str]
Negative: TypeAlias = Literal["absolute", "drop"]


class Reading(TypedDict, total=False):
    """Options of everything that reads a network."""

    nodes: PathLikes | Sequence[PathLikes] | None
    label: str | None
    target: str | None
    features: str | Sequence[str] | None
    missing: Codes
    directed: bool | None
    columns: Mapping[str, str] | None
    header: bool | None
    format: str | None
    negative: Negative | None
    two_modes: bool
    drop_dangling: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReadOptions:
    """How a network is read, beside its path."""

    nodes: PathLikes | Sequence[PathLikes] | None = declare(
        None,
        "path or sequence of paths, optional",
        "Node tables for a link table.",
        flag="--nodes",
        metavar="FILE",
        help="Node table, if it is not beside the links.",
    )
    label: str | None = declare(
        None,
        "str, optional",
        """Node column with the class, or ``none``. By default the one that the file names, else
        one called label, class, target or y, else the only one that can be a class: never one of
        names, coordinates, fractions, counts, or values that differ from node to node.""",
        flag="--label",
        metavar="COLUMN",
        help="Node column that holds the class, or none.",
    )
    target: str | None = declare(
        None,
        "str, optional",
        "In place of a class, the node column with the number to predict.",
        flag="--target",
        metavar="COLUMN",
    )
    features: str | Sequence[str] | None = declare(
        None,
        "str or sequence of str, optional",
        """Node columns that become features, or "all", see `Network.derive`; they take the place
        of a feature matrix of the file.""",
        flag="--features",
        metavar="COLUMNS",
        help="Node columns that become features, separated by commas, or all: numbers, dates, and "
        "a column for each category.",
    )
    missing: Codes = declare(
        None,
        "str, number, sequence of them, or mapping of column to them, optional",
        """Codes that stand for a missing value, such as ``"unknown"`` or 9: of the label, or of
        the node columns that a mapping names. With ``""`` nothing but an empty field is missing:
        texts such as ``NA`` are values.""",
        flag="--missing",
        metavar="VALUE",
        help="A code for a missing class or target, such as unknown or 9; or COLUMN=VALUE. With "
        "'' only empty fields are missing, and NA is a class. May be repeated.",
    )
    directed: bool | None = declare(
        None,
        "bool, optional",
        """Whether links have a direction. By default what the file says; where it says nothing,
        they have one if some linked pairs, but not all, are listed in both directions.""",
        flag="--directed/--undirected",
        help="By default as the file says.",
    )
    columns: Mapping[str, str] | None = declare(
        None,
        "mapping of str to str, optional",
        """For tables, the names of the columns that are ``source``, ``target``, ``weight``
        (``none`` for no weight) and ``id`` (in the node table; ``none`` for rows in the order of
        the node numbers); numbers from 1 where there is no header.""",
        flag="--column",
        metavar="ROLE=NAME",
        help="Of a table, the column that is source, target, weight (none for no weight) or id "
        "(none for rows in node order); its number where there is no header. May be repeated.",
    )
    header: bool | None = declare(
        None,
        "bool, optional",
        "For tables, whether the first row names the columns. By default as the rows look.",
        flag="--header/--no-header",
        help="Whether the first row of a table names its columns; by default as it looks.",
    )
    format: str | None = declare(
        None,
        "str, optional",
        "One of the formats' names, where recognition goes wrong.",
        flag="--from",
        metavar="FORMAT",
        help="Format of the file, where it is not recognized right.",
    )
    negative: Negative | None = declare(
        None,
        '{"absolute", "drop"}, optional',
        """What links of negative weight become: links of its absolute value, or none. By default
        they are refused.""",
        flag="--negative",
        metavar="absolute|drop",
        help="Links of negative weight: take the absolute value, or drop them; by default they are "
        "refused.",
    )
    two_modes: bool = declare(
        False,
        "bool",
        """For tables, whether the two ends are of two kinds, as people and what they buy, whose
        ids have nothing to do with each other even where they are the same.""",
        flag="--two-modes",
        help="The two ends of a table's links are of two kinds, whose ids have nothing to do with "
        "each other.",
    )
    drop_dangling: bool = declare(
        False,
        "bool",
        """Leave out links to nodes that the node table does not hold, even if these are more than
        half of the links, which otherwise is an error.""",
        flag="--drop-dangling",
        help="Leave out links to nodes that the node table does not hold, even if these are more "
        "than half.",
    )

    def given(self) -> dict[str, Any]:
        """Return the options that are not their defaults."""
        values = {name: getattr(self, name) for name in declared()}
        return {k: value for k, value in values.items() if value is not None and value is not False}


@functools.cache
def declared() -> dict[str, Field[Any]]:
    """Return every option by its name."""
    return {each.name: each for each in fields(ReadOptions)}


@functools.cache
def kinds() -> dict[str, Any]:
    """Return the types of all options."""
    return get_type_hints(ReadOptions)


def takes_reading(function: Face) -> Face:
    """Make a function take, check, document and refuse the options of reading."""
    return taking(function, declared(), kinds, _refusal)


def _refusal(face: str, name: str) -> InputError:
    return InputError("cannot be used here", parameter=name, hint="leave it out", where=face)


def node_paths(nodes: PathLikes | Sequence[PathLikes] | None) -> tuple[Path, ...]:
    """Return the node tables that are given, which must be there."""
    if nodes is None:
        return ()
    if isinstance(nodes, (str, PathLike)):
        nodes = [nodes]
    paths = tuple(Path(node) for node in nodes)
    for path in paths:
        if not is_there(path):
            fail(path, "there is no such file")
    return paths
