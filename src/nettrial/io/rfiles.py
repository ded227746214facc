"""R data files (.RData, .rda): igraph and network objects, and adjacency matrices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .attributes import attribute_names
from .format import Format
from .found import Found
from .frames import found_frames
from .guards import DAMAGE, check_range, fail, read_bytes, size_of
from .link_ends import names_ends
from .members import choose_member
from .rdata_file import (
    INTEGER,
    LOGICAL,
    MAGIC,
    NA_INTEGER,
    PAIRS,
    REAL,
    TEXTS,
    VECTOR,
    Reader,
    RObject,
)
from .tables import Table
from .vocabulary import LINK_FILES, says

NO_NETWORK = "holds no igraph or network object and no square matrix"
NUMBERS = (LOGICAL, INTEGER, REAL)
COLUMNS = (*NUMBERS, TEXTS, VECTOR)  # kinds that hold a value for each node
STRUCTURAL_ZERO, STRUCTURAL_ONE = 10, 11  # codes of RSiena


def load(path: Path) -> dict[str, RObject | None]:
    """Load the objects of an R file by name."""
    data = read_bytes(path)
    if not data.startswith(MAGIC):
        fail(path, "is no R file of the binary format 2 or 3; save it again with R's save()")
    try:
        return Reader(data, size_of(path)).top()
    except DAMAGE as error:
        fail(path, f"is damaged or holds what cannot be read ({error})")


def is_igraph(value: RObject | None) -> bool:
    if value is None or value.kind != VECTOR or len(value) < 9 or value.names():
        return False
    attributes = value.value[8]
    return (
        attributes is not None
        and attributes.kind == VECTOR
        and len(attributes) == 4
        and all(part is not None and len(part) == 1 for part in value.value[:2])
    )


def is_network(value: RObject | None) -> bool:
    return (
        value is not None and value.kind == VECTOR and {"mel", "gal", "val"} <= set(value.names())
    )


def shape_of(value: RObject | None) -> tuple[int, ...]:
    """Return the shape of an array, also of one axis; nothing for lists and the like."""
    if value is None or value.kind not in (*NUMBERS, TEXTS):
        return ()
    dim = value.attributes.get("dim")
    if dim is None or dim.kind not in (INTEGER, REAL):
        return (len(value),)
    shape = tuple(int(size) for size in dim.value.tolist())
    if np.prod(shape, dtype=object) != len(value) or min(shape, default=0) < 0:
        raise ValueError(f"an array of {len(value)} entries declares the shape {shape}")
    return shape


def is_matrix(value: RObject | None) -> bool:
    if value is None or value.kind not in NUMBERS:
        return False
    shape = shape_of(value)
    return len(shape) == 2 and shape[0] == shape[1] > 1


def networks(objects: Iterable[tuple[str, RObject | None]]) -> Iterator[tuple[str, RObject]]:
    """Yield the networks among objects and in lists of them, by name."""
    for name, value in objects:
        if value is None:
            continue
        if is_igraph(value) or is_network(value) or is_matrix(value):
            yield name, value
        elif value.kind == VECTOR and value.names():
            yield from networks(value.items())
        elif value.kind == VECTOR and any(map(is_igraph, value.value)):
            yield from networks((f"{name}.{key}", part) for key, part in value.items())


def read_r(path: Path, nodes: Sequence[Path] = (), member: str | None = None) -> Found:
    """Read one network of an R file; node columns may stand in further R files."""
    objects = load(path)
    pairs = list(networks(objects.items()))
    if not pairs and member is None:
        return from_data_frames(path, objects)
    if not pairs:
        fail(path, NO_NETWORK)
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        names = [f"{k}.{name}" for k, name in enumerate(names, 1)]
    name = choose_member(path, names, member)
    value = pairs[names.index(name)][1]
    if is_igraph(value):
        result = from_igraph_list(path, value)
    elif is_network(value):
        result = from_network_list(path, value)
    else:
        result = from_matrix(path, value, nodes)
    result.notes.insert(0, f"the object {name}")
    return result


def from_data_frames(path: Path, objects: dict[str, RObject | None]) -> Found:
    """Read a data frame of links, by the names of its columns, and perhaps one of nodes."""
    frames = {name: frame_of(path, name, value) for name, value in objects.items() if value}
    tables = {name: frame for name, frame in frames.items() if frame is not None}
    links = [name for name, frame in tables.items() if names_ends(frame)]
    links = links or [name for name in tables if says(name, LINK_FILES)]
    others = [name for name in tables if name not in links]
    if len(links) != 1 or len(others) > 1:
        frames_there = f"; of its data frames ({', '.join(tables)}) one of links and one of nodes "
        how = "are read; write those with write.csv(FRAME, 'edges.csv') and 'nodes.csv'"
        fail(path, NO_NETWORK + (frames_there + how if tables else ""))
    found = found_frames(tables[links[0]], tables[others[0]] if others else None)
    found.format, found.files = "R data frames", [path]
    found.notes.insert(0, f"the data frames {', '.join([*links, *others])}")
    return found


def frame_of(path: Path, name: str, value: RObject) -> Table | None:
    """Take the columns of a data frame; None of another object."""
    if value.kind != VECTOR or "row.names" not in value.attributes or not value.names():
        return None
    columns = {}
    for title, column in value.items():
        if column is not None and column.kind in COLUMNS:
            values = scalars(column)
            whole = all(type(item) is int for item in values)
            columns[title] = np.array(values, dtype=np.int64 if whole else object)
    sizes = {len(column) for column in columns.values()}
    if len(sizes) != 1:
        return None
    held = tuple(columns.values())
    return Table(Path(f"{path}, {name}"), tuple(columns), held, True, "", 0, lines=False)


def integers(path: Path, values: Any, n: int, what: str, first: int) -> NDArray[np.int64]:
    array = np.asarray(values, dtype=np.float64).ravel()
    if not (np.abs(array) < 2**53).all() or not np.array_equal(array, np.floor(array)):
        fail(path, f"{what} holds values that are no node numbers")
    return check_range(path, array.astype(np.int64), n, what, first=first) - first


def single(value: RObject | None, what: str) -> int:
    """Return the one number of a vector."""
    if value is None or value.kind not in NUMBERS or len(value) != 1:
        raise ValueError(f"{what} is no number")
    return int(value.value[0])


def scalars(column: RObject | None) -> list[Any]:
    """Return plain Python values; None for R's missing values, whole numbers as integers."""
    if column is None:
        return []
    if column.kind == VECTOR:
        return [next(iter(scalars(part)), None) for part in column.value]
    if column.kind == TEXTS:
        return list(column.value.tolist())
    if column.kind not in NUMBERS:
        return [None] * len(column)
    items = column.value.tolist()
    levels = column.attributes.get("levels")
    if column.kind == INTEGER and levels is not None:
        texts = scalars(levels)
        return [None if item == NA_INTEGER else texts[item - 1] for item in items]
    if column.kind == LOGICAL:
        return [None if item == NA_INTEGER else bool(item) for item in items]
    return [
        None
        if item == NA_INTEGER or item != item
        else int(item)
        if isinstance(item, float) and item.is_integer()
        else item
        for item in items
    ]


