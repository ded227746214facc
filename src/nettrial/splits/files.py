"""Splits to and from files, for models that are trained elsewhere, in any language."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.atomic import check_place, whole_file
from ..core.errors import AssumptionWarning, InputError, shown, unknown_choice, warn_user
from ..core.option_names import option
from ..core.seeds import Seed, freeze, generator
from ..io.contents import Arrays, contents_of
from ..io.guards import fail, is_there
from ..io.own_npz import packed, unpack_values
from ..io.seals import SEAL, digest, write_archive
from ..io.tables import Table
from ..io.vocabulary import ID, POSITION, SET_NAMES, usual
from ..network.network import Network
from .base import Split
from .forms import Raw, as_set, by_split, in_order, is_whole, nodes_of, raw_sets
from .places import order_note, places_of
from .sets import USED, WORDS, Sets, checked, is_mask, of_arrays

SETS = tuple(SET_NAMES)
MASKS = {"valid": "val_mask"}  # as PyTorch Geometric calls it
FORMS = "train, valid and test as masks or nodes, or a table with split, node and set"
NO_DATA = (".py", ".ipynb", ".sh", ".r", ".m", ".jl", ".yaml", ".yml", ".toml", ".md", ".png",
           ".pdf", ".svg", ".html", ".log")  # fmt: skip
AS_PLACES = (
    "numbers of nodes are taken for places in the network, counted from 0; all of them are ids of "
    "the network too: write ids as text if they are meant"
)


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
    return [checked(place, network, k, sets) for place, k, sets in read_sets([Path(path)], network)]


def read_sets(places: Sequence[Path], network: Network) -> list[tuple[Path, int, Sets]]:
    """Read the sets of each split as they are in files or folders, before they are checked.

    Before each come its file and its number there. A file may hold one set alone: what files in
    one folder are called then says which set of which split, as in ``0/train_mask.npy``.
    """
    found: list[tuple[Path, int, Sets]] = []
    lone: dict[str, tuple[Path, NDArray[Any]]] = {}
    for place in places:
        if not place.is_dir() and not is_there(place):
            fail(place, "there is no such file")
        folder = place if place.is_dir() else place.parent
        for path in data_files(place):
            held = _read_file(path, network)
            if isinstance(held, list):
                found += [(path, number, sets) for number, sets in enumerate(held)]
            else:
                name = path.relative_to(folder).as_posix().removesuffix(".gz")
                lone[name.rpartition(".")[0] or name] = path, held
    return found + _of_lone(lone, network)


def data_files(place: Path) -> list[Path]:
    """Return a file, or all files of a folder and below that may hold data, by their numbers."""
    if not place.is_dir():
        return [place]
    files = sorted((path for path in place.rglob("*") if path.is_file()), key=in_order)
    kept = [
        path
        for path in files
        if path.suffix.lower() not in NO_DATA
        and not any(part[0] in "._" for part in path.relative_to(place).parts)
    ]
    if not kept:
        fail(place, "holds no files of splits")
    return kept


def _read_file(path: Path, network: Network) -> list[Sets] | NDArray[Any]:
    """Return the sets of each split, or the nodes of one set alone, that a file holds."""
    held = contents_of(path)
    ids = None
    if isinstance(held, Mapping) and "ids" in held:
        ids = unpack_values(np.asarray(held["ids"])) if isinstance(held, Arrays) else held["ids"]
        places_of(path, network, ids)
    if isinstance(held, Mapping) and not isinstance(held, Arrays) and "splits" in held:
        held = held["splits"]
    try:
        raw = raw_sets(held, network.ids)
    except InputError as error:
        if str(path) in str(error):
            raise
        fail(path, str(error))
    if raw:
        return sets_of(path, raw, network, ids)
    if isinstance(held, Table):
        name = usual(held.names, (*ID, *POSITION)) or (
            held.names[0] if len(held.names) == 1 else ""
        )
        held = nodes_of({name: np.asarray(held[name])}, name) if name else held
    if isinstance(held, Mapping) and len(held) == 1:
        held = next(iter(held.values()))
    if isinstance(held, list) and held and not any(isinstance(v, (list, dict)) for v in held):
        held = np.asarray(held)
    if not isinstance(held, np.ndarray):
        fail(path, f"holds no splits; expected {FORMS}")
    return as_set(held)


def _of_lone(
    lone: Mapping[str, tuple[Path, NDArray[Any]]], network: Network
) -> list[tuple[Path, int, Sets]]:
    """Return the splits of files that hold one set each."""
    splits = by_split(lone, files=True)
    named = {name for of in splits.values() for name in of.values()}
    for name, (path, _) in lone.items():
        if name not in named:
            fail(path, "does not say which set of a split it holds; call it train, valid or test")
    found = []
    for of in splits.values():
        if not is_whole(of):
            have, path = next(iter(of)), lone[next(iter(of.values()))][0]
            lacking = "test" if have != "test" else "training"
            fail(path, f"holds the {WORDS[have]} set alone; name the {lacking} set beside it, or "
                 "the folder of both")  # fmt: skip
        raw = {part: lone[name][1] for part, name in of.items() if part in USED}
        path = lone[of["test"]][0]
        found += [(path, k, sets) for k, sets in enumerate(sets_of(path, [raw], network))]
    return found


def sets_of(
    place: Path | str, raw: Sequence[Raw], network: Network, ids: Any = None, number: int = 0
) -> list[Sets]:
    """Return the sets of each split as nodes of the network.

    Text is the id of a node, and numbers are places of nodes in the network, or among the `ids`
    that stand beside them; only if some are no places and all are ids, numbers are ids.
    """
    arrays = [array for each in raw for array in each.values()]
    nodes = np.arange(network.n_nodes) if ids is None else places_of(place, network, ids)
    named = ids is None and any(array.dtype.kind in "OUS" for array in arrays)
    lists = [
        a for a in arrays if a.dtype.kind in "iu" and a.ndim == 1 and not is_mask(a, nodes.size)
    ]
    numbers = np.unique(np.concatenate(lists)) if lists and ids is None else np.zeros(0, dtype=int)
    are_ids = bool(numbers.size) and {*map(str, numbers.tolist())} <= {
        *map(str, network.ids.tolist())
    }
    odd = bool(numbers.size) and not 0 <= numbers[0] <= numbers[-1] < network.n_nodes
    if not named and ids is None and not (odd and are_ids):
        note = order_note(network) or (AS_PLACES if are_ids and not _are_places(network) else "")
        if note:
            warn_user(AssumptionWarning(f"{place}: {note}"))
    found: list[Sets] = []
    for each in raw:
        given = {
            part: places_of(place, network, array.astype(object))
            if array.dtype.kind in "OUS" or (odd and are_ids and array.dtype.kind in "iu"
                                             and not is_mask(array, nodes.size))
            else array
            for part, array in each.items()
            if part in USED
        }  # fmt: skip
        found += of_arrays(place, given, nodes, number + len(found))
    return found


def _are_places(network: Network) -> bool:
    return bool([*map(str, network.ids.tolist())] == [*map(str, range(network.n_nodes))])


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
