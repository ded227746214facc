"""Adjacency lists, SIF, graph6 and sparse6 against networkx, and what is none of them."""

from __future__ import annotations

import re
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from conftest import SHARED
from hostile import put, refused
from nettrial.core.errors import InputError, ReadWarning
from nettrial.io import read, read_with_report

CASES = SHARED / "cases" / "files"
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason=f"needs {CASES}")


def compare(path: Path, graph: nx.Graph) -> str:
    """Hold a file against a graph, and return the format."""
    network, report = read_with_report(path, directed=graph.is_directed())
    assert sorted(network.ids.tolist()) == sorted(graph)
    want = nx.to_numpy_array(graph, nodelist=network.ids.tolist(), weight=None)
    np.fill_diagonal(want, 0)
    np.testing.assert_array_equal(network.adjacency("out").toarray(), want)
    return report.format


@needs_cases
def test_cases() -> None:
    network, report = read_with_report(CASES / "adjlist" / "net.adjlist")
    assert (network.n_nodes, network.n_links, report.format) == (4, 3, "adjacency list")
    network, report = read_with_report(CASES / "sif" / "net.sif")
    assert (network.n_nodes, network.n_links, report.format) == (5, 4, "SIF")
    assert "pp" not in network.ids
    assert report.notes == ("links of 1 relation (pp 4)",)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("n", [9, 40, 20_000])
@pytest.mark.parametrize("name", ["x.adjlist", "x.txt"])
def test_adjacency_lists_of_networkx(tmp_path: Path, directed: bool, n: int, name: str) -> None:
    graph = nx.fast_gnp_random_graph(n, 3 / n, seed=n, directed=directed)
    nx.write_adjlist(graph, tmp_path / name)
    if n > 1000:  # the dense matrix would not fit
        network = read(tmp_path / name)
        assert (network.n_nodes, network.n_links) == (n, graph.number_of_edges())
    else:
        want = nx.read_adjlist(
            tmp_path / name, nodetype=int, create_using=nx.DiGraph if directed else nx.Graph
        )
        assert compare(tmp_path / name, want) == "adjacency list"


def test_adjacency_lists_with_both_directions_names_and_labels(tmp_path: Path) -> None:
    graph = nx.relabel_nodes(nx.les_miserables_graph(), {"Myriel": "Ünal"})
    lines = [
        " ".join([n.replace(" ", "_"), *(k.replace(" ", "_") for k in graph[n])]) for n in graph
    ]
    path = put(tmp_path / "graph", "\n".join(lines))
    want = nx.relabel_nodes(graph, {n: n.replace(" ", "_") for n in graph})
    assert compare(path, want) == "adjacency list"
    table = put(tmp_path / "labels.csv", "id,label\nÜnal,a\nValjean,b\n")
    network = read(path, nodes=table)
    assert [
        network.classes[network.labels[network.ids.tolist().index(k)]] for k in ("Ünal", "Valjean")
    ] == ["a", "b"]


