"""Parquet tables of links and nodes; needs pyarrow."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

from .guards import check_ratio, fail, size_of
from .tables import Table

CELLS = 4_000_000  # that any file may hold
CELLS_A_BYTE = 50  # beyond these, for each byte of the file
THRIFT: dict[str, Any] = {"thrift_string_size_limit": 2**26, "thrift_container_size_limit": 10**6}


def is_parquet(head: bytes) -> bool:
    return head.startswith(b"PAR1")


def read_parquet(path: Path) -> tuple[Table, list[str]]:
    """Read a Parquet file as a table; columns of lists are left out and told."""
    if importlib.util.find_spec("pyarrow") is None:
        fail(path, "is a Parquet file, which needs the extra: pip install 'nettrial[parquet]'")
    import pyarrow as pa
    import pyarrow.parquet as pq

    # up to 14.0.0 a file could bring a type as a pickle, which was loaded (CVE-2023-47248)
    pickled = getattr(pa, "PyExtensionType", None)
    if pickled is not None and not hasattr(pickled, "set_auto_load"):
        fail(
            path,
            f"is not read with pyarrow {pa.__version__}, which runs code that a file may hold; "
            "take a later one: pip install 'nettrial[parquet]'",
        )
    try:
        # text stays a dictionary of its values, of which long ones can occur in many rows
        with pq.ParquetFile(path, **THRIFT) as file:
            size, meta = size_of(path), file.metadata
            declared = sum(meta.row_group(k).total_byte_size for k in range(meta.num_row_groups))
            check_ratio(path, size, declared)
            cells = meta.num_rows * max(meta.num_columns, 1)
            if cells > CELLS + CELLS_A_BYTE * size:
                fail(
                    path,
                    f"declares {meta.num_rows} rows of {meta.num_columns} columns in {size} "
                    "bytes, beyond what data is packed to",
                )
            texts = [
                field.name
                for field in file.schema_arrow
                if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
            ]
        with pq.ParquetFile(path, read_dictionary=texts, **THRIFT) as file:
            simple = [
                field.name for field in file.schema_arrow if not pa.types.is_nested(field.type)
            ]
            left_out = [name for name in file.schema_arrow.names if name not in simple]
            frame = file.read(columns=simple).to_pandas(ignore_metadata=True)
    except (pa.ArrowException, OSError, ValueError, TypeError, LookupError) as error:
        if type(error).__module__.startswith("nettrial"):
            raise
        fail(path, f"is damaged ({str(error).splitlines()[0]})")
    columns = tuple(column(frame[name]) for name in frame.columns)
    if not columns or len(frame) == 0:
        fail(path, "holds no rows")
    names = tuple(map(str, frame.columns))
    return Table(path, names, columns, True, "", 0, lines=False), left_out


def column(series: Any) -> Any:
    """Keep integers; turn all else into text, which other tables hold too."""
    if series.dtype.kind in "iu" and series.dtype != np.uint64:
        return series.to_numpy().astype(np.int64)
    if hasattr(series, "cat"):  # one text for each value, however many rows have it
        values = np.array([*map(str, series.cat.categories), ""], dtype=object)
        return values[series.cat.codes.to_numpy()]
    return series.astype(object).where(series.notna(), "").astype(str)
