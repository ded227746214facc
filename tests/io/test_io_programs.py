"""Files of other programs: Excel, DGL, Neo4j, Gephi with times."""

from __future__ import annotations

import importlib.util
import re
import zipfile
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from hostile import put, refused
from nettrial.core.errors import InputError
from nettrial.io import read, read_with_report


def label_list(network: Any) -> list[Any]:
    return [None if c < 0 else network.classes[c] for c in network.labels]


def frames(seed: int) -> tuple[nx.Graph, pd.DataFrame, pd.DataFrame]:
    """Return a graph and its tables of links and nodes."""
    graph = nx.gnp_random_graph(12, 0.3, seed=seed)
    rng = np.random.default_rng(seed)
    for *_, data in graph.edges(data=True):
        data["weight"] = int(rng.integers(1, 9))
    links = nx.to_pandas_edgelist(graph)
    nodes = pd.DataFrame({"id": list(graph), "group": rng.choice(["a", "b", "c"], 12)})
    return graph, links, nodes


# --- Excel


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("index", [False, True])
def test_workbooks_as_pandas_writes_them(tmp_path: Path, seed: int, index: bool) -> None:
    pytest.importorskip("openpyxl")
    graph, links, nodes = frames(seed)
    path = tmp_path / "net.xlsx"
    with pd.ExcelWriter(path) as book:
        links.to_excel(book, sheet_name="edges", index=index)
        nodes.to_excel(book, sheet_name="nodes", index=False)
        pd.DataFrame({"about": ["made here"]}).to_excel(book, sheet_name="readme", index=False)
    network, report = read_with_report(path)
    assert (report.format, report.label) == ("Excel", "group")
    want = pd.read_excel(path, sheet_name="nodes")
    assert network.ids.tolist() == want["id"].tolist()
    assert label_list(network) == want["group"].tolist()
    np.testing.assert_array_equal(network.adjacency().toarray(), nx.to_numpy_array(graph))
    assert "the sheet 'readme' is not used" in report.notes
    again = read(f"{path}#edges", nodes=put(tmp_path / "n.csv", nodes.to_csv(index=False)))
    assert again.fingerprint() == network.fingerprint()


def test_sheets_that_cannot_be_told_apart(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    _, links, nodes = frames(3)
    path = tmp_path / "net.xlsx"
    with pd.ExcelWriter(path) as book:
        links.to_excel(book, sheet_name="2019", index=False)
        links.to_excel(book, sheet_name="2020", index=False)
    assert "several sheets (2019, 2020); choose that of the links as net.xlsx#" in refused(path)
    assert read(f"{path}#2020").n_links == len(links)
    refused(Path(f"{path}#2021"), match="no sheet '2021'")
    table = tmp_path / "who.xlsx"
    nodes.to_excel(table, index=False)
    edges = put(tmp_path / "edges.csv", links.to_csv(index=False))
    assert label_list(read(edges, nodes=table)) == nodes["group"].tolist()


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("nodes", ["right edge", "sheet", "none"])
def test_matrices_in_workbooks(tmp_path: Path, seed: int, nodes: str) -> None:
    pytest.importorskip("openpyxl")
    graph, _, table = frames(seed)
    path = tmp_path / "net.xlsx"
    matrix = nx.to_pandas_adjacency(graph).astype(int)
    cells: pd.DataFrame = matrix.astype(object).where(matrix != 0, None)
    if nodes == "right edge":
        cells["group"] = table["group"]
    with pd.ExcelWriter(path) as book:
        cells.to_excel(book, sheet_name="friends")
        if nodes == "sheet":
            table.sample(frac=1.0, random_state=seed).to_excel(book, sheet_name="who")
    network = read(path)
    want = pd.read_excel(path, sheet_name="friends", index_col=0).drop(
        columns="group", errors="ignore"
    )
    np.testing.assert_array_equal(network.adjacency().toarray(), want.fillna(0).to_numpy())
    assert network.ids.tolist() == list(graph)
    assert label_list(network) == ([None] * 12 if nodes == "none" else table["group"].tolist())


@pytest.mark.parametrize("form", ["titles", "NodeXL"])
def test_rows_above_the_header_of_a_sheet(tmp_path: Path, form: str) -> None:
    openpyxl: Any = pytest.importorskip("openpyxl")
    graph, _, table = frames(4)
    book = openpyxl.Workbook()
    links, nodes = book.active, book.create_sheet()
    if form == "titles":
        links.title, nodes.title = "Friendships", "Members"
        above: list[list[Any]] = [["Who named whom"], []]
        names = ["from", "to"], ["member id", "group"]
    else:
        links.title, nodes.title = "Edges", "Vertices"
        above = [[None, None, "Visual Properties", None, None]]
        names = ["Vertex 1", "Vertex 2", "Color", "Width", "Style"], ["Vertex", "group", "Color"]
    for sheet, head in zip((links, nodes), names):
        for row in [*above, head]:
            sheet.append(row)
    for pair in graph.edges():
        links.append([f"p{node}" for node in pair])
    for node, group in zip(table["id"], table["group"]):
        nodes.append([f"p{node}", group])
    book.save(tmp_path / "net.xlsx")
    network = read(tmp_path / "net.xlsx", label="group")
    np.testing.assert_array_equal(
        network.adjacency().toarray(), nx.to_numpy_array(graph, weight=None)
    )
    assert label_list(network) == table["group"].tolist()


def test_workbooks_need_their_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words) -> None:
    with zipfile.ZipFile(tmp_path / "x.xlsx", "w") as file:
        file.writestr("xl/workbook.xml", "<workbook/>")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with words.raises(InputError):
        read(tmp_path / "x.xlsx")


