"""Checksums of what nettrial writes for itself, so that no damage goes unnoticed.

An archive holds a checksum of each of its members, which reading verifies; what it lacks is one
over their names, which its comment gets. A folder of arrays lists the checksum of each file.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .guards import fail

MARK = b"nettrial "  # what the comment of an archive begins with
SEAL = "digest"  # the entry of a JSON file
SUMS = "checksums.json"  # the file of a folder
PIECE = 2**24  # bytes that are looked at in one go
CHANGED = "is not as it was written (its checksum differs); put back a copy, or make it again"


def digest(text: str) -> str:
    """Return a short digest of a text."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def seal_of(archive: zipfile.ZipFile) -> bytes:
    """Return what stands in the comment of an archive of these names and checksums."""
    members = sorted((member.filename, member.CRC) for member in archive.infolist())
    return MARK + digest(json.dumps(members)).encode()


def write_archive(
    path: Path, arrays: Mapping[str, NDArray[Any]], *, compressed: bool = False
) -> None:
    """Write an archive of arrays with its seal.

    It is what `numpy.savez` writes; but of that, some versions leave the archive open where the
    disk is full, and its end is then a traceback on stderr.
    """
    method = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, np.asanyarray(array), allow_pickle=False)
        archive.comment = seal_of(archive)


def check_archive(path: Path, *, required: bool) -> None:
    """Refuse an archive whose members are not those that were written."""
    with zipfile.ZipFile(path) as archive:
        sealed = archive.comment.startswith(MARK)
        if archive.comment != seal_of(archive) if sealed else required:
            fail(path, CHANGED)


def sum_of(array: NDArray[Any]) -> int:
    """Return the CRC-32 of an array's type, shape and bytes, read piece by piece."""
    found = zlib.crc32(f"{array.dtype.str}{array.shape}".encode())
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for begin in range(0, flat.size, PIECE):
        found = zlib.crc32(flat[begin : begin + PIECE].data, found)
    return found


def seal_folder(folder: Path) -> None:
    """Write the checksums of all arrays of a folder into it."""
    sums = {
        file.stem: sum_of(np.load(file, mmap_mode="r", allow_pickle=False))
        for file in sorted(folder.glob("*.npy"))
    }
    (folder / SUMS).write_text(json.dumps(sums))


def check_folder(folder: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Refuse a folder whose arrays are not those that were written."""
    try:
        sums = json.loads((folder / SUMS).read_text())
    except (OSError, ValueError, RecursionError) as error:
        fail(folder / SUMS, f"cannot be read, so that damage would go unnoticed ({error})")
    if not isinstance(sums, dict) or sums.keys() != arrays.keys():
        differ = sorted(set(sums) ^ set(arrays)) if isinstance(sums, dict) else []
        fail(folder, f"does not hold the arrays that were written ({', '.join(differ)} differ)")
    for name, array in arrays.items():
        if sum_of(array) != sums[name]:
            fail(folder / f"{name}.npy", CHANGED)
