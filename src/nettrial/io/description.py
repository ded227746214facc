"""``network.toml``: how a network is read, written down, with the reasons beside each line.

The keys are the options of `read`, and ``links`` for the file itself. Paths are relative to the
description.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..core.arguments import checked_argument
from ..core.errors import unknown_choice
from .guards import fail, is_there, read_text
from .members import split_member
from .options import ReadOptions, declared, kinds

NAME = "network.toml"
PATHS = ("links", "nodes")
KEYS = ("links", *declared())


def with_description(path: Path, given: ReadOptions) -> tuple[Path, ReadOptions]:
    """Return the path of the links and all options: those of a description, then those given."""
    file = path / NAME if path.is_dir() else path
    if file.name != NAME or not is_there(file):
        return path, given
    stated = read_description(file)
    links = stated.pop("links", None)
    asked = given.given()
    for one, other in (("label", "target"), ("target", "label")):
        if one in asked:
            stated.pop(other, None)
    if "columns" in asked:
        asked["columns"] = {**stated.get("columns", {}), **asked["columns"]}
    place = Path(links) if links is not None else file.parent
    if links is None and path == file:
        fail(file, 'names no links; add a line such as links = "edges.csv"')
    if links is not None and not split_member(place)[0].exists():
        fail(file, f"names the links {links}, and there is no such file; correct the line")
    return place, replace(given, **(stated | asked))


def read_description(path: Path) -> dict[str, Any]:
    """Read a description and check its keys; paths in it are taken from its folder."""
    try:
        values = tomllib.loads(read_text(path).decode())
    except tomllib.TOMLDecodeError as error:
        fail(path, f"is no TOML ({error})")
    for key, value in values.items():
        if key not in KEYS:
            raise unknown_choice(f"{path}: key", key, KEYS)
        checked_argument(f"{path}: key", key, value, kinds().get(key, str))
    for key in PATHS:
        if key in values:
            values[key] = from_folder(values[key], path.parent)
    return values


def from_folder(value: str | Sequence[str], folder: Path) -> Any:
    if isinstance(value, str):
        return str(folder / value)
    return [str(folder / item) for item in value]
