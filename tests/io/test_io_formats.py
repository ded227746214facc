"""Quirks of the formats, each in a small file made here."""

from __future__ import annotations

import datetime
import gzip
import importlib.util
import pickle
from decimal import Decimal
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

from nettrial.core.errors import InputError, ReadWarning
from nettrial.io import read, read_with_report
from nettrial.io.parquet import read_parquet


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_gml_with_repeated_links_and_without_labels(tmp_path: Path) -> None:
    text = """Creator "x [ y ]"  # comment
    graph [ directed 1
      node [ id 5 ] node [ id 7 graphics [ x 1.5 y 2 fill "#ff0000" ] ]
      edge [ source 5 target 7 weight 2 ] edge [ source 5 target 7 ] edge [ source 7 target 5 ]
    ]"""
    network, report = read_with_report(put(tmp_path, "x.txt", text))
    assert report.format == "GML"
    assert network.ids.tolist() == [5, 7]
    assert network.tally.duplicate_rows == 1
    assert network.adjacency("out").toarray().tolist() == [[0, 3], [1, 0]]


def test_gml_takes_the_value_for_the_label_and_the_label_for_a_name(tmp_path: Path) -> None:
    text = (
        "graph ["
        + "".join(
            f'node [ id {k} label "n{k} &quot;&#228;&quot;" value "{"ab"[k % 2]}" ] '
            for k in range(4)
        )
        + "edge [ source 0 target 1 ] ]"
    )
    network = read(put(tmp_path, "x.gml", text))
    assert network.classes == ("a", "b")
    assert network.attributes["name"][0] == 'n0 "ä"'
    named = text.replace("n1", "n0").replace("n3", "n2")
    assert read(put(tmp_path, "y.gml", named)).classes == ('n0 "ä"', 'n2 "ä"')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("graph [\n node [ id 1 ]\n edge [ source 1 target 2 ]\n]", "line 3: target 2 is not"),
        ("graph [\n node [ id 1 ]\n node [ id 1 ]\n]", "line 3: node id 1 occurs again"),
        ("graph [\n node [ name 1 ]\n]", "line 2: a node without id"),
        ("graph [\n node [ id 1 ]\n", "line 3: ends in the middle"),
        ("graph [\n node [ id 1 ] ] ]", "line 2: unexpected ']'"),
        (
            "graph [\n node [ id 1 ] edge [ source 1 target 1 weight nan ]\n]",
            "line 2: weight 'nan'",
        ),
        (
            "graph [\n node [ id 1 ] edge [ source 1 target 1 value -1 ]\n]",
            "have a neg",
        ),
    ],
)
def test_gml_errors_name_the_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("[", r"\[").replace("]", r"\]")):
        read(put(tmp_path, "x.gml", text))


def reference_graph(directed: bool) -> nx.Graph:
    graph = nx.gnp_random_graph(12, 0.3, seed=3, directed=directed)
    for node in graph:
        graph.nodes[node].update(label="xyz"[node % 3], age=node * 1.5, old=node > 6)
    for k, (_, _, data) in enumerate(graph.edges(data=True)):
        data["weight"] = 1 + k / 7
    return graph


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(("ending", "writer"), [
    ("graphml", nx.write_graphml), ("gexf", nx.write_gexf), ("gml", nx.write_gml),
])  # fmt: skip
def test_files_that_networkx_writes(
    tmp_path: Path, directed: bool, ending: str, writer: object
) -> None:
    graph = reference_graph(directed)
    if ending == "gml":
        nx.set_node_attributes(graph, nx.get_node_attributes(graph, "label"), "value")
    path = tmp_path / "file"  # the name says nothing
    writer(graph, path)  # type: ignore[operator]
    network, report = read_with_report(path, label="value" if ending == "gml" else "label")
    assert report.format.lower() == ending
    assert network.directed == directed
    want = nx.to_numpy_array(graph, nodelist=[int(node) for node in network.ids])
    np.testing.assert_allclose(network.adjacency("out").toarray(), want, rtol=1e-15)
    labels = [network.classes[code] for code in network.labels]
    assert labels == ["xyz"[int(node) % 3] for node in network.ids]


def test_graphml_defaults_and_repeated_links(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "x",
        """<?xml version="1.0"?>
<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns">
<g:key id="k" for="node" attr.name="label" attr.type="string"><g:default>plain</g:default></g:key>
<g:key id="w" for="edge" attr.name="weight" attr.type="double"/>
<g:graph edgedefault="undirected"><g:node id="a"/>
<g:node id="b"><g:data key="k">odd</g:data></g:node>
<g:edge source="a" target="b"><g:data key="w">2</g:data></g:edge><g:edge source="b" target="a"/>
</g:graph></g:graphml>""",
    )
    network = read(path)
    assert [network.classes[c] for c in network.labels] == ["plain", "odd"]
    assert network.adjacency().toarray().tolist() == [[0, 3], [3, 0]]


