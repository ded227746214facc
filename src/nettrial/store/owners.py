"""Which processes work on a study, and whether they still live.

A process of the same machine lives as long as its number and start say so, so that the units of
a killed one are free at once. Of others (containers that share a file) it is known by the time at
which they were last heard of: a lease of a minute.
"""

from __future__ import annotations

import os
import sqlite3
import time
import uuid

from ..core.processes import machine, start_of

LEASE = 60.0  # seconds without a sign of life after which the units of a process are free
BEAT = 10.0  # seconds between signs of life

_open: set[str] = set()  # owners of this process


def enter(connection: sqlite3.Connection) -> str:
    """Add this process to the owners; call within a transaction."""
    owner, pid = uuid.uuid4().hex, os.getpid()
    connection.execute(
        "INSERT INTO owners VALUES (?, ?, ?, ?, ?)",
        (owner, machine(), pid, start_of(pid), time.time()),
    )
    _open.add(owner)
    return owner


def leave(connection: sqlite3.Connection, owner: str) -> None:
    """Remove an owner; call within a transaction."""
    _open.discard(owner)
    connection.execute("DELETE FROM owners WHERE owner = ?", (owner,))


def free_orphans(connection: sqlite3.Connection) -> int:
    """Open the units whose owner is gone; call within a transaction. Return their number."""
    freed = 0
    for owner, where, pid, started, seen in connection.execute("SELECT * FROM owners").fetchall():
        if not lives(owner, where, pid, started, seen):
            freed += connection.execute(
                "UPDATE units SET state = 'open', owner = NULL WHERE state = 'taken' AND owner = ?",
                (owner,),
            ).rowcount
            connection.execute("DELETE FROM owners WHERE owner = ?", (owner,))
    return freed


def lives(owner: str, where: str, pid: int, started: str, seen: float) -> bool:
    """Return whether an owner is still at work."""
    if where != machine() or os.name != "posix":
        return time.time() - seen < LEASE
    if pid == os.getpid() and start_of(pid) == started:
        return owner in _open
    return start_of(pid) == started
