"""Limits and checks that everything read from a file passes through."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from .encoding import from_latin, from_utf16, head_as_utf8, is_utf8, is_utf16

# what a parser of binary files may raise where bytes are damaged
DAMAGE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    EOFError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one file may hold or declare."""

    file_bytes: int = 4 * 2**30  # bytes of one file after decompression
    line_bytes: int = 16 * 2**20  # bytes of one line of text
    columns: int = 10_000  # columns of one text table, and names of attributes of nodes
    # bytes after decompression for each byte before; counted beyond `ratio_floor` bytes
    ratio: int = 250
    # expanded files of up to this size may be compressed to any degree
    ratio_floor: int = 32 * 2**20
    # text_ratio, text_floor: the same for text, which is packed less and takes more memory when it
    # is read
    text_ratio: int = 100
    text_floor: int = 2 * 2**20
    # nodes that a file may declare beyond those that its size could list
    spare_nodes: int = 1_000_000
    # spare_links, links_a_byte: links that a matrix of all pairs of nodes may hold, and how many
    # more for each byte of its file
    spare_links: int = 1_000_000
    links_a_byte: int = 100
    # spare_cells, cells_a_value: cells that the table of nodes and their attributes may have, and
    # how many more for each node and each of its values
    spare_cells: int = 1_000_000
    cells_a_value: int = 8


LIMITS = Limits()
CHUNK = 2**24
OPENERS: dict[bytes, Callable[[Path, str], IO[bytes]]] = {
    b"\x1f\x8b": cast(Callable[[Path, str], IO[bytes]], gzip.open),
    b"BZh": cast(Callable[[Path, str], IO[bytes]], bz2.open),
    b"\xfd7zXZ\x00": cast(Callable[[Path, str], IO[bytes]], lzma.open),
}


def fail(path: Path | str, message: str, line: int | None = None) -> NoReturn:
    """Raise the error for a file that cannot be used, naming it and the line."""
    where = f"{path}" if line is None else f"{path}, line {line}"
    raise InputError(f"{where}: {message}")


def is_there(path: Path) -> bool:
    """Return whether there is a file to be read; refuse what is there and cannot be read as one.

    A network without its labels would be taken for one that has none.
    """
    try:
        mode = path.stat().st_mode
    except OSError as error:
        if path.is_symlink():
            what = "a link that leads nowhere; fetch the file (git annex get, dvc pull)"
        elif isinstance(error, PermissionError):
            what = "one in a folder that may not be read; change its permissions"
        else:
            return False
    else:
        if stat.S_ISREG(mode) and os.access(path, os.R_OK):
            return True
        kind = "a folder" if stat.S_ISDIR(mode) else "a pipe or device"
        what = f"{kind}; put a file in its place"
        if stat.S_ISREG(mode):
            what = "one that may not be read; change its permissions"
    fail(path, f"expected a file that can be read, got {what}, or take it away")


def is_table_file(path: Path) -> bool:
    """Return whether a name ends as those of tables do."""
    return path.name.lower().endswith((".csv", ".tsv", ".csv.gz", ".tsv.gz"))


def fail_at_end(path: Path, message: str) -> NoReturn:
    """Raise the error for a text file that lacks something, naming its last line."""
    fail(path, message, max(len(read_text(path).rstrip().split(b"\n")), 1))


_notes: ContextVar[list[str] | None] = ContextVar("notes", default=None)


@contextmanager
def collecting() -> Iterator[list[str]]:
    """Collect what `note` says inside the block."""
    notes: list[str] = []
    token = _notes.set(notes)
    try:
        yield notes
    finally:
        _notes.reset(token)


def note(text: str) -> None:
    """Note a decision about a file for the report of how it was read."""
    notes = _notes.get()
    if notes is not None and text not in notes:
        notes.append(text)


def size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError) as error:  # of characters that no name of a file holds
        fail(path, f"cannot be read ({getattr(error, 'strerror', None) or error})")


def check_ratio(path: Path, packed: int, expanded: int, *, text: bool = False) -> None:
    """Refuse what expands to far more than data does."""
    if expanded > LIMITS.file_bytes:
        fail(path, f"holds more than {LIMITS.file_bytes} bytes after decompression, the limit")
    floor = LIMITS.text_floor if text else LIMITS.ratio_floor
    ratio = LIMITS.text_ratio if text else LIMITS.ratio
    if expanded > floor and expanded > ratio * max(packed, 1):
        fail(
            path,
            f"expands from {packed} to {expanded} bytes or more, beyond the limit of "
            f"{ratio} to 1; unpack it first if you trust it",
        )


def check_declared(path: Path, count: int, size: int, what: str, line: int | None = None) -> int:
    """Refuse a declared number that a file of `size` bytes cannot back.

    Every node or link that a file lists takes two bytes at least; nodes that it does not list
    may be declared up to `Limits.spare_nodes`.
    """
    if count < 0:
        fail(path, f"declares {count} {what}; the number must not be negative", line)
    spare = LIMITS.spare_nodes if what == "nodes" else 0
    most = size // 2 + spare
    if count > most:
        fail(
            path,
            f"declares {count} {what}, but with its {size} bytes it can hold at most {most}",
            line,
        )
    return count


def check_links(path: Path, count: int, size: int, what: str = "") -> None:
    """Refuse more links than a file of all pairs of nodes, of `size` bytes, is packed to."""
    if count > LIMITS.spare_links + LIMITS.links_a_byte * size:
        fail(path, f"{what}holds {count} links in {size} bytes, beyond what data is packed to")


