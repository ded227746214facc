"""Delimited text: which delimiter, which header, which columns, and where a row stands."""

from __future__ import annotations

import csv
import io
import itertools
import re
import warnings
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from ..core.option_names import option
from .columns import INTEGER, NUMBER
from .edge_dicts import cut_dicts
from .guards import LIMITS, fail, fail_at_end, note, read_text
from .headers import comment_names, cut_separator, header_of, occurs_again, title_rows
from .vocabulary import plain

WEIGHT = re.compile(rf"(?![+-]?0\d)(?:{NUMBER.pattern})", re.I)  # 007 is an id
COMMENT = re.compile(rb"(?m)^[ \t]*(?:[#%]|//[ \t])[^\n]*$")
LINE = re.compile(rb"(?m)^[ \t]*[^\s][^\n]*$")
TIGHT = re.compile(rb"\n(?:#|%|//)[^\s#%/!][^\n]*[\s,;|]")  # a mark that no space follows
MARKED = re.compile(rb"[^\n#%/][,;|\t ](?:#|%|//)[^\s#%/]")  # a mark that begins a later field
MARKS = (b"#", b"%", b"//")
# by byte: digits, the point and the signs and letters of an exponent may stand before a zero
BEFORE_ZERO = np.isin(np.arange(256), list(b"0123456789.eE+-"))
SAMPLE = 200
BLOCK = 2**20  # bytes that are looked at at once, since they fit into the cache


@dataclass(frozen=True, slots=True)
class Table:
    """A text table as read: integer columns as int64, all others as text.

    `names` are the header's, or the column numbers as text where there is none.
    """

    path: Path
    names: tuple[str, ...]
    columns: tuple[Any, ...]
    header: bool
    delimiter: str
    comments: int
    skip: int = 0  # rows of the file before those of the table
    lines: bool = True  # whether rows stand on lines
    doubts: tuple[str, ...] = ()  # what of its reading may be wrong
    weight: str | None = None  # the column that the file itself says is the weight
    index: Any = None  # of a table in memory

    def __getitem__(self, name: str) -> Any:
        return self.columns[self.names.index(name)]

    @property
    def where(self) -> str:
        """Name of the table in errors."""
        return str(self.path)

    @property
    def n_rows(self) -> int:
        return len(self.columns[0])

    def line(self, row: int) -> int | None:
        """Find the line on which a row begins; rows count from 0."""
        if not self.lines:
            return None
        data = blank_comments(read_text(self.path))[0].decode()
        rows = split_rows(data, self.delimiter)
        number, _ = next(itertools.islice(rows, row + self.header + self.skip, None), (0, []))
        return number

    def find(self, names: tuple[str, ...], among: tuple[str, ...] | None = None) -> str | None:
        """Find the first column whose name is one of `names`, whatever its case."""
        among = self.names if among is None else among
        lower = {plain(name): name for name in reversed(among)}
        return next((lower[name] for name in names if name in lower), None)


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


def read_table(
    path: Path,
    *,
    header: bool | None = None,
    data: bytes | None = None,
    skip: int = 0,
    links: bool = False,
    text: Collection[int] = (),
) -> Table:
    """Read a text table of any usual delimiter, with or without header.

    In a table of `links` the numbers beyond the first two columns are read as floats; the
    columns numbered in `text` are read as they stand.
    """
    raw, delimiter = cut_separator(read_text(path) if data is None else data)
    data, comments = blank_comments(raw)
    data, weighted = cut_dicts(path, data) if links else (data, False)
    rows, delimiter = sample_rows(path, data, delimiter, links=links)
    above = title_rows(rows) if header is None else 0
    if above:
        data = blank_lines(data, above)
        rows, delimiter = sample_rows(path, data, None, links=links)
        note(f"{path.name}: {above} line{'s' if above > 1 else ''} above the table left out")
    plain = without_last(rows)
    titled = header_of(plain) if header is None else header
    body = rows[bool(titled) :] or rows
    counts = [len(row) for row in body]
    width = max(set(counts), key=counts.count)
    types = column_types(body, width, data, links=links) | dict.fromkeys(text, "str")
    columns = parse_columns(path, data, delimiter, bool(titled), types)
    if plain is not rows and is_empty(columns[-1]):
        rows, columns, width = plain, columns[:-1], width - 1
    titles = [name.strip() for name in rows[0]] if titled else []
    doubts: tuple[str, ...] = ()
    if titled is None:
        first = [str(column[0]) for column in columns]
        if not occurs_again(first, columns):
            titles, columns = first, tuple(tail(column) for column in columns)
            doubts = (
                f"{path.name}: the first row ({', '.join(first)}) is taken for the names of the "
                f"columns, since it occurs nowhere else; {option('header', False)} reads it as "
                "data",
            )
    elif not titled and comments and header is None:
        titles = comment_names(raw, delimiter, width)
        skip -= bool(titles)  # no row of the file is the header
    if titles and len(titles) == width - 1:
        titles.insert(0, "")  # R leaves out the title of the row names
    names = unique_names(titles[:width] + [str(k) for k in range(len(titles), width)])
    return Table(
        path, names, columns, bool(titles), delimiter, comments, skip, doubts=doubts,
        weight=names[-1] if weighted else None,
    )  # fmt: skip


