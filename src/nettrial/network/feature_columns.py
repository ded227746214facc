"""Node columns as features: what each becomes, which are left out and why, and gaps filled in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, not_found, shown
from ..numeric.checks import is_missing
from .missing_text import missing_spellings
from .node_values import MISSING

Floats = NDArray[np.float64]
ALL = "all"
FEW_LEVELS = 5  # categories that all have a column, however rare
MOST_LEVELS = 20  # categories of one column that have one
RARE = 5  # nodes that a category needs for a column, where there are more than a few
ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?")
OTHER_DATE = re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{2,4}")
# words of names of columns that say nothing of a node; left out of all columns, taken by name
IDS = {"id", "ids", "uid", "uuid", "key", "url", "uri", "index", "rowid"}
DISPLAY = {"color", "colour", "shape", "viz", "font"}
SPLITS = {"mask", "split", "fold"}
FEWEST_RUNNING = 20  # values, below which they may follow each other by chance


@dataclass(frozen=True, slots=True)
class FeatureColumns:
    """Which node columns became features."""

    # one for each feature: that of a column, or of a column and one of its categories
    names: tuple[str, ...]
    note: str  # what was taken, and what was left out and why


@dataclass(frozen=True, slots=True)
class Encoded:
    """A node column as numbers, or why it is none."""

    table: Floats
    names: tuple[str, ...]
    remark: str = ""
    refused: str = ""


def encode_columns(
    columns: Mapping[str, Iterable[Any]],
    asked: str | Sequence[str],
    labels: NDArray[np.int32],
    targets: NDArray[np.float64] | None = None,
) -> tuple[Floats, FeatureColumns]:
    """Make features of node columns.

    Numbers stay as they are, dates become days since 1970, and each category has a column of 0
    and 1; rare categories share one. A missing category is a category of its own, a missing
    number is NaN until a training set fills it in, see `filled`. No label plays a part, but that
    a column that equals the class or target is never taken.

    Parameters
    ----------
    columns : mapping of str to sequence, each of length n_nodes
    asked : str or sequence of str
        Names of columns, or "all": those that can be features.
    labels : ndarray of int, shape (n_nodes,)
        Class codes, -1 where there is none.
    targets : ndarray of float, shape (n_nodes,), optional
        Numeric targets.

    Returns
    -------
    features : ndarray of float, shape (n_nodes, n_features)

    Examples
    --------
    >>> columns = {"age": ["31", "", "40", "35"], "sex": ["f", "m", "f", "m"]}
    >>> features, taken = encode_columns(columns, "all", np.array([0, 0, 1, 1]))
    >>> features.tolist()
    [[31.0, 1.0, 0.0], [nan, 0.0, 1.0], [40.0, 1.0, 0.0], [35.0, 0.0, 1.0]]
    >>> taken.names
    ('age', 'sex=f', 'sex=m')
    >>> print(taken.note)
    features from the columns age (1 missing, filled in from training nodes and flagged), sex (2
    categories)
    """
    named = [asked] if isinstance(asked, str) else list(asked)
    everything = named == [ALL] and ALL not in columns
    names = list(columns) if everything else [_listed(name, columns) for name in named]
    if len(set(names)) < len(names):
        raise InputError(parameter="features", expected="each column once", got=", ".join(names))
    taken: dict[str, Encoded] = {}
    left: dict[str, str] = {}
    for name in names:
        values = np.empty(labels.size, dtype=object)
        values[:] = list(columns[name])
        found = encoded(name, values)
        reason = found.refused or _equals(found, labels, targets)
        if everything:
            reason = reason.partition(";")[0] or _by_name(name) or _running_number(found.table)
        elif reason:
            raise InputError(f"column {shown(name)} {reason}", parameter="features")
        if reason:
            left[name] = reason
        else:
            taken[name] = found
    if not taken:
        reasons = "; ".join(f"{name} {reason}" for name, reason in left.items())
        reasons = reasons or "there are none"
        raise InputError(f"no node column can be a feature: {reasons}", parameter="features")
    note = "features from the columns " + ", ".join(
        f"{name} ({one.remark})" if one.remark else name for name, one in taken.items()
    )
    if left:
        note += "; left out: " + ", ".join(f"{name} ({why})" for name, why in left.items())
    table = np.hstack([one.table for one in taken.values()])
    return table, FeatureColumns(tuple(n for one in taken.values() for n in one.names), note)


def _listed(name: str, columns: Mapping[str, Any]) -> str:
    """Return a column's name as the table has it."""
    if name in columns:
        return name
    alike = [one for one in columns if one.lower() == name.lower()]
    if len(alike) != 1:
        raise not_found("node column", name, columns, parameter="features")
    return alike[0]


