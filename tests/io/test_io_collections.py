"""Folders of collections: OGB, TUDataset, KONECT and SocioPatterns, by their own programs."""

from __future__ import annotations

import contextlib
import gzip
import io
import re
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import file_formats
from file_kinds import Truth, kind
from hostile import put, refused
from nettrial.io import project, read, read_with_report

assert file_formats  # which adds its kinds to the table


def label_list(network: Any) -> list[Any]:
    return [None if c < 0 else network.classes[c] for c in network.labels]


def write_ogb(folder: Path, seed: int, *, labels: Any = None, packed: bool = True) -> Path:
    """Write a graph of 9 nodes in OGB's layout."""
    rng = np.random.default_rng(seed)
    pairs = np.argwhere(rng.random((9, 9)) < 0.3)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    labels = rng.integers(0, 3, (9, 1)).astype(float) if labels is None else labels
    parts = {
        "edge": pairs, "num-node-list": [[9]], "num-edge-list": [[len(pairs)]],
        "node-feat": rng.normal(size=(9, 4)), "node-label": labels,
        "node_year": rng.integers(1990, 2000, (9, 1)),
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    for name, values in parts.items():
        text = pd.DataFrame(values).to_csv(header=False, index=False)
        path = folder / (f"{name}.csv.gz" if packed else f"{name}.csv")
        path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return folder


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("place", ["dataset", "raw", "file"])
def test_ogb_as_its_package_reads_it(tmp_path: Path, seed: int, place: str) -> None:
    raw = pytest.importorskip("ogb.io.read_graph_raw")
    folder = write_ogb(tmp_path / "ogbn_tiny" / "raw", seed)
    put(folder.parent / "RELEASE_v1.txt", "")
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        (want,) = raw.read_csv_graph_raw(str(folder), additional_node_files=["node_year"])
    path = {"dataset": folder.parent, "raw": folder, "file": folder / "edge.csv.gz"}[place]
    network, report = read_with_report(path, directed=True)
    assert (report.format, report.label, network.n_nodes) == ("OGB", "label", want["num_nodes"])
    matrix = np.zeros((9, 9))
    matrix[tuple(want["edge_index"])] = 1
    np.testing.assert_array_equal(network.adjacency("out").toarray(), matrix)
    np.testing.assert_allclose(network.features, want["node_feat"])
    assert list(network.attributes["node_year"]) == want["node_year"].ravel().tolist()
    labels = pd.read_csv(folder / "node-label.csv.gz", header=None)[0].tolist()
    assert label_list(network) == labels


def test_ogb_with_missing_or_several_classes(tmp_path: Path) -> None:
    gaps = np.array([[0.0], [1], [np.nan], [2], [0], [1], [2], [0], [1]])
    network = read(write_ogb(tmp_path / "a", 3, labels=gaps, packed=False))
    assert label_list(network) == [0, 1, None, 2, 0, 1, 2, 0, 1]
    hot = np.zeros((9, 2), int)
    hot[:, 0] = 1
    assert set(label_list(read(write_ogb(tmp_path / "b", 3, labels=hot)))) == {0}
    hot[4] = 1
    refused(write_ogb(tmp_path / "c", 3, labels=hot), match=r"node-label.csv.gz.* 1 of 9 nodes sev")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("edge", "0,1\n0,x\n", "edge.csv.gz, line 2: expected a number, got 'x'"),
        ("edge", "0,1\n0\n", "edge.csv.gz, line 2: 1 fields, expected 2"),
        ("edge", "0,1\n0,99\n", "edge.csv.gz: edge.csv.gz holds the node number 99"),
        ("edge", "0,1\n0,0.5\n", "expected whole numbers as ends of links, got 0.5 in row 2"),
        ("num-node-list", "9\n9\n", "lists 2 graphs, expected one"),
        ("num-node-list", "99999999999\n", "declares 99999999999 nodes for"),
        ("node-label", "0\n1\n", "holds 2 rows for 9 nodes"),
        ("triplet-type-list", "a,b,c\n", "holds nodes of several types"),
    ],
)
def test_damaged_ogb(tmp_path: Path, name: str, text: str, message: str) -> None:
    folder = write_ogb(tmp_path / "raw", 1)
    put(folder / f"{name}.csv.gz", gzip.compress(text.encode()))
    refused(folder, match=re.escape(message))