def open_plain(path: Path) -> IO[bytes]:
    """Open a file for reading its bytes, decompressed where its content says gzip, bzip2 or xz."""
    try:
        with path.open("rb") as raw:
            head = raw.read(6)
        found = (open_ for magic, open_ in OPENERS.items() if head.startswith(magic))
        return next(found, open)(path, "rb")
    except (OSError, ValueError) as error:
        fail(path, f"cannot be read ({getattr(error, 'strerror', None) or error})")


HEAD = 2**16  # bytes by which a format is recognized


def whole_lines(head: bytes) -> bytes:
    """Leave out the last line of the first bytes of a file where it may be cut off."""
    return head if len(head) < HEAD - 4 else head[: head.rfind(b"\n") + 1]


def complete_lines(head: bytes) -> bytes:
    """Leave out the last line where it may be cut off."""
    cut = head.rfind(b"\n")
    return head.removeprefix(b"\xef\xbb\xbf") if cut < 0 else head[: cut + 1]


def read_head(path: Path, size: int = HEAD) -> bytes:
    """Read the first bytes, decompressed, and as UTF-8 where they are text.

    Empty where decompression fails.
    """
    with open_plain(path) as stream:
        try:
            return head_as_utf8(stream.read(size))
        except (OSError, EOFError, zlib.error, lzma.LZMAError):
            return b""


def read_bytes(path: Path, *, text: bool = False) -> bytes:
    """Read a whole file, decompressed; `text` checks each piece by `check_text` on the way."""
    packed = size_of(path)
    pieces: list[bytes] = []
    total, open_line, lines = 0, 0, 0
    with open_plain(path) as stream:
        while True:
            try:
                piece = stream.read(CHUNK)
            except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
                fail(path, f"is damaged or cut off ({error})")
            if not piece:
                return b"".join(pieces)
            total += len(piece)
            check_ratio(path, packed, total, text=text)
            if not pieces and is_utf16(piece):
                text = False  # its NUL bytes are part of the characters
            if text:
                open_line = check_lines(path, piece, open_line, lines)
                lines += piece.count(b"\n")
            pieces.append(piece)


def check_lines(path: Path, piece: bytes, open_line: int, lines: int) -> int:
    """Refuse NUL bytes and lines beyond the limit; give the bytes of the line left open."""
    nul = piece.find(b"\0")
    if nul >= 0:
        line = lines + piece.count(b"\n", 0, nul) + 1
        fail(path, "holds a NUL byte, which no text format allows", line)
    first = piece.find(b"\n")
    if open_line + len(piece) <= LIMITS.line_bytes:  # no line can be longer
        return len(piece) - 1 - piece.rfind(b"\n") + open_line * (first < 0)
    if first < 0:
        longest, left = open_line + len(piece), open_line + len(piece)
    else:
        ends = np.flatnonzero(np.frombuffer(piece, np.uint8) == 10)
        longest = max(open_line + first, int(np.diff(ends).max(initial=0)))
        left = len(piece) - 1 - int(ends[-1])
    if max(longest, left) > LIMITS.line_bytes:
        where = first_long(piece, open_line) + lines + 1
        fail(path, f"holds a line of more than {LIMITS.line_bytes} bytes, the limit", where)
    return left


def first_long(piece: bytes, open_line: int) -> int:
    """Count the lines before the first one beyond the limit."""
    ends = np.flatnonzero(np.frombuffer(piece, np.uint8) == 10)
    sizes = np.diff(ends, prepend=-1 - open_line, append=len(piece)) - 1
    return int(np.argmax(sizes > LIMITS.line_bytes))


def read_text(path: Path) -> bytes:
    """Read a text file as UTF-8 bytes with line ends as newline, without byte order mark.

    UTF-16 is recognized by its byte order mark; other text that is not UTF-8 is read as
    Windows-1252, of which Latin-1 is a part, and that is noted.
    """
    data = as_utf8(path, read_bytes(path, text=True)).removeprefix(b"\xef\xbb\xbf")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data


def as_utf8(path: Path, data: bytes) -> bytes:
    """Turn the content of a text file into UTF-8, and note where it was in another encoding."""
    if is_utf16(data):
        text = from_utf16(data)
        if text is None:
            fail(path, "begins as UTF-16 text, but is damaged or cut off", 1)
        check_lines(path, text, 0, 0)
        note(f"{path.name} is UTF-16 text")
        return text
    if is_utf8(data):
        return data
    text = from_latin(data)
    if text is None:
        fail(path, "is not UTF-8 text; save it with that encoding", first_other_byte(data))
    note(f"{path.name} is not UTF-8 text; read as Windows-1252 (Latin-1)")
    return text


def first_other_byte(data: bytes) -> int:
    """Find the line of the first byte that is not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1
    return 1


def check_range(
    path: Path, indices: NDArray[np.int64], n: int, what: str, *, first: int = 0
) -> NDArray[np.int64]:
    """Refuse node numbers outside `first` to `first + n - 1`."""
    bad = (indices < first) | (indices >= first + n)
    if bad.any():
        fail(
            path,
            f"{what} holds the node number {indices[bad][0]} (entry {int(np.argmax(bad)) + 1}), "
            f"expected {first} to {first + n - 1}",
        )
    return indices
