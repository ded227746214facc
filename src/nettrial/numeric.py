"""Numbers as users give them: arrays and single values, converted or refused, never bent."""

from __future__ import annotations

import operator
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InputError, shown

Floats: TypeAlias = NDArray[np.float64]

# squares of larger and of smaller values leave the range of doubles
LARGEST, SMALLEST = 1e150, 1e-150
BLOCK = 2**15  # numbers that stay in the processor's cache between one operation and the next
# up to here the rule for rounding noise, below, tells averages of two whole numbers apart
LARGEST_COUNT = 2**47
_LEAST = 330
_POWERS = np.array([float(f"1e{k}") for k in range(-_LEAST, 330)])
# The one rule for rounding noise: what rounding can leave of a number, relative to the numbers
# that it was computed from. R's t.test calls data essentially constant by the same 10 epsilons.
ROUNDING = 10 * float(np.finfo(np.float64).eps)


def from_tensor(values: Any) -> NDArray[Any]:
    """Turn a column, tensor or sequence into an array; torch tensors come down from any device."""
    for step in ("detach", "cpu", "numpy"):
        values = getattr(values, step)() if hasattr(values, step) else values
    return np.asarray(values)


def as_array(name: str, value: Any) -> NDArray[Any]:
    """Return `value` as an array, and refuse lists of unequal lengths.

    Raises
    ------
    InputError
    """
    try:
        return np.asarray(value)
    except MemoryError:
        raise InputError(f"{name}: expected an array, got one beyond all memory") from None
    except ValueError as error:
        raise InputError(
            f"{name}: expected an array, got lists of unequal lengths ({error})"
        ) from error


def to_floats(name: str, value: Any, *, exact: bool = True) -> Floats:
    """Return `value` as an array of floats, and refuse what NumPy would convert with a loss.

    `exact` is for values that are compared; weights may be as large as doubles are.

    Raises
    ------
    InputError
        For masked values, text, dates, complex numbers, other objects, lists of unequal
        lengths, and, if `exact`, whole numbers above 2^47 that are given as such: they are exact,
        but as doubles some of them differ by no more than rounding noise.

    Examples
    --------
    >>> to_floats("a", [True, 2]).tolist()
    [1.0, 2.0]
    """
    try:
        array = np.asarray(value)
        kind = array.dtype.kind
        if kind not in "biufO":
            raise TypeError(f"NumPy reads them as {array.dtype}")
        if kind == "O" and any(isinstance(x, (str, bytes)) for x in array.flat):
            raise TypeError("some are text")  # which NumPy would parse
        whole = [x for x in array.flat if isinstance(x, Integral)] if kind == "O" else array
        floats = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError, MemoryError, RuntimeError) as error:
        # RuntimeError: a tensor that still carries its gradient
        raise InputError(
            f"{name}: expected numbers in arrays of one shape, got something else ({error}); "
            "convert it first"
        ) from error
    if exact and kind in "iuO":
        _refuse_inexact(name, whole)
    if has_masked(value):
        raise InputError(
            f"{name}: expected values that are all there, got masked ones; leave them out on "
            "purpose"
        )
    return floats


def _refuse_inexact(name: str, whole: Any) -> None:
    """Refuse whole numbers that differ from others by less than the rounding noise of doubles."""
    if not len(np.atleast_1d(whole)):
        return
    low, high = int(np.min(whole)), int(np.max(whole))
    if max(-low, high) > LARGEST_COUNT:
        raise InputError(
            f"{name}: expected whole numbers up to 2^47, got {low if -low > high else high}; "
            "larger ones are not told apart as doubles: subtract one number from all, or "
            "convert them to float where so small differences are none"
        )


def has_masked(value: Any) -> bool:
    """Return whether an array, or one in a list of them, has masked values.

    Examples
    --------
    >>> has_masked([np.ma.masked_array([1, 2], mask=[False, True]), [3, 4]])
    True
    """
    if isinstance(value, (list, tuple)):
        return any(isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x) for x in value)
    return bool(np.ma.is_masked(value))


def refuse_inexact_text(name: str, text: str) -> None:
    """Refuse a number written as a whole one that is too large to be told from its neighbors.

    Examples
    --------
    >>> refuse_inexact_text("column 'a'", "12")
    >>> refuse_inexact_text("column 'a'", "10000000000000001")
    Traceback (most recent call last):
    nettrial.errors.InputError: column 'a': expected whole numbers up to 2^47, got ...
    """
    digits = text.strip().lstrip("+-")
    if digits.isdecimal() and len(digits) > 14:
        _refuse_inexact(name, [int(digits[:400])])  # Python parses no more than 4,300


