"""Which file of a folder is what: 120 folders made from known networks, as people have them."""

from __future__ import annotations

import itertools
import json
import warnings
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from conftest import SHARED
from hostile import put
from nettrial.core.errors import InputError, ReadWarning
from nettrial.io import evidence, gml, read, read_with_report
from nettrial.io.folder_roles import EVIDENCE
from nettrial.network.network import Network

CASES = SHARED / "cases" / "files"
RIGHT = 0.9  # share that must be read right at the first command
N = 24

rng = np.random.default_rng(8)
GRAPH = nx.random_labeled_tree(N, seed=3)
GRAPH.add_edges_from(rng.integers(0, N, (30, 2)).tolist())
GRAPH.remove_edges_from(list(nx.selfloop_edges(GRAPH)))
CLASSES = rng.choice(["red", "green", "blue"], N).tolist()
PAIRS = list(GRAPH.edges())
WEIGHTS = rng.integers(1, 9, len(PAIRS)).tolist()
ROWS = list(zip(PAIRS, WEIGHTS))
MATRIX = nx.to_numpy_array(GRAPH, nodelist=range(N)).astype(int)


def table(header: str, mark: str, end: str = "") -> Callable[[], str]:
    return lambda: header + "\n".join(f"{s}{mark}{t}{end}" for s, t in PAIRS) + "\n"


def by_node(header: str, cells: Callable[[int], Any], mark: str = ",") -> str:
    rows = (mark.join(map(str, [k, *cells(k)])) for k in range(N))
    return header.replace(",", mark) + "\n" + "\n".join(rows) + "\n"


LINKS: dict[str, Callable[[], str]] = {
    "edges.csv": table("source,target\n", ","),
    "net.edgelist": table("", " ", " 1.0"),
    "graph.txt": table("", "\t"),
    "cora_cites.tsv": table("from\tto\n", "\t"),
    "friends.csv": table("source,target\n", ","),
    "data.csv": table("u,v\n", ","),
    "out1.txt": table("# by us\n# 24 nodes\n", " "),
    "links.csv": lambda: "id,node_1,node_2,weight,year\n" + "".join(
        f"{k},{s},{t},{w},{2000 + k % 7}\n" for k, ((s, t), w) in enumerate(ROWS)),
    "transfers.csv": lambda: "sender,receiver,amount\n" + "".join(
        f"{s},{t},{w}\n" for (s, t), w in ROWS),
    "net.adjlist": lambda: "\n".join(nx.generate_adjlist(GRAPH)) + "\n",
    "adjacency.csv": lambda: by_node("," + ",".join(map(str, range(N))), lambda k: MATRIX[k]),
    "relations.json": lambda: json.dumps([{"source": s, "target": t} for s, t in PAIRS]),
}  # fmt: skip
NODES: dict[str, Callable[[], str]] = {
    "nodes.csv": lambda: by_node("id,team", lambda k: [CLASSES[k]]),
    "labels.txt": lambda: "\n".join(CLASSES) + "\n",
    "group.txt": lambda: by_node("", lambda k: [CLASSES[k]], " ").lstrip(),
    "members.csv": lambda: by_node("id,team", lambda k: [CLASSES[k]]),
    "attributes.tsv": lambda: by_node("id,team,name", lambda k: [CLASSES[k], f"n{k}x"], "\t"),
    "people.csv": lambda: by_node("person_id,class,age", lambda k: [CLASSES[k], 20 + 7 * k % 41]),
    "y.json": lambda: json.dumps({str(k): c for k, c in enumerate(CLASSES)}),
    "classes.csv": lambda: by_node("node,label", lambda k: [CLASSES[k]]),
}
AROUND: dict[str, dict[str, str]] = {
    "alone": {},
    "papers": {"README.md": "# A network\n\n1 2 3\n", "run.py": "import os\n", "LICENSE": "x",
               "requirements.txt": "numpy\nscipy\n"},
    "features": {
        "features.txt": "".join(
            " ".join(map(str, row)) + "\n" for row in (rng.random((N, 40)) < 0.1).astype(int)
        )
    },
    "features of nodes": {
        "node_features.csv": by_node(
            "id," + ",".join(f"f{k}" for k in range(30)), lambda _: rng.integers(0, 2, 30)
        )
    },
    "embedding": {
        "embeddings.csv": "".join(
            ",".join(f"{x:.3f}" for x in row) + "\n" for row in rng.normal(size=(N, 6))
        )
    },
    "splits": {
        "train.txt": "\n".join(map(str, range(12))), "test.txt": "\n".join(map(str, range(12, N))),
    },
    "numbers": {"stats.csv": "metric,value\nnodes,24\nlinks,50\nclasses,3\n"},
    "names": {"names.csv": by_node("id,name", lambda k: [f"n{k}"])},
    "degrees": {"degree.csv": by_node("id,degree", lambda k: [GRAPH.degree(k)]),
                "notes.txt": "this folder holds a network\nask us for more\n"},
    "results": {
        "results.csv": "model,accuracy\ngcn,0.8\ngat,0.82\nmlp,0.7\n",
        "predictions.csv": by_node(
            "node,split,model,prediction", lambda k: [0, "gcn", CLASSES[k - 1]]),
    },
}  # fmt: skip
WHOLE = list(itertools.product(LINKS, NODES, AROUND))
FOLDERS = [WHOLE[k] for k in rng.choice(len(WHOLE), 120, replace=False)]


