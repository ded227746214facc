"""Networks on disk: converted in bounded memory, they equal those that are read at once."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

import nettrial
from nettrial.cli import main
from nettrial.core.errors import InputError
from nettrial.io import large
from nettrial.io.folder import open_folder
from nettrial.io.large import convert_large
from nettrial.io.numbering import IntegerNumbering, TableNumbering
from nettrial.io.seals import seal_folder
from nettrial.models import NBC, WVRN, RelaxationLabeling, by_name, evidence
from nettrial.network import summary
from nettrial.network.network import Network
from nettrial.splits import RandomResampling
from nettrial.study.node_study import run


def table_of(rng: np.random.Generator, path: Path, *, text: bool, weighted: bool) -> None:
    """Write links with self loops and repeats; weights are small integers, so sums are exact."""
    ends = rng.integers(0, 60, (400, 2)) * 7
    lines = ["source,target,weight" if weighted else "source,target"]
    for row in ends:
        fields = [f"n{i}" if text else str(i) for i in row]
        lines.append(",".join(fields + ([str(rng.integers(0, 4))] if weighted else [])))
    path.write_text("\n".join(lines) + "\n")


def node_table(path: Path, *, text: bool) -> None:
    """Write nodes in another order than the links name them, one without label, some left out."""
    ids = [f"n{7 * i}" if text else str(7 * i) for i in range(55, -1, -1)]
    rows = [f"{name},{'' if k == 3 else 'xyz'[k % 3]},{k % 2}" for k, name in enumerate(ids)]
    path.write_text("node,label,side\n" + "\n".join(rows) + "\n")


@pytest.mark.slow
@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("nodes", [False, True])
@pytest.mark.parametrize("memory", [6_000, 2**20])
def test_it_equals_the_network_that_is_read_at_once(
    tmp_path: Path, text: bool, weighted: bool, directed: bool, nodes: bool, memory: int
) -> None:
    rng = np.random.default_rng([text, weighted, directed, nodes])
    links, tables = tmp_path / "links.csv", []
    table_of(rng, links, text=text, weighted=weighted)
    if nodes:
        tables = [tmp_path / "people.csv"]
        node_table(tables[0], text=text)
    label = "label" if nodes else None
    expected = nettrial.read(
        links, nodes=tables or None, label=label, directed=directed, drop_dangling=True
    )
    out = tmp_path / "links.nettrial-graph"
    n, n_links, _ = convert_large(
        links, out, nodes=tables, label=label, directed=directed, memory=memory
    )
    found = nettrial.read(out)
    assert (n, n_links) == (expected.n_nodes, expected.n_links)
    assert found.fingerprint() == expected.fingerprint()
    assert found.tally == expected.tally
    assert (found.classes, found.name) == (expected.classes, expected.name)
    assert set(found.attributes) == set(expected.attributes)
    assert isinstance(found.links.indices.base, np.memmap)
    assert not list(tmp_path.glob(".writing-*"))


@given(
    st.lists(st.integers(-30, 60), unique=True, min_size=1),
    st.lists(st.integers(-40, 2**40)),
)
def test_looking_numbers_up_is_the_same_as_searching_for_them(
    nodes: list[int], ids: list[int]
) -> None:
    given_nodes, asked = np.array(nodes, dtype=np.int64), np.array(ids, dtype=np.int64)
    table, search = TableNumbering(given_nodes), IntegerNumbering(given_nodes)
    assert table.number(asked).tolist() == search.number(asked).tolist()
    assert table.ids().tolist() == search.ids().tolist() == nodes


def test_ids_without_gaps_are_looked_up(tmp_path: Path) -> None:
    links, people = tmp_path / "links.csv", tmp_path / "people.csv"
    ends = np.random.default_rng(1).integers(0, 50, (300, 2))
    links.write_text("source,target\n" + "".join(f"{a},{b}\n" for a, b in ends.tolist()))
    names = map(str, range(44, -1, -1))  # the links name some more
    people.write_text("node,label\n" + "".join(f"{name},c{name[-1]}\n" for name in names))
    expected = nettrial.read(links, nodes=people, directed=False, drop_dangling=True)
    out = tmp_path / "links.nettrial-graph"
    convert_large(links, out, nodes=[people])
    assert nettrial.read(out).fingerprint() == expected.fingerprint()


def test_models_run_on_it_to_the_same_bytes(tmp_path: Path) -> None:
    network = nettrial.latent_group_network(80, seed=1)
    nettrial.io.write(network, tmp_path / "net.nettrial-graph")
    mapped = nettrial.read(tmp_path / "net.nettrial-graph")
    splits = RandomResampling(n_splits=3, seed=1).split_network(network)
    models = {"wvRN": WVRN(), "nBC": NBC()}
    one, two = (run(net, models, splits).probabilities for net in (network, mapped))
    for name in models:
        assert [p.tobytes() for p in one[name]] == [p.tobytes() for p in two[name]]


def test_the_command_streams_and_refuses_to_overwrite(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    links = tmp_path / "links.txt"
    links.write_text("4 7\n7 1\n1 1\n4 7\n")
    out = tmp_path / "links.nettrial-graph"
    for code, said in ((0, "1 self loops"), (2, "exists already")):
        with pytest.raises(SystemExit) as stop:
            main(["convert", str(links), str(out)])
        assert stop.value.code == code
        assert said in "".join(capsys.readouterr())
    network = nettrial.read(out)
    assert network.ids.tolist() == [4, 7, 1]
    assert (network.n_links, network.directed) == (2, False)


def test_parquet_and_other_forms_are_converted_in_memory(tmp_path: Path) -> None:
    network = nettrial.latent_group_network(40, seed=1)
    nettrial.io.write(network, tmp_path / "net.npz")
    report = nettrial.io.convert(tmp_path / "net.npz", tmp_path / "net.nettrial-graph")
    assert (report.format, report.nodes) == ("nettrial-graph", 40)
    assert nettrial.read(tmp_path / "net.nettrial-graph").fingerprint() == network.fingerprint()


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many links between nodes that lie near each other, so that an order would be found."""
    n, rows = 60_000, 3_000_000
    rng = np.random.default_rng(1)
    source = rng.integers(0, n, rows)
    target = (source + rng.integers(1, 200, rows)) % n
    path = tmp_path_factory.mktemp("ring") / "ring.nettrial-graph"
    codes = pd.Categorical.from_codes(rng.integers(0, 2, n), categories=["x", "y"])
    nettrial.io.write(Network(source, target, n_nodes=n, labels=codes), path)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wvrn", "nbc"])