@pytest.mark.parametrize("tabs", [False, True])
@pytest.mark.parametrize("name", ["x.sif", "x.txt"])
@pytest.mark.parametrize("seed", [1, 2])
def test_simple_interactions(tmp_path: Path, tabs: bool, name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = nx.gnp_random_graph(14, 0.3, seed=seed)
    graph = nx.relabel_nodes(graph, {k: f"gene {k}" if tabs else f"gene{k}" for k in graph})
    kinds = {pair: "pp" if rng.random() < 0.7 else "pd" for pair in graph.edges()}
    lines = [[s, kinds[s, t], t] for s, t in graph.edges()]
    path = put(tmp_path / name, "\n".join(("\t" if tabs else " ").join(row) for row in lines))
    connected = graph.subgraph([n for n in graph if graph.degree(n)])
    assert compare(path, connected) == "SIF"
    one = read(f"{path}#pd", directed=False)
    assert one.n_links == sum(kind == "pd" for kind in kinds.values())
    assert one.n_nodes == len(connected)


def test_sif_with_several_targets_and_nodes_alone(tmp_path: Path, words) -> None:
    path = put(tmp_path / "x.sif", "a pp b c\nd\nb pd c\n")
    graph = nx.Graph([("a", "b"), ("a", "c"), ("b", "c")])
    graph.add_node("d")
    compare(path, graph)
    labels = put(tmp_path / "labels.csv", "node,label\na,x\nd,y\n")
    assert read(path, nodes=labels).labels.tolist().count(-1) == 2
    put(labels, "node,label\na,x\ne,y\nf,y\n")
    network = read(path, nodes=labels)
    assert (network.ids.tolist(), network.n_links) == (["a", "b", "c", "d", "e", "f"], 3)
    assert network.labels.tolist() == [0, -1, -1, -1, 1, 1]
    assert "line 2: expected source, relation and target" in refused(
        put(tmp_path / "y.sif", "a pp b\na b\n")
    )
    with words.raises(InputError):
        read(f"{path}#xx")


@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ReadWarning")  # two modes are reported
@pytest.mark.parametrize(
    "text",
    [
        "a b friend\nb c friend\nc d foe\n",  # the third column is text
        "ann tea member\nbob tea guest\neve ball member\n",  # two modes
        "a 1 b\nb 1 c\nc 2 d\n",  # a number is no relation
        "source kind target\na x b\nb x c\nc x a\n",
    ],
)
def test_what_is_no_sif(tmp_path: Path, text: str) -> None:
    try:
        report = read_with_report(put(tmp_path / "x.txt", text))[1]
    except (InputError, ReadWarning):
        return
    assert report.format != "SIF"


@pytest.mark.parametrize("header", [False, True])
@pytest.mark.parametrize("n", [9, 12, 30, 100])
@pytest.mark.parametrize("form", ["graph6", "sparse6"])
def test_graph6_and_sparse6(tmp_path: Path, header: bool, n: int, form: str) -> None:
    graph = nx.gnp_random_graph(n, 0.2, seed=n)
    write = nx.to_graph6_bytes if form == "graph6" else nx.to_sparse6_bytes
    path = put(tmp_path / ("graph" if n > 9 else "x.g6"), write(graph, header=header))
    assert compare(path, graph) == form


def test_several_graphs_in_a_file(tmp_path: Path) -> None:
    graphs = [nx.gnp_random_graph(12, 0.3, seed=k) for k in range(3)]
    path = put(tmp_path / "x.g6", b"".join(nx.to_graph6_bytes(g, header=False) for g in graphs))
    assert "holds 3 networks (1, 2, 3), which are not merged" in refused(path)
    for k, graph in enumerate(graphs, 1):
        assert read(f"{path}#{k}").n_links == graph.number_of_edges()
    labels = put(tmp_path / "labels.txt", "a\nb\n" * 6)
    assert read(f"{path}#1", nodes=labels).n_classes == 2


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.g6", "~~~~~~~~\n", "line 1: expected a graph in graph6 or sparse6"),
        ("x.g6", "IsP@O\n", "line 1: expected a graph in graph6 or sparse6, got 'IsP@O' of 5"),
        ("x.g6", ">>digraph6<<&AG\n", "line 1: expected graph6 or sparse6, got digraph6"),
        ("x.s6", ":~~~~~~~~\n", "line 1: declares 68719476735 nodes in 9 characters"),
        ("x.s6", ":\n", "line 1: expected a graph"),
        ("x.g6", "\n", "holds no graph"),
        ("x.adjlist", "1 2\n2 1\n1 3\n", "line 3: expected one line for each node, got '1' again"),
        ("x.adjlist", "# nothing\n", "holds no rows"),
        ("x.sif", "\n\n", "holds no links"),
    ],
)
def test_damage_is_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    refused(put(tmp_path / name, text), match=re.escape(message))


def test_bits_beyond_the_last_node_are_damage(tmp_path: Path) -> None:
    whole = nx.to_graph6_bytes(nx.complete_graph(4), header=False)  # 6 entries, 6 bits
    assert compare(put(tmp_path / "x.g6", whole), nx.complete_graph(4)) == "graph6"
    five = nx.to_graph6_bytes(nx.empty_graph(5), header=False).strip()  # 10 entries, 12 bits
    refused(put(tmp_path / "y.g6", five[:-1] + b"@"), match="it holds links beyond its 5 nodes")
