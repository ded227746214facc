"""Running two models on replicates: compiled where both are built in, else one at a time."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import seeds
from ..kernels.small_graphs import NBC as NBC_KIND
from ..kernels.small_graphs import WVRN as WVRN_KIND
from ..kernels.streams import key_of
from ..kernels.trials import run_replicates
from ..models.base import Model
from ..models.inference import RelaxationLabeling
from ..models.nbc import NBC
from ..models.wvrn import WVRN
from ..network import Direction, Network
from ..splits.base import Design
from ..splits.resampling import RandomResampling
from ..study import CrossLinks, run
from .blocks import Blocks
from .replicate import assemble

MODEL, SPLITS = 1, 2  # what the seeds derived for one replicate are for


@dataclass(frozen=True, slots=True)
class ReplicateRates:
    """Error rates on replicates.

    Attributes
    ----------
    rates : ndarray of float, shape (n_replicates, 2, n_splits)
        Of models a and b on every split.
    independent : bool
        Whether the splits of one network are drawn independently of each other.
    compiled : bool
        Whether the compiled path was taken.
    """

    rates: NDArray[np.float64]
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
        if type(model) is WVRN:
            kinds.append(WVRN_KIND)
            smoothing.append(1.0)
        elif type(model) is NBC and model.smoothing > 0:
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


def replicate_rates(
    network: Network,
    blocks: Blocks,
    models: tuple[Model, Model],
    design: Design,
    *,
    n_replicates: int,
    cross_links: CrossLinks,
    entropy: int,
) -> ReplicateRates:
    """Draw replicates and give the error rates of both models on the splits of each."""
    simple = type(design) is RandomResampling and design.stratify is None
    pair = compiled_pair(network, models) if simple and cross_links == "keep" else None
    if pair is not None:
        assert isinstance(design, RandomResampling)  # noqa: S101 - `simple` says so
        rates, _, _ = run_replicates(
            tuple(blocks), network.weighted, pair.direction != "in", pair.direction != "out",
            network.labels, network.n_classes, design.labeled,
            max(design.get_n_splits(), LEAST_SPLITS), pair.kinds, pair.smoothing, pair.betas,
            np.zeros((1, 2)), key_of(entropy), np.arange(n_replicates),
        )  # fmt: skip
        return ReplicateRates(rates[:, 0], independent=True, compiled=True)
    found = [
        _one(network, blocks, models, design, number, cross_links, entropy)
        for number in range(n_replicates)
    ]
    return ReplicateRates(np.array(found), independent=simple, compiled=False)


LEAST_SPLITS = 16  # a vector of splits costs the same however many of them are used


def _one(
    network: Network,
    blocks: Blocks,
    models: tuple[Model, Model],
    design: Design,
    number: int,
    cross_links: CrossLinks,
    entropy: int,
) -> NDArray[np.float64]:
    drawn = assemble(network, blocks, key_of(entropy), number).network
    again = copy.copy(design)
    if hasattr(again, "seed"):
        again.seed = seeds.derive(entropy, number, SPLITS)
    splits = again.split_network(drawn)
    names = ("a", "b")
    predictions = run(
        drawn, dict(zip(names, models)), splits, seed=seeds.derive(entropy, number, MODEL),
        cross_links=cross_links, progress=False,
    )  # fmt: skip
    errors = [predictions.errors(name) for name in names]
    return np.array([(e == 1).sum(axis=1) / (e >= 0).sum(axis=1) for e in errors])
