"""Predictions of nodes that may have several labels at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import unknown_choice
from ..network.network import Network
from ..splits.base import Split
from ..study.node_study import Predictions
from ..study.task import Task

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class LabelPredictions:
    """What each model predicted of every label, for the test nodes of each split.

    Attributes
    ----------
    network : Network
        Without classes.
    by_label : mapping of str to Predictions
        For each label the predictions of it against its absence, of the same models on the same
        splits.
    """

    network: Network
    by_label: Mapping[str, Predictions]

    @property
    def task(self) -> Task:
        """What was predicted of every label."""
        return self._first.task

    @property
    def runs(self) -> tuple[Predictions, ...]:
        """The predictions of each label with each training seed."""
        return tuple(run for one in self.by_label.values() for run in one.runs)

    @property
    def median_seconds(self) -> dict[str, float]:
        """Median time of each model for one split, of all labels together; empty if not known."""
        timed = [each.median_seconds for each in self.by_label.values()]
        return {name: sum(t[name] for t in timed) for name in self.models if name in timed[0]}

    @property
    def median_megabytes(self) -> dict[str, float]:
        """Median of each model's memory for one split, on the label that takes most."""
        taken = [each.median_megabytes for each in self.by_label.values()]
        return {
            name: max(one[name] for one in taken if name in one)
            for name in self.models
            if any(name in one for one in taken)
        }

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the labels."""
        return tuple(self.by_label)

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models."""
        return self._first.models

    @property
    def splits(self) -> tuple[Split, ...]:
        """The divisions that were used."""
        return self._first.splits

    @property
    def _first(self) -> Predictions:
        return next(iter(self.by_label.values()))

    @check_arguments
    def predicted(self, model: str, split: int) -> NDArray[np.int32]:
        """Return which labels a model gives to the test nodes of one split.

        Zeros and ones, shape (n_test, n_labels).
        """
        return np.stack([one.predicted(model, split) for one in self.by_label.values()], axis=1)

    def __getitem__(self, label: str) -> Predictions:
        """Return the predictions of one label."""
        if label not in self.by_label:
            raise unknown_choice("label", label, self.by_label)
        return self.by_label[label]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per label, split, test node and model: truth, prediction, probability."""
        import pandas as pd

        frames = []
        for label, one in self.by_label.items():
            frame = one.to_frame()
            present = one.network.classes[1]
            frames.append(
                pd.DataFrame(
                    {
                        "label": label,
                        "split": frame["split"],
                        "node": frame["node"],
                        "model": frame["model"],
                        "truth": (frame["label"] == present).astype(int),
                        "prediction": (frame["prediction"] == present).astype(int),
                        "probability": frame[f"p_{present}"],
                    }
                )
            )
        return pd.concat(frames, ignore_index=True)
