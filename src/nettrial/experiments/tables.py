"""From sums over trials to a tidy table with Monte Carlo error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import stdtrit

from ..stats.intervals import proportion_interval
from .records import REJECTIONS, Record

if TYPE_CHECKING:
    import pandas as pd

CONFIDENCE = 0.95
FIXED = (
    "experiment", "test", "measure", "trials", "rejections", "rate", "mean", "low", "high",
    "undefined", "blocks",
)  # fmt: skip


def quantile(degrees: float) -> float:
    """Return how many standard errors an interval of a mean reaches, by Student's t."""
    return float(stdtrit(degrees, (1 + CONFIDENCE) / 2))


def merge(records: Iterable[Record]) -> list[Record]:
    """Add up the records of one quantity, in the order in which they come."""
    found: dict[tuple[Any, ...], Record] = {}
    for record in records:
        key = record.key()
        found[key] = found[key] + record if key in found else record
    return list(found.values())


def tabulate(name: str, records: Iterable[Record], batches: Sequence[int] = ()) -> pd.DataFrame:
    """Make the table: Wilson's interval for a rate, Student's for a mean.

    Where a run has few networks, what is said is said of networks: the interval is that of the
    mean over them, and for a rate never shorter than Wilson's.

    Parameters
    ----------
    name : str
        Of the experiment.
    records : iterable of Record
    batches : sequence of int, optional
        One per record: which trials it is of, where trials of one number share a network in all
        cells. The column `blocks` keeps the sums of each batch, or of each of few networks.
    """
    import pandas as pd

    found: dict[tuple[Any, ...], dict[int | None, Record]] = {}
    for record, batch in zip_longest(records, batches):
        blocks = found.setdefault(record.key(), {})
        block = batch if record.network is None else record.network
        blocks[block] = blocks[block] + record if block in blocks else record
    table = pd.DataFrame([_row(name, blocks) for blocks in found.values()])
    settings = [column for column in table if column not in FIXED]
    settings.sort(key=lambda name: name != "design")  # first, whichever row names it first
    return table[["experiment", *settings, *FIXED[1:]]].astype({"rejections": "Int64"})


def _row(name: str, blocks: dict[int | None, Record]) -> dict[str, Any]:
    (record,) = merge(blocks.values())
    row: dict[str, Any] = {"experiment": name, **record.where, "test": record.test}
    row |= {"measure": record.measure, "trials": record.trials}
    n = record.trials
    nothing = float("nan")
    if record.measure == REJECTIONS:
        interval = proportion_interval(int(record.total), n, confidence=CONFIDENCE)
        row |= {"rejections": int(record.total), "rate": record.total / n, "mean": nothing}
        row |= {"low": float(interval.ci_low), "high": float(interval.ci_high)}
    else:
        mean = record.total / n if n else nothing
        variance = max(record.squares - n * mean**2, 0.0) / (n - 1) if n > 1 else nothing
        half = quantile(n - 1) * float(np.sqrt(variance / n)) if n > 1 else nothing
        row |= {"rejections": None, "rate": nothing, "mean": mean}
        row |= {"low": mean - half, "high": mean + half}
    if any(each.network is not None for each in blocks.values()):
        row |= _between_networks(row, list(blocks.values()))
    sums = {key: (each.trials, each.total) for key, each in blocks.items() if key is not None}
    return row | {"undefined": record.undefined, "blocks": sums}


def _between_networks(row: dict[str, Any], networks: list[Record]) -> dict[str, float]:
    """Return the ends of the interval for other networks of the kind; none of one network."""
    means = np.array([each.total / each.trials for each in networks if each.trials])
    if means.size < 2:
        return {"low": float("nan"), "high": float("nan")}
    half = quantile(means.size - 1) * float(means.std(ddof=1)) / means.size**0.5
    if row["measure"] != REJECTIONS:
        return {"low": row["mean"] - half, "high": row["mean"] + half}
    return {
        "low": max(min(row["low"], row["rate"] - half), 0.0),
        "high": min(max(row["high"], row["rate"] + half), 1.0),
    }


def value(table: pd.DataFrame) -> pd.Series:
    """Return each row's rate, or its mean where it is no rate."""
    return table["rate"].where(table["measure"] == REJECTIONS, table["mean"])


def beside(table: pd.DataFrame, measure: str) -> pd.Series:
    """Return, for each row, the mean of another measure in the same cell.

    Columns that the measure's own rows leave empty do not count.
    """
    import pandas as pd

    rows = table[table["measure"] == measure]
    keys = [c for c in table if c not in FIXED and c in rows and rows[c].notna().any()]
    means = rows.set_index(keys)["mean"]
    wanted = pd.MultiIndex.from_frame(table[keys]) if len(keys) > 1 else table[keys[0]]
    return pd.Series(means.reindex(wanted).to_numpy(), index=table.index)
