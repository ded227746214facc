"""Splits to and from files, for models that are trained elsewhere, in any language."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
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
from ..seeds import Seed, freeze, generator
from .base import Split
from .places import places_of

SETS = ("train", "valid", "inference", "test")
MASKS = {"valid": "val_mask"}  # as PyTorch Geometric calls it
NEEDED = ("train", "test")
WORDS = {"train": "training", "valid": "validation", "test": "test"}
USED = tuple(WORDS)
Sets = dict[str, NDArray[np.intp]]


def write_splits(
    network: Network, splits: Sequence[Split], path: str | PathLike[str], *,
    format: str | None = None, validation: float = 0.0, seed: Seed = 0,
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
          (n_nodes, n_splits), as PyTorch Geometric's data sets with several splits have them;
          validation nodes are in ``val_mask``.
        - "csv": columns split, node (its id) and set, one row for each node of each split; the
          set of a node to be inferred but not tested is "inference".
        - "ogb": JSON with ``ids`` and ``splits``, a list of dicts of index lists ``train``,
          ``valid``, ``inference`` and ``test``, as ``get_idx_split`` of the Open Graph Benchmark
          gives one.
    validation : float
        Share of the training nodes, at least 0 and below 1, that are set apart at random as
        ``valid``, to choose settings or to stop early; none by default. `read_splits` puts them
        back among the training nodes, since a model has used their labels.
    seed : int, SeedSequence or Generator
        Of the choice of validation nodes.

    Raises
    ------
    InputError
        Where the format is not known, `validation` is out of its range or leaves a split without
        training or validation nodes, or the file cannot be written.

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
    sets = _with_validation(splits, validation, freeze(seed))
    try:
        WRITERS[chosen](network, sets, place)
    except OSError as error:
        fail(place, f"cannot be written ({error.strerror})")


def read_splits(path: str | PathLike[str], network: Network) -> list[Split]:
    """Read splits of a network from a file that `write_splits` or another program made.

    Parameters
    ----------
    path : path
        In any form of `write_splits`, recognised by its content; only the training, validation
        and test sets are read, since all other nodes are inferred. Validation nodes, where there
        are any, count as training nodes: a model has used their labels.
    network : Network
        The network that the splits are of; its nodes may be in another order than in the file.

    Raises
    ------
    InputError
        Where the file is damaged, names other nodes than the network, has a node in two of the
        sets of one split, or tests a node without label.
    """
    place = Path(path)
    if not place.is_file():
        fail(place, "there is no such file")
    head = read_head(place, 64).lstrip()
    if head.startswith(b"PK"):
        found = _read_npz(place, network)
    elif head.startswith(b"{"):
        found = _read_json(place, network)
    else:
        found = _read_csv(place, network)
    if not found:
        fail(place, "holds no splits")
    return [_checked(place, network, number, sets) for number, sets in enumerate(found)]


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


def _with_validation(splits: Sequence[Split], share: float, entropy: int) -> list[Sets]:
    """Give the sets of each split by name; validation nodes are taken from the training set."""
    if not 0 <= share < 1:
        raise InputError(f"validation={share!r}, allowed is a share of at least 0 and below 1")
    found = []
    for number, split in enumerate(splits):
        sets = {"train": split.train, "inference": split.inference, "test": split.test}
        count = validation_size(share, split)
        if share and not 0 < count < split.train.size:
            raise InputError(
                f"validation={share:g} of the {split.train.size} training nodes of split {number} "
                f"are {count} nodes; needed is at least one, and one left to train"
            )
        if share:
            order = generator(entropy, number).permutation(split.train)
            sets |= {"train": np.sort(order[count:]), "valid": np.sort(order[:count])}
        found.append(sets)
    return found


def validation_size(share: float, split: Split) -> int:
    """Give how many training nodes of a split a share of them for validation is."""
    return round(share * split.train.size)


def _write_npz(network: Network, splits: Sequence[Sets], path: Path) -> None:
    arrays = {"ids": packed(network.ids.tolist(), "ids")}
    for number, split in enumerate(splits):
        arrays |= {f"{part}_{number}": nodes for part, nodes in split.items()}
    with path.open("wb") as stream:
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type] # no array is allow_pickle


def _write_masks(network: Network, splits: Sequence[Sets], path: Path) -> None:
    arrays = {"ids": packed(network.ids.tolist(), "ids")}
    for part in splits[0] if splits else ():
        mask = np.zeros((network.n_nodes, len(splits)), dtype=bool)
        for number, split in enumerate(splits):
            mask[split[part], number] = True
        arrays[MASKS.get(part, f"{part}_mask")] = mask
    with path.open("wb") as stream:
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type] # no array is allow_pickle


def _write_csv(network: Network, splits: Sequence[Sets], path: Path) -> None:
    import pandas as pd

    frames = []
    for number, split in enumerate(splits):
        words = np.full(network.n_nodes, "", dtype=object)
        for part in SETS:  # the test set last: it is a part of the inference set
            words[split.get(part, [])] = part
        frame = pd.DataFrame({"split": number, "node": network.ids, "set": words})
        frames.append(frame[words != ""])
    pd.concat(frames).to_csv(path, index=False)


def _write_json(network: Network, splits: Sequence[Sets], path: Path) -> None:
    found = {
        "ids": [i if isinstance(i, (int, str)) else str(i) for i in network.ids.tolist()],
        "splits": [{part: nodes.tolist() for part, nodes in split.items()} for split in splits],
    }
    path.write_text(json.dumps(found), encoding="utf-8")


WRITERS: dict[str, Callable[[Network, Sequence[Sets], Path], None]] = {
    "npz": _write_npz,
    "masks": _write_masks,
    "csv": _write_csv,
    "ogb": _write_json,
}


def _read_npz(path: Path, network: Network) -> list[Sets]:
    archive = Archive(path)
    ids = unpack_values(archive["ids"]) if "ids" in archive else None
    raw: list[dict[str, Any]] = []
    if "train_mask" in archive:
        masks = {part: MASKS.get(part, f"{part}_mask") for part in USED}
        arrays = {
            part: np.atleast_2d(archive[name].T)
            for part, name in masks.items()
            if part in NEEDED or name in archive
        }
        if len({mask.shape for mask in arrays.values()}) > 1 or any(
            mask.dtype != bool for mask in arrays.values()
        ):
            fail(path, f"{', '.join(masks[part] for part in arrays)} must be bool and of one shape")
        size = arrays["train"].shape[1]
        if ids is None and size != network.n_nodes:
            fail(path, f"has masks of {size} nodes, the network {network.n_nodes}")
        raw = [
            {part: np.flatnonzero(mask[k]) for part, mask in arrays.items()}
            for k in range(len(arrays["train"]))
        ]
    else:
        while f"train_{len(raw)}" in archive:
            names = {part: f"{part}_{len(raw)}" for part in USED}
            raw.append({
                part: archive[name] for part, name in names.items()
                if part in NEEDED or name in archive
            })  # fmt: skip
    return _by_index(path, network, ids, raw)


def _read_json(path: Path, network: Network) -> list[Sets]:
    try:
        found = json.loads(read_text(path))
        ids, rows = found.get("ids"), found.get("splits", [found])
        raw = [
            {part: np.asarray(row[part]) for part in USED if part in NEEDED or part in row}
            for row in rows
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        fail(path, f"is no list of splits with train and test in JSON ({error!r})")
    return _by_index(path, network, ids, raw)


def _by_index(
    path: Path, network: Network, ids: Any, raw: Sequence[Mapping[str, Any]]
) -> list[Sets]:
    """Turn indices of the file into indices of the network."""
    place = np.arange(network.n_nodes) if ids is None else places_of(path, network, ids)
    found = []
    for number, arrays in enumerate(raw):
        sets = {}
        for part, array in arrays.items():
            if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
                fail(path, f"{part} of split {number} must be a list of node indices")
            indices = array.astype(np.int64)
            sets[part] = place[check_range(path, indices, place.size, f"{part}_{number}")]
        found.append(sets)
    return found


def _read_csv(path: Path, network: Network) -> list[Sets]:
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
        {part: nodes[(codes == k) & (words == part)] for part in USED} for k in range(len(names))
    ]


def _checked(path: Path, network: Network, number: int, sets: Sets) -> Split:
    for part, nodes in sets.items():
        if part in NEEDED and nodes.size == 0:
            fail(path, f"the {WORDS[part]} set of split {number} is empty")
        if np.unique(nodes).size != nodes.size:
            fail(path, f"the {WORDS[part]} set of split {number} has a node twice")
        bare = np.count_nonzero(network.labels[nodes] < 0)
        if bare:
            fail(path, f"the {WORDS[part]} set of split {number} has {bare} nodes without label")
    for one, other in itertools.combinations(sets, 2):
        both = np.intersect1d(sets[one], sets[other])
        if both.size:
            fail(
                path,
                f"{both.size} nodes are in {WORDS[one]} and {WORDS[other]} set of split {number}, "
                f"for example {network.ids[both[0]]!r}",
            )
    train = np.concatenate([sets["train"], sets.get("valid", sets["train"][:0])])
    inference = np.setdiff1d(np.arange(network.n_nodes), train)
    return Split(train=np.sort(train), inference=inference, test=np.sort(sets["test"]))
