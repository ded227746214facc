"""Influence values of any function, by what it is without each node or group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..core.plain_text import error_text
from .influence import Codes, Floats

LARGEST_LEFT_OUT = 20_000  # nodes of a test set that a function is evaluated without, one by one
ROUNDING = 1e-9  # by which a value may pass its bounds


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Influence values of any function, by what it is without each node (Efron 1992).

    psi_i = M - (n - 1) (M without i - M), less their mean's distance from M.
    """

    function: Callable[..., float]
    probabilities: bool
    takes_nodes: bool
    bounds: tuple[float, float]

    def __call__(
        self, labels: Codes, probabilities: Floats, predicted: Codes, nodes: NDArray[np.intp]
    ) -> Floats:
        n = labels.size
        if n > LARGEST_LEFT_OUT:
            raise InputError(
                "a function is evaluated without each test node in turn",
                parameter="measure",
                hint=f"expected at most {LARGEST_LEFT_OUT} test nodes a split, got {n}; use a "
                "measure by name, or smaller test sets",
            )
        if n < 2:
            return np.full(n, np.nan)
        columns = self._columns(labels, probabilities, predicted, nodes)
        value = self._of(columns)
        keep = np.ones(n, dtype=bool)
        without = np.empty(n)
        for i in range(n):
            keep[i] = False
            without[i] = self._of([column[keep] for column in columns])
            keep[i] = True
        psi = value - (n - 1) * (without - value)
        return np.asarray(psi - (psi.mean() - value))

    def value(self, *test_set: Any) -> float:
        """Return the function's value."""
        return self._of(self._columns(*test_set))

    def by_groups(self, groups: NDArray[np.intp], *test_set: Any) -> tuple[float, Floats]:
        """Return the value and what groups contribute: S_g = n M - (n - n_g) M without g.

        Their sum is made n M. Where the function has no value without some group, nodes are left
        out one by one.
        """
        columns, sizes = self._columns(*test_set), np.bincount(groups)
        found, n, value = np.zeros(sizes.size), groups.size, self._of(columns)
        there = np.flatnonzero(sizes)
        if there.size == 1:
            return value, np.asarray(value * sizes, dtype=np.float64)
        try:
            without = [self._of([c[groups != g] for c in columns]) for g in there.tolist()]
        except InputError:
            without = [np.nan]
        if np.isnan(without).any():
            return value, np.asarray(np.bincount(groups, self(*test_set)), dtype=np.float64)
        found[there] = n * value - (n - sizes[there]) * np.array(without)
        return value, np.asarray(found - sizes * (found.sum() / n - value))

    def _columns(
        self, labels: Codes, probabilities: Floats, predicted: Codes, nodes: NDArray[np.intp]
    ) -> list[NDArray[Any]]:
        said = probabilities if self.probabilities else predicted
        return [labels, said, nodes] if self.takes_nodes else [labels, said]

    def _of(self, columns: list[NDArray[Any]]) -> float:
        try:
            value: Any = self.function(*columns)
        except Exception as error:
            missing = isinstance(error, TypeError) and "argument" in error_text(error)
            how = (
                "; it was called as function(y_true, y_pred); custom_measure(takes_nodes=True) "
                "hands over the test nodes as a third argument"
            ) * (missing and not self.takes_nodes)
            raise InputError(
                parameter="measure",
                expected="a number from the function",
                got=f"{type(error).__name__}: {error_text(error)}{how}",
            ) from error
        try:
            found = float(value)
        except (TypeError, ValueError):
            raise InputError(
                parameter="measure",
                expected="a number from the function",
                got=f"{shown(value)} ({type(value).__name__})",
            ) from None
        low, high = self.bounds
        if found < low - ROUNDING or found > high + ROUNDING:
            raise InputError(
                parameter="measure",
                expected=f"a value within its bounds, {low:g} to {high:g}, from the function",
                got=f"{found:g}",
                hint="give the bounds= that it keeps, or none",
            )
        return found
