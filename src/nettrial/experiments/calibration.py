"""Type I error and power of every test, on fresh networks of domains that are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..core.seeds import Stream
from ..inference.registry import on_predictions, run_on_predictions
from ..inference.scores import Evidence, Scores
from ..kernels.kinds import ModelPair
from ..kernels.small_graphs import WIDTH, graph_of
from ..kernels.split_counts import Words, split_rates
from ..kernels.streams import key_of, stream
from ..kernels.trials import FLIP, SPLIT, run_folds, run_resampled
from ..metrics.measures import MEASURES
from ..models.relaxation import RelaxationLabeling
from ..network.communities import divided_louvain
from ..network.network import Network
from ..replicates.blocks import take_apart
from ..replicates.compiled_pair import CompiledPair
from ..replicates.handicaps import pair_handicaps, run_both_kinds
from ..splits.base import Split
from ..study.node_study import Predictions
from .domains import draw
from .resampled import REPLICATE_SPLITS

Floats = NDArray[np.float64]
SPLITS = (5, 10, 30, 100)
MOST = 160  # communities that are kept of a trial
MODELS = ("a", "b")

_BETAS = RelaxationLabeling().weights().astype(np.float32)
PAIR = ModelPair(np.array([0, 1]), np.array([1.0, 1.0]), np.stack([_BETAS, _BETAS]))


@dataclass(frozen=True, slots=True)
class CalibrationCell:
    """One domain and one proportion of labeled nodes."""

    world: str  # name of the domain
    labeled: float  # proportion of labeled nodes
    # fresh networks under the null hypothesis. The first half of them, as many as are needed for
    # power, are also given true differences.
    n_trials: int
    n_replicates: int  # replicates of each, of either kind
    differences: tuple[float, ...] = (0.0, 0.02, 0.04, 0.06)  # True differences; the first is 0

    @property
    def n_power_trials(self) -> int:
        """Trials that are given true differences too."""
        return -(-self.n_trials // 2)


def training_size(size: int, labeled: float) -> int:
    """Return size - round((1 - labeled) size), halves up."""
    return size - int(np.floor((1 - labeled) * size + 0.5 + 1e-9))


def handicaps(cell: CalibrationCell, *, n_networks: int, seed: int) -> Floats:
    """Find the chances of turned predictions that make the cell's true differences.

    Turning a prediction with chance c makes the error e into
    ``e + c (1 - e - e / (n_classes - 1))``, so the chances follow from the models' mean errors
    on networks drawn for this purpose. For the null hypothesis the better model is made as bad
    as the other one; for a true difference the second model's handicap is lessened as far as it
    goes, and then the first model is made worse.

    Returns
    -------
    ndarray, shape (len(cell.differences), 2)
    """
    errors = np.empty((n_networks, 2))
    classes = 2
    for number in range(n_networks):
        entropy = seeds.derive(seed, Stream.GRID_CALIBRATION, number)
        network = draw(cell.world, entropy)
        classes = network.n_classes
        key = key_of(entropy)
        test, wrong = run_resampled(
            graph_of(network.links.indptr, network.links.indices, np.empty(0)),
            network.labels,
            classes,
            training_size(network.n_nodes, cell.labeled),
            REPLICATE_SPLITS,
            PAIR,
            np.zeros((1, 2)),
            stream(key, 0, SPLIT),
            stream(key, 0, FLIP),
        )
        errors[number] = split_rates(test, wrong, 0, REPLICATE_SPLITS)[0].mean(axis=1)
    return pair_handicaps(errors.mean(axis=0), classes, cell.differences)


def run_trial(
    cell: CalibrationCell, chances: Floats, *, number: int, seed: int
) -> dict[str, NDArray[Any]]:
    """Draw a network and keep what the tests are made from.

    Returns
    -------
    dict of ndarray
        rates (handicap, model, split) of the random resamples; folds_k of network
        cross-validation with k folds; pvalues (k, handicap, test): of every registered test on
        predictions, in the order of `on_predictions`, NaN where it refuses; sizes (community);
        plain and null (replicate, handicap, split): differences on replicates of either kind;
        play (handicap): communities in play.
    """
    entropy = seeds.derive(seed, Stream.GRID_TRIAL, number)
    network = draw(cell.world, entropy)
    key = key_of(entropy)
    group = divided_louvain(network, seed=entropy)
    n_train = training_size(network.n_nodes, cell.labeled)
    links = network.links
    task = (
        graph_of(links.indptr, links.indices, np.empty(0)),
        network.labels,
        network.n_classes,
        n_train,
    )
    test, wrong = run_resampled(
        *task, max(SPLITS), PAIR, chances, stream(key, 1, SPLIT), stream(key, 1, FLIP)
    )
    found: dict[str, NDArray[Any]] = {"rates": split_rates(test, wrong, 0, max(SPLITS))}
    pvalues = np.full((len(SPLITS), len(chances), len(on_predictions())), np.nan)
    sizes = np.bincount(group)
    for place, k in enumerate(SPLITS):
        for h in range(len(chances)):
            made = run_on_predictions(evidence(network, group, test, wrong[:, h], k, seed=number))
            pvalues[place, h] = [each.pvalue for each in made]
        if cell.labeled <= (k - 1) / k:
            found[f"folds_{k}"] = run_folds(
                *task, k, PAIR, chances, stream(key, 2 + k, SPLIT), stream(key, 2 + k, FLIP)
            )
    found["pvalues"] = pvalues
    found["sizes"] = np.zeros(MOST)
    found["sizes"][: min(MOST, sizes.size)] = sizes[:MOST]
    drawn = run_both_kinds(
        network,
        take_apart(network, group),
        CompiledPair(PAIR, "both"),
        chances,
        labeled=cell.labeled,
        n_splits=REPLICATE_SPLITS,
        n_replicates=cell.n_replicates,
        entropies=(entropy + 1, entropy + 2),
    )
    found["plain"], found["null"], found["play"] = drawn
    return found


def evidence(
    network: Network, group: NDArray[Any], test: Words, wrong: Words, k: int, *, seed: int
) -> Evidence:
    """Return what the registered tests work on, from the first k splits of a compiled run.

    Parameters
    ----------
    group : ndarray of int, shape (n_nodes,)
        Communities.
    test : ndarray of uint16, shape (n_rows, n_nodes)
        Bit s of row r: split 16 r + s tests the node.
    wrong : ndarray of uint16, shape (n_rows, 2, n_nodes)
        The tests that each model gets wrong.
    seed : int
        Of tests that draw at random.
    """
    splits = []
    predicted: dict[str, list[NDArray[np.float32]]] = {name: [] for name in MODELS}
    certain = np.eye(network.n_classes, dtype=np.float32)
    for number in range(k):
        row, bit = divmod(number, WIDTH)
        tested = (test[row] >> np.uint16(bit)) & np.uint16(1)
        train, nodes = np.flatnonzero(tested == 0), np.flatnonzero(tested)
        splits.append(Split(train, nodes, nodes))
        for model, words in zip(MODELS, wrong[row]):
            missed = (words[nodes] >> np.uint16(bit)) & np.uint16(1)
            predicted[model].append(certain[(network.labels[nodes] + missed) % network.n_classes])
    predictions = Predictions(
        network, tuple(splits), MODELS, {name: tuple(each) for name, each in predicted.items()}
    )
    scores = Scores.of(predictions, MEASURES["error"])
    return Evidence(scores, *MODELS, group, seed=seed)


def run_cell(
    cell: CalibrationCell, *, seed: int = 0, n_networks: int = 1000
) -> dict[str, NDArray[Any]]:
    """Run all trials of a cell; every array gets the trials as its first axis.

    What trials beyond `n_power_trials` of the cell lack, values for true differences, is NaN.
    """
    chances = handicaps(cell, n_networks=n_networks, seed=seed)
    trials = []
    for number in range(cell.n_trials):
        wanted = chances if number < cell.n_power_trials else chances[:1]
        trials.append(run_trial(cell, wanted, number=number, seed=seed))
    return stacked(trials) | {"chances": chances}


def stacked(trials: Sequence[Mapping[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Stack trials, padded with NaN to the shape of the first."""
    found = {}
    for name, first in trials[0].items():
        array = np.full((len(trials), *first.shape), np.nan, dtype=np.float32)
        for place, trial in enumerate(trials):
            if name in trial:
                array[place][tuple(slice(size) for size in trial[name].shape)] = trial[name]
        found[name] = array
    return found
