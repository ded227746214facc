"""Turn a link table that does not fit into memory into a folder of mapped arrays.

Three passes over the disk, each with a bounded piece of links in memory: rows are read and their
ids numbered; each link is put, from both ends, into the bucket of its row; each bucket is sorted
and written as compressed rows. Memory is taken for what belongs to nodes (ids, labels, counts),
and for `memory` bytes of links.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..core.atomic import whole_folder
from ..core.errors import InputError
from ..core.option_names import option
from ..network.link_arrays import WEIGHTS, Tally, usable_weights
from .arrays import packed, text_array, to_arrays
from .buckets import Buckets, DiskBuffer
from .build import build
from .edgelist import found_links, read_any
from .folder import NpyWriter, save
from .guards import complete_lines, fail, read_head
from .link_columns import LinkColumns, choose_link_columns
from .node_tables import add_nodes
from .numbering import IntegerNumbering, Numbering, TableNumbering, TextNumbering
from .options import PathLikes, Reading, ReadOptions, node_paths, takes_reading
from .report import dangling_text
from .seals import seal_folder
from .tables import Table, read_table

MEMORY = 2**30
ROW_BYTES = 64  # memory that one row of text takes on its way
LINK_BYTES = 48  # memory that one link of a bucket takes while it is sorted


@dataclass(slots=True)
class Counts:
    """What became of the rows."""

    rows: int = 0
    loops: int = 0
    dangling: int = 0
    zero: int = 0


@takes_reading
def convert_large(
    source: PathLikes, out: PathLikes, *, memory: int = MEMORY, **options: Unpack[Reading]
) -> tuple[int, int, tuple[str, ...]]:
    """Convert a text table of links, of any size, into a folder of mapped arrays.

    Parameters
    ----------
    source : path
        CSV, TSV or spaces, with or without header, also compressed.
    out : path
        ``NAME.nettrial-graph``, which must not exist. About 20 bytes a row are needed beside it
        on the way.
    memory : int
        Bytes for links on the way, beside what nodes take.

    Examples
    --------
    >>> from nettrial.io.folder import open_folder
    >>> with tempfile.TemporaryDirectory() as name:
    ...     table = Path(name, "links.csv")
    ...     _ = table.write_text("a,b\\nb,c\\na,b\\n")
    ...     convert_large(table, Path(name, "links.nettrial-graph"))[:2]
    ...     open_folder(Path(name, "links.nettrial-graph")).tally.duplicate_rows
    (3, 2)
    1
    """
    given = ReadOptions(**options)
    path, target = Path(source), Path(out)
    table = read_table(path, data=complete_lines(read_head(path)), links=True)
    asked = dict(given.columns or {})
    key = asked.pop("id", None)
    chosen = choose_link_columns(table, asked, whole=False)
    found = found_links(table, chosen)
    tables = [read_any(Path(node)) for node in node_paths(given.nodes)]
    if tables:
        add_nodes(found, [table for table, _ in tables], key)
    directed = bool(given.directed)  # it is not guessed
    head, report = build(found, replace(given, directed=directed, drop_dangling=True))
    whole = all(np.asarray(table[name]).dtype.kind in "iu" for name in ends_of(chosen))
    own_ids = head.ids if tables else None
    numbering: Numbering
    if (
        whole
        and own_ids is not None
        and own_ids.dtype == np.int64
        and TableNumbering.serves(own_ids)
    ):
        numbering = TableNumbering(own_ids)
    elif whole and (own_ids is None or own_ids.dtype.kind in "iu"):
        numbering = IntegerNumbering(own_ids)
    else:
        whole, numbering = False, TextNumbering(own_ids)
    counts = Counts()
    with whole_folder(target) as draft, tempfile.TemporaryDirectory(dir=draft) as work:
        spool = DiskBuffer(Path(work, "links"), weighted=found.weight is not None)
        with spool:
            for piece in pieces(table, chosen, whole, memory // ROW_BYTES):
                spool.append(*number_piece(piece, numbering, counts))
        if 2 * counts.dangling > counts.rows and not given.drop_dangling:
            fail(
                path,
                f"{dangling_text(counts.dangling, counts.rows, (), ())}; write both alike, "
                f"or leave these links out with {option('drop_dangling', True)}",
            )
        ids = numbering.ids()
        n = head.n_nodes if tables else ids.size
        if n >= 2**31:
            fail(path, f"expected fewer than {2**31} nodes, got {n}")
        n_rows, loops = write_links(draft, spool, Path(work), n, directed, memory // LINK_BYTES)
        n_links = n_rows if directed else n_rows // 2
        tally = Tally(
            rows=counts.rows,
            self_loops=counts.loops,
            dangling_rows=counts.dangling,
            zero_weight_rows=counts.zero,
            duplicate_rows=spool.size - n_links + counts.loops - loops,
        )
        arrays = to_arrays(head)
        if not tables:
            arrays["labels"] = np.full(n, -1, dtype=np.int32)
            arrays["ids"] = packed(ids)
            if np.array_equal(ids, np.arange(n)):
                del arrays["ids"]
        for name in ("indptr", "indices", "weights"):
            arrays.pop(name, None)
        arrays["about"] = text_array(
            {"name": head.name, "directed": directed, "n_links": n_links, "tally": tally.to_dict()}
        )
        save(draft, arrays)
        seal_folder(draft)
    return n, n_links, notes_of(report.notes, tally, directed, spool.weighted)


def notes_of(
    before: Sequence[str], tally: Tally, directed: bool, weighted: bool
) -> tuple[str, ...]:
    notes = [*before, "links have a direction" if directed else "links have no direction"]
    if weighted and not directed:
        notes.append("weights of rows that list a link again, also the other way, are added")
    note = {
        "self_loops": "self loops", "duplicate_rows": "repeated rows",
        "dangling_rows": "rows of unknown nodes", "zero_weight_rows": "rows of weight 0",
    }  # fmt: skip
    notes += [f"{getattr(tally, key)} {what}" for key, what in note.items() if getattr(tally, key)]
    return tuple(notes)


def ends_of(chosen: LinkColumns) -> tuple[str, str]:
    return chosen.source, chosen.target


Piece = tuple[NDArray[Any], NDArray[Any], NDArray[np.float64] | None]


def pieces(table: Table, chosen: LinkColumns, whole: bool, rows: int) -> Iterator[Piece]:
    """Read the link table in pieces of so many rows: both ends and the weights."""
    import pandas as pd

    ends, weight = ends_of(chosen), chosen.weight
    names = [*ends, *([] if weight is None else [weight])]
    columns = [table.names.index(name) for name in names]
    types: dict[int, str] = dict.fromkeys(columns[:2], "int64" if whole else "str")
    types |= dict.fromkeys(columns[2:], "float64")
    done = 0
    try:
        reader = pd.read_csv(
            table.path,
            sep=r"\s+" if table.delimiter == " " else table.delimiter,
            header=None,
            skiprows=int(table.header),
            usecols=columns,
            dtype=types,
            chunksize=max(rows, 1),
            comment="#" if whole else None,
            keep_default_na=False,
            na_filter=False,
            skipinitialspace=True,
        )
        with reader:
            for frame in reader:
                done += len(frame)
                parts = [frame[column].to_numpy() for column in columns]
                yield parts[0], parts[1], parts[2] if weight is not None else None
    except (ValueError, pd.errors.ParserError, UnicodeDecodeError) as error:
        fail(table.path, f"after row {done}: {error}")


def number_piece(
    piece: Piece, numbering: Numbering, counts: Counts
) -> tuple[NDArray[np.int32], NDArray[np.float64] | None, NDArray[np.int32]]:
    """Number both ends; return the links to keep, their weights, and the nodes of self loops."""
    source, target, weight = piece
    if weight is not None and not usable_weights(weight).all():
        row = counts.rows + int(np.argmin(usable_weights(weight)))
        raise InputError(
            f"link {row} has a weight that is neither 0 nor a number from {WEIGHTS[0]:g} to "
            f"{WEIGHTS[1]:g}"
        )
    ends = np.empty(2 * source.size, dtype=source.dtype)
    ends[::2], ends[1::2] = source, target
    pairs = numbering.number(ends).reshape(-1, 2)
    known = (pairs >= 0).all(axis=1)
    loops = known & (pairs[:, 0] == pairs[:, 1])
    zero = np.zeros_like(known) if weight is None else known & ~loops & (weight == 0)
    keep = known & ~loops & ~zero
    counts.rows += source.size
    counts.dangling += int(np.count_nonzero(~known))
    counts.loops += int(np.count_nonzero(loops))
    counts.zero += int(np.count_nonzero(zero))
    kept = pairs[keep].astype(np.int32)
    return kept, None if weight is None else weight[keep], pairs[loops, 0].astype(np.int32)


def write_links(
    draft: Path, spool: DiskBuffer, work: Path, n: int, directed: bool, links: int
) -> tuple[int, int]:
    """Sort the spooled links into rows; give their number and that of nodes with self loops."""
    buckets = Buckets(spool, work, n, directed, links)
    degree = np.zeros(n, dtype=np.int64)
    with NpyWriter(draft / "indices.npy", np.int32) as indices:
        weights = NpyWriter(draft / "weights.npy", np.float64) if spool.weighted else None
        for rows, columns, values in buckets.sorted_rows():
            degree += np.bincount(rows, minlength=n)
            indices.append(columns)
            if weights is not None and values is not None:
                weights.append(values)
        if weights is not None:
            weights.__exit__(None, None, None)
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(degree)])
    np.save(draft / "indptr.npy", indptr, allow_pickle=False)
    return indices.size, int(np.count_nonzero(spool.looped(n)))
