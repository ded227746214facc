"""The predictions of a study file as CSV or Parquet, a split at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ..core.atomic import check_place, whole_file
from ..core.errors import InputError, unknown_choice
from ..core.plain_text import harmless
from ..network.network import Network
from ..splits.link_designs import LinkSplit
from ..store import StoredStudy, Unit
from ..store.splits import AnySplit
from ..study.fitting import prediction_shape
from ..study.link_study import LinkPredictions
from ..study.node_study import Predictions

if TYPE_CHECKING:
    import pandas as pd

ENDINGS = (".csv", ".csv.gz", ".parquet")


def export_predictions(path: str | PathLike[str], out: str | PathLike[str]) -> int:
    """Write the predictions of a finished study as a table.

    Parameters
    ----------
    path : path
        A study file.
    out : path
        ``NAME.csv``, ``NAME.csv.gz`` or ``NAME.parquet``, which must not exist. Columns as
        `Predictions.to_frame` or, of links, `LinkPredictions.to_frame` gives them; in CSV, text
        that a spreadsheet would run as a formula has a quote before it.

    Returns
    -------
    int
        Number of rows.

    Raises
    ------
    InputError
        Where the study cannot be read or the table not be written.
    IncompleteStudyError
        Where units failed or are not done.
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
        shape = study_shape(network, split)
        found = {
            name: tuple(study.results([(Unit(place, number), shape)]))
            for place, name in enumerate(study.models)
        }
        frame = predictions_of(network, (split,), study.models, found).to_frame()
        yield frame.assign(split=number)


def study_shape(network: Network, split: AnySplit) -> tuple[int, ...]:
    """Return the shape of what a model gives on a split: for nodes, or a score for each pair."""
    if isinstance(split, LinkSplit):
        return (split.test.size,)
    return prediction_shape(network, split.test)


def predictions_of(
    network: Network,
    splits: Sequence[AnySplit],
    models: tuple[str, ...],
    found: Mapping[str, tuple[NDArray[Any], ...]],
    warned: Mapping[str, tuple[tuple[str, ...], ...]] = MappingProxyType({}),
) -> Predictions | LinkPredictions:
    """Return what models gave on splits of one kind."""
    if isinstance(splits[0], LinkSplit):
        return LinkPredictions(network, tuple(splits), models, found, warned)  # type: ignore[arg-type]
    return Predictions(network, tuple(splits), models, found, warned)  # type: ignore[arg-type]


def write_csv(frames: Iterator[pd.DataFrame], path: Path) -> int:
    rows = 0
    for frame in frames:
        frame = frame.map(harmless)
        frame.to_csv(path, mode="a" if rows else "w", header=not rows, index=False)
        rows += len(frame)
    return rows


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
            if frame["node"].dtype == object:
                frame["node"] = frame["node"].map(str)
            table = pa.Table.from_pandas(frame, preserve_index=False)
            writer = writer or pq.ParquetWriter(path, table.schema)
            writer.write_table(table)
            rows += len(frame)
    finally:
        if writer is not None:
            writer.close()
    return rows
