"""DIMACS and METIS, which state their sizes first, against the graphs they are written from."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from hostile import put, refused
from nettrial.io import read, read_with_report


def graph(seed: int, *, directed: bool = False) -> nx.Graph:
    found = nx.gnp_random_graph(15, 0.2, seed=seed, directed=directed)
    found.add_nodes_from([15, 16])  # without links
    rng = np.random.default_rng(seed)
    for _, _, link in found.edges(data=True):
        link["weight"] = int(rng.integers(1, 9))
    return found


def metis(of: nx.Graph, *, form: str, spare: str = "") -> str:
    lines = ["% made by a test", f"{len(of)} {of.number_of_edges()} {form}".strip()]
    for node in of:
        parts = [[str(k + 1)] + [str(of[node][k]["weight"])] * form.endswith("1") for k in of[node]]
        lines.append(" ".join([spare] * bool(spare) + [word for part in parts for word in part]))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("form", "spare"), [("", ""), ("1", ""), ("011", "7"), ("100", "3"), ("010 2", "3 4")]
)
def test_metis(tmp_path: Path, seed: int, form: str, spare: str) -> None:
    want = graph(seed)
    text = metis(want, form=form, spare=spare)
    weighted = form in ("1", "011")
    for path in (
        put(tmp_path / "x.graph", text),
        put(tmp_path / "y.graph.gz", gzip.compress(text.encode())),
    ):
        network, report = read_with_report(path)
        assert (report.format, report.direction_choice) == ("METIS", "stated by the file")
        assert network.ids.tolist() == list(range(1, 18))
        matrix = nx.to_numpy_array(want, weight="weight" if weighted else None)
        np.testing.assert_array_equal(network.adjacency().toarray(), matrix)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("kind", ["edge", "col", "sp"])
@pytest.mark.parametrize("both", [False, True])
def test_dimacs(tmp_path: Path, seed: int, kind: str, both: bool) -> None:
    want = graph(seed, directed=kind == "sp")
    links = list(want.edges(data="weight"))
    links += [(t, s, w) for s, t, w in links] * (both and kind != "sp")
    rows = [f"a {s + 1} {t + 1} {w}" if kind == "sp" else f"e {s + 1} {t + 1}" for s, t, w in links]
    text = "\n".join(["c made by a test", "c", f"p {kind} 17 {want.number_of_edges()}", *rows])
    path = put(tmp_path / "x.txt", text + "\nn 1 3\n" * (kind != "sp"))
    network, report = read_with_report(path)
    assert (report.format, network.directed) == ("DIMACS", kind == "sp")
    assert not network.weighted
    np.testing.assert_array_equal(
        network.adjacency("out").toarray(), nx.to_numpy_array(want, weight=None)
    )


@pytest.mark.parametrize("name", ["x.graph", "x.col"])
def test_labels_beside_them(tmp_path: Path, name: str) -> None:
    want = nx.karate_club_graph()
    links = "".join(f"e {s + 1} {t + 1}\n" for s, t in want.edges())
    put(tmp_path / name, f"p col 34 78\n{links}" if name == "x.col" else metis(want, form=""))
    clubs = [club for _, club in want.nodes(data="club")]
    put(tmp_path / "labels.txt", "\n".join(clubs))
    network = read(tmp_path)
    assert [network.classes[c] for c in network.labels] == clubs


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.graph", "3 2\n2\n1 3\n", "line 3: declares 3 nodes, but holds 2 lines"),
        ("x.graph", "3 2\n2\n1 3\n2 4\n", "line 4: expected a neighbor from 1 to 3, got '4'"),
        ("x.graph", "3 2\n2\n1 3\n1\n", "does not list each link at both of its ends"),
        ("x.graph", "3 1\n2\n1 3\n2\n", "declares 1 links, but lists 4 ends"),
        ("x.graph", "2 1 7\n2\n1\n", "a form such as 011, got '2 1 7'"),
        ("x.graph", "2 1 1\n2\n1 5\n", "line 2: expected a weight behind each neighbor"),
        ("x.graph", "2 1 1\n2 -1\n1 -1\n", "a weight that is no number"),
        ("x.graph", "1000000000 1\n2\n1\n", "declares 1000000000 nodes"),
        ("x.col", "p edge 2 1\ne 1 3\n", "line 2: node 3 is outside 1 to 2"),
        ("x.col", "p edge 2 1\ne 1 ²\n", "line 2: expected the two ends of a link"),
        ("x.col", "p edge 2 2\ne 1 2\n", "line 2: declares 2 links, but holds 1"),
        ("x.col", "p edge 2 1\na 1 2 3\n", "line 2: 'a 1 2 3' is not understood here"),
        ("x.gr", "p sp 2 1\na 1 2 -3\n", "line 2: weight '-3' is no number of 0 or more"),
        ("x.col", "p edge 1000000000 1\ne 1 2\n", "declares 1000000000 nodes"),
        ("x.max", "p max 2 1\na 1 2 3\n", "a DIMACS problem of flows or logic"),
    ],
)  # fmt: skip
def test_damage_is_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    refused(put(tmp_path / name, text), match=re.escape(message))
