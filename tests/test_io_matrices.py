"""MATLAB files with groups, numpy archives as ppnp writes them, and several classes a node."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

from conftest import SHARED
from hostile import put, refused
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
    content = scipy.io.loadmat(CASE)
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
        ({"network": -links(2), "group": np.ones((8, 1))}, "weights that are not finite"),
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
