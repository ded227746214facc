"""Making the true difference of two models known, by changing predictions at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..core.errors import InputError
from ..models.decide import predict_labels
from ..network.network import Network
from ..replicates.handicaps import pair_handicaps
from ..study.node_study import Predictions

Floats = NDArray[np.float64]


def chances_for(errors: Floats, n_classes: int, differences: tuple[float, ...]) -> Floats:
    """Return the chances of turned predictions that make true differences.

    The difference goes where it goes without handicaps: the model that has more errors stays
    the worse one. At 0 the better model is made as bad as the worse one; a difference first
    lessens that handicap, and where this is used up the worse model is made worse still.

    Parameters
    ----------
    errors : ndarray, shape (2,)
        Error rates of the models without handicap.
    differences : tuple of float
        Wanted sizes of the difference, 0 and above.

    Returns
    -------
    ndarray, shape (len(differences), 2)

    Examples
    --------
    >>> chances_for(np.array([0.2, 0.3]), 2, (0.0, 0.1, 0.2)).round(3).tolist()
    [[0.167, 0.0], [0.0, 0.0], [0.0, 0.25]]
    """
    if errors[0] >= errors[1]:
        return pair_handicaps(errors, n_classes, differences)
    return pair_handicaps(errors[::-1], n_classes, differences)[:, ::-1]


def noise_for(errors: Floats, differences: tuple[float, ...]) -> Floats:
    """Return the variances of noise that make true differences of squared errors.

    Noise that is independent of the targets adds its variance to the squared error. What is
    worsened is as for `chances_for`; differences are shares of the larger squared error.

    Parameters
    ----------
    errors : ndarray, shape (2,)
        Squared errors of the models without noise.

    Returns
    -------
    ndarray, shape (len(differences), 2)

    Examples
    --------
    >>> noise_for(np.array([6.0, 10.0]), (0.0, 0.1, 0.5)).tolist()
    [[4.0, 0.0], [3.0, 0.0], [0.0, 1.0]]
    """
    worse = int(errors[1] > errors[0])
    most, least = float(errors[worse]), float(errors[1 - worse])
    found = np.zeros((len(differences), 2))
    for row, difference in zip(found, differences):
        wanted = max(least, most - difference * most)
        row[1 - worse], row[worse] = wanted - least, wanted + difference * most - most
    return np.maximum(found, 0.0)  # rounding may leave less


def blurred(predictions: Predictions, variances: Floats, entropy: int) -> list[Predictions]:
    """Add normal noise to predicted numbers, of each model's variance, see `flipped`."""
    tables: list[dict[str, tuple[Floats, ...]]] = [{} for _ in variances]
    for place, model in enumerate(predictions.models):
        plain = predictions.probabilities[model]
        random = seeds.generator(entropy, place)
        noise = [random.normal(size=len(values)) for values in plain]
        for found, size in zip(tables, np.sqrt(variances[:, place])):
            found[model] = tuple(values + size * one for values, one in zip(plain, noise))
    return [
        Predictions(predictions.network, predictions.splits, predictions.models, found)
        for found in tables
    ]


def turned(predictions: Predictions, chances: Floats, entropy: int) -> list[Predictions]:
    """Worsen predictions by the handicaps of what was predicted, see `HANDICAPS`."""
    return HANDICAPS[predictions.task.name].worsened(predictions, chances, entropy)


def flipped(predictions: Predictions, chances: Floats, entropy: int) -> list[Predictions]:
    """Turn each prediction of each model, with the model's chance, into another class.

    The same random numbers serve all chances, so that a prediction which is turned at a small
    chance is turned at a larger one too.

    Parameters
    ----------
    predictions : Predictions
        Of two models.
    chances : ndarray, shape (n_handicaps, 2)
    entropy : int
        Decides the random numbers, with the model.

    Returns
    -------
    list of Predictions
        One for each row of `chances`.
    """
    n_classes = predictions.network.n_classes
    tables: list[dict[str, tuple[NDArray[np.float32], ...]]] = [{} for _ in chances]
    for place, model in enumerate(predictions.models):
        plain = predictions.probabilities[model]
        ends = np.cumsum([len(table) for table in plain])
        whole = np.concatenate(plain)
        random = seeds.generator(entropy, place)
        draws = random.random(len(whole))
        other = (predict_labels(whole) + random.integers(1, n_classes, len(whole))) % n_classes
        for found, chance in zip(tables, chances[:, place]):
            changed = whole.copy()
            rows = np.flatnonzero(draws < chance)
            changed[rows] = 0
            changed[rows, other[rows]] = 1
            found[model] = tuple(np.split(changed, ends[:-1]))
    return [
        Predictions(predictions.network, predictions.splits, predictions.models, found)
        for found in tables
    ]


class Handicap(NamedTuple):
    """How models are made worse such that a true difference is known."""

    # who asks, network, errors and wanted differences -> handicaps of both models
    sizes: Callable[[str, Network, Floats, tuple[float, ...]], Floats]
    unit: Callable[[Floats], float]  # errors -> what differences are shares of
    # predictions, handicaps and a seed -> predictions for each row of handicaps
    worsened: Callable[[Predictions, Floats, int], list[Predictions]]


def _chances(what: str, network: Network, errors: Floats, differences: tuple[float, ...]) -> Floats:
    guessing = 1 - 1 / network.n_classes
    if errors.max() + differences[-1] > guessing:
        raise InputError(
            f"{what}: error rates of {errors[0]:.0%} and {errors[1]:.0%} leave no room for a "
            f"difference of {100 * differences[-1]:g} percentage points below the {guessing:.0%} "
            "of guessing; use smaller differences, other models, or more labels"
        )
    return chances_for(errors, network.n_classes, differences)


HANDICAPS = {
    "classes": Handicap(_chances, lambda _: 1.0, flipped),
    "numbers": Handicap(
        lambda _, __, errors, differences: noise_for(errors, differences),
        lambda errors: float(errors.max()),
        blurred,
    ),
}
