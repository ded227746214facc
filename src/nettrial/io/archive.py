"""Arrays in numpy archives (.npz), each checked before memory is taken for it."""

from __future__ import annotations

import re
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

import numpy as np
import scipy.sparse as sp
from numpy.lib import format as npy
from numpy.typing import NDArray

from ..core.errors import shown
from .guards import LIMITS, check_range, check_ratio, fail, size_of

BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    SyntaxError,
    RuntimeError,
    TypeError,
    KeyError,
    IndexError,
    tokenize.TokenError,
)


def members_of(head: bytes, path: Path) -> set[str] | None:
    """Return the names of the members of a zip archive, no name for another file.

    None where the archive is damaged.
    """
    if not head.startswith(b"PK"):
        return set()
    try:
        with zipfile.ZipFile(path) as file:
            return set(file.namelist())
    except BROKEN:
        return None


def check_rows(path: Path, name: str, matrix: Any, n: int) -> Any:
    """Refuse what has not one row for each of `n` nodes, and return it otherwise."""
    if matrix.ndim != 2 or matrix.shape[0] != n:
        fail(path, f"{name} has the shape {matrix.shape} for {n} nodes")
    return matrix


class Archive:
    """The arrays of an .npz file, each checked before memory is taken for it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with zipfile.ZipFile(path) as file:
                members = file.infolist()
        except BROKEN as error:
            fail(path, f"is a damaged archive ({error})")
        size = size_of(path)
        check_ratio(path, size, sum(member.file_size for member in members))
        self.members: dict[str, zipfile.ZipInfo] = {}
        for member in members:
            name = member.filename
            if name.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", name) or ":" in name:
                fail(path, f"holds the member {shown(name)}, whose name leads out of the archive")
            if name in self.members:
                fail(path, f"holds the member {shown(name)} twice")
            self.members[name.removesuffix(".npy")] = member

    def __contains__(self, name: str) -> bool:
        return name in self.members

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.members:
            fail(self.path, f"lacks the array {shown(name)}")
        try:
            return self.load(name)
        except BROKEN as error:
            fail(self.path, f"array {shown(name)} is damaged ({error})")

    def holds_objects(self, name: str) -> bool:
        """Return whether an array holds Python objects, which only a pickle could bring back."""
        try:
            with zipfile.ZipFile(self.path) as file, file.open(self.members[name]) as stream:
                return bool(header(stream)[2].hasobject)
        except BROKEN as error:
            fail(self.path, f"array {shown(name)} is damaged ({error})")

    def load(self, name: str) -> NDArray[Any]:
        member = self.members[name]
        with zipfile.ZipFile(self.path) as file, file.open(member) as stream:
            shape, fortran, dtype = header(stream)
            if dtype.hasobject:
                raise ValueError("it holds Python objects, which are not loaded")
            size = member.file_size - stream.tell()
            count = 1
            for length in shape:
                count *= int(length)
            if 0 in shape and max(shape) > LIMITS.spare_nodes:
                raise ValueError(f"it declares the shape {shape} without content")
            if min(shape, default=0) < 0 or count * dtype.itemsize != size:
                raise ValueError(f"it declares the shape {shape} for {size} bytes")
            array = np.frombuffer(bytearray(stream.read(size)), dtype=dtype)
            return array.reshape(shape, order="F" if fortran else "C")


def header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Read shape, order and type of an array."""
    version = npy.read_magic(stream)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"version {version} of the array format")
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    return read(stream)


def whole(
    archive: Archive, name: str, ndim: int, array: NDArray[Any] | None = None
) -> NDArray[np.int64]:
    """Load an array of integers, also where they are stored as floats."""
    array = archive[name] if array is None else array
    if array.ndim != ndim or array.dtype.kind not in "iufb":
        fail(
            archive.path,
            f"{name} must be an array of integers with {ndim} axes, got "
            f"{array.dtype} with {array.ndim}",
        )
    if array.dtype.kind in "iu":
        return array.astype(np.int64, copy=False)
    with np.errstate(invalid="ignore"):
        integers = array.astype(np.int64)
    if not np.array_equal(integers, array):
        fail(archive.path, f"{name} holds values that are no integers")
    return integers


def compressed(archive: Archive, prefix: str, *, columns: bool = False) -> Any:
    """Load a sparse matrix from its compressed rows, or from its compressed columns."""
    parts = [whole(archive, f"{prefix}{key}", 1) for key in ("indices", "indptr")]
    shape = tuple(whole(archive, f"{prefix}shape", 1).tolist())
    if columns:
        shape = shape[::-1]
    data = archive[f"{prefix}data"] if f"{prefix}data" in archive else np.ones(parts[0].size)
    indptr, width = parts[1], shape[1] if len(shape) == 2 else -1
    sound = (
        len(shape) == 2
        and indptr.size == shape[0] + 1
        and indptr[0] == 0
        and bool((np.diff(indptr) >= 0).all())
        and indptr[-1] == parts[0].size == data.size
        and data.dtype.kind in "iufb"
    )
    if not sound:
        kind = "columns" if columns else "rows"
        fail(archive.path, f"{prefix}* are no compressed {kind} of one matrix")
    check_range(archive.path, parts[0], width, f"{prefix}indices")
    matrix = sp.csr_array((data, parts[0], indptr), shape=shape)
    return matrix.T if columns else matrix
