"""The kinds of files that have a format of their own, each as a function that writes it."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse as sp

from file_kinds import Made, N, Truth, both, kind, names, pajek
from hostile import put


@kind("CSV with semicolons and byte order mark")
def _(truth: Truth, folder: Path) -> Made:
    return Made(both(truth, folder, sep=";", encoding="utf-8-sig"), classes=truth.classes)


@kind("Unicode text of Excel (UTF-16)")
def _(truth: Truth, folder: Path) -> Made:
    for name, table in (("edges", truth.links), ("nodes", truth.nodes)):
        table.to_csv(folder / f"{name}.txt", sep="\t", index=False, encoding="utf-16")
    return Made(folder, classes=truth.classes)


@kind("Latin-1 names, decimal commas and sep=")
def _(truth: Truth, folder: Path) -> Made:
    name = "Jörg {}".format
    rows = [f"{name(s)};{name(t)};{w},0" for s, t, w in truth.weighted.itertuples(index=False)]
    text = "sep=;\nfrom;to;weight\n" + "\n".join(rows)
    path = put(folder / "x.csv", text.encode("latin-1"))
    return Made(path, [name(k) for k in range(N)], weight=True)


@kind("a header after # (SNAP)")
def _(truth: Truth, folder: Path) -> Made:
    rows = "".join(f"{s}\t{t}\n" for s, t in truth.graph.edges())
    return Made(put(folder / "x.txt", f"# Nodes: {N}\n# FromNodeId\tToNodeId\n{rows}"))


@kind("links of networkx with their attributes")
def _(truth: Truth, folder: Path) -> Made:
    nx.write_edgelist(truth.graph, folder / "x.edgelist")
    return Made(folder / "x.edgelist", weight=True)


@kind("JSON records")
def _(truth: Truth, folder: Path) -> Made:
    truth.weighted.to_json(folder / "edges.json", orient="records")
    truth.nodes.to_json(folder / "nodes.json", orient="records")
    return Made(folder, classes=truth.classes, weight=True)


@kind("Parquet")
def _(truth: Truth, folder: Path) -> Made:
    pytest.importorskip("pyarrow")
    truth.weighted.to_parquet(folder / "edges.parquet")
    truth.nodes.to_parquet(folder / "nodes.parquet")
    return Made(folder, classes=truth.classes, weight=True)


@kind("Excel")
def _(truth: Truth, folder: Path) -> Made:
    pytest.importorskip("openpyxl")
    with pd.ExcelWriter(folder / "x.xlsx") as book:
        truth.weighted.to_excel(book, sheet_name="Sheet1")
        truth.nodes.to_excel(book, sheet_name="Sheet2")
    return Made(folder / "x.xlsx", classes=truth.classes, weight=True)


@kind("a matrix as pandas writes it", case="adjacency_pandas")
def _(truth: Truth, folder: Path) -> Made:
    pd.DataFrame(truth.matrix(weight="weight")).to_csv(folder / "adjacency.csv")
    return Made(folder / "adjacency.csv", weight=True)


@kind("a matrix with a table of nodes")
def _(truth: Truth, folder: Path) -> Made:
    pd.DataFrame(truth.matrix()).to_csv(folder / "adjacency.csv")
    truth.nodes.sample(frac=1.0, random_state=1).to_csv(folder / "attributes.csv")
    return Made(folder, classes=truth.classes)


@kind("adjacency lists", case="adjlist")
def _(truth: Truth, folder: Path) -> Made:
    nx.write_adjlist(truth.graph, folder / "x.adjlist")
    return Made(folder / "x.adjlist")


@kind("Cytoscape SIF", case="sif")
def _(truth: Truth, folder: Path) -> Made:
    rows = [f"g{s} pp g{t}" for s, t in truth.graph.edges()]
    return Made(put(folder / "x.sif", "\n".join(rows)), [f"g{k}" for k in range(N)])


@kind("graph6")
def _(truth: Truth, folder: Path) -> Made:
    nx.write_graph6(nx.from_numpy_array(truth.matrix()), folder / "x.g6")
    return Made(folder / "x.g6")


@kind("sparse6")
def _(truth: Truth, folder: Path) -> Made:
    nx.write_sparse6(nx.from_numpy_array(truth.matrix()), folder / "x.s6")
    return Made(folder / "x.s6")


@kind("DIMACS")
def _(truth: Truth, folder: Path) -> Made:
    rows = "".join(f"e {s + 1} {t + 1}\n" for s, t in truth.graph.edges())
    text = f"c made here\np edge {N} {truth.graph.number_of_edges()}\n{rows}"
    return Made(put(folder / "x.col", text), range(1, N + 1))


@kind("METIS")
def _(truth: Truth, folder: Path) -> Made:
    rows = [
        " ".join(f"{t + 1} {link['weight']}" for t, link in truth.graph[s].items())
        for s in range(N)
    ]
    text = f"{N} {truth.graph.number_of_edges()} 1\n" + "\n".join(rows) + "\n"
    return Made(put(folder / "x.graph", text), range(1, N + 1), weight=True)


@kind("node-link JSON", case="json_node_link")
def _(truth: Truth, folder: Path) -> Made:
    nx.set_node_attributes(truth.graph, dict(enumerate(truth.classes)), "group")
    data = nx.node_link_data(truth.graph, edges="links")
    return Made(put(folder / "x.json", json.dumps(data)), classes=truth.classes, weight=True)


@kind("GML")
def _(truth: Truth, folder: Path) -> Made:
    nx.set_node_attributes(truth.graph, dict(enumerate(truth.classes)), "group")
    nx.write_gml(truth.graph, folder / "x.gml")
    return Made(folder / "x.gml", classes=truth.classes, weight=True)


@kind("GEXF with times")
def _(truth: Truth, folder: Path) -> Made:
    nx.set_node_attributes(truth.graph, dict(enumerate(truth.classes)), "group")
    for node in truth.graph:
        truth.graph.nodes[node].update(start=1.0, end=3.0, viz={"size": 2.0})
    nx.write_gexf(truth.graph, folder / "x.gexf", version="1.2draft")
    return Made(folder / "x.gexf", classes=truth.classes, weight=True, options={"label": "group"})


@kind("a Pajek project with a partition", case="pajek_partition")
def _(truth: Truth, folder: Path) -> Made:
    codes = "\n".join(map(str, truth.codes))
    text = f"{pajek(truth)}*Partition club\n*Vertices {N}\n{codes}\n"
    return Made(put(folder / "x.paj", text), names(truth), truth.codes, weight=True)


@kind("UCINET with an attribute matrix", case="ucinet_attributes")
def _(truth: Truth, folder: Path) -> Made:
    rows = "".join(f"{s + 1} {t + 1} {w}\n" for s, t, w in truth.weighted.itertuples(index=False))
    put(folder / "edges.dat", f"DL\nN={N}\nFORMAT=EDGELIST1\nDATA:\n{rows}")
    head = (
        f'DL\nNR={N}, NC=1\nFORMAT = FULLMATRIX DIAGONAL PRESENT\nCOLUMN LABELS:\n"club"\nDATA:\n'
    )
    path = put(folder / "node_data.dat", head + "".join(f" {code}\n" for code in truth.codes))
    return Made(
        folder / "edges.dat",
        range(1, N + 1),
        truth.codes,
        weight=True,
        options={"nodes": path, "directed": False},
    )


@kind("UCINET full matrix")
def _(truth: Truth, folder: Path) -> Made:
    rows = "\n".join(" ".join(map(str, row)) for row in truth.matrix(weight="weight").tolist())
    return Made(
        put(folder / "x.dl", f"dl n={N} format=fullmatrix\ndata:\n{rows}\n"),
        range(1, N + 1),
        weight=True,
    )


@kind("Matrix Market with labels")
def _(truth: Truth, folder: Path) -> Made:
    matrix = sp.coo_array(truth.matrix(weight="weight"))
    scipy.io.mmwrite(folder / "x.mtx", matrix, symmetry="symmetric")
    put(folder / "labels.txt", "\n".join(truth.classes))
    return Made(folder, range(1, N + 1), truth.classes, weight=True)


@kind("NetKit-SRL")
def _(truth: Truth, folder: Path) -> Made:
    put(folder / "a.csv", "".join(f"v{k},{name}\n" for k, name in enumerate(truth.classes)))
    put(
        folder / "a.rn",
        "".join(f"v{s},v{t},{w}\n" for s, t, w in truth.weighted.itertuples(index=False)),
    )
    schema = (
        "@NodeType A\n@Attribute Name KEY\n@Attribute club {c0,c1,c2}\n@NodeData a.csv\n"
        "@EdgeType Knows A A\n@EdgeData a.rn\n@Reversible\n"
    )
    return Made(put(folder / "s.arff", schema), names(truth), truth.classes, weight=True)


@kind("NetKit-SRL matrix")
def _(truth: Truth, folder: Path) -> Made:
    rows = "".join(f"{s},{t},{w}\n" for s, t, w in truth.weighted.itertuples(index=False))
    path = put(folder / "x.adj", f"{N},{N}\n{rows}")
    labels = put(folder / "x.csv", "".join(f"{k},{name}\n" for k, name in enumerate(truth.classes)))
    return Made(path, classes=truth.classes, weight=True, options={"nodes": labels})


def features() -> np.ndarray:
    return np.random.default_rng(7).integers(0, 2, (N, 4))


@kind("LINQS .content and .cites")
def _(truth: Truth, folder: Path) -> Made:
    rows = [[f"v{k}", *map(str, row), truth.classes[k]] for k, row in enumerate(features())]
    put(folder / "x.content", "\n".join("\t".join(row) for row in rows))
    put(folder / "x.cites", "\n".join(f"v{t}\tv{s}" for s, t in truth.directed.edges()))
    return Made(folder, names(truth), truth.classes, directed=True)


@kind("LINQS .tab (Pubmed)", case="pubmed_tab")
def _(truth: Truth, folder: Path) -> Made:
    head = "NODE\tpaper\ncat=1,2,3:label\tnumeric:w:0.0\n"
    put(
        folder / "X.NODE.paper.tab",
        head
        + "".join(f"{k}\tlabel={code}\tw=0.5\tsummary=w\n" for k, code in enumerate(truth.codes)),
    )
    rows = "".join(
        f"{k}\tpaper:{s}\t|\tpaper:{t}\n" for k, (s, t) in enumerate(truth.directed.edges())
    )
    put(folder / "X.DIRECTED.cites.tab", f"DIRECTED\tcites\nNO_FEATURES\n{rows}")
    return Made(folder, classes=truth.codes, directed=True)


@kind("Planetoid")
def _(truth: Truth, folder: Path) -> Made:
    one_hot, words = np.eye(3)[np.array(truth.codes) - 1], sp.csr_matrix(features().astype(float))
    parts = {
        "graph": {k: list(truth.graph[k]) for k in range(N)}, "x": words[:3], "y": one_hot[:3],
        "ally": one_hot[:10], "ty": one_hot[10:], "allx": words[:10], "tx": words[10:],
    }  # fmt: skip
    for name, value in parts.items():
        put(folder / f"ind.x.{name}", pickle.dumps(value, protocol=2))
    put(folder / "ind.x.test.index", "\n".join(map(str, range(10, N))))
    return Made(folder, classes=[code - 1 for code in truth.codes])


@kind("Geom-GCN")
def _(truth: Truth, folder: Path) -> Made:
    rows = [
        f"{k}\t{','.join(map(str, row))}\t{truth.codes[k]}\n" for k, row in enumerate(features())
    ]
    put(folder / "out1_node_feature_label.txt", "node_id\tfeature\tlabel\n" + "".join(rows))
    links = "".join(f"{s}\t{t}\n" for s, t in truth.directed.edges())
    put(folder / "out1_graph_edges.txt", "node_id\tnode_id\n" + links)
    return Made(folder, classes=truth.codes, directed=True)


def parts_of(matrix: sp.csr_array, start: str) -> dict[str, Any]:
    keys = ("data", "indices", "indptr", "shape")
    return {f"{start}{key}": getattr(matrix, key) for key in keys}


@kind("npz of gnn-benchmark")
def _(truth: Truth, folder: Path) -> Made:
    matrix = sp.csr_array(truth.matrix(weight="weight"))
    words = sp.csr_array(features())
    parts = parts_of(matrix, "adj_") | parts_of(words, "attr_")
    np.savez(folder / "x.npz", **parts, labels=np.array(truth.codes) - 1)
    return Made(folder / "x.npz", classes=[code - 1 for code in truth.codes], weight=True)


@kind("npz with dotted names (ppnp)")
def _(truth: Truth, folder: Path) -> Made:
    parts = parts_of(sp.csr_array(truth.matrix()), "adj_matrix.")
    np.savez(folder / "x.npz", **parts, labels=np.array(truth.codes) - 1)
    return Made(folder / "x.npz", classes=[code - 1 for code in truth.codes])


@kind("npz of links and labels")
def _(truth: Truth, folder: Path) -> Made:
    ends = np.array(truth.graph.edges()).T
    np.savez(
        folder / "x.npz", edge_index=np.hstack([ends, ends[::-1]]), y=truth.codes, x=features()
    )
    return Made(folder / "x.npz", classes=truth.codes)


@kind("a matrix by scipy")
def _(truth: Truth, folder: Path) -> Made:
    sp.save_npz(folder / "adj.npz", sp.csr_array(truth.matrix(weight="weight")))
    put(folder / "labels.csv", "\n".join(truth.classes))
    return Made(folder, classes=truth.classes, weight=True)


@kind("MATLAB with network and group", case="mat_network_group")
def _(truth: Truth, folder: Path) -> Made:
    group = sp.csc_array(np.eye(3)[np.array(truth.codes) - 1])
    network = sp.csc_array(truth.matrix().astype(float))
    scipy.io.savemat(folder / "x.mat", {"network": network, "group": group})
    return Made(folder / "x.mat", range(1, N + 1), truth.codes)


@kind("R with an igraph object")
def _(truth: Truth, folder: Path) -> Made:
    rdata: Any = pytest.importorskip("rdata")
    ends = [np.array(end, dtype=float) for end in zip(*truth.graph.edges())]
    labels = np.array([f"Member {k}" for k in range(N)])
    nodes = {"name": np.array(names(truth)), "label": labels, "Faction": np.array(truth.classes)}
    head = [np.array([float(N)]), np.array([False]), *ends, None, None, None, None]
    graph = [*head, [np.array([1.0, 0, 1]), {}, nodes, {}]]
    rdata.write_rda(folder / "x.rda", {"g": graph})
    return Made(folder / "x.rda", names(truth), truth.classes)


@kind("a folder of KONECT")
def _(truth: Truth, folder: Path) -> Made:
    rows = "".join(f"{s + 1} {t + 1}\n" for s, t in truth.directed.edges())
    put(folder / "out.x", f"% asym unweighted\n{rows}")
    put(folder / "ent.x.club", "\n".join(truth.classes))
    put(folder / "meta.x", "name: X\n")
    return Made(folder, range(1, N + 1), truth.classes, directed=True)


@kind("a folder of OGB")
def _(truth: Truth, folder: Path) -> Made:
    (folder / "raw").mkdir()
    texts = {
        "edge": "\n".join(f"{s},{t}" for s, t in truth.directed.edges()),
        "num-node-list": f"{N}\n", "node-label": "\n".join(map(str, truth.codes)),
        "node-feat": "\n".join(",".join(map(str, row)) for row in features()),
    }  # fmt: skip
    for name, text in texts.items():
        put(folder / "raw" / f"{name}.csv.gz", gzip.compress(text.encode()))
    return Made(folder, classes=truth.codes, directed=True)


@kind("a folder of TUDataset")
def _(truth: Truth, folder: Path) -> Made:
    pairs = [p for s, t in truth.graph.edges() for p in ((s + 1, t + 1), (t + 1, s + 1))]
    put(folder / "X_A.txt", "".join(f"{s}, {t}\n" for s, t in pairs))
    put(folder / "X_graph_indicator.txt", "1\n" * N)
    put(folder / "X_node_labels.txt", "\n".join(map(str, truth.codes)))
    return Made(folder, range(1, N + 1), truth.codes)


@kind("CSV of DGL")
def _(truth: Truth, folder: Path) -> Made:
    pytest.importorskip("yaml")
    links = pd.DataFrame(list(truth.directed.edges()), columns=["src_id", "dst_id"])
    links.to_csv(folder / "e.csv", index=False)
    pd.DataFrame({"node_id": range(N), "label": truth.codes}).to_csv(folder / "n.csv", index=False)
    put(
        folder / "meta.yaml",
        "dataset_name: x\nedge_data:\n- file_name: e.csv\nnode_data:\n- file_name: n.csv\n",
    )
    return Made(folder, classes=truth.codes, directed=True)


@kind("CSV of Neo4j")
def _(truth: Truth, folder: Path) -> Made:
    rows = "".join(f"v{s},v{t},KNOWS\n" for s, t in truth.directed.edges())
    put(folder / "roles.csv", f":START_ID,:END_ID,:TYPE\n{rows}")
    body = "".join(f"v{k},{name},Person\n" for k, name in enumerate(truth.classes))
    put(folder / "people.csv", f"personId:ID,club,:LABEL\n{body}")
    return Made(folder, names(truth), truth.classes, directed=True, options={"label": "club"})


@kind("GraphSAGE's JSON")
def _(truth: Truth, folder: Path) -> Made:
    graph = nx.node_link_data(nx.Graph(truth.graph.edges), edges="links")
    put(folder / "x-G.json", json.dumps(graph))
    put(folder / "x-class_map.json", json.dumps(dict(enumerate(truth.classes))))
    return Made(folder / "x-G.json", classes=truth.classes)
