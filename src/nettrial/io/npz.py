"""Networks in numpy archives: heterophilous-graphs, gnn-benchmark, and our own layout."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .archive import BROKEN, Archive, compressed, whole
from .build import Found
from .guards import check_range, fail
from .own_npz import read_own


def is_npz(head: bytes, path: Path) -> bool:
    """Whether a zip archive holds the arrays of a network in one of the known layouts."""
    if not head.startswith(b"PK"):
        return False
    try:
        with zipfile.ZipFile(path) as file:
            names = {name.removesuffix(".npy") for name in file.namelist()}
    except BROKEN:
        return path.suffix == ".npz"
    known = ("nettrial", "edges", "adj_indptr")
    masks = all(name.endswith(("_mask", "_masks")) for name in names)
    return any(name in names for name in known) or (path.suffix == ".npz" and not masks)


def read_npz(path: Path) -> Found:
    """Read the network of a numpy archive."""
    archive = Archive(path)
    if "nettrial" in archive:
        return read_own(archive)
    if "adj_indptr" in archive:
        return gnn_benchmark(archive)
    if "edges" in archive and "node_labels" in archive:
        return heterophilous(archive)
    names = ", ".join(sorted(archive.members)) or "none"
    return fail(
        path,
        f"holds no network in a known layout; its arrays are {names}, needed are edges and "
        "node_labels, or adj_indptr, adj_indices, adj_shape and labels",
    )


def heterophilous(archive: Archive) -> Found:
    """Read arrays edges (n_links, 2), node_labels (n,), node_features (n, d)."""
    edges, labels = whole(archive, "edges", 2), whole(archive, "node_labels", 1)
    if edges.shape[1] != 2 and edges.shape[0] == 2:
        edges = edges.T
    if edges.shape[1] != 2:
        fail(archive.path, f"edges has the shape {edges.shape}, needed are two columns")
    check_range(archive.path, edges.ravel(), labels.size, "edges")
    return Found(
        "heterophilous-graphs npz",
        [archive.path],
        edges[:, 0],
        edges[:, 1],
        nodes=np.arange(labels.size),
        columns={"label": label_column(labels)},
        label="label",
        features=feature_rows(archive, labels.size),
        indexed=True,
    )


def feature_rows(archive: Archive, n: int) -> NDArray[Any] | None:
    if "node_features" not in archive:
        return None
    array = archive["node_features"]
    if array.ndim != 2 or array.shape[0] != n:
        fail(archive.path, f"node_features has the shape {array.shape} for {n} labels")
    return array


def label_column(labels: NDArray[np.int64]) -> list[int | None]:
    return [None if code < 0 else code for code in labels.tolist()]


def gnn_benchmark(archive: Archive) -> Found:
    """Read arrays adj_* (compressed rows), labels, attr_*, node_names and class_names."""
    matrix, labels = compressed(archive, "adj_"), whole(archive, "labels", 1)
    n = labels.size
    if matrix.shape != (n, n):
        fail(archive.path, f"adj_shape is {matrix.shape}, but there are {n} labels")
    coo = matrix.tocoo()
    weight = np.asarray(coo.data, dtype=np.float64)
    if not np.isfinite(weight).all() or (weight < 0).any():
        fail(archive.path, "adj_data holds weights that are not finite numbers of 0 or more")
    found = Found(
        "gnn-benchmark npz", [archive.path], coo.row, coo.col, nodes=np.arange(n),
        columns={"label": label_column(labels)}, label="label",
        weight=None if (weight == 1).all() else weight, indexed=True,
        features=compressed(archive, "attr_") if "attr_indptr" in archive else None,
    )  # fmt: skip
    if "class_names" in archive:
        names = archive["class_names"].ravel().tolist()
        check_range(archive.path, labels[labels >= 0], len(names), "labels")
        found.columns["label"] = [None if c < 0 else names[c] for c in labels.tolist()]
    if "node_names" in archive:
        ids = archive["node_names"].ravel()
        if ids.size != n:
            fail(archive.path, f"node_names has {ids.size} entries for {n} labels")
        if np.unique(ids).size == n:
            found.nodes = np.array(ids.tolist(), dtype=object)
        else:
            found.columns["name"] = ids.tolist()
    return found
