"""Halves of the communities as files, and what models predicted on them as tables."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments, no_path
from ..core.atomic import whole_folder
from ..core.errors import InputError
from ..core.option_names import option
from ..core.version import __version__
from ..inference.choice import HALVES, TestChoice
from ..io.archive import Archive
from ..io.guards import fail, is_there, read_text
from ..io.own_npz import packed
from ..io.seals import check_archive, write_archive
from ..models.torch_data import load
from ..network.canonical_order import canonical_order
from ..network.network import Network
from ..replicates.halving_plan import HalvingPlan
from ..splits.base import Split
from .analysis import Similar
from .halves import WHOLE, Halves, Key
from .halves import halves as new_halves

Form: TypeAlias = Literal["npz", "csv", "pyg"]
MANIFEST, PARTS, KIND = "manifest.json", "parts", "halves of a network for nettrial"


@check_arguments
def write_halves(halves: Halves, folder: str | PathLike[str], *, format: Form = "npz") -> None:
    """Write what models are trained on: the network's splits, and both parts of every halving.

    Parameters
    ----------
    folder : path
        Must not exist. ``manifest.json`` says what there is; ``parts/`` holds the network and
        every part. Features that were made of node columns stand in ``parts/features.csv``: one
        row per id of the manifest, blank where a value is missing. Put tables of predictions
        beside the manifest.
    format : {"npz", "csv", "pyg"}
        Of the parts: arrays; tables ``nodes.csv``, ``edges.csv`` and ``splits.csv``; or tensors by
        their names in PyTorch Geometric, for ``Data(**torch.load(path, weights_only=True))``.
    """
    fits: dict[tuple[int, int], list[tuple[int, Split]]] = {}
    networks: dict[tuple[int, int], Network] = {}
    for key, network, split in halves._divided():
        fits.setdefault(key[:2], []).append((key.split, split))
        networks[key[:2]] = network
    with whole_folder(Path(folder)) as draft:
        (draft / PARTS).mkdir()
        write_archive(draft / PARTS / "halves.npz", _arrays(halves), compressed=True)
        places = []
        for part, splits in fits.items():
            name = name_of(*part)
            WRITERS[format](draft / PARTS / name, halves, networks[part], splits, part)
            places.append({"halving": part[0], "part": part[1], "name": name,
                           "splits": [number for number, _ in splits]})  # fmt: skip
        if halves.given.feature_columns is not None:
            _write_features(draft / PARTS, halves.given, halves.given.feature_columns.names)
        (draft / MANIFEST).write_text(json.dumps(_manifest(halves, places, format), indent=1))


def _write_features(folder: Path, network: Network, names: Sequence[str]) -> None:
    import pandas as pd

    table = pd.DataFrame(np.asarray(network.features), columns=pd.Index(names))
    table.insert(0, "node", network.ids, allow_duplicates=True)
    table.to_csv(folder / "features.csv", index=False)


def name_of(halving: int, part: int) -> str:
    """Return the name of a part, or of the network itself.

    Examples
    --------
    >>> name_of(3, 1), name_of(-1, 0)
    ('halving3_part1', 'network')
    """
    return "network" if halving == WHOLE else f"halving{halving}_part{part}"


def _arrays(halves: Halves) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {"groups": np.asarray(halves.analysis.groups)}
    for number, split in enumerate(halves.splits):
        arrays |= {f"train_{number}": split.train, f"test_{number}": split.test}
    return arrays


def _manifest(halves: Halves, places: Sequence[Any], form: str) -> dict[str, Any]:
    how, plan = halves.analysis, halves.plan
    by = how.communities if isinstance(how.communities, str) else "given"
    return {
        "kind": KIND, "version": __version__, "format": form,
        "network": halves.network.fingerprint(), "n_nodes": halves.network.n_nodes,
        "classes": [str(name) for name in halves.network.classes],
        "ids": [i if isinstance(i, int) else str(i) for i in halves.given.ids.tolist()],
        "design": how.design, "labeled": how.labeled, "seed": how.entropy, "communities": by,
        "similar": None if how.similar is None else how.similar._asdict(),
        "settings": dict(how.settings), "independent": how.choice.independent,
        "n_splits": len(halves.splits), "n_halvings": plan.n_halvings,
        "per_halving": plan.n_splits, "validation": halves.validation,
        "fits_per_model": halves.fits_per_model,
        "expected_degrees_of_freedom": round(halves.expected_df(), 2),
        "fits": places, "digest": digest_of(halves),
    }  # fmt: skip


def digest_of(halves: Halves) -> str:
    """Return a digest of network, communities, splits and plan, by which predictions must go."""
    digest = hashlib.blake2b(halves.network.fingerprint().encode(), digest_size=16)
    plan = (halves.analysis.entropy, halves.plan.n_halvings, halves.plan.n_splits)
    digest.update(repr((*plan, halves.validation)).encode())
    for name, array in _arrays(halves).items():
        digest.update(name.encode() + np.ascontiguousarray(array, dtype=np.int64).tobytes())
    return digest.hexdigest()


def _write_npz(
    path: Path, halves: Halves, network: Network, splits: Sequence[Any], key: tuple[int, int]
) -> None:
    arrays = _tensors(halves, network, splits, key)
    arrays["ids"] = packed(network.ids.tolist(), "ids")
    arrays["classes"] = packed(list(network.classes), "classes")
    write_archive(path.with_suffix(".npz"), arrays, compressed=True)


def _write_pyg(
    path: Path, halves: Halves, network: Network, splits: Sequence[Any], key: tuple[int, int]
) -> None:
    torch = load("torch", "format 'pyg'")
    arrays = _tensors(halves, network, splits, key)
    tensors = {name: torch.from_numpy(np.ascontiguousarray(a)) for name, a in arrays.items()}
    torch.save(tensors, path.with_suffix(".pt"))


def _tensors(
    halves: Halves, network: Network, splits: Sequence[Any], key: tuple[int, int]
) -> dict[str, NDArray[Any]]:
    """Return a part as arrays, with the labels that each split shows and no others."""
    links = network.adjacency("out").tocoo()
    place = {one: number for number, one in enumerate(halves.given.ids.tolist())}
    n, k = network.n_nodes, len(splits)
    masks = np.zeros((3, k, n), dtype=bool)
    numeric = network.targets is not None
    y = np.full((k, n), np.nan if numeric else -1, dtype=np.float32 if numeric else np.int64)
    shown = network.targets if network.targets is not None else network.labels
    for row, (number, split) in enumerate(splits):
        train, val = halves.training(Key(*key, number), split)
        for mask, nodes in zip(masks, (train, val, split.test)):
            mask[row, nodes] = True
        y[row, split.train] = shown[split.train]
    arrays = {
        "nodes": np.array([place[one] for one in network.ids.tolist()], dtype=np.int64),
        "edge_index": np.stack([links.row, links.col]).astype(np.int64),
        "y": y, "train_mask": masks[0], "val_mask": masks[1], "test_mask": masks[2],
        "splits": np.array([number for number, _ in splits], dtype=np.int64),
    }  # fmt: skip
    if network.weighted:
        arrays["edge_weight"] = links.data.astype(np.float32)
    return arrays


def _write_csv(
    path: Path, halves: Halves, network: Network, splits: Sequence[Any], key: tuple[int, int]
) -> None:
    import pandas as pd

    path.mkdir()
    arrays = _tensors(halves, network, splits, key)
    pd.DataFrame({"node": network.ids}).to_csv(path / "nodes.csv", index=False)
    links = network.adjacency("out").tocoo()
    once = np.ones(links.row.size, dtype=bool) if network.directed else links.row < links.col
    ends = {"source": network.ids[links.row[once]], "target": network.ids[links.col[once]]}
    weight = {"weight": links.data[once]} if network.weighted else {}
    pd.DataFrame(ends | weight).to_csv(path / "edges.csv", index=False)
    names = np.array([*map(str, network.classes), ""], dtype=object)
    frames = []
    for row, (number, _) in enumerate(splits):
        words = np.full(network.n_nodes, "inference", dtype=object)
        for part in ("train", "val", "test"):
            words[arrays[f"{part}_mask"][row]] = "valid" if part == "val" else part
        shown = arrays["y"][row]
        labels = shown if network.targets is not None else names[shown]
        frames.append(pd.DataFrame(
            {"split": number, "node": network.ids, "set": words, "label": labels}
        ))  # fmt: skip
    pd.concat(frames).to_csv(path / "splits.csv", index=False)


WRITERS: Mapping[str, Callable[..., None]] = {
    "npz": _write_npz,
    "csv": _write_csv,
    "pyg": _write_pyg,
}


def manifest_in(place: Any) -> Path | None:
    """Return the manifest of halves that a path names, or that lies in its folder."""
    if not isinstance(place, (str, PathLike)) or no_path(place):
        return None
    path = Path(place)
    found = path / MANIFEST if path.is_dir() else path
    if found.name != MANIFEST or not is_there(found):
        return None
    return found


@check_arguments
def read_halves(folder: str | PathLike[str], network: Network) -> Halves:
    """Read the halves of a network from the folder that `nettrial split --halves` wrote.

    Parameters
    ----------
    folder : path
        The folder, or its manifest.
    network : Network
        The one that they are of.

    Raises
    ------
    InputError
        Where there is no manifest, it was changed, or is of another network.
    """
    path = manifest_in(folder)
    if path is None:
        fail(Path(folder), f"holds no halves of a network ({MANIFEST})")
    order = canonical_order(network)
    network = network if order is None else order.network
    try:
        kept = json.loads(read_text(path))
        if kept["kind"] != KIND:
            raise ValueError(f"of the kind {kept['kind']!r}")
        if kept["network"] != network.fingerprint():
            fail(path, f"is of another network, of {kept['n_nodes']:,} nodes, than {network!r}")
        archive = Archive(path.parent / PARTS / "halves.npz")
        check_archive(archive.path, required=True)
        groups = archive["groups"]
        splits = [
            _split(network, archive[f"train_{number}"], archive[f"test_{number}"])
            for number in range(kept["n_splits"])
        ]
        similar = None if kept["similar"] is None else Similar(**kept["similar"])
        found = new_halves(
            network, design=splits, communities=groups.astype(np.int64),
            n_halvings=kept["n_halvings"], validation=kept["validation"], seed=kept["seed"],
        )  # fmt: skip
        how = found.analysis
        by = kept["communities"]
        reason = TestChoice(HALVES, how.choice.reason, True, kept["n_halvings"],
                            kept["independent"])  # fmt: skip
        analysis = replace(
            how, design=kept["design"], labeled=kept["labeled"], similar=similar,
            communities=groups if by == "given" else by,
            choice=reason, settings=kept["settings"], order=order,
        )  # fmt: skip
        plan = HalvingPlan(kept["n_halvings"], kept["per_halving"])
        found = replace(found, analysis=analysis, plan=plan)
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        fail(path, f"is no manifest of halves, or damaged ({error!r:.200})")
    if digest_of(found) != kept["digest"]:
        fail(path, "was changed after it was written; write the halves anew")
    return found


def _split(network: Network, train: Any, test: Any) -> Split:
    inference = np.setdiff1d(np.arange(network.n_nodes), train)
    return Split(train.astype(np.intp), inference, test.astype(np.intp))


def what_it_takes(halves: Halves) -> str:
    """Return how many fits there are, and what fewer would cost in degrees of freedom."""
    plan, k = halves.plan, len(halves.splits)
    lines = [
        f"each model takes {halves.fits_per_model:,} fits: {k} on the network, and up to "
        f"{2 * plan.n_halvings * plan.n_splits:,} on parts of half its size (2 x "
        f"{plan.n_halvings} x {plan.n_splits})",
        f"expected degrees of freedom: {halves.expected_df():.1f} (a verdict takes 4)",
    ]
    fewer = []
    if halves.analysis.choice.independent:
        for per in (r for r in (5, 3, 2, 1) if r < plan.n_splits):
            df = halves.expected_df(per_halving=per)
            fewer.append(f"{option('per_halving', per)}: {k + 2 * plan.n_halvings * per} fits, "
                         f"{df:.1f}")  # fmt: skip
    for number in (n for n in (10, 6) if n < plan.n_halvings):
        df = halves.expected_df(n_halvings=number)
        fewer.append(f"{option('n_halvings', number)}: {k + 2 * number * plan.n_splits} fits, "
                     f"{df:.1f}")  # fmt: skip
    return "\n".join([*lines, *(f"fewer: {each} degrees of freedom" for each in fewer)])
