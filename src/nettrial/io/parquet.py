"""Parquet tables of links and nodes; needs pyarrow."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

from .guards import LIMITS, check_ratio, fail, size_of
from .tables import Table

CELLS = 4_000_000  # that any file may hold
CELLS_A_BYTE = 50  # beyond these, for each byte of the file
VALUES = 500_000  # different ones that a column may hold, beyond one for each byte of the file
THRIFT: dict[str, Any] = {"thrift_string_size_limit": 2**26, "thrift_container_size_limit": 10**6}


def is_parquet(head: bytes) -> bool:
    return head.startswith(b"PAR1")


def read_parquet(path: Path) -> tuple[Table, list[str]]:
    """Read a Parquet file as a table; columns of lists are left out, with a note."""
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
            if meta.num_columns > LIMITS.columns:
                fail(path, f"has {meta.num_columns} columns, the limit is {LIMITS.columns}")
            texts = [field.name for field in file.schema_arrow if is_text(field.type)]
        with pq.ParquetFile(path, read_dictionary=texts, **THRIFT) as file:
            simple = [
                field.name for field in file.schema_arrow if not pa.types.is_nested(field.type)
            ]
            left_out = [name for name in file.schema_arrow.names if name not in simple]
            read = file.read(columns=simple)
        columns = tuple(column(path, name, read[name]) for name in simple)
    except (pa.ArrowException, OSError, ValueError, TypeError, LookupError) as error:
        if type(error).__module__.startswith("nettrial"):
            raise
        fail(path, f"is damaged ({str(error).splitlines()[0]})")
    if not columns or read.num_rows == 0:
        fail(path, "holds no rows")
    return Table(path, tuple(simple), columns, True, "", 0, lines=False), left_out


def is_text(kind: Any) -> bool:
    import pyarrow as pa

    types = pa.types
    return any(
        each(kind)
        for each in (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    )


def column(path: Path, name: str, chunks: Any) -> Any:
    """Keep integers; turn all else into text, which other tables hold too.

    Each value is turned into text once, however many rows have it.
    """
    import pyarrow as pa

    if isinstance(chunks.type, pa.BaseExtensionType):  # what it is stored as, whatever it is called
        parts = [chunk.storage for chunk in chunks.chunks]
        chunks = pa.chunked_array(parts, chunks.type.storage_type)
    kind = chunks.type
    if pa.types.is_integer(kind) and kind != pa.uint64() and chunks.null_count == 0:
        return chunks.to_numpy().astype(np.int64)
    if chunks.null_count == len(chunks):
        return np.full(len(chunks), "", dtype=object)
    if not pa.types.is_dictionary(kind):
        half = pa.types.is_float16(kind)  # of which pyarrow makes no dictionary
        chunks = (chunks.cast(pa.float32()) if half else chunks).dictionary_encode()
    size = size_of(path)
    whole = chunks.unify_dictionaries().combine_chunks()
    codes = whole.indices.fill_null(len(whole.dictionary)).to_numpy(zero_copy_only=False)
    if len(whole.dictionary) > VALUES + size:
        fail(
            path,
            f"column {name!r} holds {len(whole.dictionary):,} values in {size} bytes, "
            "beyond what data is packed to",
        )
    values = np.array([*texts_of(path, name, whole.dictionary), ""], dtype=object)
    lengths = np.array([len(value) for value in values])
    check_ratio(path, size, int(lengths @ np.bincount(codes, minlength=lengths.size)))
    return values[codes]


def texts_of(path: Path, name: str, values: Any) -> list[str]:
    """Return the text of each value; bytes are text that was written without saying so."""
    items = values.to_pandas().astype(object)
    if len(items) and isinstance(items.iloc[0], bytes):
        try:
            return [item.decode() for item in items]
        except UnicodeDecodeError:
            fail(path, f"column {name!r} holds bytes that are no UTF-8 text")
    return [*items.where(items.notna(), "").astype(str)]