def test_hostile_workbooks(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    path = tmp_path / "x.xlsx"
    kind = '<!DOCTYPE a [<!ENTITY b "c">]><workbook/>'
    sound = {"xl/workbook.xml": b"<workbook/>"}
    for members, message in (
        (sound, "damaged workbook"),
        ({"xl/workbook.xml": kind.encode()}, "document type"),
        ({"xl/workbook.xml": f"<!--{' ' * 9999}-->{kind}".encode()}, "document type"),
        (sound | {"sheet.bin": f'<?xml version="1.0"?>{kind}'.encode("utf-16")}, "document type"),
        ({"xl/workbook.xml": b"<workbook/>", "xl/worksheets/sheet1.xml": bytes(2**26)}, "expands"),
    ):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            for name, content in members.items():
                file.writestr(name, content)
        refused(path, match=message)
    put(path, b"PK\x03\x04 cut off")
    refused(path)


# --- DGL


def write_dgl(folder: Path, seed: int) -> tuple[nx.DiGraph, pd.DataFrame]:
    graph = nx.gnp_random_graph(10, 0.25, seed=seed, directed=True)
    rng = np.random.default_rng(seed)
    links = pd.DataFrame(list(graph.edges()), columns=["src_id", "dst_id"])
    features = rng.normal(size=(10, 3)).round(4)
    nodes = pd.DataFrame({
        "node_id": list(graph), "label": rng.integers(0, 3, 10), "train_mask": [True, False] * 5,
        "feat": [", ".join(map(str, row)) for row in features],
    })  # fmt: skip
    put(folder / "edges_0.csv", links.to_csv(index=False))
    put(folder / "nodes_0.csv", nodes.to_csv(index=False))
    put(
        folder / "meta.yaml",
        "dataset_name: tiny\nedge_data:\n- file_name: edges_0.csv\n"
        "node_data:\n- file_name: nodes_0.csv\n",
    )
    return graph, nodes


@pytest.mark.parametrize("seed", [1, 2])
def test_dgl_csv(tmp_path: Path, seed: int) -> None:
    pytest.importorskip("yaml")
    graph, nodes = write_dgl(tmp_path, seed)
    for path in (tmp_path, tmp_path / "meta.yaml"):
        network, report = read_with_report(path, directed=True)
        assert (report.format, report.label) == ("DGL CSV", "label")
        got = network.adjacency("out").toarray()
        np.testing.assert_array_equal(got, nx.to_numpy_array(graph))
        assert label_list(network) == nodes["label"].tolist()
        want = [list(map(float, text.split(","))) for text in nodes["feat"]]
        np.testing.assert_array_equal(network.features, want)


@pytest.mark.parametrize(
    ("meta", "message"),
    [
        ("edge_data:\n- file_name: ../x.csv\n", "'../x.csv' in edge_data, which is no file of its"),
        ("edge_data:\n- file_name: gone.csv\n", "names 'gone.csv', but there is no such file"),
        ("edge_data: !!python/object/apply:os.system ['touch PROOF']\n", "line 1: is no YAML"),
        ("edge_data:\n- {file_name: edges_0.csv, etype: [a, b, c]}\n- {file_name: edges_0.csv}\n",
         "edge_data holds 2 types"),
        ("edge_data: 3\n", "expected a list of file_name under edge_data"),
        ("edge_data:\n- file_name: nodes_0.csv\n", "column 'src_id' not found; the file has node"),
        ("edge_data:\n- file_name: edges_0.csv\ngraph_data:\n  file_name: g.csv\n", "many graphs"),
        ("node_data:\n- file_name: nodes_0.csv\n", "names 0 files of links and 1 of nodes"),
        ("edge_data: [\n", "is no YAML"),
    ],
)  # fmt: skip
def test_damaged_dgl_csv(tmp_path: Path, meta: str, message: str) -> None:
    pytest.importorskip("yaml")
    write_dgl(tmp_path, 1)
    proof = tmp_path / "proof"
    put(tmp_path / "meta.yaml", meta.replace("PROOF", str(proof)))
    refused(tmp_path / "meta.yaml", match=re.escape(message))
    assert not proof.exists()


# --- Neo4j

PEOPLE = (
    'personId:ID,name,age:int,:LABEL\np1,"Keanu, R.",58,Actor\n'
    "p2,Laurence,61,Actor\np3,Lana,57,Director\n"
)
ROLES = ":START_ID,role,:END_ID,:TYPE\np1,Neo,p2,KNOWS\np2,Morpheus,p3,WORKED\np1,,p3,WORKED\n"


def test_neo4j_admin_files(tmp_path: Path) -> None:
    put(tmp_path / "people.csv", PEOPLE)
    path = put(tmp_path / "roles.csv", ROLES)
    for place in (tmp_path, path):
        network, report = read_with_report(place, label="labels")
        assert (report.format, network.directed) == ("Neo4j CSV", True)
        assert network.ids.tolist() == ["p1", "p2", "p3"]
        want = [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
        assert network.adjacency("out").toarray().tolist() == want
        assert label_list(network) == ["Actor", "Actor", "Director"]
        assert list(network.attributes["name"]) == ["Keanu, R.", "Laurence", "Lana"]
        assert list(network.attributes["age"]) == [58, 61, 57]
        assert "relationships of all types (WORKED 2, KNOWS 1)" in " ".join(report.notes)
    assert read(f"{path}#KNOWS", label="labels").n_links == 1
    assert read(tmp_path / "people.csv", label="labels").n_links == 3
    put(tmp_path / "more.csv", ROLES)
    message = refused(tmp_path / "people.csv", match="holds nodes; give the file of relationships")
    assert "more.csv, roles.csv" in message


def test_neo4j_with_spaces_of_ids(tmp_path: Path) -> None:
    people = put(tmp_path / "a.csv", "id:ID(Person);kind\n1;x\n2;y\n")
    films = put(tmp_path / "b.csv", "id:ID(Film);kind\n1;x\n3;x\n")
    path = put(tmp_path / "c.csv", ":START_ID(Person);:END_ID(Film)\n1;1\n2;3\n1;3\n")
    network = read(path, nodes=[people, films], label="kind")
    assert network.ids.tolist() == ["Person:1", "Person:2", "Film:1", "Film:3"]
    assert label_list(network) == ["x", "y", "x", "x"]
    assert network.adjacency("out").toarray()[:2, 2:].tolist() == [[1, 1], [0, 1]]


def test_neo4j_apoc(tmp_path: Path) -> None:
    text = (
        '"_id","_labels","kind","_start","_end","_type","since"\n'
        '"10",":Person","a",,,,\n"11",":Person","b",,,,\n"12",":Film","b",,,,\n'
        ',,,"10","11","KNOWS","1999"\n,,,"11","12","LIKES",\n'
    )
    network, report = read_with_report(put(tmp_path / "all.csv", text), label="kind")
    assert report.format == "Neo4j APOC CSV"
    assert network.ids.tolist() == [10, 11, 12]
    assert network.adjacency("out").toarray().tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert label_list(network) == ["a", "b", "b"]
    assert list(network.attributes["labels"]) == ["Person", "Person", "Film"]


@pytest.mark.parametrize(
    ("people", "message"),
    [
        (PEOPLE + "p1,again,1,Actor\n", "people.csv, line 5: node 'p1' is listed twice"),
        (PEOPLE.replace("p2,L", ",L"), "people.csv, line 3: a node without :ID"),
        (PEOPLE.replace("name", "other:ID"), "has two columns :ID"),
        (None, "expected files of nodes, with :ID in their header"),
    ],
)
def test_damaged_neo4j_files(tmp_path: Path, people: str | None, message: str) -> None:
    if people is not None:
        put(tmp_path / "people.csv", people)
    refused(put(tmp_path / "roles.csv", ROLES), match=re.escape(message))


# --- Gephi with times

GEXF = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" version="1.3">
<graph mode="dynamic" defaultedgetype="undirected" timeformat="double">
<attributes class="node" mode="static"><attribute id="k" title="kind" type="string"/></attributes>
<attributes class="node" mode="dynamic"><attribute id="s" title="size" type="integer"/></attributes>
<attributes class="edge" mode="dynamic"><attribute id="w" title="how" type="string"/></attributes>
<nodes>
<node id="a" label="A" start="0"><attvalues><attvalue for="k" value="x"/>
 <attvalue for="s" value="1" start="0" end="2"/>
 <attvalue for="s" value="5" start="2" end="9"/></attvalues>
 <spells><spell start="0" end="1"/><spell start="2" end="9"/></spells></node>
<node id="b" label="B"><attvalues><attvalue for="k" value="y"/></attvalues></node>
<node id="c" label="C"><attvalues><attvalue for="k" value="x"/></attvalues></node>
</nodes>
<edges><edge id="0" source="a" target="b" weight="2" start="0" end="2">
 <attvalues><attvalue for="w" value="mail" start="0" end="9"/></attvalues></edge>
<edge id="1" source="b" target="c"><spells><spell start="1" end="9"/></spells></edge></edges>
</graph></gexf>"""


@pytest.mark.skipif(
    tuple(map(int, nx.__version__.split(".")[:2])) < (3, 6), reason="networkx reads no GEXF 1.3"
)
@pytest.mark.parametrize("mode", ["dynamic", "static"])
def test_gephi_with_times(tmp_path: Path, mode: str) -> None:
    text = GEXF.replace('graph mode="dynamic"', f'graph mode="{mode}"')
    path = put(tmp_path / "x.gexf", text)
    network, report = read_with_report(path, label="kind")
    want = nx.read_gexf(path)
    assert network.ids.tolist() == list(want)
    np.testing.assert_array_equal(network.adjacency().toarray(), nx.to_numpy_array(want))
    assert label_list(network) == [want.nodes[node]["kind"] for node in want]
    assert list(network.attributes["size"]) == [1, None, None]
    assert "values of 'size' change over time; the first of each node is kept" in report.notes
    assert "the link attribute 'how' is not used" in report.notes
    with pytest.raises(InputError, match=r"line 10: lists a node again with another 'size'"):
        read(path, label="size")