def write_tu(folder: Path, seed: int, *, graphs: int = 3) -> Path:
    """Write graphs in the layout of TUDataset."""
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    numbers = np.sort(rng.integers(1, graphs + 1, 12))
    numbers[:graphs] = np.arange(1, graphs + 1)
    numbers.sort()
    matrix = (rng.random((12, 12)) < 0.5) & (numbers[:, None] == numbers[None, :])
    matrix = np.triu(matrix, 1)
    pairs = np.argwhere(matrix | matrix.T) + 1
    parts = {
        "A": "".join(f"{s}, {t}\n" for s, t in pairs),
        "graph_indicator": "".join(f"{k}\n" for k in numbers),
        "node_labels": "".join(f"{k}\n" for k in rng.integers(0, 3, 12)),
        "node_attributes": "".join(f"{a:.6f}, {b:.6f}\n" for a, b in rng.normal(size=(12, 2))),
        "graph_labels": "".join(f"{k}\n" for k in range(graphs)),
    }
    if graphs == 1:  # which PyTorch Geometric cannot read
        del parts["graph_labels"]
    for name, text in parts.items():
        put(folder / f"TINY_{name}.txt", text)
    return folder


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("graphs", [1, 3])
def test_tudataset_as_pytorch_geometric_reads_it(tmp_path: Path, seed: int, graphs: int) -> None:
    reader = pytest.importorskip("torch_geometric.io")
    folder = write_tu(tmp_path / "TINY", seed, graphs=graphs)
    data, slices, _ = reader.read_tu_data(str(folder), "TINY")
    network = read(f"{folder}#all" if graphs > 1 else folder)
    starts = slices["x"].tolist()
    matrix = np.zeros((12, 12))
    for k in range(graphs):
        piece = data.edge_index[:, slices["edge_index"][k] : slices["edge_index"][k + 1]].numpy()
        matrix[tuple(piece + starts[k])] = 1
    np.testing.assert_array_equal(network.adjacency().toarray(), matrix)
    one_hot = data.x[:, 2:].numpy()
    raw = [int(v) for v in (folder / "TINY_node_labels.txt").read_text().split()]
    assert label_list(network) == raw
    assert (one_hot.argmax(axis=1) + min(raw)).tolist() == raw
    np.testing.assert_allclose(network.features, data.x[:, :2].numpy(), rtol=1e-6)
    assert not network.directed


@pytest.mark.parametrize("seed", [1, 2])
def test_archives_as_pytorch_geometric_reads_them(tmp_path: Path, seed: int) -> None:
    reader = pytest.importorskip("torch_geometric.io")
    place = kind.writers["npz of gnn-benchmark"](Truth(seed), tmp_path).place
    data = reader.read_npz(place)
    network = read(place)
    matrix = np.zeros((data.num_nodes, data.num_nodes))
    matrix[tuple(data.edge_index.numpy())] = 1
    np.testing.assert_array_equal(network.adjacency().toarray() > 0, matrix > 0)
    assert label_list(network) == data.y.tolist()
    np.testing.assert_array_equal(network.features.toarray(), data.x.numpy())


def test_graphs_of_tudataset_are_never_merged(tmp_path: Path) -> None:
    folder = write_tu(tmp_path / "raw", 1)
    assert "holds 3 graphs, which are not merged; choose one as raw#1 to #3" in refused(folder)
    whole = read(f"{folder}#all")
    parts = [read(f"{folder}#{k}") for k in (1, 2, 3)]
    assert sum(part.n_nodes for part in parts) == whole.n_nodes == 12
    assert sum(part.n_links for part in parts) == whole.n_links
    assert [x for part in parts for x in label_list(part)] == label_list(whole)
    assert "got '9'" in refused(Path(f"{folder}#9"))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("A", "1, 12\n12, 1\n", "TINY_A.txt, line 1: links nodes of two graphs"),
        ("A", "1, 99\n", "holds the node number 99"),
        ("graph_indicator", "1\nx\n", "line 2: expected a number, got 'x'"),
        ("node_labels", "1\n2\n", "TINY_node_labels.txt, line 2: holds 2 rows for 12 nodes"),
    ],
)
def test_damaged_tudataset(tmp_path: Path, name: str, text: str, message: str) -> None:
    folder = write_tu(tmp_path / "x", 1)
    put(folder / f"TINY_{name}.txt", text)
    refused(Path(f"{folder}#all"), match=re.escape(message))


