"""Models that harm what they are handed, and one that notes all that it is handed."""

from __future__ import annotations

import contextlib
import hashlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from nettrial.network.network import Network


def arrays_of(network: Network) -> Iterator[np.ndarray]:
    features = network.features
    if sp.issparse(features):
        yield from (features.data, features.indices, features.indptr)
    elif features is not None:
        yield features
    yield from (part for part in network.links if part is not None)
    yield from (network.labels, network.ids, *network.attributes.values())
    yield from network.simple_links()


def noted(*things: Any) -> str:
    state = hashlib.sha256()
    for thing in things:
        state.update(thing.tobytes() if isinstance(thing, np.ndarray) else repr(thing).encode())
    return state.hexdigest()[:16]


class Uniform:
    """Every class is as probable as any other."""

    def __init__(self, name: str = "uniform") -> None:
        self.name = name

    def fit(self, network: Network, train: np.ndarray) -> Uniform:
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        return np.full((nodes.size, network.n_classes), 1 / network.n_classes)


class Observer(Uniform):
    """Writes down a digest of everything that it is handed, one line per fit."""

    def __init__(self, log: str) -> None:
        super().__init__("observer")
        self.log = log

    def fit(self, network: Network, train: np.ndarray, *, seed: int) -> Observer:
        drawn = random.random(), np.random.random()  # noqa: NPY002, S311
        self.seen = noted(train, seed, *arrays_of(network), drawn)
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        with Path(self.log).open("a") as stream:
            stream.write(f"{self.seen} {noted(nodes, *arrays_of(network))}\n")
        return super().predict_proba(network, nodes)


class Zeroing(Uniform):
    """Sets the indices that it is handed to 0."""

    def fit(self, network: Network, train: np.ndarray) -> Zeroing:
        train[:] = 0
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        found = super().predict_proba(network, nodes)
        nodes[:] = 0
        return found


class Shuffling(Uniform):
    """Shuffles the training nodes in place, as loops over epochs do."""

    def fit(self, network: Network, train: np.ndarray) -> Shuffling:
        np.random.default_rng(1).shuffle(train)
        return self


class Overwriting(Uniform):
    """Writes into each array of the network that lets it."""

    def fit(self, network: Network, train: np.ndarray) -> Overwriting:
        for array in arrays_of(network):
            with contextlib.suppress(ValueError):
                array[:] = array[0]
        return self


class Stirring(Uniform):
    """Seeds and uses the global random states, and leaves them so."""

    def fit(self, network: Network, train: np.ndarray) -> Stirring:
        random.seed(4)
        np.random.seed(4)  # noqa: NPY002
        return self


class Reusing(Uniform):
    """Returns the same buffer for every split, and writes into it again."""

    buffer = np.zeros((10_000, 2), dtype=np.float32)

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        share = np.float32(nodes.sum() % 97 / 97)
        self.buffer[: nodes.size] = [share, 1 - share]
        return self.buffer[: nodes.size]


class GlobalRandom(Uniform):
    """Draws its probabilities from the global random states, of PyTorch too if asked to."""

    def __init__(self, *, torch: bool = False) -> None:
        super().__init__("global random")
        self.torch = torch

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        share = (np.random.random(nodes.size) + random.random()) / 2  # noqa: NPY002, S311
        if self.torch:
            import torch

            share = (share + torch.rand(nodes.size).numpy()) / 2
        return np.column_stack([share, 1 - share])


class GlobalBatch(GlobalRandom):
    """The same, many label sets a call."""

    def predict_proba_batch(
        self, network: Network, labels: np.ndarray, seeds: tuple[int, ...]
    ) -> np.ndarray:
        share = np.random.random(labels.shape)  # noqa: NPY002
        return np.stack([share, 1 - share], axis=-1).astype(np.float32)


class TorchWriting(Uniform):
    """Centers the network's own features by PyTorch, which does not ask whether it may."""

    def fit(self, network: Network, train: np.ndarray) -> TorchWriting:
        import torch

        x = torch.from_numpy(network.features)
        x -= x.mean(dim=0)
        return self


class Imprecise(Uniform):
    """Makes faults of numbers errors, for all who compute after it."""

    def fit(self, network: Network, train: np.ndarray) -> Uniform:
        np.seterr(all="raise")
        return super().fit(network, train)


class Precise(Uniform):
    """Computes with logarithms of 0."""

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        with np.errstate():
            zero = np.exp(np.log(np.zeros(1)))[0]
        first = nodes % 2 / 3 + zero
        return np.column_stack([first, 1 - first])
