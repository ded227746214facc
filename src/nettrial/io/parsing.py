"""From delimited text to columns by pandas: integers, floats, and text of which each value once."""

from __future__ import annotations

import io
import itertools
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .columns import INTEGER, NUMBER
from .guards import fail, fail_at_end
from .rows import split_rows

WEIGHT = re.compile(rf"(?![+-]?0\d)(?:{NUMBER.pattern})", re.I)  # 007 is an id
BLOCK = 2**20  # bytes that are looked at at once, since they fit into the cache
# by byte: digits, the point and the signs and letters of an exponent may stand before a zero
BEFORE_ZERO = np.isin(np.arange(256), list(b"0123456789.eE+-"))


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