def largest_size(array: Floats, axis: int | None = None) -> Floats:
    """Return the largest size along an axis, or of all: NaN where one is NaN, 0 without any.

    Examples
    --------
    >>> float(largest_size(np.array([1.0, -3.0])))
    3.0
    """
    # two passes over all values take less time than a copy of them
    highest, lowest = array.max(axis=axis, initial=0.0), array.min(axis=axis, initial=0.0)
    return np.asarray(np.maximum(highest, -lowest))


def refuse_huge(name: str, array: Floats) -> None:
    """Refuse finite values whose squares cannot be represented."""
    largest = largest_size(array)
    if largest > LARGEST:
        raise InputError(
            f"{name}: the largest size is {largest:.3g}, squares of it cannot be represented; "
            "choose other units"
        )


def refuse_tiny(name: str, largest: ArrayLike) -> None:
    """Refuse samples, by their largest sizes, that differ but whose squares would all be 0.

    Examples
    --------
    >>> refuse_tiny("values", [0.0, 0.5])
    >>> refuse_tiny("values", 1e-200)
    Traceback (most recent call last):
    nettrial.errors.InputError: values: the largest size is 1e-200, squares of it ...
    """
    sizes = np.asarray(largest)
    tiny = (sizes > 0) & (sizes < SMALLEST)
    if tiny.any():
        raise InputError(
            f"{name}: the largest size is {sizes[tiny].max():.3g}, squares of it cannot be "
            "represented; choose other units"
        )


def without_unit(amounts: Floats, axis: int | None = None) -> Floats:
    """Return amounts of which only the proportions count, the largest at least 1 and below 2.

    They are divided by a power of two, one for all or one along an axis, so that no digit changes
    and no square overflows.

    Examples
    --------
    >>> without_unit(np.array([3e200, 6e200])).round(3).tolist()
    [0.98, 1.96]
    """
    largest = amounts.max(axis=axis, keepdims=True, initial=0.0)
    return np.asarray(np.ldexp(amounts, 1 - np.frexp(largest)[1]))


def scalar(name: str, value: Any) -> float:
    """Return one number, NaN and infinities included.

    Examples
    --------
    >>> scalar("rho", np.float64(0.1))
    0.1
    """
    array = to_floats(name, value)
    if array.ndim:
        raise InputError(f"{name}: expected one number, got {shown(value)}")
    return float(array)


def count(name: str, value: Any, least: int = 1) -> int:
    """Return one whole number of at least `least`.

    Examples
    --------
    >>> count("n", 30.0)
    30
    """
    number = scalar(name, value)
    if isinstance(value, bool) or not (least <= number <= LARGEST_COUNT and number.is_integer()):
        most = " and at most 2^47" if number > LARGEST_COUNT else ""
        raise InputError(
            f"{name}: expected a whole number of at least {least}{most}, got {shown(value)}"
        )
    return int(number)


def noise(*samples: Floats) -> Floats:
    """Return how much rounding can change means and mean differences of these samples.

    It is `ROUNDING` times the largest finite size along the last axis of all samples, all of
    which go into a mean. A standard deviation no larger than that is none.

    Examples
    --------
    >>> bool(np.std([0.3, 0.1 + 0.2]) <= noise(np.array([0.3, 0.1 + 0.2])))
    True
    """
    return np.asarray(ROUNDING * np.maximum.reduce([_largest_size(x) for x in samples]))


def _largest_size(sample: Floats) -> Floats:
    """Return the largest finite size along the last axis."""
    largest = largest_size(sample, axis=-1)
    if np.isfinite(largest).all():  # which spares a copy of the sample
        return largest
    return np.asarray(_finite_sizes(sample).max(axis=-1, initial=0.0))


def settled(values: Floats, rounding: ArrayLike) -> Floats:
    """Return the values, and 0 for those that are no more than `rounding` from it.

    Examples
    --------
    >>> settled(np.array([0.1, 0.1 + 0.2 - 0.3]), noise(np.array([0.3]))).tolist()
    [0.1, 0.0]
    """
    return np.where(np.abs(values) <= rounding, 0.0, values)


def sizes(*samples: Floats) -> Floats:
    """Return the size against which the rounding noise of each value, or pair, is judged.

    It is that of the value itself (of the larger one of a pair, since 0.3 - 0.2 carries the
    rounding of 0.3) or, if larger, the median along the last axis: 1 - 0.9999999999999999 beside
    error rates is 0. The median and not the largest, so that one value of 1e16 does not make
    noise of all others.

    Examples
    --------
    >>> sizes(np.array([0.1, 0.2, 1e16]), np.array([0.3, 0.2, 0.0])).tolist()
    [0.3, 0.3, 1e+16]
    """
    own = np.maximum.reduce([_finite_sizes(sample) for sample in samples])
    return np.asarray(np.maximum(own, np.median(own, axis=-1, keepdims=True))) if own.size else own


