"""Checks of labels, scores, probabilities and weights that every measure shares."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from numbers import Integral
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InputError, shown, unknown_choice
from ..core.option_names import option, written
from ..numeric.checks import has_masked, is_missing, stacked_columns, to_floats
from ..numeric.input_alignment import column_names, refuse_other_index
from ..numeric.magnitude import largest_size, refuse_huge, refuse_tiny
from ..numeric.rounding import without_noise

Floats: TypeAlias = NDArray[np.float64]
Undefined: TypeAlias = Literal["nan", "zero"]
ClassTable: TypeAlias = ArrayLike | Mapping[Any, ArrayLike]  # of one column per class


def choice(what: str, given: str, allowed: tuple[str, ...]) -> str:
    """Refuse a name that is not offered."""
    if given not in allowed:
        raise unknown_choice(what, given, allowed)
    return given


def numbers(what: str, values: Any, *, infinite: bool = False, exact: bool = True) -> Floats:
    """Return `values` as floats; NaN is refused, infinities too unless they are harmless."""
    array = to_floats(what, values, exact=exact)
    with np.errstate(invalid="ignore"):  # the least value is NaN where one is, without a new array
        fine = not np.isnan(array.min(initial=0)) if infinite else largest_size(array) < np.inf
    if not fine:
        bad = np.isnan(array) if infinite else ~np.isfinite(array)
        raise InputError(
            parameter=what,
            expected=f"{'' if infinite else 'finite '}numbers",
            got=f"{int(bad.sum()):,} of {array.size:,} that are "
            f"NaN{'' if infinite else ' or infinite'}",
            hint="remove these observations first",
        )
    return array


def vector(what: str, values: Any, *, infinite: bool = False, exact: bool = True) -> Floats:
    array = numbers(what, values, infinite=infinite, exact=exact)
    if array.ndim != 1:
        raise InputError(parameter=what, expected="one dimension", got=f"shape {array.shape}")
    return array


# what NumPy makes of labels of one kind
KINDS = {"U": "text", "S": "bytes", "M": "dates", "m": "durations", "c": "numbers"}


def _kind(value: Any) -> str:
    if isinstance(value, (str, bytes)):
        return "text" if isinstance(value, str) else "bytes"
    # Decimal("0.1") and Fraction(1, 10) differ from 0.1
    number = isinstance(value, (Integral, float, complex, np.number, np.bool_))
    return "numbers" if number else type(value).__name__


def _kinds(labels: Any, array: NDArray[Any]) -> dict[str, Any]:
    """Return the kinds of the labels, each with an example, before NumPy makes text of numbers."""
    if not array.size:
        return {}
    if array.dtype.kind in "biu":
        return {"numbers": array.flat[0].item()}
    if array.dtype.kind == "f":
        # 0.1 in single precision differs from 0.1
        broken = array[array != np.floor(array)] if array.dtype != np.float64 else array[:0]
        return {f"{array.dtype} numbers" if broken.size else "numbers": array.flat[0].item()}
    if array.dtype != object and not hasattr(labels, "dtype"):
        array = np.array(labels, dtype=object)
    if array.dtype != object:
        example = array.flat[0]
        kind = KINDS.get(array.dtype.kind, str(array.dtype))
        return {kind: example.item() if array.dtype.kind in "US" else example}
    found: dict[str, Any] = {}
    for label in array.flat:
        found.setdefault(_kind(label), label)
    return found


def label_arrays(named: Mapping[str, Any], *, stacked: bool = False) -> tuple[NDArray[Any], ...]:
    """Return class labels that are compared with each other, without missing values.

    This is the one rule for labels: all are of one kind, numbers (with booleans) or text or
    another, since "1" and 1 would count as different classes. They have one dimension or, if
    `stacked`, several.

    Examples
    --------
    >>> label_arrays({"labels": ["0", "1"], "predictions": [0, 1]})
    Traceback (most recent call last):
    nettrial.InputError: labels and predictions: expected labels of one type, got ...
    """
    arrays = []
    found: dict[str, tuple[str, Any]] = {}
    for what, labels in named.items():
        array = _one_label_array(what, labels, stacked)
        for kind, example in _kinds(labels, array).items():
            found.setdefault(kind, (what, example))
        arrays.append(array)
    if all(array.dtype.kind == "M" for array in arrays):
        unit = np.result_type(*arrays)  # days and nanoseconds are equal in one unit alone
        arrays = [array.astype(unit) for array in arrays]
    if len(found) > 1:
        got = " and ".join(
            f"{kind} (such as {written(example)} in {what})"
            for kind, (what, example) in found.items()
        )
        raise InputError(
            expected="labels of one type",
            got=f"{got}, which would never be equal",
            hint="convert them to one type",
            where=" and ".join(dict.fromkeys(what for what, _ in found.values())),
        )
    refuse_other_index(**named)
    return tuple(arrays)


def _one_label_array(what: str, labels: Any, stacked: bool) -> NDArray[Any]:
    try:
        array = np.asarray(labels)
    except (ValueError, RuntimeError, MemoryError) as error:
        raise InputError(parameter=what, expected="lists of one length", got=f"{error}") from error
    if has_masked(labels):
        raise InputError(
            parameter=what,
            expected="no masked values",
            got="some",
            hint="remove these observations first",
        )
    if array.ndim == 0 or (array.ndim > 1 and not stacked):
        raise InputError(parameter=what, expected="one dimension", got=f"shape {array.shape}")
    missing = (
        np.isnan(array)
        if array.dtype.kind in "fc"
        else np.isnat(array)
        if array.dtype.kind in "mM"
        else np.array([is_missing(x) for x in array.flat], dtype=bool)
        if array.dtype == object
        else np.zeros(array.shape, dtype=bool)
    )
    if array.dtype == object and not _hashable(array):
        raise InputError(
            parameter=what, expected="classes such as numbers or text", got=shown(array.flat[0])
        )
    if array.dtype.kind == "f" and (np.abs(array) >= 2.0**53).any():
        raise InputError(
            parameter=what,
            expected="floats below 2^53",
            got=f"{array[np.abs(array) >= 2.0**53][0]:g}",
            hint="larger whole numbers that differ may be equal as floats: give all labels as "
            "whole numbers or as text",
        )
    if missing.any():
        raise InputError(
            parameter=what,
            expected="a label for each observation",
            got=f"{int(missing.sum()):,} of {array.size:,} missing",
            hint="remove these observations first",
        )
    return array


def _hashable(array: NDArray[Any]) -> bool:
    try:
        return bool(set(array.flat)) or not array.size
    except TypeError:
        return False


def _one_label(value: Any) -> bool:
    return isinstance(value, Hashable) and not getattr(value, "ndim", 0)


def one_of_labels(positive: Hashable, present: Any) -> None:
    """Refuse a positive class that never occurs."""
    if not _one_label(positive) or positive not in set(present):
        listed = ", ".join(map(shown, sorted_labels(present)[:8])) or "there are none"
        raise InputError(
            parameter="positive", expected=f"a class that occurs ({listed})", got=shown(positive)
        )


def sorted_labels(labels: Any) -> list[Any]:
    """Return different labels, sorted where they can be, else in order of appearance."""
    found = list(dict.fromkeys(labels))
    try:
        return sorted(found)
    except TypeError:
        return found


def class_columns(
    what: str, table: Any, classes: Sequence[Any] | None, labels: Any
) -> tuple[Floats, list[Any], NDArray[Any]]:
    """Return a table of one column per class, the classes of its columns, and the labels.

    This is the one rule for such tables: columns that have names, in a pandas or polars table or a
    dictionary, are paired with the classes by them, others by position.

    Parameters
    ----------
    what : str
        What errors call the table.
    table : array_like or mapping
        May hold infinities.
    classes : sequence or None
        The classes; None where the columns' names say which there are, or else the labels do.
    labels : array_like
        Of the rows.

    Examples
    --------
    >>> table, classes, _ = class_columns("p", {"b": [0.9], "a": [0.1]}, None, ["b"])
    >>> table.tolist(), classes
    ([[0.1, 0.9]], ['a', 'b'])
    """
    (truth,) = label_arrays({"labels": labels})
    names = column_names(table)
    if names is None:
        refuse_other_index(labels=labels, **{what: table})
        wanted = sorted_labels(truth.tolist()) if classes is None else list(classes)
        return numbers(what, table, infinite=True), wanted, truth
    wanted = sorted_labels(names) if classes is None else list(classes)
    places = class_places(what, names, wanted, truth.tolist())
    if isinstance(table, Mapping):
        refuse_other_index(labels=labels, **{f"{what}: {name}": table[name] for name in names})
        table = stacked_columns(what, table)
    else:
        refuse_other_index(labels=labels, **{what: table})
    values = numbers(what, table, infinite=True)
    return values[..., places], wanted, truth


def class_places(
    what: str, names: Sequence[Any], wanted: Sequence[Any], present: Sequence[Any] = ()
) -> list[int]:
    """Return where the column of each class stands, by the columns' names."""
    known = len(set(names)) == len(names) and set(wanted) == set(names)
    if not known or set(present) - set(names):
        expected = sorted_labels(present if known else wanted)
        raise InputError(
            parameter=what,
            expected=f"columns called as the classes ({', '.join(map(shown, expected[:8]))})",
            got=f"columns called {', '.join(map(shown, names[:8]))}",
            hint="rename them, or give an array with the columns in the order of the classes",
        )
    return [names.index(name) for name in wanted]


