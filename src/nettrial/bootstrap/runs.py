"""Running models on replicates: compiled for a pair of built-in ones, else one at a time."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import seeds
from ..errors import ConvergenceWarning, InputError
from ..kernels.small_graphs import NBC as NBC_KIND
from ..kernels.small_graphs import WVRN as WVRN_KIND
from ..kernels.streams import key_of
from ..kernels.trials import run_replicates
from ..models.base import Model
from ..models.nbc import NBC
from ..models.relaxation import RelaxationLabeling
from ..models.wvrn import WVRN
from ..network import Direction, Network
from ..progress import Progress
from ..splits.base import Design
from ..splits.resampling import RandomResampling
from ..study import NOT_TESTED, CrossLinks, Predictions, run
from .blocks import Blocks
from .replicate import assemble

Floats = NDArray[np.float64]
MODEL, SPLITS = 1, 2  # what the seeds derived for one replicate are for
CHUNK = 20  # replicates between two steps of a progress bar
LEAST_SPLITS = 16  # a vector of splits costs the same however many of them are used


class Drawn(NamedTuple):
    """What models did on replicates.

    Attributes
    ----------
    rates : ndarray of float, shape (n_replicates, n_models, n_splits)
        Error rates.
    totals : ndarray of float, shape (n_models, n_communities)
        Errors in a copy of each community, a test of each of its nodes taken once; the mean over
        the replicates. Only differences between models have a meaning.
    independent : bool
        Whether the splits of one network are drawn independently of each other.
    compiled : bool
        Whether the compiled path was taken.
    """

    rates: Floats
    totals: Floats
    independent: bool
    compiled: bool


class CompiledPair(NamedTuple):
    """What the compiled path needs to know of two built-in models."""

    kinds: NDArray[np.int64]
    smoothing: NDArray[np.float64]
    betas: NDArray[np.float32]
    direction: Direction


def compiled_pair(network: Network, models: Sequence[Model]) -> CompiledPair | None:
    """Describe two built-in models for the compiled path; None where it does not serve them."""
    if len(models) != 2:
        return None
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
    network: Network, models: Sequence[Model], design: Design, cross_links: CrossLinks
) -> bool:
    """Whether the compiled path serves these models and splits."""
    return (
        _is_simple(design) and cross_links == "keep" and compiled_pair(network, models) is not None
    )


def run_on_replicates(
    network: Network,
    blocks: Blocks,
    models: Sequence[Model],
    design: Design,
    *,
    n_replicates: int,
    cross_links: CrossLinks,
    entropy: int,
    progress: Progress,
) -> Drawn:
    """Draw replicates and run all models on the splits of each; `progress` counts replicates."""
    compiled = is_compiled(network, models, design, cross_links)
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
        if np.isnan(rates).any():
            raise InputError(
                "bootstrap: a replicate has fewer than two labelled nodes; use communities "
                "with more labels, or a network with more of them"
            )
        first = totals_of(blocks, tests, excess[:, 0])
        return Drawn(rates[:, 0], np.array([first, np.zeros_like(first)]), True, True)
    found = []
    for number in range(n_replicates):
        found.append(_one(network, blocks, models, design, number, cross_links, entropy))
        progress.advance()
    rates, tests, errors = (np.array(part) for part in zip(*found))
    totals = [totals_of(blocks, tests, errors[:, place]) for place in range(len(models))]
    return Drawn(rates, np.array(totals), _is_simple(design), False)


def totals_of(blocks: Blocks, tests: Floats, errors: Floats) -> Floats:
    """Average over the replicates what communities contribute."""
    times = tests.sum(axis=0)
    rate = np.divide(errors.sum(axis=0), times, where=times > 0, out=np.zeros(times.size))
    return np.asarray(rate * blocks.sizes)


def _one(
    network: Network,
    blocks: Blocks,
    models: Sequence[Model],
    design: Design,
    number: int,
    cross_links: CrossLinks,
    entropy: int,
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
            drawn.network, {str(place): model for place, model in enumerate(models)}, splits,
            seed=seeds.derive(entropy, number, MODEL), cross_links=cross_links, progress=False,
        )  # fmt: skip
    rates, times, errors = rates_of(predictions)
    group = blocks.community[drawn.origin]

    def by_community(values: Floats) -> Floats:
        return np.bincount(group, weights=values, minlength=blocks.sizes.size).astype(float)

    return rates, by_community(times), np.array([by_community(row) for row in errors])


def rates_of(predictions: Predictions) -> tuple[Floats, Floats, Floats]:
    """Give the error rates by model and split, and each node's tests, and errors by model."""
    rates, errors, times = [], [], np.zeros(predictions.network.n_nodes)
    for name in predictions.models:
        matrix = predictions.errors(name)
        tested, wrong = matrix != NOT_TESTED, matrix == 1
        rates.append(wrong.sum(axis=1) / tested.sum(axis=1))
        errors.append(wrong.sum(axis=0).astype(float))
        times = tested.sum(axis=0).astype(float)
    return np.array(rates), times, np.array(errors)