def without_last(rows: list[list[str]]) -> list[list[str]]:
    """Return rows without their last field where a delimiter ends each, perhaps not the first."""
    first, *body = rows
    width = len(body[0]) if body else 0
    if width < 2 or any(len(row) != width or row[-1].strip() for row in body):
        return rows
    if len(first) == width and first[-1].strip():
        return rows
    return [first if first[-1].strip() else first[:-1], *(row[:-1] for row in body)]


def is_empty(column: Any) -> bool:
    return not isinstance(column, np.ndarray) and bool((column == "").all())


def blank_lines(data: bytes, count: int) -> bytes:
    """Empty the first lines that are not empty, so that line numbers stay as they are."""
    start = 0
    while count:
        end = data.find(b"\n", start)
        filled = bool(data[start:end].strip())
        data = data[:start] + data[end:] if filled else data
        start = start + 1 if filled else end + 1
        count -= filled
    return data


def sample_rows(
    path: Path, data: bytes, delimiter: str | None, *, links: bool
) -> tuple[list[list[str]], str]:
    """Return the first rows and the delimiter that parts them."""
    sample = sample_lines(data)
    delimiter = delimiter or (sniff_delimiter(sample) if sample else " ")
    rows: list[list[str]] = []
    try:
        rows.extend(fields for _, fields in split_rows(sample, delimiter))
    except csv.Error as error:
        fail(path, f"is no table ({error})", len(rows) + 1)
    if not rows:
        fail_at_end(path, "holds no rows")
    widest = max(map(len, rows))
    if widest > LIMITS.columns:
        fail(path, f"has {widest} columns, the limit is {LIMITS.columns}", lines_to_header(data))
    sizes = {len(row) for row in rows[1:]} if len(rows) > 2 else set()
    named = sizes == {len(rows[0]) + 1}  # as R and pandas write a table with row names
    uneven = len(sizes | {len(rows[0])}) > 1 and not named
    if delimiter == " " and not links and uneven and b"\t" not in data:
        # one label of several words a line; a link has two ends
        return [[line.strip()] for line in sample.splitlines()], "\t"
    return rows, delimiter


def column_types(body: list[list[str]], width: int, data: bytes, *, links: bool) -> dict[int, str]:
    """Choose integers, floats or text for each column by the first rows."""

    def holds(pattern: re.Pattern[str], column: int) -> bool:
        return bool(body) and all(
            len(row) > column and pattern.fullmatch(row[column].strip()) for row in body
        )

    whole = [holds(INTEGER, k) for k in range(width)]
    if any(whole) and not plain_integers(data):
        whole = [False] * width
    types = {k: "int64" if whole[k] else "str" for k in range(width)}
    if links:
        types |= {k: "float64" for k in range(2, width) if not whole[k] and holds(WEIGHT, k)}
    return types


def tail(column: Any) -> Any:
    """Return a column without its first row."""
    return column[1:] if isinstance(column, np.ndarray) else column[1:].reset_index(drop=True)


