"""Models for the tests of studies: at the top of a module, so that workers can import them."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np

from nettrial.network.network import Network


class Guessing:
    """Random probabilities from the seed of each fit; notes every fit in a file if it has one."""

    def __init__(self, name: str = "guessing", sharpness: float = 1.0, log: str = "") -> None:
        self.name = name
        self.sharpness = sharpness
        self.log_ = log

    def fit(self, network: Network, train: np.ndarray, *, seed: int) -> Guessing:
        if self.log_:
            with Path(self.log_).open("a") as stream:
                stream.write(f"{self.name} {seed}\n")
        self.seed = seed
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        weights = np.random.default_rng(self.seed).random((nodes.size, network.n_classes))
        weights = weights**self.sharpness + 1e-3
        return weights / weights.sum(axis=1, keepdims=True)


class Failing(Guessing):
    """Fails on the seeds that a file lists, for as long as it is there."""

    def __init__(self, name: str, file: str, log: str = "") -> None:
        super().__init__(name, log=log)
        self.file = file

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        bad = Path(self.file).read_text().split() if Path(self.file).exists() else []
        if str(self.seed % 3) in bad:
            raise RuntimeError(f"seed {self.seed} is unlucky")
        return super().predict_proba(network, nodes)


class Deadly(Guessing):
    """Ends its process by signal 9 in the first fits, as many as a file has bytes."""

    def __init__(self, name: str, file: str) -> None:
        super().__init__(name)
        self.file = file

    def fit(self, network: Network, train: np.ndarray, *, seed: int) -> Deadly:
        path = Path(self.file)
        size = path.stat().st_size
        if size:
            os.truncate(path, size - 1)
            os.kill(os.getpid(), signal.SIGKILL)
        super().fit(network, train, seed=seed)
        return self


class HalfBatch:
    """A model of many label sets a call, which fails on those whose seed is divisible by 3."""

    name = "half batch"

    def fit(self, network: Network, train: np.ndarray) -> HalfBatch:
        raise NotImplementedError

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def predict_proba_batch(
        self, network: Network, labels: np.ndarray, seeds: tuple[int, ...]
    ) -> np.ndarray:
        if any(seed % 3 == 0 for seed in seeds):
            raise ZeroDivisionError("a seed is divisible by 3")
        shape = (len(labels), network.n_nodes, network.n_classes)
        return np.full(shape, 1 / network.n_classes, dtype=np.float32)
