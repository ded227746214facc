"""Keep what a model does to its process away from its rival and from the program.

While a model works, the global random states of Python, NumPy and PyTorch are seeded for it alone,
and what it prints goes to standard error. After each fit the process gets its settings back
(`settings`). Models in threads of one process take turns. All else that a model may do to its
process is kept from the program by worker processes alone.
"""

from __future__ import annotations

import contextlib
import random
import signal
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import thread as futures
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.errors import NettrialWarning, warn_user
from ..network.network import Network
from .settings import COMPUTING, PROCESS, current_settings, put_back

T = TypeVar("T")
ENDING = ("SIGINT", "SIGTERM", "SIGHUP")  # signals by which people and schedulers end a program

TURN = threading.RLock()  # of the thread whose model works
_left_behind: WeakKeyDictionary[threading.Thread, str] = WeakKeyDictionary()


class Isolation:
    """The work of one model, piece by piece; made by `isolated`.

    Attributes
    ----------
    interrupts : list of BaseException
        What signals that end the program raised meanwhile, whatever the model made of it.
    drew : bool
        Whether the last piece of work drew from the global random states; where it was asked.
    """

    def __init__(self, interrupts: list[BaseException]) -> None:
        self.interrupts, self.drew = interrupts, False
        self._before = current_settings()

    def run(self, seed: int, work: Callable[[], T], *, watch: bool = False) -> T:
        """Do a piece of work with the random states seeded for it, and put the settings back.

        Work that was the first to import PyTorch, and drew from its state, is done again, because
        that state could not be seeded before.

        Parameters
        ----------
        watch : bool
            Whether to find out if it `drew`.
        """
        had_torch = _loaded_torch() is not None
        seed_all(seed)
        marks = _random_marks() if watch else None
        try:
            found = work()
        finally:
            put_back(self._before)
        if not had_torch and _loaded_torch() is not None and _torch_drew():
            return self.run(seed, work, watch=watch)
        self.drew = watch and _random_marks() != marks
        return found


@contextmanager
def isolated(name: str) -> Iterator[Isolation]:
    """Keep random states and standard output for the program while a model works.

    Parameters
    ----------
    name : str
        The model's, under which `left_behind` knows its threads.

    Examples
    --------
    >>> with isolated("m") as work:
    ...     one, two = (work.run(7, random.random) for _ in range(2))
    >>> one == two
    True
    """
    with TURN, contextlib.ExitStack() as kept:
        kept.enter_context(contextlib.redirect_stdout(sys.stderr))
        kept.callback(_put_random_states, _random_states())
        kept.callback(_note_threads, name, set(threading.enumerate()))
        yield Isolation(kept.enter_context(noted_interrupts()))


def _random_states() -> list[Any]:
    torch = _loaded_torch()
    return [
        random.getstate(),
        np.random.get_state(),  # noqa: NPY002 - the one that models share
        *([] if torch is None else [torch.get_rng_state()]),
    ]


def _put_random_states(states: list[Any]) -> None:
    random.setstate(states[0])
    np.random.set_state(states[1])  # noqa: NPY002
    if len(states) > 2:
        _loaded_torch().set_rng_state(states[2])


def _random_marks() -> tuple[Any, ...]:
    """Return the random states in a form that can be compared."""
    python, numpy, *torch = _random_states()
    return python, numpy[1].tobytes(), numpy[2:], *(state.tolist() for state in torch)


def seed_all(seed: int) -> None:
    """Seed the global random states of Python, NumPy and, where it is imported, PyTorch.

    Examples
    --------
    >>> seed_all(7)
    """
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002
    torch = _loaded_torch()
    if torch is not None:
        # PyTorch's own function notes for devices who called it, which takes half a millisecond
        (torch.manual_seed if _has_devices(torch) else torch.default_generator.manual_seed)(seed)


def _loaded_torch() -> Any:
    """Return PyTorch where it is imported, and not only half so, in another thread; else None."""
    torch = sys.modules.get("torch")
    return torch if hasattr(torch, "set_rng_state") else None


@cache
def _has_devices(torch: Any) -> bool:
    kinds = [getattr(torch, kind) for kind in ("cuda", "mps", "xpu") if hasattr(torch, kind)]
    # older versions cannot count devices of every kind
    return any(getattr(kind, "device_count", lambda: 1)() for kind in kinds)


def _torch_drew() -> bool:
    """Return whether PyTorch's state has moved since it was last seeded, or imported."""
    torch = _loaded_torch()
    start = torch.Generator().manual_seed(torch.initial_seed()).get_state()
    return bool((torch.get_rng_state() != start).any())


def _note_threads(name: str, before: set[threading.Thread]) -> None:
    """Note threads that a model leaves behind, for which the program would wait in the end."""
    for thread in set(threading.enumerate()) - before:
        # those of pools end when the program does
        library = type(thread).__module__.partition(".")[0]
        pooled = library in ("concurrent", "joblib") or thread in futures._threads_queues
        if not (thread.daemon or pooled):
            _left_behind[thread] = name


def left_behind() -> list[str]:
    """Return the names of the models whose threads still run.

    Examples
    --------
    >>> left_behind()
    []
    """
    return sorted({name for thread, name in _left_behind.items() if thread.is_alive()})


@contextmanager
def noted_interrupts() -> Iterator[list[BaseException]]:
    """Collect what the signals that end a program raise meanwhile; they interrupt as ever.

    A model that ends its training early on Ctrl-C has not done its work, and one that raises
    `KeyboardInterrupt` by itself has failed. Only the main thread receives signals.

    Examples
    --------
    >>> with noted_interrupts() as noted:
    ...     pass
    >>> noted
    []
    """
    noted: list[BaseException] = []
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        numbers = [getattr(signal, name) for name in ENDING if hasattr(signal, name)]
        before = {n: handler for n in numbers if callable(handler := signal.getsignal(n))}

    def note(number: int, frame: FrameType | None) -> None:
        try:
            before[number](number, frame)
        except BaseException as error:
            noted.append(error)
            raise

    for number in before:
        signal.signal(number, note)
    try:
        yield noted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def import_isolated(what: str, work: Callable[[], T]) -> T:
    """Import a user's module, or make a model: the same in every run.

    Random states are seeded. The settings that a module makes are put back, with a warning where
    they would change what models compute; its paths, variables and current folder stay.

    Examples
    --------
    >>> draw = lambda: import_isolated("m", random.random)
    >>> draw() == draw()
    True
    """
    before = current_settings()
    try:
        with isolated(what):
            seed_all(0)
            return work()
    finally:
        put_back(before, PROCESS)
        for name in put_back(before, COMPUTING):
            warn_user(
                NettrialWarning(
                    f"{what}: {name} is set on import, which would hold for all models, so "
                    "nettrial puts it back; set it in fit, where it holds for this model alone"
                )
            )


def checksum(network: Network) -> int:
    """Return a checksum of the arrays that all models are handed, but of those mapped from files.

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
        parts = [features]
    found = 0
    for array in (*network.links, network.ids, *network.attributes.values(), *parts):
        if array is not None and not array.dtype.hasobject and not _is_mapped(array):
            found = zlib.crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data, found)
    return found


def _is_mapped(array: NDArray[Any]) -> bool:
    """Return whether an array lies in a file that is mapped for reading: the system guards it."""
    base: object = array
    while isinstance(base, np.ndarray):
        if isinstance(base, np.memmap):
            return base.mode == "r"
        base = base.base
    return False
