"""Tables as JSON: a list of objects, or one object per line, as pandas and databases write them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import shown
from .attributes import attribute_names
from .columns import INTEGER
from .guards import as_utf8, fail, note, read_bytes
from .jsongraph import PAIR, is_lines, parse
from .tables import Table

MAPPING = re.compile(rb"\s*\{\s*" + PAIR + rb"\s*,\s*" + PAIR)


def is_mapping(head: bytes) -> bool:
    """Return whether text begins as one object of plain values, as of labels by node.

    Examples
    --------
    >>> is_mapping(b'{"ann": "a", "bob": "b"}'), is_mapping(b'{"nodes": [1], "links": []}')
    (True, False)
    """
    return MAPPING.match(head.removeprefix(b"\xef\xbb\xbf")) is not None


def read_mapping(path: Path) -> Table:
    """Read an object as a table of nodes: each key is an id, its value the label."""
    value = parse(path, as_utf8(path, read_bytes(path)).removeprefix(b"\xef\xbb\xbf"))
    if any(isinstance(label, (list, dict)) for label in value.values()):
        fail(path, "expected one label for each node, got lists or objects")
    ids = list(value)
    whole = all(map(INTEGER.fullmatch, ids))
    columns = (column([int(name) for name in ids] if whole else ids), column([*value.values()]))
    return Table(path, ("id", "label"), columns, True, "", 0, lines=False)


def labels_of(text: bytes) -> list[tuple[str, str]]:
    """Return the ids and labels of an object of plain values; nothing where it is none."""
    try:
        value = json.loads(text)
    except ValueError:
        return []
    if not isinstance(value, dict) or any(isinstance(v, (list, dict)) for v in value.values()):
        return []
    return [(key, str(label)) for key, label in value.items()]


def read_records(path: Path) -> Table:
    """Read the objects as rows, empty where they lack a key; lists and objects are left out."""
    data = as_utf8(path, read_bytes(path)).removeprefix(b"\xef\xbb\xbf")
    if is_lines(data[: 2**16]):
        data = b"[" + b",\n".join(line for line in data.split(b"\n") if line.strip()) + b"]"
    rows = parse(path, data)
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            fail(path, f"record {number}: expected an object, got {shown(str(row))}")
    names = attribute_names(path, rows)
    nested = {key for row in rows for key, value in row.items() if isinstance(value, (list, dict))}
    for key in sorted(nested):
        note(f"{path.name}: {key!r} holds lists or objects and is not used")
    kept = [name for name in names if name not in nested]
    if not kept:
        fail(path, "holds no records of plain values")
    columns = tuple(column([row.get(name) for row in rows]) for name in kept)
    return Table(path, tuple(kept), columns, True, "", 0, lines=False)


def column(values: list[Any]) -> Any:
    """Return integers where all values are, else text, empty where there is none."""
    texts = ["" if value is None or value != value else str(value) for value in values]
    whole = all(type(value) is int for value in values) and all(map(INTEGER.fullmatch, texts))
    return np.array(values, dtype=np.int64) if whole else np.array(texts, dtype=object)
