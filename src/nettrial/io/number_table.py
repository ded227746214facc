"""Tables of nothing but numbers, as benchmark collections keep links, labels and features."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from .guards import LIMITS, fail, fail_at_end, read_text
from .numerals import decimal_number

MISSING = ("", "nan", "NaN", "NA")


def read_node_numbers(path: Path, n: int) -> NDArray[np.float64]:
    """Read a row of numbers for each of `n` nodes."""
    values = read_numbers(path)
    if values.shape[0] != n:
        fail_at_end(path, f"holds {values.shape[0]} rows for {n} nodes")
    return values


def read_numbers(path: Path, *, columns: int | None = None) -> NDArray[np.float64]:
    """Read rows of numbers, parted by commas or spaces; empty fields and nan are NaN."""
    import pandas as pd

    data = read_text(path)
    rows = [row for row in data[: 2**16].split(b"\n") if row.strip()]
    if not rows:
        fail_at_end(path, "holds no rows")
    comma = b"," in rows[0]
    width = rows[0].count(b",") + 1 if comma else len(rows[0].split())
    if width > LIMITS.columns:
        fail(path, f"has {width} columns, the limit is {LIMITS.columns}", 1)
    try:
        frame = pd.read_csv(
            io.BytesIO(data),
            header=None,
            sep="," if comma else r"\s+",
            dtype=np.float64,
            skipinitialspace=True,
            na_values=list(MISSING),
            keep_default_na=False,
            index_col=False,
        )
        numbers = frame.to_numpy()
    except (ValueError, OverflowError, pd.errors.ParserError, pd.errors.ParserWarning):
        numbers = np.zeros((0, 0))
    failed = numbers.shape[1:] != (width,)
    if failed or not np.isfinite(numbers).all():  # pandas fills short rows up with NaN
        check_rows(path, data, comma, width)
    if failed:
        fail_at_end(path, "cannot be read as a table of numbers")
    if columns is not None and width != columns:
        fail(path, f"has {width} columns, expected {columns}", 1)
    return numbers


def check_rows(path: Path, data: bytes, comma: bool, width: int) -> None:
    """Fail at the first row that is not `width` numbers."""
    for line, text in enumerate(data.decode().split("\n"), 1):
        if not text.strip():
            continue
        fields = [f.strip(' "') for f in text.split(",")] if comma else text.split()
        if len(fields) != width:
            fail(path, f"{len(fields)} fields, expected {width} as in the first row", line)
        for field in fields:
            if field.strip('"') not in MISSING and decimal_number(field) is None:
                fail(path, f"expected a number, got {shown(field)}", line)


def whole_numbers(path: Path, values: NDArray[np.float64], what: str) -> NDArray[np.int64]:
    """Turn numbers into integers, refusing fractions and missing values."""
    bad = ~(np.abs(values) < 2**53) | (values != np.floor(values))
    if bad.any():
        row = int(np.argmax(bad if bad.ndim == 1 else bad.any(axis=1)))
        got = values[bad][0]
        fail(path, f"expected whole numbers as {what}, got {got} in row {row + 1}")
    return values.astype(np.int64)
