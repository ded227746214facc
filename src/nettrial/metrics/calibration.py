"""Are the predicted probabilities right: reliability table and expected calibration error."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.results import Result
from ..core.seeds import Seed, freeze, generator
from ..numeric.checks import count, scalar
from ..numeric.rounding import ROUNDING, without_noise
from ._check import ClassTable, Floats, choice
from .losses import probability_table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Calibration(Result):
    """Reliability by bin and the expected calibration error (ECE).

    Attributes
    ----------
    ece : float
        ``Σ_b n_b/n · |observed_b - predicted_b|``; NaN for no data.
    ci_low, ci_high, confidence : float
        Conservative bootstrap interval of the population's ECE with these bins.
    expected_if_calibrated : float
        Mean ECE of perfectly calibrated predictions with these probabilities and this n: what
        chance alone gives.
    pvalue : float
        Share of calibrated replicates with an ECE at least this large, ``(1+x)/(1+B)``.
    maximum : float
        The largest gap of a bin.
    lower, upper : ndarray of shape (bins,)
        The range of each bin that holds observations.
    count, predicted, observed : ndarray of shape (bins,)
        Observations, mean probability and share of positives (or of right predictions).
    observed_low, observed_high : ndarray of shape (bins,)
        Wilson interval of `observed`.
    seed : int
        Reproduces interval and p-value.
    """

    ece: float
    ci_low: float
    ci_high: float
    confidence: float
    expected_if_calibrated: float
    pvalue: float
    maximum: float
    lower: Floats
    upper: Floats
    count: NDArray[np.int64]
    predicted: Floats
    observed: Floats
    observed_low: Floats
    observed_high: Floats
    seed: int

    def table(self) -> pd.DataFrame:
        """Return the reliability table, one row per bin."""
        import pandas as pd

        names = [
            "lower",
            "upper",
            "count",
            "predicted",
            "observed",
            "observed_low",
            "observed_high",
        ]
        return pd.DataFrame({name: getattr(self, name) for name in names})


def _edges(p: Floats, bins: int, spacing: str) -> Floats:
    if spacing == "equal" or p.size == 0:
        return np.linspace(0, 1, bins + 1)
    p = without_noise(p)
    inner = np.unique(np.quantile(p, np.linspace(0, 1, bins + 1)[1:-1]))
    return np.concatenate(([0.0], inner[(inner > 0) & (inner < 1)], [1.0]))


def _wilson(share: Floats, n: Floats, z: float) -> tuple[Floats, Floats]:
    # Wilson (1927), the roots of (share - p)² = z² p(1-p)/n
    center = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return np.maximum(center - half, 0), np.minimum(center + half, 1)


@check_arguments
def calibration(
    labels: ArrayLike,
    probabilities: ClassTable,
    *,
    classes: Sequence[Hashable] | None = None,
    positive: Hashable | None = None,
    bins: int = 10,
    spacing: Literal["equal", "quantile"] = "equal",
    confidence: float = 0.95,
    n_resamples: int = 999,
    seed: Seed = 0,
) -> Calibration:
    """Compare predicted probabilities with observed frequencies in bins.

    Use it before probabilities are used as such. It assumes independent observations. It does
    not say how well the classes are separated: the base rate for everybody is calibrated.
    The ECE depends on the bins and is above 0 by chance alone: read it beside
    `expected_if_calibrated`.

    Parameters
    ----------
    labels : array_like of shape (n,)
        True classes.
    probabilities : array_like of shape (n,) or (n, K), or mapping of class to (n,)
        Of the positive class; or of every class: then the probability of the predicted class
        is compared with how often it is right.
    classes, positive
        As for `squared_losses`.
    bins : int
        Number of bins (at most, for quantiles of tied probabilities).
    spacing : {"equal", "quantile"}
        Bins of equal width (right edge included) or of about equal counts.
    confidence : float
        Level of all intervals.
    n_resamples : int
        Replicates of the bootstrap and of the calibrated predictions.
    seed : int, SeedSequence or Generator

    Returns
    -------
    Calibration

    Raises
    ------
    InputError
        As `squared_losses`, or for fewer than one bin or replicate.

    Notes
    -----
    Percentile intervals of the ECE miss it badly, because absolute values pile up above 0.
    The interval is ECE ± q with q the quantile of ``Σ_b |m*_b - m_b|`` over bootstrap samples
    of the bins' signed gaps m: by the triangle inequality it covers at least as often.

    References
    ----------
    M. P. Naeini, G. F. Cooper, M. Hauskrecht (2015), AAAI (ECE); J. Bröcker, L. A. Smith
    (2007), Weather and Forecasting 22 (resampling under calibration).

    Examples
    --------
    >>> result = calibration([0, 1, 1, 0], [0.1, 0.9, 0.9, 0.1], n_resamples=99)
    >>> round(result.ece, 3), result.count.tolist()
    (0.1, [2, 2])
    """
    choice("spacing", spacing, ("equal", "quantile"))
    if not 0 < scalar("confidence", confidence) < 1:
        raise InputError(
            parameter="confidence", expected="a level between 0 and 1", got=shown(confidence)
        )
    bins, n_resamples = count("bins", bins), count("n_resamples", n_resamples)
    code, table, alone = probability_table(labels, probabilities, classes, positive)
    if alone:
        p, y = table[:, 1], code.astype(np.float64)
    else:
        # probabilities that only rounding tells apart go to the first class
        first = without_noise(table).argmax(axis=1) if table.size else code
        p, y = table.max(axis=1, initial=0), (first == code).astype(np.float64)
    edges = _edges(p, bins, spacing)
    # right edges, up to rounding, belong to their bin; 0 belongs to the first
    place = np.clip(np.searchsorted(edges + ROUNDING, p, side="left") - 1, 0, edges.size - 2)
    used, place = np.unique(place, return_inverse=True)
    n = np.bincount(place, minlength=used.size)
    predicted = np.bincount(place, weights=p, minlength=used.size) / n
    observed = np.bincount(place, weights=y, minlength=used.size) / n
    z = float(scipy.special.ndtri((1 + confidence) / 2))
    low, high = _wilson(observed, n.astype(np.float64), z)
    frozen = freeze(seed)
    ece, *rest = _error_of_calibration(y, p, place, n_resamples, confidence, frozen)
    return Calibration(
        ece,
        rest[0],
        rest[1],
        float(confidence),
        rest[2],
        rest[3],
        float(np.abs(observed - predicted).max()) if used.size else float("nan"),
        edges[used],
        edges[used + 1],
        n,
        predicted,
        observed,
        low,
        high,
        frozen,
    )


def _error_of_calibration(
    y: Floats, p: Floats, place: NDArray[np.intp], draws: int, confidence: float, seed: int
) -> tuple[float, float, float, float, float]:
    """Return ECE, interval ends, mean ECE under calibration and p-value."""
    n = y.size
    if n == 0:
        nan = float("nan")
        return nan, nan, nan, nan, nan
    k = int(place.max()) + 1

    def gaps(residual: Floats, where: NDArray[np.intp]) -> Floats:
        return np.bincount(where, weights=residual, minlength=k) / n

    signed = gaps(y - p, place)
    ece = float(np.abs(signed).sum())
    shift, calibrated = np.empty(draws), np.empty(draws)
    for i in range(draws):
        random = generator(seed, i)
        again = random.integers(n, size=n)
        shift[i] = np.abs(gaps((y - p)[again], place[again]) - signed).sum()
        calibrated[i] = np.abs(gaps((random.random(n) < p) - p, place)).sum()
    q = float(np.quantile(shift, confidence))
    # rounding must not make an equal replicate look smaller
    as_large = int((calibrated >= ece * (1 - 1e-12)).sum())
    pvalue = (1 + as_large) / (1 + draws)
    return ece, max(ece - q, 0.0), min(ece + q, 1.0), float(calibrated.mean()), pvalue
