"""Networks in numpy archives: arrays of links and labels, gnn-benchmark, and our own layout."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .archive import Archive, check_rows, compressed, members_of, whole
from .format import Format
from .found import Found
from .guards import check_range, fail
from .multilabel import class_codes
from .own_npz import read_own

LINKS = ("edges", "edge_index", "edge_list")
LABELS = ("node_labels", "node_label", "labels", "label", "y")
FEATURES = ("node_features", "node_feat", "features", "x")


def is_npz(head: bytes, path: Path) -> bool:
    """Return whether a zip archive holds the arrays of a network in one of the known layouts."""
    members = members_of(head, path)
    if members is None:
        return path.suffix == ".npz"
    names = {name.removesuffix(".npy") for name in members}
    known = ("nettrial", *LINKS, "adj_indptr", "adj_matrix.indptr")
    masks = all(name.endswith(("_mask", "_masks")) for name in names)
    return any(name in names for name in known) or (path.suffix == ".npz" and not masks)


def read_npz(path: Path) -> Found:
    """Read the network of a numpy archive."""
    archive = Archive(path)
    if "nettrial" in archive:
        return read_own(archive)
    for mark in ("_", "."):  # gnn-benchmark, and ppnp
        if f"adj{mark}indptr" in archive:
            return gnn_benchmark(archive, f"adj{mark}", f"attr{mark}")
        if f"adj_matrix{mark}indptr" in archive:
            return gnn_benchmark(archive, f"adj_matrix{mark}", f"attr_matrix{mark}")
    if find(archive, LINKS) and find(archive, LABELS):
        return arrays(archive)
    names = ", ".join(sorted(archive.members)) or "none"
    return fail(
        path,
        "holds no network in a known layout; expected the arrays edges (or edge_index) and "
        "node_labels (or y), or adj_indptr, adj_indices, adj_shape and labels, or "
        "adj_matrix.indptr, adj_matrix.indices, adj_matrix.shape and labels, or a matrix by "
        f"scipy.sparse.save_npz; got {names}",
    )


def find(archive: Archive, names: Sequence[str]) -> str:
    """Return the first of several names that an array has; empty where none has it."""
    return next((name for name in names if name in archive), "")


def arrays(archive: Archive) -> Found:
    """Read links, shape (n_links, 2) or as PyTorch Geometric has them, labels and features."""
    where, of = find(archive, LINKS), find(archive, LABELS)
    edges, labels = whole(archive, where, 2), codes(archive, of)
    if where == "edge_index" or (edges.shape[1] != 2 and edges.shape[0] == 2):
        edges = edges.T
    if edges.shape[1] != 2:
        fail(archive.path, f"{where} has the shape {archive[where].shape}, expected two columns")
    check_range(archive.path, edges.ravel(), labels.size, where)
    heterophilous = (where, of) == ("edges", "node_labels")
    return Found(
        "heterophilous-graphs npz" if heterophilous else "npz of links and labels",
        [archive.path],
        edges[:, 0],
        edges[:, 1],
        nodes=np.arange(labels.size),
        columns={"label": label_column(labels)},
        label="label",
        features=feature_rows(archive, labels.size),
        indexed=True,
    )


def feature_rows(archive: Archive, n: int) -> Any:
    name = find(archive, FEATURES)
    if not name:
        return None
    return check_rows(archive.path, name, archive[name], n)


def codes(archive: Archive, name: str) -> NDArray[np.int64]:
    """Load class codes: one per node, or zeros and ones in a column for each class."""
    for mark in ("_", "."):
        if f"{name}{mark}indptr" in archive:
            return class_codes(archive.path, compressed(archive, f"{name}{mark}"), name)
    array = archive[name]
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim == 2 and array.dtype.kind in "iufb":
        return class_codes(archive.path, array, name)
    return whole(archive, name, array.ndim if array.ndim == 1 else 1, array)


def label_column(labels: NDArray[np.int64]) -> list[int | None]:
    return [None if code < 0 else code for code in labels.tolist()]


def gnn_benchmark(archive: Archive, adj: str, attr: str) -> Found:
    """Read compressed rows of links and features, labels, node_names and class_names."""
    matrix, labels = compressed(archive, adj), codes(archive, "labels")
    n = labels.size
    if matrix.shape != (n, n):
        fail(archive.path, f"{adj}shape is {matrix.shape}, but there are {n} labels")
    source, target, weight = sparse_links(archive.path, matrix, f"{adj}data")
    found = Found(
        "gnn-benchmark npz" if adj.endswith("_") else "ppnp npz",
        [archive.path],
        source,
        target,
        nodes=np.arange(n),
        columns={"label": label_column(labels)},
        label="label",
        weight=weight,
        indexed=True,
        features=features_of(archive, attr, n),
    )
    add_names(found, archive, labels)
    return found


def sparse_links(path: Path, matrix: Any, what: str) -> tuple[Any, Any, Any]:
    """Return ends and weights of a matrix; None for weights that are all 1."""
    coo = matrix.tocoo()
    weight = np.asarray(coo.data, dtype=np.float64)
    if not np.isfinite(weight).all():
        fail(path, f"{what} holds weights that are not finite numbers")
    return coo.row, coo.col, None if (weight == 1).all() else weight


def features_of(archive: Archive, attr: str, n: int) -> Any:
    """Load features, sparse, or as a plain matrix."""
    if f"{attr}indptr" in archive:
        matrix = compressed(archive, attr)
    elif attr[:-1] in archive:
        matrix = archive[attr[:-1]]
    else:
        return None
    return check_rows(archive.path, attr[:-1], matrix, n)


def add_names(found: Found, archive: Archive, labels: NDArray[np.int64]) -> None:
    """Replace numbers by names of classes and nodes, where they need no pickle."""
    names = {}
    for key in ("class_names", "node_names"):
        if key in archive and archive.holds_objects(key):
            found.notes.append(f"{key} holds Python objects, which are not read")
        elif key in archive:
            names[key] = archive[key].ravel()
    if "class_names" in names:
        classes = names["class_names"].tolist()
        check_range(archive.path, labels[labels >= 0], len(classes), "labels")
        found.columns["label"] = [None if c < 0 else classes[c] for c in labels.tolist()]
    if "node_names" in names:
        ids = names["node_names"]
        if ids.size != labels.size:
            fail(archive.path, f"node_names has {ids.size} entries for {labels.size} labels")
        if np.unique(ids).size == ids.size:
            found.nodes = np.array(ids.tolist(), dtype=object)
        else:
            found.columns["name"] = ids.tolist()


FILE_FORMATS = (
    Format("npz", lambda path, head: is_npz(head, path), lambda r: read_npz(r.path), order=30,
           files="gnn-benchmark, ppnp, heterophilous-graphs, arrays `edge_index` or `edges` with "
                 "`y`, `labels` or `node_label`, and nettrial's own",
           holds="links, weights, features, classes, names that need no pickle"),
)  # fmt: skip
