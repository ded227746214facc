"""Study files that are changed behind the back of nettrial."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


@contextmanager
def changing(file: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection, of which what was done is kept, and which is closed in the end."""
    with closing(sqlite3.connect(file)) as connection, connection:
        yield connection
