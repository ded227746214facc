"""A network as plain arrays by name, none of Python objects, and back without building it anew.

This is what study files, folders of memory-mapped arrays and worker processes hold.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.errors import InputError
from ..network.arrays import frozen, frozen_matrix, object_array
from ..network.link_arrays import Neighbors, Tally
from ..network.link_storage import LinkStorage
from ..network.network import Network
from ..network.node_values import MISSING, check_targets, known_codes
from .own_npz import pack_values, unpack_values
from .report import report_from

PIECE = 2**24  # entries that a check looks at in one go


def to_arrays(network: Network, *, features: bool = True) -> dict[str, NDArray[Any]]:
    """Split a network into its parts.

    Parameters
    ----------
    features : bool
        Whether to include the node features.
    """
    arrays: dict[str, NDArray[Any]] = {
        "indptr": network.links.indptr,
        "indices": network.links.indices,
        "labels": network.labels,
        "classes": pack_values(network.classes),
        "columns": pack_values(network.attributes),
        "about": text_array(
            {
                "name": network.name, "directed": network.directed, "n_links": network.n_links,
                "tally": network.tally.to_dict(),
                "reading": None if network.reading is None else network.reading.to_dict(),
            }
        ),
    }  # fmt: skip
    if network.links.weights is not None:
        arrays["weights"] = network.links.weights
    arrays |= {
        name: values
        for name in ("targets", "times")
        if (values := getattr(network, name)) is not None
    }
    if not is_range(network.ids):
        arrays["ids"] = packed(network.ids)
    for number, column in enumerate(network.attributes.values()):
        arrays[f"column_{number}"] = packed(column)
    if features and network.features is not None:
        arrays |= feature_arrays(network.features)
    return arrays


def packed(values: NDArray[Any]) -> NDArray[Any]:
    return values if values.dtype.kind in "iu" else pack_values(values.tolist())


def feature_arrays(features: Any) -> dict[str, NDArray[Any]]:
    if sp.issparse(features):
        rows = sp.csr_array(features)
        return {
            "features_data": rows.data, "features_indices": rows.indices,
            "features_indptr": rows.indptr, "features_shape": np.array(rows.shape),
        }  # fmt: skip
    if features.dtype.hasobject:
        raise TypeError("features of Python objects")
    return {"features": features}


def text_array(value: Any) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(value).encode(), dtype=np.uint8)


def is_range(ids: NDArray[Any]) -> bool:
    return ids.dtype.kind in "iu" and bool(np.array_equal(ids, np.arange(ids.size)))


def from_arrays(arrays: Mapping[str, NDArray[Any]], *, trusted: bool = False) -> Network:
    """Build a network from the result of `to_arrays`; memory maps stay memory maps.

    Parameters
    ----------
    trusted : bool
        Leave out the check of the links, for arrays that this program wrote itself.

    Examples
    --------
    >>> net = Network([0, 1], [1, 2], n_nodes=3, labels=["x", "y", "x"])
    >>> from_arrays(to_arrays(net)).fingerprint() == net.fingerprint()
    True
    """
    try:
        about = json.loads(arrays["about"].tobytes())
        links = Neighbors(arrays["indptr"], arrays["indices"], arrays.get("weights"))
        labels, classes = arrays["labels"], tuple(unpack_values(arrays["classes"]))
        targets, times = arrays.get("targets"), arrays.get("times")
        tally = Tally(**about["tally"])
        reading = None if about.get("reading") is None else report_from(about["reading"])
        name, directed, n_links = str(about["name"]), bool(about["directed"]), about["n_links"]
        names = [str(column) for column in unpack_values(arrays["columns"])]
        columns = [unpacked(arrays[f"column_{number}"]) for number in range(len(names))]
        n = links.indptr.size - 1
        ids = unpacked(arrays["ids"]) if "ids" in arrays else np.arange(n)
        features = features_of(arrays)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"the arrays make no network ({type(error).__name__}: {error})") from None
    if not trusted:
        check_links(links, n)
        sizes = {"labels": labels.size, "ids": ids.size}
        sizes |= {} if targets is None else {"targets": targets.size}
        if times is not None and times.size != links.indices.size:
            raise InputError("the arrays make no network: times and links do not fit")
        sizes |= {f"node column {key!r}": column.size for key, column in zip(names, columns)}
        wrong = next((what for what, size in sizes.items() if size != n), None)
        if wrong is not None:
            raise InputError(
                f"the arrays make no network: {wrong} has {sizes[wrong]:,} of {n:,} entries"
            )
        if targets is not None:
            known = known_codes(check_targets(targets, n))
            if classes or not np.array_equal(labels, known):
                raise InputError("the arrays make no network: labels and targets do not fit")
        elif n and not MISSING <= labels.min() <= labels.max() < len(classes):
            raise InputError("the arrays make no network: a label code stands for no class")
    network = Network.__new__(Network)
    network._set(
        n_nodes=n,
        n_links=int(n_links),
        directed=directed,
        _storage=LinkStorage(
            Neighbors(*(None if part is None else frozen(part) for part in links))  # type: ignore[arg-type]
        ),
        labels=frozen(labels),
        classes=classes,
        targets=None if targets is None else frozen(targets),
        ids=frozen(ids),
        features=features,
        attributes=MappingProxyType(dict(zip(names, map(frozen, columns)))),
        name=name,
        times=None if times is None else frozen(times),
        tally=tally,
        reading=reading,
        feature_columns=None,
        _derived={},
    )
    return network


def unpacked(array: NDArray[Any]) -> NDArray[Any]:
    return array if array.dtype.kind in "iu" else object_array(unpack_values(array))


def features_of(arrays: Mapping[str, NDArray[Any]]) -> Any:
    if "features_indptr" in arrays:
        parts = tuple(arrays[f"features_{part}"] for part in ("data", "indices", "indptr"))
        shape = tuple(arrays["features_shape"].tolist())
        return frozen_matrix(sp.csr_array(parts, shape=shape))
    return frozen(arrays["features"]) if "features" in arrays else None


def check_links(links: Neighbors, n: int) -> None:
    """Refuse compressed rows that would lead a compiled loop out of its arrays."""
    indptr, indices, weights = links
    fits = (
        n >= 0
        and indptr.dtype == np.int64
        and indices.dtype == np.int32
        and indptr[0] == 0
        and indptr[-1] == indices.size
        and (weights is None or (weights.size == indices.size and weights.dtype == np.float64))
    )
    if not fits:
        raise InputError("the arrays make no network: sizes or types of the links do not fit")
    for begin in range(0, n, PIECE):
        if (np.diff(indptr[begin : begin + PIECE + 1]) < 0).any():
            raise InputError("the arrays make no network: row starts do not ascend")
    for begin in range(0, indices.size, PIECE):
        piece = indices[begin : begin + PIECE]
        if not 0 <= piece.min() <= piece.max() < n:
            raise InputError(f"the arrays make no network: a link names no node of the {n}")
        if weights is not None and not np.isfinite(weights[begin : begin + PIECE]).all():
            raise InputError("the arrays make no network: a weight is not finite")
