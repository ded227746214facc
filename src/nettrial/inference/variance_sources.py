"""Three sources of variance distinguished: networks, splits of one network, training seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.wording import listed
from ..metrics.amounts import amount, amount_with_unit, noun
from ..metrics.measures import Measure

Floats = NDArray[np.float64]


class Effects(NamedTuple):
    """Variances of random effects with equal numbers.

    Attributes
    ----------
    split : float
        Variance from split to split that is left when the seed is averaged out.
    seed : float
        Variance from seed to seed on one split.
    """

    split: float
    seed: float


def effects_of(values: Floats) -> Effects:
    """Return the variance between splits and that between training seeds.

    The variance between seeds is the mean over the splits of the variance within each, and that
    between splits the variance of the splits' means less a share 1 / n_seeds of it, or 0.

    Parameters
    ----------
    values : ndarray, shape (n_splits, n_seeds)
        At least two of each.

    Examples
    --------
    >>> effects_of(np.array([[0.25, 0.5], [0.5, 0.75], [0.75, 1.0]]))
    Effects(split=0.046875, seed=0.03125)
    """
    shifted = values - values[:, :1]  # exactly 0 for a model without luck
    seed = float(shifted.var(axis=1, ddof=1).mean())
    split = float(values.mean(axis=1).var(ddof=1)) - seed / values.shape[1]
    return Effects(max(split, 0.0), seed)


class Sources(NamedTuple):
    """Where the variance of a model's mean measure, or of a difference of two, comes from.

    Attributes
    ----------
    name : str
        The model, or "a - b".
    network : float
        Variance from network to network, all splits and seeds averaged out.
    split : float
        From split to split of one network, all seeds averaged out.
    seed : float
        From training seed to training seed on one split.
    n_splits, n_seeds : int
        Splits, and seeds of each.
    """

    name: str
    network: float
    split: float
    seed: float
    n_splits: int
    n_seeds: int

    @property
    def shares(self) -> dict[str, float]:
        """What each source has of the variance of the mean over splits and seeds."""
        parts = {
            "network": self.network,
            "split": self.split / self.n_splits,
            "seed": self.seed / (self.n_splits * self.n_seeds),
        }
        total = sum(parts.values())
        return {name: part / total if total > 0 else 0.0 for name, part in parts.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the variances, their shares, and standard errors with twice as many of each."""
        twice = {what: self.standard_error(**{what: 2}) for what in ("networks", "splits", "seeds")}
        return self._asdict() | {
            "shares": self.shares,
            "standard_error": self.standard_error(),
            "standard_error_at_twice": twice,
        }

    def standard_error(self, networks: int = 1, splits: int = 1, seeds: int = 1) -> float:
        """Return the standard error with so many times as many networks, splits and seeds.

        Splits and seeds are counted on each network, seeds on each split.

        Examples
        --------
        >>> round(Sources("gcn", 4e-4, 1e-3, 1e-3, 10, 2).standard_error(splits=2), 6)
        0.021794
        """
        k, r = splits * self.n_splits, seeds * self.n_seeds
        variance = self.network + self.split / k + self.seed / (k * r)
        return float(np.sqrt(variance / networks))


def sources_of(name: str, values: Floats, variance: float) -> Sources:
    """Return where the variance of a mean comes from.

    Parameters
    ----------
    values : ndarray, shape (n_splits, n_seeds)
        The measure, or a difference, on every split with every seed; at least two of each.
    variance : float
        Of its mean from network to network, the noise of these splits and seeds included. What
        these do not explain is the networks'; 0 where they explain more.

    Notes
    -----
    Splits count as independent draws from one network. Folds of a cross-validation are not quite.
    """
    (k, r), found = values.shape, effects_of(values)
    networks = max(variance - found.split / k - found.seed / (k * r), 0.0)
    return Sources(name, networks, found.split, found.seed, k, r)


def moved_by_seeds(
    names: Sequence[str],
    means: Sequence[float],
    deviations: Sequence[float],
    pairs: Sequence[tuple[int, int]],
    measure: Measure,
) -> list[str]:
    """Return which models the training seed moves by more than they differ from another.

    Parameters
    ----------
    means, deviations : sequence of float
        Mean measure of each model, and its standard deviation from seed to seed on one split.
    pairs : sequence of (int, int)
        Places of the models that are compared.

    Examples
    --------
    >>> from ..metrics.measures import MEASURES
    >>> note = moved_by_seeds(["gcn", "mlp"], [0.2, 0.21], [0.02, 0.0], [(0, 1)], MEASURES["error"])
    >>> print(*note)
    the training seed alone moves the error rate of gcn by 2.0 percentage points (standard \
    deviation), more than it differs from mlp (1.0)
    """
    found = []
    for place, name in enumerate(names):
        rivals = [j if i == place else i for i, j in pairs if place in (i, j)]
        near = [
            f"{names[j]} ({amount(measure, abs(means[place] - means[j]))})"
            for j in rivals
            if abs(means[place] - means[j]) < deviations[place]
        ]
        if near:
            found.append(
                f"the training seed alone moves the {noun(measure)} of {name} by "
                f"{amount_with_unit(measure, deviations[place])} (standard deviation), more than "
                f"it differs from {listed(near)}"
            )
    return found
