"""Hostile files are refused within 2 seconds of the processor and 500 MB, measured from outside.

Each is read in a process of its own that the system would stop at ten times as much.
"""

from __future__ import annotations

import gzip
import json
import os
import pickle
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

import nettrial
from file_kinds import all_kinds
from nettrial.core.errors import InputError
from nettrial.io.guards import LIMITS
from nettrial.io.registry import BY_NAME

SECONDS, MEGABYTES = 2, 500
BIG = 2**26  # bytes that the archives expand to, or begin to
TEXT = 2**24  # the same of text, whose limits are lower
HEAD_R = b"RDX2\nX\n" + struct.pack(">iii", 2, 0x30600, 0x20300)
NAME_R = struct.pack(">ii", 0x402, 1) + struct.pack(">ii", 9, 1) + b"x"
ARRAY = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR"
TYPE = b"cnumpy\ndtype\n(S'f8'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI0\ntb"


def laughs(open_: bytes, close: bytes, depth: int) -> bytes:
    """Write pickle steps that make nested containers, each holding the last one twice."""
    steps = b"(" + close + b"p0\n0"
    for k in range(depth):
        steps += b"(" + f"g{k}\ng{k}\n".encode() + close + f"p{k + 1}\n0".encode()
    return steps + f"g{depth}\n".encode()


def pickles() -> dict[str, bytes]:
    shared = b"(lp0\n" + b"".join(b"I%d\na" % (k % 50) for k in range(100_000))
    shared = b"(d" + b"I0\n" + shared + b"s" + b"".join(b"I%d\ng0\ns" % k for k in range(1, 90_000))
    return {
        "bytes_of_a_number": ARRAY + b"(I1\n(I0\nt" + TYPE + b"I00\nI3900000000\ntb.",
        "lists_that_are_one": shared + b".",
        "a_key_of_tuples": b"(d" + laughs(b"(", b"t", 60) + b"I1\ns.",
        "a_type_of_lists": b"cnumpy\ndtype\n(" + laughs(b"(", b"l", 60) + b"tR.",
        "pairs_of_lists": b"(dI0\n(l" + laughs(b"(", b"l", 60) + b"as.",
    }