def named(value: RObject | None) -> dict[str, RObject | None]:
    """Return a list's elements by name; nothing for NULL and for a list without names."""
    if value is None or value.kind not in (VECTOR, *PAIRS) or not value.names():
        return {}
    return dict(value.items())


def from_igraph_list(path: Path, value: RObject) -> Found:
    """Read an igraph object: size, direction, ends, indices, attributes."""
    parts = value.value
    n = single(parts[0], "the number of nodes")
    ends = [[] if part is None else part.value for part in parts[2:4]]
    source, target = (integers(path, end, n, "igraph links", 0) for end in ends)
    declared(path, n, source.size)
    columns = {
        key: scalars(column)
        for key, column in named(parts[8].value[2]).items()
        if column is not None and column.kind in COLUMNS and len(column) == n
    }
    links = named(parts[8].value[3])
    weight = next((links[key] for key in links if key.lower() == "weight"), None)
    nodes = ids_among(columns, "name", n)
    found = Found(
        "R igraph",
        [path],
        source,
        target,
        columns=columns,
        indexed=True,
        nodes=nodes,
        directed=bool(single(parts[1], "the direction")),
        weight=None if weight is None else checked_weights(path, weight.value, source.size),
    )
    ignored = [key for key in links if key.lower() != "weight"]
    found.notes += [f"the link attribute {key!r} is not used" for key in ignored]
    return found


def ids_among(columns: dict[str, list[Any]], name: str, n: int) -> NDArray[Any]:
    """Take a column of names as the nodes' ids where it tells all apart; else they are 1 to n."""
    names = columns.get(name)
    if names is None or None in names or len(set(names)) != n:
        return np.arange(1, n + 1)
    return np.array(columns.pop(name), dtype=object)


def declared(path: Path, n: int, links: int) -> None:
    """Refuse more nodes than the bytes of the file and its links warrant."""
    from .guards import check_declared

    check_declared(path, n, max(size_of(path), 8 * links), "nodes")


def checked_weights(path: Path, values: Any, n: int) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64).ravel()
    if array.size != n:
        fail(path, f"holds {array.size} weights for {n} links")
    bad = ~np.isfinite(array)
    if bad.any():
        row = int(np.argmax(bad))
        fail(path, f"weight {array[row]} of link {row + 1} is not a finite number")
    return array


