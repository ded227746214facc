"""wvRN against nBC on small networks: whole trials, and the handicap that makes both equal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..communities import louvain
from ..errors import InputError
from ..estimates import QEstimator, q_of_counts
from ..kernels.network_trials import network_folds, network_trial
from ..kernels.small_models import NBC, WVRN
from ..kernels.streams import key_of
from ..models.relaxation import RelaxationLabeling
from ..network import Network
from ..splits.checks import training_size
from ..summary import autocorrelation
from .base import Record, Settings, measured, rejections
from .decisions import NAMES, Trials, decide

Floats = NDArray[np.float64]
N_FOLDS = 10
MODELS = ("wvRN", "nBC")
ON_RESAMPLES = ("rsc", "rsc_unpaired", "clustered")

_BETAS = RelaxationLabeling().weights().astype(np.float32)


def pair(smoothing: float) -> tuple[Any, ...]:
    """Give the two models to the compiled trials: kinds, smoothing, weights of the sweeps."""
    return np.array([WVRN, NBC]), np.full(2, smoothing), np.stack([_BETAS, _BETAS])


@dataclass(frozen=True, slots=True)
class Handicap:
    """How the two models fare, and what makes them equal.

    Attributes
    ----------
    errors : tuple of float
        Mean error rates of wvRN and nBC on the calibration networks.
    chances : tuple of float
        Probability that a prediction of each is turned; 0 for the worse one.
    left : float
        Difference of the error rates that was then measured on the calibration networks.
    """

    errors: tuple[float, float]
    chances: tuple[float, float]
    left: float

    @property
    def worse(self) -> int:
        """Position of the worse model."""
        return int(self.errors[1] > self.errors[0])


def autocorrelation_of(network: Network) -> float:
    """Give the autocorrelation, NaN where it is undefined."""
    found = autocorrelation(network)
    return np.nan if found is None else found


def arrays(network: Network, labeled: float) -> tuple[Any, ...]:
    """Give what the compiled trials want to know of a network."""
    adjacency = network.adjacency("both")
    weights = adjacency.data if (adjacency.data != 1).any() else np.empty(0)
    size = network.labelled.size
    n_train = training_size("experiment", labeled, size)
    if n_train > size * (N_FOLDS - 1) // N_FOLDS:
        raise InputError(
            f"{network.name or 'network'}: labeled={labeled} of {size} labelled nodes makes "
            f"{n_train} training nodes, which do not fit beside one of {N_FOLDS} folds"
        )
    indptr, indices = (a.astype(np.int32) for a in (adjacency.indptr, adjacency.indices))
    return indptr, indices, weights, network.labels, network.n_classes, n_train


def fold_errors(
    networks: Sequence[Network],
    labeled: float,
    chances: Floats,
    *,
    smoothing: float,
    repeats: int,
    seed: int,
) -> Floats:
    """Give mean error rates under network cross-validation, shape (n_networks, n_handicaps, 2)."""
    key = key_of(seed)
    found = np.empty((len(networks), len(chances), 2))
    for i, network in enumerate(networks):
        graph = arrays(network, labeled)
        runs = [
            network_folds(*graph, N_FOLDS, *pair(smoothing), chances, key, i * repeats + r).mean(
                axis=2
            )
            for r in range(repeats)
        ]
        found[i] = np.mean(runs, axis=0)
    return found


def equalise(
    networks: Sequence[Network],
    labeled: float,
    *,
    smoothing: float,
    repeats: int = 1,
    seed: int = 0,
) -> Handicap:
    """Find the handicap of the better model.

    Turning a prediction with probability c makes the error e into e + c (1 - e - e / (C - 1))
    for C classes, which is solved for the error of the worse model: the search's answer without
    the noise of the turned predictions. What is left is then measured with turned predictions.
    """
    classes = max(network.n_classes for network in networks)
    plain = np.zeros((1, 2))
    run = partial(fold_errors, networks, labeled, smoothing=smoothing, repeats=repeats, seed=seed)
    errors = run(plain)[:, 0].mean(axis=0)
    gain = 1 - errors - errors / (classes - 1)
    gap = errors.max() - errors
    if ((gap > 0) & (gain <= gap)).any():
        raise InputError(
            f"labeled={labeled}: the better model errs with {errors.min():.3f}, and turned "
            f"predictions cannot make that {errors.max():.3f}"
        )
    chances = gap / np.where(gap > 0, gain, 1.0)
    left = run(chances[None])[:, 0].mean(axis=0)
    return Handicap(
        (float(errors[0]), float(errors[1])), (float(chances[0]), float(chances[1])),
        float(left[0] - left[1]),
    )  # fmt: skip


@dataclass(slots=True)
class Collector:
    """Gathers trials of one cell and applies the tests to all of them at once."""

    labeled: float
    chances: Floats
    n_splits: int
    q: QEstimator
    tests: tuple[str, ...]
    smoothing: float
    _trials: list[tuple[Any, ...]] = field(default_factory=list)
    _sizes: list[tuple[int, int]] = field(default_factory=list)

    def add(self, network: Network, seed: int, number: int) -> None:
        """Run a trial."""
        group = np.zeros(network.n_nodes, dtype=np.int64)
        if "clustered" in self.tests:
            group = louvain(network, seed=seed).astype(np.int64)
        describe = any(test in ("rsc", "rsc_unpaired") for test in self.tests)
        graph = arrays(network, self.labeled)
        rates, folds, parameters, sums, sizes, tests, errors = network_trial(
            *graph, self.n_splits, N_FOLDS, *pair(self.smoothing), self.chances, group,
            int(group.max()) + 1, describe, key_of(seed), number,
        )  # fmt: skip
        if self.q != "moment":
            for h, model in np.ndindex(errors.shape[:2]):
                parameters[h, model, 1] = q_of_counts(errors[h, model], tests, method=self.q)
        self._trials.append((rates, folds, parameters, sums, sizes))
        self._sizes.append((network.labelled.size, graph[-1]))

    def records(self, where: Settings, handicap: int, difference: str, sign: int) -> list[Record]:
        """Apply the tests to one row of `chances`; `sign` times A minus B is the difference."""
        rates, folds, parameters = (
            np.stack([trial[i][handicap] for trial in self._trials]) for i in range(3)
        )
        sums = _padded([trial[3][handicap] for trial in self._trials])
        sizes = _padded([trial[4] for trial in self._trials])
        m, n_train = np.array(self._sizes).T
        gap = (rates[:, 0] - rates[:, 1]).mean(axis=1)
        found = [measured(where, difference, sign * gap)]
        for design, z, n in (("RRS", rates, m - n_train), ("NCV", folds, m / N_FOLDS)):
            for test in self.tests:
                if design == "NCV" and test in ON_RESAMPLES:
                    continue
                # networks of one size are tested together
                rejected, undefined = np.zeros((2, m.size), dtype=bool)
                for size in np.unique(m):
                    at = np.flatnonzero(m == size)
                    part = Trials(
                        z[at], float(n[at[0]]), float(size), float(n_train[at[0]]),
                        parameters[at], sums[at], sizes[at],
                    )  # fmt: skip
                    rejected[at], undefined[at] = decide(test, part)
                cell = {"design": design, **where}
                found.append(rejections(cell, NAMES[test], rejected, undefined))
        return found


def _padded(rows: list[Floats]) -> Floats:
    """Stack rows of unequal length; there is no community where the rows end."""
    table = np.zeros((len(rows), max(row.size for row in rows)))
    for line, row in zip(table, rows):
        line[: row.size] = row
    return table
