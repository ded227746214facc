"""Running two models on replicates: compiled where both are built in, else one at a time."""

from __future__ import annotations

import copy
import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import seeds
from ..errors import ConvergenceWarning, InputError
from ..kernels.small_graphs import NBC as NBC_KIND
from ..kernels.small_graphs import WVRN as WVRN_KIND
from ..kernels.streams import key_of
from ..kernels.trials import run_replicates
from ..measured import contributions
from ..metrics.measures import MEASURES, Measure
from ..models.base import Model
from ..models.nbc import NBC
from ..models.relaxation import RelaxationLabeling
from ..models.wvrn import WVRN
from ..network import Direction, Network
from ..progress import Progress
from ..splits.base import Design
from ..splits.resampling import RandomResampling
from ..study import CrossLinks, Predictions, run
from .blocks import Blocks
from .replicate import assemble

Floats = NDArray[np.float64]
ERROR = MEASURES["error"]
MODEL, SPLITS = 1, 2  # what the seeds derived for one replicate are for
CHUNK = 20  # replicates between two steps of a progress bar
LEAST_SPLITS = 16  # a vector of splits costs the same however many of them are used


class Drawn(NamedTuple):
    """What two models did on replicates.

    Attributes
    ----------
    differences : ndarray of float, shape (n_replicates, n_splits)
        The measure (error rate) of a minus that of b on every split.
    totals : ndarray of float, shape (n_communities,)
        What a copy of each community contributes to a's measure minus what it contributes to
        b's, a test of each of its nodes taken once: errors of a minus those of b, for example;
        the mean over the replicates.
    independent : bool
        Whether the splits of one network are drawn independently of each other.
    compiled : bool
        Whether the compiled path was taken.
    """

    differences: Floats
    totals: Floats
    independent: bool
    compiled: bool


class CompiledPair(NamedTuple):
    """What the compiled path needs to know of two built-in models."""

    kinds: NDArray[np.int64]
    smoothing: NDArray[np.float64]
    betas: NDArray[np.float32]
    direction: Direction


def compiled_pair(network: Network, models: tuple[Model, Model]) -> CompiledPair | None:
    """Describe two built-in models for the compiled path; None where it does not serve them."""
    kinds, smoothing, betas, directions = [], [], [], []
    for model in models:
        if getattr(model, "local", None) is not None:
            return None
        if type(model) is WVRN:
            kinds.append(WVRN_KIND)
            smoothing.append(1.0)
        elif type(model) is NBC and model.counts == "paper" and model.smoothing > 0:
            kinds.append(NBC_KIND)
            smoothing.append(float(model.smoothing))
        else:
            return None
        inference = model.inference
        if type(inference) is not RelaxationLabeling or inference.tolerance is not None:
            return None
        betas.append(inference.weights())
        directions.append(model.direction if network.directed else "both")
    if directions[0] != directions[1] or network.n_classes < 2:
        return None
    padded = np.zeros((2, max(map(len, betas))), dtype=np.float32)
    for row, values in zip(padded, betas):
        row[: len(values)] = values
    return CompiledPair(np.array(kinds), np.array(smoothing), padded, directions[0])


def _is_simple(design: Design) -> bool:
    return type(design) is RandomResampling and design.stratify is None


def is_compiled(
    network: Network,
    models: tuple[Model, Model],
    design: Design,
    cross_links: CrossLinks,
    measure: Measure = ERROR,
) -> bool:
    """Whether the compiled path, which counts errors only, serves these models and splits."""
    return (
        measure is ERROR
        and _is_simple(design)
        and cross_links == "keep"
        and compiled_pair(network, models) is not None
    )


