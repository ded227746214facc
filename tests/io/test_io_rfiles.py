"""R files against the package rdata; what is not used costs next to nothing."""

from __future__ import annotations

import gzip
import struct
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hostile import put, refused
from nettrial.io import rdata_file, read, read_with_report, rfiles

rdata = pytest.importorskip("rdata")


def igraph(n: int, m: int, texts: int, seed: int = 0) -> list[Any]:
    """Return a graph as igraph keeps it, with attributes of nodes and links."""
    rng = np.random.default_rng(seed)
    ends = [rng.integers(0, n, m).astype(float) for _ in range(2)]
    nodes = {f"text{k}": np.array([f"value {k} {i}" for i in range(n)]) for k in range(texts)}
    nodes["kind"] = np.array(["abc"[k] for k in rng.integers(0, 3, n)])
    nodes["size"] = rng.normal(size=n)
    links = {"weight": rng.uniform(1, 2, m), "what": np.array([f"link {k}" for k in range(m)])}
    head = [np.array([float(n)]), np.array([True]), *ends, None, None, None, None]
    return [*head, [np.array([1.0, 0, 1]), {}, nodes, links]]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("packed", [False, True])
def test_igraph_objects(tmp_path: Path, seed: int, packed: bool) -> None:
    graph = igraph(30, 80, 2, seed)
    path = tmp_path / "x.rda"
    rdata.write_rda(path, {"g": graph}, compression="gzip" if packed else None)
    network, report = read_with_report(path, label="kind")
    want = np.zeros((30, 30))
    np.add.at(want, (graph[2].astype(int), graph[3].astype(int)), graph[8][3]["weight"])
    np.fill_diagonal(want, 0)
    np.testing.assert_allclose(network.adjacency("out").toarray(), want)
    assert [network.classes[c] for c in network.labels] == graph[8][2]["kind"].tolist()
    assert list(network.attributes["text1"]) == graph[8][2]["text1"].tolist()
    assert list(network.attributes["size"]) == graph[8][2]["size"].tolist()
    assert "the link attribute 'what' is not used" in report.notes


def test_network_objects_and_several_in_a_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    pairs = np.array([(s, t) for s, t in rng.integers(1, 9, (14, 2)) if s != t])
    value = {
        "mel": [{"inl": np.array([int(t)]), "outl": np.array([int(s)]),
                 "atl": {"na": np.array([False])}} for s, t in pairs],
        "gal": {"n": np.array([8.0]), "directed": np.array([True])},
        "val": [{"na": np.array([False]), "vertex.names": np.array([f"n{k}"]),
                 "grade": np.array([7.0 + k % 3])} for k in range(8)],
        "iel": [], "oel": [],
    }  # fmt: skip
    rdata.write_rda(tmp_path / "x.rda", {"school": value, "g": igraph(5, 6, 0)})
    assert "(school, g)" in refused(tmp_path / "x.rda")
    network = read(f"{tmp_path / 'x.rda'}#school", label="grade")
    want = np.zeros((8, 8))
    for s, t in pairs:
        want[s - 1, t - 1] = 1
    np.testing.assert_array_equal(network.adjacency("out").toarray(), want)
    assert network.ids.tolist() == [f"n{k}" for k in range(8)]
    assert [network.classes[c] for c in network.labels] == [7 + k % 3 for k in range(8)]
    assert read(f"{tmp_path / 'x.rda'}#2", label="kind").n_nodes == 5


def test_matrices_and_columns(tmp_path: Path) -> None:
    matrix = np.arange(16.0).reshape(4, 4) % 3
    matrix[0, 1] = np.nan
    rdata.write_rda(tmp_path / "x.rda", {"friends": matrix})
    frame = pd.DataFrame({"sex": pd.Categorical(["f", "m", "f", "m"]), "age": [1.5, 2, 3, 4]})
    rdata.write_rda(tmp_path / "y.rda", {"who": frame, "smoke": np.array([1, 2, 1, 1])})
    network, report = read_with_report(
        tmp_path / "x.rda", nodes=tmp_path / "y.rda", label="who.sex"
    )
    want = np.nan_to_num(matrix)
    np.fill_diagonal(want, 0)
    np.testing.assert_array_equal(network.adjacency("out").toarray(), want)
    assert [network.classes[c] for c in network.labels] == ["f", "m", "f", "m"]
    assert list(network.attributes["smoke"]) == [1, 2, 1, 1]
    assert list(network.attributes["who.age"]) == [1.5, 2, 3, 4]
    assert "1 missing entries are read as no link" in report.notes


def plain(value: Any) -> Any:
    """Bring an object of rdata, or of ours, to lists and dicts of plain values."""
    if isinstance(value, rdata_file.RObject):
        if value.kind in (rdata_file.VECTOR, *rdata_file.PAIRS):
            parts = [plain(part) for _, part in value.items()]
            return dict(zip(value.names(), parts)) if any(value.names()) else parts
        if value.kind in (*rfiles.NUMBERS, rdata_file.TEXTS):
            whole = rfiles.scalars(value)
            shape = rfiles.shape_of(value)
            return np.array(whole, object).reshape(shape, order="F").tolist() if shape else whole
        return "other"
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    if isinstance(value, pd.DataFrame):
        return {str(key): plain(value[key].array) for key in value}
    if isinstance(value, pd.Categorical):
        return [None if item != item else str(item) for item in value]
    if value is None or not hasattr(value, "__len__"):
        return None if value is None else "other"
    items = np.ma.getdata(np.asarray(value)).astype(object)
    mask = np.ma.getmaskarray(getattr(value, "values", value))
    flat = [
        None
        if hidden or item != item
        else int(item)
        if isinstance(item, float) and item % 1 == 0
        else item.item()
        if isinstance(item, np.generic)
        else item
        for item, hidden in zip(items.ravel(), np.broadcast_to(mask, items.shape).ravel())
    ]
    return np.array(flat, object).reshape(items.shape).tolist()


