"""Keep what a model does to its process away from everything else that runs in it.

While a model works, the global random states of Python, NumPy and PyTorch are seeded for it alone
and put back afterwards, as are its `surroundings`; what it prints goes to standard error, and
what ends the process raises (`endings`). A process that it forks ends with the work.
"""

from __future__ import annotations

import os
import random
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import thread as futures
from contextlib import contextmanager
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.errors import RandomStateWarning, warn_user
from ..network.network import Network
from .exit_guard import ModelExit, catch_endings
from .process_state import kept_surroundings, loaded_torch

T = TypeVar("T")
_random: Any = np.random  # whose stubs lack the generator of its global state

_lock = threading.RLock()
_threads: list[int] = []  # those in which a model is at work
_restore: list[Callable[[], None]] = []  # what puts the process back when the last one ends
_left_behind: WeakKeyDictionary[threading.Thread, str] = WeakKeyDictionary()
_attempts: list[ModelExit] = []  # to end this process
_seeded: list[Any] = []  # the random states as they were last seeded


@contextmanager
def isolated() -> Iterator[None]:
    """Send prints to standard error, and turn what ends the process into an error.

    Examples
    --------
    >>> with isolated():
    ...     print("chatter")
    """
    thread, process = threading.get_ident(), os.getpid()
    with _lock:
        _threads.append(thread)
        if len(_threads) == 1:
            _restore.extend(
                [catch_endings(_threads, _attempts), _redirect_prints(), _keep_random_states()]
            )
    try:
        yield
    finally:
        _end_child(process)
        with _lock:
            _threads.remove(thread)
            while not _threads and _restore:
                _restore.pop()()
            if not _threads:
                _attempts.clear()


def _end_child(process: int) -> None:
    """End a process that a model forked and that has come back from the model's work."""
    if os.getpid() != process:
        os._exit(int(sys.exc_info()[0] is not None))


@contextmanager
def watched_threads(name: str) -> Iterator[None]:
    """Note threads that a model leaves behind, for which the program would wait in the end."""
    before = set(threading.enumerate())
    try:
        yield
    finally:
        for thread in set(threading.enumerate()) - before:
            if not (thread.daemon or _of_pool(thread)):
                _left_behind[thread] = name


def _of_pool(thread: threading.Thread) -> bool:
    """Return whether a thread belongs to a pool, which ends it when the program ends."""
    library = type(thread).__module__.partition(".")[0]
    return library in ("concurrent", "joblib") or thread in futures._threads_queues


def left_behind() -> list[str]:
    """Return the names of the models whose threads still run.

    Examples
    --------
    >>> left_behind()
    []
    """
    return sorted({name for thread, name in _left_behind.items() if thread.is_alive()})


def _redirect_prints() -> Callable[[], None]:
    out, sys.stdout = sys.stdout, sys.stderr

    def back() -> None:
        sys.stdout = out

    return back


def _keep_random_states() -> Callable[[], None]:
    states = [(state, state.get()) for state in _states()]

    def back() -> None:
        _seeded.clear()
        for state, before in states:
            state.put(before)

    return back


def seeded(seed: int, work: Callable[[], T]) -> tuple[T, bool]:
    """Do some work with the global random states seeded; return whether it drew from them.

    Work that was the first to import PyTorch, and drew from its state, is done again, since that
    state could not be seeded before. Threads that work side by side share these states: where one
    of them draws, a warning is given.

    Examples
    --------
    >>> seeded(7, random.random) == seeded(7, random.random)
    True
    >>> seeded(7, lambda: 0)
    (0, False)
    """
    process = os.getpid()
    with isolated(), kept_surroundings():
        had_torch = "torch" in sys.modules
        with _lock:
            others = len(set(_threads)) > 1
            drew_before = others and _drew()
            _seeded[:] = [(state, state.seed(seed)) for state in _states()]
        try:
            found = work()
            if _attempts:
                raise _attempts.pop()
        finally:
            _end_child(process)
            with _lock:
                drew, alone = _drew(), not others and len(set(_threads)) == 1
                if (drew or drew_before) and not alone:
                    _warn_of_threads()
        if not had_torch and "torch" in sys.modules and _Torch().used():
            return seeded(seed, work)
    return found, drew and alone


