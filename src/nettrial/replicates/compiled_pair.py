"""Two built-in models that a compiled loop runs on replicates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..kernels.kinds import NBC as NBC_KIND
from ..kernels.kinds import WVRN as WVRN_KIND
from ..kernels.kinds import ModelPair, RowForm
from ..metrics.measures import Measure
from ..models.base import AnyModel
from ..models.nbc import NBC
from ..models.relaxation import RelaxationLabeling
from ..models.wvrn import WVRN
from ..network.network import Direction, Network
from ..splits.base import Design
from ..splits.resampling import RandomResampling
from ..study.node_study import CrossLinks
from .by_community import ERROR

CHUNK = 20  # replicates that the compiled path takes in one go
LEAST_SPLITS = 16  # a vector of splits costs the same however many of them are used


class CompiledPair(NamedTuple):
    """What the compiled path needs to know of two built-in models."""

    models: ModelPair
    direction: Direction

    def row_form(self, network: Network) -> RowForm:
        """Return how the links of a replicate become the rows that the models walk along."""
        return RowForm(network.weighted, self.direction != "in", self.direction != "out")


def compiled_pair(network: Network, models: Sequence[AnyModel]) -> CompiledPair | None:
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
    both = ModelPair(np.array(kinds), np.array(smoothing), padded)
    return CompiledPair(both, directions[0])


def is_independent(design: Design) -> bool:
    """Return whether the splits of one network are drawn independently of each other."""
    return type(design) is RandomResampling and design.stratify is None


def is_compiled(
    network: Network,
    models: Sequence[AnyModel],
    design: Design,
    cross_links: CrossLinks,
    measure: Measure = ERROR,
) -> bool:
    """Return whether the compiled path, which counts errors, serves these models and splits."""
    return (
        measure is ERROR
        and is_independent(design)
        and cross_links == "keep"
        and compiled_pair(network, models) is not None
    )
