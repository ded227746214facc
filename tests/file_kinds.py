"""Two random networks, the table of kinds, and the kinds of tables that people have."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from conftest import SHARED
from hostile import put
from nettrial.io import from_frames

CASES = SHARED / "cases" / "files"
N = 16


class Truth:
    """A network of 16 nodes, each with a link and one of three classes."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.graph = nx.random_labeled_tree(N, seed=seed)
        self.graph.add_edges_from(rng.integers(0, N, (20, 2)).tolist())
        self.graph.remove_edges_from(list(nx.selfloop_edges(self.graph)))
        for link in self.graph.edges():
            self.graph.edges[link]["weight"] = int(rng.integers(2, 7))
        self.directed = nx.DiGraph([p if rng.random() < 0.6 else p[::-1] for p in self.graph.edges])
        self.directed.add_edge(*next(iter(self.directed.edges))[::-1])  # one pair both ways
        self.classes = [f"c{k}" for k in rng.permutation([*range(3)] * 5 + [0])]
        self.codes = [int(name[1:]) + 1 for name in self.classes]

    @cached_property
    def links(self) -> pd.DataFrame:
        return nx.to_pandas_edgelist(self.graph)[["source", "target"]]

    @cached_property
    def weighted(self) -> pd.DataFrame:
        return nx.to_pandas_edgelist(self.graph)[["source", "target", "weight"]]

    @cached_property
    def nodes(self) -> pd.DataFrame:
        return pd.DataFrame({"id": range(N), "club": self.classes})

    def matrix(self, *, weight: str | None = None) -> np.ndarray:
        return nx.to_numpy_array(self.graph, nodelist=range(N), weight=weight).astype(int)


class Made(NamedTuple):
    """Where a network was written, and what of the truth must come back."""

    place: Any  # a path, with #NAME, or a network from objects
    names: Sequence[object] = range(N)  # the ids of the nodes
    classes: Sequence[object] | None = None
    weight: bool = False
    directed: bool = False
    options: dict[str, Any] = {}  # noqa: RUF012 - never changed
    note: str = ""  # a warning that is due


Writer = Callable[[Truth, Path], Made]


@dataclass
class Table:
    """The kinds by name: their cases and writers, in the order of the points they are about."""

    writers: dict[str, Writer] = field(default_factory=dict)
    cases: dict[str, str] = field(default_factory=dict)
    refused: dict[str, tuple[str, Callable[[Truth, Path], Any]]] = field(default_factory=dict)
    # by format: files that may be filled, as in test_io_limits.py
    hostile: dict[str, list[Any]] = field(default_factory=dict)

    def __call__(
        self, name: str, case: str = "", hostile: Mapping[str, list[Any]] = MappingProxyType({})
    ) -> Callable[[Writer], Writer]:
        def take(writer: Writer) -> Writer:
            assert name not in self.writers
            self.writers[name] = writer
            self.hostile.update(hostile)
            if case:
                self.cases[case] = name
            return writer

        return take

    def no(self, name: str, message: str, case: str = "") -> Callable[[Any], Any]:
        def take(writer: Any) -> Any:
            self.refused[name] = (message, writer)
            if case:
                self.cases[case] = name
            return writer

        return take


kind = Table()


def all_kinds() -> Table:
    """Return the table with the kinds of all files of formats."""
    own = Path(__file__).parent.glob("format_*.py")
    for name in ("file_formats", *(path.stem for path in own)):
        import_module(name)
    return kind


def both(truth: Truth, folder: Path, **to_csv: Any) -> Path:
    """Write links and nodes as CSV."""
    truth.links.to_csv(folder / "edges.csv", **{"index": False, **to_csv})
    truth.nodes.to_csv(folder / "nodes.csv", **{"index": False, **to_csv})
    return folder


def names(truth: Truth) -> list[str]:
    return [f"v{k}" for k in range(N)]


def pajek(truth: Truth) -> str:
    vertices = "".join(f'{k + 1} "v{k}"\n' for k in range(N))
    rows = "".join(f"{s + 1} {t + 1} {w}\n" for s, t, w in truth.weighted.itertuples(index=False))
    return f"*Network first\n*Vertices {N}\n{vertices}*Edges\n{rows}"


# --- index columns, times, columns that are no class


