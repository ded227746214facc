"""Lines of delimited text: which are comments, which delimiter parts them, and their fields."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

COMMENT = re.compile(rb"(?m)^[ \t]*(?:[#%]|//[ \t])[^\n]*$")
LINE = re.compile(rb"(?m)^[ \t]*[^\s][^\n]*$")
TIGHT = re.compile(rb"\n(?:#|%|//)[^\s#%/!][^\n]*[\s,;|]")  # a mark that no space follows
MARKED = re.compile(rb"[^\n#%/][,;|\t ](?:#|%|//)[^\s#%/]")  # a mark that begins a later field
MARKS = (b"#", b"%", b"//")
SAMPLE = 200


def blank_comments(data: bytes) -> tuple[bytes, int]:
    """Empty the lines that begin with #, % or //, so that line numbers stay as they are.

    Where ids begin with such a mark, as hashtags do, a line below the first row is a row, too, if
    it has as many fields and no space behind the mark.

    Examples
    --------
    >>> blank_comments(b"# by us\\na,b\\n# a, b\\n#a,#b\\n")
    (b'\\na,b\\n\\n#a,#b\\n', 2)
    """
    head = data[: 2**16]
    # looking for single bytes takes a tenth of the time
    some = [mark for mark in MARKS if mark[:1] in data]
    if not COMMENT.search(head) and not any(b"\n" + mark in data for mark in some):
        return data, 0
    row = next((m for m in LINE.finditer(head) if not COMMENT.match(m.group())), None)
    if row is None or not marks_ids(data, row.end()):
        return COMMENT.subn(b"", data)
    width, count = fields_of(row.group()), 0

    def blank(found: re.Match[bytes]) -> bytes:
        nonlocal count
        line = found.group()
        if found.start() > row.start() and TIGHT.match(b"\n" + line) and fields_of(line) == width:
            return line
        count += 1
        return b""

    return COMMENT.sub(blank, data), count


def marks_ids(data: bytes, start: int) -> bool:
    """Return whether ids begin with the mark of a comment: many of them, or second ones, too."""
    rows = TIGHT.findall(data, start)
    return bool(rows) and (
        MARKED.search(data, start) is not None or 10 * len(rows) > data.count(b"\n")
    )


def fields_of(line: bytes) -> int:
    """Count the fields of a line by the first usual delimiter that it has."""
    mark = next((mark for mark in (b"\t", b",", b";", b"|") if mark in line), None)
    return len(line.split(mark))


def split_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the fields of each row that is not empty."""
    if delimiter == " ":
        for number, line in enumerate(io.StringIO(text), 1):
            fields = next(csv.reader([" ".join(line.split())], delimiter=" "), [])
            if fields:
                yield number, fields
        return
    rows = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True)
    start = 1
    for fields in rows:
        if fields and any(field.strip() for field in fields):
            yield start, fields
        start = rows.line_num + 1


def sample_lines(data: bytes) -> str:
    """Take the first lines that are not empty."""
    start = 0
    kept: list[bytes] = []
    while len(kept) < SAMPLE and start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        if data[start:end].strip():
            kept.append(data[start:end])
        start = end + 1
    return b"\n".join(kept).decode()


def first_rows(head: bytes, *, every: bool = False) -> list[list[str]]:
    """Return the fields of the first lines, comments left out, by the delimiter that parts them.

    These are a sample, or `every` row.
    """
    text = blank_comments(head)[0]
    sample = sample_lines(text)
    rows = split_rows(text.decode() if every else sample, sniff_delimiter(sample))
    return [[field.strip() for field in fields] for _, fields in rows]


def sniff_delimiter(sample: str) -> str:
    """Choose the delimiter that gives most rows the same number of fields, two or more.

    Commas between digits only are no delimiter where another one fits as well.

    Examples
    --------
    >>> sniff_delimiter("a;b;0,5\\nb;c;1,5"), sniff_delimiter("a,b,0\\nb,c,1")
    (';', ',')
    """
    csv.field_size_limit(2**24)
    shares = {
        delimiter: regular_share(sample, delimiter) for delimiter in ("\t", ",", ";", "|", " ")
    }
    best, score = " ", 0.0
    for delimiter, share in shares.items():
        if share > score + 0.1:
            best, score = delimiter, share
    if best == "," and not re.search(r"(?<!\d),|,(?!\d)", sample):
        others = (d for d, share in shares.items() if d != "," and share >= score - 0.1)
        best = next(others, best)
    return best


def regular_share(sample: str, delimiter: str) -> float:
    """Return the share of rows with the most usual number of fields, 0 where it is one."""
    try:
        counts = [len(fields) for _, fields in split_rows(sample, delimiter)]
    except csv.Error:
        return 0.0
    usual = max(set(counts), key=counts.count, default=1)
    return counts.count(usual) / len(counts) if usual > 1 else 0.0
