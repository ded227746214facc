"""The result of one test of "all k are alike", and what such tests share."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InputError
from ..core.results import Result
from ..numeric.checks import axis_of, to_floats
from ..numeric.input_alignment import refuse_other_precision
from ..numeric.rounding import noise
from ._arrays import broadcast_leading, to_python
from .result import Number

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
MOST = 1e75  # covariances are squared on the way to degrees of freedom


@dataclass(frozen=True, slots=True)
class OmnibusResult(Result):
    """One p-value for "all k are alike", with the effect size that goes beside it.

    Inputs with leading axes give array fields of the shape of these axes.

    Attributes
    ----------
    method : str
        The test's name in words.
    question : str
        What the p-value answers.
    statistic : float or ndarray
        The test statistic.
    df : float, ndarray or tuple of these
        Degrees of freedom: one for chi-square, two for F.
    pvalue : float or ndarray
        The p-value; these tests have one alternative only: "not all alike".
    effect : str
        Which effect size is given.
    effect_size : float or ndarray
        Its estimate.
    ci_low, ci_high : float or ndarray
        Its interval; NaN where no interval is standard.
    confidence : float
        The level of that interval, a proportion; NaN where there is no interval.
    degenerate : bool or ndarray
        True where the data leave the test without a reference distribution; `notes` says why.
    details : mapping
        By-products of the test: sums of squares, mean ranks, sample sizes, corrections.
    notes : tuple of str
        What the reader must know before using the p-value.
    """

    method: str
    question: str
    statistic: Number
    df: Number | tuple[Number, ...]
    pvalue: Number
    effect: str
    effect_size: Number
    ci_low: Number
    ci_high: Number
    confidence: float
    degenerate: bool | NDArray[np.bool_] = False
    details: Mapping[str, Any] = dataclasses.field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """Return one row per test; details of several numbers are left out."""
        import pandas as pd

        shape = np.shape(self.pvalue)
        columns: dict[str, Any] = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if field.name not in ("df", "details", "notes")
        }
        parts = self.df if isinstance(self.df, tuple) else (self.df,)
        names = ("df",) if len(parts) == 1 else ("df1", "df2")
        columns |= dict(zip(names, parts))
        columns |= {
            name: value for name, value in self.details.items() if np.shape(value) in ((), shape)
        }
        columns["notes"] = "; ".join(self.notes)
        rows = int(np.prod(shape))
        return pd.DataFrame(
            {
                name: np.ravel(value) if np.ndim(value) else [value] * rows
                for name, value in columns.items()
            }
        )


def row(values: Floats) -> Any:
    """Turn one row of numbers into a tuple, which prints and compares well; keep stacked rows."""
    return tuple(values.tolist()) if values.ndim == 1 else values


def _listed(groups: Any) -> list[Any]:
    if isinstance(groups, (str, Mapping)) or not np.iterable(groups):
        raise InputError(
            parameter="groups",
            expected="a list with one array per group",
            got=f"{type(groups).__name__}",
        )
    return list(groups)


def read_groups(
    groups: Sequence[ArrayLike] | Mapping[str, ArrayLike], *, axis: int = -1, finite: bool = True
) -> list[Floats]:
    """Check groups of observations, move these to the last axis, and give common leading axes."""
    arrays = [to_floats(f"groups: group {i}", group) for i, group in enumerate(_listed(groups))]
    refuse_other_precision(**{f"group {i}": group for i, group in enumerate(_listed(groups))})
    if len(arrays) < 2:
        raise InputError(parameter="groups", expected="at least two", got=f"{len(arrays)}")
    for i, array in enumerate(arrays):
        if array.ndim:
            arrays[i] = array = np.moveaxis(array, axis_of(f"group {i}", array, axis), -1)
        if array.ndim == 0 or array.shape[-1] == 0:
            raise InputError(
                parameter="groups",
                expected="a list of observations for each",
                got=f"none in group {i}",
                hint="leave it out or give its values as a list",
            )
        refuse_unusable(array, f"groups: group {i}", finite=finite)
    return broadcast_leading("groups", arrays, "that of the observations (the last)")


def refuse_single(sizes: NDArray[np.int64]) -> None:
    """Refuse groups, by their sizes, of one observation each: nothing varies within them."""
    if (sizes == 1).all():
        raise InputError(
            parameter="groups",
            expected="two observations in one group at least",
            got=f"{sizes.size} groups of one, which leave no variation within groups",
            hint="give observations, not their means",
        )


def read_table(values: ArrayLike | Mapping[str, ArrayLike], *, finite: bool = True) -> Floats:
    """Check a table (..., rows, columns): rows are folds or data sets, columns are algorithms."""
    table = to_floats("values", values)
    if table.ndim < 2 or table.shape[-2] < 1 or table.shape[-1] < 2:
        raise InputError(
            parameter="values",
            expected="a table of at least one row (folds or data sets) and two columns "
            "(algorithms)",
            got=f"shape {table.shape}",
        )
    refuse_unusable(table, "values", finite=finite)
    return table


def refuse_unusable(array: Floats, what: str, *, finite: bool) -> None:
    """Refuse NaN; where `finite`, also infinities and values whose fourth powers are."""
    wrong = ~np.isfinite(array) if finite else np.isnan(array)
    if wrong.any():
        raise InputError(
            parameter=what,
            expected=f"{'finite ' if finite else ''}numbers",
            got=f"{int(wrong.sum()):,} of {array.size:,} that are "
            f"NaN{' or infinite' if finite else ''}",
            hint="drop the row everywhere or complete it before testing",
        )
    largest = np.abs(array).max(initial=0)
    if finite and largest > 0 and not 1 / MOST < largest < MOST:
        raise InputError(
            parameter=what,
            expected=f"a largest size between {1 / MOST:g} and {MOST:g}",
            got=f"{largest:.3g}, whose fourth power cannot be represented",
            hint="choose other units",
        )


def rounding_floor(values: Floats, axis: int | tuple[int, ...]) -> Floats:
    """Return the sum of squares that rounding alone can make of `values` along `axis`."""
    axes = np.atleast_1d(axis)
    moved = np.moveaxis(values, axes, range(-axes.size, 0))
    size = int(np.prod(moved.shape[-axes.size :]))
    return np.asarray(size * noise(moved.reshape(*moved.shape[: -axes.size], size)) ** 2)


def f_pvalue(f: ArrayLike, df1: ArrayLike, df2: ArrayLike) -> Floats:
    """P(F > f); 0 at infinity, NaN where f or a degree of freedom is no positive number."""
    f, df1, df2 = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (f, df1, df2)))
    usable = np.isfinite(f) & (df1 > 0) & (df2 > 0)
    tail = scipy.special.fdtrc(
        np.where(usable, df1, 1), np.where(usable, df2, 1), np.where(usable, f, 0)
    )
    infinite = np.isposinf(f) & (df1 > 0) & (df2 > 0)
    return np.where(usable, tail, np.where(infinite, 0.0, np.nan))


def noncentrality_interval(
    f: ArrayLike, df1: ArrayLike, df2: ArrayLike, confidence: float
) -> tuple[Floats, Floats]:
    """Return the interval of the noncentrality of an F statistic by inverting its distribution.

    The low end is the noncentrality that puts (1 - confidence)/2 above `f`, the high end the one
    that puts it below (Steiger 2004, Psychological Methods 9, 164-182); 0 where there is none.
    """
    tail = (1 - confidence) / 2
    arrays = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (f, df1, df2)))
    return _noncentrality(arrays, 1 - tail), _noncentrality(arrays, tail)


def chi_square_noncentrality(
    statistic: ArrayLike, df: float, confidence: float
) -> tuple[Floats, Floats]:
    """Return the interval of the noncentrality of a chi-square statistic, as above."""
    tail = (1 - confidence) / 2
    x = np.asarray(statistic, dtype=np.float64)
    return _chi_square_root(x, df, 1 - tail), _chi_square_root(x, df, tail)


def _chi_square_root(x: Floats, df: float, below: float) -> Floats:
    """Find the noncentrality that puts `below` under x by bisection; 0 where there is none."""
    low, high = np.zeros(x.shape), 2 * np.nan_to_num(x) + 100.0
    for _ in range(100):
        middle = (low + high) / 2
        up = scipy.special.chndtr(x, df, middle) > below
        low, high = np.where(up, middle, low), np.where(up, high, middle)
    none = scipy.special.chndtr(x, df, 0.0) <= below
    return np.where(np.isnan(x), np.nan, np.where(none, 0.0, low))


def share_interval(
    statistic: ArrayLike, df: float, largest: float, confidence: float
) -> dict[str, Any]:
    """Return the interval of statistic / largest, the share that a rank statistic reaches.

    The statistic is taken for noncentral chi-square. That holds for small effects; for large
    ones ranks vary less than that and the interval is wider than it need be.
    """
    low, high = chi_square_noncentrality(statistic, df, confidence)
    return {
        "ci_low": to_python(np.minimum(low / largest, 1.0)),
        "ci_high": to_python(np.minimum(high / largest, 1.0)),
        "confidence": confidence,
    }


def _noncentrality(arrays: Sequence[Floats], below: float) -> Floats:
    shape = arrays[0].shape
    f, df1, df2 = (array.ravel() for array in arrays)
    usable = np.isfinite(f) & (df1 > 0) & (df2 > 0)
    answer = np.where(usable, 0.0, np.nan)
    # far out F df1 / noncentrality is df2 / chi-square(df2) up to 1e-4 of itself
    far = usable & (f * df1 > 1e8)
    answer[far] = f[far] * df1[far] * scipy.special.chdtri(df2[far], below) / df2[far]
    near = usable & ~far
    near[near] = scipy.special.fdtr(df1[near], df2[near], f[near]) > below
    if near.any():
        answer[near] = _root(f[near], df1[near], df2[near], below)
    return answer.reshape(shape)


def _root(f: Floats, df1: Floats, df2: Floats, below: float) -> Floats:
    """Find the noncentrality that puts `below` under f, by false position (Illinois).

    The search runs on the root of the noncentrality and the normal quantile of the probability,
    where the curve is nearly a line.
    """
    target = scipy.special.ndtri(below)

    def excess(root: Floats) -> Floats:
        chance = scipy.special.ncfdtr(df1, df2, root**2, f)
        # NaN at single places far out in either tail
        chance = np.where(np.isnan(chance), root**2 < f * df1, chance)
        above: Floats = scipy.special.ndtri(np.clip(chance, 1e-300, 1 - 1e-16)) - target
        return above

    low, high = np.zeros(f.size), np.sqrt(f * df1) * (1 + 3 / np.sqrt(df2)) + 4
    at_low, at_high = excess(low), excess(high)
    while (short := at_high > 0).any():
        high[short] *= 2
        at_high = excess(high)
    moved_up = np.zeros(f.size, dtype=np.bool_)
    for step in range(60):
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        at_middle = excess(middle)
        if np.abs(at_middle).max() < 1e-11:
            break
        up = at_middle > 0
        # an end that stays twice running counts half, so that it moves too
        stays = up == moved_up if step else np.zeros(f.size, dtype=np.bool_)
        halved = np.where(stays, 0.5, 1.0)
        at_low, at_high = (
            np.where(up, at_middle, at_low * halved),
            np.where(up, at_high * halved, at_middle),
        )
        low, high = np.where(up, middle, low), np.where(up, high, middle)
        moved_up = up
    return middle**2
