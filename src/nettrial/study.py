"""Run models on splits and keep what they predict."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .errors import InputError, NettrialError, unknown_choice
from .models.base import BatchModel, Model
from .models.decide import predict_labels
from .network import Network
from .network_parts import MISSING
from .progress import Progress
from .seeds import Seed, derive, freeze
from .splits.base import Split

if TYPE_CHECKING:
    import pandas as pd

CrossLinks: TypeAlias = Literal["keep", "drop"]
BATCH = 16  # splits that one call of a built-in model takes; a cache line holds 16 floats
NOT_TESTED = -1  # in an error matrix: the split does not test the node


class ModelError(NettrialError):
    """A model failed, or gave something other than class probabilities."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """What each model predicted for the test nodes of each split.

    Attributes
    ----------
    network : Network
        The network with all its labels.
    splits : tuple of Split
        The divisions that were used.
    models : tuple of str
        Names of the models.
    probabilities : mapping of str to tuple of ndarray, each (n_test, n_classes)
        For each model and split the class probabilities of the test nodes.
    """

    network: Network
    splits: tuple[Split, ...]
    models: tuple[str, ...]
    probabilities: Mapping[str, tuple[NDArray[np.float32], ...]]

    def errors(self, model: str) -> NDArray[np.int8]:
        """Give the error matrix, shape (n_splits, n_nodes): 1 wrong, 0 right, -1 not tested."""
        if model not in self.probabilities:
            raise unknown_choice("model", model, self.models)
        matrix = np.full((len(self.splits), self.network.n_nodes), NOT_TESTED, dtype=np.int8)
        for row, split, proba in zip(matrix, self.splits, self.probabilities[model]):
            row[split.test] = predict_labels(proba) != self.network.labels[split.test]
        return matrix

    def to_frame(self) -> pd.DataFrame:
        """Give one row a split, test node and model: label, prediction, class probabilities."""
        import pandas as pd

        network = self.network
        classes = np.array([str(name) for name in network.classes], dtype=object)
        blocks = []
        for model in self.models:
            for number, (split, proba) in enumerate(zip(self.splits, self.probabilities[model])):
                block: dict[str, Any] = {
                    "split": number,
                    "node": [network.ids[i] for i in split.test],
                    "model": model,
                    "label": classes[network.labels[split.test]],
                    "prediction": classes[predict_labels(proba)],
                }
                block |= {f"p_{name}": proba[:, c] for c, name in enumerate(classes)}
                blocks.append(pd.DataFrame(block))
        return pd.concat(blocks, ignore_index=True)


def run(
    network: Network,
    models: Mapping[str, Model],
    splits: Sequence[Split],
    *,
    seed: Seed = 0,
    n_jobs: int = 1,
    cross_links: CrossLinks = "keep",
    progress: bool | None = None,
) -> Predictions:
    """Train every model on every split and keep its predictions for the test nodes.

    Each model is handed the network with all labels hidden but those of the training nodes.

    Parameters
    ----------
    network : Network
        With the labels of training and test nodes.
    models : mapping of str to Model
        The models by the names under which their predictions are kept.
    splits : sequence of Split
        For example from ``RandomResampling().split_network(network)``.
    seed : int, SeedSequence or Generator
        Each fit derives its own seed from it, the model's place and the split's number.
    n_jobs : int
        Processes for models that run one split at a time; the result does not depend on it.
    cross_links : {"keep", "drop"}
        Whether links between training nodes and others stay in the network of a split.
    progress : bool, optional
        By default a bar is shown on a terminal.

    Raises
    ------
    InputError
        Where there is no split, no model, or a test node without label.
    ModelError
        Where a model fails; names model and split.

    Examples
    --------
    >>> from nettrial.models import WVRN
    >>> from nettrial.splits import RandomResampling
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", "a", "b", "b"])
    >>> splits = RandomResampling(n_splits=2, labeled=0.5).split_network(net)
    >>> run(net, {"wvRN": WVRN()}, splits).to_frame().shape
    (4, 7)
    """
    if not models:
        raise InputError("run: received no model; give at least one as {name: model}")
    if not splits:
        raise InputError("run: received no split; give at least one")
    if cross_links not in ("keep", "drop"):
        raise unknown_choice("cross_links", cross_links, ("keep", "drop"))
    for number, split in enumerate(splits):
        if (network.labels[split.test] == MISSING).any():
            raise InputError(f"run: split {number} tests nodes whose label is missing")
    entropy = freeze(seed)
    found: dict[str, tuple[NDArray[np.float32], ...]] = {}
    total = len(models) * len(splits)
    with Progress("models x splits", total=total, enabled=progress) as bar:
        for place, (name, model) in enumerate(models.items()):
            seeds = [derive(entropy, place, number) for number in range(len(splits))]
            if isinstance(model, BatchModel) and cross_links == "keep":
                parts = _run_batches(network, name, model, splits, seeds)
            else:
                parts = _run_singly(network, name, model, splits, seeds, n_jobs, cross_links)
            results: list[NDArray[np.float32]] = []
            for proba in parts:
                results.append(_checked(proba, network, name, splits[len(results)], len(results)))
                bar.advance()
            found[name] = tuple(results)
    return Predictions(network, tuple(splits), tuple(models), found)


def _run_batches(
    network: Network, name: str, model: BatchModel, splits: Sequence[Split], seeds: Sequence[int]
) -> Iterator[Any]:
    hidden = network.mask_labels(np.empty(0, dtype=np.intp))
    for start in range(0, len(splits), BATCH):
        block = splits[start : start + BATCH]
        labels = np.full((len(block), network.n_nodes), MISSING, dtype=np.int32)
        for row, split in zip(labels, block):
            row[split.train] = network.labels[split.train]
        try:
            proba = model.predict_proba_batch(hidden, labels, seeds[start : start + BATCH])
        except NettrialError:
            raise
        except Exception as error:
            raise _failure(name, f"splits {start} to {start + len(block) - 1}", error) from error
        for table, split in zip(proba, block):
            yield table[split.test]


def _run_singly(
    network: Network,
    name: str,
    model: Model,
    splits: Sequence[Split],
    seeds: Sequence[int],
    n_jobs: int,
    cross_links: CrossLinks,
) -> Iterator[Any]:
    from joblib import Parallel, delayed

    if n_jobs == 1:
        for number, (split, seed) in enumerate(zip(splits, seeds)):
            yield fit_predict(network, name, model, split, number, seed, cross_links)
        return
    yield from Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(fit_predict)(network, name, model, split, number, seed, cross_links)
        for number, (split, seed) in enumerate(zip(splits, seeds))
    )


def fit_predict(
    network: Network,
    name: str,
    model: Model,
    split: Split,
    number: int,
    seed: int,
    cross_links: CrossLinks = "keep",
) -> Any:
    """Fit a fresh copy of the model on one split and predict its test nodes."""
    seen = network.mask_labels(split.train)
    if cross_links == "drop":
        seen = seen.without_links_between(split.train)
    model = copy.deepcopy(model)
    try:
        if "seed" in inspect.signature(model.fit).parameters:
            fitted = model.fit(seen, split.train, seed=seed)  # type: ignore[call-arg]
        else:
            fitted = model.fit(seen, split.train)
        return fitted.predict_proba(seen, split.test)
    except NettrialError:
        raise
    except Exception as error:
        raise _failure(name, f"split {number}", error) from error


def _failure(name: str, where: str, error: Exception) -> ModelError:
    return ModelError(f"model {name!r} failed on {where}: {type(error).__name__}: {error}")


def _checked(
    proba: Any, network: Network, name: str, split: Split, number: int
) -> NDArray[np.float32]:
    """Refuse what is not a table of class probabilities."""
    array = np.asarray(proba, dtype=np.float32)
    shape = (split.test.size, network.n_classes)
    if array.shape != shape:
        raise ModelError(
            f"model {name!r}, split {number}: received probabilities of shape {array.shape}, "
            f"needed is {shape}: a row for each node asked for, a column for each class"
        )
    totals = array.sum(axis=1)
    if not (np.isfinite(array).all() and (array >= -1e-6).all() and (abs(totals - 1) < 1e-3).all()):
        raise ModelError(
            f"model {name!r}, split {number}: rows of predict_proba must be probabilities that "
            f"add up to 1; received values from {array.min()} to {array.max()} and row sums from "
            f"{totals.min()} to {totals.max()}"
        )
    return array