PAJEK = """*Vertices 4
1 "Ann A." 0.1 0.2
2 "Bob"
3 Eve ic Red
4 "Dan"
*Arcs :1 "likes"
"""


def test_pajek(tmp_path: Path, words) -> None:
    arcs = put(tmp_path, "x.net", PAJEK.replace(' :1 "likes"', "") + "1 2 3\n3 2\n*Edges\n1 4 2\n")
    put(tmp_path, "groups.clu", "*Vertices 4\n1\n1\n2\n2\n")
    network, report = read_with_report(tmp_path)
    assert (report.format, report.label) == ("Pajek", "groups")
    assert network.ids.tolist() == ["Ann A.", "Bob", "Eve", "Dan"]
    assert network.adjacency("out").toarray().tolist() == [
        [0, 3, 0, 2], [0, 0, 0, 0], [0, 1, 0, 0], [2, 0, 0, 0],
    ]  # fmt: skip
    assert network.labels.tolist() == [0, 0, 1, 1]
    table = put(tmp_path, "labels.csv", "id,label\nBob,x\nEve,y\n")
    assert read(arcs, nodes=table).labels.tolist() == [-1, 0, 1, -1]
    table.unlink()  # a file of nodes that is not read is reported
    (tmp_path / "groups.clu").unlink()
    lists = put(tmp_path, "lists", "*Vertices 3\n*Edgeslist\n1 2 3\n")
    assert read(lists).adjacency().toarray().tolist() == [[0, 1, 1], [1, 0, 0], [1, 0, 0]]
    matrix = put(tmp_path, "matrix", "*vertices 2\n*matrix\n0 1\n0 0\n")
    assert read(matrix).directed
    one = read(put(tmp_path, "one.net", PAJEK + "1 2 3\n"))
    assert one.adjacency("out").toarray().tolist() == [[0, 3, 0, 0], *([[0] * 4] * 3)]
    with words.raises(InputError):
        read(put(tmp_path, "several.net", PAJEK + "1 2 3\n*Arcs :2\n2 3\n"))
    with words.raises(InputError):
        read(put(tmp_path, "wrong.net", "*Vertices 2\n*Edges\n1 9\n"))


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
@pytest.mark.parametrize("field", ["real", "pattern"])
def test_matrix_market_with_labels(tmp_path: Path, symmetry: str, field: str) -> None:
    rng = np.random.default_rng(2)
    dense = np.triu((rng.random((6, 6)) < 0.4) * rng.random((6, 6)), 1)
    dense = dense if symmetry == "general" else dense + dense.T
    path = tmp_path / "links"
    with path.open("wb") as file:
        scipy.io.mmwrite(
            file,
            sp.coo_array(dense),
            symmetry=symmetry,
            field=field,
            precision=17,
            comment="made here",
        )
    in_order = put(tmp_path, "labels.txt", "x\ny\nx\nx\ny\ny\n")
    network, report = read_with_report(path, nodes=in_order, directed=symmetry == "general")
    assert report.format == "Matrix Market"
    want = dense if field == "real" else (dense > 0)
    np.testing.assert_array_equal(network.adjacency("out").toarray(), want)
    assert network.ids.tolist() == [1, 2, 3, 4, 5, 6]
    assert network.labels.tolist() == [0, 1, 0, 0, 1, 1]
    from_zero = put(tmp_path, "zero.csv", "node,label\n0,x\n5,y\n")
    network, report = read_with_report(path, nodes=from_zero)
    assert network.labels.tolist() == [0, -1, -1, -1, -1, 1]
    assert "the label file numbers nodes from 0" in report.notes
    with pytest.raises(InputError, match=r"line 3: '9' is no node"):
        read(path, nodes=put(tmp_path, "bad.csv", "node,label\n1,x\n9,y\n"))


def facebook(path: Path) -> None:
    links = sp.csc_array(np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], dtype=float))
    info = np.array([[1, 2, 0, 0, 5, 2008, 9], [2, 0, 3, 0, 5, 0, 9], [1, 1, 3, 0, 6, 2009, 0]])
    scipy.io.savemat(path, {"A": links, "local_info": info}, do_compression=True)


