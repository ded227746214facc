"""Which node column becomes the classes or the targets, and what of it is missing or doubtful."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..core.errors import InputError, not_found, shown
from ..core.option_names import option, written
from ..network.missing_text import missing_spellings
from ..numeric.checks import is_missing
from .column_looks import Column
from .columns import column_named
from .evidence import CONSTANT, EMPTY, why_not
from .found import Found, where_of
from .guards import fail
from .label_choice import choose_label, take_targets
from .missing import Codes, codes_of, suspects, without_codes

SHOWN = 4  # classes that a warning names


@dataclass(slots=True)
class Labels:
    """The column of classes or targets, what is left of the others, what was read as missing."""

    column: str | None
    choice: str
    values: Any
    classes: Sequence[Hashable] | None
    columns: dict[str, Any]
    missing: dict[str, int]
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    targets: Sequence[float] | None = None


def take_labels(found: Found, asked: str | None, missing: Codes) -> Labels:
    """Choose the class column, and read the codes for missing values in all columns."""
    guessed = {key: found.columns[key] for key in found.columns if key not in found.not_labels}
    column, choice = choose_label(
        guessed if asked is None else found.columns,
        asked,
        stated=found.label,
        likely=found.likely_label,
        usual=f"usual in the format {found.format}",
        where=where_of(found),
    )
    note, columns = chosen_columns(found, column, missing, "label")
    classes = found.classes if column is not None and column == found.label else None
    labels = Labels(
        column, choice, None, classes, columns, found.missing.get(column or "", {}) | note
    )
    if column is None:
        return labels
    labels.values = columns.pop(column)
    if classes is not None:
        labels.classes = [name for name in classes if str(name) not in note]
    else:
        labels.values, spelled = texts_missing(labels.values, found.kept)
        labels.missing |= spelled
        if all(map(is_missing, labels.values)):
            labels.notes.append(f"the label column {column!r} is empty")
    labels.doubts = label_doubts(labels.values, column, found)
    return labels


def targets_instead(found: Found, label: str | None, asked: str, missing: Codes) -> Labels:
    """Take a column of numbers in the place of classes, see `take_labels`."""
    if label is not None:
        raise InputError(
            expected=f"{option('label')} (classes) or {option('target')} (numbers)",
            got="both",
            where="read",
        )
    column = column_named(found.columns, asked, where_of(found), parameter="target")
    note, columns = chosen_columns(found, column, missing, "target")
    columns[column], spelled = texts_missing(columns[column], frozenset())
    doubts = target_doubts(columns[column], column)
    column, numbers = take_targets(columns, column, where_of(found))
    if found.label in columns and all(map(is_missing, columns[found.label])):
        del columns[found.label]  # the place of classes in files that may have none
    counts = found.missing.get(column, {}) | note | spelled
    choice = "asked for as a numeric target"
    return Labels(column, choice, None, None, columns, counts, doubts=doubts, targets=numbers)


def target_doubts(values: Sequence[Any], column: str) -> list[str]:
    """Return what makes a column of targets suspicious: a code for missing ones, given twice.

    Examples
    --------
    >>> target_doubts(["1.5", "-999", "2.5", "-999"], "y")[0][:54]
    "the target '-999' of column 'y' may stand for a missin"
    >>> target_doubts(["98", "99", "99", "100"], "y")
    []
    """
    times = Counter(str(value).strip() for value in values if not is_missing(value))
    codes = [name for name in suspects(times) if times[name] > 1]
    if not codes:
        return []
    return [
        f"the target {', '.join(map(written, codes))} of column {column!r} may stand for a missing "
        f"one; {option('missing', codes[0])} reads it as that"
    ]


def chosen_columns(
    found: Found, column: str | None, missing: Codes, what: str
) -> tuple[dict[str, int], dict[str, Any]]:
    """Take the codes for missing values out of the columns, see `take_codes`.

    A node with two values in the column that is the label or the target is refused.
    """
    if column in found.conflicts:
        path, line = found.conflicts[column]
        fail(path, f"lists a node again with another {shown(column)}, the {what}", line)
    return take_codes(found, dict(found.columns), codes_of(missing, column), column)


def take_codes(
    found: Found,
    columns: dict[str, Any],
    codes: dict[str | None, tuple[str, ...]],
    label: str | None,
) -> tuple[dict[str, int], dict[str, Any]]:
    """Replace the codes for missing values by None; return the label's counts, and columns."""
    note: dict[str, int] = {}
    for name, values in codes.items():
        if name is None or name not in columns:
            if name is None:
                fail(where_of(found), "missing: there is no label column that could hold codes")
            raise not_found("column", name, columns, where_of(found), parameter="missing")
        columns[name], counts = without_codes(columns[name], values, name, where_of(found))
        if name == label:
            note = counts
    return note, columns


def texts_missing(labels: Any, kept: frozenset[str]) -> tuple[Any, dict[str, int]]:
    """Replace labels that spell a missing value by None."""
    if isinstance(labels, np.ndarray) and labels.dtype != object:
        return labels, {}
    if hasattr(labels, "categories"):
        return labels, {}
    items = list(labels)
    absent = missing_spellings(item for item in items if isinstance(item, str)) - kept
    if not absent:
        return labels, {}
    counts = {text: items.count(text) for text in sorted(absent)}
    return [None if isinstance(item, str) and item in absent else item for item in items], counts


def label_doubts(labels: Any, column: str | None, found: Found) -> list[str]:
    """Return what makes a label column suspicious: codes for missing, numbers, single nodes."""
    if labels is None or column is None or hasattr(labels, "categories"):
        return []
    doubts = []
    seen = Column(labels, "label")  # codes of classes, as was asked or decided
    names = seen.counted[0]
    codes = [name for name in suspects(names) if name not in found.kept]
    if codes:
        shown = ", ".join(map(written, codes))
        doubts.append(
            f"the class {shown} of column {column!r} may stand for a missing one; "
            f"{option('missing', codes[0])} reads it as that"
        )
    alike = Counter(" ".join(str(name).split()).casefold() for name in names)
    double = [str(name) for name in names if alike[" ".join(str(name).split()).casefold()] > 1]
    if double:
        doubts.append(
            f"classes of column {column!r} differ in case or spaces only: "
            f"{', '.join(map(written, double[:SHOWN]))}"
        )
    mark = next((sign for sign in "|;," if shares_parts(names, sign)), "")
    if mark:
        example = next(str(name) for name in names if mark in str(name))
        doubts.append(
            f"classes of column {column!r} such as {written(example)} may stand for several "
            "classes a node; a table of one class per node, or of yes and no for each class, tells"
        )
    why = why_not(seen, "label", by_name=False)
    if why and why not in (EMPTY, CONSTANT):
        doubts.append(f"the label column {column!r} {why} ({len(names):,} values)")
    return doubts


def shares_parts(names: Sequence[Any], mark: str) -> bool:
    """Return whether texts consist of parts, some of which stand in several of them.

    Examples
    --------
    >>> shares_parts(["pop|rock", "rock", "folk"], "|"), shares_parts(["a|b", "c|d"], "|")
    (True, False)
    """
    parts = [part.strip() for name in names for part in str(name).split(mark)]
    return len(parts) > len(names) and len(set(parts)) < len(parts)
