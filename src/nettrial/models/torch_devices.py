"""Where PyTorch runs: devices by name, one fit at a time on each card, seeds, memory."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from ..core.errors import InputError, shown

PAUSE = 0.05  # seconds between looks at whether a card is free


def device_named(torch: Any, name: str, who: str) -> Any:
    """Return the device of a name that is there; "auto" is the first of cuda, mps and cpu."""
    mps = getattr(torch.backends, "mps", None)
    there = {"cuda": torch.cuda.is_available(), "mps": mps is not None and mps.is_available()}
    able = [*(kind for kind, found in there.items() if found), "cpu"]
    try:
        device = torch.device(able[0] if name == "auto" else name)
        missing = not there.get(device.type, True) or (
            device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count()
        )
    except RuntimeError:  # of a name that it does not know
        missing = True
    if missing:
        raise InputError(
            parameter="device",
            expected=f"auto or one that is there ({', '.join(able)})",
            got=shown(name),
            where=who,
        )
    return device


def cards(torch: Any, device: Any) -> list[str]:
    """Return the graphics cards that a device stands for, of "cuda" all; none of a CPU."""
    if device.type == "cuda" and device.index is None:
        return [f"cuda:{number}" for number in range(torch.cuda.device_count())]
    return [] if device.type == "cpu" else [str(device)]


@contextmanager
def free_device(torch: Any, device: Any) -> Iterator[Any]:
    """Yield a device; of graphics cards the first that no other fit uses, for this one alone."""
    names = cards(torch, device)
    if not names:
        yield device
        return
    with first_free(names) as name:
        yield torch.device(name)


@contextmanager
def first_free(names: Sequence[str]) -> Iterator[str]:
    """Yield the first name that no process or thread of this user holds; wait until one is free.

    A process that ends in any way gives back what it holds. Where the system has no such locks
    (Windows) the first name is given at once.

    Examples
    --------
    >>> with first_free(["one", "other"]) as mine, first_free(["one", "other"]) as next_one:
    ...     print(mine, next_one)
    one other
    """
    try:
        import fcntl
    except ImportError:
        yield names[0]
        return
    user = os.getuid() if hasattr(os, "getuid") else ""
    folder = Path(tempfile.gettempdir())
    files = [folder / f"nettrial-{user}-{re.sub('[^A-Za-z0-9]', '-', name)}.lock" for name in names]
    while True:
        for name, path in zip(names, files):
            handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(handle)
                continue
            try:
                yield name
            finally:
                os.close(handle)
            return
        time.sleep(PAUSE)


@contextmanager
def own_random_state(torch: Any, seed: int, device: Any = None) -> Iterator[None]:
    """Seed PyTorch for a while and use one thread, whose sums are always in the same order.

    Memory of graphics cards that is not in use any more is given back in the end.
    """
    threads = torch.get_num_threads()
    kind = "cpu" if device is None else device.type
    places = [] if kind == "cpu" else [device.index or 0]
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(places, device_type="cuda" if kind == "cpu" else kind):
            torch.manual_seed(seed)
            yield
    finally:
        give_memory_back(torch, kind)
        torch.set_num_threads(threads)


def give_memory_back(torch: Any, kind: str = "cpu") -> None:
    """Give memory of graphics cards back that PyTorch keeps for later, so that others have it."""
    if torch.cuda.is_initialized():  # also where a function chose the card by itself
        torch.cuda.empty_cache()
    if kind == "mps":
        torch.mps.empty_cache()


def precision(torch: Any, module: Any, mixed: bool) -> AbstractContextManager[Any]:
    """Return what runs a module in bfloat16 where that is safe; nothing unless asked for."""
    weights = next(iter(module.parameters()), None)
    if not mixed or weights is None:
        return nullcontext()
    found: AbstractContextManager[Any] = torch.autocast(weights.device.type, torch.bfloat16)
    return found