def test_facebook100_codes_missing_as_zero(tmp_path: Path, words) -> None:
    facebook(tmp_path / "School.mat")
    network, report = read_with_report(tmp_path / "School.mat", label="gender")
    assert report.format == "Facebook100"
    assert (network.n_links, network.directed) == (2, False)
    assert network.classes == (1, 2)
    assert network.labels.tolist() == [1, -1, 0]
    assert network.attributes["year"].tolist() == [2008, None, 2009]
    with words.raises(InputError):
        read(tmp_path / "School.mat")


@pytest.mark.parametrize(
    "text",
    [
        'dl n=3 format=edgelist1\nlabels:\nann,bob\n"eve e."\ndata:\n1 2 1\n2 3 2\n',
        'DL N = 3\nFORMAT = EDGELIST1\nLABELS EMBEDDED\nDATA:\nann bob\nbob "eve e." 2\n',
        'dl n=3\nlabels:\nann,bob,"eve e."\ndata:\n0 1 0\n0 0 2\n0 0 0\n',
        'dl n=3, diagonal=absent\nlabels: ann bob "eve e."\ndata: 1 0\n0 2\n0 0\n',
        'dl n=3\nlabels embedded\ndata:\nann bob "eve e."\nann 0 1 0\nbob 0 0 2\n"eve e." 0 0 0\n',
    ],
)
def test_ucinet_dl(tmp_path: Path, text: str) -> None:
    network, report = read_with_report(put(tmp_path, "x.dat", text), directed=True)
    assert report.format == "UCINET DL"
    assert network.ids.tolist() == ["ann", "bob", "eve e."]
    assert network.adjacency("out").toarray().tolist() == [[0, 1, 0], [0, 0, 2], [0, 0, 0]]


def test_ucinet_node_list_and_wrong_counts(tmp_path: Path, words) -> None:
    path = put(tmp_path, "x.dl", "dl n=4 format=nodelist1\ndata:\n1 2 3\n4 1\n")
    assert read(path, directed=True).n_links == 3
    with words.raises(InputError):
        read(put(tmp_path, "y.dl", "dl n=2\ndata:\n0 1\n1\n"))


def test_linqs_mixed_separators_and_dangling_ids(tmp_path: Path, words) -> None:
    content = "http://a.org/?x=1\t1\t0\tpage\nhttp://b.org/~b\t0\t1\thome\nc\t1\t1\tpage\n"
    (tmp_path / "w.content.gz").write_bytes(gzip.compress(content.encode()))
    cites = put(tmp_path, "w.cites", "http://a.org/?x=1 c\nc\thttp://b.org/~b\nc c\ngone c\n")
    with words.warns(ReadWarning):
        network, report = read_with_report(cites)
    assert report.format == "LINQS"
    assert network.adjacency("out").toarray().tolist() == [[0, 0, 0], [0, 0, 1], [1, 0, 0]]
    assert (network.tally.self_loops, network.tally.dangling_rows) == (1, 1)
    assert network.features.toarray().tolist() == [[1, 0], [0, 1], [1, 1]]
    with pytest.warns(ReadWarning):
        assert network.fingerprint() == read(tmp_path).fingerprint()


def planetoid(folder: Path, *, graph: object, test: list[int], known: int = 2) -> Path:
    rng = np.random.default_rng(0)
    n = len(test)
    parts = {
        "graph": graph, "ally": np.eye(2)[[0, 1][:known]], "ty": np.eye(2)[[1] * n],
        "allx": sp.csr_matrix(rng.random((known, 3))), "tx": sp.csr_matrix(np.ones((n, 3))),
    }  # fmt: skip
    for key, value in parts.items():
        (folder / f"ind.tiny.{key}").write_bytes(pickle.dumps(value, protocol=2))
    (folder / "ind.tiny.test.index").write_text("\n".join(map(str, test)))
    return folder / "ind.tiny.graph"


def test_planetoid_with_unsorted_and_missing_test_nodes(tmp_path: Path) -> None:
    path = planetoid(tmp_path, graph={0: [1, 1], 1: [0, 5], 5: [1], 3: [0]}, test=[5, 3])
    network, report = read_with_report(path)
    assert report.format == "Planetoid"
    assert network.n_nodes == 6
    assert network.labels.tolist() == [0, 1, -1, 1, -1, 1]
    assert network.simple_links()[0].tolist() == [0, 0, 1]
    assert network.features.toarray()[[2, 4]].tolist() == [[0, 0, 0], [0, 0, 0]]
    assert network.features.toarray()[[3, 5]].tolist() == [[1, 1, 1], [1, 1, 1]]
    assert read(tmp_path).fingerprint() == network.fingerprint()