def same_length(first: str, n: int, second: str, m: int) -> None:
    """Refuse two inputs that do not belong together."""
    if n != m:
        raise InputError(parameter=second, expected=f"{n} values, as many as {first}", got=f"{m}")


def binary(
    labels: ArrayLike,
    positive: Hashable | None,
    *,
    stacked: bool = False,
    absent_allowed: bool = False,
) -> NDArray[np.bool_]:
    """Return which labels are positive: those equal to `positive`, or 1 of 0/1 labels."""
    (array,) = label_arrays({"labels": labels}, stacked=stacked)
    if array.dtype == bool and positive is None:
        return array
    # sorting numbers takes a tenth of making Python objects of them
    plain = array.dtype.kind in "biuf"
    values = array.ravel().tolist() if not plain else np.unique(array).tolist()
    if positive is not None:
        if not (absent_allowed and _one_label(positive)):
            one_of_labels(positive, set(values))
        if plain:
            return np.isin(array, [value for value in values if value == positive])
        return np.array([bool(x == positive) for x in values], dtype=bool).reshape(array.shape)
    found = set(values)
    if not found <= {0, 1}:
        names = ", ".join(sorted(map(written, found))[:5])
        raise InputError(
            parameter="labels",
            expected="0 and 1 (or booleans) where `positive` is not given",
            got=f"{names}",
            hint=f"name the positive class, for example {option('positive', 'fraud')}",
        )
    return array.astype(bool)