def without_environments(value: Any) -> Any:
    """Cut the parts of graphs behind their attributes, and make all that is empty alike."""
    if isinstance(value, dict):
        return {key: without_environments(part) for key, part in value.items()} or None
    if isinstance(value, list):
        whole = len(value) >= 9 and isinstance(value[8], list) and len(value[8]) == 4
        return [without_environments(part) for part in (value[:9] if whole else value)] or None
    return value


@pytest.mark.parametrize(
    "name",
    [
        "s50_w1/s50.rda",
        "ukfaculty/UKfaculty.rda",
        "faux_mesa_high/faux.mesa.high.RData",
        "foodweb_florida_dry/foodwebs.rda",
    ],
)
def test_real_files_as_rdata_reads_them(data: Path, name: str) -> None:
    path = data / "original" / name
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = rdata.read_rda(path)
    got = rfiles.load(path)
    assert list(got) == list(want)
    for key, value in got.items():
        assert without_environments(plain(value)) == without_environments(plain(want[key]))


def test_what_is_not_used_is_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, other = igraph(50, 90, 1), igraph(70, 20, 3)
    rdata.write_rda(tmp_path / "x.rda", {"g": graph, "other": other})
    decoded: list[str] = []
    original = rdata_file.Texts.tolist

    def watched(self: rdata_file.Texts) -> list[str | None]:
        decoded.extend(str(text) for text in original(self))
        return original(self)

    monkeypatch.setattr(rdata_file.Texts, "tolist", watched)
    read(f"{tmp_path / 'x.rda'}#g", label="kind")
    assert "value 0 3" in decoded  # a column of the nodes
    assert not any(text.startswith(("link", "value 2")) for text in decoded)


def test_many_attributes_of_text_take_no_time(tmp_path: Path) -> None:
    """A million texts; the package rdata takes above a minute for them."""
    n, count = 20_000, 50
    nodes = {f"text{k}": (b"abcde", n) for k in range(count)} | {"kind": (b"a", n)}
    names = list(nodes)

    def text(part: bytes) -> bytes:
        return struct.pack(">ii", 0x40009, len(part)) + part

    def texts(part: bytes, size: int) -> bytes:
        return struct.pack(">ii", 16, size) + text(part) * size

    def numbers(*values: float) -> bytes:
        return struct.pack(f">ii{len(values)}d", 14, len(values), *values)

    nil = struct.pack(">i", 254)
    attributes = struct.pack(">ii", 0x213, len(names)) + b"".join(texts(*nodes[k]) for k in names)
    attributes += struct.pack(">ii", 0x402, 1) + text(b"names")
    attributes += (
        struct.pack(">ii", 16, len(names)) + b"".join(text(k.encode()) for k in names) + nil
    )
    inner = struct.pack(">ii", 19, 4) + numbers(1, 0, 1) + nil + attributes + nil
    ends = numbers(*range(n - 1)) + numbers(*range(1, n))
    whole = struct.pack(">ii", 19, 9) + numbers(n) + numbers(0) + ends + nil * 4 + inner
    head = b"RDX2\nX\n" + struct.pack(">iii", 2, 0x30600, 0x20300)
    body = struct.pack(">ii", 0x402, 1) + text(b"g") + whole + nil
    path = put(tmp_path / "x.rda", gzip.compress(head + body, 1))
    start = time.process_time()
    network = read(path, label="kind")
    assert (network.n_nodes, network.n_links) == (n, n - 1)
    assert time.process_time() - start < 15  # about 1.5 s alone


def item(kind: int, *values: int) -> bytes:
    return struct.pack(f">{1 + len(values)}i", kind, *values)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (item(19, 2**31 - 1), "declares 2147483647 elements"),
        (item(14, -1, 2**20, 0), "more than it holds"),
        (item(16, 1000), "damaged"),
        (item(16, 1) + item(13, 1), "damaged"),
        (item(9, 2**30), "ends in the middle"),
        (item(99), "unknown type 99"),
        (item(255 | 7 << 8), "damaged"),
        (item(19, 1) * 200_000, "nested too deeply"),
        (item(19, 10**7) + item(254) * 10**7, "far more objects than its size warrants"),
        (item(0x402) + item(1) + item(9, 1) + b"a" + item(13, 0), "damaged"),
    ],
    ids=lambda value: value if isinstance(value, str) else len(value),  # not 40 MB of a body
)  # fmt: skip
def test_damage_is_refused(tmp_path: Path, body: bytes, message: str) -> None:
    head = b"RDX2\nX\n" + struct.pack(">iii", 2, 0x30600, 0x20300)
    name = item(0x402, 1) + item(9, 1) + b"x"
    refused(put(tmp_path / "x.rda", gzip.compress(head + name + body, 1)), match=message)


def test_wrong_graphs_are_refused(tmp_path: Path) -> None:
    graph = igraph(5, 6, 0)
    for change, message in (
        ({0: np.array([3.0])}, "igraph links holds the node number"),
        ({0: np.array([3e8])}, "declares 300000000 nodes"),
        ({2: np.array([0.5] * 6)}, "no node numbers"),
        ({0: np.array(["a"])}, "no file of the format r"),
        ({8: [None, None, None, {"weight": np.array([1.0])}]}, "holds 1 weights for 6 links"),
    ):
        value = [change.get(k, part) for k, part in enumerate(graph)]
        rdata.write_rda(tmp_path / "x.rda", {"g": value})
        refused(tmp_path / "x.rda", match=message)
