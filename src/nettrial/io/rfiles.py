"""R data files (.RData, .rda): igraph and network objects, and adjacency matrices.

Needs the package rdata, which reads R's format without running any of it.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .build import Found
from .guards import check_range, fail, read_bytes
from .members import choose_member

MAGIC = (b"RDX2\n", b"RDX3\n")
MAX_SEQUENCE = 10_000_000
DAMAGE = (NameError, ArithmeticError, ValueError, TypeError, KeyError, IndexError, EOFError,
          AttributeError, AssertionError, NotImplementedError, StopIteration)  # fmt: skip
STRUCTURAL_ZERO, STRUCTURAL_ONE = 10, 11  # codes of RSiena


def is_r(head: bytes) -> bool:
    return head.startswith(MAGIC)


def load(path: Path) -> dict[str, Any]:
    """Load the objects of an R file by name."""
    if importlib.util.find_spec("rdata") is None:
        fail(path, "is an R file, which needs the extra r: pip install 'nettrial[r]'")
    import rdata
    from rdata.parser import DEFAULT_ALTREP_MAP

    def bounded(expand: Any) -> Any:
        def checked(state: Any) -> Any:
            length = np.ravel(state.value)[0] if isinstance(state.value, np.ndarray) else 0
            if length > MAX_SEQUENCE:
                raise ValueError(f"it declares a sequence of {length:.0f} numbers")
            return expand(state)

        return checked

    data = read_bytes(path)
    if not is_r(data):
        fail(path, "is no R file of the binary format 2 or 3; save it again with R's save()")
    expanders = {name: bounded(expand) for name, expand in DEFAULT_ALTREP_MAP.items()}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # rdata warns of every class it has no reader for
            parsed = rdata.parser.parse_data(data, altrep_constructor_dict=expanders)
            objects = rdata.conversion.convert(parsed)
    except DAMAGE as error:
        fail(path, f"is damaged or holds what cannot be read ({error})")
    if not isinstance(objects, dict):
        fail(path, "holds no named objects")
    return objects


def is_igraph(value: Any) -> bool:
    return (
        isinstance(value, list) and len(value) >= 9 and isinstance(value[8], list)
        and len(value[8]) == 4 and all(np.size(value[k]) == 1 for k in (0, 1))
    )  # fmt: skip


def is_network(value: Any) -> bool:
    return isinstance(value, dict) and {"mel", "gal", "val"} <= value.keys()


def is_matrix(value: Any) -> bool:
    shape: tuple[int, ...] = getattr(value, "shape", ())
    return len(shape) == 2 and shape[0] == shape[1] > 1 and np.asarray(value).dtype.kind in "ifb"


def networks(objects: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the networks among objects and in lists of them, by name."""
    if isinstance(objects, Mapping):
        items = [(str(key), value) for key, value in objects.items()]
    else:
        items = [(f"{prefix}{k}", value) for k, value in enumerate(objects, 1)]
    for name, value in items:
        if is_igraph(value) or is_network(value) or is_matrix(value):
            yield name, value
        elif isinstance(value, Mapping) or (isinstance(value, list) and any(map(is_igraph, value))):
            yield from networks(value, f"{name}.")


def read_r(path: Path, nodes: Sequence[Path] = (), member: str | None = None) -> Found:
    """Read one network of an R file; node columns may stand in further R files."""
    found = dict(networks(load(path)))
    if not found:
        fail(path, "holds no igraph or network object and no square matrix")
    name = choose_member(path, found, member)
    value = found[name]
    try:
        if is_igraph(value):
            result = from_igraph_list(path, value)
        elif is_network(value):
            result = from_network_list(path, value)
        else:
            result = from_matrix(path, value, nodes)
    except InputError:
        raise
    except DAMAGE as error:
        fail(path, f"{name} is no sound network ({error})")
    result.notes.insert(0, f"the object {name}")
    return result


def integers(path: Path, values: Any, n: int, what: str, first: int) -> NDArray[np.int64]:
    array = np.asarray(values, dtype=np.float64).ravel()
    if not (np.abs(array) < 2**53).all() or not np.array_equal(array, np.floor(array)):
        fail(path, f"{what} holds values that are no node numbers")
    return check_range(path, array.astype(np.int64), n, what, first=first) - first


