"""Many pairs compared at once: the table that follows an omnibus test."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..core.results import Result, show
from ..core.wording import shorten
from ..numeric.checks import has_masked
from ._arrays import to_python
from .omnibus import Floats

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class Comparisons(Result):
    """Pairs of algorithms with estimate, interval and adjusted p-value.

    The pairs lie on the last axis of every array; inputs with leading axes, one family of pairs
    each, give arrays with the same leading axes.

    Attributes
    ----------
    method : str
        The procedure in words.
    question : str
        What each p-value answers.
    first, second : tuple of str
        The two names of each pair.
    estimate : ndarray
        First minus second.
    standard_error : ndarray
        Its standard error.
    statistic : ndarray
        The statistic of the pair (t or z).
    df : ndarray or None
        Degrees of freedom of the pair; None where the reference is the normal distribution.
    pvalue : ndarray
        Two-sided p-value of the pair alone.
    adjusted_pvalue : ndarray
        The p-value after `adjustment`; compare this one with the level.
    ci_low, ci_high : ndarray
        Interval of the estimate; `interval` says for how many pairs it holds at once.
    confidence : float
        The level of the intervals.
    adjustment : str
        How the p-values were adjusted for their number.
    interval : str
        What the intervals cover: "simultaneous" (all pairs at once) or "one pair".
    degenerate : ndarray
        True where the data leave the pair without a reference distribution.
    details : mapping
        What belongs to the whole family: mean ranks, critical difference, groups.
    notes : tuple of str
        What the reader must know before using the p-values.
    """

    method: str
    question: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    estimate: Floats
    standard_error: Floats
    statistic: Floats
    df: Floats | None
    pvalue: Floats
    adjusted_pvalue: Floats
    ci_low: Floats
    ci_high: Floats
    confidence: float
    adjustment: str
    interval: str
    degenerate: NDArray[np.bool_]
    details: Mapping[str, Any] = dataclasses.field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()

    @property
    def significant(self) -> NDArray[np.bool_]:
        """Whether each pair differs at the level of the intervals, after adjustment."""
        return np.asarray(self.adjusted_pvalue < 1 - self.confidence)

    def _columns(self) -> dict[str, Sequence[Any] | NDArray[Any]]:
        columns: dict[str, Sequence[Any] | NDArray[Any]] = {
            "first": self.first,
            "second": self.second,
            "estimate": self.estimate,
            "standard_error": self.standard_error,
            "statistic": self.statistic,
        }
        if self.df is not None:
            columns["df"] = self.df
        return columns | {
            "pvalue": self.pvalue,
            "adjusted_pvalue": self.adjusted_pvalue,
            "ci_low": self.ci_low,
            "ci_high": self.ci_high,
            "degenerate": self.degenerate,
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the pairs as a table, one row per pair; several families follow each other.

        Their number from 0, in the order of the leading axes, is then in the column "family".
        """
        import pandas as pd

        shape = self.estimate.shape
        columns = {
            name: np.broadcast_to(column, shape).ravel() for name, column in self._columns().items()
        }
        if len(shape) > 1:
            families = int(np.prod(shape[:-1]))
            columns = {"family": np.repeat(np.arange(families), shape[-1])} | columns
        return pd.DataFrame(columns)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a critical difference diagram of mean ranks, else each difference with its interval.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure, without pyplot.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        InputError
            For several families of pairs at once.

        Examples
        --------
        >>> from nettrial.stats import nemenyi_test
        >>> found = nemenyi_test([[0.1, 0.2, 0.4], [0.2, 0.3, 0.5]], names=["a", "b", "c"])
        >>> [text.get_text() for text in found.plot().texts][-3:]
        ['a (1.00)', 'b (2.00)', 'c (3.00)']
        """
        from .diagrams import draw_intervals, draw_ranks

        if self.estimate.ndim != 1:
            raise InputError(expected="one family of pairs", got=f"{self.estimate.shape[:-1]}")
        ranks, limit = self.details.get("mean_ranks"), self.details.get("critical_difference")
        if not isinstance(ranks, Mapping) or limit is None:
            pairs = zip(self.first, self.second)
            names = [" − ".join(shorten(name, 22) for name in pair) for pair in pairs]
            numbers = np.stack([self.estimate, self.ci_low, self.ci_high], axis=1)
            label = f"difference ({self.interval} {100 * self.confidence:g}% intervals)"
            return draw_intervals(names, numbers.tolist(), self.significant.tolist(), label, ax)
        ordered = dict(sorted(ranks.items(), key=lambda item: item[1]))
        return draw_ranks(ordered, float(limit), self.details.get("groups", ()), ax)

    def _head(self) -> list[tuple[str, str]]:
        family = {
            "method": self.method,
            "question": self.question,
            "adjustment": self.adjustment,
            "interval": f"{self.interval}, level {show(self.confidence)}",
            **self.details,
        }
        lines = [(name.replace("_", " "), show(value)) for name, value in family.items()]
        return lines + [("note", note) for note in self.notes]

    def _table(self) -> tuple[list[str], list[list[str]]]:
        columns = self._columns()
        by_pair = [np.moveaxis(np.asarray(column), -1, 0) for column in columns.values()]
        cells = [[show(item) for item in column] for column in by_pair]
        return [name.replace("_", " ") for name in columns], [list(line) for line in zip(*cells)]

    def __str__(self) -> str:
        head = self._head()
        width = max(len(name) for name, _ in head)
        titles, rows = self._table()
        widths = [max(map(len, column)) for column in zip(titles, *rows)]
        lines = [f"{name:<{width}}  {value}" for name, value in head] + [""]
        lines += ["  ".join(c.ljust(w) for c, w in zip(line, widths)) for line in (titles, *rows)]
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        titles, rows = self._table()
        head = "".join(
            f"<div><b>{html.escape(name)}</b> {html.escape(value)}</div>"
            for name, value in self._head()
        )
        top = "".join(f"<th>{html.escape(title)}</th>" for title in titles)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>"
            for line in rows
        )
        return f"{head}<table><tr>{top}</tr>{body}</table>"


def read_names(names: Sequence[str] | None, k: int) -> tuple[str, ...]:
    """Return k different names: the given ones, or their places from 0."""
    if names is None:
        return tuple(map(str, range(k)))
    chosen = text_names("names", names)
    if len(chosen) != k or len(set(chosen)) != k:
        raise InputError(parameter="names", expected=f"{k} different names", got=", ".join(chosen))
    return chosen


def text_names(what: str, names: Iterable[object]) -> tuple[str, ...]:
    """Return names as text, or refuse what is no list of them."""
    if isinstance(names, str) or not np.iterable(names) or has_masked(names):
        raise InputError(parameter=what, expected="a list of names", got=shown(names))
    return tuple(map(str, names))


def all_pairs(k: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the places of the first and the second of each pair, 0-1, 0-2, ..., 1-2, ..."""
    return np.triu_indices(k, 1)


def pair_names(
    names: Sequence[str], first: NDArray[np.intp], second: NDArray[np.intp]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(names[i] for i in first), tuple(names[j] for j in second)


def by_name(names: Sequence[str], values: Floats) -> dict[str, Any]:
    """Return the number of each algorithm, or its array of the leading axes.

    `values` has the algorithms on the last axis.
    """
    return {name: to_python(values[..., i]) for i, name in enumerate(names)}
