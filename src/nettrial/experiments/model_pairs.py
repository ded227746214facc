"""wvRN against nBC on small networks: whole trials at several proportions of labeled nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..core.errors import InputError
from ..core.seeds import Stream
from ..inference.community_bootstrap import COMMUNITY_BOOTSTRAP
from ..inference.estimates import q_of_counts
from ..inference.registry import label
from ..inference.trials import Trials
from ..kernels.kinds import NBC, WVRN, ModelPair
from ..kernels.network_trials import Runs, Words, fold_rates, network_trial, network_words
from ..kernels.small_graphs import Graph, graph_of
from ..kernels.streams import key_of
from ..models.relaxation import RelaxationLabeling
from ..network.communities import louvain
from ..network.network import Network
from ..network.summary import autocorrelation
from ..replicates.blocks import take_apart
from ..replicates.bootstrap_test import pvalue_of
from ..replicates.compiled_pair import CompiledPair
from ..replicates.handicaps import run_both_kinds
from ..splits.checks import training_size
from .base import Option
from .decisions import decide, is_kept, made_from
from .records import DIFFERENCE, Record, Settings, measured, rejections
from .resampled import REPLICATE_SPLITS, trial_seeds
from .statements import Statement, extreme

Floats = NDArray[np.float64]
N_FOLDS = 10
MODELS = ("wvRN", "nBC")
TURNED = (0.025, 0.075, 0.15, 0.3)  # chances of the worse model where power is measured
AUTOCORRELATION = "autocorrelation"
EFFECTIVE = "effective test set size"
LEFT, HANDICAP = "difference left on calibration networks", "handicap"
CALIBRATED = Statement(
    "the handicap leaves a mean difference of at most 0.005 on the calibration networks",
    extreme("max", LEFT), "largest difference left", at_most=0.005,
)  # fmt: skip
BOOTSTRAP = COMMUNITY_BOOTSTRAP.name
KEEPS: dict[str, Any] = {
    "keeps": ("rates", "parameters", "sums", "sizes"),
    "extra": (BOOTSTRAP,),
    "lacks": "trials keep no links",
}
OPTIONS = {
    "q": Option("moment", "estimator of q for RS-C",
                ("moment", "mean_of_failing", "mean_of_erring")),
    "smoothing": Option("1", "Laplace smoothing of nBC's class table; 0.01 is near the maximum "
                        "likelihood that the papers name", ("1", "0.01")),
    "splits": Option(10, "number of random resamples"),
    "replicates": Option(200, "networks of either kind drawn anew for the bootstrap"),
}  # fmt: skip

_BETAS = RelaxationLabeling().weights().astype(np.float32)


def pair(smoothing: float) -> ModelPair:
    """Return the two models as the compiled trials take them."""
    return ModelPair(np.array([WVRN, NBC]), np.full(2, smoothing), np.stack([_BETAS, _BETAS]))


@dataclass(frozen=True, slots=True)
class Handicap:
    """How the two models fare, and what makes them equal."""

    errors: tuple[float, float]  # mean error rates of wvRN and nBC on the calibration networks
    # probability that a prediction of each is turned; 0 for the worse one
    chances: tuple[float, float]
    left: float  # difference of the error rates that was then measured on the calibration networks

    @property
    def worse(self) -> int:
        """Position of the worse model."""
        return int(self.errors[1] > self.errors[0])


def autocorrelation_of(network: Network) -> float:
    """Return the autocorrelation, NaN where it is undefined."""
    found = autocorrelation(network)
    return np.nan if found is None else found


def arrays(
    network: Network, labeled: Sequence[float]
) -> tuple[Graph, NDArray[np.int32], int, NDArray[np.int64]]:
    """Return what the compiled trials want to know of a network."""
    adjacency = network.adjacency("both")
    weights = adjacency.data if (adjacency.data != 1).any() else np.empty(0)
    size = network.labeled.size
    n_train = [training_size("experiment", share, size) for share in labeled]
    for share, number in zip(labeled, n_train):
        if number > size * (N_FOLDS - 1) // N_FOLDS:
            raise InputError(
                f"{network.name or 'network'}: labeled={share} of {size} labeled nodes makes "
                f"{number} training nodes, which do not fit beside one of {N_FOLDS} folds"
            )
    indptr, indices = (a.astype(np.int32) for a in (adjacency.indptr, adjacency.indices))
    graph = graph_of(indptr, indices, weights)
    return graph, network.labels, network.n_classes, np.array(n_train)


def computed_once(function: Callable[..., Any]) -> Callable[..., Any]:
    """Cache calls; workers that ask for what another one is computing wait for it."""
    cached, lock = lru_cache(maxsize=64)(function), lru_cache(maxsize=None)(lambda *_: Lock())

    @wraps(function)
    def wait(*args: Any) -> Any:
        with lock(*args):
            return cached(*args)

    return wait


def equalize(
    networks: Sequence[Network],
    labeled: Sequence[float],
    *,
    smoothing: float,
    repeats: int = 1,
    seed: int = 0,
) -> tuple[Handicap, ...]:
    """Find the handicap of the better model at each proportion of labeled nodes.

    Runs network cross-validation `repeats` times. Turning a prediction with probability c makes
    the error e into e + c (1 - e - e / (C - 1)) for C classes, which is solved for the error of
    the worse model: the search's answer without the noise of the turned predictions. What is
    left is then measured with turned predictions.
    """
    keys = np.array([key_of(seeds.derive(seed, place)) for place in range(len(labeled))])
    runs = []
    for i, network in enumerate(networks):
        task = arrays(network, labeled)
        for unit in range(i * repeats, (i + 1) * repeats):
            folds = Runs(*task, 0, N_FOLDS, pair(smoothing), keys, unit)
            runs.append((folds, *network_words(folds)))
    errors = _mean_errors(runs, np.zeros((len(labeled), 1, 2)))
    classes = max(network.n_classes for network in networks)
    chances = np.array([_chances(*row, classes) for row in zip(labeled, errors)])
    left = _mean_errors(runs, chances[:, None])
    return tuple(
        Handicap((e[0], e[1]), (c[0], c[1]), x[0] - x[1])
        for e, c, x in zip(errors.tolist(), chances.tolist(), left.tolist())
    )


def _mean_errors(runs: Sequence[tuple[Runs, Words, Words]], chances: Floats) -> Floats:
    """Average the error rates over runs and folds, shape (n_proportions, 2)."""
    rates = [fold_rates(*run, chances) for run in runs]
    return np.asarray(np.mean(rates, axis=(0, 2, 4)))


def _chances(labeled: float, errors: Floats, n_classes: int) -> Floats:
    gain = 1 - errors - errors / (n_classes - 1)
    gap = errors.max() - errors
    if ((gap > 0) & (gain <= gap)).any():
        raise InputError(
            f"labeled={labeled}: the better model errs with {errors.min():.3f}, and turned "
            f"predictions cannot make that {errors.max():.3f}"
        )
    return np.asarray(gap / np.where(gap > 0, gain, 1.0))


@dataclass(slots=True)
class Collector:
    """Gathers trials at several proportions and applies the tests to all of them at once."""

    labeled: tuple[float, ...]  # the proportions of labeled nodes
    handicaps: tuple[Handicap, ...]  # one a proportion
    power: bool  # whether the worse model is made worse still, instead of the better one as bad
    tests: tuple[str, ...]
    options: Mapping[str, Any]  # see `OPTIONS`
    _trials: list[tuple[Any, ...]] = field(default_factory=list)
    _sizes: list[tuple[int, NDArray[np.int64]]] = field(default_factory=list)

    @property
    def chances(self) -> Floats:
        """Probabilities that a prediction is turned, (n_proportions, n_handicaps, 2)."""
        if not self.power:
            return np.array([[found.chances] for found in self.handicaps])
        chances = np.zeros((len(self.labeled), len(TURNED), 2))
        for row, found in zip(chances, self.handicaps):
            row[:, found.worse] = TURNED
        return chances

    def add(self, network: Network, seed: int, number: int) -> None:
        """Run a trial."""
        group = np.zeros(network.n_nodes, dtype=np.int64)
        if {BOOTSTRAP, *made_from("sums", "sizes")} & {*self.tests}:
            group = louvain(network, seed=seed).astype(np.int64)
        describe = bool({*self.tests} - {BOOTSTRAP, *made_from("rates", "sums", "sizes")})
        own = [seeds.derive(seed, place) for place in range(len(self.labeled))]
        keys = np.array([key_of(entropy) for entropy in own])
        task, models = arrays(network, self.labeled), pair(float(self.options["smoothing"]))
        rates, folds, parameters, sums, sizes, tests, errors = network_trial(
            Runs(*task, self.options["splits"], N_FOLDS, models, keys, number),
            self.chances,
            group,
            int(group.max()) + 1,
            describe,
        )
        if describe and self.options["q"] != "moment":
            for x, h, model in np.ndindex(errors.shape[:3]):
                parameters[x, h, model, 1] = q_of_counts(
                    errors[x, h, model], tests[x], method=self.options["q"]
                )
        p = np.full(rates.shape[:2], np.nan)
        if BOOTSTRAP in self.tests:
            for x, entropy in enumerate(own):
                p[x] = self._bootstrap(network, group, x, rates[x], entropy)
        sizes = np.broadcast_to(sizes[:, None], sums.shape)
        self._trials.append((rates, folds, parameters, sums, sizes, p))
        self._sizes.append((network.labeled.size, task[-1]))

    def _bootstrap(
        self, network: Network, group: NDArray[np.int64], x: int, rates: Floats, entropy: int
    ) -> list[float]:
        drawn = run_both_kinds(
            network,
            take_apart(network, group),
            CompiledPair(pair(float(self.options["smoothing"])), "both"),
            self.chances[x],
            labeled=self.labeled[x],
            n_splits=REPLICATE_SPLITS,
            n_replicates=self.options["replicates"],
            entropies=trial_seeds(seeds.derive(entropy, Stream.TRIAL_REPLICATES)),
        )
        nodes = np.bincount(group).astype(float)
        return [
            pvalue_of(a - b, drawn.plain[:, h], drawn.null[:, h], nodes)
            for h, (a, b) in enumerate(rates)
        ]

    def records(self, where: Settings) -> list[Record]:
        """Apply the tests to the trials; the difference is that of the worse model less the other.

        Where neither was made worse, it is that of wvRN less nBC.
        """
        found = []
        for x, (labeled, handicap) in enumerate(zip(self.labeled, self.handicaps)):
            cell = {**where, "labeled": labeled}
            if not self.power:
                found += self._row(cell, x, 0, 1)
                continue
            for h, turned in enumerate(TURNED):
                found += self._row({**cell, "turned": turned}, x, h, -1 if handicap.worse else 1)
        return found

    def _row(self, where: Settings, x: int, h: int, sign: int) -> list[Record]:
        rates, folds, parameters, sums, sizes, p = (
            [trial[i][x, h] for trial in self._trials] for i in range(6)
        )
        m = np.array([size for size, _ in self._sizes])
        n_train = np.array([number[x] for _, number in self._sizes])
        resampled = {
            "parameters": np.stack(parameters),
            "sums": _padded(sums),
            "sizes": _padded(sizes),
        }
        gap = np.stack(rates)[:, 0] - np.stack(rates)[:, 1]
        found = [measured(where, DIFFERENCE, sign * gap.mean(axis=1))]
        _, _, rho, links = np.moveaxis(resampled["parameters"], 2, 0)
        if np.isfinite(rho).any():  # some test needs them
            size = (m - n_train)[:, None]
            effective = (size / (1 + rho * links / size)).mean(axis=1)
            found.append(measured(where, EFFECTIVE, effective))
        for design, z, n, whole, made in (
            ("RRS", rates, m - n_train, resampled, {BOOTSTRAP: np.array(p)}),
            ("NCV", folds, m / N_FOLDS, {}, {}),
        ):
            cell: Settings = {"design": design, **where}
            decided: dict[str, Floats] = {}
            # networks of one size are tested together
            for size in np.unique(m):
                at = np.flatnonzero(m == size)
                part = Trials(
                    rates=np.stack(z)[at],
                    n=float(n[at[0]]),
                    m=float(size),
                    n_train=float(n_train[at[0]]),
                    pvalues={name: values[at] for name, values in made.items()},
                    **{name: values[at] for name, values in whole.items()},
                )
                for test in self.tests:
                    if is_kept(test, part):
                        both = decided.setdefault(test, np.zeros((2, m.size), dtype=bool))
                        both[:, at] = decide(test, part)
            found += [rejections(cell, label(test), *both) for test, both in decided.items()]
        return found


def _padded(rows: list[Floats]) -> Floats:
    """Stack rows of unequal length; there is no community where the rows end."""
    table = np.zeros((len(rows), max(row.size for row in rows)))
    for line, row in zip(table, rows):
        line[: row.size] = row
    return table
