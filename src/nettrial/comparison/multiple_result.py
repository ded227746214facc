"""The outcome of comparing several models on one network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..finding import Finding
from ..metrics.measures import MEASURES, Measure
from ..stats.comparisons import Comparisons
from ..stats.omnibus import OmnibusResult
from ..study import Predictions

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, repr=False)
class MultipleComparison(Finding):
    """The outcome of comparing several models on one network.

    Attributes
    ----------
    predictions : Predictions
        What was predicted; holds the network and the splits.
    design : str
        How the splits were drawn.
    labeled : float or None
        Proportion of labeled nodes in training; None where the splits were given.
    seed : int
        The frozen seed.
    confidence : float
        Level of the intervals.
    communities : ndarray of int, shape (n_nodes,)
        Community of each node.
    control : str or None
        The model with which each other one was compared; None for all pairs.
    scores : mapping of str to float
        Error rate of each model, or the other measure that was asked for, the mean over all
        tests of nodes; the best first.
    score_intervals : mapping of str to (float, float)
        Interval of each model's rate on other networks like this one, one at a time.
    pairs : Comparisons
        The differences of these with simultaneous intervals and adjusted p-values;
        ``details["holm_pvalue"]`` has Holm's.
    letters : mapping of str to str
        Models that share a letter do not differ significantly; empty beside a control.
    test : str
        Which test gave the intervals and p-values.
    reason : str
        Why that test.
    multivariate : OmnibusResult or None
        Hotelling's T2 (two models) or Pillai's trace (more) for several measures at once.
    warnings : tuple of Warning
        Warnings that bear on the verdict.
    settings : mapping
        Further settings, and versions.
    measure : Measure
        What is compared; by default error rates.
    """

    predictions: Predictions
    design: str
    labeled: float | None
    seed: int
    confidence: float
    communities: NDArray[np.int32]
    control: str | None
    scores: Mapping[str, float]
    score_intervals: Mapping[str, tuple[float, float]]
    pairs: Comparisons
    letters: Mapping[str, str]
    test: str
    reason: str
    multivariate: OmnibusResult | None
    warnings: tuple[Warning, ...]
    settings: Mapping[str, Any]
    measure: Measure = MEASURES["error"]

    @property
    def best(self) -> str:
        """Name of the best model."""
        return next(iter(self.scores))

    def _values(self) -> dict[str, Any]:
        network = self.predictions.network
        return {
            "network": network.name,
            "n_nodes": network.n_nodes,
            "n_links": network.n_links,
            "n_classes": network.n_classes,
            "design": self.design,
            "labeled": self.labeled,
            "n_splits": len(self.predictions.splits),
            "seed": self.seed,
            "confidence": self.confidence,
            "control": self.control,
            "test": self.test,
            "reason": self.reason,
            "measure": self.measure.name,
            "better": self.measure.better,
            "models": [
                {
                    "model": model,
                    "score": error,
                    "ci_low": self.score_intervals[model][0],
                    "ci_high": self.score_intervals[model][1],
                    "letters": self.letters.get(model),
                }
                for model, error in self.scores.items()
            ],
            "pairs": self.to_frame().to_dict("records"),
            "multivariate": None if self.multivariate is None else self.multivariate.to_dict(),
            "settings": self.settings,
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the pairs as a table, one row a pair."""
        return self.pairs.to_frame().assign(holm_pvalue=self.pairs.details["holm_pvalue"])
