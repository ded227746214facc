"""What a file of tables, arrays or JSON holds, recognized by its content and not by its name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .archive import BROKEN, Archive, header
from .content import seen_instead
from .excel_file import is_excel, read_sheets
from .guards import check_ratio, fail, read_head, read_text, size_of
from .parquet import is_parquet, read_parquet
from .seals import CHANGED, SEAL, check_archive, digest
from .tables import read_table
from .torch_file import is_torch_file, read_tensors
from .vocabulary import set_of

NUMPY = b"\x93NUMPY"
NUMBER = re.compile(r"[+-]?\d+(?:\.0*)?(?:e[+-]?\d+)?", re.IGNORECASE)
BETWEEN = re.compile(r"[\s,;|\[\]()]+")
FORMS = "CSV, JSON, Parquet, Excel, .npz, .npy or .pt"


class Arrays(Mapping[str, Any]):
    """The arrays of an .npz by name, each read when it is asked for."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.archive:
            raise KeyError(name)
        return self.archive[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.archive.members)

    def __len__(self) -> int:
        return len(self.archive.members)


def contents_of(path: Path) -> Any:
    """Return what a file holds, whatever its form.

    Returns
    -------
    Table, ndarray, mapping of arrays by name, or the lists and dicts of JSON
        Text of nothing but whole numbers, or of names of sets, is an array.

    Raises
    ------
    InputError
        Where it is damaged, or of no form that is read.
    """
    head = read_head(path)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if is_parquet(head):
        return read_parquet(path)[0]
    if is_excel(head, path):
        sheets = list(read_sheets(path, header=True).values())
        if len(sheets) != 1:
            fail(path, f"expected one sheet with rows, got {len(sheets)}; save the one as CSV")
        return sheets[0]
    if head.startswith(b"PK"):
        archive = Archive(path)
        check_archive(path, required=False)
        return read_tensors(path) if is_torch_file(archive) else Arrays(archive)
    if head.startswith(NUMPY):
        return _array(path)
    if start[:1] == b"{" or re.match(rb"\[\s*[\[{\"\d-]", start):
        return _json(path)
    if seen := seen_instead(head):
        fail(path, f"looks like {seen}; expected {FORMS}")
    array = _values(start, path)
    return read_table(path, header=True) if array is None else array


def _array(path: Path) -> NDArray[Any]:
    """Read the array of an .npy file; nothing in it can run."""
    try:
        with path.open("rb") as stream:
            shape, _, dtype = header(stream)
            check_ratio(path, size_of(path), int(np.prod(shape, dtype=object)) * dtype.itemsize)
        found: NDArray[Any] = np.load(path, allow_pickle=False)
    except BROKEN as error:
        fail(path, f"is no array of numpy that can be read ({error})")
    return found


def _json(path: Path) -> Any:
    """Read JSON, or one value per line."""
    text = read_text(path)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            fail(path, f"is no JSON ({error})")
    if isinstance(found, dict):
        seal = found.pop(SEAL, None)  # files of other programs have none
        if seal is not None and seal != digest(json.dumps(found)):
            fail(path, CHANGED)
    return found


def _values(start: bytes, path: Path) -> NDArray[Any] | None:
    """Return the whole numbers of a text, or a name of a set per line; None for a table."""
    first = BETWEEN.split(start.split(b"\n", 1)[0].decode("utf-8", "replace").strip(" \t\r,;|[]()"))
    numbers = all(map(NUMBER.fullmatch, first))
    if not numbers and (len(first) > 1 or not set_of(first[0])):
        return None
    lines = read_text(path).decode("utf-8", "replace").splitlines()
    rows = [BETWEEN.split(line.strip(" \t\r,;|[]()")) for line in lines if line.strip()]
    if not numbers:
        words = [row[0] for row in rows]
        alike = all(len(row) == 1 and set_of(row[0]) is not None for row in rows)
        return np.array(words, dtype=object) if alike else None
    if not all(NUMBER.fullmatch(word) for row in rows for word in row):
        return None
    if len({len(row) for row in rows}) > 1:
        fail(path, "has lines of numbers that are not of one length")
    array = np.array(rows, dtype=np.float64)
    whole = array.astype(np.int64) if np.isfinite(array).all() else array
    return whole.ravel() if 1 in whole.shape else whole
