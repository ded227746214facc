"""LINQS tables as Pubmed-Diabetes has them."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np
import pytest

from conftest import SHARED
from hostile import put, refused
from nettrial.io import read, read_with_report

CASE = SHARED / "cases" / "files" / "pubmed_tab"


@pytest.mark.skipif(not CASE.is_dir(), reason=f"needs {CASE}")
@pytest.mark.parametrize("name", ["", "Demo.NODE.paper.tab", "Demo.DIRECTED.cites.tab"])
def test_case_of_pubmed(name: str) -> None:
    network, report = read_with_report(CASE / name)
    assert (network.ids.tolist(), network.n_links, report.label) == ([11, 12, 13], 2, "label")
    assert [network.classes[c] for c in network.labels] == [1, 1, 2]
    assert network.adjacency("out").toarray().tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    np.testing.assert_allclose(network.features.toarray(), [[0.09, 0], [0, 0.02], [0.01, 0.03]])


def write(folder: Path, seed: int, *, kind: str, packed: bool = False) -> tuple[np.ndarray, ...]:
    """Write a pair of files, and return matrix, features and classes."""
    rng = np.random.default_rng(seed)
    n, words = 20, 5
    matrix = np.triu(rng.random((n, n)) < 0.3, 1)
    features = np.round(rng.random((n, words)) * (rng.random((n, words)) < 0.4), 6)
    classes = rng.integers(1, 4, n)
    rows = [
        f"NODE\tpaper\ncat=1,2,3:label\t{chr(9).join(f'numeric:w-{k}:0.0' for k in range(words))}"
    ]
    for node in range(n):
        cells = [f"w-{k}={features[node, k]}" for k in np.flatnonzero(features[node])]
        rows.append("\t".join([f"p{node}", f"label={classes[node]}", *cells, "summary=w-0,w-1"]))
    links = [f"{kind}\tcites", "NO_FEATURES"]
    for number, (s, t) in enumerate(zip(*np.nonzero(matrix))):
        links.append(f"{number}\tpaper:p{s}\t|\tpaper:p{t}")
    links.append("99\tpaper:p0\t|\tpaper:gone")
    for name, text in ((f"X.{kind}.cites.tab", links), ("X.NODE.paper.tab", rows)):
        content = "\n".join(text).encode() + b"\n"
        put(folder / (name + ".gz" * packed), gzip.compress(content) if packed else content)
    return matrix, features, classes


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", ["DIRECTED", "UNDIRECTED"])
@pytest.mark.parametrize("seed", [1, 2])
def test_pairs_of_files(tmp_path: Path, seed: int, kind: str, packed: bool) -> None:
    matrix, features, classes = write(tmp_path, seed, kind=kind, packed=packed)
    network = read(tmp_path)
    want = matrix if kind == "DIRECTED" else matrix | matrix.T
    np.testing.assert_array_equal(network.adjacency("out").toarray(), want)
    np.testing.assert_allclose(network.features.toarray(), features, rtol=1e-6)
    assert [network.classes[c] for c in network.labels] == classes.tolist()
    assert (network.directed, network.tally.dangling_rows) == (kind == "DIRECTED", 1)


NODES = "NODE\tpaper\ncat=1,2:label\tnumeric:w:0.0\n"
LINKS = "DIRECTED\tcites\nNO_FEATURES\n"


@pytest.mark.parametrize(
    ("nodes", "links", "message"),
    [
        (NODES + "a\tlabel=7\n", LINKS, "paper.tab, line 3: '7' is not among the declared 1, 2"),
        (NODES + "a\tw=x\n", LINKS, "paper.tab, line 3: w is 'x', expected a number"),
        (NODES + "a\na\n", LINKS, "paper.tab, line 4: node 'a' is listed twice"),
        (NODES, LINKS, "paper.tab, line 2: holds no nodes"),
        (NODES + "a\n", LINKS + "1\tpaper:a\tpaper:a\n", "cites.tab, line 3: expected number"),
        (None, LINKS, "expected one file NAME.NODE.*.tab of the same NAME beside it, got 0"),
    ],
)
def test_damage_is_refused(tmp_path: Path, nodes: str | None, links: str, message: str) -> None:
    if nodes is not None:
        put(tmp_path / "X.NODE.paper.tab", nodes)
    path = put(tmp_path / "X.DIRECTED.cites.tab", links)
    refused(path, match=re.escape(message))
