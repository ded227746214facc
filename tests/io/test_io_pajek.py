"""Pajek projects: partitions, vectors, several networks and relations, two modes."""

from __future__ import annotations

import re
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from conftest import SHARED
from hostile import put, refused
from nettrial.core.errors import InputError
from nettrial.io import project, read, read_with_report

CASES = SHARED / "cases" / "files"


def label_list(network: object) -> list[object]:
    return [None if c < 0 else network.classes[c] for c in network.labels]  # type: ignore[attr-defined]


@pytest.mark.skipif(not CASES.is_dir(), reason=f"needs {CASES}")
def test_case_of_a_project_with_a_partition() -> None:
    network, report = read_with_report(CASES / "pajek_partition" / "net.paj")
    assert (network.n_nodes, network.n_links, report.label) == (4, 3, "group")
    assert label_list(network) == [1, 1, 2, 2]


def pajek_of(graph: nx.Graph, path: Path) -> str:
    nx.write_pajek(graph, path)
    return path.read_text()


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_what_networkx_writes_with_partition_and_vector(
    tmp_path: Path, directed: bool, seed: int
) -> None:
    graph = nx.gnp_random_graph(15, 0.2, seed=seed, directed=directed)
    rng = np.random.default_rng(seed)
    for _, _, data in graph.edges(data=True):
        data["weight"] = round(rng.uniform(1, 5), 3)
    graph = nx.relabel_nodes(graph, {k: f"node {k}" for k in graph})
    classes, sizes = rng.integers(1, 4, 15), rng.normal(size=15)
    text = pajek_of(graph, tmp_path / "plain.net")
    text += "*Partition kind\n*Vertices 15\n" + "".join(f" {c}\n" for c in classes)
    text += "*Vector size\n*Vertices 15\n" + "".join(f" {s!r}\n" for s in sizes.tolist())
    text += "*Cluster few\n*Vertices 2\n1\n3\n"
    path = put(tmp_path / "project", text)
    network, report = read_with_report(path)
    want = nx.read_pajek(tmp_path / "plain.net")
    assert network.ids.tolist() == list(want)
    np.testing.assert_array_equal(network.adjacency("out").toarray(), nx.to_numpy_array(want))
    assert (report.label, network.directed) == ("kind", directed)
    assert label_list(network) == classes.tolist()
    assert list(network.attributes["size"]) == sizes.tolist()
    assert [k for k, v in enumerate(network.attributes["few"]) if v == "yes"] == [0, 2]


TWO = """*Network first
*Vertices 3
1 "a"
2 "b"
3 "c"
*Edges
1 2
*Network second
*Vertices 2
*Arcs
1 2 3.5
*Partition of three
*Vertices 3
5
5
7
"""


def test_several_networks_are_never_merged(tmp_path: Path, words) -> None:
    path = put(tmp_path / "x.paj", TWO)
    assert (
        "holds 2 networks (first, second), which are not merged; choose one as x.paj#NAME"
        in refused(path)
    )
    network, report = read_with_report(f"{path}#first")
    assert (network.n_nodes, network.n_links, label_list(network)) == (3, 1, [5, 5, 7])
    assert network.name == f"{path.stem}#first"
    second, report = read_with_report(f"{path}#2")
    assert (second.n_nodes, second.n_links, second.directed, report.label) == (2, 1, True, None)
    assert any("of three has 3 entries for 2 nodes" in note for note in report.notes)
    with words.raises(InputError):
        read(f"{path}#third")


def test_relations_are_chosen_by_name(tmp_path: Path) -> None:
    text = '*Vertices 3\n*Arcs :1 "likes"\n1 2\n*Arcs :2 "knows"\n2 3 2\n*Edges :1\n1 3\n'
    path = put(tmp_path / "x.net", text)
    assert "holds 2 networks (likes, knows)" in refused(path)
    likes = read(f"{path}#likes").adjacency("out").toarray()
    assert likes.tolist() == [[0, 1, 1], [0, 0, 0], [1, 0, 0]]
    assert read(f"{path}#knows").adjacency("out").toarray().tolist() == [
        [0] * 3,
        [0, 0, 2],
        [0] * 3,
    ]
    assert read(f"{path}#2").n_links == 1


