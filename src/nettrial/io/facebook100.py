"""Facebook100: MATLAB files with the friendship matrix A and the columns local_info."""

from __future__ import annotations

import struct
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from .build import Found
from .guards import check_ratio, fail, read_bytes

COLUMNS = ("status", "gender", "major", "minor", "dorm", "year", "high_school")
COMPRESSED = 15
DAMAGE = (ValueError, TypeError, KeyError, IndexError, OSError, EOFError, OverflowError,
          NotImplementedError, struct.error, zlib.error, AttributeError, AssertionError,
          MemoryError)  # fmt: skip


def is_matlab(head: bytes) -> bool:
    return head.startswith(b"MATLAB ")


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


def read_facebook100(path: Path) -> Found:
    """Read one school's network; a 0 in a column means that it is not known."""
    import io

    import scipy.io

    data = read_bytes(path)
    check_elements(path, data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            content = scipy.io.loadmat(io.BytesIO(data), variable_names=["A", "local_info"])
        matrix = adjacency(path, content)
    except DAMAGE as error:
        fail(path, f"is damaged ({error})")
    info = np.asarray(content.get("local_info"))
    n = matrix.shape[0]
    if info.ndim != 2 or info.shape[0] != n or info.dtype.kind not in "iuf":
        fail(path, f"local_info has the shape {info.shape}, needed is a row for each of {n} nodes")
    names = [*COLUMNS, *(f"column {k}" for k in range(8, info.shape[1] + 1))]
    coo = matrix.tocoo()
    return Found(
        "Facebook100", [path], coo.row, coo.col, nodes=np.arange(1, n + 1),
        columns={
            name: [None if value == 0 or value != value else int(value) for value in column]
            for name, column in zip(names, info.T.tolist())
        },
        directed=False, indexed=True, notes=["0 in local_info is read as missing"],
    )  # fmt: skip


def adjacency(path: Path, content: dict[str, Any]) -> sp.csr_array:
    if "A" not in content or "local_info" not in content:
        fail(path, "holds no variables A and local_info, as Facebook100 files do")
    matrix = content["A"]
    if not sp.issparse(matrix):
        matrix = np.asarray(matrix, dtype=np.float64)
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        fail(path, f"A has the shape {matrix.shape}, needed is a square matrix")
    csc = sp.csc_array(matrix)
    csc.check_format(full_check=True)
    return sp.csr_array(csc)
