"""Splits to and from files, for models that are trained elsewhere, in any language."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, unknown_choice
from ..io.archive import Archive
from ..io.guards import check_range, fail, read_head, read_text
from ..io.own_npz import packed, unpack_values
from ..io.tables import read_table
from ..network import Network
from .base import Split

SETS = ("train", "inference", "test")


def write_splits(
    network: Network, splits: Sequence[Split], path: str | PathLike[str], *,
    format: str | None = None,
) -> None:  # fmt: skip
    """Write the sets of each split to a file.

    Parameters
    ----------
    network : Network
    splits : sequence of Split
    path : path
    format : {"npz", "masks", "csv", "ogb"}, optional
        By default what the ending says: .npz is "npz", .csv or .csv.gz "csv", .json "ogb".

        - "npz": index arrays ``train_0``, ``inference_0``, ``test_0``, ``train_1``, ... and
          ``ids``, which says what node an index means.
        - "masks": an .npz with ``train_mask``, ``inference_mask`` and ``test_mask``, bool, shape
          (n_nodes, n_splits), as PyTorch Geometric's data sets with several splits have them.
        - "csv": columns split, node (its id) and set, one row for each node of each split; the
          set of a node to be inferred but not tested is "inference".
        - "ogb": JSON with ``ids`` and ``splits``, a list of dicts of index lists ``train``,
          ``inference`` and ``test``, as ``get_idx_split`` of the Open Graph Benchmark gives
          one. There is no ``valid``: take it from ``train``, never from ``test``.

    Raises
    ------
    InputError
        Where the format is not known, or the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from nettrial.splits import RandomResampling
    >>> net = Network([0, 1], [1, 2], n_nodes=3, labels=["a", "b", "a"], ids=["x", "y", "z"])
    >>> splits = RandomResampling(n_splits=2, labeled=0.5).split_network(net)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_splits(net, splits, f"{folder}/splits.json")
    ...     again = read_splits(f"{folder}/splits.json", net)
    >>> all((a.test == b.test).all() for a, b in zip(splits, again))
    True
    """
    place = Path(path)
    chosen = _format_of(place) if format is None else format
    if chosen not in WRITERS:
        raise unknown_choice("format", chosen, WRITERS)
    try:
        WRITERS[chosen](network, splits, place)
    except OSError as error:
        fail(place, f"cannot be written ({error.strerror})")


def read_splits(path: str | PathLike[str], network: Network) -> list[Split]:
    """Read splits of a network from a file that `write_splits` or another program made.

    Parameters
    ----------
    path : path
        In any form of `write_splits`, recognised by its content; only the training and test
        sets are read, since all nodes outside the training set are inferred.
    network : Network
        The network that the splits are of; its nodes may be in another order than in the file.

    Raises
    ------
    InputError
        Where the file is damaged, names other nodes than the network, has a node in training
        and test set of one split, or tests a node without label.
    """
    place = Path(path)
    if not place.is_file():
        fail(place, "there is no such file")
    head = read_head(place, 64).lstrip()
    if head.startswith(b"PK"):
        pairs = _read_npz(place, network)
    elif head.startswith(b"{"):
        pairs = _read_json(place, network)
    else:
        pairs = _read_csv(place, network)
    if not pairs:
        fail(place, "holds no splits")
    return [_checked(place, network, number, *pair) for number, pair in enumerate(pairs)]


def _format_of(path: Path) -> str:
    name = path.name.lower().removesuffix(".gz")
    endings = {".npz": "npz", ".csv": "csv", ".json": "ogb"}
    for ending, format in endings.items():
        if name.endswith(ending):
            return format
    raise InputError(
        f"{path}: the ending says no format, allowed are {', '.join(endings)}; or name the "
        f"format, one of {', '.join(WRITERS)}"
    )


def _write_npz(network: Network, splits: Sequence[Split], path: Path) -> None:
    arrays = {"ids": packed(network.ids.tolist(), "ids")}
    for number, split in enumerate(splits):
        arrays |= {f"{part}_{number}": getattr(split, part) for part in SETS}
    with path.open("wb") as stream:
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type] # no array is allow_pickle


def _write_masks(network: Network, splits: Sequence[Split], path: Path) -> None:
    arrays = {"ids": packed(network.ids.tolist(), "ids")}
    for part in SETS:
        mask = np.zeros((network.n_nodes, len(splits)), dtype=bool)
        for number, split in enumerate(splits):
            mask[getattr(split, part), number] = True
        arrays[f"{part}_mask"] = mask
    with path.open("wb") as stream:
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type] # no array is allow_pickle


def _write_csv(network: Network, splits: Sequence[Split], path: Path) -> None:
    import pandas as pd

    frames = []
    for number, split in enumerate(splits):
        words = np.full(network.n_nodes, "", dtype=object)
        for part in SETS:
            words[getattr(split, part)] = part
        frame = pd.DataFrame({"split": number, "node": network.ids, "set": words})
        frames.append(frame[words != ""])
    pd.concat(frames).to_csv(path, index=False)


def _write_json(network: Network, splits: Sequence[Split], path: Path) -> None:
    found = {
        "ids": [i if isinstance(i, (int, str)) else str(i) for i in network.ids.tolist()],
        "splits": [{part: getattr(split, part).tolist() for part in SETS} for split in splits],
    }
    path.write_text(json.dumps(found), encoding="utf-8")


WRITERS: dict[str, Callable[[Network, Sequence[Split], Path], None]] = {
    "npz": _write_npz,
    "masks": _write_masks,
    "csv": _write_csv,
    "ogb": _write_json,
}
Pair = tuple[NDArray[np.intp], NDArray[np.intp]]


def places_of(path: Path, network: Network, ids: Any) -> NDArray[np.intp]:
    """Give the index in the network of each node id; ids are the same if their text is.

    Raises
    ------
    InputError
        Where the network does not hold one, or two of its ids have the same text.
    """
    import pandas as pd

    known = pd.Index([str(i) for i in network.ids.tolist()])
    if not known.is_unique:
        fail(path, "cannot be matched: two node ids of the network look the same as text")
    codes, names = pd.factorize(np.asarray(ids))
    places = known.get_indexer(pd.Index([str(name) for name in names.tolist()]))[codes]
    unknown = places < 0
    if unknown.any():
        first = str(np.asarray(ids)[unknown][0])
        fail(
            path,
            f"names {np.unique(codes[unknown]).size} nodes that the network does not hold, in "
            f"{np.count_nonzero(unknown)} rows, for example {first!r}; ids of the network are "
            f"{', '.join(repr(i) for i in known[:3])}, ...",
        )
    return np.asarray(places, dtype=np.intp)


def _read_npz(path: Path, network: Network) -> list[Pair]:
    archive = Archive(path)
    ids = unpack_values(archive["ids"]) if "ids" in archive else None
    if "train_mask" in archive:
        masks = [np.atleast_2d(archive[f"{part}_mask"].T) for part in ("train", "test")]
        if masks[0].shape != masks[1].shape or masks[0].dtype != bool or masks[1].dtype != bool:
            fail(path, "train_mask and test_mask must be bool and of one shape")
        if ids is None and masks[0].shape[1] != network.n_nodes:
            fail(path, f"has masks of {masks[0].shape[1]} nodes, the network {network.n_nodes}")
        raw = [tuple(np.flatnonzero(mask) for mask in pair) for pair in zip(*masks)]
    else:
        raw = []
        while f"train_{len(raw)}" in archive:
            raw.append(tuple(archive[f"{part}_{len(raw)}"] for part in ("train", "test")))
    return _by_index(path, network, ids, raw)


def _read_json(path: Path, network: Network) -> list[Pair]:
    try:
        found = json.loads(read_text(path))
        ids, rows = found.get("ids"), found.get("splits", [found])
        raw = [tuple(np.asarray(row[part]) for part in ("train", "test")) for row in rows]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        fail(path, f"is no list of splits with train and test in JSON ({error!r})")
    return _by_index(path, network, ids, raw)


def _by_index(path: Path, network: Network, ids: Any, raw: Sequence[Any]) -> list[Pair]:
    """Turn indices of the file into indices of the network."""
    place = np.arange(network.n_nodes) if ids is None else places_of(path, network, ids)
    pairs = []
    for number, arrays in enumerate(raw):
        sets = []
        for part, array in zip(("train", "test"), arrays):
            if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
                fail(path, f"{part} of split {number} must be a list of node indices")
            indices = array.astype(np.int64)
            sets.append(place[check_range(path, indices, place.size, f"{part}_{number}")])
        pairs.append((sets[0], sets[1]))
    return pairs


def _read_csv(path: Path, network: Network) -> list[Pair]:
    import pandas as pd

    table = read_table(path, header=True)
    for name in ("split", "node", "set"):
        if name not in table.names:
            raise unknown_choice(f"{path}: column", name, table.names)
    nodes = places_of(path, network, np.asarray(table["node"]))
    words = np.asarray(table["set"]).astype(str)
    odd = ~np.isin(words, SETS)
    if odd.any():
        raise unknown_choice(f"{path}: set", words[odd][0], SETS)
    codes, names = pd.factorize(np.asarray(table["split"]), sort=True)
    return [
        (nodes[(codes == k) & (words == "train")], nodes[(codes == k) & (words == "test")])
        for k in range(len(names))
    ]


def _checked(
    path: Path, network: Network, number: int, train: NDArray[np.intp], test: NDArray[np.intp]
) -> Split:
    for part, nodes in (("training", train), ("test", test)):
        if nodes.size == 0 or np.unique(nodes).size != nodes.size:
            what = "is empty" if nodes.size == 0 else "has a node twice"
            fail(path, f"the {part} set of split {number} {what}")
        bare = np.count_nonzero(network.labels[nodes] < 0)
        if bare:
            fail(path, f"the {part} set of split {number} has {bare} nodes without label")
    both = np.intersect1d(train, test)
    if both.size:
        fail(
            path,
            f"{both.size} nodes are in training and test set of split {number}, for example "
            f"{network.ids[both[0]]!r}",
        )
    inference = np.setdiff1d(np.arange(network.n_nodes), train)
    return Split(train=np.sort(train), inference=inference, test=np.sort(test))