@kind("pandas with its index")
def _(truth: Truth, folder: Path) -> Made:
    return Made(both(truth, folder, index=True), classes=truth.classes)


@kind("pandas, exported twice")
def _(truth: Truth, folder: Path) -> Made:
    truth.links.to_csv(folder / "a.csv")
    pd.read_csv(folder / "a.csv").to_csv(folder / "edges.csv")
    truth.nodes.set_index("id").to_csv(folder / "nodes.csv")
    return Made(
        folder / "edges.csv", classes=truth.classes, options={"nodes": folder / "nodes.csv"}
    )


@kind("R's write.csv with row names")
def _(truth: Truth, folder: Path) -> Made:
    rows = "".join(f'"{k + 1}",{s},{t}\n' for k, (s, t) in enumerate(truth.graph.edges()))
    put(folder / "edges.csv", '"","V1","V2"\n' + rows)
    body = "".join(f'"{k + 1}",{k},"{name}"\n' for k, name in enumerate(truth.classes))
    put(folder / "vertices.csv", '"","name","kind"\n' + body)
    return Made(folder, classes=truth.classes)


@kind("frames with an index and further columns")
def _(truth: Truth, folder: Path) -> Made:
    links = truth.links.assign(year=2001)[["year", "source", "target"]].reset_index()
    return Made(from_frames(links, truth.nodes.reset_index()), classes=truth.classes)


@kind("contacts of SocioPatterns")
def _(truth: Truth, folder: Path) -> Made:
    rows = [
        f"{31220 + 20 * k}\t{s + 1000}\t{t + 1000}\t{truth.classes[s]}\t{truth.classes[t]}"
        for k, (s, t) in enumerate(truth.graph.edges())
    ]
    path = put(folder / "contacts.dat", "\n".join(rows))
    return Made(path, range(1000, 1000 + N), truth.classes)


@kind("Unix times in the third column")
def _(truth: Truth, folder: Path) -> Made:
    rows = [f"{s},{t},{1300000000 + 977 * k}" for k, (s, t) in enumerate(truth.graph.edges())]
    return Made(put(folder / "x.csv", "\n".join(rows)), note="looks like Unix times")


@kind("years beside links")
def _(truth: Truth, folder: Path) -> Made:
    years = 1990 + np.arange(len(truth.links)) * 7 % 20
    truth.links.assign(year=years).to_csv(folder / "x.tsv", sep="\t", index=False)
    return Made(folder / "x.tsv")


@kind("Gephi's tables with display names", case="gephi_label")
def _(truth: Truth, folder: Path) -> Made:
    links = truth.weighted.rename(columns=str.capitalize).assign(
        Type="Undirected", Id=range(len(truth.links))
    )
    links.to_csv(folder / "Edges.csv", index=False)
    names = [f"Member {k}" for k in range(N)]
    pd.DataFrame({"Id": range(N), "Label": names, "timeset": "", "group": truth.classes}).to_csv(
        folder / "Nodes.csv", index=False
    )
    return Made(folder, classes=truth.classes, weight=True)


@kind("GraphML with Gephi's layout")
def _(truth: Truth, folder: Path) -> Made:
    graph = nx.Graph()
    for k, name in enumerate(truth.classes):
        graph.add_node(
            f"n{k}", label=f"Member {k}", size=10.0, r=100 + k, x=1.5 * k, y=-2.5 * k, club=name
        )
    graph.add_edges_from((f"n{s}", f"n{t}") for s, t in truth.graph.edges())
    nx.write_graphml(graph, folder / "x.graphml")
    return Made(folder / "x.graphml", [f"n{k}" for k in range(N)], truth.classes)


@kind("columns of splits beside the class")
def _(truth: Truth, folder: Path) -> Made:
    truth.links.to_csv(folder / "edges.csv", index=False)
    mask = np.arange(N) % 2 == 0
    truth.nodes.assign(train_mask=mask, is_test=1 - mask, pagerank=0.5).to_csv(
        folder / "nodes.csv", index=False
    )
    return Made(folder, classes=truth.classes)


@kind.no("continuous numbers as classes", "no column looks like a class")
def _(truth: Truth, folder: Path) -> Any:
    truth.links.to_csv(folder / "edges.csv", index=False)
    values = np.random.default_rng(3).normal(size=(N, 2))
    truth.nodes.assign(club=values[:, 0], income=values[:, 1]).to_csv(
        folder / "nodes.csv", index=False
    )
    return folder