def test_npz_with_class_names_and_weights(tmp_path: Path, words) -> None:
    matrix = sp.csr_array(np.array([[0, 2.5, 0], [0, 0, 1], [0, 0, 0]]))
    np.savez(
        tmp_path / "g.npz",
        adj_data=matrix.data,
        adj_indices=matrix.indices,
        adj_indptr=matrix.indptr,
        adj_shape=matrix.shape,
        labels=[1, 0, 1],
        class_names=["a", "b"],
        node_names=["x", "y", "z"],
    )
    network = read(tmp_path / "g.npz")
    assert network.classes == ("a", "b")
    assert network.labels.tolist() == [1, 0, 1]
    assert network.ids.tolist() == ["x", "y", "z"]
    assert network.adjacency().toarray()[0].tolist() == [0, 2.5, 0]
    np.savez(tmp_path / "h.npz", node_labels=[0.0, 1.0], edges=[[0, 5]])
    with words.raises(InputError):
        read(tmp_path / "h.npz")
    np.savez(tmp_path / "i.npz", something=[1])
    with words.raises(InputError):
        read(tmp_path / "i.npz")


def test_geomgcn_features_as_positions(tmp_path: Path) -> None:
    put(
        tmp_path,
        "out1_node_feature_label.txt",
        "node_id\tfeature\tlabel\n0\t3,5\t1\n1\t0\t0\n2\t5\t1\n",
    )
    put(tmp_path, "out1_graph_edges.txt", "node_id\tnode_id\n0\t1\n1\t0\n1\t2\n")
    network, report = read_with_report(tmp_path)
    assert (report.format, network.directed) == ("Geom-GCN", True)
    assert network.features.toarray().tolist() == [
        [0, 0, 0, 1, 0, 1], [1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1],
    ]  # fmt: skip


SCHEMA = """@NodeType Movie
@Attribute Name KEY
@Attribute Genre {a,b}
@NodeData movie.csv
@EdgeType Knows Movie Movie
@EdgeData knows.rn
"""


def netkit(folder: Path, *, schema: str = SCHEMA, nodes: str = "m1,a\nm2,?\nm3,b\n") -> Path:
    put(folder, "movie.csv", "%Name,Genre\n" + nodes)
    put(folder, "knows.rn", " \t# comment\nm1,m2,2\n\nm2,m3\n".replace("m2,m3", "m2,m3,1"))
    return put(folder, "s.arff", schema)


def test_netkit_schema(tmp_path: Path, words) -> None:
    network, report = read_with_report(netkit(tmp_path))
    assert (report.format, report.label) == ("NetKit-SRL", "Genre")
    assert (network.directed, network.labels.tolist()) == (True, [0, -1, 1])
    assert network.adjacency("out").toarray().tolist() == [[0, 2, 0], [0, 0, 1], [0, 0, 0]]
    netkit(tmp_path, schema=SCHEMA + "@Reversible\n")
    assert not read(tmp_path).directed
    with words.raises(InputError):
        read(netkit(tmp_path, nodes="m1,a\nm2,z\n"))
    with words.raises(InputError):
        read(netkit(tmp_path, schema=SCHEMA.replace("movie.csv", "/etc/hosts")))
    with words.raises(InputError):
        read(netkit(tmp_path, schema=SCHEMA.replace("NodeType", "NodeTipe")), format="netkit")


def test_netkit_ids_that_two_types_share(tmp_path: Path) -> None:
    schema = SCHEMA.replace("Knows Movie Movie", "HasStar Movie Star") + (
        "@NodeType Star\n@Attribute Name KEY\n@NodeData star.csv\n"
    )
    put(tmp_path, "star.csv", "m2\nm3\n")
    network = read(netkit(tmp_path, schema=schema))
    assert network.ids.tolist() == [
        ("Movie", "m1"), ("Movie", "m2"), ("Movie", "m3"), ("Star", "m2"), ("Star", "m3"),
    ]  # fmt: skip
    assert network.n_links == 2


def test_netkit_adjacency_file(tmp_path: Path, words) -> None:
    path = put(tmp_path, "x.adj", "4,4\n0,1,2\n1,2,1\n")
    labels = put(tmp_path, "labels.csv", "0,x\n1,y\n")
    network, report = read_with_report(path, nodes=labels)
    assert (report.format, network.n_nodes, network.n_links) == ("NetKit-SRL adj", 4, 2)
    assert network.labels.tolist() == [0, 1, -1, -1]
    with words.raises(InputError):
        read(put(tmp_path, "y.adj", "4,4\n0,1,2\n1,4,1\n"))
    with words.raises(InputError):
        read(put(tmp_path, "z.adj", "4,4\n0,1,2\n1,3,x\n"))


