"""Splits to and from files, for models that are trained elsewhere, in any language."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.atomic import check_place, whole_file
from ..core.errors import AssumptionWarning, InputError, not_found, shown, unknown_choice, warn_user
from ..core.option_names import option
from ..core.seeds import Seed, freeze, generator
from ..io.archive import Archive
from ..io.guards import fail, is_there, read_head, read_text
from ..io.own_npz import packed, unpack_values
from ..io.seals import CHANGED, SEAL, check_archive, digest, write_archive
from ..io.tables import read_table
from ..network.network import Network
from .base import Split
from .places import order_note, places_of
from .sets import NEEDED, USED, Sets, by_part, checked, of_arrays

SETS = ("train", "valid", "inference", "test")
MASKS = {"valid": "val_mask"}  # as PyTorch Geometric calls it


@check_arguments
def write_splits(
    network: Network,
    splits: Sequence[Split],
    path: str | PathLike[str],
    *,
    format: str | None = None,
    validation: float = 0.0,
    seed: Seed = 0,
) -> None:
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
        training or validation nodes, or the file cannot be written or is there already and holds
        something else than splits of the network.

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
    if len(splits) == 0:
        raise InputError(
            parameter="splits", expected="at least one split", got="none", where="write_splits"
        )
    place = Path(path)
    chosen = _format_of(place) if format is None else format
    if chosen not in WRITERS:
        raise unknown_choice("format", chosen, WRITERS)
    sets = _with_validation(splits, validation, freeze(seed))
    _check_present(place, network)
    with whole_file(place) as draft:
        WRITERS[chosen](network, sets, draft)


@check_arguments
def read_splits(path: str | PathLike[str], network: Network) -> list[Split]:
    """Read splits of a network from a file that `write_splits` or another program made.

    Parameters
    ----------
    path : path
        In any form of `write_splits`, recognized by its content; only the training, validation
        and test sets are read, since all other nodes are inferred. Validation nodes, where there
        are any, count as training nodes: a model has used their labels.
    network : Network
        The network that the splits are of; its nodes may be in another order than in the file.

    Raises
    ------
    InputError
        Where the file is damaged, names other nodes than the network, has a node in two of the
        sets of one split, or tests a node without label.

    Warns
    -----
    AssumptionWarning
        Where numbers without ids beside them may be places in the network or its ids.
    """
    place = Path(path)
    return [checked(place, network, k, sets) for k, sets in enumerate(read_sets(place, network))]


def read_sets(place: Path, network: Network) -> list[Sets]:
    """Read the sets of each split as they are in a file, before anything is asked of them."""
    if not is_there(place):
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
    return found


def _check_present(path: Path, network: Network) -> None:
    """Refuse to replace what is no splits, such as the network's own table of nodes."""
    if not check_place(path).exists():
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read_splits(path, network)
    except InputError as error:
        raise InputError(
            f"{path}: is there already and holds no splits of this network; name another file"
        ) from error


def _format_of(path: Path) -> str:
    name = path.name.lower().removesuffix(".gz")
    endings = {".npz": "npz", ".csv": "csv", ".json": "ogb"}
    for ending, format in endings.items():
        if name.endswith(ending):
            return format
    raise InputError(
        f"{path}: the ending says no format; expected {', '.join(endings)}, or the name of a "
        f"format ({', '.join(WRITERS)})"
    )


def _with_validation(splits: Sequence[Split], share: float, entropy: int) -> list[Sets]:
    """Return the sets of each split by name; validation nodes are taken from the training set."""
    if not 0 <= share < 1:
        raise InputError(
            parameter="validation", expected="a share of at least 0 and below 1", got=shown(share)
        )
    found = []
    for number, split in enumerate(splits):
        sets = {"train": split.train, "inference": split.inference, "test": split.test}
        count = validation_size(share, split)
        if share and not 0 < count < split.train.size:
            raise InputError(
                f"{option('validation', share)} of the {split.train.size:,} training nodes of "
                f"split {number} are {count} nodes; expected at least one, and one left to train"
            )
        if share:
            order = generator(entropy, number).permutation(split.train)
            sets |= {"train": np.sort(order[count:]), "valid": np.sort(order[:count])}
        found.append(sets)
    return found