# --- labels in node order, ids of two spellings, several networks, codes


@kind("one label a line", case="labels_one_column")
def _(truth: Truth, folder: Path) -> Made:
    truth.links.to_csv(folder / "edges.csv", index=False)
    path = put(folder / "labels.csv", "\n".join(truth.classes))
    return Made(folder / "edges.csv", classes=truth.classes, options={"nodes": path})


@kind("labels as an array beside the links")
def _(truth: Truth, folder: Path) -> Made:
    truth.links.to_csv(folder / "edges.csv", index=False)
    np.save(folder / "labels.npy", np.array(truth.classes))
    return Made(folder, classes=truth.classes)


@kind("one label a line, nodes from 1")
def _(truth: Truth, folder: Path) -> Made:
    put(folder / "edges.txt", "\n".join(f"{s + 1} {t + 1}" for s, t in truth.graph.edges()))
    put(folder / "labels.txt", "class\n" + "\n".join(truth.classes))
    return Made(folder, range(1, N + 1), truth.classes)


def of_ids(write: Callable[[int], str]) -> Callable[[Truth, Path], Path]:
    def writer(truth: Truth, folder: Path) -> Path:
        truth.links.to_csv(folder / "edges.csv", index=False)
        truth.nodes.assign(id=[write(k) for k in range(N)]).to_csv(
            folder / "nodes.csv", index=False
        )
        return folder

    return writer


kind.no("zero-padded ids", "zeros in front")(of_ids("{:03d}".format))
kind.no("ids as decimals", "numbers are written alike")(of_ids("{}.0".format))
kind.no("ids with a prefix", "prefixes are left out")(of_ids("n{}".format))
kind.no("ids with separators of thousands", "separators")(lambda truth, folder: of_ids(
    lambda k: f"{1000 + k:,}")(_moved(truth, 1000), folder))  # fmt: skip


def _moved(truth: Truth, by: int) -> Any:
    class Moved:
        links, nodes = truth.links + by, truth.nodes

    return Moved()


@kind("codes for missing classes", case="missing_code")
def _(truth: Truth, folder: Path) -> Made:
    both(truth, folder)
    text = (folder / "nodes.csv").read_text()
    put(folder / "nodes.csv", text.replace("c2", "unknown"))
    kept = [None if name == "c2" else name for name in truth.classes]
    return Made(folder, classes=kept, options={"missing": "unknown"})


@kind("a numeric code for missing classes")
def _(truth: Truth, folder: Path) -> Made:
    truth.links.to_csv(folder / "edges.csv", index=False)
    codes = [99999 if code == 3 else code for code in truth.codes]
    truth.nodes.assign(club=codes).to_csv(folder / "nodes.csv", index=False)
    kept = [None if code == 3 else code for code in truth.codes]
    return Made(folder, classes=kept, options={"missing": {"club": 99999}})


@kind("None, NULL and - as missing")
def _(truth: Truth, folder: Path) -> Made:
    both(truth, folder)
    names = ["None", "NULL", "-", "N/A", "nan", "?", *truth.classes[6:]]
    truth.nodes.assign(club=names).to_csv(folder / "nodes.csv", index=False)
    return Made(folder, classes=[None] * 6 + truth.classes[6:])


@kind("one network of a Pajek project with several")
def _(truth: Truth, folder: Path) -> Made:
    text = pajek(truth) + "*Network other\n*Vertices 2\n1 a\n2 b\n*Edges\n1 2\n"
    return Made(f"{put(folder / 'x.paj', text)}#first", names(truth), weight=True)


@kind.no("several networks in one Pajek file", "holds several networks|2 networks|choose")
def _(truth: Truth, folder: Path) -> Any:
    return put(
        folder / "x.paj", pajek(truth) + "*Network other\n*Vertices 2\n1 a\n2 b\n*Edges\n1 2\n"
    )


# --- what is no network


@kind.no("prose", "rows look like text|of no known|fields|no value occurs|rows diff")
def _(truth: Truth, folder: Path) -> Any:
    return put(
        folder / "about.txt", "This network was collected by Zachary, in 1977, at a school\n"
    )


@kind.no("binary data", "binary data")
def _(truth: Truth, folder: Path) -> Any:
    return put(folder / "x.csv", bytes(range(1, 9)) * 50)


