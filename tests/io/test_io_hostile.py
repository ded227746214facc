"""Damaged and hostile files end in one clear error, soon, in little memory, and run nothing."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import pickle
import re
import struct
import subprocess
import sys
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

from hostile import SECONDS, bounded, put, refused
from nettrial.core.errors import InputError
from nettrial.io import guards, read

# --- sizes that are declared and not there

MILLIARD = 10**9
BANNER = "%%MatrixMarket matrix coordinate real general\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.mtx", f"{BANNER}{MILLIARD} {MILLIARD} 1\n1 1 1\n"),
        ("x.mtx", f"{BANNER}5 5 {MILLIARD}\n1 1 1\n"),
        ("x.net", f"*Vertices {MILLIARD}\n*Edges\n1 2\n"),
        ("x.dl", f"dl n={MILLIARD} format=edgelist1\ndata:\n1 2\n"),
        ("x.adj", f"{MILLIARD},{MILLIARD}\n0,1,1\n"),
        ("x.mtx", f"{BANNER}{'9' * 400} 5 1\n1 1 1\n"),
        ("x.net", f"*Vertices {'9' * 5000}\n*Edges\n1 2\n"),
    ],
)  # fmt: skip
def test_declared_sizes_are_checked_first(tmp_path: Path, name: str, content: str) -> None:
    assert "line" in refused(put(tmp_path / name, content))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n", "declares 2"),
        ("x.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 2\n", "square"),
        ("x.mtx", BANNER + "3 3 1\n1 9 1\n", "line 3: node 9"),
        ("x.mtx", BANNER + "3 3 1\n-1 2 1\n", "line 3: node -1"),
        ("x.mtx", BANNER + "3 3 1\n1 2 nan\n", "line 3: weight"),
        ("x.mtx", "%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n0\n", "coordinate"),
        ("x.net", "*Vertices 2\n*Edges\n1 2 inf\n", "line 3: weight 'inf'"),
        ("x.net", "*Vertices 2\n*Edges\n-1 2\n", "line 3: '-1' is no node number"),
        ("x.dl", "dl n=2 format=edgelist1\ndata:\n1 2 nan\n", "line 3: weight 'nan'"),
        ("x.dl", "dl n=2 format=edgelist1\ndata:\n-1 2\n", "line 3: '-1' is no node"),
        ("x.graphml", '<graphml><key id="w" for="edge" attr.name="weight"/><graph>\n<node id="a"/>'
         '\n<edge source="a" target="a"><data key="w">NaN</data></edge></graph></graphml>',
         "line 3: weight 'NaN'"),
        ("x.gexf", '<gexf><graph><nodes><node id="a"/></nodes><edges>\n<edge source="a" target="a" '
         'weight="-2"/></edges></graph></gexf>', "have a negative weight, such as -2"),
        ("x.gml", "graph [\nnode [ id 1 ]\nedge [ source 1 target 1 weight 1e999 ]\n]",
         "line 3: weight '1e999'"),
    ],
)  # fmt: skip
def test_wrong_counts_and_weights(tmp_path: Path, name: str, content: str, message: str) -> None:
    refused(put(tmp_path / name, content), match=re.escape(message))


PATTERN = "%%MatrixMarket matrix coordinate pattern general\n"
GRAPHML = '<graphml><graph edgedefault="{}">\n{}</graph></graphml>'
MIXED = (
    '<node id="a"/>\n<edge source="a" target="a"/>\n<edge source="a" target="a" directed="true"/>'
)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.mtx", PATTERN + "% two\n3 3 2\n1 2\nb 3\n", "line 5: 'b' is no node number"),
        ("x.adj", "3,3\n0,1,1\n\n0,7,1\n", "line 4: node 7"),
        ("x.adj", "3,3\n0,1,1\n0,b,1\n", "line 3: 'b' is no node number"),
        ("x.dl", "dl n=3\nlabels:\na,b\ndata:\n0 1\n", "line 3: has 2 labels for 3 nodes"),
        ("x.dl", "dl n=3\nlabels:\na,b,b\n", "line 3: has no line data:"),
        ("x.net", "*Vertices 2\n*Matrix\n0 1\n", "line 3: holds 1 matrix rows, expected 2"),
        ("x.gml", "graph [\ndirected 0\n]\n", "line 3: holds no nodes"),
        ("x.graphml", GRAPHML.format("undirected", ""), "line 2: holds no nodes"),
        ("x.graphml", GRAPHML.format("undirected", MIXED), "line 4: mixes directed"),
        ("x.csv", "a,b\n1,2\n1,2,3\n", "line 3: 3 fields"),
        ("x.csv", "source,target\n\n", "line 1: holds a header but no rows"),
        ("x.csv", "a,b\n" * 3 + '1,"2\n', "line 4: a quotation mark"),
    ],
)  # fmt: skip
def test_damage_to_text_names_the_line(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    refused(put(tmp_path / name, content), match=re.escape(f"{name}, {message}"))


def test_damage_to_label_files_names_the_line(tmp_path: Path, words) -> None:
    links = put(tmp_path / "x.net", "*Vertices 3\n*Edges\n1 2\n")
    labels = put(tmp_path / "y.clu", "*Vertices 3\n1\n1\n")
    with words.raises(InputError):
        read(links, nodes=labels)
    put(labels, "*Vertices 2\n1\n1\n")
    with words.raises(InputError):
        read(links, nodes=labels)
    put(labels, "*Vertices 3\n1\n1\nb\n")
    with words.raises(InputError):
        read(links, nodes=labels)
    put(tmp_path / "labels.txt", "x\ny\n")
    with words.raises(InputError):
        read(links, nodes=tmp_path / "labels.txt")


def test_a_long_line_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "LIMITS", guards.Limits(line_bytes=100))
    for piece in (7, 2**24):
        monkeypatch.setattr(guards, "CHUNK", piece)
        text = "a,b\n" * 40 + "c" * 101 + ",d\na,b\n"
        refused(put(tmp_path / "x.csv", text), match="line 41: holds a line of more than 100")
        refused(put(tmp_path / "y.csv", "c" * 101), match="line 1: holds a line of more than 100")


def test_empty_files_are_called_so(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    put(folder / "x.gml", "")
    refused(folder, match=r"x\.gml: is empty")
    refused(put(tmp_path / "y.gml", ""), match="is empty")
    refused(put(tmp_path / "z.rda", gzip.compress(b"RDX3\n" * 99)[:20]), match="cut off")


# --- text that is none


def test_nul_bytes_and_other_encodings(tmp_path: Path) -> None:
    nul = b"a,b\nb,\0c\n" + b"c,d\n" * 9
    assert "x.csv, line 2: holds a NUL" in refused(put(tmp_path / "x.csv", nul))
    binary = b"a,b\nb,c\nc,\xff\x03\n" + b"c,d\n" * 9  # a control character, which no text has
    assert "y.csv, line 3: is not UTF-8" in refused(put(tmp_path / "y.csv", binary))
    refused(put(tmp_path / "z.csv", "a,b\nb,c\n".encode("utf-16-le")), match="NUL|binary data")
    refused(put(tmp_path / "w.gml", b'graph [ node [ id 1 label "\x81" ] ]'), match="UTF-8")


def test_one_very_long_line(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    with path.open("wb") as file:
        for _ in range(64):
            file.write(b"a," * 2**19)  # 64 MB without a line end
    refused(path, match="a line of more than")


def test_a_line_of_one_gigabyte(tmp_path: Path, full: bool) -> None:
    if not full:
        pytest.skip("the long form, with --full; the line above has 64 MB")
    path = tmp_path / "x.csv"
    try:
        with path.open("wb") as file:
            for _ in range(1024):
                file.write(b"a," * 2**19)
        code = (
            "import resource, sys, time, nettrial.io\n"
            "start = time.perf_counter()\n"
            "try: nettrial.io.read(sys.argv[1])\n"
            "except nettrial.InputError as error: print(error)\n"
            "print(time.perf_counter() - start)\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
        )
    finally:
        path.unlink()
    message, seconds, kilobytes = done.stdout.splitlines()
    assert "x.csv, line 1: holds a line of more than" in message
    assert float(seconds) < SECONDS
    assert int(kilobytes) < 2**20  # less than the line


def test_deep_nesting(tmp_path: Path, words) -> None:
    refused(put(tmp_path / "x.gml", "graph [ " + "a [ " * 100_000), match="deeper")
    deep = "<graphml>" + "<a>" * 200_000
    refused(put(tmp_path / "x.graphml", deep), match="line 1: is no well-formed XML")
    put(tmp_path / "edges.csv", "a,b\nb,c\n")
    put(tmp_path / "meta.json", "[" * 200_000)
    with bounded(), words.raises(InputError):
        read(tmp_path / "edges.csv")


@pytest.mark.slow
def test_many_quotes_and_separators(tmp_path: Path) -> None:
    refused(put(tmp_path / "x.csv", '"' * 99_999))
    refused(put(tmp_path / "y.csv", "a,b\n" + ',"' * 50_000 + "\n"))
    refused(
        put(tmp_path / "z.csv", ("1," * 100_000 + "1\n") * 9), match="100001 columns, the limit"
    )


# --- compression


@pytest.mark.slow
def test_gzip_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "LIMITS", guards.Limits(ratio_floor=2**22))
    for name, compress in (("x.csv.gz", gzip.compress), ("y.csv", bz2.compress)):
        refused(put(tmp_path / name, compress(b"a,b\n" * 2**21)), match="expands from")


def test_damaged_gzip(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(b"%d,%d\n" % (k, k * k) for k in range(5000)))
    for end in range(0, len(whole), 1000):
        message = refused(put(tmp_path / "x.csv.gz", whole[:end]))
        assert "damaged" in message or "no rows" in message
    broken = bytearray(whole)
    broken[len(broken) // 2] ^= 255
    refused(put(tmp_path / "x.csv.gz", bytes(broken)), match="damaged")


@pytest.mark.slow
def test_npz_that_expands_too_far(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<i8", "fortran_order": False, "shape": (60_000_000,)}
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        with file.open("node_labels.npy", "w", force_zip64=True) as member:
            member.write(header.getvalue())
            for _ in range(60):
                member.write(bytes(8_000_000))  # 480 MB of zeros become 467 KB
        file.writestr("edges.npy", b"")
    assert path.stat().st_size < 500_000
    refused(path, match="expands from")


def npy(shape: tuple[int, ...], data: bytes = b"", descr: str = "<i8") -> bytes:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": descr, "fortran_order": False, "shape": shape}
    )
    return header.getvalue() + data


ONE = npy((1,), bytes(8))


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"edges.npy": npy((MILLIARD, 2)), "node_labels.npy": ONE}, "declares the"),
        ({"edges.npy": npy((2**40, 2**40)), "node_labels.npy": ONE}, "declares the"),
        ({"edges.npy": npy((-1, 2)), "node_labels.npy": ONE}, "damaged"),
        ({"edges.npy": npy((1, 2), bytes(8)), "node_labels.npy": ONE}, "declares"),
        ({"edges.npy": b"nonsense", "node_labels.npy": ONE}, "damaged"),
        ({"../edges.npy": npy((0, 2)), "node_labels.npy": npy((0,)), "edges.npy": npy((0, 2))},
         "leads out of the archive"),
        ({"edges.npy": npy((0, 2)), "/node_labels.npy": npy((0,))}, "leads out of the archive"),
        ({"edges.npy": npy((1, 2), bytes(16), "|O"), "node_labels.npy": ONE},
         "Python objects"),
        ({"edges.npy": npy((1, 2), struct.pack("<2q", -1, 0)), "node_labels.npy": ONE},
         "node number -1"),
        ({"edges.npy": npy((1, 2), struct.pack("<2d", 0.5, 0), "<f8"), "node_labels.npy": ONE},
         "no integers"),
    ],
)  # fmt: skip
def test_npz_members(tmp_path: Path, members: dict[str, bytes], message: str) -> None:
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
    refused(path, match=message)
    assert [p.name for p in tmp_path.iterdir()] == ["x.npz"]


@pytest.mark.parametrize(
    "change",
    [
        {"adj_indptr": [0, 5, 1]}, {"adj_indptr": [0, 1]}, {"adj_indices": [7]},
        {"adj_indices": [-1]}, {"adj_shape": [2, 3]}, {"adj_shape": [MILLIARD, MILLIARD]},
        {"adj_data": [np.nan]}, {"adj_data": [-1.0]}, {"labels": [0]}, {"labels": [[0, 1]]},
        {"class_names": ["only"]}, {"adj_data": ["x"]},
    ],
)  # fmt: skip
def test_compressed_rows_that_are_none(tmp_path: Path, change: dict[str, object]) -> None:
    good = {"adj_data": [1.0], "adj_indices": [1], "adj_indptr": [0, 1, 1], "adj_shape": [2, 2],
            "labels": [0, 1]}  # fmt: skip
    np.savez(tmp_path / "x.npz", **good)
    assert read(tmp_path / "x.npz").n_links == 1
    np.savez(tmp_path / "x.npz", **good | change)
    refused(tmp_path / "x.npz")


# --- pickles


class Payload:
    """Would make a file where unpickling it ran its call."""

    def __init__(self, proof: Path) -> None:
        self.proof = proof

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return (os.system, (f"touch {self.proof}",))


RECONSTRUCT = b"cnumpy.core.multiarray\n_reconstruct\n"
PICKLES = {
    "a builtin": b"cbuiltins\neval\n(S'1'\ntR.",
    "an instance": b"(S'true'\nios\nsystem\n.",
    "a nested name": b"\x80\x04\x8c\x05numpy\x8c\x0dos.path.joinx\x93.",
    "numpy's own loader": b"cnumpy\nload\n(S'x'\ntR.",
    "a persistent id": b"Px\n.",
    "an extension": b"\x80\x02\x82\x01.",
    "a memo of gigabytes": b"\x80\x02Nr\xff\xff\xff\x7f.",
    "an array of terabytes": RECONSTRUCT + b"(cnumpy\nndarray\n(I99999999999\ntS'b'\ntR.",
    "bytes beyond the end": b"\x80\x03B\xff\xff\xff\x7fxx.",
    "a state of another kind": RECONSTRUCT + b"(tR(I1\nI2\ntb.",
    "a loop": b"\x80\x02]q\x00h\x00a.",
    "nothing": b"",
    "a number": b"\x80\x02K\x01.",
    "text": b"hello, this is no pickle",
}


@pytest.mark.parametrize("what", [0, 1, 2, 3, 4, 5, *PICKLES])
def test_pickles_run_nothing(tmp_path: Path, what: str | int) -> None:
    folder, proof = tmp_path, tmp_path / "proof"
    content = PICKLES[what] if isinstance(what, str) else pickle.dumps(Payload(proof), what)
    (folder / "ind.x.graph").write_bytes(content)
    for key in ("ally", "ty"):
        (folder / f"ind.x.{key}").write_bytes(pickle.dumps(np.eye(2), protocol=2))
    (folder / "ind.x.test.index").write_text("2\n3\n")
    refused(folder / "ind.x.test.index", match="ind.x.graph")
    assert not proof.exists()
    if isinstance(what, int):  # the payload itself works
        pickle.loads(content)  # noqa: S301 - made above
        assert proof.exists()


def test_arrays_in_pickles_are_checked(tmp_path: Path) -> None:
    rows = {"graph": {0: [1]}, "ally": np.eye(2), "ty": np.eye(2)}
    (tmp_path / "ind.x.test.index").write_text("2\n3\n")
    for key, value in rows.items():
        (tmp_path / f"ind.x.{key}").write_bytes(pickle.dumps(value, protocol=2))
    path = tmp_path / "ind.x.test.index"
    assert read(path).n_nodes == 4
    for graph in ({0: [-1]}, {0: [MILLIARD]}, {0: [1.5]}, {0: "ab"}, {"a": [1]}, {0: [2**70]}):
        (tmp_path / "ind.x.graph").write_bytes(pickle.dumps(graph, protocol=2))
        refused(path, match="ind.x.graph")
    (tmp_path / "ind.x.graph").write_bytes(pickle.dumps({0: [1]}, protocol=2))
    for index in ("2\n2\n", "2\n", "2\n-3\n", f"2\n{MILLIARD * 99}\n", "2\n999999999\n", "x\n3\n"):
        path.write_text(index)
        refused(path)
    path.write_text("2\n3\n")
    for array in (np.ones((2, 2)), np.array([0.5, 1]), np.array(["a"]), np.array([[None]])):
        (tmp_path / "ind.x.ty").write_bytes(pickle.dumps(array, protocol=2))
        refused(path, match="ind.x.ty")


# --- XML

LAUGHS = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10 if k else "ha"}">' for k in range(10))


@pytest.mark.parametrize(
    "text",
    [
        f"<!DOCTYPE x [{LAUGHS}]><graphml>&l9;</graphml>",
        '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hosts">]><graphml>&f;</graphml>',
        '<!DOCTYPE graphml SYSTEM "http://localhost:1/x.dtd"><graphml/>',
        '<?xml version="1.0"?>\n<!DOCTYPE gexf><gexf/>',
    ],
)
def test_document_types_are_refused(tmp_path: Path, text: str) -> None:
    refused(put(tmp_path / "x", text), match=r"line \d: declares a document type")


def test_another_encoding_hides_no_document_type(tmp_path: Path) -> None:
    start = '<?xml version="1.0" encoding="cp037"?><graphml>'
    hidden = start.encode() + '<!DOCTYPE x [<!ENTITY a "b">]>'.encode("cp037")
    refused(put(tmp_path / "x", hidden))


# --- binary files that run code, with wrong sizes


def test_a_type_in_a_parquet_file_is_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    path, proof = tmp_path / "x.parquet", tmp_path / "proof"
    kind = {
        b"ARROW:extension:name": b"arrow.py_extension_type",
        b"ARROW:extension:metadata": pickle.dumps(Payload(proof), 0),
    }
    ends = [pa.field("source", pa.int64(), metadata=kind), pa.field("target", pa.int64())]
    pq.write_table(pa.table([[1, 2], [2, 3]], schema=pa.schema(ends)), path)
    proof.unlink(missing_ok=True)  # versions that load it do so when they write, too
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some versions say that they do not load it
        assert read(path).n_nodes == 3
    monkeypatch.setattr(pa, "PyExtensionType", object, raising=False)
    refused(path, match="which runs code that a file may hold")
    assert not proof.exists()


@pytest.mark.slow
def test_matlab_sizes(tmp_path: Path) -> None:
    path = tmp_path / "x.mat"
    links = sp.csc_array(np.array([[0, 1.0], [1, 0]]))
    scipy.io.savemat(path, {"A": links, "local_info": np.ones((2, 7))}, do_compression=True)
    whole = path.read_bytes()
    for end in range(0, len(whole), 50):
        refused(put(path, whole[:end]))
    bomb = zlib.compress(bytes(300 * 2**20), 9)
    head = whole[:128] + struct.pack("<II", 15, len(bomb))
    refused(put(path, head + bomb), match="expands from")
    refused(put(path, whole[:128] + struct.pack("<II", 14, 2**31) + bytes(64)), match="cut off")
    for dims in ((MILLIARD, MILLIARD), (-1, 5)):
        content = struct.pack("<IIII", 6, 8, 6, 0) + struct.pack("<IIii", 5, 8, *dims)
        content += struct.pack("<IH2x", 1 | 1 << 16, ord("A")) + struct.pack("<II", 9, 0)
        refused(put(path, whole[:128] + struct.pack("<II", 14, len(content)) + content))


@pytest.mark.parametrize("name", ["network", "group", "features"])
def test_entries_outside_a_matlab_matrix(tmp_path: Path, name: str) -> None:
    parts = {"network": sp.csc_array(np.ones((9, 9))), "group": sp.csc_array(np.eye(9)),
             "features": sp.csc_array(np.ones((9, 4)))}  # fmt: skip
    parts[name].indices[0] = 2**30
    scipy.io.savemat(tmp_path / "x.mat", parts)
    refused(tmp_path / "x.mat", match="indices must be < 9")


def test_r_sequences_beyond_memory(tmp_path: Path) -> None:
    text = (
        b"RDX3\nX\n" + struct.pack(">iii", 3, 0x040000, 0x030500) + struct.pack(">i", 5) + b"UTF-8"
    )
    symbol = struct.pack(">ii", 1, 0x00040009)
    name = struct.pack(">i", 0x402) + symbol + struct.pack(">i", 1) + b"x"
    alt = struct.pack(">ii", 238, 2)
    for part in (b"compact_intseq", b"base"):
        alt += struct.pack(">i", 1) + struct.pack(">ii", 0x00040009, len(part)) + part
        alt += struct.pack(">i", 2) if part == b"compact_intseq" else b""
    alt += struct.pack(">iii", 13, 1, 13) + struct.pack(">i", 254)
    alt += struct.pack(">ii", 14, 3) + struct.pack(">3d", 3e9, 1, 1) + struct.pack(">i", 254)
    refused(put(tmp_path / "x.RData", text + name + alt + struct.pack(">i", 254)))


# --- what is there and cannot be read -------------------------------------------------------------

NEUTRAL = {
    "edges.csv": "source,target\na,b\nb,c\n",
    "nodes.csv": "node,label\na,x\nb,y\nc,x\n",
    "meta.json": '{"directed": false}',
}


@pytest.mark.parametrize("name", ["nodes.csv", "meta.json", "edges.csv"])
@pytest.mark.parametrize("what", ["link", "circle", "pipe", "folder", "forbidden"])
@pytest.mark.parametrize("whole", [True, False])
def test_a_file_that_cannot_be_read_is_refused_not_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, what: str, whole: bool
) -> None:
    for other, text in NEUTRAL.items():
        (tmp_path / other).write_text(text)
    place = tmp_path / name
    if what == "forbidden":  # for root nothing is
        access = os.access
        monkeypatch.setattr(
            os, "access", lambda path, mode: Path(path) != place and access(path, mode)
        )
    else:
        place.unlink()
    if what == "link":  # as git-annex and DVC leave them where the data were not fetched
        place.symlink_to(tmp_path / ".git" / "annex" / "objects" / "gone")
    elif what == "circle":
        place.symlink_to(place)
    elif what == "pipe":
        os.mkfifo(place)
    elif what == "folder":
        place.mkdir()
    if whole or (name, what) == ("edges.csv", "folder"):  # a folder's path is fine
        source, nodes = tmp_path, None
    else:
        source, nodes = tmp_path / "edges.csv", tmp_path / "nodes.csv"
    with pytest.raises(InputError, match=rf"{name}: expected a file that can be read, got "):
        read(source, nodes=nodes)


# what each format looks for beside the file that is named first
FAMILIES = {
    "neo4j": {
        "roles.csv": ":START_ID,:END_ID\np1,p2\np2,p3\n",
        "people.csv": "personId:ID,kind\np1,a\np2,b\np3,a\n",
    },
    "konect": {"out.tiny": "% sym unweighted\n1 2\n2 3\n", "ent.tiny.kind": "a\nb\na\n"},
    "linqs": {"x.cites": "a\tb\nb\tc\n", "x.content": "a\t1\t0\tp\nb\t0\t1\tq\nc\t0\t0\tp\n"},
    "linqs-tab": {
        "X.DIRECTED.cites.tab": "DIRECTED\tcites\nNO_FEATURES\n1\tpaper:1\t|\tpaper:2\n",
        "X.NODE.paper.tab": "NODE\tpaper\ncat=1,2:label\tnumeric:w:0.0\n1\tlabel=1\tw=1\n"
        "2\tlabel=2\tw=2\n",
    },
    "geomgcn": {
        "out1_graph_edges.txt": "node_id\tnode_id\n0\t1\n1\t2\n",
        "out1_node_feature_label.txt": "node_id\tfeature\tlabel\n0\t1\t0\n1\t0\t1\n2\t1\t0\n",
    },
    "graphsage": {
        "x-G.json": '{"directed": false, "nodes": [{"id": 0}, {"id": 1}, {"id": 2}], '
        '"links": [{"source": 0, "target": 1}, {"source": 1, "target": 2}]}',
        "x-class_map.json": '{"0": [1, 0], "1": [0, 1], "2": [1, 0]}',
    },
    "ogb": {
        "edge.csv": "0,1\n1,2\n", "num-node-list.csv": "3\n", "node-label.csv": "0\n1\n0\n",
        "node-feat.csv": "1,0\n0,1\n1,1\n",
    },
    "tudataset": {
        "T_A.txt": "1, 2\n2, 1\n", "T_graph_indicator.txt": "1\n1\n", "T_node_labels.txt": "0\n1\n",
        "T_node_attributes.txt": "0.5, 1\n0.1, 2\n",
    },
    "dgl-csv": {
        "meta.yaml": "dataset_name: t\nedge_data:\n- file_name: e.csv\n"
        "node_data:\n- file_name: n.csv\n",
        "e.csv": "src_id,dst_id\n0,1\n1,2\n", "n.csv": "node_id,label\n0,a\n1,b\n2,a\n",
    },
    "netkit": {
        "s.arff": "@NodeType Actor\n@Attribute Name KEY\n@Attribute kind {a,b}\n@NodeData n.csv\n"
        "@EdgeType Linked Actor Actor\n@EdgeData e.rn\n@Reversible\n",
        "n.csv": "%Name,kind\nx,a\ny,b\nz,a\n", "e.rn": "x,y,1\ny,z,1\n",
    },
    "tables": {
        "links.csv": "source,target\na,b\nb,c\n", "people.csv": "id,label\na,p\nb,q\nc,p\n",
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("family", "name"),
    [(family, name) for family, files in FAMILIES.items() for name in [*files][1:]],
)
def test_a_file_beside_another_that_cannot_be_read_is_refused(
    tmp_path: Path, family: str, name: str
) -> None:
    if family == "dgl-csv":
        pytest.importorskip("yaml")
    for other, text in FAMILIES[family].items():
        (tmp_path / other).write_text(text)
    first = tmp_path / next(iter(FAMILIES[family]))
    places = (first, tmp_path) if family != "tables" else (tmp_path,)
    for place in places:
        assert read(place).n_links
    (tmp_path / name).unlink()
    (tmp_path / name).symlink_to(tmp_path / "gone")
    for place in places:
        with pytest.raises(InputError, match=rf"{name}: expected a file that can be read, got "):
            read(place)


def test_a_broken_link_of_another_name_is_no_concern(tmp_path: Path) -> None:
    for other, text in NEUTRAL.items():
        (tmp_path / other).write_text(text)
    (tmp_path / "figure.png").symlink_to(tmp_path / "gone")
    os.mkfifo(tmp_path / "pipe")
    assert read(tmp_path).n_classes == 2


# what is reported for numbers is what stands there


@pytest.mark.parametrize(
    ("name", "content", "note"),
    [
        ("x.net", f"*Vertices 2\n*Edges\n1 {10**18}\n", f"'{10**18}' is no node number"),
        ("x.net", "*Vertices 2\n*Edges\n1 0000000000029\n", "'0000000000029' is no node number"),
        ("x.net", f"*Vertices 2\n*Edges\n1 {10**90}\n", "000' is no node number"),
        ("x.mtx", f"{BANNER}2 2 1\n1 {10**18} 1\n", f"'{10**18}' is no node number"),
        # which of both depends on what pandas makes of it
        ("x.csv", "a,b,weight\n1,2,1e999\n", "weight beyond 1.8e308 is|weight '1e999' is"),
        ("x.csv", "a,b,weight\n1,2,1e999\n1,3,x\n", "weight '1e999' is not a finite number"),
        ("x.gml", f"graph [ node [ id {10**40} ] node [ id {10**40} ] ]", f"id {10**40} occurs"),
        ("x.json", f'{{"nodes": [{{"id": {10**40}}}, {{"id": {10**40}}}], "links": []}}',
         f"node {10**40} is listed twice"),
        ("x.json", '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1, "weight": 1e999}]}',
         "weight '1e999'"),
    ],
)  # fmt: skip
def test_numbers_are_told_as_they_are(tmp_path: Path, name: str, content: str, note: str) -> None:
    refused(put(tmp_path / name, content), match="|".join(map(re.escape, note.split("|"))))


def test_numbers_beyond_all_doubles_and_long_ones_stay_different(tmp_path: Path) -> None:
    long = "1" * 4_300, "2" * 4_300, "3" * 5_000
    for ids in (("1e999", "2e999"), long):
        nodes = ", ".join(f'{{"id": {i}}}' for i in ids)
        links = f'{{"source": {ids[0]}, "target": {ids[1]}}}'
        text = f'{{"nodes": [{nodes}], "links": [{links}]}}'
        assert read(put(tmp_path / "x.json", text)).n_nodes == len(ids)
        rows = "".join(f"{i},0\n" for i in ids)
        assert read(put(tmp_path / "x.csv", f"source,target\n{rows}")).n_nodes == len(ids) + 1
        nodes = " ".join(f"node [ id {i} ]" for i in ids)
        text = f"graph [ {nodes} edge [ source {ids[0]} target {ids[1]} ] ]"
        assert read(put(tmp_path / "x.gml", text)).n_nodes == len(ids)


def test_a_member_of_a_file_that_has_none_is_refused(tmp_path: Path, words) -> None:
    put(tmp_path / "x.csv", "a,b\n1,2\n")
    with words.raises(InputError):
        read(tmp_path / "x.csv#y")


def test_a_description_that_is_a_pointer_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\n")
    (tmp_path / "nodes.csv").write_text("id,label\na,x\nb,y\nc,x\n")
    (tmp_path / "meta.json").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"
    )
    refused(tmp_path, match="meta.json.*git lfs pull")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.adjlist", "{} 1 2\n1 3\n2 3\n3 4 5\n"),
        ("x.sif", "{} pp 2\n2 pp 3 4\n"),
        ("x.dat", "20 {} 1002\n40 1001 1003\n60 1002 1003\n"),
    ],
)
def test_ids_beyond_64_bits_are_read_as_they_are_or_refused(
    tmp_path: Path, name: str, content: str
) -> None:
    path = tmp_path / name
    for number in (2**63 - 1, 2**63, 10**19):
        path.write_text(content.format(number))
        try:
            found = [str(each) for each in read(path).ids]
        except InputError:
            continue
        assert str(number) in found
