"""UCINET DL: attribute matrices, halves, two modes, several matrices, and damage."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from conftest import SHARED
from hostile import put, refused
from nettrial.core.errors import InputError
from nettrial.io import project, read, read_with_report

CASE = SHARED / "cases" / "files" / "ucinet_attributes"


def text_of(matrix: np.ndarray) -> str:
    return "\n".join(" ".join(map(str, row)) for row in matrix.tolist()) + "\n"


@pytest.mark.skipif(not CASE.is_dir(), reason=f"needs {CASE}")
@pytest.mark.parametrize("folder", [True, False])
def test_case_of_an_attribute_matrix(folder: bool) -> None:
    options = {} if folder else {"nodes": CASE / "node_data.dat"}
    network = read(CASE if folder else CASE / "edges.dat", label="group", **options)
    assert (network.n_nodes, network.n_links) == (4, 3)
    assert [network.classes[c] for c in network.labels] == [1, 1, 2, 2]
    assert list(network.attributes["sex"]) == [1, 2, 1, 0]


@pytest.mark.parametrize("rows", ["", "labels", "embedded"])
@pytest.mark.parametrize("seed", [1, 2])
def test_attribute_matrices(tmp_path: Path, rows: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [f"n{k}" for k in range(6)]
    values = rng.integers(0, 3, (6, 3))
    order = rng.permutation(6) if rows else np.arange(6)
    listed = [names[k] for k in order]
    body = text_of(values[order])
    head = "dl nr=6, nc=3 format = fullmatrix\n"
    if rows == "labels":
        head += "row labels:\n" + "\n".join(listed) + "\n"
    if rows == "embedded":
        head += "row labels embedded\n"
        body = "\n".join(f"{a} {b}" for a, b in zip(listed, body.split("\n")))
    head += 'column labels:\n"age" "sex" "job"\n'
    table = put(tmp_path / "attributes.dat", f"{head}data:\n{body}")
    links = put(
        tmp_path / "links.dl",
        "dl n=6 format=edgelist1\nlabels:\n" + ",".join(names) + "\ndata:\n1 2\n3 4\n5 6\n",
    )
    network, report = read_with_report(links, nodes=table, label="sex")
    assert [network.classes[c] for c in network.labels] == values[:, 1].tolist()
    assert list(network.attributes["job"]) == values[:, 2].tolist()
    assert list(network.attributes["age"]) == values[:, 0].tolist()
    assert report.files == (str(links), str(table))
    assert read(tmp_path, label="sex").fingerprint() == network.fingerprint()


@pytest.mark.parametrize("half", ["upperhalf", "lowerhalf"])
@pytest.mark.parametrize("diagonal", ["present", "absent"])
def test_halves(tmp_path: Path, half: str, diagonal: str) -> None:
    rng = np.random.default_rng(4)
    full = np.triu(rng.integers(0, 4, (5, 5)), 1)
    full = full + full.T
    inside = np.triu if half == "upperhalf" else np.tril
    mask = inside(
        np.ones((5, 5), bool),
        {"upperhalf": 1, "lowerhalf": -1}[half] if diagonal == "absent" else 0,
    )
    rows = "\n".join(" ".join(map(str, row[keep])) for row, keep in zip(full, mask))
    text = f"dl n=5 format={half} diagonal={diagonal}\ndata:\n{rows}\n"
    network = read(put(tmp_path / "x.dl", text))
    assert not network.directed
    np.testing.assert_array_equal(network.adjacency().toarray(), full)


@pytest.mark.parametrize("form", ["fullmatrix", "edgelist2", "nodelist2"])
@pytest.mark.parametrize("named", [False, True])
def test_two_modes(tmp_path: Path, form: str, named: bool) -> None:
    went = np.array([[1, 0], [1, 1], [0, 1]])
    people, events = (["ann", "bob", "eve"], ["tea", "ball"]) if named else ("123", "12")
    pairs = [(people[i], events[j]) for i, j in zip(*np.nonzero(went))]
    body = {
        "fullmatrix": text_of(went),
        "edgelist2": "".join(f"{a} {b}\n" for a, b in pairs),
        "nodelist2": "".join(
            f"{a} {' '.join(b for other, b in pairs if other == a)}\n" for a in people
        ),
    }[form]
    labels = "row labels:\nann bob eve\ncol labels:\ntea ball\n" if named else ""
    text = f"dl nr=3 nc=2 format={form}\n{labels}data:\n{body}"
    network, report = read_with_report(put(tmp_path / "x.dl", text))
    assert any("two-mode network of 3 and 2" in note for note in report.notes)
    assert list(network.attributes["mode"]) == [1, 1, 1, 2, 2]
    np.testing.assert_array_equal(network.adjacency().toarray()[:3, 3:], went)
    assert network.n_links == went.sum()
    assert network.ids.tolist()[0] == ("ann" if named else "row 1")
    assert project(network, "mode", 1).n_links == 2


def test_several_matrices(tmp_path: Path, words) -> None:
    rng = np.random.default_rng(0)
    likes, knows = rng.integers(0, 2, (2, 4, 4)) * (1 - np.eye(4, dtype=int))
    text = f"dl n=4 nm=2\nlevel labels:\nlikes\nknows\ndata:\n{text_of(likes)}\n{text_of(knows)}"
    path = put(tmp_path / "x.dl", text)
    assert "(likes, knows), which are not merged; choose one as x.dl#NAME" in refused(path)
    for name, want in (("likes", likes), ("knows", knows), ("2", knows)):
        got = read(f"{path}#{name}", directed=True).adjacency("out").toarray()
        np.testing.assert_array_equal(got, want)
    with words.raises(InputError):
        read(f"{path}#hates")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dl n=²\ndata:\n0 1\n1 0\n", "line 1: N= needs a number, got '²'"),
        ("dl n=2 format=edgelist1\ndata:\n² 1\n", "line 3: '²' is no node number"),
        ("dl n=2 format=edgelist1\ndata:\n--1 1\n", "line 3: '--1' is no node number"),
        ("dl n=2 format=blocks\ndata:\n1\n", "line 1: the format 'blocks' is not known"),
        ("dl nr=2\ndata:\n1\n", "line 1: needs the number of nodes"),
        ("dl n=1000000\ndata:\n1\n", "holds 1 matrix entries, 1000000 nodes need 1000000000000"),
        ("dl n=2 nm=2 format=edgelist1\ndata:\n1 2\n", "choose one as x.dl#NAME"),
        ("dl n=2 nm=99999999\ndata:\n1 2\n", "line 1: NM= needs a number of matrices"),
        ("dl nr=2 nc=3 format=upperhalf\ndata:\n1 2\n", "line 1: expected a square matrix"),
    ],
)
def test_damage_is_refused(tmp_path: Path, text: str, message: str) -> None:
    refused(put(tmp_path / "x.dl", text), match=re.escape(message))


def test_damaged_attributes_are_refused(tmp_path: Path) -> None:
    links = put(tmp_path / "x.dl", "dl n=2 format=edgelist1\ndata:\n1 2\n")
    for text, message in (
        ("dl nr=2 nc=2\ndata:\n1 2\n3\n", "line 4: holds 3 entries, expected 2 rows of 2"),
        ("dl nr=2 nc=2\ncolumn labels:\na\ndata:\n1 2\n3 4\n", "has 1 labels for 2 columns"),
        ("dl nr=3 nc=1\ndata:\n1\n2\n3\n", "'3' is no node of the network"),
        ("dl nr=2 nc=1 nm=2\ndata:\n1\n2\n3\n4\n", "expected one full matrix of attributes"),
    ):
        table = put(tmp_path / "y.dl", text)
        with pytest.raises(InputError, match=r"y\.dl.*" + re.escape(message)):
            read(links, nodes=table)
