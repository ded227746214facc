"""MATLAB files with groups, numpy archives as ppnp writes them, and several classes a node."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse as sp

from conftest import SHARED
from hostile import put, refused
from nettrial.core.errors import InputError, ReadWarning
from nettrial.io import read, read_with_report

CASE = SHARED / "cases" / "files" / "mat_network_group" / "net.mat"


def links(seed: int, n: int = 8) -> sp.csc_array:
    rng = np.random.default_rng(seed)
    dense = np.triu(rng.random((n, n)) < 0.4, 1)
    return sp.csc_array((dense | dense.T).astype(float))


def label_list(network: Any) -> list[Any]:
    return [None if c < 0 else network.classes[c] for c in network.labels]


@pytest.mark.skipif(not CASE.is_file(), reason=f"needs {CASE}")
def test_case_of_network_and_group() -> None:
    network, report = read_with_report(CASE)
    content = scipy.io.loadmat(CASE, spmatrix=False)
    np.testing.assert_array_equal(network.adjacency().toarray(), content["network"].toarray())
    codes = content["group"].toarray().argmax(axis=1) + 1
    assert label_list(network) == codes.tolist()
    assert report.label == "group"


@pytest.mark.parametrize("form", ["one column", "sparse", "dense", "row"])
@pytest.mark.parametrize("names", [("network", "group"), ("Network", "Label"), ("A", "y")])
@pytest.mark.parametrize("compressed", [False, True])
def test_groups(tmp_path: Path, form: str, names: tuple[str, str], compressed: bool) -> None:
    matrix = links(1)
    codes = np.array([1, 2, 3, 1, 2, 3, 1, 1])
    hot = np.eye(3)[codes - 1]
    group: Any = {
        "one column": codes[:, None],
        "row": codes[None, :],
        "dense": hot,
        "sparse": sp.csc_array(hot),
    }[form]
    if form in ("sparse", "dense"):
        group = sp.lil_array(group)
        group[5, 2] = 0  # a node without class
        group = sp.csc_array(group) if form == "sparse" else group.toarray()
    content = {names[0]: matrix, names[1]: group, "Attributes": np.arange(16.0).reshape(8, 2)}
    scipy.io.savemat(tmp_path / "x.mat", content, do_compression=compressed)
    network, report = read_with_report(tmp_path / "x.mat")
    want: list[Any] = codes.tolist()
    if form in ("sparse", "dense"):
        want[5] = None
    assert label_list(network) == want
    assert (report.format, report.label) == ("MATLAB", names[1])
    np.testing.assert_array_equal(network.adjacency().toarray(), matrix.toarray())
    np.testing.assert_array_equal(network.features, content["Attributes"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"network": links(2), "group": np.ones((8, 2))}, "8 of 8 nodes several classes"),
        ({"network": links(2), "group": sp.csc_array(np.ones((8, 2)))}, "multi-label"),
        ({"network": links(2), "group": np.full((8, 3), 2)}, "expected zeros and ones in group"),
        ({"network": links(2), "group": np.ones((5, 1))}, "expected a row for each of 8 nodes"),
        ({"network": links(2), "group": np.full((8, 1), 0.5)}, "whole numbers as classes"),
        ({"network": np.ones((2, 3)), "group": [[1], [2]]}, "expected a square matrix"),
        ({"network": -links(2), "group": np.ones((8, 1))}, "have a negative weight"),
        ({"network": "text", "group": np.ones((8, 1))}, "expected"),
        ({"people": np.ones((2, 3))}, r"expected the variables network and group.*people \(2 x 3"),
        ({}, "got none"),
    ],
)
def test_damaged_groups(tmp_path: Path, content: dict[str, Any], message: str) -> None:
    scipy.io.savemat(tmp_path / "x.mat", content)
    refused(tmp_path / "x.mat", match=message)


def dotted(seed: int, **more: Any) -> dict[str, Any]:
    matrix = sp.csr_array(links(seed))
    features = sp.random_array((8, 4), density=0.5, rng=seed, format="csr")
    keys = ("data", "indices", "indptr", "shape")
    return {
        **{f"adj_matrix.{k}": getattr(matrix, k) for k in keys},
        **{f"attr_matrix.{k}": getattr(features, k) for k in keys},
        "labels": np.array([0, 1, 2, 0, 1, 2, 0, 0]),
    } | more  # fmt: skip


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("names", ["text", "objects", "none"])
def test_dotted_names_as_ppnp_writes_them(tmp_path: Path, seed: int, names: str) -> None:
    content = dotted(seed)
    if names != "none":
        kind = object if names == "objects" else None
        content["class_names"] = np.array(["a", "b", "c"], dtype=kind)
        content["metadata"] = np.array({"never": "loaded"}, dtype=object)
    np.savez_compressed(tmp_path / "cora_ml.npz", **content)
    network, report = read_with_report(tmp_path / "cora_ml.npz")
    assert report.format == "ppnp npz"
    codes = content["labels"].tolist()
    assert label_list(network) == (["abc"[c] for c in codes] if names == "text" else codes)
    np.testing.assert_array_equal(network.adjacency().toarray(), links(seed).toarray())
    want = sp.csr_array(
        tuple(content[f"attr_matrix.{k}"] for k in ("data", "indices", "indptr")), shape=(8, 4)
    )
    np.testing.assert_array_equal(network.features.toarray(), want.toarray())
    assert any("Python objects" in note for note in report.notes) == (names == "objects")


def test_labels_as_zeros_and_ones(tmp_path: Path) -> None:
    content = dotted(3, labels=np.eye(3)[[0, 1, 2, 0, 1, 2, 0, 0]])
    np.savez(tmp_path / "x.npz", **content)
    assert label_list(read(tmp_path / "x.npz")) == [0, 1, 2, 0, 1, 2, 0, 0]
    np.savez(tmp_path / "y.npz", **dotted(3, labels=np.ones((8, 3))))
    refused(tmp_path / "y.npz", match="8 of 8 nodes several classes each")
    hot = np.zeros((3, 2), int)
    hot[0] = 1
    np.savez(tmp_path / "z.npz", edges=[[0, 1], [1, 2]], node_labels=hot)
    refused(tmp_path / "z.npz", match="1 of 3 nodes several classes each")
    hot[0, 1] = 0
    np.savez(tmp_path / "w.npz", edges=[[0, 1], [1, 2]], node_labels=hot)
    assert label_list(read(tmp_path / "w.npz")) == [0, None, None]


def test_planetoid_with_several_classes(tmp_path: Path) -> None:
    parts = {"graph": {0: [1], 1: [0], 2: []}, "ally": np.array([[1, 1], [0, 1]]),
             "ty": np.array([[1, 0]])}  # fmt: skip
    for key, value in parts.items():
        put(tmp_path / f"ind.tiny.{key}", pickle.dumps(value, protocol=2))
    put(tmp_path / "ind.tiny.test.index", "2\n")
    refused(tmp_path / "ind.tiny.graph", match="1 of 2 nodes several classes each")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"adj_matrix.indptr": np.array([0, 1])}, "are no compressed rows"),
        ({"adj_matrix.shape": np.array([10**9, 10**9])}, "are no compressed rows"),
        ({"labels": np.zeros(5, int)}, r"shape is \(8, 8\), but there are 5 labels"),
        ({"labels": np.array(["a"] * 8)}, "must be an array of integers"),
        ({"attr_matrix.shape": np.array([7, 4])}, "are no compressed rows"),
    ],
)
def test_damaged_dotted_names(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    np.savez(tmp_path / "x.npz", **dotted(1, **change))
    refused(tmp_path / "x.npz", match=message)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_short_tables_of_links_are_no_matrices(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [[*rng.choice(np.arange(1, 30), 2, replace=False), 1, k + 2000, 1] for k in range(4)]
    path = put(tmp_path / "x.txt", "".join(" ".join(map(str, row)) + "\n" for row in rows))
    try:
        report = read_with_report(path)[1]
    except (InputError, ReadWarning):
        return  # columns that look like times are asked about
    assert report.format == "edge list"


@pytest.mark.parametrize("symmetric", [False, True])
def test_matrices_of_numbers_alone(tmp_path: Path, symmetric: bool) -> None:
    matrix = sp.random_array((6, 6), density=0.4, rng=1).toarray().round(2)
    matrix = matrix + matrix.T + 1 if symmetric else matrix
    np.fill_diagonal(matrix, 0)
    path = tmp_path / "x.csv"
    np.savetxt(path, matrix, delimiter=",", fmt="%.2f")
    network, report = read_with_report(path)
    assert report.format == "adjacency table"
    np.testing.assert_allclose(network.adjacency("out").toarray(), matrix)


# --- matrices with their nodes in another file


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("packed", [False, True])
def test_sparse_matrices_as_scipy_saves_them(
    tmp_path: Path, seed: int, form: str, packed: bool
) -> None:
    rng = np.random.default_rng(seed)
    matrix = np.triu(rng.integers(0, 3, (9, 9)), 1)  # with a direction and weights
    labels = rng.choice(["p", "q"], 9)
    put(tmp_path / "labels.csv", "\n".join(labels) + "\n")
    sp.save_npz(tmp_path / "adj.npz", sp.coo_array(matrix).asformat(form), compressed=packed)
    network, report = read_with_report(tmp_path, directed=True)
    assert report.format == "scipy npz"
    want = sp.load_npz(tmp_path / "adj.npz").toarray()
    np.testing.assert_array_equal(network.adjacency("out").toarray(), want)
    assert label_list(network) == labels.tolist()
    with pytest.warns(ReadWarning, match=r"labels\.csv beside adj\.npz may hold the nodes"):
        assert read(tmp_path / "adj.npz", directed=True).n_classes == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": b"dia"}, r"in the form 'dia'; save matrix\.tocsr"),
        ({"shape": [3, 4]}, "is 3 by 4; an adjacency matrix is square"),
        ({"row": [0, 9]}, "row holds the node number 9"),
        ({"row": [0]}, "are no entries of one matrix"),
        ({"data": [-1.0, 1]}, "have a negative weight"),
        ({"shape": [10**12, 10**12]}, "declares the shape"),
        ({"format": b"csr"}, "lacks the array 'indices'"),
    ],
)
def test_damaged_sparse_matrices(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    parts: dict[str, Any] = {
        "format": b"coo", "shape": [3, 3], "row": [0, 1], "col": [1, 2], "data": [1.0, 1]
    }  # fmt: skip
    np.savez(tmp_path / "x.npz", **(parts | change))
    refused(tmp_path / "x.npz", match=message)


@pytest.mark.parametrize("names", [("edge_index", "y", "x"), ("edges", "labels", "features")])
def test_arrays_as_pytorch_geometric_names_them(tmp_path: Path, names: tuple[str, ...]) -> None:
    pairs, labels = np.argwhere(links(3).toarray()), np.arange(8) % 3
    edges = pairs.T if names[0] == "edge_index" else pairs
    masks = {"train_mask": labels == 0, "test_mask": labels == 1}
    parts = dict(zip(names, (edges, labels, np.eye(8))))
    np.savez(tmp_path / "x.npz", **parts, **masks)
    network = read(tmp_path / "x.npz")
    np.testing.assert_array_equal(network.adjacency().toarray(), links(3).toarray())
    assert label_list(network) == labels.tolist()
    np.testing.assert_array_equal(network.features, np.eye(8))


@pytest.mark.parametrize("nodes", ["named", "numbered", "in order", "with row names"])
@pytest.mark.parametrize("blank", [False, True])
def test_tables_of_nodes_beside_a_matrix(tmp_path: Path, nodes: str, blank: bool) -> None:
    matrix = pd.DataFrame(links(2).toarray().astype(int))
    if nodes != "numbered":
        matrix.index = matrix.columns = pd.Index([f"n{k}" for k in range(8)])
    cells = matrix.astype(object).where(matrix != 0, "") if blank else matrix
    put(tmp_path / "matrix.csv", cells.to_csv())
    table = pd.DataFrame({"name": matrix.index, "club": list("ababbaab")}).sample(
        frac=1.0, random_state=1
    )
    if nodes == "in order":
        text = table.sort_index()["club"].to_csv(index=False, header=False)
    else:
        text = table.to_csv(index=nodes == "with row names")
    path = put(tmp_path / "attributes.csv", text)
    for network in (read(tmp_path), read(tmp_path / "matrix.csv", nodes=path)):
        np.testing.assert_array_equal(network.adjacency().toarray(), matrix.to_numpy())
        assert label_list(network) == list("ababbaab")


def test_a_missing_diagonal_is_no_link(tmp_path: Path) -> None:
    matrix = links(4).toarray().astype(int)
    cells = pd.DataFrame(matrix).astype(object)
    for k in range(8):
        cells.iloc[k, k] = "NA"
    network = read(put(tmp_path / "matrix.csv", cells.to_csv()))
    np.testing.assert_array_equal(network.adjacency().toarray(), matrix)
    cells.iloc[0, 1] = cells.iloc[1, 0] = "NA"
    refused(put(tmp_path / "other.csv", cells.to_csv()), match="weight 'NA' is not a finite number")
