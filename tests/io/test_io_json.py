"""Networks in JSON against networkx's own reading, and what is no network."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from conftest import SHARED
from hostile import put, refused
from nettrial import Network
from nettrial.core.errors import InputError
from nettrial.io import read, read_with_report

CASE = SHARED / "cases" / "files" / "json_node_link"


def sample(seed: int, *, directed: bool = False, multi: bool = False) -> nx.Graph:
    kind = (
        (nx.MultiDiGraph if directed else nx.MultiGraph)
        if multi
        else (nx.DiGraph if directed else nx.Graph)
    )
    graph = kind(nx.gnp_random_graph(12, 0.3, seed=seed, directed=directed))
    rng = np.random.default_rng(seed)
    for node in graph:
        graph.nodes[node].update(group="abc"[node % 3], age=float(rng.normal()))
    for *_, data in graph.edges(data=True):
        data["weight"] = float(rng.uniform(1, 3))
    return graph


def same(path: Path, want: nx.Graph, **options: Any) -> None:
    network = read(path, label="group", **options)
    assert network.ids.tolist() == list(want)
    got = network.adjacency("out").toarray()
    np.testing.assert_allclose(got, nx.to_numpy_array(want), rtol=1e-15)
    labels = [network.classes[c] for c in network.labels]
    assert labels == [want.nodes[node]["group"] for node in want]
    assert network.directed == want.is_directed()


@pytest.mark.skipif(not CASE.is_dir(), reason=f"needs {CASE}")
def test_case_of_a_node_link_file() -> None:
    for path in (CASE, CASE / "graph.json"):
        network, report = read_with_report(path)
        assert (network.n_nodes, network.n_links, report.label) == (4, 3, "group")
        assert [network.classes[c] for c in network.labels] == ["a", "a", "b", "b"]


@pytest.mark.parametrize("edges", ["links", "edges"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("multi", [False, True])
def test_node_link_data_of_networkx(
    tmp_path: Path, edges: str, directed: bool, multi: bool
) -> None:
    data = nx.node_link_data(sample(1, directed=directed, multi=multi), edges=edges)
    path = put(tmp_path / "x", json.dumps(data))
    same(path, nx.node_link_graph(json.loads(path.read_text()), edges=edges))


@pytest.mark.parametrize("directed", [False, True])
def test_adjacency_data_of_networkx(tmp_path: Path, directed: bool) -> None:
    graph = sample(2, directed=directed)
    if not directed:
        graph.add_edge(3, 3, weight=0.0)  # a loop is listed once
    path = put(tmp_path / "x.json", json.dumps(nx.adjacency_data(graph)))
    want = nx.adjacency_graph(json.loads(path.read_text()))
    same(path, want)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("flat", [False, True])
def test_cytoscape(tmp_path: Path, directed: bool, flat: bool) -> None:
    graph = sample(3, directed=directed)
    data = nx.cytoscape_data(graph)
    if flat:
        data["elements"] = data["elements"]["nodes"] + data["elements"]["edges"]
    path = put(tmp_path / "x.json", json.dumps(data, indent=1))
    network = read(path, label="group")
    assert list(map(int, network.ids)) == list(graph)
    np.testing.assert_allclose(network.adjacency("out").toarray(), nx.to_numpy_array(graph))


def test_d3_with_places_as_ends(tmp_path: Path) -> None:
    graph = sample(4)
    names = {k: f"name {k}" for k in graph}
    data = {
        "nodes": [{"name": names[k], "group": graph.nodes[k]["group"]} for k in graph],
        "links": [{"source": s, "target": t, "value": w} for s, t, w in graph.edges(data="weight")],
    }
    path = put(tmp_path / "miserables.json", json.dumps(data))
    same(path, nx.relabel_nodes(graph, names))
    assert any("by their place" in note for note in read_with_report(path, label="group")[1].notes)
    data["nodes"] = [{"id": n["name"], "group": n["group"]} for n in data["nodes"]]
    data["links"] = [
        {"source": names[s], "target": names[t], "value": w}
        for s, t, w in graph.edges(data="weight")
    ]
    same(put(tmp_path / "y.json", json.dumps(data)), nx.relabel_nodes(graph, names))


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_graphology(tmp_path: Path, kind: str) -> None:
    graph = sample(5, directed=kind == "directed")
    data = {
        "options": {"type": kind, "multi": False},
        "nodes": [{"key": str(k), "attributes": dict(graph.nodes[k])} for k in graph],
        "edges": [
            {"key": f"e{k}", "source": str(s), "target": str(t), "attributes": {"weight": w}}
            for k, (s, t, w) in enumerate(graph.edges(data="weight"))
        ],
    }
    same(put(tmp_path / "x.json", json.dumps(data)), nx.relabel_nodes(graph, str))


def test_json_graph_format(tmp_path: Path) -> None:
    graph = sample(6)
    data = {
        "graph": {
            "directed": False,
            "nodes": {str(k): {"metadata": dict(graph.nodes[k])} for k in graph},
            "edges": [
                {"source": str(s), "target": str(t), "metadata": {"weight": w}}
                for s, t, w in graph.edges(data="weight")
            ],
        }
    }
    same(put(tmp_path / "x.json", json.dumps(data)), nx.relabel_nodes(graph, str))


@pytest.mark.parametrize("seed", [1, 2])
def test_wiki_cs(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    lists = [np.flatnonzero(rng.random(9) < 0.3).tolist() for _ in range(9)]
    features, labels = rng.normal(size=(9, 4)).tolist(), rng.integers(0, 3, 9).tolist()
    data = {"features": features, "labels": labels, "links": lists, "train_masks": [[True] * 9]}
    path = put(tmp_path / "data.json.gz", gzip.compress(json.dumps(data).encode()))
    network, report = read_with_report(path, directed=True)
    want = np.zeros((9, 9))
    for node, row in enumerate(lists):
        want[node, [k for k in row if k != node]] = 1
    np.testing.assert_array_equal(network.adjacency("out").toarray(), want)
    assert [network.classes[c] for c in network.labels] == labels
    np.testing.assert_allclose(network.features, np.float32(features))
    assert any("train_masks" in note for note in report.notes)


def test_missing_values_and_several_classes(tmp_path: Path) -> None:
    graph = sample(7)
    graph.nodes[0]["age"] = float("nan")
    del graph.nodes[1]["group"]
    path = put(tmp_path / "x.json", json.dumps(nx.node_link_data(graph, edges="links")))
    network = read(path, label="group")
    assert network.attributes["age"][0] is None
    assert network.labels[1] == -1
    nodes = [{"id": k, "label": ["a", "b"][: 1 + k]} for k in range(2)]
    data = {"nodes": nodes, "links": [{"source": 0, "target": 1}]}
    assert "1 of 2 nodes several classes" in refused(put(tmp_path / "m.json", json.dumps(data)))


NODES = '"nodes": [{"id": 1}, {"id": 2}]'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1}', "holds no network in a known layout of JSON: expected"),
        ("[[0], [1]]", "got lists of other than two ids"),
        ("[{}, []]", "element 2: expected an object"),
        (f"{{{NODES}}}", "got the keys nodes"),
        (f'{{{NODES}, "links": [{{"source": 1}}]}}', "link 1 lacks 'target'"),
        (f'{{{NODES}, "links": [{{"source": 1, "target": 7}}]}}', "link 1 names '7'"),
        (f'{{{NODES}, "links": [[1, 7]]}}', "link 1 names '7'"),
        (f'{{{NODES}, "links": 3}}', "expected a list of links, got a int"),
        (f'{{{NODES}, "links": [{{"source": 1, "target": {{}}}}]}}', "as target of link 1"),
        (f'{{{NODES}, "links": [{{"source": 1, "target": 2, "weight": -1}}]}}', "negative weight"),
        (f'{{{NODES}, "links": [{{"source": 1, "target": 2, "weight": [1]}}]}}', "is no number"),
        ('{"nodes": [{"id": 1}, {"id": 1}], "links": []}', "node 1 is listed twice"),
        (f'{{{NODES},\n "links": [', "line 2: is no JSON"),
        (f'{{{NODES}, "links": [{{"source": 1, "target": 2, "weight": Infinity}}]}}', "no JSON"),
        ('{"nodes": ' + "[" * 100_000, "is nested too deeply"),
        ('{"features": [[1], [2, 3]], "labels": [0, 1], "links": [[], []]}', "equally long rows"),
        ('{"features": [[1], [2]], "labels": [0, 1], "links": [[], [5]]}', "neighbors of node 1"),
        ('{"features": [[1]], "labels": [[0, 1]], "links": [[]]}', "multi-label"),
        ('{"elements": [{"data": {"id": 9}}, 3]}', "element 2: expected an object"),
    ],
)  # fmt: skip
def test_damage_is_refused(tmp_path: Path, text: str, message: str) -> None:
    refused(put(tmp_path / "x.json", text), match=re.escape(message))


@pytest.mark.parametrize("part", ["[],", "{},", "[", "0,"])
def test_text_that_grows_in_memory_is_refused(tmp_path: Path, part: str) -> None:
    text = '{"nodes": [' + part * (30 * 2**20 // len(part))
    refused(put(tmp_path / "x.json.gz", gzip.compress(text.encode(), 9)))


# --- tables as JSON


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("form", ["records", "indented", "lines"])
def test_records_as_pandas_reads_them(tmp_path: Path, seed: int, form: str) -> None:
    graph = sample(seed)
    links = nx.to_pandas_edgelist(graph)[["source", "target", "weight"]]
    nodes = pd.DataFrame({"id": list(graph), "group": [graph.nodes[n]["group"] for n in graph]})
    nodes.loc[0, "group"] = None
    ending, lines = ("jsonl", True) if form == "lines" else ("json", False)
    for name, table in (("edges", links), ("nodes", nodes)):
        table.to_json(
            tmp_path / f"{name}.{ending}", orient="records", lines=lines, double_precision=15,
            indent=2 if form == "indented" else None,
        )  # fmt: skip
    for place, given in (
        (tmp_path, None),
        (tmp_path / f"edges.{ending}", tmp_path / f"nodes.{ending}"),
    ):
        network = read(place, nodes=given)
        want = pd.read_json(tmp_path / f"nodes.{ending}", orient="records", lines=lines)
        assert network.ids.tolist() == want["id"].tolist()
        np.testing.assert_allclose(network.adjacency().toarray(), nx.to_numpy_array(graph))
        labels = [None if c < 0 else network.classes[c] for c in network.labels]
        assert labels == [None, *want["group"].tolist()[1:]]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("names", ["{}", "v{}"])
def test_labels_by_node(tmp_path: Path, seed: int, names: str) -> None:
    graph = nx.relabel_nodes(sample(seed), {k: names.format(k) for k in range(12)})
    nx.write_edgelist(graph, tmp_path / "edges.txt", data=["weight"])
    labels = {node: graph.nodes[node]["group"] for node in graph}
    path = put(tmp_path / "labels.json", json.dumps(labels))
    network = read(tmp_path / "edges.txt", nodes=path)
    found = {str(node): network.classes[c] for node, c in zip(network.ids, network.labels)}
    assert found == labels
    path = put(tmp_path / "labels.json", json.dumps({"0": "a", "1": "b", "2": ["a", "b"]}))
    with pytest.raises(InputError, match="expected one label for each node, got lists"):
        read(tmp_path / "edges.txt", nodes=path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"source": 1, "target": 2}, 3]', "record 2: expected an object, got '3'"),
        ('[{"source": 1, "target": 2}, {"source": 1}]', "column 'target' is empty"),
        ('[{"source": 1, "target": 2}', "is no JSON"),
        ('{"source": 1, "target": 2}\n{"source": 1, "target": 2}\n{"sou', "line 3: is no JSON"),
        ('[{"source": 1, "target": [2]}]', "one column only; a link needs the ids of two nodes"),
        ("[" + ",".join(f'{{"k{k}": 1}}' for k in range(9_000)) + "]", "most of them empty"),
        ("[" + ",".join(f'{{"k{k}": 1}}' for k in range(11_000)) + "]", "the limit is 10000"),
    ],
)
def test_damaged_records_are_refused(tmp_path: Path, text: str, message: str) -> None:
    refused(put(tmp_path / "links.json", text), match=re.escape(message))


@pytest.mark.parametrize("place", ["id", "label", "c", "key"])
def test_half_a_character_is_refused_with_the_file(tmp_path: Path, place: str) -> None:
    node = {"id": "a", "label": "x", "c": "q", "k\ud800" if place == "key" else place: "\ud800"}
    value = {
        "nodes": [node, {"id": "b", "label": "y", "c": "\U0001f600"}],
        "links": [{"source": node["id"], "target": "b"}],
    }
    (tmp_path / "x.json").write_text(json.dumps(value))
    with pytest.raises(InputError, match=r"x.json: '.*ud800' holds half of a character"):
        read(tmp_path / "x.json")
    (tmp_path / "x.json").write_text(json.dumps(value).replace("\\ud800", "z"))
    assert read(tmp_path / "x.json", label="label").n_nodes == 2


def test_no_network_has_half_a_character_in_it(words) -> None:
    for given in (
        {"ids": ["a", "\ud800"]},
        {"labels": ["a", "\ud800"]},
        {"classes": ["a", "\ud800"]},
        {"attributes": {"c": ["a", "\ud800"]}},
        {"attributes": {"\ud800": ["a", "b"]}},
    ):
        with words.raises(InputError):
            Network([0], [1], n_nodes=2, **given)  # type: ignore[arg-type]
    with words.raises(InputError):
        Network.from_links(["a", "\ud800"], ["b", "a"])
