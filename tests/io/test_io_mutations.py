"""Files of every format with bytes changed, cut out, repeated: a network or one clear error."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse as sp

from hostile import put
from nettrial.core.errors import InputError
from nettrial.io import read

ROUNDS = 60
GRAPH = nx.gnp_random_graph(9, 0.4, seed=1)
MATRIX = sp.csr_array(nx.to_scipy_sparse_array(GRAPH, dtype=float))
LINKS = "".join(f"{s + 1} {t + 1} 2\n" for s, t in GRAPH.edges())
LABELS = "".join(f"{k % 3 + 1}\n" for k in GRAPH)


def pajek(folder: Path) -> Path:
    text = f"*Network a\n*Vertices 9\n*Edges\n{LINKS}*Partition p\n*Vertices 9\n{LABELS}"
    text += "*Vector v\n*Vertices 9\n" + "0.5\n" * 9 + "*Cluster c\n*Vertices 1\n3\n"
    return put(folder / "x.paj", text)


def ucinet(folder: Path) -> Path:
    text = "dl n=9 nm=1 format=edgelist1\nlabels:\n" + " ".join("abcdefghi") + f"\ndata:\n{LINKS}"
    return put(folder / "x.dl", text)


def ucinet_matrix(folder: Path) -> Path:
    rows = "\n".join(" ".join(str(int(x)) for x in row) for row in MATRIX.toarray())
    return put(folder / "x.dl", f"dl nr=9 nc=9\nrow labels embedded\ndata:\n{rows}\n")


def node_link(folder: Path) -> Path:
    return put(folder / "x.json", json.dumps(nx.node_link_data(GRAPH, edges="links"), indent=0))


def cytoscape(folder: Path) -> Path:
    return put(folder / "x.json", json.dumps(nx.cytoscape_data(GRAPH)))


def wiki(folder: Path) -> Path:
    lists = [sorted(GRAPH[k]) for k in GRAPH]
    data = {"features": [[1.5, 2]] * 9, "labels": [k % 2 for k in GRAPH], "links": lists}
    return put(folder / "x.json", json.dumps(data))


def adjlist(folder: Path) -> Path:
    nx.write_adjlist(GRAPH, folder / "x.adjlist")
    return folder / "x.adjlist"


def sif(folder: Path) -> Path:
    return put(folder / "x.sif", "".join(f"n{s} pp n{t}\n" for s, t in GRAPH.edges()))


def graph6(folder: Path) -> Path:
    return put(folder / "x.g6", nx.to_graph6_bytes(GRAPH) + nx.to_sparse6_bytes(GRAPH))


def sparse6(folder: Path) -> Path:
    return put(folder / "x.s6", nx.to_sparse6_bytes(GRAPH))


def linqs_tab(folder: Path) -> Path:
    rows = "".join(f"{k}\tlabel={k % 2 + 1}\tw=0.5\tsummary=w\n" for k in GRAPH)
    links = "".join(f"{k}\tp:{s}\t|\tp:{t}\n" for k, (s, t) in enumerate(GRAPH.edges()))
    put(folder / "X.DIRECTED.cites.tab", f"DIRECTED\tcites\nNO_FEATURES\n{links}")
    head = "NODE\tpaper\ncat=1,2:label\tnumeric:w:0.0\tsummary\n"
    return put(folder / "X.NODE.paper.tab", head + rows)


def matlab(folder: Path) -> Path:
    content = {"network": sp.csc_array(MATRIX), "group": sp.csc_array(np.eye(3)[[0, 1, 2] * 3])}
    scipy.io.savemat(folder / "x.mat", content)
    return folder / "x.mat"


def ppnp(folder: Path) -> Path:
    parts = {f"adj_matrix.{k}": getattr(MATRIX, k) for k in ("data", "indices", "indptr", "shape")}
    np.savez(folder / "x.npz", **parts, labels=np.arange(9) % 3)
    return folder / "x.npz"


def konect(folder: Path) -> Path:
    put(folder / "ent.x.kind", LABELS)
    return put(folder / "out.x", "% sym positive\n% 9 9 9\n" + LINKS)


def ogb(folder: Path) -> Path:
    put(folder / "num-node-list.csv", "9\n")
    put(folder / "node-label.csv", LABELS)
    return put(folder / "edge.csv", "".join(f"{s},{t}\n" for s, t in GRAPH.edges()))


def tudataset(folder: Path) -> Path:
    put(folder / "X_graph_indicator.txt", "1\n" * 9)
    put(folder / "X_node_labels.txt", LABELS)
    return put(folder / "X_A.txt", "".join(f"{s + 1}, {t + 1}\n" for s, t in GRAPH.edges()))


def contacts(folder: Path) -> Path:
    rows = [f"{20 * k} 10{s} 10{t} A A\n" for k, (s, t) in enumerate(GRAPH.edges(), 1)]
    return put(folder / "x.dat", "".join(rows))


def dgl(folder: Path) -> Path:
    pytest.importorskip("yaml")
    put(folder / "e.csv", "src_id,dst_id\n" + "".join(f"{s},{t}\n" for s, t in GRAPH.edges()))
    put(folder / "n.csv", "node_id,label,feat\n" + "".join(f'{k},{k % 2},"1,2"\n' for k in GRAPH))
    text = "edge_data:\n- file_name: e.csv\nnode_data:\n- file_name: n.csv\n"
    return put(folder / "meta.yaml", text)


def neo4j(folder: Path) -> Path:
    put(folder / "n.csv", "id:ID,kind,:LABEL\n" + "".join(f"{k},{k % 2},Person\n" for k in GRAPH))
    links = "".join(f"{s},{t},KNOWS\n" for s, t in GRAPH.edges())
    return put(folder / "r.csv", ":START_ID,:END_ID,:TYPE\n" + links)


def excel(folder: Path) -> Path:
    pytest.importorskip("openpyxl")
    nx.to_pandas_edgelist(GRAPH).to_excel(folder / "x.xlsx", index=False)
    return folder / "x.xlsx"


def gexf(folder: Path) -> Path:
    nx.write_gexf(GRAPH, folder / "x.gexf")
    return folder / "x.gexf"


def r_file(folder: Path) -> Path:
    rdata = pytest.importorskip("rdata")
    nodes = {"kind": np.array(list("abcabcabc"))}
    ends = np.array(list(GRAPH.edges()), dtype=float).T
    graph = [np.array([9.0]), np.array([False]), ends[0], ends[1], None, None, None, None,
             [np.array([1.0]), {}, nodes, {}]]  # fmt: skip
    rdata.write_rda(folder / "x.rda", {"g": graph}, compression=None)
    return folder / "x.rda"


def parquet(folder: Path) -> Path:
    pytest.importorskip("pyarrow")
    pd.DataFrame(list(GRAPH.edges()), columns=["source", "target"]).to_parquet(folder / "x.parquet")
    return folder / "x.parquet"


MAKERS = [pajek, ucinet, ucinet_matrix, node_link, cytoscape, wiki, adjlist, sif, graph6, sparse6,
          linqs_tab, matlab, ppnp, konect, ogb, tudataset, contacts, dgl, neo4j, excel, gexf,
          r_file, parquet]  # fmt: skip


def mutated(data: bytes, rng: np.random.Generator) -> bytes:
    """Change some bytes, cut a piece out, repeat one, or put in strange text."""
    low, high = np.sort(rng.integers(0, len(data) + 1, 2)).tolist()
    high = min(high, low + 40)
    kind = rng.integers(6)
    if kind == 0:
        return data[:low]
    if kind == 1:
        return data[:low] + data[high:]
    if kind == 2:
        return data[:high] + data[low:]
    if kind == 3:
        strange = [
            b"\xff",
            "³".encode(),
            b"-",
            b"1e999",
            b"9" * 30,
            b"\0",
            b'"',
            b"\n",
            b"nan",
            b"[{",
        ]
        return data[:low] + strange[rng.integers(len(strange))] + data[high:]
    changed = bytearray(data)
    for place in rng.integers(0, len(data), 1 + 3 * int(kind == 5)).tolist():
        changed[place] = int(rng.integers(256))
    return bytes(changed)


@pytest.mark.slow
@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_mutated_files_end_in_a_network_or_one_error(
    tmp_path: Path, make: Callable[[Path], Path], full: bool
) -> None:
    path = make(tmp_path)
    files = {file: file.read_bytes() for file in sorted(tmp_path.iterdir())}
    rng = np.random.default_rng(20)
    refusals: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(50 * ROUNDS if full else ROUNDS):
            file = list(files)[rng.integers(len(files))]
            put(file, mutated(files[file], rng))
            try:
                read(path)
            except InputError as error:
                refusals.append(str(error))
            put(file, files[file])
    assert refusals
    for message in refusals:
        assert "\n" not in message
        assert str(tmp_path) in message
