"""Files as people have them are read right, refused with what helps, or read with a warning."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from conftest import SHARED
from nettrial.core.errors import InputError, ReadWarning
from nettrial.io import (
    convert,
    from_frames,
    from_networkx,
    from_pyg,
    read,
    read_with_report,
    what_was_read,
)
from nettrial.io.arrays import from_arrays, to_arrays
from nettrial.network.network import Network
from nettrial.network.summary import check_classes

CASES = SHARED / "cases" / "files"
KARATE = nx.karate_club_graph()
needs_cases = pytest.mark.skipif(
    not CASES.is_dir(), reason=f"the cases are not distributed with the package; expected {CASES}"
)


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def frame() -> pd.DataFrame:
    return nx.to_pandas_edgelist(KARATE)[["source", "target"]]


def clubs() -> pd.DataFrame:
    clubs = nx.get_node_attributes(KARATE, "club")
    return pd.DataFrame({"node": list(clubs), "label": list(clubs.values())})


def is_karate(network: Network) -> bool:
    coo = network.adjacency().tocoo()
    ids = [int(i) for i in network.ids.tolist()]
    pairs = {frozenset((ids[i], ids[j])) for i, j in zip(coo.row, coo.col)}
    return (
        pairs == {frozenset(link) for link in KARATE.edges()}
        and not network.directed
        and bool(np.all(coo.data == 1))
    )


# --- the cases ----------------------------------------------------------------------------------


@needs_cases
def test_case_matrix_as_pandas_writes_it() -> None:
    network = read(CASES / "adjacency_pandas" / "adj.csv")
    assert network.adjacency().toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert network.ids.tolist() == [0, 1, 2]


@needs_cases
def test_case_display_names_of_gephi() -> None:
    network, report = read_with_report(CASES / "gephi_label")
    assert report.label == "group"
    assert [network.classes[c] for c in network.labels] == ["a", "a", "b", "b"]
    assert report.direction_choice == "stated by the file"


@needs_cases
def test_case_labels_in_node_order() -> None:
    folder = CASES / "labels_one_column"
    network = read(folder / "edges.csv", nodes=folder / "labels.csv")
    assert (network.n_nodes, network.n_links) == (6, 6)
    assert [network.classes[c] for c in network.labels] == ["red"] * 3 + ["blue"] * 3


@needs_cases
def test_case_code_for_a_missing_class(words) -> None:
    with words.warns(ReadWarning):
        assert read(CASES / "missing_code").n_classes == 3
    network = read(CASES / "missing_code", missing="unknown")
    assert network.classes == ("1", "2")
    assert network.labels.tolist() == [0, 1, -1, -1]
    assert what_was_read(network).missing == {"unknown": 2}


@needs_cases
@pytest.mark.parametrize(
    "name",
    ["adjlist/net.adjlist", "json_node_link/graph.json", "sif/net.sif", "mat_network_group/net.mat",
     "pajek_partition/net.paj", "pubmed_tab", "ucinet_attributes"],
)  # fmt: skip
def test_no_other_case_becomes_an_edge_list(name: str) -> None:
    try:
        _, report = read_with_report(CASES / name)
    except InputError:
        return
    assert report.format != "edge list"


# --- index columns and names before positions ---------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table,
        lambda table: table.assign(weight=1),
        lambda table: table[["target", "source"]],
        lambda table: table.assign(year=2000 + table.index % 9)[["year", "source", "target"]],
        lambda table: table.reset_index(),
        lambda table: table.reset_index().reset_index(),
        lambda table: table.rename(columns={"source": "From", "target": "To"}),
        lambda table: table.rename(columns={"source": "author_id_1", "target": "author_id_2"}),
        lambda table: table.assign(edge_id=range(500, 578))[["edge_id", "source", "target"]],
        lambda table: table.assign(kind="friend")[["source", "kind", "target"]],
    ],
)
@pytest.mark.parametrize("index", [True, False])
def test_exports_of_pandas(tmp_path: Path, change: Any, index: bool) -> None:
    table = change(frame())
    table.to_csv(tmp_path / "links.csv", index=index)
    assert is_karate(read(tmp_path / "links.csv", directed=False))
    assert is_karate(from_frames(table, directed=False))


def test_an_exported_export_has_an_unnamed_column(tmp_path: Path) -> None:
    frame().to_csv(tmp_path / "once.csv")
    pd.read_csv(tmp_path / "once.csv").to_csv(tmp_path / "twice.csv")
    assert is_karate(read(tmp_path / "twice.csv"))


def test_row_numbers_above_no_header_are_refused(tmp_path: Path, words) -> None:
    frame().to_csv(tmp_path / "links.csv", header=False)
    with words.raises(InputError):
        read(tmp_path / "links.csv")
    network = read(tmp_path / "links.csv", columns={"source": "2", "target": "3", "weight": "none"})
    assert is_karate(network)


def test_ids_in_the_index_of_a_node_table(tmp_path: Path) -> None:
    nodes = clubs().set_index("node")
    network = from_frames(frame(), nodes)
    assert network.n_classes == 2
    assert network.n_nodes == 34
    nodes.reset_index().sample(frac=1, random_state=1).to_csv(tmp_path / "nodes.csv")
    frame().to_csv(tmp_path / "links.csv")
    read_back = read(tmp_path / "links.csv", nodes=tmp_path / "nodes.csv")
    labels = {i: network.classes[c] for i, c in zip(network.ids.tolist(), network.labels)}
    again = {i: read_back.classes[c] for i, c in zip(read_back.ids.tolist(), read_back.labels)}
    assert labels == again


def test_frames_with_missing_values_and_arrow(words) -> None:
    table = pd.DataFrame({"node": [1, 2, 3, 4], "label": pd.array(["a", "b", None, "a"], "string")})
    links = pd.DataFrame({"source": [1, 2], "target": [2, 3]}).convert_dtypes()
    network = from_frames(links, table)
    assert network.labels.tolist() == [0, 1, -1, 0]
    pa = pytest.importorskip("pyarrow")
    arrow = from_frames(pa.Table.from_pandas(links), pa.Table.from_pandas(table))
    assert arrow.fingerprint() == network.fingerprint()
    with words.raises(InputError):
        from_frames(pd.DataFrame({"source": [1, 2], "target": [2, None]}), table)


# --- times --------------------------------------------------------------------------------------


def with_times(first: bool) -> list[str]:
    rows = [f"{20 * (k // 3) + 31220} {s} {t}" for k, (s, t) in enumerate(KARATE.edges())]
    return rows if first else [" ".join(row.split()[1:] + row.split()[:1]) for row in rows]


def test_times_become_neither_nodes_nor_weights(tmp_path: Path, words) -> None:
    path = put(tmp_path, "contacts.dat", "\n".join(with_times(True)))
    with words.raises(InputError):
        read(path, format="table")
    network = read(path, directed=False)
    assert (network.n_nodes, network.n_links) == (34, 78)
    with words.warns(ReadWarning):
        assert is_karate(read(put(tmp_path, "times.txt", "\n".join(with_times(False)))))
    unix = [
        f"{s},{t},{1300000000 + 977 * (k * 31 % 78)}" for k, (s, t) in enumerate(KARATE.edges())
    ]
    with words.warns(ReadWarning):
        assert is_karate(read(put(tmp_path, "unix.csv", "\n".join(unix))))
    years = [f"{s};{t};{1990 + k * 7 % 30}" for k, (s, t) in enumerate(KARATE.edges())]
    with words.warns(ReadWarning):
        assert is_karate(read(put(tmp_path, "years.txt", "\n".join(years))))
    header = "source;target;Year\n"
    assert is_karate(read(put(tmp_path, "named.txt", header + "\n".join(years))))


def test_contacts_whose_times_are_people_too(tmp_path: Path) -> None:
    rows = [f"{20 * (k // 3)}\t{s}\t{t}" for k, (s, t) in enumerate(KARATE.edges())]
    network, report = read_with_report(put(tmp_path, "contacts.dat", "\n".join(rows)))
    assert report.format == "SocioPatterns"
    assert (network.n_nodes, network.n_links) == (34, 78)
    sorted_links = [f"{20 * s} {20 * t} {1 + s % 3}" for s, t in sorted(KARATE.edges())]
    _, report = read_with_report(put(tmp_path, "links.dat", "\n".join(sorted_links)))
    assert report.format == "edge list"


def test_weights_are_still_weights(tmp_path: Path, words) -> None:
    rows = [f"{s},{t},{1 + k * 7 % 5}" for k, (s, t) in enumerate(KARATE.edges())]
    network = read(put(tmp_path, "w.csv", "\n".join(rows)))
    assert network.weighted
    assert network.adjacency().sum() == 2 * sum(1 + k * 7 % 5 for k in range(78))
    note = what_was_read(read(put(tmp_path, "n.csv", "a,b,strength\n" + "\n".join(rows))))
    assert note.weights == "weights from column 'strength'"
    with words.warns(ReadWarning):
        read(put(tmp_path, "r.csv", "source,target,rank\n" + "\n".join(rows)))
    with words.warns(ReadWarning):
        read(put(tmp_path, "pq.csv", "source,target,p,q\n" + "\n".join(f"{r},3" for r in rows)))


@pytest.mark.parametrize(
    "text",
    ["Hello world\n", "Source: Zachary 1977\n",
     "Collected by Zachary, 1977\nSee the paper, page 3\n",
     "Karate club\n\nThis is the network of Zachary (1977).\nIt has 34 nodes and 78 links.\n",
     "This network was collected by Zachary, in 1977, at a university\n"],
)  # fmt: skip
def test_prose_is_no_network(tmp_path: Path, text: str) -> None:
    for name in ("about.txt", "about.csv", "README"):
        with pytest.raises(
            InputError,
            match=r"so the rows look like text|of no known|fields|rows diff|no value occurs",
        ):
            read(put(tmp_path, name, text))


@pytest.mark.parametrize(
    ("text", "what"),
    [(b"# a\nb 1\nc\n# b\nc\n", "LGL"), (b"c flow\np max 3 2\n", "DIMACS"),
     (b"graph G {\na -- b;\n}\n", "DOT.*gv2gml"), (b"\x93NUMPY\x01", "numpy.*savetxt"),
     (b"LEDA.GRAPH\nvoid\nvoid\n-2\n", "LEDA"), (b"\x80\x04\x95abc.", "pickle.*from_object"),
     (b"ARROW1\0\0", "Arrow or Feather"), (b"\x28\xb5\x2f\xfd\0\0", "unpack it first"),
     (bytes(257) + b"ustar", "tar archive"), (b"PK\x03\x04\0\0", "zip archive.*unpack"),
     (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
     (b"PK\x03\x04" + bytes(26) + b"x/data.pklFB", "PyTorch file.*from_pyg")],
)  # fmt: skip
def test_other_formats_are_called_by_their_names(tmp_path: Path, text: bytes, what: str) -> None:
    path = tmp_path / "network"
    path.write_bytes(text)
    with pytest.raises(InputError, match=f"looks like .*{what}"):
        read(path)


def test_sheets_are_told_by_their_columns(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    path = tmp_path / "book.xlsx"
    for names in (["Sheet1", "Sheet2"], ["Sheet2", "Sheet1"], ["friends", "people"]):
        with pd.ExcelWriter(path) as book:
            pd.DataFrame({"About": ["a club", "1977"]}).to_excel(book, sheet_name="About")
            frame().to_excel(book, sheet_name=names[0])
            clubs().to_excel(book, sheet_name=names[1])
        assert read(path).n_classes == 2
        assert read(f"{path}#{names[0]}").n_classes == 2


def test_a_download_may_lie_one_folder_deeper(tmp_path: Path) -> None:
    (tmp_path / "karate").mkdir()
    put(tmp_path / "karate", "out.karate", "% sym unweighted\n1 2\n2 3\n")
    assert read(tmp_path).n_links == 2


# --- what people's programs and hands do to a table ---------------------------------------------


def rows_of(write: Any, header: str = "source,target") -> str:
    """Return the links of karate as text, a row for each."""
    return header + "\n" + "".join(write(s, t) + "\n" for s, t in KARATE.edges())


@pytest.mark.parametrize(
    "text",
    [
        "Links of the club\n\n" + rows_of(lambda s, t: f"{s},{t}"),
        "Links of the club,\nby Zachary,\n" + rows_of(lambda s, t: f"{s},{t}"),
        "Links of the club\n" + rows_of(lambda s, t: f'"{s}" {s} {t} x', '"" source target kind'),
        "// links\n" + rows_of(lambda s, t: f"{s},{t}"),
        rows_of(lambda s, t: f"{s},{t},"),
        rows_of(lambda s, t: f"{s},{t},", "source,target,"),
        rows_of(lambda s, t: f"2020-01-{s % 28 + 1:02d},{s},{t}", "2020-01-01,0,1").replace(
            "2020-01-01,0,1\n", "", 1),
        rows_of(lambda s, t: f"12:00:{s:02d},{s},{t}", "").lstrip(),
        rows_of(lambda s, t: f"{s} {t} {{'kind': 'x'}}", "").lstrip(),
        rows_of(lambda s, t: f"{s} {t} {{}}", "").lstrip(),
    ],
    ids=["title", "two titles", "title of words", "slashes", "trailing", "trailing everywhere",
         "dates", "hours", "attributes", "no attributes"],
)  # fmt: skip
def test_titles_marks_and_dates_around_links(tmp_path: Path, text: str) -> None:
    assert is_karate(read(put(tmp_path, "links.csv", text), directed=False))


def test_attributes_of_links_as_networkx_writes_them(tmp_path: Path) -> None:
    for delimiter in (" ", ",", "\t"):
        nx.write_edgelist(KARATE, tmp_path / "k.edgelist", delimiter=delimiter)
        network, report = read_with_report(tmp_path / "k.edgelist", directed=False)
        assert report.weights == "weights from column 3"
        assert (network.n_nodes, network.n_links) == (34, 78)
        wanted = nx.to_numpy_array(KARATE, nodelist=network.ids.tolist())
        np.testing.assert_array_equal(network.adjacency().toarray(), wanted)


def test_titles_above_a_node_table(tmp_path: Path) -> None:
    frame().to_csv(tmp_path / "edges.csv", index=False)
    for title in ("People of the club\n", "// people\n", "People,\n\n"):
        put(tmp_path, "nodes.csv", title + clubs().to_csv(index=False))
        assert (read(tmp_path).n_nodes, read(tmp_path).n_classes) == (34, 2)


def test_commas_in_weights(tmp_path: Path, words) -> None:
    def read_weights(write: Any) -> Any:
        rows = rows_of(lambda s, t: f'{s},{t},"{write(1000 * s + 1000)}"', "source,target,weight")
        return read(put(tmp_path, "w.csv", rows)).adjacency().max()

    assert read_weights(lambda n: f"{1000 * n:,}") == 33_000_000
    assert read_weights(lambda n: f"{n / 1e4:.1f}".replace(".", ",")) == pytest.approx(3.3)
    with words.raises(InputError):
        read_weights(lambda n: f"{n:,}")
    links = frame().assign(weight=[f"{1000 * k + 1000:,}" for k in range(78)])
    with words.raises(InputError):
        from_frames(links)


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("turned", [True, False])
def test_a_table_of_nodes_is_no_table_of_links(tmp_path: Path, header: bool, turned: bool) -> None:
    nodes = clubs()[["label", "node"] if turned else ["node", "label"]]
    path = put(tmp_path, "people.csv", nodes.to_csv(index=False, header=header))
    with pytest.raises(InputError, match=r"as in a table of nodes and their classes; give the li"):
        read(path)
    numbers = nodes.assign(label=(nodes["label"] == "Officer").astype(int))
    path = put(tmp_path, "people.csv", numbers.to_csv(index=False, header=False))
    with pytest.warns(ReadWarning, match="as in a table of nodes and their classes; if it is one"):
        read(path)
    frame().rename(columns={"source": "from", "target": "to"}).to_csv(
        tmp_path / "friendships.csv", index=False
    )
    put(tmp_path, "people.csv", nodes.to_csv(index=False))
    network = read(tmp_path)
    assert is_karate(network)
    assert network.n_classes == 2


@pytest.mark.parametrize(("mark", "note"), [("|", True), (";", True), (", ", True), ("/", False)])
def test_several_classes_in_a_cell_are_told(tmp_path: Path, mark: str, note: bool) -> None:
    kinds = [mark.join(("ab", "a", "b")[k % 3]) for k in range(34)]
    put(tmp_path, "edges.csv", frame().to_csv(index=False))
    put(tmp_path, "nodes.csv", clubs().assign(label=kinds).to_csv(index=False))
    if note:
        with pytest.warns(ReadWarning, match="may stand for several classes a node"):
            read(tmp_path)
    else:
        read(tmp_path)


@pytest.mark.parametrize(
    "names", [("friend1", "friend2"), ("q1", "q2", "q3"), ("alter 1", "alter 2")]
)
def test_neighbors_in_columns_are_no_two_ends(tmp_path: Path, names: tuple[str, ...]) -> None:
    table = pd.DataFrame({"id": range(20), "club": list("ab" * 10)})
    for k, name in enumerate(names, 1):
        table[name] = (np.arange(20) + 3 * k) % 20
    path = put(tmp_path, "survey.csv", table.to_csv(index=False))
    with pytest.raises(InputError, match="look like the neighbors of one node each"):
        read(path)
    chosen = read(path, columns={"source": "id", "target": names[0], "weight": "none"})
    assert chosen.n_links == 20


def test_features_and_matrices_are_no_links(tmp_path: Path, words) -> None:
    flags = pd.DataFrame(np.random.default_rng(0).integers(0, 2, (20, 5)), columns=list("pqrst"))
    with words.raises(InputError):
        read(put(tmp_path, "flags.csv", flags.to_csv(index=False)))
    pytest.importorskip("pyarrow")
    matrix = nx.to_pandas_adjacency(KARATE, weight=None, dtype=int)
    matrix.rename(columns=str).to_parquet(tmp_path / "matrix.parquet")
    with words.raises(InputError):
        read(tmp_path / "matrix.parquet")


def test_what_may_be_wrong_in_links_is_told(tmp_path: Path, words) -> None:
    def note(text: str) -> str:
        path = put(tmp_path, "links.csv", text)
        with pytest.warns(ReadWarning) as caught:
            read(path)
        return str([str(warning.message) for warning in caught])

    flags = rows_of(lambda s, t: f"{s},{t},{s % 2}", "source,target,self")
    assert "'self' looks like a flag of 0 and 1 and is not used" in note(flags)
    both = rows_of(lambda s, t: f"{s},{t},1\n{t},{s},{2 + s % 3}", "source,target,weight")
    assert "in both directions with different weights" in note(both)
    gaps = rows_of(lambda s, t: f"{s},{t if s != 5 else 'NA'}")
    assert "links name the node 'NA', which may stand for a missing one" in note(gaps)
    with words.raises(InputError):
        read(put(tmp_path, "zero.csv", rows_of(lambda s, t: f"{s},{t},0", "source,target,weight")))
    with words.raises(InputError):
        read(put(tmp_path, "tuples.txt", rows_of(lambda s, t: f"({s}, {t})", "").lstrip()))
    clubs = [f"{k},{'Mr. Hi' if k % 2 else 'mr. hi' if k % 3 else 'Officer'}" for k in range(34)]
    put(tmp_path, "edges.csv", rows_of(lambda s, t: f"{s},{t}"))
    put(tmp_path, "nodes.csv", "node,label\n" + "\n".join(clubs))
    with words.warns(ReadWarning):
        read(tmp_path)


# --- the class column ---------------------------------------------------------------------------


def read_nodes(folder: Path, table: pd.DataFrame, **options: Any) -> tuple[Network, Any]:
    frame().to_csv(folder / "edges.csv", index=False)
    table.to_csv(folder / "nodes.csv", index=False)
    return read_with_report(folder, **options)


def test_names_coordinates_and_measures_are_no_classes(tmp_path: Path, words) -> None:
    rng = np.random.default_rng(1)
    table = clubs().rename(columns={"label": "club"})
    table = table.assign(
        Label=[f"Member {k}" for k in range(34)],
        x=rng.normal(size=34),
        y=rng.normal(size=34),
        size=rng.integers(1, 4, 34),
        pagerank=rng.random(34),
    )
    network, report = read_nodes(tmp_path, table)
    assert (report.label, network.n_classes) == ("club", 2)
    assert from_frames(frame(), table).n_classes == 2
    with words.raises(InputError):
        read(tmp_path, label="klub")


@pytest.mark.parametrize("sets", [("train", "test"), ("is_train", "is_val"), ("train_mask",)])
def test_columns_of_splits_are_no_classes(tmp_path: Path, sets: tuple[str, ...]) -> None:
    nodes = clubs().rename(columns={"label": "club"})
    for k, name in enumerate(sets):
        nodes[name] = (nodes["node"] % 3 == k).astype(int)
    put(tmp_path, "edges.csv", frame().to_csv(index=False))
    put(tmp_path, "nodes.csv", nodes.to_csv(index=False))
    assert read_with_report(tmp_path)[1].label == "club"


def test_several_classes_are_asked_for_with_their_numbers_of_values(tmp_path: Path, words) -> None:
    table = clubs().rename(columns={"label": "club"})
    many = {f"m{k}": np.random.default_rng(k).random(34) for k in range(40)}
    table = table.assign(**many, team=["a", "b"] * 17)
    with pytest.raises(InputError) as error:
        read_nodes(tmp_path, table)
    assert "It can be club (2 values), team (2 values)" in str(error.value)
    assert "m9 (34 values; holds fractions" in str(error.value)
    assert "... (42 in all)" in str(error.value)
    assert len(str(error.value)) < 1000
    with words.raises(InputError):
        from_frames(frame(), table)


@pytest.mark.parametrize(
    "values",
    [
        [f"p{k}" for k in range(34)],
        np.arange(34) * 3,
        np.arange(34) / 7,
        [k // 2 for k in range(34)],
    ],
    ids=["names", "numbers", "fractions", "pairs"],
)
def test_what_cannot_be_a_class_is_never_guessed(tmp_path: Path, values: Any) -> None:
    table = pd.DataFrame({"node": range(34), "label": values})
    if len(set(values)) == 17:  # each value twice: may be a class
        assert read_nodes(tmp_path, table)[0].n_classes == 17
        return
    with pytest.raises(InputError, match=r"no column looks like a class: label \(34 values; "):
        read_nodes(tmp_path, table)
    with pytest.warns(ReadWarning, match="the label column 'label' "):
        network, _ = read_nodes(tmp_path, table, label="label")
    with pytest.raises(InputError, match="34 of 34 classes have one node each"):
        check_classes(network)


def test_layouts_in_graphml(tmp_path: Path) -> None:
    graph = nx.karate_club_graph()
    for node, data in graph.nodes(data=True):
        data.update(label=f"v{node}", x=node * 0.5, y=-node * 0.5, size=3 + node % 2)
    nx.write_graphml(graph, tmp_path / "k.graphml")
    network, report = read_with_report(tmp_path / "k.graphml")
    assert (report.label, network.n_classes) == ("club", 2)
    assert from_networkx(graph).n_classes == 2


def test_numbers_to_predict_are_no_classes(words) -> None:
    class Data:
        edge_index = np.array([[0, 1, 2], [1, 2, 3]])
        num_nodes = 4
        y = np.array([0.5, 1.25, 3.0, 2.0])

    with words.raises(InputError):
        from_pyg(Data())
    Data.y = np.eye(4)[:, :3]
    with words.raises(InputError):
        from_pyg(Data())
    Data.y = np.array([0.0, 1.0, 1.0, np.nan])
    assert from_pyg(Data()).labels.tolist() == [0, 1, 1, -1]


def test_classes_are_checked_before_a_verdict(words) -> None:
    labels = ["a"] * 10 + ["b"] * 10 + ["c"]
    network = Network([0], [1], n_nodes=21, labels=labels)
    (warning,) = check_classes(network)
    assert "1 of 3 classes has fewer than 5 nodes ('c' (1))" in str(warning)
    ages = Network([0], [1], n_nodes=50, labels=[k // 2 for k in range(50)])
    assert "look like measurements" in str(check_classes(ages)[-1])
    with words.raises(InputError):
        check_classes(Network([0], [1], n_nodes=2))


# --- labels in node order -----------------------------------------------------------------------


@pytest.mark.parametrize("start", [0, 1])
def test_labels_in_node_order(tmp_path: Path, start: int) -> None:
    (frame() + start).to_csv(tmp_path / "edges.csv", index=False, header=False)
    clubs()["label"].to_csv(tmp_path / "labels.txt", index=False, header=False)
    network = read(tmp_path / "edges.csv", nodes=tmp_path / "labels.txt")
    assert network.ids.tolist() == list(range(start, 34 + start))
    assert [network.classes[c] for c in network.labels] == clubs()["label"].tolist()
    codes = (clubs()["label"] == "Officer").astype(int)  # numbers that are ids, too
    codes.to_csv(tmp_path / "codes.txt", index=False, header=False)
    assert (
        read(tmp_path / "edges.csv", nodes=tmp_path / "codes.txt").labels.tolist() == codes.tolist()
    )


@pytest.mark.parametrize("index", [False, True])
def test_tables_as_pandas_prints_them(tmp_path: Path, index: bool) -> None:
    put(tmp_path, "edges.txt", frame().to_string(index=index))
    nodes = clubs().assign(label=clubs()["label"].str.replace(" ", "_"))
    path = put(tmp_path, "nodes.txt", nodes.to_string(index=index))
    network = read(tmp_path / "edges.txt", nodes=path)
    assert is_karate(network)
    assert [network.classes[c] for c in network.labels] == nodes["label"].tolist()
    put(tmp_path, "nodes.txt", clubs().to_string(index=index))  # 'Mr. Hi' has two words
    with pytest.raises(InputError, match=r"values that all differ.*part them by commas or tabs"):
        read(tmp_path / "edges.txt", nodes=path)


def test_labels_that_do_not_fit_the_nodes(tmp_path: Path, words) -> None:
    edges = put(tmp_path, "e.csv", "0,1\n1,2\n2,3\n3,5\n")
    with words.raises(InputError):
        read(edges, nodes=put(tmp_path, "few.txt", "x\ny\nx\n"))
    with words.raises(InputError):
        read(edges, nodes=put(tmp_path, "titled.txt", "x\n" + "x\ny\n" * 3))
    with words.warns(ReadWarning):
        network = read(edges, nodes=put(tmp_path, "titled.txt", "team\n" + "x\ny\n" * 3))
    assert network.labels.tolist() == [0, 1, 0, 1, 0, 1]
    named = put(tmp_path, "n.csv", "ann,bob\nbob,eve\neve,ann\n")
    with words.raises(InputError):
        read(named, nodes=put(tmp_path, "three.txt", "x\ny\nx\n"))
    either = put(tmp_path, "either.csv", "1,2\n2,3\n3,4\n")
    with words.raises(InputError):
        read(either, nodes=put(tmp_path, "five.txt", "label\nx\ny\nx\ny\ny\n"))


def test_more_labels_than_nodes_are_refused(tmp_path: Path, words) -> None:
    edges = put(
        tmp_path, "links.csv", "source,target\n" + "\n".join(f"{k},{k + 1}" for k in range(79))
    )
    labels = put(tmp_path, "classes.csv", "label\n" + "x\ny\n" * 42 + "x\n")
    with words.raises(InputError):
        read(edges, nodes=labels)


def test_labels_in_node_order_go_by_number_where_links_name_the_nodes(
    tmp_path: Path, words
) -> None:
    contacts = "\n".join(f"{20 * k}\t{s}\t{t}" for k, (s, t) in enumerate(sorted(
        KARATE.edges(), key=lambda link: (-link[1], link[0]))))  # fmt: skip
    labels = put(tmp_path, "labels.txt", "\n".join(clubs()["label"]))
    network = read(put(tmp_path, "c.dat", contacts), nodes=labels)
    found = {i: network.classes[c] for i, c in zip(network.ids.tolist(), network.labels)}
    assert found == dict(enumerate(clubs()["label"]))
    named = put(tmp_path, "n.sif", "a pp b\nb pp c\nc pp a\n")
    with words.raises(InputError):
        read(named, nodes=put(tmp_path, "three.txt", "x\ny\nx\n"))
    with words.raises(InputError):
        read(named, nodes=put(tmp_path, "other.csv", "node,label\nd,x\ne,y\n"))


def test_of_two_columns_that_fit_the_one_called_id_is_taken(tmp_path: Path, words) -> None:
    nodes = clubs().rename(columns={"node": "new_id"})
    nodes.insert(0, "id", nodes["new_id"] + 5000)
    nodes.insert(1, "days", nodes["new_id"].to_numpy()[::-1])
    put(tmp_path, "edges.csv", frame().to_csv(index=False))
    put(tmp_path, "nodes.csv", nodes.to_csv(index=False))
    with words.warns(ReadWarning):
        network = read(tmp_path)
    place = dict(zip(network.ids.tolist(), network.labels.tolist()))
    assert [network.classes[place[k]] for k in range(34)] == clubs()["label"].tolist()


@pytest.mark.parametrize("name", ["labels.csv", "nodes.txt", "node_classes.tsv"])
def test_a_node_table_beside_the_links_is_used_or_told(tmp_path: Path, name: str) -> None:
    frame().to_csv(tmp_path / "edges.csv", index=False)
    clubs().to_csv(tmp_path / name, index=False, sep="\t" if name.endswith("tsv") else ",")
    assert read(tmp_path).n_classes == 2
    with pytest.warns(ReadWarning, match=rf"{name} beside edges.csv may hold the nodes; nodes="):
        assert read(tmp_path / "edges.csv").n_classes == 0
    clubs().to_csv(tmp_path / "targets.csv", index=False)  # which of two is asked
    with pytest.warns(ReadWarning, match=r"targets.csv beside|, targets.csv beside"):
        assert read(tmp_path).n_classes == 0


def test_ranks_and_other_columns_are_no_ids_without_a_word(tmp_path: Path, words) -> None:
    """The table lists people by name and rank; the links name them by their numbers."""
    rng = np.random.default_rng(7)
    people = pd.DataFrame({"name": [chr(65 + k) for k in range(34)], "rank": rng.permutation(34),
                           "label": clubs()["label"]})  # fmt: skip
    for title in ("rank", "degree", "age"):
        table = people.rename(columns={"rank": title})
        with words.raises(InputError):
            read_nodes(tmp_path, table)
    table = people.rename(columns={"rank": "chair"})
    with words.warns(ReadWarning):
        read_nodes(tmp_path, table)
    for title in ("rank", "chair"):
        frames = people.rename(columns={"rank": title})
        if title == "rank":  # the table's own index is left
            assert from_frames(frame(), frames).ids.tolist() == list(range(34))
            continue
        with words.warns(ReadWarning):
            from_frames(frame(), frames)
    assert read_nodes(tmp_path, people.rename(columns={"rank": "person"}))[0].n_classes == 2


# --- dangling links -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("write", "help_"),
    [
        (lambda k: f"{k:02d}", "zeros in front"),
        (lambda k: f"{k}.0", "numbers are written alike"),
        (lambda k: f"N{k}", "prefixes are left out"),
        (lambda k: f"{k:.0E}", "numbers are written alike"),
    ],
)
def test_ids_of_two_spellings_are_told_with_examples(
    tmp_path: Path, write: Any, help_: str
) -> None:
    frame().map(write).to_csv(tmp_path / "edges.csv", index=False)
    clubs().to_csv(tmp_path / "nodes.csv", index=False)
    with pytest.raises(InputError, match=f"ids are such as '0', '1', '2'; .* if {help_}"):
        read(tmp_path)
    network = read(tmp_path, drop_dangling=True)
    note = what_was_read(network)
    assert note.dangling > 0
    assert note.dangling_share == note.dangling / 78
    assert repr(write(1)) in note.unknown_ids or note.unknown_ids
    assert note.known_ids == ("'0'", "'1'", "'2'")
    assert any(line.startswith(f"{note.dangling} of 78 link rows") for line in note.lines())


def test_few_dangling_links_are_warned_of_and_told(tmp_path: Path, words) -> None:
    rows = [f"{s:0{1 + (k % 3 == 0)}d},{t}" for k, (s, t) in enumerate(KARATE.edges())]
    put(tmp_path, "edges.csv", "source,target\n" + "\n".join(rows))
    clubs().to_csv(tmp_path / "nodes.csv", index=False)
    lost = sum(k % 3 == 0 and s < 10 for k, (s, _) in enumerate(KARATE.edges()))
    with words.warns(ReadWarning):
        note = what_was_read(read(tmp_path))
    assert (note.dangling, note.links) == (lost, 78 - lost)


def test_names_that_look_alike_are_told(tmp_path: Path, words) -> None:
    names = [f"Zo\u00eb {k}" for k in range(34)]
    links = frame().map(lambda k: unicodedata.normalize("NFD", names[k]))
    put(tmp_path, "edges.csv", links.to_csv(index=False))
    put(tmp_path, "nodes.csv", clubs().assign(node=names).to_csv(index=False))
    with words.raises(InputError):
        read(tmp_path)


def test_text_and_numbers_of_two_frames(words) -> None:
    with words.raises(InputError):
        from_frames(frame().astype(str), clubs())


# --- several networks, two modes, other content -------------------------------------------------


def test_two_kinds_of_nodes_with_the_same_ids_are_not_merged(tmp_path: Path, words) -> None:
    rows = "\n".join(f"{k},{k * 7 % 10}" for k in range(20))
    for header in ("user_id,movie_id", "author,paper"):
        with words.raises(InputError):
            read(put(tmp_path, "x.csv", f"{header}\n{rows}"))
    network, report = read_with_report(
        put(
            tmp_path,
            "y.csv",
            "user_id,movie_id\n" + "\n".join(f"u{k},m{k * 7 % 10}" for k in range(20)),
        )
    )
    assert network.n_nodes == 30
    assert any("two kinds of nodes" in note for note in report.notes)


def test_relations_and_neighbors_do_not_become_nodes(tmp_path: Path, words) -> None:
    sif = "\n".join(f"g{s} {'pp' if s % 2 else 'pd'} g{t}" for s, t in KARATE.edges())
    path = put(tmp_path, "x.txt", sif)
    with words.raises(InputError):
        read(path, format="table")
    network = read(path, directed=False)
    assert (network.n_nodes, network.n_links) == (34, 78)
    triples = "\n".join(f"g{s},r{s % 2},g{t}" for s, t in KARATE.edges())
    with words.raises(InputError):
        read(put(tmp_path, "x.csv", "one,relation,other\n" + triples))
    neighbors = "a b c\nb d a\nc d e\nd a\n"
    with words.raises(InputError):
        read(put(tmp_path, "y.txt", neighbors), format="table")


@pytest.mark.parametrize(
    ("name", "content", "seen"),
    [
        (
            "x.csv",
            b'{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}',
            "JSON",
        ),
        ("x.csv", b"[[1, 2],\n [2, 3]]", "JSON"),
        ("x.csv", b">>graph6<<DQc", "graph6"),
        ("x.csv", b"<html><body>404, not found</body></html>", "XML or HTML"),
        ("x.csv", b"graph G {\n a -- b;\n}", "Graphviz"),
        ("x.csv", b"PK\x03\x04" + bytes(range(200)), "zip"),
        ("x.csv", bytes(range(256)) * 4, "binary"),
        ("x.csv", b"*Vertices 2\n1 a\n2 b\n", "Pajek"),
    ],
)
def test_other_content_is_refused_by_what_it_is(
    tmp_path: Path, name: str, content: bytes, seen: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=f"looks like .*{seen}"):
        read(tmp_path / name, format="table")


# --- missing values -----------------------------------------------------------------------------


def test_spellings_of_missing_are_one_kind(tmp_path: Path) -> None:
    put(tmp_path, "edges.csv", "1,2\n2,3\n3,4\n4,5\n5,6\n6,7\n7,8\n")
    put(tmp_path, "nodes.csv", "node,label\n1,x\n2,None\n3,NULL\n4,-\n5,N/A\n6,y\n7,x\n8,y\n")
    network = read(tmp_path)
    assert network.classes == ("x", "y")
    assert what_was_read(network).missing == {"None": 1, "NULL": 1, "-": 1, "N/A": 1}
    put(tmp_path, "nodes.csv", "node,label\n1,+\n2,-\n3,+\n4,-\n5,+\n6,-\n7,+\n8,-\n")
    assert read(tmp_path).classes == ("-", "+")
    put(tmp_path, "meta.json", json.dumps({"classes": ["None", "x"]}))
    put(tmp_path, "nodes.csv", "node,label\n1,x\n2,None\n3,x\n4,None\n5,x\n6,x\n7,x\n8,x\n")
    assert read(tmp_path).classes == ("None", "x")


def test_codes_of_missing_values(tmp_path: Path, words) -> None:
    put(tmp_path, "edges.csv", "1,2\n2,3\n3,4\n4,5\n5,6\n")
    put(tmp_path, "nodes.csv", "node,label,age\n1,1,30\n2,2,99\n3,9,31\n4,1,99\n5,0,99\n6,2,30\n")
    network = read(tmp_path, missing=[0, "9"])
    assert network.classes == (1, 2)
    assert network.labels.tolist() == [0, 1, -1, 0, -1, 1]
    network = read(tmp_path, missing={"label": [0, 9], "age": 99})
    assert network.attributes["age"].tolist() == [30, None, 31, None, None, 30]
    with words.raises(InputError):
        read(tmp_path, missing="unkown")
    with words.raises(InputError):
        read(tmp_path, missing={"agee": 99})
    table = pd.DataFrame({"node": [1, 2, 3], "label": ["U", "a", "b"]})
    links = pd.DataFrame({"source": [1, 2], "target": [2, 3]})
    with words.warns(ReadWarning):
        from_frames(links, table)
    assert from_frames(links, table, missing="U").labels.tolist() == [-1, 0, 1]


# --- headers ------------------------------------------------------------------------------------


def test_headers_of_any_names(tmp_path: Path, words) -> None:
    rows = [(f"n{s}", f"n{t}") for s, t in KARATE.edges()]
    body = "".join(f"{s},{t}\n" for s, t in rows)
    with words.warns(ReadWarning):
        network = read(put(tmp_path, "x.csv", "person,friend of\n" + body))
    assert (network.n_nodes, network.n_links) == (34, 78)
    assert read(put(tmp_path, "y.csv", body)).n_links == 78
    assert read(put(tmp_path, "z.csv", "# source,target\n" + body)).n_links == 78
    assert read(put(tmp_path, "0.csv", "0,1\n" + body)).n_links == 78
    swapped = "".join(f"1,{s},{t}\n" for s, t in rows)
    assert read(put(tmp_path, "c.csv", "# weight,source,target\n" + swapped)).n_links == 78
    assert (
        read(put(tmp_path, "s.csv", "sep=;\nsource;target\n" + body.replace(",", ";"))).n_nodes
        == 34
    )
    with words.raises(InputError):
        read(put(tmp_path, "e.csv", "# weight,source,target\n1,a,b\n1,b,c\n1,c,\n"))
    assert read(tmp_path / "y.csv", header=True).n_links == 77
    with words.raises(InputError):
        read(put(tmp_path, "g.gml", "graph [ node [ id 1 ] ]"), header=False)


def test_decimal_commas(tmp_path: Path) -> None:
    path = put(tmp_path, "x.csv", "source;target;weight\na;b;0,5\nb;c;1,5\n")
    assert sorted(read(path).links.weights.tolist()) == [0.5, 0.5, 1.5, 1.5]


def test_roles_of_columns(tmp_path: Path) -> None:
    path = put(tmp_path, "x.csv", "p,q,r,s\na,b,a,2\nb,c,b,3\n")
    network = read(path, columns={"source": "q", "target": "R", "weight": "s"})
    assert {tuple(sorted(map(str, network.ids)))} == {("a", "b", "c")}
    assert network.adjacency().sum() == 2 * (2 + 3)
    for columns, message in (
        ({"source": "q"}, "source and target must be named together"),
        ({"source": "q", "target": "t"}, "column 't' not found; the columns are p, q, r, s"),
        ({"from": "q"}, "expected the roles source, target, weight, time, id, got 'from'"),
        ({"source": "q", "target": "q"}, "is named for both ends"),
        ({"source": "q", "target": "r", "weight": "q"}, "is an end and the weight"),
        ({"id": "q"}, "there is none"),
        ({"source": "q", "target": "r", "weight": "s", "time": "s"}, "weight and time cannot be"),
        ({"source": "q", "target": "r", "time": "q"}, "is an end and the time"),
    ):
        with pytest.raises(InputError, match=message):
            read(path, columns=columns)


# --- what was read ------------------------------------------------------------------------------


def test_what_was_read_is_kept_with_the_network(tmp_path: Path) -> None:
    put(tmp_path, "edges.csv", "source,target,weight\n1,2,1\n2,1,2\n3,3,1\n1,3,1\n1,4,0\n1,9,1\n")
    put(tmp_path, "nodes.csv", "node,label\n1,x\n2,y\n3,x\n4,NA\n")
    with pytest.warns(ReadWarning):
        network = read(tmp_path, directed=False)
    note = what_was_read(network)
    assert (note.nodes, note.links, note.rows) == (4, 2, 6)
    assert (note.merged, note.self_loops, note.zero_weight, note.dangling) == (1, 1, 1, 1)
    assert (note.unlabeled, note.missing, note.label) == (1, {"NA": 1}, "label")
    assert note.weights == "weights from column 'weight'"
    assert note.direction == "no direction (asked for)"
    assert note.unknown_ids == ("9",)
    assert note.known_ids == ("1", "2", "3")
    assert json.loads(json.dumps(note.to_dict()))["text"] == note.line()
    copies = (network.mask_labels(np.array([0])), from_arrays(to_arrays(network)))
    for copy in copies:
        assert copy.reading == network.reading
    memory = what_was_read(Network([0], [1], n_nodes=2))
    assert (memory.files, memory.links, memory.label) == ((), 1, None)


def test_no_name_behind_the_path_is_ignored(tmp_path: Path, words) -> None:
    frame().to_csv(tmp_path / "edges.csv", index=False)
    convert(tmp_path / "edges.csv", tmp_path / "k.nettrial-graph")
    for place in (tmp_path, tmp_path / "edges.csv", tmp_path / "k.nettrial-graph"):
        with words.raises(InputError):
            read(f"{place}#y")
