"""``network.toml``: how a network is read, written down, with the reasons beside each line.

The keys are the options of `read`, and ``links`` for the file itself. Paths are relative to the
description.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import shown, unknown_choice
from .guards import fail, is_there, read_text

NAME = "network.toml"
TEXT, FLAG, TEXTS = "text", "true or false", "text, or a list of texts"
KEYS: Mapping[str, str] = {
    "links": TEXT,
    "nodes": TEXTS,
    "label": TEXT,
    "target": TEXT,
    "directed": FLAG,
    "format": TEXT,
    "columns": "a table of text",
    "header": FLAG,
    "missing": "a code, a list of codes, or a table of them by column",
    "drop_dangling": FLAG,
    "two_modes": FLAG,
    "features": TEXTS,
    "missing_weight": "drop or 1",
}
PATHS = ("links", "nodes")


def with_description(path: Path, **options: Any) -> tuple[Path, dict[str, Any]]:
    """Return the path of the links and all options: those of a description, then those given."""
    file = path / NAME if path.is_dir() else path
    if file.name != NAME or not is_there(file):
        return path, options
    stated = read_description(file)
    links = stated.pop("links", None)
    given = {
        key: value for key, value in options.items() if value is not None and value is not False
    }
    for one, other in (("label", "target"), ("target", "label")):
        if one in given:
            stated.pop(other, None)
    if "columns" in given:
        given["columns"] = {**stated.get("columns", {}), **given["columns"]}
    place = Path(links) if links is not None else file.parent
    if links is None and path == file:
        fail(file, 'names no links; add a line such as links = "edges.csv"')
    return place, options | stated | given


def read_description(path: Path) -> dict[str, Any]:
    """Read a description and check its keys; paths in it are taken from its folder.

    Raises
    ------
    InputError
        Where it is no TOML, or has other keys or values than `read`.
    """
    try:
        values = tomllib.loads(read_text(path).decode())
    except tomllib.TOMLDecodeError as error:
        fail(path, f"is no TOML ({error})")
    for key, value in values.items():
        if key not in KEYS:
            raise unknown_choice(f"{path}: key", key, KEYS)
        if not fits(value, KEYS[key]):
            fail(path, f"the key {key!r}: expected {KEYS[key]}, got {shown(value)}")
    for key in PATHS:
        if key in values:
            values[key] = from_folder(values[key], path.parent)
    return values


def fits(value: Any, form: str) -> bool:
    """Return whether a value of a description has the form of its key."""
    if form == FLAG:
        return isinstance(value, bool)
    if form == TEXT:
        return isinstance(value, str)
    if form == TEXTS:
        return isinstance(value, str) or all(isinstance(item, str) for item in _items(value))
    if form == KEYS["columns"]:
        return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())
    if form == KEYS["missing_weight"]:
        return value in ("drop", "1", 1)
    plain = (str, int, float)
    return all(isinstance(item, plain) for item in _items(value))


def _items(value: Any) -> Iterator[Any]:
    """Yield the plain values of lists and tables of them."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _items(item)
    else:
        yield value


def from_folder(value: str | Sequence[str], folder: Path) -> Any:
    if isinstance(value, str):
        return str(folder / value)
    return [str(folder / item) for item in value]