@kind.no("JSON that is no network", "known layout of JSON")
def _(truth: Truth, folder: Path) -> Any:
    return put(folder / "x.csv", json.dumps({"source": 1, "target": [2]}))


@kind.no("a graph of Graphviz", r"DOT\); its own gv2gml makes GML")
def _(truth: Truth, folder: Path) -> Any:
    return put(
        folder / "x.dot",
        "graph G {\n" + "".join(f"{s} -- {t};\n" for s, t in truth.graph.edges()) + "}",
    )


@kind.no("a table of flags", "nothing but '0' and '1'")
def _(truth: Truth, folder: Path) -> Any:
    return put(folder / "x.csv", "p,q\n" + "".join(f"{k % 2},{k % 3 % 2}\n" for k in range(20)))


# --- which file of a folder is what


def ones(seed: int = 4, width: int = 30) -> str:
    table = (np.random.default_rng(seed).random((N, width)) < 0.2).astype(int)
    return "".join(" ".join(map(str, row)) + "\n" for row in table.tolist())


@kind("a matrix of features beside links and labels", case="feature_matrix_folder")
def _(truth: Truth, folder: Path) -> Made:
    put(folder / "edges.txt", "\n".join(f"{s}\t{t}" for s, t in truth.graph.edges()))
    put(folder / "features.txt", ones())
    put(folder / "labels.txt", "\n".join(truth.classes))
    return Made(folder, classes=truth.classes)


@kind("a square matrix of features beside links and labels")
def _(truth: Truth, folder: Path) -> Made:
    put(folder / "edges.txt", "\n".join(f"{s}\t{t}" for s, t in truth.graph.edges()))
    put(folder / "features.txt", ones(width=N))
    put(folder / "labels.txt", "\n".join(truth.classes))
    return Made(folder, classes=truth.classes)


@kind("ids and groups without a header", case="group_file_ignored")
def _(truth: Truth, folder: Path) -> Made:
    put(folder / "graph.txt", "\n".join(f"{s} {t}" for s, t in truth.graph.edges()))
    put(folder / "group.txt", "\n".join(f"{k} {code}" for k, code in enumerate(truth.codes)))
    return Made(folder, classes=truth.codes)


@kind("a table of nodes of another name, that fits")
def _(truth: Truth, folder: Path) -> Made:
    truth.links.to_csv(folder / "edges.csv", index=False)
    truth.nodes.to_csv(folder / "members.csv", index=False)
    return Made(folder, classes=truth.classes)


@kind("a table of nodes of another name, without a header")
def _(truth: Truth, folder: Path) -> Made:
    truth.links.to_csv(folder / "edges.csv", index=False)
    truth.nodes.to_csv(folder / "staff.csv", index=False, header=False)
    return Made(folder, classes=truth.classes, note="staff.csv is taken for the nodes of edges")


@kind.no("lists of classes in a text", "several classes each", case="multilabel_txt")
def _(truth: Truth, folder: Path) -> Any:
    put(folder / "net.edgelist", "\n".join(f"{s} {t} 1.0" for s, t in truth.graph.edges()))
    rows = [f"{k} " + " ".join(map(str, range(1 + k % 4, 2 + k % 4 + k % 3))) for k in range(N)]
    put(folder / "net_labels.txt", "\n".join(rows))
    return folder


@kind.no("two networks side by side", "which of a.edgelist, b.edgelist is the link table")
def _(truth: Truth, folder: Path) -> Any:
    for name in "ab":
        put(folder / f"{name}.edgelist", "\n".join(f"{s} {t}" for s, t in truth.graph.edges()))
        put(folder / f"labels-{name}.txt", "\n".join(truth.classes))
    return folder


@kind("nodes in order without ids", case="nodes_in_order")
def _(truth: Truth, folder: Path) -> Made:
    put(folder / "ord_edges.txt", "\n".join(f"{s}.0 {t}.0" for s, t in truth.graph.edges()))
    nodes = truth.nodes.drop(columns="id").assign(age=range(20, 20 + N))
    nodes.to_csv(folder / "ord_nodes.csv", index=False)
    return Made(folder, classes=truth.classes, options={"columns": {"id": "none"}, "label": "club"})


# --- marks, databases and objects