def from_network_list(path: Path, value: RObject) -> Found:
    """Read an object of the package network: mel (links), gal (settings), val (nodes)."""
    parts = named(value)
    settings, rows = named(parts["gal"]), parts["val"]
    n, n_rows = single(settings.get("n"), "the number of nodes"), 0 if rows is None else len(rows)
    if n_rows != n:
        fail(path, f"declares {n} nodes, but has attributes of {n_rows}")
    mel = parts["mel"]
    links = [named(link) for link in (mel.value if mel is not None else []) if link is not None]
    ends = [[numbers_of(link.get(key)) for link in links] for key in ("outl", "inl")]
    if any(end.size != 1 for side in ends for end in side):
        fail(path, "holds hyperedges; a link needs two ends")
    source, target = (
        integers(path, np.concatenate(side) if side else [], n, "links", 1) for side in ends
    )
    records = [named(record) for record in (rows.value if rows is not None else [])]
    keys = attribute_names(path, records)
    columns = {
        key: [next(iter(scalars(record.get(key))), None) for record in records]
        for key in keys
        if key != "na"
    }
    nodes = ids_among(columns, "vertex.names", n)
    return Found(
        "R network",
        [path],
        source,
        target,
        columns=columns,
        indexed=True,
        nodes=nodes,
        directed=bool(single(settings.get("directed"), "the direction")),
    )


def numbers_of(value: RObject | None) -> NDArray[np.float64]:
    if value is None or value.kind not in NUMBERS:
        return np.zeros(0)
    return np.asarray(value.value, dtype=np.float64)


def matrix_of(value: RObject) -> NDArray[np.float64]:
    """Return a matrix of numbers, NaN where missing; R stores it column by column."""
    numbers = numbers_of(value)
    if value.kind != REAL:
        numbers = np.where(value.value == NA_INTEGER, np.nan, numbers)
    return numbers.reshape(shape_of(value), order="F")


def side_names(value: RObject, side: int) -> list[Any] | None:
    """Return the names of the rows (0) or columns (1) of a matrix, where it has any."""
    names = value.attributes.get("dimnames")
    if names is None or names.kind != VECTOR or len(names) != 2 or names.value[side] is None:
        return None
    return scalars(names.value[side])


def from_matrix(path: Path, value: RObject, nodes: Sequence[Path]) -> Found:
    """Read an adjacency matrix, and node columns from other files with as many rows.

    In matrices of 0 to 3 the codes of RSiena, 10 and 11, are structural: no link is possible,
    or a link is sure. A node with a structural zero to and from all others was absent and is
    left out. Missing entries are read as no link, and counted.
    """
    matrix = matrix_of(value)
    n = matrix.shape[0]
    names = side_names(value, 0) or list(range(1, n + 1))
    found = Found("R matrix", [path], [], [], indexed=True)
    present = np.ones(n, dtype=bool)
    values = set(np.unique(matrix[~np.isnan(matrix)]).tolist())
    if STRUCTURAL_ZERO in values and values <= {0, 1, 2, 3, STRUCTURAL_ZERO, STRUCTURAL_ONE}:
        zero = (matrix == STRUCTURAL_ZERO) | np.eye(n, dtype=bool)
        present = ~(zero.all(axis=0) & zero.all(axis=1))
        count = int(np.count_nonzero(matrix[np.ix_(present, present)] == STRUCTURAL_ZERO))
        matrix = np.where(matrix == STRUCTURAL_ZERO, 0, matrix)
        matrix = np.where(matrix == STRUCTURAL_ONE, 1, matrix)
        found.notes.append(
            f"10 is a structural zero: {int(np.count_nonzero(~present))} nodes without any "
            f"possible link are left out, {count} other such entries are no links"
        )
    matrix = matrix[np.ix_(present, present)]
    unknown = int(np.count_nonzero(np.isnan(matrix)))
    if unknown:
        found.notes.append(f"{unknown} missing entries are read as no link")
    source, target = np.nonzero(np.nan_to_num(matrix))
    weight = checked_weights(path, matrix[source, target], source.size)
    found.source, found.target = source, target
    found.weight = None if (weight == 1).all() else weight
    found.nodes = np.array(names, dtype=object)[present]
    symmetric = np.array_equal(np.nan_to_num(matrix), np.nan_to_num(matrix.T))
    found.directed = not symmetric
    for file in nodes:
        found.files.append(file)
        found.node_files.append(file)
        for name, column in columns_of(file, n):
            found.columns[name] = np.array(column, dtype=object)[present]
    return found


def columns_of(path: Path, n: int) -> Iterator[tuple[str, list[Any]]]:
    """Yield vectors of length n, and columns of n-row matrices and data frames, of an R file."""
    for name, value in load(path).items():
        shape = shape_of(value)
        if value is None:
            continue
        if shape == (n,):
            yield name, scalars(value)
        elif len(shape) == 2 and shape[0] == n and shape[1] != n:
            whole = scalars(value)
            ends = side_names(value, 1) or list(range(1, shape[1] + 1))
            for k, end in enumerate(ends):
                yield f"{name}.{end}", whole[k * n : (k + 1) * n]
        elif value.kind == VECTOR and "row.names" in value.attributes:
            for end, column in value.items():
                if column is not None and column.kind in COLUMNS and len(column) == n:
                    yield f"{name}.{end}", scalars(column)


FILE_FORMATS = (
    Format("r", lambda _, head: head.startswith((b"RDX2\n", b"RDX3\n")),
           lambda r: read_r(r.path, r.nodes, r.member), order=40,
           files="`.RData`, `.rda`: igraph and network objects, matrices, data frames of links "
                 "and nodes", holds="links, weights, direction, node attributes", takes_nodes=True,
           members=True),
)  # fmt: skip