def run_on_replicates(
    network: Network,
    blocks: Blocks,
    models: tuple[Model, Model],
    design: Design,
    *,
    n_replicates: int,
    cross_links: CrossLinks,
    entropy: int,
    progress: Progress,
    measure: Measure = ERROR,
) -> Drawn:
    """Draw replicates and run both models on the splits of each; `progress` counts replicates.

    Raises
    ------
    InputError
        Where the measure is not defined on a split of a replicate.
    """
    compiled = is_compiled(network, models, design, cross_links, measure)
    pair = compiled_pair(network, models) if compiled else None
    if pair is not None:
        assert isinstance(design, RandomResampling)  # noqa: S101 - `simple` says so
        parts = []
        for numbers in np.array_split(np.arange(n_replicates), -(-n_replicates // CHUNK)):
            parts.append(run_replicates(
                tuple(blocks), blocks.community, network.weighted, pair.direction != "in",
                pair.direction != "out", network.labels, network.n_classes, design.labeled,
                max(design.get_n_splits(), LEAST_SPLITS), pair.kinds, pair.smoothing, pair.betas,
                np.zeros((1, 2)), key_of(entropy), numbers,
            ))  # fmt: skip
            progress.advance(numbers.size)
        rates, tests, excess = (np.concatenate(part) for part in zip(*parts))
        differences = rates[:, 0, 0] - rates[:, 0, 1]
        if np.isnan(differences).any():
            raise InputError(
                "bootstrap_test: a replicate has fewer than two labelled nodes; use communities "
                "with more labels, or a network with more of them"
            )
        return Drawn(differences, totals_of(blocks, tests, excess[:, 0]), True, True)
    found = []
    for number in range(n_replicates):
        found.append(_one(network, blocks, models, design, number, cross_links, entropy, measure))
        progress.advance()
    differences, tests, excess = (np.array(part) for part in zip(*found))
    return Drawn(differences, totals_of(blocks, tests, excess), _is_simple(design), False)


def totals_of(blocks: Blocks, tests: Floats, excess: Floats) -> Floats:
    """Average over the replicates what communities contribute."""
    times = tests.sum(axis=0)
    rate = np.divide(excess.sum(axis=0), times, where=times > 0, out=np.zeros(times.size))
    return np.asarray(rate * blocks.sizes)


def _one(
    network: Network,
    blocks: Blocks,
    models: tuple[Model, Model],
    design: Design,
    number: int,
    cross_links: CrossLinks,
    entropy: int,
    measure: Measure,
) -> tuple[Floats, Floats, Floats]:
    drawn = assemble(network, blocks, key_of(entropy), number)
    again = copy.copy(design)
    if hasattr(again, "seed"):
        again.seed = seeds.derive(entropy, number, SPLITS)
    splits = again.split_network(drawn.network)
    with warnings.catch_warnings():
        # whoever runs the models on the network itself is told there
        warnings.simplefilter("ignore", ConvergenceWarning)
        predictions = run(
            drawn.network, {"a": models[0], "b": models[1]}, splits,
            seed=seeds.derive(entropy, number, MODEL), cross_links=cross_links, progress=False,
        )  # fmt: skip
    differences, times, excess = differences_of(predictions, measure)
    if np.isnan(differences).any():
        raise InputError(
            f"bootstrap_test: the {measure.title} is not defined on a split of a drawn network, "
            "whose test nodes are of one class; use another measure, or a test on predictions"
        )
    group = blocks.community[drawn.origin]

    def by_community(values: Floats) -> Floats:
        return np.bincount(group, weights=values, minlength=blocks.sizes.size).astype(float)

    return differences, by_community(times), by_community(excess)


def differences_of(
    predictions: Predictions, measure: Measure = ERROR
) -> tuple[Floats, Floats, Floats]:
    """Give the difference on every split, and for every node its tests and its contributions."""
    differences = np.empty(len(predictions.splits))
    times, excess = np.zeros((2, predictions.network.n_nodes))
    for number, split in enumerate(predictions.splits):
        a, b = (contributions(predictions, m, number, measure) for m in predictions.models)
        differences[number] = a.mean() - b.mean()
        times[split.test] += 1
        excess[split.test] += a - b
    return differences, times, excess