def scored(
    labels: ArrayLike,
    scores: ArrayLike,
    positive: Hashable | None,
    *,
    absent_allowed: bool = False,
    noise: bool = False,
) -> tuple[NDArray[np.bool_], Floats]:
    """Return binary labels with one score each, in which rounding noise breaks no ties.

    Infinite scores only rank, so they may stay; `noise` may too, for what ranks them anyway.
    """
    refuse_other_index(labels=labels, scores=scores)
    truth = binary(labels, positive, absent_allowed=absent_allowed)
    values = vector("scores", scores, infinite=True)
    same_length("labels", truth.size, "scores", values.size)
    return truth, values if noise else without_noise(values)


def weighted(
    labels: ArrayLike,
    scores: ArrayLike,
    positive: Hashable | None,
    weights: ArrayLike | None,
) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Return binary labels with scores and weights; observations of weight 0 are left out."""
    refuse_other_index(labels=labels, scores=scores, weights=weights)
    truth, values = scored(labels, scores, positive)
    w = observation_weights(weights, truth.size)
    if weights is None:
        return truth, values, w
    kept = w > 0
    return truth[kept], values[kept], w[kept]


def observation_weights(weights: ArrayLike | None, n: int) -> Floats:
    """Return non-negative weights with a positive sum, all 1 by default."""
    if weights is None:
        return np.ones(n)
    array = vector("weights", weights, exact=False)
    same_length("observations", n, "weights", array.size)
    refuse_huge("weights", array)
    refuse_tiny("weights", array.max(initial=0.0))
    if (array < 0).any() or (n and array.sum() <= 0):
        raise InputError(
            parameter="weights",
            expected="non-negative numbers that do not sum to zero",
            got=f"{array.min():g} as the smallest and a sum of {array.sum():g}",
            hint="give 0 to observations that do not count and positive numbers to others",
        )
    return array
