"""Q-Q plot of differences: are they as normal as the t tests want them?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.results import Result
from ..core.seeds import Seed, freeze, generator
from ..metrics._drawing import COLORS, REFERENCE, finish, open_axes
from ..numeric.rounding import settled
from ._arrays import Array, noise, pairs
from ._means import moments
from .result import check_confidence

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIMULATED = 2000  # normal samples from which the band is made
MOST = 5000  # values; above, the Shapiro-Wilk p-value is not accurate
CONSTANT = "the differences are constant: there is nothing to compare with a normal distribution"


@dataclass(frozen=True, slots=True)
class NormalQuantiles(Result):
    """Ordered differences beside the quantiles of a normal distribution.

    Attributes
    ----------
    expected : ndarray of shape (n,)
        Normal quantiles at (i - 3/8) / (n + 1/4).
    observed : ndarray of shape (n,)
        The differences in order.
    mean, sd : float
        Of the differences: normal ones lie about the line mean + sd * expected.
    band_low, band_high : ndarray of shape (n,)
        A share `confidence` of normal samples lies inside throughout.
    confidence : float
        That share.
    n_outside : int
        Differences outside the band.
    statistic, pvalue : float
        Of Shapiro and Wilk's test; NaN for constant differences.
    seed : int
        Reproduces the band.
    notes : tuple of str
        What the reader must know.
    """

    expected: Array
    observed: Array
    mean: float
    sd: float
    band_low: Array
    band_high: Array
    confidence: float
    n_outside: int
    statistic: float
    pvalue: float
    seed: int
    notes: tuple[str, ...] = ()

    @check_arguments
    def plot(self, ax: Axes | None = None, *, name: str = "difference") -> Axes:
        """Draw the points, the line of the normal distribution and the band about it."""
        axes = open_axes(ax)
        axes.fill_between(
            self.expected, self.band_low, self.band_high, color="#D9E8F2", linewidth=0, zorder=0
        )
        axes.plot(self.expected, self.mean + self.sd * self.expected, **REFERENCE)
        axes.plot(self.expected, self.observed, "o", color=COLORS[0], markersize=4, zorder=3)
        axes.set(xlabel="normal quantile", ylabel=name)
        finish(axes)
        return axes


@check_arguments
def normal_quantiles(
    a: ArrayLike, b: ArrayLike = 0.0, *, confidence: float = 0.95, seed: Seed = 0
) -> NormalQuantiles:
    r"""Compare differences with a normal distribution: a Q-Q plot with a band, and a test.

    Use it before a t test of few pairs: points that leave the band in one direction at an end
    show outliers or skewness, for which `wilcoxon_test` or `permutation_test` are better. It
    assumes independent pairs. A large p-value does not show that differences are normal: with
    few pairs little can be seen.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        Pairs, or differences as `a` and one number as `b`; 3 to 5000 of them.
    confidence : float
        Share of normal samples that lie inside the band throughout.
    seed : int, SeedSequence or Generator
        Of the 2000 normal samples from which the band is made.

    Returns
    -------
    NormalQuantiles
        With the band of Aldor-Noiman et al.: each ordered value between the same two quantiles
        of its distribution in standardized normal samples, which are so far out that
        `confidence` of the samples lie inside throughout.

    Raises
    ------
    InputError
        For fewer than 3 or more than 5000 pairs, unequal lengths, or values that are not finite.

    References
    ----------
    Shapiro and Wilk (1965), Biometrika 52, 591-611. Aldor-Noiman, Brown, Buja, Rolke and Stine
    (2013), The American Statistician 67, 249-260. Blom (1958), Statistical Estimates and
    Transformed Beta-Variables.

    Examples
    --------
    >>> result = normal_quantiles([0.02, 0.01, 0.03, 0.00, 0.02, 0.40])
    >>> result.n_outside, round(result.pvalue, 4)
    (3, 0.0001)
    """
    from scipy.stats import shapiro  # slow to import

    check_confidence(confidence)
    first, second = pairs(a, b, -1, least=3)
    if first.ndim != 1 or first.size > MOST:
        raise InputError(
            parameter="a", expected=f"one dimension of 3 to {MOST} pairs", got=f"{first.shape}"
        )
    rounding = float(noise(first, second))
    observed = np.sort(settled(first - second, rounding))
    n = observed.size
    expected = special.ndtri((np.arange(1, n + 1) - 0.375) / (n + 0.25))
    mean, sd = map(float, moments(observed, rounding))
    entropy = freeze(seed)
    low, high = _band(n, confidence, entropy)
    constant = sd == 0
    statistic = pvalue = float("nan")
    if not constant:
        # standardized, since SciPy takes ranges below 1e-19 for none
        statistic, pvalue = map(float, shapiro((observed - mean) / sd))
    band_low, band_high = mean + sd * low, mean + sd * high
    outside = (observed < band_low) | (observed > band_high)
    return NormalQuantiles(
        expected=expected,
        observed=observed,
        mean=mean,
        sd=sd,
        band_low=band_low,
        band_high=band_high,
        confidence=confidence,
        n_outside=0 if constant else int(outside.sum()),
        statistic=statistic,
        pvalue=pvalue,
        seed=entropy,
        notes=(CONSTANT,) if constant else (),
    )


def _band(n: int, confidence: float, entropy: int) -> tuple[Array, Array]:
    """Return the ends for each ordered value of a standardized normal sample."""
    drawn = np.sort(generator(entropy).standard_normal((SIMULATED, n)), axis=1)
    drawn = (drawn - drawn.mean(axis=1, keepdims=True)) / drawn.std(axis=1, ddof=1, keepdims=True)
    # how far out each value of each sample lies among those of its place
    place = np.argsort(np.argsort(drawn, axis=0), axis=0)
    depth = np.minimum(place, SIMULATED - 1 - place).min(axis=1)
    cut = int(np.quantile(depth, 1 - confidence, method="lower"))
    ordered = np.sort(drawn, axis=0)
    return ordered[cut], ordered[SIMULATED - 1 - cut]