@kind("hashtags", case="hashtag_ids")
def _(truth: Truth, folder: Path) -> Made:
    rows = "".join(f"#v{s},#v{t}\n" for s, t in truth.graph.edges())
    path = put(folder / "x.csv", f"# collected by us\nsource,target\n{rows}")
    return Made(path, [f"#v{k}" for k in range(N)])


@kind("rows commented out")
def _(truth: Truth, folder: Path) -> Made:
    rows = [f"{s},{t}" for s, t in truth.graph.edges()]
    return Made(put(folder / "x.csv", "\n".join(["source,target", *rows[:9], "#77,78", *rows[9:]])))


@kind("CSV of Neptune", case="neptune_csv")
def _(truth: Truth, folder: Path) -> Made:
    rows = "".join(f"e{k},knows,{s},{t}\n" for k, (s, t) in enumerate(truth.graph.edges()))
    return Made(put(folder / "x.csv", f"~id,~label,~from,~to\n{rows}"))


@kind("the target before the source")
def _(truth: Truth, folder: Path) -> Made:
    rows = "".join(f"{t},{s}\n" for s, t in truth.directed.edges())
    return Made(put(folder / "x.csv", f"_to,_from\n{rows}"), directed=True)


@kind("the cited paper before the citing one")
def _(truth: Truth, folder: Path) -> Made:
    rows = "".join(f"{t},{s}\n" for s, t in truth.directed.edges())
    return Made(put(folder / "x.csv", f"the_cited,citing_paper\n{rows}"), directed=True)


@kind.no("counts of people", "as in a table of nodes", case="node_table_as_links")
def _(truth: Truth, folder: Path) -> Any:
    rows = "".join(f"u{k},{k % 5},{k % 7},{name}\n" for k, name in enumerate(truth.classes))
    return put(folder / "people.csv", f"user_id,likes_1,likes_2,team\n{rows}")


@kind("elements of Cytoscape.js in one list", case="cytoscape_flat")
def _(truth: Truth, folder: Path) -> Made:
    nodes = [{"data": {"id": f"v{k}", "club": name}} for k, name in enumerate(truth.classes)]
    links = [{"data": {"source": f"v{s}", "target": f"v{t}"}} for s, t in truth.graph.edges()]
    return Made(put(folder / "x.json", json.dumps(nodes + links)), names(truth), truth.classes)


@kind("elements of Cytoscape.js, apart")
def _(truth: Truth, folder: Path) -> Made:
    nodes = [{"data": {"id": f"v{k}", "club": name}} for k, name in enumerate(truth.classes)]
    links = [{"data": {"source": f"v{s}", "target": f"v{t}"}} for s, t in truth.graph.edges()]
    text = json.dumps({"nodes": nodes, "edges": links})
    return Made(put(folder / "x.json", text), names(truth), truth.classes)


@kind("links as pairs in JSON")
def _(truth: Truth, folder: Path) -> Made:
    return Made(put(folder / "x.json", json.dumps([list(pair) for pair in truth.graph.edges()])))


@kind("an npz of edge_index and node_label", case="npz_node_label")
def _(truth: Truth, folder: Path) -> Made:
    ends = np.array(truth.graph.edges()).T
    np.savez(folder / "x.npz", edge_index=ends, node_label=np.array(truth.codes))
    return Made(folder / "x.npz", classes=truth.codes)


@kind("data frames of R", case="r_data_frames")
def _(truth: Truth, folder: Path) -> Made:
    rdata: Any = pytest.importorskip("rdata")
    links = truth.links.set_axis(["from", "to"], axis=1).astype(float)
    nodes = truth.nodes.assign(club=pd.Categorical(truth.classes)).astype({"id": float})
    rdata.write_rda(folder / "x.rda", {"edges": links, "nodes": nodes})
    return Made(folder / "x.rda", classes=truth.classes)


@kind("GML with missing numbers")
def _(truth: Truth, folder: Path) -> Made:
    nodes = "".join(
        f'node [ id {k} club "{name}" size {"NaN" if k else 1.5} ]\n'
        for k, name in enumerate(truth.classes)
    )
    links = "".join(f"edge [ source {s} target {t} ]\n" for s, t in truth.graph.edges())
    return Made(put(folder / "x.gml", f"graph [\n{nodes}{links}]\n"), classes=truth.classes)