@pytest.mark.parametrize("kind", ["sym", "asym"])
@pytest.mark.parametrize("weights", ["unweighted", "positive"])
@pytest.mark.parametrize("sizes", [False, True])
def test_konect(tmp_path: Path, kind: str, weights: str, sizes: bool) -> None:
    rng = np.random.default_rng(5)
    graph = nx.gnp_random_graph(8, 0.4, seed=5, directed=kind == "asym")
    rows = [(s + 1, t + 1, int(rng.integers(1, 5))) for s, t in graph.edges()]
    text = f"% {kind} {weights}\n" + f"% {len(rows)} 8 8\n" * sizes
    text += "".join(
        f"{s}\t{t}" + f" {w} 120000{k}" * (weights != "unweighted") + "\n"
        for k, (s, t, w) in enumerate(rows)
    )
    folder = tmp_path / "tiny"
    folder.mkdir()
    put(folder / "out.tiny", text)
    put(folder / "ent.tiny.kind", "% the kind\n" + '"a"\n"b"\n' * 4)
    put(folder / "meta.tiny", "name: Tiny\ncode: TI\n")
    put(folder / "README.tiny", "a a a\nb b b\n")
    network, report = read_with_report(folder)
    assert (report.format, report.direction_choice) == ("KONECT", "stated by the file")
    want = np.zeros((8, 8))
    for s, t, w in rows:
        want[s - 1, t - 1] = 1 if weights == "unweighted" else w
        if kind == "sym":
            want[t - 1, s - 1] = want[s - 1, t - 1]
    np.testing.assert_array_equal(network.adjacency("out").toarray(), want)
    assert (network.directed, report.label) == (kind == "asym", "kind")
    assert label_list(network) == list("abababab")


def test_konect_with_two_modes(tmp_path: Path) -> None:
    path = put(tmp_path / "out.clubs", "% bip unweighted\n% 3 2 3\n1 1\n2 1\n2 3\n")
    network, report = read_with_report(path)
    assert (network.n_nodes, network.n_links, network.directed) == (5, 3, False)
    assert network.ids.tolist() == ["left 1", "left 2", "right 1", "right 2", "right 3"]
    assert any("two-mode network of 2 and 3 nodes" in note for note in report.notes)
    assert project(network, "mode", 1).n_links == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("% sym unweighted\n1 x\n", "line 2: 'x' is no node number"),
        ("% sym unweighted\n0 1\n", "line 2: node 0 is below 1"),
        ("% sym unweighted\n1 2 3 4 5\n", "has 5 columns, expected two ids"),
        ("% sym signed\n1 2 -1\n", "negative weight, such as -1"),
        ("% sym unweighted\n1 999999999999\n", "declares 999999999999 nodes"),
        ("% bip unweighted\n% 1 99999999999 2\n1 2\n", "nodes, but with its"),
    ],
)
def test_damaged_konect(tmp_path: Path, text: str, message: str) -> None:
    refused(put(tmp_path / "out.x", text), match=re.escape(message))


@pytest.mark.parametrize("classes", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_contacts(tmp_path: Path, classes: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    people = rng.choice(np.arange(1000, 2000), 9, replace=False)
    kinds = dict(zip(people.tolist(), rng.choice(["MED", "NUR", "PAT"], 9).tolist()))
    rows = []
    time = 140
    for _ in range(60):
        time += int(20 * rng.integers(0, 3))
        i, j = rng.choice(people, 2, replace=False).tolist()
        rows.append([time, i, j, *([kinds[i], kinds[j]] if classes else [])])
    text = pd.DataFrame(rows).to_csv(sep="\t", header=False, index=False)
    path = put(tmp_path / "contacts.dat", text)
    network, report = read_with_report(path)
    assert report.format == "SocioPatterns"
    want = pd.read_csv(path, sep="\t", header=None)
    pairs = want[[1, 2]].apply(lambda row: tuple(sorted(row)), axis=1).value_counts()
    ids = network.ids.tolist()
    got = network.adjacency().toarray()
    for (i, j), count in pairs.items():
        assert got[ids.index(i), ids.index(j)] == count
    assert got.sum() == 2 * len(rows)
    if classes:
        assert label_list(network) == [kinds[i] for i in ids]
    else:
        kinds |= {5000: "PAT", 5001: "MED"}  # people without contacts, as some are in the real file
        table = put(tmp_path / "metadata.txt", "".join(f"{k}\t{v}\n" for k, v in kinds.items()))
        for whole, report in (read_with_report(path, nodes=table), read_with_report(tmp_path)):
            assert whole.ids.tolist() == [*ids, 5000, 5001]
            assert label_list(whole) == [kinds[i] for i in whole.ids.tolist()]
            assert whole.n_links == network.n_links
            assert "2 nodes of metadata.txt have no links" in report.notes


def test_contacts_with_two_classes_a_person(tmp_path: Path) -> None:
    text = "20 1001 1002 A B\n40 1001 1003 A B\n60 1002 1001 A A\n"
    message = refused(put(tmp_path / "x.dat", text), match="person 1002 is of class 'A'")
    assert "line 3" in message


@pytest.mark.parametrize("text", ["20 40 1\n40 60 2\n60 80 1\n", "1 2 20\n1 3 40\n2 3 60\n"])
def test_weighted_links_are_no_contacts(tmp_path: Path, text: str) -> None:
    assert read_with_report(put(tmp_path / "x.txt", text))[1].format != "SocioPatterns"
