"""Models that end, hang, overload or garble their process: for the tests of what then happens."""

from __future__ import annotations

import atexit
import ctypes
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
        elif self.name == "os._exit":
            os._exit(0)
        elif self.name == "interrupt":
            raise KeyboardInterrupt
        elif self.name == "segfault":
            ctypes.string_at(0)
        elif self.name == "hang":
            time.sleep(1000)
        elif self.name == "busy":  # never comes back to Python, so that no signal reaches it
            ctypes.CDLL(None).pause.restype = None
            pause = ctypes.PyDLL(None).sleep  # holds the global lock
            pause(1000)
        elif self.name == "memory":
            self.block = np.ones(10**9)
        elif self.name == "thread":
            thread = threading.Thread(target=os._exit, args=(0,))
            thread.start()
            thread.join()
        elif self.name == "posix":
            sys.modules[os.name]._exit(0)
        elif self.name == "exec":
            os.execlp("true", "true")  # noqa: S606
        elif self.name == "close":
            os.closerange(3, 256)
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


class Closing(Dangerous):
    def __init__(self) -> None:
        super().__init__("close")


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
        atexit.register(os._exit, 7)
        os.chdir("/")
        sys.path.clear()
        sys.argv.clear()
        os.environ.clear()
        sys.setrecursionlimit(150)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.alarm(1)
        threading.Thread(target=time.sleep, args=(30,)).start()
        os.fork()  # and both go on
        for stream in (sys.stdout, sys.stderr):
            stream.close()
        for number in range(3):
            os.close(number)


class Speaking(Guess):
    """Raises what cannot be said: no text at all, one that no file takes, one without end."""

    def act(self) -> None:
        if self.name == "mute":
            raise type("Mute", (Exception,), {"__str__": lambda _: 1 / 0})
        if self.name == "surrogate":
            raise ValueError("odd \ud800")
        raise ValueError("x" * 10**6)
