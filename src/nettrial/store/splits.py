"""Splits in a study file: of nodes as sets of nodes, of links as links and pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..splits.base import Split
from ..splits.link_designs import LinkSplit
from .blobs import pack, pack_indices, unpack, unpack_indices
from .describe import digest

AnySplit: TypeAlias = Split | LinkSplit
OF_NODES, OF_LINKS = "nodes", "links"  # of what splits are described as divisions


def describe_splits(splits: Sequence[AnySplit]) -> dict[str, Any]:
    """Describe splits by their number and a digest, under the name of what they divide."""
    links = bool(splits) and isinstance(splits[0], LinkSplit)
    names = ("train", "test", "is_link") if links else ("train", "inference", "test")
    parts = (np.asarray(getattr(split, name), int) for split in splits for name in names)
    return {"number": len(splits), OF_LINKS if links else OF_NODES: digest(*parts)}


def pack_split(split: AnySplit, number: int) -> Iterator[tuple[str, bytes]]:
    """Yield the arrays of a split, each with its name in the file."""
    parts: dict[str, bytes] = {"train": pack_indices(split.train)}
    if isinstance(split, LinkSplit):
        # numbers of pairs are up to the square of that of nodes, too large for a mask
        parts["pairs"] = pack(split.test)
        parts["hidden"] = pack_indices(np.flatnonzero(split.is_link))
    else:
        parts |= {name: pack_indices(getattr(split, name)) for name in ("inference", "test")}
    for name, data in parts.items():
        yield f"{name} {number}", data


def unpack_split(
    number: int,
    of_links: bool,
    read: Callable[[str, Callable[[bytes], NDArray[Any]]], NDArray[Any]],
) -> AnySplit:
    """Return a split from its arrays; `read` finds one by name and expands it."""
    if not of_links:
        return Split(
            *(read(f"{part} {number}", unpack_indices) for part in ("train", "inference", "test"))
        )
    test = read(f"pairs {number}", unpack).astype(np.int64)
    hidden = read(f"hidden {number}", unpack_indices)
    if hidden.size and not 0 <= hidden.min() <= hidden.max() < test.size:
        raise ValueError(f"split {number} hides links that it does not test")
    is_link = np.zeros(test.size, dtype=bool)
    is_link[hidden] = True
    return LinkSplit(read(f"train {number}", unpack_indices), test, is_link)
