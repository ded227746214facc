"""MATLAB 5 files: Facebook100, and a network with its groups as DeepWalk's data sets have it."""

from __future__ import annotations

import io
import re
import struct
import warnings
import zlib
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import scipy.sparse as sp

from .facebook100 import from_school
from .format import Format
from .found import Found
from .guards import DAMAGE, check_links, check_ratio, fail, read_bytes
from .multilabel import class_codes

COMPRESSED = 15
NETWORK = ("network", "net", "adj", "adjacency", "a", "w")
CLASSES = ("group", "groups", "label", "labels", "class", "classes", "y", "gnd")
FEATURES = ("attributes", "features", "attrb", "x")
PLAIN = re.compile(r"sparse|logical|single|double|u?int(8|16|32|64)")  # kinds that hold numbers


def check_elements(path: Path, data: bytes) -> None:
    """Refuse elements beyond the file's end and compressed ones that expand too far."""
    if len(data) < 128 or data[124:128] not in (b"\x00\x01IM", b"\x01\x00MI"):
        fail(path, "is no MATLAB 5 file; save it again with the option -v7")
    order = "<" if data[126:128] == b"IM" else ">"
    place, expanded = 128, 0
    while place < len(data):
        if place + 8 > len(data):
            fail(path, "is cut off")
        kind, size = struct.unpack(order + "II", data[place : place + 8])
        if place + 8 + size > len(data):
            fail(path, "is cut off")
        if kind == COMPRESSED:
            packed = data[place + 8 : place + 8 + size]
            while packed:
                unpack = zlib.decompressobj()
                while packed:
                    try:
                        expanded += len(unpack.decompress(packed, 2**24))
                    except zlib.error as error:
                        fail(path, f"is damaged ({error})")
                    check_ratio(path, len(data), expanded)
                    packed = unpack.unconsumed_tail
        place += 8 + size + (-size % 8 if kind != COMPRESSED else 0)


def read_matlab(path: Path) -> Found:
    """Read the network of a MATLAB file, by the names of its variables."""
    import scipy.io

    data = read_bytes(path)
    check_elements(path, data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            held = scipy.io.whosmat(io.BytesIO(data))
            shapes = {name: shape for name, shape, _ in held}
            names = wanted(shapes)
            if names is None:
                refuse(path, shapes)
            for (
                name,
                shape,
                kind,
            ) in held:  # before any is loaded: cells take memory by their number
                if name in names and not PLAIN.fullmatch(kind):
                    size = " x ".join(map(str, shape))
                    fail(path, f"expected numbers in {name}, got {kind} of {size}")
            # as it stands in the file: old versions read beyond the end of a damaged sparse matrix
            # where they turn it into another kind
            content = scipy.io.loadmat(io.BytesIO(data), variable_names=names, spmatrix=False)
        for value in content.values():
            if sp.issparse(value):
                value.check_format(full_check=True)
        matrix = adjacency(path, content[names[0]], names[0], len(data))
    except (*DAMAGE, OSError, NotImplementedError, MemoryError, zlib.error) as error:
        if type(error).__module__.startswith("nettrial"):
            raise
        fail(path, f"is damaged ({str(error).splitlines()[0] if str(error) else type(error)})")
    if "local_info" in names:
        return from_school(path, matrix, content.get("local_info"))
    return with_groups(path, matrix, {name: content[name] for name in names[1:]})


def wanted(shapes: dict[str, tuple[int, ...]]) -> list[str] | None:
    """List the variables to load, the network first; None where there is none."""
    if {"A", "local_info"} <= shapes.keys():
        return ["A", "local_info"]
    lower = {name.lower(): name for name in reversed(list(shapes))}
    network = next((lower[name] for name in NETWORK if name in lower), None)
    if network is None or len(shapes[network]) != 2:
        return None
    return [network, *(lower[n] for n in CLASSES + FEATURES if n in lower and lower[n] != network)]


def refuse(path: Path, shapes: dict[str, tuple[int, ...]]) -> NoReturn:
    held = ", ".join(
        f"{name} ({' x '.join(map(str, shape))})" for name, shape in list(shapes.items())[:20]
    )
    fail(
        path,
        "expected the variables network and group, as in DeepWalk's data sets, or A and "
        f"local_info, as in Facebook100; got {held or 'none'}",
    )


def adjacency(path: Path, matrix: Any, name: str, size: int) -> sp.csr_array:
    """Return the matrix of links of a file of `size` bytes."""
    if not sp.issparse(matrix):
        matrix = np.asarray(matrix)
        if matrix.dtype.kind not in "iufb":
            fail(path, f"expected numbers in {name}, got {matrix.dtype}")
        check_links(path, int(np.count_nonzero(matrix)), size, f"{name} ")
        matrix = matrix.astype(np.float64)
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        fail(path, f"{name} has the shape {matrix.shape}, expected a square matrix")
    return sp.csr_array(matrix)


def with_groups(path: Path, matrix: sp.csr_array, parts: dict[str, Any]) -> Found:
    """Read a matrix with classes as one column of codes or one column for each class."""
    n, coo = matrix.shape[0], matrix.tocoo()
    weight = np.asarray(coo.data, dtype=np.float64)
    if not np.isfinite(weight).all():
        fail(path, "the network holds weights that are not finite numbers")
    found = Found(
        "MATLAB",
        [path],
        coo.row,
        coo.col,
        nodes=np.arange(1, n + 1),
        indexed=True,
        weight=None if (weight == 1).all() else weight,
    )
    for name, value in parts.items():
        array = value if sp.issparse(value) else np.atleast_2d(np.asarray(value))
        if array.shape == (1, n) and n > 1:
            array = array.T
        if array.ndim != 2 or array.shape[0] != n or array.dtype.kind not in "iufb":
            fail(path, f"{name} has the shape {array.shape}, expected a row for each of {n} nodes")
        if name.lower() in FEATURES:
            found.features = sp.csr_array(array) if sp.issparse(array) else array
        else:
            found.columns[name] = classes(path, array, name)
    if len(found.columns) == 1:
        found.likely_label = next(iter(found.columns))
    return found


def classes(path: Path, array: Any, name: str) -> list[int | None]:
    """Turn codes, or a matrix of zeros and ones, into one class per node, counted from 1."""
    if array.shape[1] > 1:
        return [None if code < 0 else code + 1 for code in class_codes(path, array, name).tolist()]
    column = np.asarray(array.toarray() if sp.issparse(array) else array, dtype=np.float64).ravel()
    known = ~np.isnan(column)
    if (column[known] != np.floor(column[known])).any() or (np.abs(column[known]) > 2**53).any():
        fail(path, f"expected whole numbers as classes in {name}")
    return [int(code) if fine else None for code, fine in zip(column.tolist(), known)]


FILE_FORMATS = (
    Format("matlab", lambda _, head: head.startswith(b"MATLAB "),
           lambda r: read_matlab(r.path), order=50,
           files="MATLAB 5: Facebook100; `network` and `group` of DeepWalk",
           holds="links, weights, features, `local_info`, groups as codes or one column per class"),
)  # fmt: skip
