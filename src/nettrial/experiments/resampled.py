"""Replicates in many trials: both models on networks drawn from the communities of each."""

from __future__ import annotations

from ..core import seeds
from ..core.seeds import Stream
from ..kernels.small_graphs import WIDTH

REPLICATE_SPLITS = WIDTH  # one vector of splits; the variance for any other number follows


def trial_seeds(seed: int) -> tuple[int, int]:
    """Derive the seeds of the two kinds of replicates of one trial."""
    return seeds.derive(seed, Stream.TRIAL_PLAIN), seeds.derive(seed, Stream.TRIAL_NULL)