def _by_name(name: str) -> str:
    """Return why a column is not among all features by its name alone."""
    words = set(re.split(r"[\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()))
    kinds = {"by its name an id": IDS, "by its name a display": DISPLAY, "a split": SPLITS}
    return next((why for why, some in kinds.items() if words & some), "")


def _running_number(table: Floats) -> str:
    """Return why a column is not among all features by its values alone."""
    if table.shape[1] != 1 or not np.array_equal(table, np.round(table)):
        return ""
    steps = np.diff(np.sort(table[:, 0]))
    return "a running number" if steps.size > FEWEST_RUNNING and (steps == 1).all() else ""


def encoded(name: str, values: NDArray[Any]) -> Encoded:
    """Make numbers of one column, by what all its values are."""
    import pandas as pd

    texts = [value.strip() if isinstance(value, str) else value for value in values.tolist()]
    blank = missing_spellings(text for text in texts if isinstance(text, str))
    gaps = np.array([is_missing(t) or (isinstance(t, str) and t in blank) for t in texts])
    known = pd.Series([text for text, gap in zip(texts, gaps) if not gap], dtype=object)
    none = np.empty((values.size, 0))
    if known.empty:
        return Encoded(none, (), refused="is empty; leave it out")
    if not all(isinstance(each, (str, int, float, bool, np.generic)) or _is_date(each)
               for each in known):  # fmt: skip
        return Encoded(none, (), refused="holds other than numbers, dates and text; leave it out")
    numbers = numbers_or_days(known)
    remark = "" if numbers is None or not _is_date(known.iloc[0]) else "dates as days"
    if numbers is None:
        return _categories(name, known.astype(str), gaps)
    if np.unique(numbers).size == 1:
        return Encoded(none, (), refused="has one value only; leave it out")
    if not np.isfinite(numbers).all():
        return Encoded(none, (), refused="holds infinite numbers; leave them blank")
    table = np.full((values.size, 1), np.nan)
    table[~gaps, 0] = numbers
    if gaps.any():
        absent = f"{np.count_nonzero(gaps):,} missing, filled in from training nodes and flagged"
        remark = f"{remark}; {absent}" if remark else absent
    return Encoded(table, (name,), remark)


def _is_date(value: Any) -> bool:
    if isinstance(value, str):
        return ISO_DATE.fullmatch(value) is not None
    return hasattr(value, "isoformat") and hasattr(value, "year")


def numbers_or_days(values: Any) -> Floats | None:
    """Return values as numbers, of dates as days since 1970; None where they are neither.

    Examples
    --------
    >>> numbers_or_days(["1970-01-03", "1971-01-01"]).tolist(), numbers_or_days(["a"])
    ([2.0, 365.0], None)
    """
    import pandas as pd

    known = pd.Series(values)
    numbers = pd.to_numeric(known, errors="coerce")
    if not numbers.isna().any():
        return numbers.to_numpy(dtype=np.float64)
    if all(map(_is_date, known)):
        days = pd.to_datetime(known.astype(str), format="ISO8601", utc=True, errors="coerce")
        if not days.isna().any():
            since = (days - pd.Timestamp(0, tz="UTC")) / pd.Timedelta(days=1)
            return np.asarray(since, dtype=np.float64)
    return None


def _categories(name: str, known: Any, gaps: NDArray[np.bool_]) -> Encoded:
    """Return a column for each category, one for rare ones together, and one for missing ones."""
    counts = known.value_counts(sort=False)
    ordered = sorted(counts.index, key=lambda level: (-counts[level], level))
    few = len(ordered) <= FEW_LEVELS
    kept = [level for level in ordered[:MOST_LEVELS] if few or counts[level] >= RARE]
    none = np.empty((gaps.size, 0))
    if len(ordered) == 1 and not gaps.any():
        return Encoded(none, (), refused="has one value only; leave it out")
    if not few and (not kept or 2 * len(ordered) > len(known)):
        if all(map(OTHER_DATE.fullmatch, ordered)):
            why = "holds dates of an unclear order; write them as 2020-01-31"
        else:
            why = (
                f"is text ({len(ordered):,} different values for {len(known):,} nodes); make "
                "numbers of it first (counts of words, an embedding) and give these as features"
            )
        return Encoded(none, (), refused=why)
    levels = np.full(gaps.size, "(missing)", dtype=object)
    levels[~gaps] = known.where(known.isin(kept), "(other)").to_numpy()
    shown_levels = [*sorted(kept), *(["(other)"] if len(kept) < len(ordered) else [])]
    shown_levels += ["(missing)"] if gaps.any() else []
    table = np.column_stack([levels == level for level in shown_levels]).astype(np.float64)
    remark = f"{len(ordered):,} categories"
    if len(kept) < len(ordered):
        remark += f", the {len(ordered) - len(kept):,} rare ones together"
    if gaps.any():
        remark += f", {np.count_nonzero(gaps):,} missing as one more"
    return Encoded(table, tuple(f"{name}={level}" for level in shown_levels), remark)


def _equals(found: Encoded, labels: NDArray[np.int32], targets: NDArray[np.float64] | None) -> str:
    """Return that a column is the class or target by another name; empty where it is not."""
    if not found.names:
        return ""
    known = (labels != MISSING) & ~np.isnan(found.table).any(axis=1)
    if 2 * np.count_nonzero(known) < np.count_nonzero(labels != MISSING) or not known.any():
        return ""
    if targets is not None:
        same = len(found.names) == 1 and np.array_equal(found.table[known, 0], targets[known])
        return "equals the target; leave it out" if same else ""
    values = np.unique(found.table[known], axis=0, return_inverse=True)[1].ravel()
    pairs = np.unique(np.column_stack([values, labels[known]]), axis=0)
    each = [np.unique(part).size for part in pairs.T]
    same = each[0] == each[1] == len(pairs) > 1
    return "equals the class; leave it out" if same else ""


def filled(features: Floats, known: NDArray[np.intp]) -> Floats:
    """Fill in missing features by the medians of some nodes, and add a flag for each such column.

    Parameters
    ----------
    features : ndarray of float, shape (n_nodes, n_features)
    known : ndarray of int
        The nodes of a training set; no other node has a say. A column that none of them has is
        filled with 0.

    Returns
    -------
    ndarray of float, shape (n_nodes, n_features + n_flags)
        The flags, 1 where a value was missing, of the columns in which any node's is.

    Examples
    --------
    >>> filled(np.array([[1.0], [np.nan], [5.0], [9.0]]), np.array([0, 2])).tolist()
    [[1.0, 0.0], [3.0, 1.0], [5.0, 0.0], [9.0, 0.0]]
    """
    gaps = np.isnan(features)
    table = np.array(features, dtype=np.float64)
    lacking = np.flatnonzero(gaps.any(axis=0))
    for column in lacking:
        values = table[known, column]
        values = values[~np.isnan(values)]
        table[gaps[:, column], column] = np.median(values) if values.size else 0.0
    return np.hstack([table, gaps[:, lacking]])


def is_column_names(features: Any) -> bool:
    """Return whether features are named, rather than given as numbers.

    Examples
    --------
    >>> is_column_names("all"), is_column_names(["age"]), is_column_names([[1.0]])
    (True, True, False)
    """
    if isinstance(features, str):
        return True
    return isinstance(features, (list, tuple)) and all(isinstance(each, str) for each in features)
