"""What is known of nodes: classes as codes, targets, features and columns."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.errors import InputError, shown, unknown_choice
from ..numeric.checks import as_array, is_missing
from .arrays import frozen, frozen_matrix, native_array, object_array
from .ids import keys_only, natural_order, refuse_half_characters

if TYPE_CHECKING:
    pass

MISSING = -1  # the label code of a node whose class is not known


def same_number(one: object, other: object) -> bool:
    """Return whether two values are the same number: a flag with blanks is 1.0 where 1 is meant.

    Examples
    --------
    >>> same_number(1.0, "1"), same_number("1.0", 1), same_number("x", "1")
    (True, True, False)
    """
    try:
        return float(str(one)) == float(str(other))
    except ValueError:
        return False


def encode(
    values: Iterable[Hashable] | None, classes: Iterable[Hashable] | None, n: int
) -> tuple[NDArray[np.int32], tuple[Hashable, ...]]:
    """Turn labels into codes; -1 where the label is missing."""
    if values is None:
        return np.full(n, MISSING, dtype=np.int32), tuple(classes or ())
    codes = getattr(values, "codes", None)  # of a pandas categorical
    if codes is not None and len(codes) == n:
        categories = getattr(values, "categories", codes).tolist()
        if classes is None:
            return recode(codes, categories)
        if tuple(classes) == tuple(categories):
            return np.array(codes, dtype=np.int32), tuple(categories)
    items = [None if is_missing(v) else v for v in object_array(values).tolist()]
    if len(items) != n:
        raise InputError(
            expected=f"one label for each of {n} nodes", got=f"{len(items)}", where="Network"
        )
    with keys_only("labels"):
        used = set(items)
        if classes is None:
            names = tuple(sorted(used - {None}, key=natural_order))
        else:
            names = tuple(classes)
        numbers = {name: code for code, name in enumerate(names)} | {None: MISSING}
    unknown = next((item for item in items if item not in numbers), None)
    if unknown is not None:
        raise unknown_choice("label", unknown, names)
    return np.fromiter((numbers[item] for item in items), dtype=np.int32, count=n), names


def recode(
    codes: NDArray[Any], categories: list[Hashable]
) -> tuple[NDArray[np.int32], tuple[Hashable, ...]]:
    """Number the categories that occur in their sorted order."""
    used = np.unique(codes[codes >= 0]).tolist()
    order = sorted(used, key=lambda code: natural_order(categories[code]))
    table = np.full(len(categories) + 1, MISSING, dtype=np.int32)
    table[order] = np.arange(len(order))
    return table[codes], tuple(categories[code] for code in order)


def check_targets(values: Any, n: int) -> NDArray[np.float64]:
    """Return targets as numbers, NaN where one is missing; refuse text and infinite ones."""
    try:
        items = [np.nan if is_missing(v) else float(v) for v in object_array(values).tolist()]
    except (TypeError, ValueError) as error:
        raise InputError(
            parameter="targets", expected=f"a number for each node ({error})", where="Network"
        ) from None
    array = np.array(items, dtype=np.float64) + 0.0  # no negative zeros, which files lose
    if array.size != n:
        raise InputError(
            expected=f"one target for each of {n} nodes", got=f"{array.size}", where="Network"
        )
    endless = np.flatnonzero(np.isinf(array))
    if endless.size:
        raise InputError(
            parameter="targets",
            expected="finite numbers",
            got=f"{array[endless[0]]} for node {endless[0]}",
            hint="None or NaN stands for a missing one",
            where="Network",
        )
    return frozen(array)


def known_codes(targets: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return 0 for each node whose target is known, else -1."""
    return np.where(np.isnan(targets), MISSING, 0).astype(np.int32)


def check_features(features: Any, n: int) -> Any:
    if features is None:
        return None
    sparse = sp.issparse(features)
    matrix: Any = sp.csr_array(features) if sparse else as_array("features", features)
    if sparse and not matrix.has_canonical_format:
        matrix = matrix.copy()  # SciPy sorts in place, which a frozen array refuses
        matrix.sum_duplicates()
    if matrix.ndim != 2 or matrix.shape[0] != n:
        raise InputError(
            parameter="features",
            expected=f"one row for each of the {n} nodes",
            got=f"shape {matrix.shape}",
            where="Network",
        )
    return frozen_matrix(matrix)


def check_attributes(
    attributes: Mapping[str, Iterable[Any]] | None, n: int
) -> Mapping[str, NDArray[Any]]:
    columns = {str(key): frozen(native_array(values)) for key, values in (attributes or {}).items()}
    refuse_half_characters("names of node columns", columns)
    for key, column in columns.items():
        if column.size != n:
            raise InputError(
                f"Network: node column {shown(key)} has {column.size} entries for {n} nodes"
            )
        refuse_half_characters(f"node column {shown(key)}", column)
    return MappingProxyType(columns)
