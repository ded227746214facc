"""Link and node tables as text: every way of writing them that is usual, and what is reported."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from nettrial.core.errors import InputError, ReadWarning
from nettrial.io import read, read_with_report
from nettrial.network.network import Network


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def links(network: Network) -> set[tuple[object, object]]:
    coo = network.adjacency("out").tocoo()
    ids = network.ids.tolist()
    return {(ids[i], ids[j]) for i, j in zip(coo.row, coo.col)}


PATH = {("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.csv", "source,target\na,b\nb,c\n"),
        ("x.csv", "a,b\nb,c"),
        ("x.csv.gz", "source,target\na,b\nb,c\n"),
        ("x.csv", "\ufeffsource,target\r\na,b\r\nb,c\r\n"),
        ("x.tsv", "a\tb\nb\tc\n"),
        ("x.csv", "a b\nb   c\n"),
        ("x.txt", "a;b\nb;c\n"),
        ("edges", "a | b\nb | c\n"),
        ("x.dat", "# made by hand\n% with care\n\na b\n  # between\nb c\n"),
        ("x.csv", '"a", "b"\n"b", "c"\n'),
        ("x.csv", "to,from\nb,a\nc,b\n"),
        ("x.csv", "weight,from,to\n1,a,b\n1,b,c\n"),
    ],
)
def test_ways_to_write_a_link_table(tmp_path: Path, name: str, text: str) -> None:
    network = read(put(tmp_path, name, text))
    assert links(network) == PATH
    assert network.ids.tolist() == ["a", "b", "c"]
    assert not network.directed


def test_text_in_the_third_column_is_told_and_not_used(tmp_path: Path) -> None:
    path = put(tmp_path, "x.csv", "source,target,kind\na,b,friend\nb,c,foe\n")
    network, report = read_with_report(path)
    assert not network.weighted
    assert report.notes == ("column 'kind' is not used",)


@pytest.mark.parametrize("header", ["source,target,w\n", "from,to,strength\n", ""])
def test_numbers_in_the_third_column_are_weights(tmp_path: Path, header: str) -> None:
    path = put(tmp_path, "x.csv", header + "a,b,0.1\nb,c,2\nc,a,1e-3\n")
    assert sorted(read(path).links.weights.tolist()) == [1e-3, 1e-3, 0.1, 0.1, 2, 2]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("source,target,weight\na,b,1\n# two\nb,c,much\n", 4),
        ("source,target,weight\na,b,1\nb,c,\n", 3),
        ("a b 1\n\nb c nan\n", 3),
        ("a b 1\nb c inf\n", 2),
        ("a b 1\nb c 1e999\n", 2),
        ("source,target,weight\na,b,x\n", 2),
        ("a,b\nb,\nc,a\n", 2),
        ("a,b\nb,c\nc,a,b\n", 3),
        ("source,target\n\nb,c\nc,a,b\n", 4),
        ('source,target\nb,c\n"c,a\n', 3),
        ('a,b\nb,c\n"c,a\n', 3),
    ],
)
def test_a_bad_row_is_named_by_its_line(tmp_path: Path, text: str, line: int) -> None:
    path = put(tmp_path, "x.csv", text)
    with pytest.raises(InputError, match=rf"x\.csv, line {line}: "):
        read(path)


def test_a_weight_beyond_the_first_rows_is_named_too(tmp_path: Path, words) -> None:
    rows = [f"{k},{k + 1},1" for k in range(1000)]
    rows[777] = "777,778,one"
    with words.raises(InputError):
        read(put(tmp_path, "x.csv", "\n".join(rows)))


def test_ids_come_back_as_they_went_in(tmp_path: Path, words) -> None:
    assert read(put(tmp_path, "a.csv", "1,2\n2,30\n")).ids.tolist() == [1, 2, 30]
    assert read(put(tmp_path, "b.csv", "1,2\n2,03\n")).ids.tolist() == ["1", "2", "03"]
    assert read(put(tmp_path, "c.csv", "1,2\n2,7a\n")).ids.tolist() == ["1", "2", "7a"]
    assert read(put(tmp_path, "d.csv", "1,2\n2,+3\n")).ids.tolist() == ["1", "2", "+3"]
    with words.warns(ReadWarning):
        network = read(put(tmp_path, "e.csv", "MSTd/p,NA\nNA,nan\n"))
    assert network.ids.tolist() == ["MSTd/p", "NA", "nan"]
    huge = "9" * 40
    assert read(put(tmp_path, "f.csv", f"1,2\n2,{huge}\n")).ids.tolist() == ["1", "2", huge]


def test_ids_are_text_in_both_tables_or_in_none(tmp_path: Path, words) -> None:
    edges = put(tmp_path, "e.csv", "1,2\n2,3\n")
    nodes = put(tmp_path, "n.csv", "node,label\n1,x\n2,y\n3,x\nfour,y\n")
    network = read(edges, nodes=nodes)
    assert network.ids.tolist() == ["1", "2", "3", "four"]
    assert network.n_links == 2
    padded = put(tmp_path, "m.csv", "node,label\n01,x\n02,y\n")
    with words.raises(InputError):
        read(edges, nodes=padded)
    assert read(edges, nodes=padded, drop_dangling=True).tally.dangling_rows == 2


def test_ids_with_comment_signs_inside(tmp_path: Path) -> None:
    text = "http://x.org/#top http://x.org/~a\nhttp://x.org/~a http://x.org/50%?a,b\n"
    assert read(put(tmp_path, "x.txt", text)).ids.tolist() == [
        "http://x.org/#top",
        "http://x.org/~a",
        "http://x.org/50%?a,b",
    ]


def test_direction_is_asked_for_or_guessed_and_told(tmp_path: Path) -> None:
    some = put(tmp_path, "some.csv", "a,b\nb,a\nb,c\n")
    every = put(tmp_path, "every.csv", "a,b\nb,a\nb,c\nc,b\n")
    network, report = read_with_report(some)
    assert network.directed
    assert report.direction_choice.startswith("guessed: 1 of 2 ")
    network, report = read_with_report(every)
    assert not network.directed
    assert (network.n_links, network.tally.duplicate_rows, network.weighted) == (2, 0, False)
    assert any("both directions" in note for note in report.notes)
    assert read_with_report(every, directed=True)[1].direction_choice == "asked for"
    assert read(every, directed=True).n_links == 4
    assert not read(some, directed=False).directed


def test_links_listed_both_ways_keep_their_weight(tmp_path: Path) -> None:
    path = put(tmp_path, "x.csv", "source,target,weight\na,b,2\nb,a,2\na,a,5\n")
    network = read(path)
    assert network.adjacency().toarray().tolist() == [[0, 2], [2, 0]]
    assert network.tally.self_loops == 1


NODES = "id,color,size\n1,red,3\n2,blue,4\n3,,5\n"


def test_label_column(tmp_path: Path, words) -> None:
    edges = put(tmp_path, "edges.csv", "1,2\n2,3\n")
    nodes = put(tmp_path, "nodes.csv", NODES)
    with words.raises(InputError):
        read(tmp_path)
    with words.raises(InputError):
        read(tmp_path, label="colors")
    network, report = read_with_report(edges, nodes=nodes, label="color")
    assert network.classes == ("blue", "red")
    assert network.labels.tolist() == [1, 0, -1]
    assert report.label_choice == "asked for"
    assert report.columns == ("size",)
    assert network.attributes["size"].tolist() == [3, 4, 5]
    put(tmp_path, "meta.json", json.dumps({"label": "size", "directed": True}))
    network, report = read_with_report(tmp_path)
    assert network.directed
    assert network.classes == (3, 4, 5)
    assert report.label_choice == "named by the file"


@pytest.mark.parametrize("name", ["label", "Class", "target", "Y"])
def test_usual_names_of_the_label(tmp_path: Path, name: str) -> None:
    put(tmp_path, "edges.csv", "1,2\n2,3\n")
    put(tmp_path, "nodes.csv", f"id,age,{name}\n1,30,x\n2,40,y\n3,50,x\n")
    assert read_with_report(tmp_path)[1].label == name


def test_the_only_column_is_the_label(tmp_path: Path) -> None:
    edges = put(tmp_path, "edges.csv", "1,2\n2,3\n")
    put(tmp_path, "nodes.csv", "id,team\n1,x\n2,y\n3,x\n")
    assert read_with_report(tmp_path)[1].label == "team"
    bare = put(tmp_path, "labels.txt", "1 5\n2 6\n3 5\n")
    assert read(edges, nodes=bare).classes == (5, 6)


def test_missing_labels_are_counted_and_spellings_told(tmp_path: Path) -> None:
    put(tmp_path, "edges.csv", "1,2\n2,3\n")
    put(tmp_path, "nodes.csv", "node,label\n1,x\n2,NA\n3,\n4,?\n")
    network, report = read_with_report(tmp_path)
    assert network.labels.tolist() == [0, -1, -1, -1]
    assert set(report.notes) == {
        "column 'label': 1 x 'NA' read as missing; missing='' keeps it",
        "column 'label': 1 x '?' read as missing; missing='' keeps it",
    }


def test_the_id_column_is_the_one_that_the_links_name(tmp_path: Path) -> None:
    edges = put(tmp_path, "edges.csv", "from,to\n0,1\n1,2\n")
    nodes = put(tmp_path, "n.csv", "id,label,new_id\n901,x,2\n902,y,0\n903,x,1\n")
    network, report = read_with_report(edges, nodes=nodes)
    assert network.ids.tolist() == [2, 0, 1]
    assert network.tally.dangling_rows == 0
    assert "node ids from column 'new_id'" in report.notes[0]


def test_repeated_nodes(tmp_path: Path, words) -> None:
    edges = put(tmp_path, "edges.csv", "1,2\n2,3\n")
    same = put(tmp_path, "a.csv", "node,label,age\n1,x,5\n2,y,6\n3,x,7\n2,y,8\n")
    network, report = read_with_report(edges, nodes=same)
    assert network.attributes["age"].tolist() == [5, 6, 7]
    assert "1 rows repeat a node" in report.notes[0]
    assert "age" in report.notes[0]
    other = put(tmp_path, "b.csv", "node,label\n1,x\n2,y\n3,x\n2,x\n")
    with words.raises(InputError):
        read(edges, nodes=other)


def test_dangling_links_self_loops_and_repeats_are_counted(tmp_path: Path, words) -> None:
    put(tmp_path, "edges.csv", "source,target\n1,2\n2,1\n1,2\n3,3\n3,3\n1,9\n2,3\n")
    put(tmp_path, "nodes.csv", "node,label\n1,x\n2,y\n3,x\n")
    with words.warns(ReadWarning):
        tally = read(tmp_path, directed=False).tally
    assert (tally.rows, tally.dangling_rows, tally.self_loops) == (7, 1, 2)
    assert tally.duplicate_rows == 3  # two of the pair 1-2, one of the loop


def test_several_node_tables(tmp_path: Path, words) -> None:
    edges = put(tmp_path, "e.csv", "1,2\n2,3\n")
    first = put(tmp_path, "a.csv", "node,label\n1,x\n2,y\n")
    second = put(tmp_path, "b.csv", "node\n3\n")
    with words.raises(InputError):
        read(edges, nodes=[first, tmp_path / "none.csv"])
    network = read(edges, nodes=[first, second])
    assert network.labels.tolist() == [0, 1, -1]


@pytest.mark.parametrize(
    "text",
    [
        "name,a,b,c,d,label\na,0,1,0,0,x\nb,1,0,2,0,y\nc,0,2,0,0,x\nd,0,0,0,0,y\n",
        "a,b,c,d,label\n0,1,0,0,x\n1,0,2,0,y\n0,2,0,0,x\n0,0,0,0,y\n",
    ],
)
def test_adjacency_table_with_labels_at_its_right_edge(tmp_path: Path, text: str) -> None:
    network, report = read_with_report(put(tmp_path, "x.csv", text))
    assert report.format == "adjacency table"
    assert network.ids.tolist() == ["a", "b", "c", "d"]
    assert network.adjacency().toarray().tolist() == [
        [0, 1, 0, 0], [1, 0, 2, 0], [0, 2, 0, 0], [0, 0, 0, 0],
    ]  # fmt: skip
    assert network.labels.tolist() == [0, 1, 0, 1]


def test_bare_adjacency_matrix(tmp_path: Path) -> None:
    network = read(put(tmp_path, "x.txt", "0 1 0 0\n0 0 1 0\n0 0 0 1\n0 1 0 0\n"))
    assert (network.n_nodes, network.n_links, network.directed) == (4, 4, True)


def test_folder_with_names_of_any_kind(tmp_path: Path, words) -> None:
    put(tmp_path, "twitter_edges.csv", "from,to\n1,2\n2,3\n")
    put(tmp_path, "twitter_target.csv", "id,target\n1,x\n2,y\n3,x\n")
    put(tmp_path, "README.md", "nothing, really\n")
    assert read(tmp_path).classes == ("x", "y")
    put(tmp_path, "more_edges.csv", "from,to\n1,2\n2,3\n")
    with words.raises(InputError):
        read(tmp_path)


def test_paths_that_are_not_there(tmp_path: Path, words) -> None:
    with words.raises(InputError):
        read(tmp_path / "none")
    with words.raises(InputError):
        read(tmp_path)
    with words.raises(InputError):
        read(put(tmp_path, "empty.csv", ""))
    with words.raises(InputError):
        read(put(tmp_path, "only.csv", "source,target\n"))
    with words.raises(InputError):
        read(put(tmp_path, "x.csv", "a,b\n"), format="cvs")


@pytest.mark.slow
def test_a_large_table_needs_no_loop_over_rows(tmp_path: Path) -> None:
    # half a million rows take a fraction of a second where loops would take many
    rng = np.random.default_rng(1)
    ends = rng.integers(0, 50_000, (500_000, 2))
    path = tmp_path / "edges.csv"
    path.write_text("\n".join(f"{a},{b}" for a, b in ends.tolist()))
    network = read(path, directed=True)
    distinct = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)
    assert network.n_links == len(distinct)


def test_small_node_tables_of_numbers_are_no_matrices(tmp_path: Path) -> None:
    rows = "".join(f"{k},{k % 2},{k},{k}\n" for k in range(4))
    put(tmp_path, "some_links.csv", "0,1\n1,2\n2,3\n")
    put(tmp_path, "some_nodes.csv", "node,label,a,b\n" + rows)
    assert read_with_report(tmp_path)[1].format == "edge list"
    put(tmp_path, "edges.csv", "0,1\n")
    put(tmp_path, "nodes.csv", "k,label,a,b\n" + rows)
    assert read(tmp_path).n_links == 1


def test_signs_of_links_are_weights_and_what_is_for_weights_needs_some(tmp_path: Path) -> None:
    signed = put(tmp_path, "signed.csv", "source,target,sign\n1,2,-1\n2,3,1\n3,4,-1\n")
    with pytest.raises(InputError, match=r"2 of 3 links have a negative weight, such as -1"):
        read(signed)
    with pytest.warns(ReadWarning, match="column 'sign' is taken for the weight"):
        assert read(signed, negative="drop").n_links == 1
    flags = put(tmp_path, "flags.csv", "source,target,sign\n1,2,0\n2,3,1\n3,4,0\n")
    with pytest.warns(ReadWarning, match="'sign' looks like a flag of 0 and 1 and is not used"):
        assert read(flags).n_links == 3
    plain = put(tmp_path, "plain.csv", "source,target\n1,2\n2,3\n")
    with pytest.raises(InputError, match=r"negative='drop' is for weights, and the links have no"):
        read(plain, negative="drop")


def test_negative_weights_are_refused_or_taken_as_asked_for(tmp_path: Path, words) -> None:
    path = put(tmp_path, "x.csv", "source,target,weight\na,b,1\nb,c,-2\nc,a,3\nd,a,-1\n")
    with words.raises(InputError):
        read(path)
    strong = read(path, negative="absolute")
    assert sorted(strong.links.weights.tolist()) == [1, 1, 1, 1, 2, 2, 3, 3]
    without = read(path, negative="drop")
    assert (without.n_nodes, without.n_links, without.tally.dangling_rows) == (4, 2, 0)
    assert read(path, columns={"weight": "none"}).n_links == 4


def test_a_class_called_na_can_be_kept(tmp_path: Path) -> None:
    put(tmp_path, "edges.csv", "source,target\n1,2\n2,3\n3,4\n4,1\n")
    put(tmp_path, "nodes.csv", "id,region\n1,NA\n2,EU\n3,\n4,NA\n")
    assert read(tmp_path).classes == ("EU",)
    kept = read(tmp_path, missing="")
    assert kept.classes == ("EU", "NA")
    assert kept.labels.tolist() == [1, 0, -1, 1]
