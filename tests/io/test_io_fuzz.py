"""Files of every format, cut off and changed at random, are read or refused clearly."""

from __future__ import annotations

import gzip
import resource
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

from hostile import bounded, put
from nettrial.core.errors import InputError
from nettrial.io import read, write
from nettrial.network.network import Network


def specimens(folder: Path) -> dict[str, Path]:
    """Write one small sound file of each format."""
    network = Network(
        np.arange(60),
        (np.arange(60) * 7 + 1) % 60,
        n_nodes=60,
        weight=1 + np.arange(60) / 8,
        labels=["x", "y", None] * 20,
        features=np.eye(60),
        attributes={"age": list(range(60))},
    )
    write(network, folder / "own.npz")
    write(network, folder / "n.graphml")
    write(network, folder / "folder")
    rows = [(s, t, w) for s, t, w in zip(*sp.find(network.adjacency())) if s < t]
    table = "\n".join(f"{s},{t},{w}" for s, t, w in rows)
    put(folder / "links.csv", "source,target,weight\n" + table)
    put(folder / "links.csv.gz", gzip.compress(table.encode()))
    nodes = "".join(f"node [ id {k} value {k % 3} ]\n" for k in range(60))
    links = "".join(f"edge [ source {s} target {t} value {w} ]\n" for s, t, w in rows)
    put(folder / "n.gml", f"graph [\n{nodes}{links}]")
    nodes = "".join(f'<node id="{k}" label="x{k % 3}"/>\n' for k in range(60))
    links = "".join(f'<edge source="{s}" target="{t}" weight="{w}"/>\n' for s, t, w in rows)
    put(
        folder / "n.gexf",
        f"<gexf><graph><nodes>{nodes}</nodes><edges>{links}</edges></graph></gexf>",
    )
    one = "\n".join(f"{s + 1} {t + 1} {w}" for s, t, w in rows)
    put(
        folder / "n.mtx",
        f"%%MatrixMarket matrix coordinate real symmetric\n60 60 {len(rows)}\n{one}\n",
    )
    put(folder / "n.net", f"*Vertices 60\n*Edges\n{one}\n")
    put(folder / "n.dl", f"dl n=60 format=edgelist1\ndata:\n{one}\n")
    put(folder / "n.adj", f"60,60\n{table}\n")
    scipy.io.savemat(
        folder / "n.mat",
        {
            "A": sp.csc_array(network.adjacency()),
            "local_info": np.ones((60, 7)),
        },
        do_compression=True,
    )
    np.savez(
        folder / "y.npz", edges=np.array(rows)[:, :2].astype(int), node_labels=np.arange(60) % 3
    )
    matrix = "\n".join(
        ",".join(f"{v:g}" for v in row) + ",x" for row in network.adjacency().toarray()
    )
    put(folder / "matrix.csv", matrix)
    return {path.name: path for path in sorted(folder.iterdir()) if path.is_file()}


NAMES = (
    "links.csv", "links.csv.gz", "matrix.csv", "n.adj", "n.dl", "n.gexf", "n.gml", "n.graphml",
    "n.mat", "n.mtx", "n.net", "own.npz", "y.npz",
)  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    found = specimens(tmp_path_factory.mktemp("specimens"))
    assert tuple(found) == NAMES
    return found


def label_of(name: str) -> dict[str, str]:
    return {"label": "gender"} if name == "n.mat" else {}


def attempt(path: Path, name: str) -> bool:
    """Whether a file is read; any error but a clear one fails the test."""
    message = ""
    try:
        read(path, **label_of(name))  # type: ignore[arg-type]
    except InputError as error:
        message = str(error)
    assert "\n" not in message
    assert not message or path.name in message
    return not message


@pytest.mark.parametrize("name", NAMES)
def test_sound_files_are_read(files: dict[str, Path], name: str) -> None:
    assert read(files[name], **label_of(name)).n_nodes >= 57  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
def test_cut_files(files: dict[str, Path], tmp_path: Path, name: str) -> None:
    whole = files[name].read_bytes()
    cuts = sorted({*range(0, len(whole), 1000), 1, 2, 100, len(whole) - 1})
    for end in cuts:
        with bounded():
            attempt(put(tmp_path / name, whole[:end]), name)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_changed_files(files: dict[str, Path], tmp_path: Path, name: str) -> None:
    rng = np.random.default_rng([7, *name.encode()])
    whole = files[name].read_bytes()
    pieces = [b"\0", b"\xff", b"\n", b'"', b",", b"-1", b"nan", b"1e308", b"99999999999999999999",
              b"[", b"]", b"<", b">", b"*", b"%", b"#", b" ", b"\t", b";", b"\r"]  # fmt: skip
    for _ in range(40):
        data = bytearray(whole)
        for _ in range(int(rng.integers(1, 4))):
            place = int(rng.integers(len(data)))
            kind = rng.integers(4)
            if kind == 0:
                data[place] = int(rng.integers(256))
            elif kind == 1:
                data[place:place] = pieces[rng.integers(len(pieces))]
            elif kind == 2:
                del data[place : place + int(rng.integers(1, 50))]
            else:
                data[place:place] = data[place : place + int(rng.integers(1, 200))]
        attempt(put(tmp_path / name, bytes(data)), name)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 4 * 2**20  # in KB


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["adjnoun/adjnoun.gml", "cora_gnnbench/cora.npz", "cora_planetoid/ind.cora.graph",
     "webkb_cornell_linqs/cornell.cites", "s50_w1/s50.rda", "faux_mesa_high/faux.mesa.high.RData",
     "imdb_movies_gds/imdb_directed_in.parquet.gzip", "netkit_test_movies/movies.arff"],
)  # fmt: skip
def test_cut_originals(data: Path, tmp_path: Path, name: str) -> None:
    source = data / "original" / name
    for file in source.parent.iterdir():
        if file.is_file():
            (tmp_path / file.name).write_bytes(file.read_bytes())
    whole = source.read_bytes()
    step = max(1000, len(whole) // 7)
    for end in range(0, len(whole), step):
        message = str(tmp_path)
        try:
            read(put(tmp_path / source.name, whole[:end]))
        except InputError as error:
            message = str(error)
        assert str(tmp_path) in message