def is_right(network: Network) -> bool:
    place = {str(name): k for k, name in enumerate(network.ids.tolist())}
    if set(place) != {str(k) for k in range(N)}:
        return False
    order = [place[str(k)] for k in range(N)]
    matrix = network.adjacency("out").toarray()[np.ix_(order, order)] > 0
    want = nx.to_numpy_array(GRAPH, nodelist=range(N)) > 0
    same = np.array_equal(matrix | matrix.T, want)
    classes = [network.classes[network.labels[k]] if network.n_classes else None for k in order]
    return same and classes == CLASSES


def second_command(folder: Path, links: str, nodes: str) -> Network:
    """Read as a message asks for: the link table by its path, the nodes, and the class."""
    label = "class" if nodes == "people.csv" else "team" if "team" in NODES[nodes]() else "label"
    return read(folder / links, nodes=folder / nodes, label=label)


@pytest.mark.slow
def test_120_folders_are_read_right_or_asked_about(tmp_path: Path) -> None:
    assert len(FOLDERS) == 120
    found: Counter[str] = Counter()
    wrong = []
    for number, (links, nodes, around) in enumerate(FOLDERS):
        folder = tmp_path / str(number)
        folder.mkdir()
        put(folder / links, LINKS[links]())
        put(folder / nodes, NODES[nodes]())
        for name, text in AROUND[around].items():
            put(folder / name, text)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ReadWarning)
            try:
                right = is_right(read(folder))
            except InputError:
                found["asked"] += 1
                assert is_right(second_command(folder, links, nodes))
                continue
        found["right" if right else "doubted" if caught else "wrong"] += 1
        wrong += [] if right or caught else [(links, nodes, around)]
    assert not wrong
    assert found["right"] >= RIGHT * len(FOLDERS), found


def test_of_two_networks_side_by_side_the_right_labels_are_proposed(tmp_path: Path, words) -> None:
    for name, n in (("alpha", 12), ("omega", 20)):
        put(tmp_path / f"{name}.edgelist", "".join(f"{k} {(k + 1) % n}\n" for k in range(n)))
        rows = "".join(f"{k} {k % 3}\n" for k in range(n))
        put(tmp_path / f"labels-{name}.txt", f"node label\n{rows}")
    with words.warns(ReadWarning):
        read(tmp_path / "omega.edgelist")
    with words.warns(ReadWarning):
        read(tmp_path / "alpha.edgelist", nodes=tmp_path / "labels-omega.txt")
    with words.raises(InputError):
        read(tmp_path)


@pytest.mark.parametrize(
    ("name", "values"),
    [("bipartite", (0, 1)), ("type", (False, True)), ("type", ("author", "paper"))],
)
def test_the_mode_of_a_two_mode_network_is_no_class(
    tmp_path: Path, name: str, values: tuple[Any, Any]
) -> None:
    graph = nx.Graph()
    for k in range(12):
        graph.add_node(f"v{k}", **{name: values[k % 2]})
    graph.add_edges_from((f"v{k}", f"v{(k + step) % 12}") for k in range(12) for step in (1, 3))
    nx.write_graphml(graph, tmp_path / "x.graphml")
    network, report = read_with_report(tmp_path / "x.graphml")
    assert (network.n_classes, report.label) == (0, None)
    assert any(f"column {name!r} tells apart" in note for note in report.notes)
    assert read(tmp_path / "x.graphml", label=name).n_classes == 2
    graph.add_edge("v0", "v2")  # now it is an attribute as others are
    nx.write_graphml(graph, tmp_path / "y.graphml")
    assert read(tmp_path / "y.graphml").n_classes == 2