def test_parquet(tmp_path: Path, words) -> None:
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [0.5, 2.0]}).to_parquet(
        tmp_path / "edges.pq"
    )
    pd.DataFrame(
        {"id": ["a", "b", "c"], "label": [1, None, 0], "x": [[1.0], [2.0], []]}
    ).to_parquet(tmp_path / "nodes.pq")
    network, report = read_with_report(tmp_path / "edges.pq", nodes=tmp_path / "nodes.pq")
    assert network.links.weights.tolist() == [0.5, 0.5, 2, 2]
    assert network.labels.tolist() == [1, -1, 0]
    assert "nodes.pq: column 'x' holds lists and is not used" in report.notes
    (tmp_path / "cut.pq").write_bytes((tmp_path / "edges.pq").read_bytes()[:-20])
    with words.raises(InputError):
        read(tmp_path / "cut.pq")


@pytest.mark.parametrize(("magic", "extra"), [(b"PAR1", "parquet")])
def test_missing_extras_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, magic: bytes, extra: str
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    (tmp_path / "x").write_bytes(magic + b"....")
    with pytest.raises(InputError, match=rf"pip install 'nettrial\[{extra}\]'"):
        read(tmp_path / "x")


def test_r_file_with_several_networks(data: Path, words) -> None:
    path = data / "original" / "s50_w1" / "s50.rda"
    with words.raises(InputError):
        read(path)
    with words.raises(InputError):
        read(f"{path}#s50_3")


def test_structural_zeros_of_the_glasgow_matrices(data: Path) -> None:
    path = data / "original" / "glasgow_w1" / "Glasgow-friendship.RData"
    network, report = read_with_report(f"{path}#friendship.2")
    assert network.links.weights.max() == 2
    assert "s013" in network.ids.tolist()
    assert any("10 is a structural zero: 8 nodes" in note for note in report.notes)
    assert "912 missing entries are read as no link" in report.notes


def test_gexf_defaults_are_those_of_networkx(tmp_path: Path) -> None:
    text = """<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph>
    <attributes class="node"><attribute id="0" title="group" type="string"><default>a</default>
    </attribute></attributes>
    <nodes><node id="x"/><node id="y"><attvalues><attvalue for="0" value="b"/></attvalues></node>
    <node id="z"/></nodes><edges><edge source="x" target="y"/><edge source="y" target="z"/></edges>
    </graph></gexf>"""
    path = tmp_path / "x.gexf"
    path.write_text(text)
    network = read(path, label="group")
    theirs = nx.read_gexf(path)
    assert [network.classes[code] for code in network.labels] == [
        (theirs.graph["node_default"] | theirs.nodes[node])["group"] for node in network.ids
    ]


def test_kinds_of_parquet_columns(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {
        "source": pa.array([b"a", b"b", b"c"]),  # text that was written without saying so
        "target": pa.array([b"b", b"c", b"a"]),
        "whole": pa.array([3, None, 2**60]),
        "share": pa.array([0.25, None, float("nan")]),
        "day": pa.array([datetime.date(2020, 1, 31), None, datetime.date(2020, 2, 1)]),
        "time": pa.array([datetime.datetime(2020, 1, 31, 1, 2), None, None]),
        "price": pa.array([Decimal("1.50"), None, Decimal("2.25")]),
        "yes": pa.array([True, None, False]),
        "nothing": pa.nulls(3),
    }
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    table, left_out = read_parquet(tmp_path / "x.parquet")
    assert left_out == []
    assert {name: list(column) for name, column in zip(table.names, table.columns)} == {
        "source": ["a", "b", "c"],
        "target": ["b", "c", "a"],
        "whole": ["3", "", str(2**60)],
        "share": ["0.25", "", ""],
        "day": ["2020-01-31", "", "2020-02-01"],
        "time": ["2020-01-31 01:02:00", "", ""],
        "price": ["1.50", "", "2.25"],
        "yes": ["True", "", "False"],
        "nothing": ["", "", ""],
    }


def test_bytes_that_are_no_text_are_refused(tmp_path: Path, words) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"a": [b"\xff", b"b"], "b": ["x", "y"]}), tmp_path / "x.parquet")
    with words.raises(InputError):
        read(tmp_path / "x.parquet")


def test_a_parquet_column_of_half_precision(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    try:
        pq.write_table(pa.table({"a": np.array([0.5, 1.5], np.float16)}), tmp_path / "x.parquet")
    except pa.ArrowNotImplementedError:
        pytest.skip("this pyarrow cannot write them")
    table, _ = read_parquet(tmp_path / "x.parquet")
    assert list(table["a"]) == ["0.5", "1.5"]
