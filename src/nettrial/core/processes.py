"""Which machine and process this is, and whether another one still lives."""

from __future__ import annotations

import os
import platform
import signal
import threading
import time
import uuid
from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def machine() -> str:
    """Return an identifier of the machine, its boot and the namespace of process numbers."""
    parts = [platform.node()]
    try:
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text().strip())
        parts.append(os.readlink("/proc/self/ns/pid"))
    except OSError:
        parts.append(f"{uuid.getnode():x}")
    return " ".join(parts)


def start_of(pid: int) -> str | None:
    """Return the start time of a process where the system tells it, else ""; None if it is gone."""
    stat = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            return None
        return None if fields[0] in "ZX" else fields[19]
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except OSError:
        pass
    return ""


def start_tracker() -> None:
    """Start the process that clears away what workers leave, deaf to the end of the terminal.

    It ignores the other signals that are sent to a whole group of processes, but not SIGHUP; ended
    by that, it would be started anew without knowing what there is to clear away.
    """
    from joblib.externals.loky.backend import resource_tracker

    blocked = [signal.SIGHUP] if hasattr(signal, "pthread_sigmask") else []
    before = signal.pthread_sigmask(signal.SIG_BLOCK, blocked) if blocked else None
    try:
        resource_tracker.ensure_running()  # which inherits what is blocked
    finally:
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@lru_cache(maxsize=1)
def end_with_parent() -> None:
    """Let this process, if it is a worker, end soon after the one that made it was killed.

    Otherwise it would wait for minutes for work, with the files of its parent open.
    """
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is None or parent.pid is None:
        return
    pid, start = parent.pid, start_of(parent.pid)

    def watch() -> None:
        # a parent that was killed while this process began is gone already
        while start is not None and start_of(pid) == start:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