def made(work: Callable[[], T]) -> T:
    """Import or make a model: what it draws then is the same in every run.

    Examples
    --------
    >>> made(random.random) == made(random.random)
    True
    """
    with isolated():
        seed_all(0)
        return work()


def seed_all(seed: int) -> None:
    """Seed the global random states.

    Examples
    --------
    >>> seed_all(7)
    """
    for state in _states():
        state.seed(seed)


def _drew() -> bool:
    """Return whether anything was drawn since the states were last seeded."""
    return any(state.moved(start) for state, start in _seeded)


def _warn_of_threads() -> None:
    warn_user(
        RandomStateWarning(
            "a model draws from a global random state, which the threads of a process share, so "
            "that another run may give other results; use worker processes, or let its fit take "
            "a seed"
        )
    )


class _Python:
    """The global state of the module ``random``."""

    def get(self) -> Any:
        return random.getstate()

    def put(self, state: Any) -> None:
        random.setstate(state)

    def seed(self, seed: int) -> Any:
        random.seed(seed)
        return self.get()

    def moved(self, before: Any) -> bool:
        return bool(self.get() != before)


class _NumPy:
    """The global state of ``numpy.random``."""

    def __init__(self) -> None:
        self._bits = _random.get_bit_generator()

    def get(self) -> Any:
        return np.random.get_state()  # noqa: NPY002 - this is the state to be kept

    def put(self, state: Any) -> None:
        if _random.get_bit_generator() is not self._bits:  # a model took another one
            _random.set_bit_generator(self._bits)
        np.random.set_state(state)  # noqa: NPY002

    def seed(self, seed: int) -> Any:
        np.random.seed(seed % 2**32)  # noqa: NPY002
        return self.get()

    def moved(self, before: Any) -> bool:
        if _random.get_bit_generator() is not self._bits:
            return True
        now = self.get()
        return bool(now[2:] != before[2:] or (now[1] != before[1]).any())


class _Torch:
    """The state of PyTorch's default generator."""

    def __init__(self) -> None:
        self._torch = sys.modules["torch"]

    def get(self) -> Any:
        return self._torch.get_rng_state()

    def put(self, state: Any) -> None:
        self._torch.set_rng_state(state)

    def seed(self, seed: int) -> Any:
        self._torch.manual_seed(seed)
        return self.get()

    def moved(self, before: Any) -> bool:
        return bool((self.get() != before).any())

    def used(self) -> bool:
        """Return whether numbers were drawn since the state was last seeded, or imported."""
        start = self._torch.Generator().manual_seed(self._torch.initial_seed()).get_state()
        return self.moved(start)


def _states() -> list[_Python | _NumPy | _Torch]:
    return [_Python(), _NumPy(), *([] if loaded_torch() is None else [_Torch()])]


def checksum(network: Network) -> int:
    """Return a checksum of the arrays that all models are handed, those mapped from files aside.

    The arrays are read-only, but libraries such as PyTorch write into them all the same.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=2, features=np.eye(2))
    >>> before = checksum(net)
    >>> net.features.base[0, 0] = 3
    >>> checksum(net) == before
    False
    """
    features = network.features
    if sp.issparse(features):
        parts = [features.data, features.indices, features.indptr]
    else:
        parts = [] if features is None else [features]
    arrays = [*network.links, network.ids, *network.attributes.values(), *parts]
    found = 0
    for array in arrays:
        if array is not None and not array.dtype.hasobject and not is_mapped(array):
            found = zlib.crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data, found)
    return found


def is_mapped(array: NDArray[Any]) -> bool:
    """Return whether an array lies in a file that is mapped for reading: the system guards it."""
    base: object = array
    while isinstance(base, np.ndarray):
        if isinstance(base, np.memmap):
            return base.mode == "r"
        base = base.base
    return False
