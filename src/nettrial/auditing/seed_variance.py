"""seed_variance(): how much of a model's error is the luck of its training seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..comparison.options import Options, takes_options
from ..comparison.setup import (
    named_models,
    options_given,
)
from ..core.results import Result
from ..core.seeds import Seed, Stream, derive, freeze
from ..inference.scores import Scores
from ..inference.variance_sources import effects_of, moved_by_seeds
from ..metrics.amounts import amount, noun
from ..metrics.measures import MEASURES
from ..models.base import AnyModel
from ..network.canonical_order import canonical_order
from ..network.network import Network
from ..splits.base import Design, Split, splits_in_order
from ..splits.checks import MOST, check_count, check_extent
from ..study.node_study import run
from ..study.tasks import task_of

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, repr=False)
class SeedVariance(Result):
    """Error rates of several training seeds on each split, and how much they vary.

    Attributes
    ----------
    models : tuple of str
    errors : ndarray of float, shape (n_models, n_splits, n_seeds)
        Error rates on the test nodes, or mean squared errors of predicted numbers.
    seed_deviation : ndarray of float, shape (n_models,)
        Standard deviation of the error from seed to seed on one split.
    split_deviation : ndarray of float, shape (n_models,)
        Standard deviation from split to split that is left when the seed is averaged out.
    seed : int
        The frozen seed.
    measure : {"error", "squared_error"}
        Which error it is.
    """

    models: tuple[str, ...]
    errors: Floats
    seed_deviation: Floats
    split_deviation: Floats
    seed: int
    measure: str = "error"

    def standard_error(self, model: str, n_splits: int, n_seeds: int) -> float:
        """Return the standard error of a mean over so many splits with so many seeds each.

        It answers for other splits and seeds on this network, not for other networks.
        """
        place = self.models.index(model)
        seeds, splits = self.seed_deviation[place] ** 2, self.split_deviation[place] ** 2
        return float(np.sqrt(splits / n_splits + seeds / (n_splits * n_seeds)))

    @property
    def verdict(self) -> str:
        """Which models the seed alone moves by more than they differ from another, in words."""
        note = moved_by_seeds(
            self.models,
            self.errors.mean(axis=(1, 2)).tolist(),
            self.seed_deviation.tolist(),
            list(combinations(range(len(self.models)), 2)),
            MEASURES[self.measure],
        )
        lines = (f"{text[0].upper()}{text[1:]}." for text in note)
        return " ".join(lines) or (
            f"No model's seed moves its {noun(MEASURES[self.measure])} by more than models differ."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one row per model: mean error rate, and both standard deviations."""
        import pandas as pd

        return pd.DataFrame(
            {
                "model": self.models,
                "error": self.errors.mean(axis=(1, 2)),
                "seed_deviation": self.seed_deviation,
                "split_deviation": self.split_deviation,
            }
        )

    def __str__(self) -> str:
        _, n_splits, n_seeds = self.errors.shape
        measure = MEASURES[self.measure]
        columns = (self.errors.mean(axis=(1, 2)), self.seed_deviation, self.split_deviation)
        body = [[amount(measure, value, row) for value in row] for row in zip(*columns)]
        wide = max(6, *(len(cell) for row in body for cell in row))
        width = max(map(len, self.models))
        rows = (
            "  ".join([f"{model:<{width}}", *(f"{cell:>{wide}}" for cell in row)])
            for model, row in zip(self.models, body)
        )
        head = "  ".join([" " * width, *(f"{word:>{wide}}" for word in ("error", "seed", "split"))])
        unit = "percentage points" if measure.shares else measure.unit
        note = (
            f"{unit[:1].upper()}{unit[1:]}, from {n_splits} splits with {n_seeds} seeds each: mean "
            "error; standard deviation from seed to seed on one split, and from split to split "
            "beside it."
        )
        return "\n".join((self.verdict, "", head, *rows, note))


@takes_options
def seed_variance(
    network: Network,
    models: Sequence[str | AnyModel | Any] | Mapping[str, Any],
    *,
    labeled: float | None = None,
    n_splits: int | None = None,
    n_seeds: int = 5,
    design: str | Design | Sequence[Split] = "rrs",
    seed: Seed = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> SeedVariance:
    """Train every model with several seeds on each split, and separate the two variances.

    Parameters
    ----------
    network : Network
    models : sequence of str, model or scikit-learn estimator
    n_seeds : int
        Seeds for each split, at least 2.

    Returns
    -------
    SeedVariance

    Raises
    ------
    InputError
        As `nettrial.compare`, and for fewer than two seeds.

    Notes
    -----
    With e_sr the error rate, or mean squared error, of seed r on split s, the variance between
    seeds is the mean over the splits of the variance within each, and that between splits the
    variance of the splits' means less a share 1 / n_seeds of it, or 0: a random effects model with
    equal numbers. A model that draws no random numbers has a variance of 0 between seeds.

    Examples
    --------
    >>> from nettrial.synth import latent_group_network
    >>> net = latent_group_network(100, seed=1)
    >>> seed_variance(net, ["wvrn", "prior"], n_splits=3, n_seeds=2).seed_deviation.tolist()
    [0.0, 0.0]
    """
    check_count("seed_variance", "n_seeds", n_seeds, 2, MOST)
    check_extent("seed_variance", n_seeds, network.n_nodes)
    named = named_models(models if isinstance(models, Mapping) else list(models))
    entropy = freeze(seed)
    how = Options(design=design, labeled=labeled, n_splits=n_splits)
    splits = task_of(network).divide(network, how.design, options_given(how), entropy).splits
    order = canonical_order(network)
    if order is not None:
        network, splits = order.network, splits_in_order(splits, order)
    repeated = [split for split in splits for _ in range(n_seeds)]  # seeds go by a split's place
    inner = derive(entropy, Stream.MODELS)
    found = run(network, named, repeated, seed=inner, n_jobs=n_jobs, progress=progress)
    measure = task_of(network).measure("error")
    errors = Scores.of(found, measure).values.reshape(len(named), -1, n_seeds)
    effects = [effects_of(own) for own in errors]
    deviations = (np.sqrt([each.seed for each in effects]), np.sqrt([e.split for e in effects]))
    return SeedVariance(tuple(named), errors, *deviations, entropy, measure.name)
