"""The SQLite file under a study: its tables, how it is opened, how its errors are reported.

Write-ahead logging with a full sync at every commit: what was committed survives the end of the
process and the loss of power. A new file is made under another name and then linked to its own,
so that no half-made study is ever seen. SQLite has no checksums, so every row that results depend
on holds a digest of itself.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ..core.atomic import whole_file, writable
from ..core.errors import InputError

LAYOUT = 4
APPLICATION = 0x6E747274  # "ntrt", in the header of every study file
DAMAGED = "is damaged or cut short, and is left as it is; name another file, or put back a copy"
PATIENCE = 60.0  # seconds to wait for another process that writes

TABLES = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL, digest TEXT NOT NULL);
CREATE TABLE arrays (name TEXT PRIMARY KEY, data BLOB NOT NULL, digest TEXT NOT NULL);
CREATE TABLE owners (owner TEXT PRIMARY KEY, machine TEXT, pid INTEGER, started TEXT, seen REAL);
CREATE TABLE units (
    model INTEGER, split INTEGER, replicate INTEGER,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'taken', 'done', 'failed')),
    owner TEXT, runs INTEGER NOT NULL DEFAULT 0, finished TEXT, seconds REAL,
    error TEXT, traceback TEXT, warnings TEXT, result BLOB, megabytes REAL,
    digest TEXT,
    PRIMARY KEY (model, split, replicate)
);
CREATE INDEX units_by_state ON units (state);
"""


def row_digest(*values: object) -> str:
    """Return a digest of the values of one row.

    Examples
    --------
    >>> row_digest("a", 1) == row_digest("a", "1")
    False
    """
    state = hashlib.blake2b(digest_size=12)
    for value in values:
        part = value if isinstance(value, bytes) else repr(value).encode()
        state.update(b"%d " % len(part))
        state.update(part)
    return state.hexdigest()


def check_row(what: str, row: Sequence[object], digest: object) -> None:
    """Refuse a row that is not as it was written."""
    if row_digest(*row) != digest:
        raise InputError(f"{what} is not as it was written (its digest differs)")


@contextlib.contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into one clear error."""
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(f"{path}: {explain(error)}") from error
    except UnicodeDecodeError as error:  # SQLite quotes what it cannot read
        raise InputError(f"{path}: {DAMAGED} [{error}]") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be used ({error.strerror or error})") from error


def explain(error: sqlite3.Error) -> str:
    """Return what an error of SQLite means for a study file and what to do."""
    text = str(error)
    cases = {
        "full": "no space is left; every unit that was finished before is kept, so free some "
        "space and run the same command again",
        "disk i/o": "writing or reading failed (full or faulty disk?); every unit that was "
        "finished before is kept, so run the same command again when the cause is removed",
        "readonly": "may be read but not written; change its permissions or work on a copy",
        "unable to open": "cannot be opened (missing folder or permission?)",
        "locked": f"another process has been writing to it for {PATIENCE:.0f} seconds; try again",
        "not a database": "is no study file, and is left as it is; name another one",
        "malformed": DAMAGED,
        "too big": "a result is larger than the 1 GB that one unit can hold",
    }
    said = next((note for key, note in cases.items() if key in text.lower()), None)
    return f"{said} [{text}]" if said else f"cannot be used as a study file ({text})"


def connect(path: Path, *, durable: bool, write: bool = True) -> sqlite3.Connection:
    """Open a connection; `durable` ones sync at every commit."""
    mode = "rw" if write else "ro"
    uri = f"{path.resolve().as_uri()}?mode={mode}"
    connection = sqlite3.connect(
        uri, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
    except BaseException:
        connection.close()
        raise
    return connection


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Run statements together or not at all."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        abandon(connection)
        raise


def abandon(connection: sqlite3.Connection) -> None:
    """Undo what is not finished.

    A signal may interrupt a program between the beginning of a transaction and what would end it.
    """
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def create(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Make a new study file with all that `fill` puts in, or none; an existing one stays."""
    try:
        with sqlite_errors(path), whole_file(path, replace=False) as draft:
            draft.touch()
            with contextlib.closing(connect(draft, durable=True)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {LAYOUT}")
                connection.executescript(TABLES)
                with transaction(connection):
                    fill(connection)
    except InputError:
        if not path.exists():  # else another process has made it meanwhile
            raise


def check(path: Path) -> None:
    """Refuse what is no sound study file of this layout; the file is not changed."""
    if path.is_dir():
        raise InputError(f"{path}: is a folder; a study file is needed")
    if not path.exists():
        raise InputError(f"{path}: there is no such study file")
    with sqlite_errors(path):
        if path.stat().st_size == 0:
            raise InputError(
                f"{path}: is empty, which no study file is; name another file, or remove it"
            )
        with contextlib.closing(reader(path)) as connection:
            number, layout = (
                connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("application_id", "user_version")
            )
            if number != APPLICATION:
                raise InputError(f"{path}: is a database of another program; name another file")
            if layout != LAYOUT:
                raise InputError(
                    expected=f"a study file of layout {LAYOUT}",
                    got=f"layout {layout}, which {'an older' if layout < LAYOUT else 'a newer'} "
                    "nettrial wrote",
                    hint="read it with that one, or run the study again in another file",
                    where=f"{path}",
                )
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise InputError(f"{path}: {DAMAGED} [{' '.join(str(found).split())}]")


def reader(path: Path) -> sqlite3.Connection:
    """Open for reading only, also where the folder does not let us write beside the file.

    The connection that is closed last removes the files ``-wal`` and ``-shm`` beside the study;
    it must be one that may write for that.
    """
    log = path.with_name(path.name + "-wal")
    if writable(path) and writable(path.resolve().parent):
        connection = connect(path, durable=False)
        connection.execute("PRAGMA query_only = 1")
        return connection
    if log.exists():
        return connect(path, durable=False, write=False)
    uri = f"{path.resolve().as_uri()}?immutable=1"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