def packed_texts() -> dict[str, bytes]:
    lines = {
        "links.csv.gz": b"1,2\n", "names.csv.gz": b"a,b\n", "wide.csv.gz": b"1," * 5000 + b"1\n",
        "quotes.csv.gz": b'"', "blank.csv.gz": b"\n", "comments.csv.gz": b"#\n",
        "dots.csv.gz": b".", "long.csv.gz": b"ab", "tabs.tsv.gz": b"\t",
        "floats.csv.gz": b"1.5,2\n",
    }  # fmt: skip
    heads = {
        "x.net.gz": (b"*Vertices 3\n*Edges\n", b"1 2\n"),
        "y.net.gz": (b"*Vertices 3\n*Arcslist\n", b"1 2 3\n"),
        "z.paj.gz": (b"*Network a\n*Vertices 3\n*Partition p\n*Vertices 9\n", b"1\n"),
        "x.dl.gz": (b"dl n=3 format=edgelist1\ndata:\n", b"1 2\n"),
        "y.dl.gz": (b"dl n=3\ndata:\n", b"0 1 0\n"),
        "x.gml.gz": (b"graph [\n", b"node [ id 1 ]\n"),
        "y.gml.gz": (b"graph [\n", b"a [ "),
        "z.gml.gz": (b"graph [\n", b"a 1 "),
        "x.graphml.gz": (b"<graphml><graph>", b"<a>"),
        "y.graphml.gz": (b"<graphml><graph>", b"<node id='1'/>"),
        "z.graphml.gz": (b"<graphml><graph>", b"text "),
        "x.gexf.gz": (b"<gexf><graph><nodes>", b"<node id='1'/>"),
        "x.json.gz": (b'{"nodes": [', b"[],"),
        "y.json.gz": (b'{"nodes": [', b"{},"),
        "z.json.gz": (b'{"nodes": ', b"["),
        "w.json.gz": (b'{"nodes": [', b"0,"),
        "v.json.gz": (b'{"nodes": ["', b"a"),
        "x.sif.gz": (b"", b"a pp b\n"),
        "x.adjlist.gz": (b"", b"1 2 3 4\n"),
        "x.mtx.gz": (b"%%MatrixMarket matrix coordinate pattern general\n3 3 9\n", b"1 2\n"),
        "out.x.gz": (b"% sym unweighted\n", b"1 2\n"),
        "contacts.dat.gz": (b"20 1001 1002\n40 1001 1003\n60 1002 1003\n", b"60 1001 1002\n"),
        "x.NODE.a.tab.gz": (b"NODE\ta\ncat=1,2:label\n", b"a\tlabel=1\n"),
    }
    found = {name: gzip.compress(unit * (TEXT // len(unit)), 9) for name, unit in lines.items()}
    for name, (head, unit) in heads.items():
        found[name] = gzip.compress(head + unit * (TEXT // len(unit)), 9)
    return found


def six_bits(number: int, characters: int) -> bytes:
    """Write a number as graph6 does."""
    return bytes(63 + (number >> 6 * k & 63) for k in reversed(range(characters)))


def plain_texts() -> dict[str, bytes]:
    nodes = b"".join(b"<node id='%d'/>" % k for k in range(20_000))
    default = b"<default>" + b"a" * 10**6 + b"</default>"
    return {
        "default.graphml": b"<graphml><key id='k' for='node'>%s</key><graph>%s</graph></graphml>"
        % (default, nodes),
        "default.gexf": b"<gexf><graph><attributes class='node'><attribute id='k'>%s</attribute>"
        b"</attributes><nodes>%s</nodes></graph></gexf>" % (default, nodes),
        "isolates.s6": b":~~" + six_bits(8_000_000, 6) + b"~" * 2**20,
        "complete.g6.gz": gzip.compress(b"~" + six_bits(5_000, 3) + b"~" * 2_082_916 + b"?"),
        "blank_lines.txt": b"\n" * 65_000 + b"x y\n",
        "blank_lines_and_tabs.txt": b"\t \n" * 30_000 + b"x y\n",
        "spaces.txt": b" " * 65_000 + b"x",
        "quotes.csv": b'"' * 65_000,
        "starts.csv": b":START_ID" * 7_000,
        "digits.gml": b"graph [ node [ id " + b"1" * 60_000 + b"x ] ]",
        "digits.csv": b"a,b,w\n" + b"".join(b"1,2," + b"1" * 8_000 + b"x\n" for _ in range(200)),
        "points.csv": b"a,b,w\n" + b"".join(b"1,2," + b"1." * 4_000 + b"\n" for _ in range(200)),
        "digits.net": b"*Vertices 2\n*Edges\n1 2 " + b"1" * 60_000 + b"x\n",
        "digits.json": b'{"nodes": [{"id": ' + b"1" * 60_000 + b'}], "links": []}',
        "exponent.gml": b"graph [ node [ id 1e" + b"9" * 4_000 + b" ] ]",
        "quote.gml": b'graph [ node [ id 1 label "' + b"a" * 500_000,
        "open.gml": b"graph [ " + b"a [ " * 200_000,
        "open.json": b'{"nodes": ' + b"[" * 500_000,
        "labels.dl": b"dl n=2\n" + b"labels" * 100_000 + b"\ndata:\n0 1\n1 0\n",
        "items.dl": b"dl " + b"n= " * 100_000 + b"\ndata:\n",
        "commas.dl": b"dl" + b", " * 32_000 + b"n",
        "matrix.dl": b"dl n=999999\ndata:\n0 1\n1 0\n",
        "many.net": b"*Network a\n*Vertices 900000\n" * 5_000,
        "big.s6": b":~~" + b"~" * 60,
        "million.s6": b":~" + b"?@?" * 100,
        "attribute.arff": b"@NODETYPE a\n@ATTRIBUTE " + b"a " * 30_000 + b"{\n",
        "entities.gexf": b"<gexf><graph>" + b"&amp;" * 300_000 + b"</graph></gexf>",
        "tags.gexf": b"<gexf><graph>" + b"<a>" * 300_000,
        "list.yaml": b"edge_data:\n" + b"- a\n" * 32_000,
        "open.yaml": b"edge_data:\n" + b"[" * 130_000,
        "deep.yaml": b"edge_data:\n" + b"- " * 65_000,
        "alias.yaml": b"edge_data: &a [x, x]\nb: &b [*a, *a]\n" + b"".join(
            b"c%d: &c%d [*%s, *%s]\n" % (k, k, *(2 * [b"c%d" % (k - 1) if k else b"b"]))
            for k in range(60)
        ),
    }  # fmt: skip


def workbooks() -> dict[str, dict[str, bytes]]:
    """Return the parts of Excel workbooks with a sheet, or texts, that are too much."""
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    names = {"worksheet": "worksheets/sheet1.xml", "sharedStrings": "sharedStrings.xml"}
    links = "".join(
        f'<Relationship Id="{kind}" Type="{relations}/{kind}" Target="{place}"/>'
        for kind, place in names.items()
    )
    overrides = "".join(
        f'<Override PartName="/xl/{place}" ContentType="{types}.{kind}+xml"/>'
        for kind, place in {"sheet.main": "workbook.xml", **names}.items()
    )
    packages = "http://schemas.openxmlformats.org/package/2006"
    fixed = {
        "[Content_Types].xml": f'<Types xmlns="{packages}/content-types">{overrides}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{packages}/relationships"><Relationship Id="a" '
        f'Type="{relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{relations}"><sheets>'
        '<sheet name="a" sheetId="1" r:id="worksheet"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{packages}/relationships">{links}'
        "</Relationships>",
    }

    def book(sheet: bytes, texts: bytes = b"<si><t>a</t></si>") -> dict[str, bytes]:
        start = f'xmlns="{main}">'.encode()
        return {
            **{name: text.encode() for name, text in fixed.items()},
            "xl/worksheets/sheet1.xml": b"<worksheet " + start + b"<sheetData>" + sheet
            + b"</sheetData></worksheet>",
            "xl/sharedStrings.xml": b"<sst " + start + texts + b"</sst>",
        }  # fmt: skip

    cell = b"<row><c><v>1</v></c></row>"
    room = LIMITS.text_floor - 10_000
    return {
        "rows.xlsx": book(cell * (room // len(cell))),
        "wide.xlsx": book(b'<row><c r="NTP1"><v>1</v></c></row>' * (room // 36)),
        "wider.xlsx": book(b'<row><c r="XFD1"><v>1</v></c></row>' * (room // 36)),
        "deep.xlsx": book(b"<row>" * (room // 12) + b"</row>" * (room // 12)),
        "texts.xlsx": book(cell * 9, b"<si><t>a</t></si>" * (room // 18)),
    }


def archives(folder: Path) -> None:
    """Write numpy, Excel and MATLAB archives that expand or declare too much."""

    def npz(name: str, members: dict[str, bytes]) -> None:
        with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as file:
            for key, content in members.items():
                file.writestr(key, content)

    def npy(shape: tuple[int, ...], content: bytes) -> bytes:
        head = f"{{'descr': '<i8', 'fortran_order': False, 'shape': {shape}, }}".encode()
        head += b" " * (-(len(head) + 11) % 64) + b"\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + content

    labels = npy((2**23,), bytes(BIG))
    npz("zeros.npz", {"edges.npy": npy((1, 2), bytes(16)), "node_labels.npy": labels})
    npz("empty.npz", {"edges.npy": npy((1, 2), bytes(16)), "node_labels.npy": npy((10**9, 0), b"")})
    npz(
        "nested.npz",
        {"edges.npy": b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65_535, "node_labels.npy": labels},
    )
    npz("book.xlsx", {"xl/workbook.xml": b"<a/>" + b" " * BIG})
    for name, parts in workbooks().items():
        npz(name, parts)
    for kind in ("coo", "csr"):
        ends = np.array([1, 2]), (np.array([1, 2]), np.array([2, 1]))
        square = sp.coo_array(ends, shape=(10**9 if kind == "coo" else 2**23,) * 2)
        sp.save_npz(folder / f"{kind}.npz", square.asformat(kind))
    dense = {"network": np.zeros((5_700, 5_700), np.uint8), "group": np.ones((5_700, 1))}
    scipy.io.savemat(folder / "dense.mat", dense, do_compression=True)
    links = sp.csc_array(np.eye(2))
    scipy.io.savemat(folder / "good.mat", {"network": links})
    whole = (folder / "good.mat").read_bytes()
    bomb = zlib.compress(struct.pack("<II", 14, BIG) + bytes(BIG), 9)
    (folder / "bomb.mat").write_bytes(whole[:128] + struct.pack("<II", 15, len(bomb)) + bomb)
    cell = struct.pack("<IIII", 6, 8, 1, 0) + struct.pack("<IIii", 5, 8, 1, 1)
    cell += struct.pack("<IH2x", 1 | 1 << 16, ord("A"))
    nested = b""
    for _ in range(20_000):
        nested = struct.pack("<II", 14, len(cell) + len(nested[:60_000])) + cell + nested[:60_000]
    (folder / "cells.mat").write_bytes(whole[:128] + nested)
    for kind, name in ((1, "cells"), (2, "records")):  # cells and structures that are not there
        group = struct.pack("<IIII", 6, 8, kind, 0) + struct.pack("<IIii", 5, 8, 10**9, 1)
        group += struct.pack("<II8s", 1, 5, b"group") + struct.pack("<IIi4xII", 5, 4, 32, 1, 0)
        group = struct.pack("<II", 14, len(group)) + group
        (folder / f"many_{name}.mat").write_bytes(whole + group)
    links = {"network": np.ones((5_600, 5_600), np.uint8)}
    scipy.io.savemat(folder / "links.mat", links, do_compression=True)
    (folder / "good.mat").unlink()


def r_files() -> dict[str, bytes]:
    def item(kind: int, *values: int) -> bytes:
        return struct.pack(f">{1 + len(values)}i", kind, *values)

    def symbol(name: bytes) -> bytes:
        return item(1) + item(9, len(name)) + name

    def sequence(n: int, attributes: bytes = b"") -> bytes:
        """Write 1:n as R does, without its numbers."""
        state = item(14, 3) + struct.pack(">3d", n, 1, 1)
        info = item(2) + symbol(b"compact_intseq") + item(254)
        return item(238) + info + state + attributes + item(254)

    column = item(13, BIG // 9) + bytes(BIG // 9 * 4)
    names = item(1026) + item(1) + item(9, 5) + b"names" + item(16, 2)
    names += (item(9, 4) + b"from" + item(9, 2) + b"to") + item(254)
    bodies = {
        "links.rda": item(512 + 19, 2) + column * 2 + names,
        "nils.rda": item(19, BIG // 4) + item(254) * (BIG // 4),
        "nested.rda": item(19, 1) * 500_000,
        "texts.rda": item(16, BIG // 8) + item(9, 0) * (BIG // 8),
        "declared.rda": item(14, 2**30),
        "pairs.rda": (item(2) + item(254)) * 2_000_000 + item(254),
        "sequences.rda": item(19, 200) + sequence(10**7) * 200,
        "matrix.rda": sequence(3_000**2, item(1026) + symbol(b"dim") + item(13, 2, 3_000, 3_000)),
        "numbers_as_text.rda": item(238)
        + (item(2) + symbol(b"deferred_string") + item(254))
        + (item(2) + sequence(10**7) + item(254))
        + item(254),
    }
    return {name: gzip.compress(HEAD_R + NAME_R + body, 9) for name, body in bodies.items()}


def parquet(folder: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    ends = pa.array(np.zeros(30_000_000, np.int64))
    pq.write_table(pa.table({"source": ends, "target": ends}), folder / "rows.parquet")
    text = pa.DictionaryArray.from_arrays(np.zeros(900_000, np.int32), ["a" * 500_000])
    table = pa.table({"source": ends[:900_000], "target": ends[:900_000], "name": text})
    pq.write_table(table, folder / "text.parquet")
    kind = pa.int64()
    for _ in range(90):
        kind = pa.struct([("a", kind)])
    pq.write_table(pa.table({"a": pa.array([None], kind), "b": [1]}), folder / "deep.parquet")
    pq.write_table(pa.table({f"c{k}": [1] for k in range(50_000)}), folder / "wide.parquet")
    many = np.zeros(2_000_000, np.int32)
    times = pa.array([10**18], pa.timestamp("ns", "Europe/Paris"))
    for name, value, rows in (
        ("bytes", pa.array([b"a" * 2**20]), 20_000),
        ("long", pa.array(["a" * 2**20]), 20_000),
        ("times", times, many.size),
        ("durations", pa.array([10**9], pa.duration("ns")), many.size),
        ("decimals", pa.array([Decimal("1" * 38)]), many.size),
    ):
        column = pa.DictionaryArray.from_arrays(many[:rows], value)
        if rows == many.size:
            column = column.cast(value.type)
        table = pa.table({"source": column, "target": column})
        with pq.ParquetWriter(folder / f"{name}.parquet", table.schema, store_schema=False) as file:
            file.write_table(table)


# of every text format what may stand in its files over and over again: the start of a file, and
# what follows until it is as long as text may be that is packed to any degree; where a network
# has several files, the first one is read
MATRIX = b"%%MatrixMarket matrix coordinate pattern general\n"
ENDS = {
    ".graphml": b"</graph></graphml>",
    ".gexf": b"</nodes></graph></gexf>",
    ".gml": b"]",
    ".json": b"]}",
}
FEW, MANY = 30, 5_000  # names of attributes


def named(form: bytes, of: int = 2**30) -> Callable[[int], bytes]:
    """Return what makes the k-th node of a network with attributes of so many names."""
    return lambda k: form % (k, k % of)


GML_NODE = b"node [ id %d k%d 1 ]\n"
graphml_node = named(b"<node id='%d'><data key='k%d'>x</data></node>", MANY)
GRAPHML_KEYS, FILLED_KEYS = (
    b"".join(b"<key id='k%d' for='node' attr.name='n%d'>%s</key>" % (k, k, default)
             for k in range(MANY)) + b"<graph>"
    for default in (b"", b"<default>x</default>")
)  # fmt: skip
gexf_node = named(b"<node id='%d'><attvalues><attvalue for='k%d' value='x'/></attvalues></node>",
                  MANY)  # fmt: skip
GEXF_KEYS = b"<gexf><graph><attributes class='node'>" + b"".join(
    b"<attribute id='k%d' type='string'/>" % k for k in range(MANY)
) + b"</attributes>"  # fmt: skip
LINKS = (b"DIRECTED\tl\nNO_FEATURES\n1\ta:a\t|\ta:b\n", b"")
Unit = bytes | Callable[[int], bytes]  # what follows, or the k-th of what follows
REPEATED: dict[str, list[dict[str, tuple[bytes, Unit]]]] = {
    "graphml": [{"x.graphml": (b"<graphml><graph>", unit)}
                for unit in (b"<node id='1'/>", b"<a>", b"t ", b"<a b='c' d='e'/>")]
    + [{"x.graphml": (b"<graphml>" + keys, graphml_node)} for keys in (GRAPHML_KEYS, FILLED_KEYS)],
    "gexf": [{"x.gexf": (b"<gexf><graph><nodes>", unit)} for unit in (b"<node id='1'/>", b"<a>")]
    + [{"x.gexf": (GEXF_KEYS + b"<nodes>", gexf_node)}],
    "gml": [{"x.gml": (b"graph [\n", unit)}
            for unit in (b"node [ id 1 ]\n", b"a [ ", b"a 1 ", b'a "',
                         named(GML_NODE), named(GML_NODE, FEW), named(b"a%d %d "))],
    "json": [{"x.json": (b'{"nodes": ', unit)} for unit in (b"[", b'{"a": ', b"[0],")]
    + [{"x.json": (b'{"links": [], "nodes": [{"id": "a"}', named(b',{"id":%d,"k%d":1}', of))}
       for of in (FEW, MANY, 2**30)],
    "graphsage": [
        {"x-G.json": (b'{"nodes": [{"id": 0}]}', b""), "x-class_map.json": (head, unit)}
        for head, unit in ((b'{"0": ', b"["), (b'{"0": [0', b",0"), (b'{"0": 1', b',"a": 1'))
    ],
    "matrixmarket": [{"x.mtx": (MATRIX + head, b"1 2\n")} for head in (b"3 3 524276\n", b"% a\n")],
    "netkit": [{"x.arff": (b"@nodetype a\n@nodedata x.csv\n", b"@ATTRIBUTE a {b}\n")},
               {"x.arff": (b"@nodetype a\n@nodedata x.csv\n@ATTRIBUTE a ", b"a ")}],
    "netkit-adj": [{"x.adj": (b"3,3\n", b"0,1,1\n")}],
    "pajek": [{"x.net": (b"*Vertices 3\n" + head, unit)}
              for head, unit in ((b"*Edges\n", b"1 2\n"), (b"*Arcslist\n", b"1 2 3\n"),
                                 (b"*Edges\n", b"*Edges\n"), (b'1 "', b"a"))]
    + [{"x.paj": (b"*Network a\n*Vertices 900000\n*Edges\n1 2\n",
                  lambda k: b"*Cluster c%d\n*Vertices 1\n1\n" % k)}],
    "ucinet": [{"x.dl": (b"dl n=3 " + head, unit)}
               for head, unit in ((b"format=edgelist1\ndata:\n", b"1 2\n"), (b"data:\n", b"0 1\n"),
                                  (b"labels:\n", b"a,"), (b"", b"n=3 "))],
    "konect": [{"out.x": (b"% sym unweighted\n", unit)} for unit in (b"1 2\n", b"% 1 2 3\n")],
    "ogb": [{"edge.csv": (b"", b"0,1\n"), "num-node-list.csv": (b"3\n", b"")},
            {"edge.csv": (b"0,1\n", b""), "num-node-list.csv": (b"3\n", b""),
             "node-label.csv": (b"", b"1\n")}],
    "tudataset": [{"x_A.txt": (b"", b"1, 2\n"), "x_graph_indicator.txt": (b"1\n1\n", b"")},
                  {"x_A.txt": (b"1, 2\n", b""), "x_graph_indicator.txt": (b"", b"1\n")}],
    "sociopatterns": [{"c.dat": (b"20 11 12\n40 11 13\n60 12 13\n", b"60 11 12\n")}],
    "graph6": [{"x.s6": (b":~", b"?@?")}, {"x.g6": (b"~", b"~")}, {"x.g6": (b"", b"A_\n")}],
    "sif": [{"x.sif": (b"", b"a pp b\n")}, {"x.sif": (b"a pp", b" b")}],
    "adjlist": [{"x.adjlist": (b"", b"1 2 3 4\n")}, {"x.adjlist": (b"1", b" 2")}],
    "dgl-csv": [{"meta.yaml": (b"edge_data:\n", b"- a\n")}],
    "dimacs": [{"x.col": (b"p edge 3 349521\n", b"e 1 2\n")}, {"x.col": (b"", b"c\n")}],
    "metis": [{"x.graph": (b"3 2\n2\n1 3\n2\n", b"\n")}, {"x.graph": (b"1 1\n", b"1 ")}],
    "neo4j": [{"x.csv": (b":START_ID,:END_ID,:TYPE\n", b"1,2,a\n")},
              {"x.csv": (b":START_ID,:END_ID", b",:LABEL")}],
    "linqs": [{"x.cites": (b"", b"1\t2\n"), "x.content": (b"1\t0\ta\n2\t1\tb\n", b"")},
              {"x.cites": (b"1\t2\n", b""), "x.content": (b"1", b"\t0")}],
    "linqs-tab": [{"x.NODE.a.tab": (b"NODE\ta\ncat=1,2:label\n", b"a\tlabel=1\n"),
                   "x.DIRECTED.l.tab": LINKS},
                  {"x.NODE.a.tab": (b"NODE\ta\ncat=1,2:label" + b"".join(
                      b"\tcat=1:k%d" % k for k in range(MANY)) + b"\n",
                                    named(b"a%d\tk%d=1\n", MANY)),
                   "x.DIRECTED.l.tab": LINKS},
                  {"x.NODE.a.tab": (b"NODE\ta\ncat=1,2:label", b"\tnumeric:a:0.0"),
                   "x.DIRECTED.l.tab": LINKS},
                  {"x.NODE.a.tab": (b"NODE\ta\ncat=1,2:label\na\tlabel=1\nb\tlabel=2\n", b""),
                   "x.DIRECTED.l.tab": (LINKS[0], b"1\ta:a\t|\ta:b\n")}],
    "geomgcn": [{"out1_graph_edges.txt": (b"a\tb\n", b"0\t1\n"),
                 "out1_node_feature_label.txt": (b"id\tf\tl\n0\t1,0\ta\n1\t0,1\tb\n", b"")},
                {"out1_graph_edges.txt": (b"a\tb\n0\t1\n", b""),
                 "out1_node_feature_label.txt": (b"id\tf\tl\n0\t1", b",1")}],
    "adjacency": [{"x.csv": (b",a,b\n", b"a,0,1\n")}, {"x.csv": (b"", b",a")}],
    "table": [{"x.csv": (b"source,target\n", b"1,2\n")}, {"x.csv": (b"a", b",b")},
              {"x.csv": (b"a,b\n", b'"')}, {"x.csv": (b"", b"a b\n")}],
}  # fmt: skip
REPEATED |= all_kinds().hostile
# those that are no text, and where their files are made
BINARY = {
    "planetoid": "pickles",
    "npz": "archives",
    "scipy-npz": "archives",
    "excel": "archives",
    "matlab": "archives",
    "r": "r",
}


def following(unit: Unit, room: int, end: bytes) -> bytes:
    """Repeat what may stand in a file; numbered units are whole, and so is the file then."""
    if isinstance(unit, bytes):
        return unit * (room // len(unit)) if unit else b""
    return b"".join(map(unit, range(room // len(unit(10**5))))) + end


def repeated(folder: Path, name: str, of: Mapping[str, Any] = REPEATED) -> list[Path]:
    """Write the hostile files of a text format, packed, and return the first of each network."""
    firsts = []
    for number, files in enumerate(of[name]):
        place = folder / f"{name}-{number}"
        place.mkdir()
        for file, (start, unit) in files.items():
            content = start + following(
                unit, LIMITS.text_floor - len(start) - 99, ENDS.get(Path(file).suffix, b"")
            )
            (place / file).write_bytes(gzip.compress(content, 9))
        firsts.append(place / next(iter(files)))
    return firsts


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def measure(paths: list[Path], format: str = "") -> list[dict[str, Any]]:
    """Read files, and return what each took."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parents[1] / "bounded_reader.py"), format],
        input="".join(f"{path}\n" for path in paths),
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        check=False,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == len(paths), done.stderr[-2000:]
    return rows


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.parametrize("kind", ["pickles", "packed", "plain", "archives", "r", "parquet"])
def test_hostile_files_are_refused_in_time_and_memory(tmp_path: Path, kind: str) -> None:
    if kind == "pickles":
        for name, content in pickles().items():
            folder = tmp_path / name
            folder.mkdir()
            write(folder, {"ind.x.graph": content, "ind.x.test.index": b"0\n"})
            label = pickle.dumps(np.eye(2)[:1], protocol=2)
            write(folder, {"ind.x.ally": label, "ind.x.ty": label})
            assert len(content) < 3 * 2**20
    elif kind == "archives":
        archives(tmp_path)
    elif kind == "parquet":
        parquet(tmp_path)
    else:
        write(tmp_path, {"packed": packed_texts, "plain": plain_texts, "r": r_files}[kind]())
    check(measure(sorted(path for path in tmp_path.rglob("*") if path.is_file())))


def check(rows: list[dict[str, Any]], format: str = "") -> None:
    """Fail where a file took too much, or ended in anything but a network or one clear error.

    A busy machine makes one run slower, so that the quickest of three counts.
    """
    for _ in range(2):
        slow = [Path(row["file"]) for row in rows if row["seconds"] > SECONDS]
        again = {row["file"]: row for row in measure(slow, format)} if slow else {}
        rows = [min(row, again.get(row["file"], row), key=lambda r: r["seconds"]) for row in rows]
    over = [row for row in rows if row["seconds"] > SECONDS or row["megabytes"] > MEGABYTES]
    assert not over, over
    broken = [row for row in rows if not row["note"].startswith(("refused", "read"))]
    assert not broken, broken


def test_hostile_files_are_made_for_every_format() -> None:
    assert sorted([*REPEATED, *BINARY]) == sorted(BY_NAME)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.parametrize("name", REPEATED)
def test_text_of_any_format_is_read_or_refused_in_time_and_memory(
    tmp_path: Path, name: str
) -> None:
    check(measure(repeated(tmp_path, name), name), name)


def many_named(folder: Path, n: int, k: int) -> dict[str, Path]:
    """Write n nodes, of which each has one of k attributes, in the formats that name them."""
    nodes = [{"id": i, f"k{i % k}": 1} for i in range(n)]
    data = "<node id='{0}'><data key='k{1}'>1</data></node>"
    keys = "".join(f"<key id='k{j}' for='node'/>" for j in range(k))
    value = "<node id='{0}'><attvalues><attvalue for='k{1}' value='1'/></attvalues></node>"
    titles = "".join(f"<attribute id='k{j}'/>" for j in range(k))
    each = {
        "x.json": json.dumps({"nodes": nodes, "links": []}),
        "rows.json": json.dumps(nodes),
        "x.gml": "graph [" + "".join(f"node [ id {i} k{i % k} 1 ]" for i in range(n)) + "]",
        "x.graphml": f"<graphml>{keys}<graph>{''.join(data.format(i, i % k) for i in range(n))}"
        "</graph></graphml>",
        "x.gexf": f"<gexf><graph><attributes class='node'>{titles}</attributes><nodes>"
        f"{''.join(value.format(i, i % k) for i in range(n))}</nodes></graph></gexf>",
    }
    for name, text in each.items():
        (folder / name).write_text(text)
    return {name: folder / name for name in each}


@pytest.mark.parametrize(("n", "k"), [(10_001, 10_001), (2_000, 2_000)])
def test_names_of_attributes_are_limited_in_every_format(
    tmp_path: Path, n: int, k: int, words
) -> None:
    for path in many_named(tmp_path, n, k).values():
        with words.raises(InputError):
            nettrial.read(path)
    graph = nx.empty_graph(n)
    nx.set_node_attributes(graph, {i: {f"k{i}": 1} for i in range(n)})
    with words.raises(InputError):
        nettrial.io.from_networkx(graph)


def test_nodes_that_have_many_attributes_are_read(tmp_path: Path) -> None:
    rows = [{"id": i, **{f"k{j}": i % 2 for j in range(1000)}} for i in range(1000)]
    (tmp_path / "x.json").write_text(json.dumps({"nodes": rows, "links": []}))
    assert len(nettrial.read(tmp_path / "x.json", label="k7").attributes) == 999
    (tmp_path / "y.json").write_text(json.dumps({"nodes": rows[:3], "links": []}))
    assert len(nettrial.read(tmp_path / "y.json", label="k7").attributes) == 999