def test_links_that_may_not_fit_into_memory_are_not_copied(
    ring: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "REORDERED", 0)
    monkeypatch.setattr(evidence, "COPIED", 2**20)
    network = nettrial.read(ring)
    splits = RandomResampling(n_splits=2, seed=1).split_network(network)
    model = by_name(name)
    model.inference = RelaxationLabeling(iterations=2, tolerance=9.0)
    run(network, {name: model}, splits)  # compiles
    network = nettrial.read(ring)
    tracemalloc.start()
    try:
        run(network, {name: model}, splits)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    lines = (2 if name == "wvrn" else 3) * 64 * network.n_nodes
    assert peak < lines + 90 * network.n_nodes < network.links.indices.nbytes


@pytest.mark.parametrize(
    "text",
    [
        "a,b\nb,c\nc\n" + "a,b\n" * 3,
        "1,2\n" * 20_000 + "1,x\n",
        "s,t,weight\n1,2,1\n2,3,-1\n",
    ],
)
def test_bad_tables_are_refused_and_leave_nothing(tmp_path: Path, text: str, words) -> None:
    links = tmp_path / "links.csv"
    links.write_text(text)
    with words.raises(InputError):
        convert_large(links, tmp_path / "links.nettrial-graph")
    assert [path.name for path in tmp_path.iterdir()] == ["links.csv"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "net.nettrial-graph"
    net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, weight=[1, 2, 3], labels=["x", "y", "x", None])
    nettrial.io.write(net, path)
    return path


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("indices", np.array([1, 0, 2, 1, 3, 9], np.int32)),
        ("indices", np.array([1, 0, 2, 1, 3, -1], np.int32)),
        ("indices", np.array([1, 0], np.int32)),
        ("indptr", np.array([0, 5, 3, 5, 6])),
        ("indptr", np.array([0, 1, 3, 5, 600])),
        ("weights", np.array([1, 1, 2, 2, 3, np.nan])),
        ("weights", np.ones(2)),
        ("labels", np.array([0, 1, 0, 7], np.int32)),
        ("labels", np.array([0], np.int32)),
        ("about", np.frombuffer(b"[1", np.uint8)),
        ("about", np.frombuffer(b"{}", np.uint8)),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(
    folder: Path, name: str, value: np.ndarray, words
) -> None:
    np.save(folder / f"{name}.npy", value)
    with pytest.raises(InputError, match=r"is not as it was written|not hold the arrays"):
        open_folder(folder)
    seal_folder(folder)  # as an attacker would
    with words.raises(InputError):
        open_folder(folder)


def test_damaged_files_and_pickles_are_refused(folder: Path, words) -> None:
    file = folder / "indices.npy"
    file.write_bytes(file.read_bytes()[:-4])
    with words.raises(InputError):
        open_folder(folder)
    np.save(file, np.array([{}], dtype=object), allow_pickle=True)
    with words.raises(InputError):
        open_folder(folder)
    file.unlink()
    with words.raises(InputError):
        open_folder(folder)
    with words.raises(InputError):
        open_folder(folder.with_name("other.nettrial-graph"))


def test_options_that_come_too_late_are_refused(folder: Path, words) -> None:
    with words.raises(InputError):
        nettrial.read(folder, directed=True)


@pytest.mark.parametrize("seed", range(20))
def test_components_are_those_of_scipy(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 80))
    links = rng.integers(0, n, (int(rng.integers(0, n)), 2))
    found = []
    for large_from in (2**40, -1):
        monkeypatch.setattr(summary, "LARGE", large_from)
        network = Network(links[:, 0], links[:, 1], n_nodes=n, directed=bool(seed % 2))
        found.append(summary.components(network).tolist())
    want = connected_components(network.adjacency("both"), directed=False)[1].tolist()
    assert found == [want, want]


def test_memory_for_links_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No array that the conversion holds of links is larger than the piece it may hold."""
    seen: list[int] = []
    pieces = large.pieces

    def watched(*arguments: object) -> object:
        for piece in pieces(*arguments):  # type: ignore[arg-type]
            seen.append(len(piece[0]))
            yield piece

    monkeypatch.setattr(large, "pieces", watched)
    links = tmp_path / "links.csv"
    table_of(np.random.default_rng(1), links, text=False, weighted=False)
    convert_large(links, tmp_path / "links.nettrial-graph", memory=6_400)
    assert max(seen) <= 6_400 // large.ROW_BYTES
    assert sum(seen) == 400
