"""What is predicted of a network, and all that differs by it: classes, numbers, links, others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning, InputError
from ..io.report import what_was_read
from ..metrics.measures import Measure, MeasureLike, Predicted, measure_of
from ..network.canonical_order import Order
from ..network.network import Network

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Items: TypeAlias = Literal["nodes", "pairs"]  # that predictions are made for


class Divided(NamedTuple):
    """A network divided by a design."""

    name: str  # the design's; "given" for splits
    design: Any  # as it was given, or made of its name
    splits: list[Any]
    labeled: float | None  # the proportion that models see, where the design has one


class Task(ABC):
    """What is predicted: its models, designs, measures and baseline, and what is said of it.

    One object of a subclass stands for each kind, without a state of its own.
    """

    name: ClassVar[str]  # what is predicted
    # {"nodes", "pairs"}: what it is predicted of, which decides about tests
    items: ClassVar[Items] = "nodes"
    label: ClassVar[str] = "label"  # what is known of a node
    models: ClassVar[str] = "models of nodes"  # what its models are called
    # what `nettrial.check` looks at of predictions: "splits", "link_splits", "predictions", "runs"
    checked_parts: ClassVar[tuple[str, ...]] = ()
    # the options that have no meaning here, each with the reason
    without: ClassVar[Mapping[str, str]] = MappingProxyType({})
    # the questions that cannot be asked, each with the reason
    not_asked: ClassVar[Mapping[str, str]] = MappingProxyType({})
    baseline_model: ClassVar[str]  # the name of the model that is no better than the baseline
    baseline_words: ClassVar[str]  # what is reached without a model

    @abstractmethod
    def takes(self, network: Any, model: Any) -> bool:
        """Return whether a model, as users name or make it, predicts this of a network."""

    @abstractmethod
    def model(self, given: Any) -> Any:
        """Make a model of whatever can stand for one."""

    @abstractmethod
    def listed(self, name: str) -> str:
        """Return the name of a model as it is listed."""

    @abstractmethod
    def check(self, network: Network) -> None:
        """Refuse a network on which no two models can be compared."""

    @abstractmethod
    def divide(self, network: Network, design: Any, given: dict[str, Any], entropy: int) -> Divided:
        """Split a network by a design, its name and the options of it, or take given splits."""

    @abstractmethod
    def check_defined(self, network: Network, splits: Sequence[Any], measure: Measure) -> None:
        """Refuse a measure that is not defined on test sets, whatever models predict."""

    @abstractmethod
    def baseline(self, predictions: Any, known: bool) -> Any:
        """Return the predictions of `baseline_model`; None where they cannot be made.

        `known` says whether it is known what the models learned from.
        """

    @abstractmethod
    def of_splits(self, network: Network, splits: Sequence[Any]) -> bool:
        """Return whether splits of a network divide what is predicted here."""

    @abstractmethod
    def in_order(self, splits: Sequence[Any], order: Order) -> list[tuple[Any, NDArray[np.intp]]]:
        """Return each split in another order of the nodes, and where what it tests stood."""

    @abstractmethod
    def predict(self, network: Network, model: Any, split: Any, seed: int, cross_links: Any) -> Any:
        """Fit a fresh copy of a model on what a split shows, and predict what it tests."""

    @abstractmethod
    def fits(self, network: Network, split: Any) -> bool:
        """Return whether a split tests what the network has."""

    @abstractmethod
    def shape(self, network: Network, split: Any) -> tuple[int, ...]:
        """Return the shape of what a model predicts on a split."""

    @abstractmethod
    def checked(
        self, said: Any, network: Network, split: Any, name: str, where: str
    ) -> NDArray[np.floating]:
        """Return what a model predicted as an array of its own; refuse anything else."""

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

    @abstractmethod
    def check_models(self, network: Network, models: Mapping[str, Any]) -> None:
        """Refuse models that predict something else."""

    def seen(self, network: Network, models: Mapping[str, Any], cross_links: Any) -> dict[str, Any]:
        """Return what a result keeps of what models see."""
        return {}

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
        return measure_of(given, cast(Predicted, self.name))

    def check_measurable(self, predictions: Any, measure: Measure) -> None:
        """Refuse a measure that predictions do not allow, or that is not defined on a test set."""
        self.check_defined(predictions.network, predictions.splits, measure)

    def known(self, network: Network, nodes: NDArray[np.integer[Any]]) -> dict[str, Any]:
        """Return what is known of nodes, as `Network` takes it."""
        raise NotImplementedError

    def kinds(self, network: Network) -> tuple[NDArray[np.integer[Any]], int]:
        """Return the kind of each node by its label, and how many there are."""
        return network.labels, network.n_classes

    def extent(self, network: Network) -> str:
        """Return what there is to predict in a network, in words."""
        return f"{network.n_classes:,} classes"

    def truth(self, network: Network) -> Floats:
        """Return what errors of labeled nodes may go together by."""
        raise NotImplementedError

    def linked(self, network: Network, design: str) -> Network:
        """Return the network by whose links communities are found."""
        return network

    def settings(self, predictions: Any) -> dict[str, Any]:
        """Return what a result keeps of its test sets."""
        return {}

    def doubts(self, network: Network) -> tuple[Warning, ...]:
        """Return what is doubtful about a network, however its models are compared."""
        _, *texts = what_was_read(network).lines()
        return tuple(AssumptionWarning(text) for text in texts)

    def cautions(self, predictions: Any, measure: Measure) -> tuple[Warning, ...]:
        """Return what is doubtful about a measure of predictions."""
        return ()

    def other_units(self, predictions: Any, measure: Measure) -> tuple[Warning, ...]:
        """Warn of predictions made elsewhere that are in another unit."""
        return ()

    def blind_spots(
        self, predictions: Any, measure: Measure, worse: tuple[Warning, ...]
    ) -> tuple[Warning, ...]:
        """Return what the measure does not show, around which models do not beat the baseline."""
        return worse


def refuse_options(given: Mapping[str, Any]) -> None:
    """Refuse options of a design beside one that brings its own."""
    if given:
        raise InputError(
            f"got {' and '.join(given)} beside a design that brings its own",
            parameter="design",
            hint="give a design's name, or set them on the design",
        )