@pytest.mark.parametrize(
    ("links", "weights"), [("*Edges\n1 4\n2 4\n3 5 2\n", 2), ("*Matrix\n1 0\n1 0\n0 2\n", 2)]
)
def test_two_modes_are_told(tmp_path: Path, links: str, weights: int) -> None:
    path = put(tmp_path / "x.net", f"*Vertices 5 3\n{links}")
    network, report = read_with_report(path)
    assert any("two-mode network of 3 and 2 nodes" in note for note in report.notes)
    assert list(network.attributes["mode"]) == [1, 1, 1, 2, 2]
    assert network.n_classes == 0  # the mode is no class
    want = np.zeros((5, 5))
    for s, t, w in [(0, 3, 1), (1, 3, 1), (2, 4, weights)]:
        want[s, t] = want[t, s] = w
    np.testing.assert_array_equal(network.adjacency().toarray(), want)
    assert project(network, "mode", 1).n_links == 1


@pytest.mark.parametrize("n", [2, 3, 4])
def test_vertices_that_are_numbers_alone_are_no_partition(tmp_path: Path, n: int) -> None:
    numbers = "".join(f"{k}\n" for k in range(1, n + 1))
    network = read(put(tmp_path / "x.net", f"*Vertices {n}\n{numbers}*Edges\n1 2\n"))
    assert (network.n_nodes, network.n_links) == (n, 1)
    classes = [k % 2 + 1 for k in range(n)]
    put(tmp_path / "x.clu", f"*Vertices {n}\n" + "".join(f"{k}\n" for k in classes))
    assert label_list(read(tmp_path / "x.net", nodes=tmp_path / "x.clu")) == classes


@pytest.mark.parametrize("ending", ["clu", "vec", "other"])
def test_partitions_and_vectors_in_files_of_their_own(tmp_path: Path, ending: str) -> None:
    links = put(tmp_path / "x.net", "*Vertices 3\r\n*Edges\r\n1 2\r\n")
    values = "0.5\n1.5\n2\n" if ending == "vec" else "2\n2\n9\n"
    head = "*Partition kind\n" if ending == "other" else ""
    file = put(tmp_path / f"kind.{ending}", f"{head}*Vertices 3\n{values}".replace("\n", "\r\n"))
    network, report = read_with_report(links, nodes=file)
    assert report.label == (None if ending == "vec" else "kind")
    if ending == "vec":
        assert list(network.attributes["kind"]) == [0.5, 1.5, 2]
    refused(file, match="no network" if ending == "other" else ".")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("*Vertices ³\n*Edges\n1 2\n", "line 1: *Vertices needs the number of nodes, got '³'"),
        ("*Vertices 2\n*Edges\n--1 2\n", "line 3: '--1' is no node number from 1 to 2"),
        ("*Vertices 2\n*Edges\n² 2\n", "line 3: '²' is no node number"),
        ("*Vertices 2\n*Edges\n1 2 1_0\n", "line 3: weight '1_0'"),
        ("*Vertices 2\n*Edges\n1 2 ３\n", "line 3: weight '３'"),
        ("*Vertices 2 9\n*Edges\n1 2\n", "line 1: *Vertices of a two-mode network"),
        ("*Vertices 2\n*Edgs\n1 2\n", "line 2: expected *Network"),
        ("*Vertices 2\n*Edges\n1 2\n*Partition p\n1\n2\n", "line 5: expected *Vertices"),
        ("*Vertices 2\n*Edges\n1 2\n*Partition p\n*Vertices 2\n1\n", "1 entries in *Partition p"),
        ("*Vertices 2\n*Edges\n1 2\n*Partition p\n*Vertices 2\n1\nx\n", "line 7: 'x' is no int"),
        ("*Vertices 2\n*Edges\n1 2\n*Vector v\n*Vertices 2\n1\nnan\n", "line 7: 'nan' is no num"),
        ("*Vertices 2\n*Edges\n1 2\n*Partition p\n*Network q\n", "line 5: expected *Vertices"),
        ("*Vertices 2\n*Edges\n1 2\n*Cluster p\n*Vertices 1\n7\n", "names a node outside 1 to 2"),
        ("*Network a\n*Edges\n1 2\n*Vertices 2\n", "line 2: expected *Vertices"),
        ("*Vertices 2\n*Arcs :x\n1 2\n", "line 2: expected the number of a relation"),
    ],
)
def test_damage_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    refused(put(tmp_path / "x.net", text), match=re.escape(message))
