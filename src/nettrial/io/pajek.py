"""Pajek networks (.net) and projects (.paj), and partitions and vectors (.clu, .vec) as columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..core.option_names import option
from .attributes import check_cells
from .format import Format
from .found import Found
from .guards import fail, read_head
from .labels import add_labels
from .members import choose_member
from .pajek_file import Block, Values, is_values, read_sections
from .tables import unique_names

VALUES = re.compile(rb"(?mi)^\*(partition|vector|permutation|cluster)\b")


def is_pajek(head: bytes) -> bool:
    return (
        re.search(rb"(?mi)^\*vertices[ \t]", head) is not None
        or re.match(rb"(?i)\*network\b", head) is not None
    ) and not is_values(head)


def read_pajek(path: Path, nodes: Sequence[Path] = (), member: str | None = None) -> Found:
    """Read one network of a file; partitions and vectors of its size become node columns."""
    reader = read_sections(path)
    if not reader.blocks:
        fail(
            path,
            "holds partitions or vectors, but no network; give the network, and this file "
            f"with {option('nodes')}",
        )
    block, relation = choose(path, reader.blocks, member)
    found = assemble(path, block, relation)
    add_values(found, path, reader.values, block)
    for table in nodes:
        head = read_head(table)
        if is_values(head) or VALUES.search(head):
            found.files.append(table)
            found.node_files.append(table)
            values = read_sections(table).values
            wrong = next((part.n for part in values if part.n != block.n), None)
            if len(values) == 1 and wrong is not None and values[0].kind != "cluster":
                fail(table, f"holds {wrong} values, expected one for each of {block.n} nodes", 1)
            add_values(found, table, values, block)
        else:
            add_labels(found, table, block.n)
    return found


def choose(path: Path, blocks: list[Block], member: str | None) -> tuple[Block, int | None]:
    """Choose the network, and the relation where there are several (else None)."""
    members: list[tuple[str, Block, int | None]] = []
    titles = unique_names([block.name or str(k) for k, block in enumerate(blocks, 1)])
    for title, block in zip(titles, blocks):
        if len(block.relations) < 2:
            members.append((title, block, None))
            continue
        names = unique_names(list(block.relations.values()))
        front = "" if len(blocks) == 1 else f"{title}:"
        members += [(f"{front}{name}", block, key) for name, key in zip(names, block.relations)]
    chosen = choose_member(path, [name for name, *_ in members], member)
    return next((block, relation) for name, block, relation in members if name == chosen)


def assemble(path: Path, block: Block, relation: int | None) -> Found:
    links = [link for link in block.links if relation is None or link[4] == relation]
    kinds = {link[3] for link in links}
    found = Found("Pajek", [path], [], [], directed=True in kinds, indexed=True)
    if block.name:
        found.notes.append(f"the network {block.name}")
    if relation is not None:
        found.notes.append(f"the relation {block.relations[relation]}")
    if len(kinds) == 2:
        links = links + [(t, s, w, True, r) for s, t, w, directed, r in links if not directed]
        found.notes.append("edges are kept in both directions, arcs in one")
    if block.timed:
        found.notes.append("times of links are not used; links of all times are kept")
    found.source = np.array([link[0] for link in links], dtype=np.int64)
    found.target = np.array([link[1] for link in links], dtype=np.int64)
    weights = np.array([link[2] for link in links], dtype=np.float64)
    found.weight = None if (weights == 1).all() else weights
    name_nodes(found, block)
    if block.first_mode is not None:
        found.note_modes(block.first_mode, block.n - block.first_mode)
    return found


def name_nodes(found: Found, block: Block) -> None:
    """Take names as ids where they differ from node to node."""
    names = [block.names.get(k, str(k + 1)) for k in range(block.n)]
    numbered = len(set(names)) < block.n or not block.names
    found.nodes = np.arange(1, block.n + 1) if numbered else np.array(names, dtype=object)
    if numbered and block.names:
        found.columns["name"] = names
        found.notes.append("names repeat, so the ids are the node numbers")


def add_values(found: Found, path: Path, values: Sequence[Values], block: Block) -> None:
    """Add partitions, vectors and clusters as node columns."""
    n = block.n
    used = [part for part in values if part.kind == "cluster" or part.n == n]
    for part in values:
        if part.kind != "cluster" and part.n != n:
            found.notes.append(
                f"*{part.kind.title()} {part.name} has {part.n} entries for {n} nodes, and is not "
                "used"
            )
    filled = len(block.names) + len(block.links) + sum(len(part.items) for part in used)
    check_cells(path, n, len(found.columns) + len(used), filled)
    names = [part.name or part.kind for part in used]
    taken = set(found.columns) | {"name"}
    for title, part in zip(unique_names(names), used):
        while title in taken:
            title += " class" if part.kind == "partition" else f" {part.kind}"
        taken.add(title)
        found.columns[title] = column(path, part, n)
        if part.kind != "partition":
            found.not_labels.add(title)
    partitions = [title for title in found.columns if title not in found.not_labels | {"name"}]
    if len(partitions) == 1:
        found.likely_label = partitions[0]


def column(path: Path, part: Values, n: int) -> list[Any]:
    if part.kind != "cluster":
        return list(part.items)
    members = {int(item) for item in part.items}
    if not members <= set(range(1, n + 1)):
        fail(path, f"*Cluster {part.name} names a node outside 1 to {n}")
    return ["yes" if node in members else "no" for node in range(1, n + 1)]


FILE_FORMATS = (
    Format("pajek", lambda _, head: is_pajek(head), lambda r: read_pajek(r.path, r.nodes, r.member),
           order=150, files="`.net`, `.paj`, with `.clu`, `.vec` as node tables",
           holds="arcs, edges, lists, matrices, relations (`file#RELATION`), names, `*Partition` "
                 "(the label if it is the only one), `*Vector`, `*Cluster`; two modes as a "
                 "column `mode`", takes_nodes=True, members=True),
)  # fmt: skip