def unique_names(names: list[str]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
    repeat = {name: itertools.count(1) for name, count in seen.items() if count > 1}
    return tuple(f"{name} {next(repeat[name])}" if name in repeat else name for name in names)


def plain_integers(data: bytes) -> bool:
    """Return whether no number is written in another way than its shortest, as 007 or +7 are.

    Read as integers these would lose their form, and as ids that matters. Exponents do not
    count.
    """
    for sign in (b"+", b"-0"):
        if sign[:1] in data and re.search(rb"(?<![eE])" + re.escape(sign), data):
            return False
    array = np.frombuffer(b"\n" + data, np.uint8)
    for start in range(0, array.size, BLOCK):
        part = array[start : start + BLOCK + 2]
        digit, zero = part - np.uint8(48) < 10, part == 48
        # a zero that a digit follows, and none precedes
        leading = np.flatnonzero(zero[1:-1] & digit[2:] & ~digit[:-2])
        if not BEFORE_ZERO[part[leading]].all():
            return False
    return True


def parse_columns(
    path: Path, data: bytes, delimiter: str, header: bool, types: dict[int, str]
) -> tuple[Any, ...]:
    import pandas as pd

    # later versions are exact by default
    exact: Any = {"float_precision": "round_trip"} if int(pd.__version__[0]) < 3 else {}
    text, padded = text_type(), may_be_padded(data, delimiter)

    def parse(dtype: Any) -> Any:
        kinds = dict.fromkeys(types, dtype) if isinstance(dtype, str) else dtype
        with warnings.catch_warnings():
            # pandas only warns where it leaves out fields of the first row
            warnings.simplefilter("error", pd.errors.ParserWarning)
            try:
                return pd.read_csv(
                    io.BytesIO(data),
                    sep=r"\s+" if delimiter == " " else delimiter,
                    header=None,
                    names=range(len(types)),
                    skiprows=0 if not header else lines_to_header(data),
                    dtype={k: text if kind == "str" else kind for k, kind in kinds.items()},
                    index_col=False,
                    keep_default_na=False,
                    na_filter=False,
                    skipinitialspace=padded,  # which takes half as long again
                    encoding="utf-8",
                    **exact,
                )
            except pd.errors.ParserWarning:
                rows = split_rows(data.decode(), delimiter)
                line = next(itertools.islice(rows, header, None))[0]
                fail(path, "has more fields than the other rows", line)

    frame = attempt(path, parse, types)
    if frame is None and "int64" in types.values() and len(types) > 2:
        # integers beyond the ends may go on as fractions
        floats = {k: "float64" if t == "int64" and k > 1 else t for k, t in types.items()}
        frame = attempt(path, parse, floats)
    if frame is None:
        integers = {k: kind if kind == "int64" else "str" for k, kind in types.items()}
        frame = attempt(path, parse, integers)
    if frame is None:
        frame = attempt(path, parse, "str")
    if len(frame) == 0:
        fail_at_end(path, "holds a header but no rows")
    numeric = {k: frame[k].to_numpy() for k in types if frame[k].dtype.kind in "if"}
    words = [k for k in types if k not in numeric]
    columns = numeric | dict(zip(words, coded([frame[k] for k in words], padded=padded)))
    return tuple(columns[k] for k in types)


def coded(columns: list[Any], *, padded: bool) -> list[Any]:
    """Return text of which each distinct value is kept, and looked at, once for all columns."""
    import pandas as pd

    if not columns:
        return []
    codes, names = pd.factorize(pd.concat(columns, ignore_index=True))
    names = np.array(names, dtype=object)
    if padded:
        places, names = pd.factorize(np.array([name.strip() for name in names], dtype=object))
        codes = places[codes]
    kind = pd.CategoricalDtype(pd.Index(names, dtype=object))
    parts = np.split(codes, len(columns))
    return [pd.Series(pd.Categorical.from_codes(part, dtype=kind)) for part in parts]


def text_type() -> Any:
    """Return the type of text that pandas reads fastest: Arrow's, without an object per field."""
    import pandas as pd

    try:
        import pyarrow
    except ImportError:
        return object
    return pd.ArrowDtype(pyarrow.large_string()) if int(pd.__version__[0]) >= 3 else object


def may_be_padded(data: bytes, delimiter: str) -> bool:
    """Return whether fields can begin or end with spaces; looking at each one takes long."""
    spaces = {b" ", b"\t"} - {delimiter.encode()} - ({b"\t"} if delimiter == " " else set())
    return not data.isascii() or b'"' in data or any(space in data for space in spaces)


def lines_to_header(data: bytes) -> int:
    """Count the lines up to and with the first that is not empty."""
    filled = re.search(rb"[^\s]", data)
    start = filled.start() if filled else 0
    return data.count(b"\n", 0, start) + 1


def attempt(path: Path, parse: Callable[[Any], Any], types: Any) -> Any:
    """Parse, or give None where a column that began with integers goes on otherwise."""
    import pandas as pd

    try:
        return parse(types)
    except pd.errors.EmptyDataError:
        fail_at_end(path, "holds a header but no rows")
    except pd.errors.ParserError as error:
        text = str(error).strip()
        found = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", text)
        if found:
            wanted, line, saw = map(int, found.groups())
            fail(path, f"{saw} fields, but {wanted} in the rows above", line)
        start = re.search(r"starting at row (\d+)", text)
        if start:
            fail(path, "a quotation mark is not closed", int(start.group(1)) + 1)
        if types == "str":
            fail_at_end(path, f"cannot be read as a table ({text})")
    except (ValueError, OverflowError) as error:
        if types == "str":
            fail_at_end(path, f"cannot be read as a table ({error})")
    return None


def first_other(column: Any) -> int:
    """Find the first row that holds no integer, 0 if all do."""
    return int(np.argmax([INTEGER.fullmatch(str(value)) is None for value in column]))


def node_numbers(table: Table, least: int, most: int | None = None) -> list[NDArray[np.int64]]:
    """Return the first two columns, which number nodes from `least` to `most`."""
    ends = []
    for name in table.names[:2]:
        column = table[name]
        if not (isinstance(column, np.ndarray) and column.dtype == np.int64):
            row = first_other(column)
            fail(table.path, f"{shown(str(column[row]))} is no node number", table.line(row))
        bad = column < least
        if most is not None:
            bad |= column > most
        if bad.any():
            row = int(np.argmax(bad))
            range_ = (
                f"below {least}, the first node" if most is None else f"outside {least} to {most}"
            )
            fail(table.path, f"node {column[row]} is {range_}", table.line(row))
        ends.append(column)
    return ends
