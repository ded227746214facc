"""What is predicted of a network, and all that differs by it: classes, numbers, links, others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..metrics.measures import Measure, MeasureLike, Predicted, measure_of
from ..network.network import Network

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Items: TypeAlias = Literal["nodes", "pairs"]  # that predictions are made for


class Task(ABC):
    """What is predicted: how models are run and checked, and how their predictions are measured.

    One object of a subclass stands for each kind, without a state of its own.
    """

    name: ClassVar[Predicted]
    items: ClassVar[Items] = "nodes"

    @abstractmethod
    def of_splits(self, network: Network, splits: Sequence[Any]) -> bool:
        """Return whether splits of a network divide what is predicted here."""

    @abstractmethod
    def predict(self, network: Network, model: Any, split: Any, seed: int, cross_links: Any) -> Any:
        """Fit a fresh copy of a model on what a split shows, and predict what it tests."""

    @abstractmethod
    def shape(self, network: Network, split: Any) -> tuple[int, ...]:
        """Return the shape of what a model predicts on a split."""

    @abstractmethod
    def checked(
        self, said: Any, network: Network, split: Any, name: str, where: str
    ) -> NDArray[np.floating]:
        """Return what a model predicted as an array of its own; refuse anything else.

        Raises
        ------
        ModelError
            Names the model, where it was, and what was expected.
        """

    @abstractmethod
    def handed(
        self, predictions: Any, model: str, number: int, measure: Measure, origin: Any = None
    ) -> tuple[Any, Any, Any, Any]:
        """Return what a measure is handed of a model and split: truth, what was said, of whom.

        On a drawn network, `origin` holds the node of the network that each of its nodes is drawn
        from, for measures that look at nodes.
        """

    @abstractmethod
    def frame(self, predictions: Any) -> pd.DataFrame:
        """Return predictions with one training seed as a table."""

    def check_run(
        self, network: Network, models: Mapping[str, Any], splits: Sequence[Any], cross_links: Any
    ) -> Any:
        """Refuse what cannot be run; return what models see of links between training nodes."""
        return None

    def in_batches(self, network: Network, model: Any, cross_links: Any) -> bool:
        """Return whether a model runs many splits in one call."""
        return False

    def predict_batch(
        self, network: Network, model: Any, splits: Sequence[Any], seeds: Sequence[int]
    ) -> Any:
        """Fit a fresh copy of a model on each of some splits; return a table of all for each."""
        raise NotImplementedError

    def tested(
        self, network: Network, splits: Sequence[Any]
    ) -> tuple[NDArray[np.int64], list[NDArray[np.intp]]]:
        """Return the numbers of all items, and the places among them that each split tests."""
        return np.arange(network.n_nodes), [split.test for split in splits]

    def predicted(self, predictions: Any, model: str, number: int) -> NDArray[np.int32]:
        """Return the predicted classes of what one split tests, as codes."""
        raise self._no_classes("predicted")

    def errors(self, predictions: Any, model: str) -> NDArray[np.int8]:
        """Return the error matrix of a model, see `Predictions.errors`."""
        raise self._no_classes("errors")

    def _no_classes(self, asked: str) -> InputError:
        return InputError(
            f"predicted {self.name} are neither right nor wrong",
            parameter=asked,
            hint="see to_frame",
        )

    def measure(self, given: MeasureLike) -> Measure:
        """Return the measure by which models are judged; "error" is the default one."""
        return measure_of(given, self.name)

    @abstractmethod
    def check_measurable(self, predictions: Any, measure: Measure) -> None:
        """Refuse a measure that predictions, or the test sets, do not allow."""
