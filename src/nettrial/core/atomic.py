"""Write files and folders whole or not at all: every output of nettrial goes through here.

What is written goes into a hidden folder beside its place first, and is renamed when it is
complete and on the disk. What a process that was killed left there is removed by the next one.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import InputError, shown
from .processes import machine, start_of

DRAFT = re.compile(r"\.nettrial-(?P<machine>[0-9a-f]{8})-(?P<pid>\d+)-(?P<start>\d*)-\w+")
LONGEST = 86400.0  # seconds after which what another machine began to write is given up


@contextmanager
def whole_file(path: str | os.PathLike[str], *, replace: bool = True) -> Iterator[Path]:
    """Yield the path of a draft, which takes its place when all went well, and else is removed.

    Parameters
    ----------
    path : path
        Where the file will be; links are followed, and a file that is replaced hands on its
        permissions.
    replace : bool
        Whether a file that is there already is replaced.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder, "a.txt")) as draft:
    ...         _ = draft.write_text("all of it")
    ...     Path(folder, "a.txt").read_text()
    'all of it'
    """
    with _note(path):
        target = check_place(path, replace=replace)
        with own_folder(target.parent) as folder:
            draft = folder / target.name
            yield draft
            if replace and target.exists():
                shutil.copymode(target, draft)
            _sync(draft)
            _put(draft, target, replace=replace)


@contextmanager
def whole_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a new folder, which takes its place when all went well, and else is removed."""
    with _note(path):
        target = check_place(path, replace=False)
        with own_folder(target.parent) as folder:
            draft = folder / target.name
            draft.mkdir()
            yield draft
            for file in sorted(draft.rglob("*")):
                _sync(file)
            _put(draft, target, replace=False)


def check_place(path: str | os.PathLike[str], *, replace: bool = True) -> Path:
    """Return where a path leads; refuse it where nothing can be written.

    Examples
    --------
    >>> check_place("no/such/folder/a.csv")
    Traceback (most recent call last):
    nettrial.InputError: no/such/folder/a.csv: there is no such folder; create it first
    """
    with _note(path):
        try:
            target = Path(path).resolve()
        except (ValueError, RuntimeError) as error:  # a NUL in it; links that lead in a circle
            raise InputError(f"{shown(os.fspath(path))}: is no path ({error})") from error
        if not target.parent.is_dir():
            raise InputError(f"{path}: there is no such folder; create it first")
        try:
            mode = target.stat().st_mode
        except FileNotFoundError:
            return target
        if not replace:
            raise InputError(f"{path}: exists already; nothing is overwritten, name another")
        if not stat.S_ISREG(mode):
            raise InputError(f"{path}: is not an ordinary file; name one")
        if not writable(target):
            raise InputError(f"{path}: is protected; name another, or make it writable")
    return target


def writable(path: Path) -> bool:
    """Return whether this process may write a file, or into a folder."""
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


@contextmanager
def own_folder(parent: Path) -> Iterator[Path]:
    """Yield a new folder in `parent` that is removed in the end; remove abandoned ones first."""
    _sweep(parent)
    folder = Path(tempfile.mkdtemp(prefix=f".nettrial-{_mark(os.getpid())}-", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _mark(pid: int) -> str:
    place = hashlib.blake2b(machine().encode(), digest_size=4).hexdigest()
    return f"{place}-{pid}-{start_of(pid) or ''}"


def _sweep(parent: Path) -> None:
    """Remove what processes that are gone have left half written."""
    here = _mark(os.getpid()).partition("-")[0]
    with suppress(OSError):
        for found in list(os.scandir(parent)):
            match = DRAFT.fullmatch(found.name)
            if match is None or not found.is_dir(follow_symlinks=False):
                continue
            if match["machine"] == here:
                gone = start_of(int(match["pid"])) != match["start"]
            else:
                gone = time.time() - found.stat(follow_symlinks=False).st_mtime > LONGEST
            if gone:
                shutil.rmtree(found.path, ignore_errors=True)


@contextmanager
def _note(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn what the system says into one clear error."""
    try:
        yield
    except OSError as error:
        why = error.strerror or error  # an array that is cut off says it in words alone
        raise InputError(f"{os.fspath(path)}: cannot be written ({why})") from error


def _sync(path: Path) -> None:
    """Make a file or the names in a folder survive the loss of power, where the system can."""
    if path.is_dir() and os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _put(draft: Path, target: Path, *, replace: bool) -> None:
    if replace:
        os.replace(draft, target)
    elif draft.is_dir():
        draft.rename(target)  # fails where another one has made it meanwhile
    else:
        try:
            os.link(draft, target)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            draft.rename(target)
    _sync(target.parent)
