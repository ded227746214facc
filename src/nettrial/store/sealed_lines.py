"""Rows of a study as lines of text: one JSON list a row, with its digest, in a file written whole.

Shards are such files, since SQLite's log does not work over network file systems. The rows are
those of a study file and have the same digests, so that merging copies them.
"""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.atomic import whole_file
from ..core.errors import InputError, shown
from .database import check_row

LAYOUT = 2


def write_lines(
    path: Path,
    header: Mapping[str, Any],
    rows: Iterable[Sequence[Any]],
    *,
    replace: bool = True,
) -> None:
    """Write a header and rows, each as (table, *values, digest)."""
    with whole_file(path, replace=replace) as draft, draft.open("w", encoding="ascii") as stream:
        stream.write(json.dumps({"layout": LAYOUT} | dict(header)) + "\n")
        number = 0
        for row in rows:
            stream.write(json.dumps([_text(value) for value in row]) + "\n")
            number += 1
        stream.write(json.dumps({"rows": number}) + "\n")


def read_header(path: Path, kind: str) -> dict[str, Any]:
    with _lines(path) as lines:
        return _header(path, kind, next(lines, ""))


def read_lines(path: Path, kind: str, table: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of one table, each as it was written but for the table's name."""
    with _lines(path) as lines:
        _header(path, kind, next(lines, ""))
        number, end = 0, None
        for line in lines:
            row = json.loads(line)
            if isinstance(row, dict):
                end = row.get("rows")
                break
            number += 1
            if row[0] != table:
                continue
            values = tuple(map(_value, row[1:]))
            check_row(f"row {number}", values[:-1], values[-1])
            yield values
        if end != number or next(lines, ""):
            raise ValueError("it was cut short, or lines are missing")


@contextlib.contextmanager
def _lines(path: Path) -> Iterator[Iterator[str]]:
    """Open a file for reading; what is wrong inside is one error that names it."""
    try:
        with path.open(encoding="ascii") as stream:
            yield iter(stream)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (InputError, ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        if str(error).startswith(str(path)):
            raise
        raise InputError(
            f"{path}: is damaged ({error}); put back a copy, or remove it and run its shard again"
        ) from None


def _header(path: Path, kind: str, line: str) -> dict[str, Any]:
    header = json.loads(line)
    if not isinstance(header, dict) or header.get("nettrial") != kind:
        raise InputError(f"{path}: is no {kind} of nettrial")
    if header.get("layout") != LAYOUT:
        raise InputError(
            expected=f"layout {LAYOUT}",
            got=f"{shown(header.get('layout'))}, which another version of nettrial wrote",
            hint="read it with that one",
            where=f"{path}",
        )
    return header


def _text(value: Any) -> Any:
    return {"bytes": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        return base64.b64decode(value["bytes"], validate=True)
    return value
