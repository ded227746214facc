"""Logs of Inspect as zip archives (``.eval``): their samples, with all that may be damaged."""

from __future__ import annotations

import lzma
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..core.errors import InputError
from ..core.wording import shorten
from ..io.guards import check_ratio, fail, size_of
from ..io.jsongraph import parse

LARGEST_MEMBER = 2**30  # bytes of all samples of an archive, expanded
HEADER = "header.json"  # of an archive: the log without its samples
END, MANY = 22, 0xFFFF  # bytes of a zip archive's end, and its count of files where it has more


def begins_as_archive(path: Path) -> bool:
    size_of(path)  # refuses what is not there
    with path.open("rb") as stream:
        return stream.read(4) in (b"PK\3\4", b"PK\5\6")


def check_ended(path: Path, header: Any, count: int) -> None:
    """Refuse a log of Inspect that did not end well, or that lacks samples, by its own header."""
    known = header if isinstance(header, dict) else {}
    if (status := known.get("status", "success")) != "success":
        fail(path, f"expected a log of an evaluation that ended, status 'success', got "
                   f"{shorten(repr(status), 40)}; run it to its end (inspect eval-retry) and name "
                   "the new log")  # fmt: skip
    results = known.get("results")
    completed = results.get("completed_samples") if isinstance(results, dict) else None
    if isinstance(completed, int) and count < completed:
        fail(path, f"expected the {completed:,} samples that its header counts, got {count:,}; "
                   "copy it again")  # fmt: skip


def _archives() -> tuple[Any, tuple[type[Exception], ...]]:
    """Return what opens zip archives, of Zstandard too where it can be had, and what it raises.

    Inspect packs its logs by Zstandard, which zipfile unpacks from Python 3.14 on.
    """
    raised: tuple[type[Exception], ...] = (
        ArithmeticError, EOFError, LookupError, OSError, RuntimeError, ValueError,
        lzma.LZMAError, struct.error, zipfile.BadZipFile, zlib.error,
    )  # fmt: skip
    try:
        if sys.version_info >= (3, 14):
            from compression.zstd import ZstdError

            return zipfile, (*raised, ZstdError)
        from backports import zstd
        from backports.zstd import zipfile as opener
    except ImportError:
        return zipfile, raised
    return opener, (*raised, opener.BadZipFile, zstd.ZstdError)


def members(path: Path) -> Iterator[tuple[Any, Any]]:
    """Read the samples of an archive, in its own order, each with the header, which is checked."""
    opener, raised = _archives()
    size_of(path)  # refuses what is not there
    try:
        archive = opener.ZipFile(path)
    except raised as error:
        fail(path, "is damaged or cut off: no zip archive, as logs of Inspect are "
                   f"({shorten(error, 100)}); copy it again")  # fmt: skip
    with archive:
        listed = archive.infolist()
        samples = [m for m in listed if m.filename.startswith("samples/")]
        headers = [m for m in listed if m.filename == HEADER]
        if not samples:
            fail(path, "holds no samples/; expected a log of Inspect")
        _check_directory(path, archive, len(listed))
        declared = sum(m.file_size for m in [*headers, *samples])
        if declared > LARGEST_MEMBER:
            fail(path, f"holds more than {LARGEST_MEMBER} bytes of samples, the limit")
        check_ratio(path, size_of(path), declared, text=True)
        for member in listed:  # those that are not read too: a damaged name could hide a sample
            if member not in (*headers, *samples):
                with _opened(path, archive, member, raised):
                    pass
        if not headers:
            fail(path, f"holds no {HEADER}, which Inspect writes when an evaluation has ended; run "
                       "it to its end (inspect eval-retry) and name the new log")  # fmt: skip
        header: Any = None
        for each in headers:
            header = _member(path, archive, each, raised)
            check_ended(path, header, len(samples))
        for member in samples:
            yield header, _member(path, archive, member, raised)


def _check_directory(path: Path, archive: Any, found: int) -> None:
    """Refuse an archive whose directory holds fewer files than its end counts."""
    end = b"PK\5\6"
    archive.fp.seek(max(size_of(path) - END - 2**16, 0))
    tail = archive.fp.read()
    (counted,) = struct.unpack_from("<H", tail, tail.rindex(end) + 10)
    if counted not in (found, MANY):
        fail(path, f"is damaged: it counts {counted:,} files and lists {found:,}; copy it again")


@contextmanager
def _opened(
    path: Path, archive: Any, member: Any, raised: tuple[type[Exception], ...]
) -> Iterator[Any]:
    """Open a file of an archive; its name must stand before it as in the directory."""
    try:
        with archive.open(member) as stream:
            yield stream
    except NotImplementedError:
        fail(path, "is packed in a way that cannot be read here; install what unpacks "
                   "Zstandard with: pip install 'nettrial[inspect]', or write it as JSON: "
                   "inspect log convert --to json --output-dir FOLDER FILE")  # fmt: skip
    except raised as error:
        fail(path, f"{member.filename} is damaged ({shorten(error, 100)}); copy the file again")


def _member(path: Path, archive: Any, member: Any, raised: tuple[type[Exception], ...]) -> Any:
    """Read one file of an archive, of which no more is unpacked than it declares."""
    with _opened(path, archive, member, raised) as stream:
        data = stream.read(member.file_size + 1)
    if len(data) > member.file_size:
        fail(path, f"{member.filename} expands to more than it declares")
    try:
        return parse(path, data)
    except InputError as error:
        raise InputError(f"{error}, in {member.filename}") from None
    except (ValueError, RecursionError) as error:
        fail(path, f"{member.filename} is damaged ({shorten(error, 100)}); copy the file again")
