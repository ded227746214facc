"""Neo4j's CSV files: headers of neo4j-admin (:ID, :START_ID, :END_ID) and of APOC (_id, _start)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import shown
from ..core.option_names import option
from .adjlist import plain_ids
from .attributes import check_cells
from .format import Format
from .found import Found
from .guards import fail, is_table_file, is_there, read_head
from .members import choose_member
from .missing import plain_column
from .tables import Table, read_table

ROLE = re.compile(r"([^:]*):(ID|START_ID|END_ID|LABEL|TYPE|IGNORE)(?:\(([^()]*)\))?(?:\{.*\})?")
ENDS = re.compile(rb":(START|END)_ID\b")
NODES = re.compile(rb":ID\b")
APOC = ("_id", "_labels", "_start", "_end", "_type")


def first_line(head: bytes) -> bytes:
    return head[: 2**13].split(b"\n", 1)[0]


def is_links(head: bytes) -> bool:
    return set(ENDS.findall(first_line(head))) == {b"START", b"END"}


def is_nodes(head: bytes) -> bool:
    return NODES.search(first_line(head)) is not None and not is_links(head)


def is_apoc(head: bytes) -> bool:
    return all(name.encode() in first_line(head) for name in APOC)


def roles_of(table: Table) -> dict[str, tuple[str, str]]:
    """Return the column and the id space of each role that a header names."""
    roles: dict[str, tuple[str, str]] = {}
    for name in table.names:
        match = ROLE.fullmatch(name)
        if match and match.group(2) != "IGNORE":
            if match.group(2) in roles:
                fail(table.path, f"has two columns :{match.group(2)}, expected one", 1)
            roles[match.group(2)] = name, match.group(3) or ""
    return roles


def texts(column: Any) -> list[str]:
    return [str(value) for value in np.asarray(column).tolist()]


def read_neo4j(path: Path, nodes: Sequence[Path] = (), member: str | None = None) -> Found:
    """Read relationships, and nodes from the files given or else all beside them."""
    head = read_head(path)
    if is_apoc(head):
        return read_apoc(path, member)
    if not is_links(head):
        found_links = beside(path, is_links)
        if len(found_links) != 1:
            names = ", ".join(file.name for file in found_links) or "none"
            fail(
                path,
                "holds nodes; give the file of relationships, with :START_ID and :END_ID "
                f"in its header (beside it: {names})",
                1,
            )
        path = found_links[0]
    links = read_table(path, header=True)
    roles = roles_of(links)
    for role in ("START_ID", "END_ID"):
        if role not in roles:
            fail(path, f"column ':{role}' not found; the file has {', '.join(links.names)}", 1)
    found = Found("Neo4j CSV", [path], [], [], directed=True, indexed=True)
    places: dict[tuple[str, str], int] = {}
    for file in nodes or beside(path, is_nodes):
        add_nodes(found, file, places)
    if not places:
        fail(
            path,
            (
                "expected files of nodes, with :ID in their header, beside it or as "
                f"{option('nodes')}"
            ),
        )
    ids = plain_ids([name for _, name in places])
    shared = len(set(ids.tolist())) < len(ids)
    found.nodes = plain_ids([f"{space}:{name}" for space, name in places]) if shared else ids
    ends = []
    for role in ("START_ID", "END_ID"):
        column, space = roles[role]
        ends.append([places.get((space, name), -1) for name in texts(links[column])])
    kinds = texts(links[roles["TYPE"][0]]) if "TYPE" in roles else [""] * links.n_rows
    take_kind(found, path, kinds, ends, member)
    used = {column for column, _ in roles.values()}
    found.notes += [
        f"the property {name!r} of relationships is not used"
        for name in links.names
        if name not in used
    ]
    return found


def beside(path: Path, kind: Callable[[bytes], bool]) -> list[Path]:
    """Find the other files of one kind in the folder; a table that cannot be read may be one."""
    return [
        file
        for file in sorted(path.parent.iterdir())
        if file != path
        and (is_there(file) if is_table_file(file) else file.is_file())
        and kind(read_head(file, 4096))
    ]


def add_nodes(found: Found, path: Path, places: dict[tuple[str, str], int]) -> None:
    """Add the nodes of one file and their properties."""
    table = read_table(path, header=True)
    roles = roles_of(table)
    if "ID" not in roles:
        fail(path, f"column ':ID' not found; the file has {', '.join(table.names)}", 1)
    column, space = roles["ID"]
    before = len(places)
    for row, name in enumerate(texts(table[column])):
        if not name:
            fail(path, "a node without :ID", table.line(row))
        if (space, name) in places:
            fail(path, f"node {shown(name)} is listed twice", table.line(row))
        places[space, name] = len(places)
    found.files.append(path)
    found.node_files.append(path)
    labels = roles.get("LABEL", ("", ""))[0]
    for name in table.names:
        match = ROLE.fullmatch(name)
        title = "labels" if name == labels else name.partition(":")[0]
        if title and (not match or name == labels) and name != column:
            values = plain_column(table[name])
            whole = found.columns.setdefault(title, [])
            whole += [None] * (before - len(whole)) + list(values.tolist())
    filled = sum(value is not None for values in found.columns.values() for value in values)
    check_cells(path, len(places), len(found.columns), filled)
    for key, values in found.columns.items():
        found.columns[key] = list(values) + [None] * (len(places) - len(values))


def take_kind(
    found: Found, path: Path, kinds: list[str], ends: list[list[int]], member: str | None
) -> None:
    """Keep the relationships of all types, or of the one that is chosen."""
    counts = Counter(kinds)
    keep = np.ones(len(kinds), bool)
    if member is not None:
        chosen = choose_member(path, list(counts), member)
        keep = np.array([kind == chosen for kind in kinds])
        found.notes.append(f"relationships of the type {chosen}")
    elif set(counts) != {""}:
        types = ", ".join(f"{kind} {count}" for kind, count in counts.most_common(10))
        more = f"; {path.name}#TYPE reads one" if len(counts) > 1 else ""
        found.notes.append(f"relationships of all types ({types}){more}")
    found.source, found.target = (np.array(end, dtype=np.int64)[keep] for end in ends)


def read_apoc(path: Path, member: str | None) -> Found:
    """Read nodes and relationships of one file, as apoc.export.csv.all writes it."""
    table = read_table(path, header=True)
    parts = {name: texts(table[name]) for name in APOC}
    found = Found("Neo4j APOC CSV", [path], [], [], directed=True, indexed=True)
    rows = [row for row, name in enumerate(parts["_id"]) if name]
    places = {parts["_id"][row]: k for k, row in enumerate(rows)}
    if len(places) < len(rows):
        fail(path, "lists a node twice")
    found.nodes = plain_ids(list(places))
    others = [row for row, name in enumerate(parts["_start"]) if name]
    if not rows or not others:
        fail(path, f"holds {len(rows):,} nodes and {len(others)} relationships")
    for name in table.names:
        values = np.asarray(table[name], dtype=object)[rows]
        if name not in APOC and any(str(value) for value in values):
            found.columns[name] = plain_column(values)
    found.columns["labels"] = [parts["_labels"][row].strip(":") or None for row in rows]
    ends = [[places.get(parts[end][row], -1) for row in others] for end in ("_start", "_end")]
    take_kind(found, path, [parts["_type"][row] for row in others], ends, member)
    return found


FILE_FORMATS = (
    Format("neo4j", lambda _, head: is_links(head) or is_nodes(head) or is_apoc(head),
           lambda r: read_neo4j(r.path, r.nodes, r.member),
           order=270, files="CSV of neo4j-admin (`:ID`, `:START_ID`, `:END_ID`) or APOC",
           holds="relationships (`file#TYPE`), properties and `:LABEL` of nodes", takes_nodes=True,
           members=True, anchor=lambda _: ""),
)  # fmt: skip
