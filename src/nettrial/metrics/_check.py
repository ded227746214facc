"""Checks of labels, scores, probabilities and weights that every measure shares."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError, unknown_choice

Floats: TypeAlias = NDArray[np.float64]
Undefined: TypeAlias = Literal["nan", "zero"]


def choice(what: str, received: str, allowed: tuple[str, ...]) -> str:
    """Refuse a name that is not offered."""
    if received not in allowed:
        raise unknown_choice(what, received, allowed)
    return received


def numbers(what: str, values: ArrayLike, *, infinite: bool = False) -> Floats:
    """Give `values` as floats; NaN is refused, infinities too unless they are harmless."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what}: received something that is not numbers ({error})") from error
    bad = np.isnan(array) if infinite else ~np.isfinite(array)
    if bad.any():
        raise InputError(
            f"{what}: {int(bad.sum())} of {array.size} values are NaN"
            f"{'' if infinite else ' or infinite'}; remove these observations first"
        )
    return array


def vector(what: str, values: ArrayLike, *, infinite: bool = False) -> Floats:
    """Give `values` as a one-dimensional float array."""
    array = numbers(what, values, infinite=infinite)
    if array.ndim != 1:
        raise InputError(f"{what}: received shape {array.shape}, allowed is one dimension")
    return array


def is_missing(value: Any) -> bool:
    """Tell None, NaN, NaT and pandas' NA from labels."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):  # pandas' NA has no truth value
        return True


def label_array(what: str, labels: ArrayLike) -> NDArray[Any]:
    """Give class labels as a one-dimensional array without missing values."""
    array = np.asarray(labels)
    if array.ndim != 1:
        raise InputError(f"{what}: received shape {array.shape}, allowed is one dimension")
    missing = (
        np.isnan(array)
        if array.dtype.kind == "f"
        else np.array([is_missing(x) for x in array], dtype=bool)
        if array.dtype == object
        else np.zeros(array.shape, dtype=bool)
    )
    if missing.any():
        raise InputError(
            f"{what}: {int(missing.sum())} of {array.size} are missing; remove these "
            "observations first"
        )
    return array


def same_length(first: str, n: int, second: str, m: int) -> None:
    """Refuse two inputs that do not belong together."""
    if n != m:
        raise InputError(f"{second}: received {m} values for {n} {first}; allowed are equally many")


def binary(labels: ArrayLike, positive: Hashable | None) -> NDArray[np.bool_]:
    """Tell which labels are positive: those equal to `positive`, or 1 of 0/1 labels."""
    array = label_array("labels", labels)
    if positive is not None:
        return np.array([bool(x == positive) for x in array.tolist()], dtype=bool)
    found = set(array.tolist())
    if not found <= {0, 1}:
        names = ", ".join(sorted(map(repr, found))[:5])
        raise InputError(
            f"labels: received the classes {names}; without `positive` only 0 and 1 (or "
            "booleans) are allowed; name the positive class, for example positive='fraud'"
        )
    return array.astype(bool)


def scored(
    labels: ArrayLike, scores: ArrayLike, positive: Hashable | None
) -> tuple[NDArray[np.bool_], Floats]:
    """Check binary labels with one score each; infinite scores only rank, so they may stay."""
    truth = binary(labels, positive)
    values = vector("scores", scores, infinite=True)
    same_length("labels", truth.size, "scores", values.size)
    return truth, values


def observation_weights(weights: ArrayLike | None, n: int) -> Floats:
    """Give non-negative weights with a positive sum, all 1 by default."""
    if weights is None:
        return np.ones(n)
    array = vector("weights", weights)
    same_length("observations", n, "weights", array.size)
    if (array < 0).any() or (n and array.sum() <= 0):
        raise InputError("weights: allowed are non-negative numbers that do not sum to zero")
    return array
