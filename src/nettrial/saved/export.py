"""The predictions of a study file as CSV or Parquet, a split at a time."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.atomic import check_place, whole_file
from ..core.errors import InputError, shown, unknown_choice
from ..core.plain_text import harmless
from ..store import StoredStudy, Unit
from ..study.node_study import Predictions
from ..study.tasks import task_of

if TYPE_CHECKING:
    import pandas as pd

ENDINGS = (".csv", ".csv.gz", ".parquet")


def export_predictions(path: str | PathLike[str], out: str | PathLike[str]) -> int:
    """Write the predictions of a finished study as a table.

    `out`, which must not exist, ends in .csv, .csv.gz or .parquet. Columns are those of
    `Predictions.to_frame`; in CSV, text that a spreadsheet would run as a formula has a quote
    before it, and control characters are escaped. nettrial reads both back.
    """
    target = Path(out)
    ending = next((e for e in ENDINGS if target.name.lower().endswith(e)), None)
    if ending is None:
        raise unknown_choice("ending of the table", target.suffix, ENDINGS)
    check_place(target, replace=False)
    frames = split_frames(StoredStudy(path))
    with whole_file(target, replace=False) as draft:
        return write_parquet(frames, draft) if ending == ".parquet" else write_csv(frames, draft)


def split_frames(study: StoredStudy) -> Iterator[pd.DataFrame]:
    """Return the table of one split after the other."""
    study.check_complete(study.units())
    network = study.network()
    for number, split in enumerate(study.splits()):
        shape = task_of(network, (split,)).shape(network, split)
        found = {
            name: tuple(study.results([(Unit(place, number), shape)]))
            for place, name in enumerate(study.models)
        }
        frame = Predictions(network, (split,), study.models, found).to_frame()
        yield frame.assign(split=number)


def write_csv(frames: Iterator[pd.DataFrame], path: Path) -> int:
    rows = 0
    for frame in frames:
        frame = frame.map(_cell).rename(columns=_cell)
        frame.to_csv(path, mode="a" if rows else "w", header=not rows, index=False)
        rows += len(frame)
    return rows


def _cell(value: object) -> object:
    """Return a cell as CSV holds it; refuse text that readers of CSV would cut."""
    cell = harmless(value)
    if isinstance(cell, str) and cell != cell.strip():
        raise InputError(
            expected="ids, classes and names of models without spaces or line separators at an end",
            got=shown(cell),
            hint="readers of CSV leave these out; rename it, or export Parquet",
            where="CSV",
        )
    return cell


def write_parquet(frames: Iterator[pd.DataFrame], path: Path) -> int:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InputError(
            "Parquet needs pyarrow; install it by `pip install nettrial[parquet]`, or write CSV"
        ) from None
    rows = 0
    writer = None
    try:
        for frame in frames:
            for name in [each for each in frame if frame[each].dtype == object]:
                frame[name] = frame[name].map(str)
            table = pa.Table.from_pandas(frame, preserve_index=False)
            writer = writer or pq.ParquetWriter(path, table.schema)
            writer.write_table(table)
            rows += len(frame)
    finally:
        if writer is not None:
            writer.close()
    return rows
