"""Sparse matrices as scipy.sparse.save_npz writes them, with label files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..core.errors import shown
from .archive import Archive, compressed, members_of, whole
from .format import Format
from .found import Found
from .guards import LIMITS, check_range, fail
from .labels import add_labels
from .npz import sparse_links

MARKS = {"format.npy", "shape.npy", "data.npy"}


def is_scipy_npz(head: bytes, path: Path) -> bool:
    """Return whether a zip archive holds the arrays of one sparse matrix."""
    return (members_of(head, path) or set()) >= MARKS


def read_scipy_npz(path: Path, nodes: Sequence[Path] = ()) -> Found:
    """Read an adjacency matrix; its nodes are numbered from 0, as the rows are."""
    archive = Archive(path)
    matrix = load(archive)
    n = matrix.shape[0]
    if matrix.shape != (n, n):
        fail(path, f"is {n} by {matrix.shape[1]}; an adjacency matrix is square")
    source, target, weight = sparse_links(path, matrix, "data")
    found = Found(
        "scipy npz",
        [path],
        source,
        target,
        nodes=np.arange(n),
        weight=weight,
        weights="" if weight is None else "weights from the matrix",
        indexed=True,
    )
    for file in nodes:
        add_labels(found, file, n)
    return found


def load(archive: Archive) -> Any:
    """Load compressed rows or columns, or the rows and columns of entries."""
    kind = archive["format"]
    name = kind.item() if kind.ndim == 0 else ""
    name = name.decode("ascii", "replace") if isinstance(name, bytes) else str(name)
    if name == "csr":
        return compressed(archive, "")
    if name == "csc":
        return compressed(archive, "", columns=True)
    if name != "coo":
        fail(archive.path, f"is a matrix in the form {shown(name)}; save matrix.tocsr() instead")
    shape = tuple(whole(archive, "shape", 1).tolist())
    ends = [whole(archive, "row", 1), whole(archive, "col", 1)]
    data = archive["data"]
    sound = len(shape) == 2 and min(shape) >= 0 and data.dtype.kind in "iufb"
    if not sound or not ends[0].size == ends[1].size == data.size:
        fail(archive.path, "row, col, data and shape are no entries of one matrix")
    if max(shape) > LIMITS.spare_nodes + 2 * data.size:
        fail(archive.path, f"declares the shape {shape} for {data.size} entries")
    for key, end, most in zip(("row", "col"), ends, shape):
        check_range(archive.path, end, most, key)
    return sp.coo_array((data, tuple(ends)), shape=shape)


FILE_FORMATS = (
    Format("scipy-npz", lambda path, head: is_scipy_npz(head, path),
           lambda r: read_scipy_npz(r.path, r.nodes), order=20,
           files="a matrix by `scipy.sparse.save_npz`, with labels in node order or a node table",
           holds="links, weights", takes_nodes=True),
)  # fmt: skip
