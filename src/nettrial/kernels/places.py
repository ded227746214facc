"""The folders that hold compiled code: beside the package, in the user's cache, or a temporary one.

Code is read from all of them, so that an image can be made with `nettrial warm` and run by a user
who cannot write there, and written to the first that can be written. ``NUMBA_CACHE_DIR`` replaces
them by one folder.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import stat
import sys
import tempfile
from functools import cache
from pathlib import Path

TOLD = "_NETTRIAL_TOLD_WHERE"  # in the environment of this process's workers
_state: dict[str, Path | None] = {}  # "folder": the one that was written to; None: nowhere


def _user_cache() -> Path | None:
    """Return the user's cache folder, None where there is no home."""
    chosen = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    if chosen and Path(chosen).is_absolute():
        return Path(chosen) / "nettrial"
    try:
        return Path.home() / ".cache" / "nettrial"
    except RuntimeError:  # a user without an entry in the list of users
        return None


@cache
def _temporary() -> Path | None:
    """Return a folder in the temporary one, None where there is none that can be written."""
    try:
        return Path(tempfile.gettempdir()) / f"nettrial-{getattr(os, 'getuid', int)()}"
    except OSError:
        return None


@cache
def candidates() -> tuple[Path, ...]:
    """Return the folders in the order in which they are tried."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return (Path(given) / "nettrial",)
    places = [Path(__file__).parent / "__pycache__", _user_cache(), _temporary()]
    return tuple(place for place in places if place is not None)


def _trusted(place: Path) -> bool:
    """Return whether code may be read from a folder, which is run as it is found.

    Whoever can write to the package, to the home folder or to a folder that was named can run
    programs as this user anyway; but anybody can make a folder in the temporary one.
    """
    if place != _temporary() or not hasattr(os, "getuid"):
        return True
    try:
        found = place.lstat()
    except OSError:
        return False
    private = found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(found.st_mode) and private


def temporary() -> Path | None:
    """Return a temporary folder of the user's own that outlives the process, None without any."""
    place = _temporary()
    with contextlib.suppress(OSError):
        if place is not None:
            place.mkdir(mode=0o700, exist_ok=True)
            return place if _trusted(place) else None
    return None


def folder() -> Path | None:
    """Return the folder that code was written to, else the first one that there is."""
    if "folder" in _state:
        return _state["folder"]
    return next((place for place in candidates() if place.is_dir()), None)


def read(name: str) -> bytes | None:
    """Read a file from the first folder that has it."""
    for place in candidates():
        if _trusted(place):
            with contextlib.suppress(OSError):
                return (place / name).read_bytes()
    return None


def write(name: str, content: bytes) -> None:
    """Write a file whole, or not at all, to the first folder that takes it.

    Processes that write the same file at once each replace it by the same content.
    """
    if _state.get("folder", name) is None:
        return
    for place in candidates():
        try:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _trusted(place):
                continue
            handle, draft = tempfile.mkstemp(dir=place, prefix=name, suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                os.chmod(draft, 0o644)
                os.replace(draft, place / name)
            except BaseException:
                os.unlink(draft)
                raise
        except OSError:
            continue
        _note(place)
        return
    _note(None)


def _note(place: Path | None) -> None:
    """Remember where code goes, and say once where that is not the usual place."""
    if "folder" in _state and _state["folder"] == place:
        return
    _state["folder"] = place
    worker = multiprocessing.current_process().name.rpartition("-")[2]
    if TOLD in os.environ or (multiprocessing.parent_process() is not None and worker != "1"):
        return  # by the process that started this one, or the first of those
    os.environ[TOLD] = "1"
    if place is None:
        sys.stderr.write(
            "nettrial: compiled code cannot be kept: no folder can be written, neither the "
            "package's nor the home folder nor the temporary one, so that every process compiles "
            "it anew; set NUMBA_CACHE_DIR to one that can\n"
        )
    elif place == _temporary():
        sys.stderr.write(
            f"nettrial: neither the package's folder nor the home folder can be written; compiled "
            f"code is kept in {place}\n"
        )
