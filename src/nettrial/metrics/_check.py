"""Checks of labels, scores, probabilities and weights that every measure shares."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError, unknown_choice
from ..numeric import to_floats

Floats: TypeAlias = NDArray[np.float64]
Undefined: TypeAlias = Literal["nan", "zero"]


def choice(what: str, received: str, allowed: tuple[str, ...]) -> str:
    """Refuse a name that is not offered."""
    if received not in allowed:
        raise unknown_choice(what, received, allowed)
    return received


def numbers(what: str, values: ArrayLike, *, infinite: bool = False) -> Floats:
    """Give `values` as floats; NaN is refused, infinities too unless they are harmless."""
    array = to_floats(what, values)
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


def label_array(what: str, labels: ArrayLike, *, stacked: bool = False) -> NDArray[Any]:
    """Give class labels without missing values, in one dimension or, if `stacked`, in more."""
    try:
        array = np.asarray(labels)
    except ValueError as error:
        raise InputError(f"{what}: received lists of unequal lengths, allowed is one") from error
    if np.ma.is_masked(labels):
        raise InputError(f"{what}: received masked values; remove these observations first")
    if array.ndim == 0 or (array.ndim > 1 and not stacked):
        raise InputError(f"{what}: received shape {array.shape}, allowed is one dimension")
    missing = (
        np.isnan(array)
        if array.dtype.kind == "f"
        else np.array([is_missing(x) for x in array.flat], dtype=bool)
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


def binary(
    labels: ArrayLike, positive: Hashable | None, *, stacked: bool = False
) -> NDArray[np.bool_]:
    """Tell which labels are positive: those equal to `positive`, or 1 of 0/1 labels."""
    array = label_array("labels", labels, stacked=stacked)
    values = array.ravel().tolist()
    if positive is not None:
        return np.array([bool(x == positive) for x in values], dtype=bool).reshape(array.shape)
    found = set(values)
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


def weighted(
    labels: ArrayLike,
    scores: ArrayLike,
    positive: Hashable | None,
    weights: ArrayLike | None,
) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Check binary labels with scores and weights; observations of weight 0 are left out."""
    truth, values = scored(labels, scores, positive)
    w = observation_weights(weights, truth.size)
    kept = w > 0
    return truth[kept], values[kept], w[kept]


def observation_weights(weights: ArrayLike | None, n: int) -> Floats:
    """Give non-negative weights with a positive sum, all 1 by default."""
    if weights is None:
        return np.ones(n)
    array = vector("weights", weights)
    same_length("observations", n, "weights", array.size)
    if (array < 0).any() or (n and array.sum() <= 0):
        raise InputError("weights: allowed are non-negative numbers that do not sum to zero")
    return array