def validation_size(share: float, split: Split) -> int:
    """Return how many training nodes of one split per share of them for validation is."""
    return round(share * split.train.size)


def _write_npz(network: Network, splits: Sequence[Sets], path: Path) -> None:
    arrays = {"ids": packed(network.ids.tolist(), "ids")}
    for number, split in enumerate(splits):
        arrays |= {f"{part}_{number}": nodes for part, nodes in split.items()}
    write_archive(path, arrays, compressed=True)


def _write_masks(network: Network, splits: Sequence[Sets], path: Path) -> None:
    arrays = {"ids": packed(network.ids.tolist(), "ids")}
    for part in splits[0] if splits else ():
        mask = np.zeros((network.n_nodes, len(splits)), dtype=bool)
        for number, split in enumerate(splits):
            mask[split[part], number] = True
        arrays[MASKS.get(part, f"{part}_mask")] = mask
    write_archive(path, arrays, compressed=True)


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
    path.write_text(json.dumps(found | {SEAL: digest(json.dumps(found))}), encoding="utf-8")


WRITERS: dict[str, Callable[[Network, Sequence[Sets], Path], None]] = {
    "npz": _write_npz,
    "masks": _write_masks,
    "csv": _write_csv,
    "ogb": _write_json,
}


def _read_npz(path: Path, network: Network) -> list[Sets]:
    archive = Archive(path)
    check_archive(path, required=False)
    nodes = _nodes_of(path, network, unpack_values(archive["ids"]) if "ids" in archive else None)
    if "train_0" not in archive:
        named = by_part({name: name for name in archive.members})
        arrays = {part: archive[name] for part, name in named.items()}
        return of_arrays(path, arrays, nodes) if arrays else []
    found: list[Sets] = []
    while f"train_{len(found)}" in archive:
        number = len(found)
        arrays = {
            part: archive[f"{part}_{number}"]
            for part in USED
            if part in NEEDED or f"{part}_{number}" in archive
        }
        found += of_arrays(path, arrays, nodes, number)
    return found


def _read_json(path: Path, network: Network) -> list[Sets]:
    try:
        found = json.loads(read_text(path))
        seal = found.pop(SEAL, None)  # files of other programs have none
        if seal is not None and seal != digest(json.dumps(found)):
            fail(path, CHANGED)
        ids, rows = found.get("ids"), found.get("splits", [found])
        raw = [{part: np.asarray(row) for part, row in by_part(each).items()} for each in rows]
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        fail(path, f"is no list of splits with train and test in JSON ({shown(error)})")
    nodes = _nodes_of(path, network, ids)
    return [
        sets for number, arrays in enumerate(raw) for sets in of_arrays(path, arrays, nodes, number)
    ]


def _nodes_of(path: Path, network: Network, ids: Any) -> NDArray[np.intp]:
    """Return the node of the network that each number of the file means."""
    if ids is not None:
        return places_of(path, network, ids)
    note = order_note(network)
    if note:
        warn_user(AssumptionWarning(f"{path}: {note}"))
    return np.arange(network.n_nodes)


def _read_csv(path: Path, network: Network) -> list[Sets]:
    import pandas as pd

    table = read_table(path, header=True)
    for name in ("split", "node", "set"):
        if name not in table.names:
            raise not_found("column", name, table.names, str(path))
    nodes = places_of(path, network, np.asarray(table["node"]))
    words = np.asarray(table["set"]).astype(str)
    odd = ~np.isin(words, SETS)
    if odd.any():
        raise unknown_choice(f"{path}: set", words[odd][0], SETS)
    codes, names = pd.factorize(np.asarray(table["split"]), sort=True)
    again = pd.DataFrame({"split": codes, "node": nodes, "set": words}).duplicated(
        ["split", "node"], keep=False
    )
    again &= ~np.isin(words, USED)  # what is wrong among the others is reported more exactly below
    if again.any():
        node = network.ids[nodes[int(np.argmax(again))]]
        fail(path, f"names node {shown(node)} twice in one split, as inference node and as another")
    return [
        {part: nodes[(codes == k) & (words == part)] for part in USED} for k in range(len(names))
    ]
