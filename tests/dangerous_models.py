"""Models that end, hang, overload or garble their process: for the tests of what then happens."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np

from nettrial.network.network import Network


class Guess:
    """Random probabilities from the seed of each fit."""

    def __init__(self, name: str = "guess") -> None:
        self.name = name

    def fit(self, network: Network, train: np.ndarray, *, seed: int) -> Guess:
        self.seed = seed
        self.act()
        return self

    def act(self) -> None:
        """Do something dangerous."""

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        share = np.random.default_rng(self.seed).random(nodes.size)
        return np.column_stack([share, 1 - share])


class Dangerous(Guess):
    """Does what its name says."""

    def act(self) -> None:
        if self.name == "sys.exit":
            sys.exit(0)
        elif self.name == "interrupt":
            raise KeyboardInterrupt
        elif self.name == "segfault":
            ctypes.string_at(0)
        elif self.name == "hang":
            time.sleep(1000)
        elif self.name == "busy":  # never comes back to Python, so that no signal reaches it
            sum(range(10**13))
        elif self.name == "memory":
            self.block = np.ones(10**9)
        elif self.name == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.name == "print":
            print("chatter of Python")  # noqa: T201
            os.write(1, b"chatter of a library\n")


class Printing(Dangerous):
    def __init__(self) -> None:
        super().__init__("print")


class Exiting(Dangerous):
    def __init__(self) -> None:
        super().__init__("sys.exit")


class Crashing(Dangerous):
    def __init__(self) -> None:
        super().__init__("segfault")


class Leaping(Guess):
    """Ends its process as a library of C does."""

    def act(self) -> None:
        ctypes.CDLL(None).exit(0)


class Hanging(Dangerous):
    def __init__(self) -> None:
        super().__init__("hang")


class Slow(Guess):
    """Takes a tenth of a second a fit, and writes each into the file that the environment names."""

    def __init__(self, name: str = "slow") -> None:
        super().__init__(name)

    def act(self) -> None:
        with Path(os.environ["NETTRIAL_TEST_LOG"]).open("a") as stream:
            stream.write(f"{os.getpid()}\n")
        time.sleep(0.1)


class AsSlow(Slow):
    def __init__(self) -> None:
        super().__init__("as slow")


class Leaving(Guess):
    """Leaves its process in another state than it found it in."""

    def __init__(self) -> None:
        super().__init__("leaving")

    def act(self) -> None:
        os.chdir("/")
        sys.path.clear()
        sys.argv.clear()
        os.environ.clear()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.alarm(1)
        threading.Thread(target=time.sleep, args=(30,)).start()
        sys.stdout = sys.stderr = None


class Looping(Guess):
    """Computes on in compiled code, which signals do not reach."""

    def __init__(self) -> None:
        super().__init__("looping")

    def act(self) -> None:
        sum(range(10**13))


class Pooling(Guess):
    """Works with a pool of forked processes, and ends it."""

    def __init__(self) -> None:
        super().__init__("pooling")

    def act(self) -> None:
        with multiprocessing.get_context("fork").Pool(2) as pool:
            pool.apply_async(time.sleep, (30,))
            assert pool.map(abs, [-1, 2]) == [1, 2]


class Loading(Guess):
    """Loads its data by processes of PyTorch."""

    def __init__(self) -> None:
        super().__init__("loading")

    def act(self) -> None:
        import torch
        from torch.utils.data import DataLoader

        loaded = DataLoader(torch.arange(6), batch_size=3, num_workers=2)
        assert [part.tolist() for part in loaded] == [[0, 1, 2], [3, 4, 5]]


class Speaking(Guess):
    """Raises what cannot be said: no text at all, one that no file takes, one without end."""

    def act(self) -> None:
        if self.name == "mute":
            raise type("Mute", (Exception,), {"__str__": lambda _: 1 / 0})
        if self.name == "surrogate":
            raise ValueError("odd \ud800")
        raise ValueError("x" * 10**6)
