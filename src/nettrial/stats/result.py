"""The result of one significance test."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..core.results import Result
from ..core.wording import shorten
from ..numeric.checks import scalar

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Alternative: TypeAlias = Literal["two-sided", "less", "greater"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "less", "greater")
Number: TypeAlias = float | NDArray[np.float64]


class Estimate(Result):
    """Base of the results that hold an estimate with its interval, which can be drawn."""

    __slots__ = ()

    if TYPE_CHECKING:  # fields of all
        estimate: Any
        ci_low: Any
        ci_high: Any
        confidence: float

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the estimate with its interval; of several, one in each row.

        Marks are filled where the interval leaves out the dashed line, at which nothing differs.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure, without pyplot.

        Returns
        -------
        matplotlib Axes

        Examples
        --------
        >>> from nettrial.stats import paired_t_test
        >>> found = paired_t_test([0.1, 0.3, 0.2, 0.3], [0.2, 0.4, 0.4, 0.3])
        >>> found.plot().get_xlabel()
        'estimate with its 95% interval'
        """
        from .diagrams import draw_intervals

        null = self._null()
        columns = np.broadcast_arrays(*map(np.ravel, (self.estimate, self.ci_low, self.ci_high)))
        numbers = np.stack(columns, axis=1).tolist()
        several = [", ".join(map(str, place)) for place in np.ndindex(np.shape(self.estimate))]
        name = getattr(self, "measure", getattr(self, "method", ""))
        return draw_intervals(
            several if len(numbers) > 1 else [shorten(name, 30)],
            numbers,
            [null is not None and (low > null or high < null) for _, low, high in numbers],
            f"estimate with its {100 * self.confidence:g}% interval",
            ax,
            null,
        )

    def _null(self) -> float | None:
        """Return the value at which nothing differs."""
        return 0.0


@dataclass(frozen=True, slots=True)
class TestResult(Estimate):
    """A p-value with everything that is needed to read it.

    Array inputs tested along an axis give array fields of the shape that is left.

    Attributes
    ----------
    method : str
        The test's name in words.
    question : str
        What the p-value answers.
    estimate : float or ndarray
        The quantity that was tested, always first minus second for two samples.
    standard_error : float or ndarray
        Its standard error; NaN where the test does not use one.
    statistic : float or ndarray
        The test statistic.
    df : float, tuple or ndarray or None
        Degrees of freedom; None where the reference distribution has none.
    pvalue : float or ndarray
        The p-value for `alternative`.
    ci_low, ci_high : float or ndarray
        Confidence interval of `estimate`, one-sided for a one-sided alternative.
    confidence : float
        The level of that interval, a proportion.
    alternative : {"two-sided", "less", "greater"}
        "greater" means that the first sample, or the proportion, is larger.
    degenerate : bool or ndarray
        True where the data leave the test without a reference distribution; `notes` says why.
    details : mapping
        Named inputs and by-products of the test: sample sizes, corrections, ranks, effect sizes.
    notes : tuple of str
        What the reader must know before using the p-value.
    """

    __test__: ClassVar[bool] = False  # keeps pytest from collecting the class

    method: str
    question: str
    estimate: Number
    standard_error: Number
    statistic: Number
    df: Number | tuple[float, ...] | None
    pvalue: Number
    ci_low: Number
    ci_high: Number
    confidence: float
    alternative: Alternative
    degenerate: bool | NDArray[np.bool_] = False
    details: Mapping[str, Any] = dataclasses.field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """Return the result as a table, one row per test.

        Of several tests, details that have several numbers per test are left out.
        """
        shape = np.shape(self.pvalue)
        details = {
            name: value
            for name, value in self.details.items()
            if not isinstance(value, np.ndarray) or value.shape == shape
        }
        return Result.to_frame(dataclasses.replace(self, details=details))

    def _null(self) -> float | None:
        null = self.details.get("null_value", self.details.get("null", 0.0))
        return float(null) if np.ndim(null) == 0 else None


def check_confidence(confidence: float) -> float:
    """Refuse a confidence level outside (0, 1)."""
    level = scalar("confidence", confidence)
    if not 0 < level < 1:
        raise InputError(
            parameter="confidence",
            expected="a proportion between 0 and 1, for example 0.95",
            got=shown(confidence),
        )
    return level
