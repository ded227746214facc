"""Our own layout of numpy archives, version 2, without pickles.

``nettrial`` is the version, ``directed`` 0 or 1; ``indptr``, ``indices`` and ``weights`` are
compressed rows as in `Network.links` (weights only where there are any); ``labels`` are class
codes, -1 for missing, and ``classes`` what they stand for; ``ids`` is absent where the ids are
0 to n - 1; ``columns`` names the node columns, column K being ``column_K`` (codes) and
``values_K`` (what they stand for); ``features`` is a matrix, or ``features_data``,
``features_indices``, ``features_indptr`` and ``features_shape`` a sparse one. Values are
integers, floats or text by their array's type; mixtures are JSON, see `pack_values`. The
archive's comment is a digest of the names and checksums of its members.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.errors import InputError
from ..network.network import Network
from ..network.node_values import MISSING
from .archive import Archive, check_rows, compressed, whole
from .found import Found
from .guards import check_range, fail
from .seals import check_archive, write_archive
from .vocabulary import LABEL
from .writers import target_column

if TYPE_CHECKING:
    import pandas as pd

VERSION = 2


def pack_values(values: Iterable[Any]) -> NDArray[Any]:
    """Store values without pickles: integers, numbers and text as they are, mixtures as JSON."""
    items = list(values)
    kinds = {type(item) for item in items}
    if kinds == {int}:
        try:
            return np.array(items, dtype=np.int64)
        except OverflowError:
            pass
    if kinds == {float}:
        return np.array(items)
    if kinds == {str} and not any(item.endswith("\0") for item in items):
        return np.array(items, dtype=np.str_)
    if not kinds <= {int, float, str, bool, type(None)}:
        raise TypeError(", ".join(sorted(kind.__name__ for kind in kinds)))
    return np.array(["json", *map(json.dumps, items)], dtype=np.bytes_)


def unpack_values(array: NDArray[Any]) -> list[Any]:
    if array.dtype.kind != "S":
        return array.ravel().tolist()
    return [json.loads(item) for item in array.ravel().tolist()[1:]]


def read_own(archive: Archive) -> Found:
    """Read our own layout."""
    version = whole(archive, "nettrial", 0)
    if version != VERSION:
        fail(archive.path, f"is of version {version} of our layout; this nettrial reads {VERSION}")
    check_archive(archive.path, required=True)
    indptr, indices = whole(archive, "indptr", 1), whole(archive, "indices", 1)
    n = indptr.size - 1
    if n < 0 or indptr[0] != 0 or (np.diff(indptr) < 0).any() or indptr[-1] != indices.size:
        fail(archive.path, "indptr and indices are no compressed rows")
    check_range(archive.path, indices, n, "indices")
    source = np.repeat(np.arange(n), np.diff(indptr))
    directed = bool(whole(archive, "directed", 0))
    weight = archive["weights"].astype(np.float64) if "weights" in archive else None
    if weight is not None and weight.shape != indices.shape:
        fail(archive.path, f"weights has {weight.size} entries for {indices.size:,} links")
    if weight is not None and not (np.isfinite(weight) & (weight >= 0)).all():
        fail(archive.path, "weights holds other than finite numbers of 0 or more")
    keep = slice(None) if directed else source <= indices
    if not directed and np.count_nonzero(source < indices) != np.count_nonzero(source > indices):
        fail(archive.path, "is undirected, but lists some links in one direction only")
    codes = whole(archive, "labels", 1)
    classes = unpack_values(archive["classes"])
    names = list(map(str, unpack_values(archive["columns"])))
    label = next((name for name in LABEL if name not in names), "the label")
    columns: dict[str, Any] = {label: categorical(archive, codes, classes, n)}
    for k, name in enumerate(names):
        values = unpack_values(archive[f"values_{k}"])
        columns[name] = coded(archive, name, whole(archive, f"column_{k}", 1), values, n)
    return Found(
        "nettrial npz",
        [archive.path],
        source[keep],
        indices[keep],
        nodes=own_ids(archive, n),
        columns=columns,
        directed=directed,
        weight=None if weight is None else weight[keep],
        label=label,
        classes=classes,
        features=own_features(archive, n),
        indexed=True,
    )


def categorical(
    archive: Archive, codes: NDArray[np.int64], classes: list[Any], n: int
) -> pd.Categorical[Any]:
    import pandas as pd

    if codes.size != n:
        fail(archive.path, f"labels has {codes.size} entries for {n} nodes")
    check_range(archive.path, codes, len(classes) + 1, "labels", first=-1)
    if None in classes or len(set(classes)) != len(classes):
        fail(archive.path, "classes repeat, or one has no name")
    return pd.Categorical.from_codes(codes, categories=pd.Index(classes, dtype=object))


def own_ids(archive: Archive, n: int) -> NDArray[Any]:
    if "ids" not in archive:
        return np.arange(n)
    values = archive["ids"]
    ids = values if values.dtype.kind in "iu" else np.array(unpack_values(values), dtype=object)
    if ids.size != n:
        fail(archive.path, f"ids has {ids.size} entries for {n} nodes")
    return ids


def own_features(archive: Archive, n: int) -> Any:
    if "features_indptr" in archive:
        matrix = compressed(archive, "features_")
    elif "features" in archive:
        matrix = archive["features"]
    else:
        return None
    return check_rows(archive.path, "features", matrix, n)


def coded(
    archive: Archive, name: str, codes: NDArray[np.int64], values: list[Any], n: int
) -> NDArray[Any]:
    """Return the values that codes stand for; code -1 is a missing value."""
    if codes.size != n:
        fail(archive.path, f"{name} has {codes.size} entries for {n} nodes")
    check_range(archive.path, codes, len(values) + 1, name, first=-1)
    table = np.empty(len(values) + 1, dtype=object)
    table[:-1] = values
    table[-1] = None
    return table[codes]


def write_own(network: Network, path: Path) -> None:
    """Write a network in our own layout."""
    links = network.links
    arrays: dict[str, Any] = {
        "nettrial": np.array(VERSION),
        "directed": np.array(int(network.directed)),
        "indptr": links.indptr,
        "indices": links.indices,
        "labels": network.labels,
        "classes": packed(network.classes, "classes"),
    }
    if links.weights is not None:
        arrays["weights"] = links.weights
    if not np.array_equal(network.ids, np.arange(network.n_nodes)):
        arrays["ids"] = packed(network.ids.tolist(), "ids")
    columns = {name: network.groups(name) for name in network.attributes}
    if network.targets is not None:
        arrays["labels"] = np.full(network.n_nodes, MISSING, dtype=network.labels.dtype)
        known = network.targets[network.labeled]
        numbers, places = np.unique(known, return_inverse=True)
        codes = arrays["labels"].copy()
        codes[network.labeled] = places
        columns[target_column(network)] = codes, numbers.tolist()
    arrays["columns"] = packed(columns, "column names")
    for k, (name, (codes, values)) in enumerate(columns.items()):
        arrays[f"column_{k}"] = codes
        arrays[f"values_{k}"] = packed(values, f"column {name!r}")
    features = network.features
    if sp.issparse(features):
        csr = sp.csr_array(features)
        arrays |= {
            "features_data": csr.data,
            "features_indices": csr.indices,
            "features_indptr": csr.indptr,
            "features_shape": np.array(csr.shape),
        }
    elif features is not None:
        if features.dtype.hasobject:
            raise InputError("features hold Python objects; npz holds numbers only")
        arrays["features"] = features
    write_archive(path, arrays)


def packed(values: Iterable[Any], what: str) -> NDArray[Any]:
    try:
        return pack_values(values)
    except TypeError as error:
        raise InputError(f"npz cannot hold {what} of the type {error}") from None
