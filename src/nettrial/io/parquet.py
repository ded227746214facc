"""Parquet tables of links and nodes; needs pyarrow."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

from .guards import LIMITS, check_ratio, fail, size_of
from .tables import Table


def is_parquet(head: bytes) -> bool:
    return head.startswith(b"PAR1")


def read_parquet(path: Path) -> tuple[Table, list[str]]:
    """Read a Parquet file as a table; columns of lists are left out and told."""
    if importlib.util.find_spec("pyarrow") is None:
        fail(path, "is a Parquet file, which needs the extra: pip install 'nettrial[parquet]'")
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            size, meta = size_of(path), file.metadata
            declared = sum(meta.row_group(k).total_byte_size for k in range(meta.num_row_groups))
            check_ratio(path, size, declared)
            if meta.num_rows > LIMITS.spare_nodes + LIMITS.ratio * size:
                fail(path, f"declares {meta.num_rows} rows in {size} bytes")
            simple = [
                field.name for field in file.schema_arrow
                if not pa.types.is_nested(field.type)
            ]  # fmt: skip
            left_out = [name for name in file.schema_arrow.names if name not in simple]
            frame = file.read(columns=simple).to_pandas()
    except (pa.ArrowException, OSError, ValueError) as error:
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
    return series.astype(object).where(series.notna(), "").astype(str)