def test_names_of_columns_with_signs_say_which_file_holds_the_links(tmp_path: Path) -> None:
    rows = "".join(f"e{k},{k},{(k + 1) % 12},knows\n" for k in range(12))
    put(tmp_path / "first.csv", f"~id,~from,~to,~label\n{rows}")
    nodes = "".join(f"{k},person,{'xyz'[k % 3]}\n" for k in range(12))
    put(tmp_path / "second.csv", f"~id,~label,team:String\n{nodes}")
    network, report = read_with_report(tmp_path)
    assert (network.n_nodes, network.n_links, report.label) == (12, 12, "team:String")


def test_two_kinds_of_nodes_with_the_same_numbers(tmp_path: Path, words) -> None:
    rows = "".join(f"{k % 7},{k % 5}\n" for k in range(20))
    path = put(tmp_path / "x.csv", f"user,item\n{rows}")
    with words.raises(InputError):
        read(path)
    network = read(path, two_modes=True)
    assert network.n_nodes == 12
    assert {"user 0", "item 0"} <= set(network.ids.tolist())
    bare = put(tmp_path / "author_paper.csv", rows)
    with words.warns(ReadWarning):
        assert read(bare).n_nodes == 7
    assert read(bare, two_modes=True).n_nodes == 12


@pytest.mark.parametrize("error", [IndexError("3"), zlib.error("bad"), KeyError("x")])
def test_what_a_reader_raises_on_damage_names_file_and_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def broken(_: Any) -> Any:
        raise error

    path = put(tmp_path / "x.gml", "graph [ node [ id 1 ] ]")
    monkeypatch.setattr(gml, "read_gml", broken)
    with pytest.raises(InputError, match=r"x\.gml: is damaged, or no file of the format gml"):
        read(path)


def test_cases_of_two_modes_and_of_labels_that_fit(words) -> None:
    folder = CASES / "twomode_as_class"
    if not folder.is_dir():
        pytest.skip(f"needs {CASES}")
    assert read(folder / "twomode.graphml").n_classes == 0
    assert read(folder / "twomode_type.graphml").n_classes == 0
    airports = CASES / "wrong_labels_suggested"
    with words.warns(ReadWarning):
        read(airports / "omega-airports.edgelist")


def test_json_lines_and_pairs(tmp_path: Path, words) -> None:
    text = json.dumps({"nodes": ["a", "b", "c"], "edges": [["a", "b", 2], ["b", "c", 3]]})
    network = read(put(tmp_path / "x.json", text))
    assert network.weighted
    assert network.n_links == 2
    with words.raises(InputError):
        read(put(tmp_path / "y.json", "[[1, 2], [3]]"))


@pytest.mark.parametrize(
    ("what", "signs", "roles"),
    [("file", EVIDENCE, ("links", "nodes", "aside")),
     ("column", evidence.EVIDENCE, ("end", "weight", "id", "label"))],
)  # fmt: skip
def test_the_notes_show_the_evidence(what: str, signs: Any, roles: tuple[str, ...]) -> None:
    page = Path(__file__).parents[2] / "docs" / "lab" / "reading.md"
    if not page.is_file():
        pytest.skip("docs are not distributed with the tests")
    rows = page.read_text(encoding="utf-8").partition(f"| what is seen of a {what}")[2]
    cells = [line.split("|")[1:-1] for line in rows.split("\n\n")[0].split("\n")[2:]]
    numbers = [[cell.strip().replace("no", "-9") for cell in row[1:]] for row in cells]
    shown = [[float(cell or 0) for cell in row] for row in numbers[: len(signs)]]
    assert shown == [[getattr(sign, role) for role in roles] for sign in signs]
    for row, sign in zip(cells, signs):
        assert row[0].strip().startswith(sign.words.partition(" or labels")[0].partition(" {")[0])