def scalars(column: Any) -> list[Any]:
    """Give plain Python values; None for R's missing values, whole numbers as integers."""
    items = column.tolist() if hasattr(column, "tolist") else list(column)
    smallest = -(2**31)
    return [
        None if item is None or item != item or item is np.ma.masked or item == smallest
        else int(item) if isinstance(item, float) and item.is_integer() else item
        for item in items
    ]  # fmt: skip


def from_igraph_list(path: Path, value: list[Any]) -> Found:
    """Read an igraph object: size, direction, ends, indices, attributes."""
    n = int(np.ravel(value[0])[0])
    source, target = (integers(path, value[k], n, "igraph links", 0) for k in (2, 3))
    columns = {
        str(key): scalars(column) for key, column in dict(value[8][2]).items()
        if len(column) == n
    }  # fmt: skip
    links = dict(value[8][3])
    weight = next((links[key] for key in links if str(key).lower() == "weight"), None)
    names = columns.get("name")
    unique = names is not None and None not in names and len(set(names)) == n
    if unique:
        del columns["name"]
    found = Found(
        "R igraph", [path], source, target, columns=columns, indexed=True,
        nodes=np.array(names, dtype=object) if unique else np.arange(1, n + 1),
        directed=bool(np.ravel(value[1])[0]),
        weight=None if weight is None else checked_weights(path, weight),
    )  # fmt: skip
    ignored = [str(key) for key in links if str(key).lower() != "weight"]
    found.notes += [f"the link attribute {key!r} is not used" for key in ignored]
    return found


def checked_weights(path: Path, values: Any) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64).ravel()
    bad = ~np.isfinite(array) | (array < 0)
    if bad.any():
        row = int(np.argmax(bad))
        fail(path, f"weight {array[row]} of link {row + 1} is not a finite number of 0 or more")
    return array


def from_network_list(path: Path, value: dict[str, Any]) -> Found:
    """Read an object of the package network: mel (links), gal (settings), val (nodes)."""
    n = int(np.ravel(value["gal"]["n"])[0])
    if len(value["val"]) != n:
        fail(path, f"declares {n} nodes, but has attributes of {len(value['val'])}")
    links = [link for link in value["mel"] if link is not None]
    ends = [[np.ravel(link[key]) for link in links] for key in ("outl", "inl")]
    if any(end.size != 1 for side in ends for end in side):
        fail(path, "holds hyperedges; a link needs two ends")
    source, target = (
        integers(path, np.concatenate(side) if side else [], n, "links", 1) for side in ends
    )
    keys = dict.fromkeys(key for record in value["val"] for key in record)
    columns = {
        str(key): scalars([item(record.get(key)) for record in value["val"]])
        for key in keys if key != "na"
    }  # fmt: skip
    names = columns.pop("vertex.names", None)
    unique = names is not None and None not in names and len(set(names)) == n
    return Found(
        "R network", [path], source, target, columns=columns, indexed=True,
        nodes=np.array(names, dtype=object) if unique else np.arange(1, n + 1),
        directed=bool(np.ravel(value["gal"]["directed"])[0]),
    )  # fmt: skip


def item(value: Any) -> Any:
    flat = [] if value is None else np.ravel(value).tolist()
    return flat[0] if flat else None


def from_matrix(path: Path, value: Any, nodes: Sequence[Path]) -> Found:
    """Read an adjacency matrix, and node columns from other files with as many rows.

    In matrices of 0 to 3 the codes of RSiena, 10 and 11, are structural: no link is possible,
    or a link is sure. A node with a structural zero to and from all others was absent and is
    left out. Missing entries are read as no link, and counted.
    """
    matrix = np.asarray(value, dtype=np.float64)
    n = matrix.shape[0]
    names = [str(name) for name in value.coords["dim_0"].values] if "dim_0" in getattr(
        value, "coords", {}
    ) else list(range(1, n + 1))  # fmt: skip
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
    weight = checked_weights(path, matrix[source, target])
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
    """Yield the vectors of length n of an R file, and the columns of its n-row matrices."""
    for name, value in load(path).items():
        shape: tuple[int, ...] = getattr(value, "shape", ())
        if shape == (n,):
            yield name, scalars(np.asarray(value))
        elif len(shape) == 2 and shape[0] == n and shape[1] != n:
            coords = getattr(value, "coords", {})
            ends = coords["dim_1"].values if "dim_1" in coords else range(1, shape[1] + 1)
            for end, column in zip(ends, np.asarray(value).T):
                yield f"{name}.{end}", scalars(column)