def surely_noise(gap: Floats, *samples: Floats) -> bool:
    """Return whether `gap` is rounding noise for every pair of the samples, of whatever `sizes`.

    No size is below the median. So it is if it is noise for more than half of the pairs, which
    they are counted for: that takes a small part of the time that the median does.

    Parameters
    ----------
    gap : ndarray, shape (...)
        The largest gap in question of each row; a smaller one is noise too.
    *samples : ndarray, shape (..., n)

    Examples
    --------
    >>> surely_noise(np.array(5e-16), np.array([0.1, 0.3, 1e16]), np.array([0.3, 0.2, 0.0]))
    True
    >>> surely_noise(np.array(5e-12), np.array([0.1, 0.3, 1e16]), np.array([0.3, 0.2, 0.0]))
    False
    """
    n, found = samples[0].shape[-1], np.zeros(gap.shape, dtype=np.int64)
    for start in range(0, n, BLOCK):
        own = [_finite_sizes(sample[..., start : start + BLOCK]) for sample in samples]
        noise = gap[..., np.newaxis] <= ROUNDING * np.maximum.reduce(own)
        found += np.count_nonzero(noise, axis=-1)
    return bool((found > n // 2).all())


def _finite_sizes(sample: Floats) -> Floats:
    size = np.abs(sample)
    finite = np.isfinite(size)
    if not finite.all():  # which is rare, and takes ten times as long
        size[~finite] = 0.0
    return size


def without_noise(values: Floats, size: Floats | None = None) -> Floats:
    """Return the values with neighbors that differ by rounding alone made equal.

    Parameters
    ----------
    values : ndarray, shape (..., n)
        NaN is not expected; infinities equal each other.
    size : ndarray, shape (..., n), optional
        Two values along the last axis count as one if they differ by no more than `ROUNDING`
        times the larger of their sizes; `sizes` of the samples that they come from, or by default
        their own.

    Examples
    --------
    >>> without_noise(np.array([0.3, 1.0, 0.1 + 0.2])).tolist()
    [0.3, 1.0, 0.3]
    """
    size = _finite_sizes(values) if size is None else size
    if _all_apart(values, size):
        return values
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    level = ROUNDING * np.take_along_axis(size, order, axis=-1)
    with np.errstate(invalid="ignore", over="ignore"):
        gaps = np.diff(ordered, axis=-1)  # NaN between equal infinities, which are not apart
        apart = gaps > np.maximum(level[..., 1:], level[..., :-1])
    if (apart | (gaps == 0)).all():
        return values
    starts = np.zeros(ordered.shape, dtype=np.intp)
    starts[..., 1:] = np.where(apart, np.arange(1, ordered.shape[-1]), 0)
    first = np.maximum.accumulate(starts, axis=-1)
    out = np.empty_like(values)
    np.put_along_axis(out, order, np.take_along_axis(ordered, first, axis=-1), axis=-1)
    return out


def _all_apart(values: Floats, size: Floats) -> bool:
    """Return whether the smallest gap is above the noise of the largest size: most data's case.

    NumPy sorts values several times as fast as it finds their order.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        gaps = np.diff(np.sort(values, axis=-1), axis=-1)  # NaN between equal infinities
    smallest = np.min(gaps, axis=-1, initial=np.inf, where=gaps > 0)
    return bool((smallest > ROUNDING * size.max(axis=-1, initial=0.0)).all())


def rounded(values: Floats, digits: Any) -> Floats:
    """Return the values rounded to so many significant digits, or as they are for None.

    Examples
    --------
    >>> rounded(np.array([0.12345, 678.9]), 3).tolist()
    [0.123, 679.0]
    """
    if digits is None:
        return values
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= 15:
        raise InputError(f"digits: expected a whole number from 1 to 15, got {shown(digits)}")
    size = np.abs(values)
    # infinities stay, and the power of ten that belongs to tiny values is no longer a double
    keep = (size < 1e-290) | ~np.isfinite(size)
    plain, size = np.where(keep, 0.0, values), np.where(keep, 1.0, size)
    place = np.floor(np.log10(size)).astype(np.intp)
    # a logarithm may be off by a bit, and so may a power that is computed
    place += (size >= ten_to(place + 1)).astype(np.intp) - (size < ten_to(place))
    shift = digits - 1 - place
    up, down = ten_to(np.maximum(shift, 0)), ten_to(np.maximum(-shift, 0))
    return np.where(keep, values, np.rint(plain * up / down) / up * down)


def ten_to(power: NDArray[np.intp]) -> Floats:
    """Return the doubles nearest to powers of ten, infinite beyond them.

    Examples
    --------
    >>> ten_to(np.array([-2, 0, 3, 309])).tolist()
    [0.01, 1.0, 1000.0, inf]
    """
    return _POWERS[power + _LEAST]


def refuse_other_index(**named: Any) -> None:
    """Refuse pandas objects that belong together but whose indexes, or columns, differ.

    Examples
    --------
    >>> import pandas as pd
    >>> refuse_other_index(a=pd.Series([1, 2]), b=pd.Series([1, 2], index=[1, 0]))
    Traceback (most recent call last):
    nettrial.errors.InputError: a and b: expected one index, got indexes that differ: ...
    """
    indexed = _labeled("index", named)
    for name, index in indexed[1:]:
        if not index.equals(indexed[0][1]):
            raise InputError(
                f"{indexed[0][0]} and {name}: expected one index, got indexes that differ: "
                f"{_few(indexed[0][1])} and {_few(index)}; align them first, for example by "
                "a, b = a.align(b, join='inner'), or pass .to_numpy() to pair them by position"
            )
    refuse_other_columns(**named)


def refuse_other_precision(**named: Any) -> None:
    """Refuse samples that are compared with each other but not in one precision.

    0.3 in single precision is 0.30000001, so that equal numbers would all differ. Whole numbers
    are the same in both.

    Examples
    --------
    >>> refuse_other_precision(a=np.array([0.3], dtype=np.float32), b=[0.3])
    Traceback (most recent call last):
    nettrial.errors.InputError: a and b: expected one precision, got float32 and float64, ...
    """
    arrays = {}
    for name, value in named.items():
        try:
            array = np.asarray(value)
        except (TypeError, ValueError, MemoryError, RuntimeError):
            continue  # which is refused where the values are read
        if array.dtype.kind == "f":
            arrays[name] = array
    if len({array.dtype.itemsize for array in arrays.values()}) < 2:
        return
    found: dict[str, str] = {}
    for name, array in arrays.items():
        if (array != np.floor(array)).any():
            found.setdefault("float64" if array.dtype.itemsize >= 8 else str(array.dtype), name)
    if len(found) > 1:
        raise InputError(
            f"{' and '.join(found.values())}: expected one precision, got {' and '.join(found)}, "
            "in which equal numbers differ by their rounding; convert all to one, for example by "
            ".astype('float32')"
        )


def along_columns(table: Any) -> Any:
    """Return what has the columns of a pandas table for its index; others as they are.

    It lets `refuse_other_index` pair the columns of one object with the rows of another.
    """
    columns: Any = getattr(table, "columns", None)
    return columns.to_series() if hasattr(columns, "to_series") else table


def refuse_other_columns(**named: Any) -> None:
    """Refuse pandas tables of which a column stands at another place in one than in another.

    Names that occur in one table alone, such as error_A and error_B, are paired by position.
    """
    tables = _labeled("columns", named)
    for name, columns in tables[1:]:
        places = {label: i for i, label in enumerate(tables[0][1])}
        if any(places.get(label, i) != i for i, label in enumerate(columns)):
            raise InputError(
                f"{tables[0][0]} and {name}: expected the same columns at the same places, got "
                f"{_few(tables[0][1])} and {_few(columns)}; order them first, for example by "
                "b = b[a.columns], or pass .to_numpy() to pair them by position"
            )


def _labeled(what: str, named: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return the labels that pandas objects have along an axis, by the objects' names."""
    found = ((name, getattr(value, what, None)) for name, value in named.items())
    return [(name, labels) for name, labels in found if hasattr(labels, "equals")]


def _few(index: Any) -> str:
    shown = ", ".join(repr(label) for label in index[:3].tolist())
    return f"[{shown}{', ...' if len(index) > 3 else ''}]"


def axis_of(name: str, array: NDArray[Any], axis: Any) -> int:
    """Return `axis` if the array has it."""
    try:
        index = operator.index(axis)
    except TypeError:
        raise InputError(f"axis: expected one whole number, got {shown(axis)}") from None
    if not -array.ndim <= index < array.ndim:
        raise InputError(
            f"axis: expected an axis of {name}, of shape {array.shape}, got {axis}; "
            "the values that belong to one test lie along this axis"
        )
    return index
